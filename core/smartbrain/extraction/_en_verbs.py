"""English verbs of getting things done: which fall away from a task's key, and what is done in passing."""

from __future__ import annotations

import re
from functools import cache

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
_OTHERS = [
    "call",
    "email",
    "e-mail",
    "text",
    "phone",
    "ring",
    "message",
    "visit",
    "water",
    "feed",
    "walk",
    "cancel",
    "collect",
    "drop",
    "take",
    "bring",
    "move",
    "pack",
    "paint",
    "repair",
    "replace",
    "reply",
    "respond",
    "respond",
    "register",
    "sign",
    "apply",
    "confirm",
    "check",
    "contact",
    "ask",
    "tell",
    "invite",
    "return",
    "wash",
    "mow",
    "change",
    "service",
    "sell",
    "donate",
    "post",
    "mail",
    "upload",
    "download",
    "install",
    "upgrade",
    "back",
    "clear",
    "tidy",
    "empty",
    "hang",
    "mount",
    "measure",
    "weigh",
    "treat",
    "vaccinate",
    "reschedule",
    "rearrange",
    "negotiate",
    "invoice",
    "bill",
    "reimburse",
    "transfer",
    "deposit",
    "withdraw",
    "cash",
    "claim",
    "declare",
    "translate",
    "proofread",
    "rehearse",
    "practise",
    "record",
    "film",
    "edit",
    "scan",
    "copy",
    "laminate",
    "deploy",
    "merge",
    "rebase",
    "refactor",
    "debug",
    "document",
    "rotate",
    "rename",
    "revoke",
    "patch",
    "archive",
    "remove",
    "delete",
    "add",
    "plan",
    "organise",
    "organize",
    "arrange",
    "find",
    "hire",
    "fire",
    "interview",
    "train",
    "meet",
    "see",
    "pick",
    "fetch",
    "order",
    "swap",
    "exchange",
    "defrost",
    "marinate",
    "plant",
    "prune",
    "harvest",
    "sow",
    "sharpen",
    "oil",
    "charge",
    "refill",
    "restock",
    "count",
    "inventory",
    "label",
    "wrap",
    "deregister",
    "close",
    "open",
    "finalise",
    "finalize",
    "approve",
    "notify",
    "remind",
    "follow",
    "chase",
    "nudge",
    "push",
    "present",
    "give",
    "read",
    "study",
    "revise",
    "learn",
]
_MOMENTS = (
    r"pee|poo|go(?! (?:to|and|pick|see|get|by|over|through)\b)|run(?! (?:a|the|to)\b)|eat|sleep|rest|nap|"
    r"lie down|sit|relax|breathe|calm|focus|be(?! (?:at|in)\b)|say|admit|ask (?:you|a question|something|"
    r"about)|know|understand|"
    r"see (?:if|how|what|whether|the|it|you)|think|vent|laugh|hear|tell (?:you|someone)|agree|wonder|"
    r"remember|stop|start|decide|keep|feel|get (?:going|up|out|to|better|back|used|over|it|this|some "
    r"(?:rest|sleep)|better|into|in|away|more|my (?:head|mind|act|life))|"
    r"head|leave|catch up|shower|vote|wait|look (?:at|into|for|up)|try|have|put|deal with (?:it|this|that)|"
    r"work(?! on)|talk|share|apologi[sz]e|thank|confess|come|make (?:sure|it|do|up|friends|time|sense)|"
    r"take (?:a|it|care of myself|my time|some)|"
    r"believe|accept|wake|use|find (?:a way|out|something|the right)|figure|improve|become|learn how|worry|"
    r"live|enjoy|spend|consider|show|explain|give you|point|want|mention|respect|choose|pick (?:a|one|"
    r"between)|balance|manage|ensure|avoid|reduce|increase|change my|create a plan|come up|hurry|move on|"
    r"do (?:it|this|that|something|more|better|so|anything|my best)|"
    r"let|trust|hold|create|develop|establish|maintain|practice|address|identify|build (?:a|my|up)|set "
    r"(?:a|some|boundaries|up a (?:plan|system))|meet (?:the|their|his|her)|face|adjust|stay|handle (?:it|"
    r"this|that)|prioritize|communicate|balance|step|push (?:through|myself)|"
    r"scream|cry|smoke|drink|dash|brb|bounce|skip|pass|google|search|double[- ]check|check (?:if|whether|"
    r"the|it|with you|something)|add (?:that|to)|clarify|know|note|complain|rant|disagree|give (?:it|up|in|"
    r"them|him|her)|tell|hand it|help|join|like|love|read (?:more|up)|"
    r"stick|watch|play|listen|pray|celebrate|clear my|plan (?:for|ahead|my|out)|study|follow (?:the|my|a)|"
    r"reach|rely|compare|adapt|organi[sz]e (?:my|the|all)|document (?:the|it|this|my)|strengthen|write "
    r"(?:it|this|that|something|better)|sound|present (?:it|this|myself)|record (?:it|this)|"
    r"open (?:up|it)|close (?:the|it)|act|expect|answer|reflect|refine|approach|gain|grow|gather|achieve|"
    r"overcome|integrate|incorporate|convince|prove|demonstrate|tackle|verify|allow|include|align|define|"
    r"recogni[sz]e"
)
_GO = re.compile(r"go (?:and )?(?=(?:pick|see|get)\b)", re.IGNORECASE)


def thing_of(said: str) -> str:
    """The key part of a task: what is to be done, without a verb that only says "get it done".

    >>> thing_of("write the report"), thing_of("call my landlord")
    ('report', 'call_landlord')
    """
    text = " ".join(_GO.sub("", said).split())
    match = _do_verb().match(text)
    if match and text[match.end() :].strip():
        rest = part(text[match.end() :])
        if rest:
            return rest
    return part(text)


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
    return re.compile(rf"(?:{'|'.join(sorted(set(_OTHERS), key=len, reverse=True))})\b", re.IGNORECASE)


@cache
def _moments() -> re.Pattern[str]:
    return re.compile(rf"(?:{_MOMENTS})(?![\w-])", re.IGNORECASE)
