"""English turns of life, continued: moves, surgery, milestones, breakdowns, visits."""

from __future__ import annotations

from typing import Final

from smartbrain.extraction._en_event_words import ADV, MAYBE_WE, OF, PLACE, WE, WHOSE, Row

WAYS: Final[tuple[Row, ...]] = (
    (
        "milestone",
        "adoption",
        "past",
        False,
        rf"{WE}\s*(?:'ve|have)?\s*{ADV}adopted (?:an?|our|two|\w+) (?P<about>[\w ]{{0,20}}?(?:dog|"
        rf"cat|puppy|kitten|child|baby|boy|girl|rabbit))\b",
    ),
    (
        "move",
        "move",
        "future",
        True,
        rf"(?:{WE}(?:'re|'m| are| am|'ll be)?\s*|i'm |we're |(?=moving\b)){ADV}(?:moving|"
        rf"relocating|move|relocate)(?: (?:to|back to|into|in to) (?:(?:our|my|the|a) (?:new "
        rf")?(?P<about2>house|flat|apartment|place|office|home)|{PLACE}))?(?=\s|$)",
    ),
    (
        "move",
        "move",
        "past",
        True,
        rf"{WE}\s*{ADV}(?:moved|relocated) (?:(?P<about3>house|flat|apartment|offices?)|(?:to|"
        rf"back to|into) (?:our|my|the|a) (?:new )?(?P<about2>house|flat|apartment|place|office|"
        rf"home))(?=\s|$)",
    ),
    (
        "surgery",
        "operated",
        None,
        True,
        rf"(?:{WE}\s*)?(?:'m |am )?{ADV}(?:had|have|having|got|getting) (?:my|the|both) "
        rf"(?P<about>(?:[\w-]+ ){{0,2}}?(?:knees?|hips?|"
        rf"teeth|tooth|appendix|gall ?bladder|tonsils|cataracts?|shoulder|spleen|kidney|mole|stent|cast|stitches)) "
        rf"(?:replaced|removed|taken out|out|operated on|fixed)\b",
    ),
    (
        "new_job",
        "new_job",
        "future",
        True,
        rf"{WE}(?:'m| am|'ll)?\s*{ADV}start(?:ing)? (?:at|with) (?P<about>(?-i:[A-Z])[\w&'-]*(?: "
        rf"(?-i:[A-Z])[\w&'-]*){{0,2}})(?=\s)",
    ),
    (
        "purchase",
        "closing",
        "future",
        True,
        rf"{WE}(?:'re| are|'ll)?\s*{ADV}(?:close|closing|complete|completing|exchange) on (?:the|our|"
        rf"my) (?:new )?"
        rf"(?P<about>house|flat|apartment|condo|home|land|farm|cottage)\b",
    ),
    (
        "milestone",
        "granted",
        "past",
        True,
        rf"{MAYBE_WE}\s*(?:'ve|have)?\s*{ADV}(?:got|received|was granted|been granted) my "
        rf"(?P<about>citizenship|green card|"
        rf"(?:driving |driver's |pilot's )?licen[cs]e|visa|diploma|black belt)\b(?! (?:test|exam|"
        rf"interview|application|ceremony|appointment|renewal))",
    ),
    (
        "accident",
        "hurt",
        "past",
        True,
        rf"{WE}\s*(?:'ve|have|was|were|got|been)?\s*{ADV}(?:got |been )?(?:bitten|hit|run over|knocked "
        rf"(?:off|down)|stung|"
        rf"burn(?:ed|t)|scalded|electrocuted) by\b|i {ADV}(?:fell|slipped) (?:off|down|from)\b",
    ),
    (
        "trip",
        "spending",
        "future",
        True,
        rf"{WE}(?:'re|'m| are| am|'ll be)?\s*{ADV}spend(?:ing)? .{{2,30}}? in {PLACE}",
    ),
    (
        "incident",
        "power_lost",
        "past",
        True,
        rf"{WE} {ADV}lost (?:power|water|internet|the internet|connectivity)\b",
    ),
    (
        "milestone",
        "reached",
        "past",
        True,
        rf"{MAYBE_WE}\s*(?:'ve|have)?\s*{ADV}(?:hit|reached|passed|crossed) (?:our |my |the )?(?:first "
        rf")?\d[\d,.]*(?:k|m)? "
        rf"(?P<about>subscribers|followers|users|customers|downloads|sales|orders|stars|members)\b",
    ),
    (
        "milestone",
        "accepted",
        "past",
        True,
        rf"(?:my|our) (?:[\w-]+ )?(?P<about>paper|manuscript|application|offer|proposal|grant|visa|bid|"
        rf"book|article|novel|"
        rf"appeal|patent|mortgage)(?: application)? (?:was|were|got|has been)\s+{ADV}(?:accepted|"
        rf"approved|granted|published|"
        rf"rejected)\b",
    ),
    (
        "release",
        "opening",
        "future",
        True,
        rf"{WE}(?:'re| are|'ll)?\s*{ADV}open(?:ing)? (?:the|our|my|a) (?:[\w-]+ ){{0,2}}(?P<about>shop|"
        rf"store|branch|restaurant|"
        rf"caf[eé]|clinic|studio|bakery|gallery|office|nursery)\b",
    ),
    (
        "visit",
        "coming",
        "future",
        True,
        r"(?:the|our|my) (?P<about>inspectors?|surveyors?|social worker|health visitor|auditors?|midwife|"
        r"vet|assessor) (?:is|are) "
        r"coming\b",
    ),
    (
        "birth",
        "arrived",
        "past",
        True,
        r"(?:our|my) (?:little one|baby(?: boy| girl)?|newborn|(?:first |second |third )?(?:son|"
        r"daughter)) (?:has )?(?:arrived|was "
        r"born)\b(?! (?:at|in|from|home|late))",
    ),
    (
        "",
        "went",
        "past",
        True,
        rf"(?:{WHOSE}\s+)?{OF}(?P<kind>surgery|operation|procedure|exam|driving test|interview|wedding|"
        rf"funeral|graduation) went "
        rf"(?:well|ok|okay|fine|badly|great|smoothly|ahead)\b",
    ),
)
