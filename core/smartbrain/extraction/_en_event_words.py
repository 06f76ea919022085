"""The words of English events: what kind a noun names, who takes part, where it leads."""

from __future__ import annotations

import re

from smartbrain.extraction._en_words import RELATION
from smartbrain.text.timehints import Prefer

Row = tuple[str, str, Prefer | None, bool, str]
"""A shape as it is written down: kind, rule, prefer, dated, pattern."""

_KIND_WORDS = {
    "appointment": "appointment|check-?up|checkup|follow-?up|follow-?up appointment|(?:tax )?audit|"
    "consultation|scan|mri|mri scan|ultrasound|blood test|"
    "vaccination|haircut appointment|viewing|fitting|therapy session|physio session|root "
    "canal|cleaning appointment|inspection|hearing|court date",
    "meeting": "meeting|parent-teacher meeting|parents'? evening|standup|board meeting|review meeting|"
    "kick-?off|conference call|annual review|performance review|quarterly review|yearly "
    "review|design review|sprint review|retro|check-in|catch-up|sync|webinar|workshop|"
    "phone call|video call|zoom call|trade fair|"
    "conference|summit|offsite|retreat|town hall|agm|hackathon|seminar|demo|presentation|"
    "talk|lecture|panel",
    "interview": "interview|job interview|phone interview|final interview|screening call",
    "exam": "exam|test|driving test|midterm|final exam|finals|bar exam|quiz|viva|oral exam|thesis "
    "defen[cs]e|defen[cs]e|certification exam|ielts|toefl|sat|mock exam|audition",
    "surgery": "surgery|operation|procedure|transplant|c-section|biopsy|colonoscopy|knee replacement|"
    "hip replacement|wisdom tooth extraction",
    "wedding": "wedding|wedding ceremony|civil ceremony|anniversary party",
    "graduation": "graduation|graduation ceremony|commencement|convocation",
    "birth": "due date|baby's due date",
    "party": "party|birthday party|housewarming|housewarming party|baby shower|bachelorette(?: "
    "party)?|stag do|hen do|leaving do|farewell party|reunion|family reunion|retirement "
    "party|bbq|gala|reception|engagement party|christmas party",
    "performance": "concert|recital|gig|performance|play|opening night|premiere|exhibition|show|opening|"
    "book launch|vernissage|showcase|choir concert",
    "competition": "race|marathon|half[- ]marathon|tournament|match|competition|championship|regatta|"
    "triathlon|10k|5k|meet|derby|final",
    "deadline": "deadline|submission deadline|cut-?off|closing date",
    "trip": "flight|trip|holiday|vacation|cruise|honeymoon|business trip|school trip|pilgrimage|road trip",
    "move": "moving day|move|house move|relocation",
    "death": "funeral|memorial|memorial service",
    "visit": "visit|site visit|house visit",
    "release": "release|launch|go-live|rollout|product launch|grand opening|launch day",
    "new_job": "first day at work|first day at the new job|first day of work|first day|start date",
}
KIND = "|".join(sorted((w for words in _KIND_WORDS.values() for w in words.split("|")), key=len, reverse=True))


class _Kinds(dict[str, str]):
    """The kind of a word as it was said."""

    def __missing__(self, word: str) -> str:
        for kind, words in _KIND_WORDS.items():
            if re.fullmatch(words, word, re.IGNORECASE):
                return kind
        return "milestone"


KIND_OF = _Kinds()
WE = r"(?:i|we|my \w+ and i|the (?:team|family|kids and i)|(?:(?-i:[A-Z])\w+) and i)"
MAYBE_WE = rf"(?:{WE}(?=[\s']))?"
PLACE = (
    r"(?!(?-i:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|"
    r"June|July|August|September|October|November|December|I|My|The|A|Dr|Mr|Ms|Mrs)\b)(?P<about>(?-i:[A-Z])[\w"
    r"'.-]+(?: (?:and |de |la |del |of |the |der )?(?-i:[A-Z])[\w'.-]+){0,3}|(?:the )?(?-i:[A-Z])[\w'.-]+)"
)
ADV = r"(?:(?:just|finally|also|actually|now|officially|still|then|all|both|recently|already|even|only)\s+)*"
WHOSE = rf"(?:my|our|the|his|her|their|(?:my|our) (?:\w+ )?(?:{RELATION})'s|(?-i:[A-Z])\w+'s)"
OF = rf"(?:(?P<about>(?:my |our |the )?(?:(?:{RELATION})'s|(?-i:[A-Z])?[\w-]+(?:'s)?)(?: [\w'-]+){{0,3}}?) )?"
