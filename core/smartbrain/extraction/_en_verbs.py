"""English verbs of getting things done: which fall away from a task's key, and what is done in passing."""

from __future__ import annotations

import re
from functools import cache

from smartbrain.extraction._en_words import words_of
from smartbrain.extraction.keys import part

# base, past, gerund where they are irregular; "" is made by rule.
_DO = {
    "do": "did done doing",
    "finish": "",
    "complete": "",
    "write up": "wrote written",
    "write": "wrote written writing",
    "draft": "",
    "prepare": "",
    "prep": "prepped prepping",
    "make": "made making",
    "work on": "",
    "wrap up": "wrapped wrapping",
    "submit": "submitted submitting",
    "hand in": "",
    "turn in": "",
    "fix": "",
    "ship": "shipped shipping",
    "deliver": "",
    "build": "built",
    "implement": "",
    "deploy": "",
    "release": "",
    "launch": "",
    "publish": "",
    "clean up": "",
    "clean out": "",
    "clean": "",
    "update": "",
    "review": "",
    "handle": "",
    "take care of": "took taken taking",
    "deal with": "dealt",
    "sort out": "",
    "set up": "set setting",
    "get": "got getting gotten",
    "buy": "bought",
    "order": "",
    "pick up": "",
    "pay off": "paid",
    "pay for": "paid",
    "pay": "paid",
    "book": "",
    "schedule": "",
    "renew": "",
    "file": "",
    "print out": "",
    "print": "",
    "send out": "sent",
    "send off": "sent",
    "send in": "sent",
    "send": "sent",
    "return": "",
    "migrate": "",
    "test": "",
    "grade": "",
    "sort": "",
}
_OTHERS = words_of(
    """
    call email e-mail text phone ring message visit water feed walk cancel collect drop take bring move pack
    paint repair replace reply respond register sign apply confirm contact ask tell invite return wash mow
    change service sell donate post mail upload download install upgrade back clear tidy empty mount measure
    weigh treat vaccinate reschedule rearrange negotiate invoice bill reimburse transfer deposit withdraw cash
    claim declare translate proofread rehearse film edit scan copy laminate deploy merge rebase refactor debug
    rotate rename revoke patch archive remove organise organize arrange hire fire interview pick fetch order
    swap exchange defrost marinate plant prune harvest sow sharpen oil charge refill restock count inventory
    worm shear milk muck lamb dip mend ice bake hang grout plaster strip rewire plumb glaze fetch sow hoe rake bottle
    pickle slaughter groom clip shoe drench tag dose chase pester soak press dry dust polish scrub rinse
    cook defrost fill refuel top jack rotate inflate grease test drain flush reset reboot reinstall
    label mark renovate repaint sew knit decorate weed tile hem iron vacuum sweep varnish sand wallpaper insulate
    revise declutter descale trim groom transcribe subtitle calibrate audit reconcile amend notarize bleed catalogue
    catalog digitize inspect wrap deregister close open finalise finalize approve notify remind follow chase nudge push
    """
)
_MOMENTS = (
    r"pee|poo|go to (?:work|bed|school|sleep|the (?:gym|store|shop|toilet|bathroom|office|"
    r"beach|park|movies|loo|doctor'?s?))|go(?! (?:to|and|pick|see|get|by|over|through)\b)|"
    r"run(?! (?:a|the|to)\b)|eat|sleep|rest|nap|lie down|sit|relax|breathe|calm|focus|"
    r"be(?! (?:at|in)\b)|say|admit|ask (?:you|a question|something|about)|know|understand|"
    r"see (?:if|how|what|whether|the|it|you)|think|vent|laugh|hear|tell (?:you|someone)|"
    r"agree|wonder|remember|stop|start|decide|keep|feel|sort (?:this|it|that)|wrap my|"
    r"pick your|change (?:my|the) (?:mind|subject|topic)|clear (?:my|the) (?:head|mind|"
    r"air)|take my (?:mind|hat)|bring myself|charge my batter\w+|walk (?:it off|away|out)|"
    r"call (?:bull\w+|him|her|them) out|drop (?:it|the subject|everything|out)|move (?:on|"
    r"out|away|past)|close my|open my|pack it in|water down|feed my (?:soul|ego)|count "
    r"(?:to|sheep|my)|clean up my act|fix my (?:life|sleep|mood|attitude|posture)|wash "
    r"my hands|get (?:cracking|onto|some actual|that|these|stuck|through|started|past|"
    r"rid|really|my body|everything|things|this|going|up|out|to|better|back|used|over|"
    r"it|this|some (?:rest|sleep)|better|into|in|away|more|my (?:head|mind|act|life))|"
    r"head|leave|catch up|shower|vote|wait|look (?:at|into|for|up)|try|have|put|deal with "
    r"(?:it|this|that)|work(?! on)|talk|share|apologi[sz]e|thank|confess|come|make (?:sure|"
    r"it|do|up|friends|time|sense)|take (?:a|it|that|this|some|small|things|care of myself|"
    r"my time|some)|"
    r"believe|accept|wake|use|find (?:a (?:\w+ )?way|out|something|the right|more|better|"
    r"that|ways|time|balance|some)|check (?:some|it|that|them|out|things)|figure|improve|"
    r"become|worry|live|enjoy|spend|consider|show|explain|give you|point|want|mention|"
    r"respect|choose|pick (?:a|one|between)|balance|manage|ensure|avoid|reduce|increase|"
    r"change my|create a plan|come up|hurry|move on|do (?:it|this|that|something|more|"
    r"better|so|anything|my best)|"
    r"let|trust|hold|create|develop|establish|maintain|practice|address|identify|build "
    r"(?:a|my|up)|set (?:a|some|boundaries|up a (?:plan|system))|meet (?:the|their|his|"
    r"her)|face|adjust|stay|handle (?:it|this|that)|prioritize|communicate|balance|step|"
    r"push (?:through|myself)|"
    r"scream|cry|smoke|drink|dash|brb|bounce|skip|pass|google|search|double[- ]check|check "
    r"(?:if|whether|the|it|with you|something)|add (?:that|to)|clarify|know|note|complain|"
    r"rant|disagree|give (?:it|up|in|them|him|her)|tell|hand it|help|join|like|love|read "
    r"(?:more|up)|"
    r"stick|watch|play|listen|pray|celebrate|clear my|plan (?:for|ahead|my|out)|study|"
    r"follow (?:the|my|a)|reach|rely|compare|adapt|organi[sz]e (?:my|the|all)|document "
    r"(?:the|it|this|my)|strengthen|write (?:it|this|that|something|better|down)|ask (?:for|"
    r"about|if|them|him|her)|send (?:it|this|that)|call it|fix (?:it|this|that)|test (?:it|"
    r"this|that|my)|learn\b|build\b|make\b|do\b|design|sound|present (?:it|this|myself)|"
    r"record (?:it|this)|"
    r"open (?:up|it)|close (?:the|it)|act|expect|answer|reflect|refine|approach|gain|grow|"
    r"gather|achieve|overcome|integrate|incorporate|convince|prove|demonstrate|tackle|"
    r"verify|allow|include|align|define|recogni[sz]e"
)
_GO = re.compile(r"go (?:and )?(?=(?:pick|see|get)\b)", re.IGNORECASE)


def thing_of(said: str) -> str:
    """The key part of a task: what is to be done, without a verb that only says "get it done".

    >>> thing_of("write the report"), thing_of("call my landlord")
    ('report', 'call_landlord')
    """
    text = as_base(" ".join(_GO.sub("", said).split()))
    text = _first_of_all().sub("", _have_it_done().sub(r"\g<what>", text))
    match = _do_verb().match(text)
    if match and text[match.end() :].strip():
        rest = part(_and_verb().sub("", text[match.end() :]))
        if rest:
            return rest
    return part(text)


def as_base(said: str) -> str:
    """ "painting the fence" is "paint the fence", when the first word is a known verb."""
    first, space, rest = said.partition(" ")
    return f"{_base_of().get(first.lower(), first)}{space}{rest}"


@cache
def _have_it_done() -> re.Pattern[str]:
    """ "get the MOT booked", "have the boiler serviced": what is got done, whoever does it."""
    return re.compile(
        r"^(?:get|have) (?P<what>(?:the|my|our|a|an|that|his|her|their|\w+'s)\b[^,;]{2,50}?) (?:booked|sorted|"
        r"done|fixed|"
        r"serviced|renewed|checked|repaired|replaced|signed|paid|ordered|mended|cleaned|finished|delivered|printed|"
        r"tested|looked at|looked over|ready|in|out|off)\b",
        re.IGNORECASE,
    )


@cache
def _first_of_all() -> re.Pattern[str]:
    return re.compile(
        r"\s+(?:first(?: of all| thing)?|asap|as soon as possible|in time|properly)(?=$|[,.;]|\s+(?:by|before)\b)", re.I
    )


@cache
def _and_verb() -> re.Pattern[str]:
    return re.compile(r"^and \w+ (?=(?:the|my|our|a|an)\b)", re.IGNORECASE)


@cache
def _base_of() -> dict[str, str]:
    verbs = [
        *_OTHERS,
        "learn",
        "become",
        "lose",
        "get",
        "quit",
        "save",
        "run",
        "open",
        "retire",
        "move",
        "swim",
        "climb",
        "build",
        "write",
        "read",
    ]
    return {form: verb for verb in verbs for form in _gerunds(verb)}


def _gerunds(verb: str) -> tuple[str, ...]:
    stem = verb.removesuffix("e") if verb.endswith("e") and not verb.endswith("ee") else verb
    return f"{stem}ing", f"{stem}{stem[-1]}ing"


def moment(said: str) -> bool:
    """Whether "need to …" is of the moment, or of the mind: nothing to keep a list of."""
    return _moments().match(said) is not None


def concrete(said: str) -> bool:
    """Whether what is to be done begins with a verb of getting things done."""
    return _do_verb().match(said) is not None or _other().match(said) is not None


def done_forms() -> str:
    """The past participles of the verbs of getting done, as alternatives of a pattern."""
    return "|".join(sorted(_past_forms(), key=len, reverse=True))


def _forms(base: str, irregular: str) -> set[str]:
    verb, _, particle = base.partition(" ")
    stem = verb.removesuffix("e") if verb.endswith("e") else verb
    forms = {verb, f"{stem}ing", f"{stem}ed", f"{verb}s", *irregular.split()}
    return {f"{form} {particle}".strip() for form in forms}


@cache
def _past_forms() -> frozenset[str]:
    past: set[str] = set()
    for base, irregular in _DO.items():
        verb, _, particle = base.partition(" ")
        stem = verb.removesuffix("e") if verb.endswith("e") else verb
        found = {form for form in irregular.split() if not form.endswith("ing")} or {f"{stem}ed"}
        past |= {f"{form} {particle}".strip() for form in found}
    return frozenset(past - {"got", "made", "did", "set", "gotten", "worked on", "sorted"} | {"sorted out", "sorted"})


@cache
def _do_verb() -> re.Pattern[str]:
    forms = {form for base, irregular in _DO.items() for form in _forms(base, irregular)}
    return re.compile(rf"(?:{'|'.join(sorted(forms, key=len, reverse=True))})\b(?!-)\s*", re.IGNORECASE)


@cache
def _other() -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(sorted(_OTHERS, key=len, reverse=True))})\b", re.IGNORECASE)


@cache
def _moments() -> re.Pattern[str]:
    return re.compile(rf"(?:{_MOMENTS})(?![\w-])", re.IGNORECASE)
