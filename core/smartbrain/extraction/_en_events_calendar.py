"""English journeys and what stands in a calendar."""

from __future__ import annotations

from typing import Final

from smartbrain.extraction._en_event_words import ADV, KIND, OF, PLACE, WE, WHOSE, Row
from smartbrain.extraction._en_words import RELATION

CALENDAR: Final[tuple[Row, ...]] = (
    # -- journeys
    (
        "trip",
        "trip",
        "future",
        True,
        rf"(?:{WE}(?:'re|'m| are| am|'ll be| will be| is)?\s+|i'm |we're |im )?{ADV}(?:(?:going "
        rf"to|gonna)\s+)?(?:flying|fly|flying out|travell?ing|travel|heading|heading off|heading "
        rf"out|driving|off|going|going on a trip|taking the train|sailing|leaving|visiting|"
        rf"jetting off|taking (?:a trip|the kids|my \w+)|hiking|backpacking|going camping|camping)\s+(?:(?:back|"
        rf"out|over|down|up|home|abroad)\s+)?(?:(?:to|for|in|around|through|across)\s+)?{PLACE}(?=\s|"
        rf"$)",
    ),
    (
        "trip",
        "trip",
        "future",
        True,
        rf"(?:{WE}(?:'ve|'re|'m| have| are| am)?\s+)?{ADV}(?:have|got|booked|planned|planning|"
        rf"taking|going on|booked flights for|booked tickets for)\s+(?:an?|our|the|my)?\s*(?:[\w-]+ "
        rf")?(?:trip|holiday|vacation|cruise|flights?|honeymoon|road trip|city break|tickets|"
        rf"train) (?:to|in|around|for) {PLACE}",
    ),
    (
        "trip",
        "trip",
        "past",
        True,
        rf"{WE}\s*(?:'ve|have)?\s*{ADV}(?:(?:went|flew|travell?ed|drove|took (?:a|the) (?:trip|"
        rf"train|bus|kids)|got back|came back|returned|just back|hiked|sailed|took my \w+|spent "
        rf"(?:a|the) (?:week|weekend|month)|been(?!.*\bsince\b))\s+(?:(?:back|out|over|down|up|on (?:a|our) "
        rf"(?:\w+ )?(?:trip|holiday|vacation|honeymoon))\s+)?(?:to|from|in|around)\s+|visited "
        rf"){PLACE}(?!'s|\s(?:Museum|Gallery|Library|Park|Zoo|Aquarium|Mall|Market|Church|"
        rf"Caf|Restaurant|Store|Center|Centre|Expo|Office))(?=\s|$)",
    ),
    (
        "visit",
        "visit",
        None,
        True,
        rf"(?:my|our) (?:\w+ )?(?P<about>{RELATION}s?|in-laws|family|grandparents)(?: (?-i:[A-Z])\w+)?\s+(?:is|"
        rf"are|'s)\s+{ADV}(?:visiting|coming (?:to (?:visit|stay|inspect|see)|round)|staying with (?:us|"
        rf"me)|flying "
        rf"in|coming over)\b",
    ),
    # -- what stands in a calendar
    (
        "",
        "calendar",
        None,
        True,
        rf"(?!(?:if|when|after|before|since|until|for|at|during|because|is|was|was|did|does|"
        rf"unless|in|on|the last|need|have|has|got|going|want|like|plan|try|i|we|you|let|please|"
        rf"remind|can|could|should|must|will|not|no)\b)(?:(?:{WHOSE}|an?|reminder:?|next|there's "
        rf"an?|there is an?)\s+)?{OF}(?P<kind>{KIND})(?:\s+(?:with|for|at|about|of|in|to|"
        rf"from|on)\s+(?!(?:mon|tues|wednes|thurs|fri|satur|sun)day|the \d|\d|(?:jan|feb|mar|"
        rf"apr|may|jun|jul|aug|sep|oct|nov|dec))[\w'&. -]{{2,40}}?)?\s*(?:(?:is|was|are|will "
        rf"be|has been|got|'s)\s+)?(?:(?-i:[A-Z]{{2}}) ?\d{{2,4}}\s+)?"
        rf"{ADV}(?:(?:moved|rescheduled|scheduled|set|booked|pushed|"
        rf"postponed|brought forward|confirmed|planned)\s+)?(?:(?:for|on|at|to|back to|is|in|"
        rf"from|starts?|begins?|takes place|happens?|falls?|opens?|leaves?|departs?|closes?)\s+)*(?=(?:(?:early|"
        rf"late|this|next|last|the|coming|on)\s+)*(?:today|tonight|tomorrow|yesterday|mon|tue|"
        rf"wed|thu|fri|sat|sun|jan|feb|mar|apr|may\b|jun|jul|aug|sep|oct|nov|dec|week|weekend|"
        rf"month|\d|in (?:two|three|four|\d)))",
    ),
    (
        "appointment",
        "seeing",
        "future",
        True,
        rf"{WE}(?:'m|'re| am| are)?\s*{ADV}(?:seeing|see|going to|have to see|got to see|"
        rf"visiting) (?:the|my|a|an|our) (?P<about>(?:\w+ )?(?:dentist|doctor|gp|cardiologist|"
        rf"specialist|therapist|physio|surgeon|optician|dermatologist|midwife|orthodontist|"
        rf"vet|lawyer|solicitor|notary|accountant|hairdresser|oncologist|neurologist|gyn\w+|"
        rf"p(?:a)?ediatrician|counsell?or|psychologist|psychiatrist|consultant|podiatrist|nutritionist))\b",
    ),
    (
        "",
        "day_first",
        "future",
        True,
        rf"(?:on )?(?:(?:next|this) )?(?:tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day|"
        rf"the \d{{1,2}}(?:st|nd|rd|th)(?: of \w+)?|\w+ \d{{1,2}}(?:st|nd|rd|th)?)(?:'s|\s+is)\s+(?:my|"
        rf"our|the day of my) {OF}(?P<kind>{KIND})(?![\w-])",
    ),
    (
        "trip",
        "trip_stay",
        "future",
        True,
        rf"{WE}(?:'m|'re| am| are|'ll be| will be)\s*{ADV}in {PLACE}(?=\s+(?:from (?:the "
        rf")?(?:\d|mon|tue|wed|thu|fri|sat|sun|tomorrow|next)|next (?:week|month)|on the \d))",
    ),
    (
        "",
        "attending",
        "future",
        True,
        rf"(?:{WE}\s*)?{ADV}(?:(?:'m |'re |am |are )?(?:going|heading|driving|flying|travelling|"
        rf"traveling|off|invited) to|(?:need|have|has|got|'ve got) to (?:be at|go to|attend|get "
        rf"to|make it to|show up (?:at|for))|(?:'ve got|have got|have|got|has|'s got)|(?:am|"
        rf"'m|are|'re|'ll be|will be) (?:going to|attending|hosting|giving|having|running|playing(?: "
        rf"in)?|performing (?:at|in)|speaking at|presenting at|defending|sitting|taking|at)|"
        rf"(?:booked|scheduled|arranged|set up|signed up for|registered for|entered)(?: in)?|"
        rf"attend|attending)\s+(?:(?:an?|my|our|the|another|his|her)\s+)?{OF}(?P<kind>{KIND})(?![\w-])",
    ),
    (
        "",
        "kind_past",
        "past",
        True,
        rf"(?:{WE}\s*|(?=(?:had|just had|went to|attended|finished)\b))(?:'ve|have)?\s*{ADV}(?:had|"
        rf"attended|went to|gave|hosted|ran|played(?: in)?|finished|completed|took part in|"
        rf"spoke at|performed (?:at|in)|was at|were at|came back from)\s+(?:(?:an?|my|our|the|"
        rf"another|his|her|their)\s+)?{OF}(?P<kind>{KIND})(?![\w-])(?! (?:of|with the idea))",
    ),
)
