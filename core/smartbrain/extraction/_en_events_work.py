"""English releases, failures and mishaps."""

from __future__ import annotations

from typing import Final

from smartbrain.extraction._en_event_words import ADV, MAYBE_WE, WE, Row

WORK: Final[tuple[Row, ...]] = (
    # -- work: releases and failures
    (
        "release",
        "release",
        None,
        False,
        rf"(?:(?:our|the|my|we'?ve|version|release|build|app|update|new)\s+)*(?P<about>v?\d+(?:\.\d+)+[\w.-]*|"
        rf"v\d+)\s+(?:of [\w -]{{2,20}} )?{ADV}(?:(?:is|was|went|has gone|has been|just)\s+)*{ADV}(?:live|"
        rf"out|released|shipped|launched|deployed|published|in production|to production)\b|"
        rf"(?P<about2>v?\d+(?:\.\d+)+)(?: is|'s)? (?:going|goes) (?:out|live)\b",
    ),
    (
        "release",
        "release",
        None,
        False,
        rf"{WE}\s*(?:'ve|have)?\s*{ADV}(?:released|launched|shipped|rolled out|went live "
        rf"with|pushed out|deployed) (?:(?:our|the|my|version|new|first|a|an|beta of)\s+)*(?P<about>v?\d+(?:\.\d+)+"
        rf"[\w.-]*|[\w.'-]+(?: (?!to\b|on\b|yesterday\b|today\b|last\b|this\b|at\b|and\b|in\b|"
        rf"after\b|with\b)[\w.'-]+){{0,3}})(?=.*\b(?:yesterday|today|last|this|on|ago|morning|"
        rf"\d)\b|$)",
    ),
    (
        "release",
        "release",
        None,
        False,
        r"(?:our|the|my) (?:(?:new|first|redesigned)\s+)*(?P<about>(?:[\w-]+ )?(?:app|site|"
        r"website|web ?shop|shop|store|product|platform|beta|game|album|book|podcast|update|"
        r"release|api|portal|dashboard|feature|version|system|mobile app|firmware|menu|collection|course|"
        r"magazine|newsletter)) "
        + rf"{ADV}(?:(?:is|was|went|has gone|just|goes|launches|will go|is going|launched|ships|"
        rf"comes|came|shipped)\s*)+{ADV}(?:live|out|released|shipped|launched|on sale|public|"
        rf"to production)?(?=.*\b(?:live|launch\w*|release\w*|ship\w*|out)\b)",
    ),
    (
        "incident",
        "incident",
        "past",
        False,
        r"(?:(?:our|the|whole|entire|my)\s+)*(?P<about>(?:[\w-]+ )?(?:prod(?:uction)?|site|"
        r"website|server|servers|api|database|db|checkout|payments?|login|auth|cluster|network|"
        r"pipeline|app|backend|build|system|platform|web ?shop|vpn|mail server|till system|"
        r"booking system|ci))\s+(?:(?:was|were|went|is|has been|been|just)\s+)*"
        + rf"{ADV}(?:(?:completely|partially|totally)\s+)?(?:down|offline|unreachable|unavailable|"
        rf"crashed|fell over|died|hacked|out)\b(?! (?:to|for maintenance next|the (?:street|"
        rf"road)))",
    ),
    (
        "incident",
        "incident",
        "past",
        False,
        rf"(?:{WE}|there) (?:'ve |have |just )?(?:had|was|were having|suffered|saw) (?:an?|"
        rf"another|a (?:major|big|two-hour|\w+)) (?P<about>(?:[\w-]+ ){{0,2}}?)(?:outage|production "
        rf"incident|security incident|sev-?\d|data breach|breach|downtime|data loss|power cut|"
        rf"power outage|flood|fire|leak|recall)\b",
    ),
    (
        "incident",
        "broke",
        "past",
        True,
        r"(?:(?:our|the|my|one of the) )?(?P<about>(?:[\w-]+ ){0,2}(?:freezer|fridge|boiler|oven|cooker|till|printer|"
        r"generator|pump|server|router|van|lorry|tractor|combine|car|engine|heating|furnace|lift|elevator|dishwasher|"
        r"washing machine|compressor|press|kiln|cooler|chiller|mixer|forklift|conveyor|crane|machine|hard drive|disk|"
        r"alarm|roof|ceiling|wall|fence|dam|barn|cellar|basement|kitchen|shop|office|greenhouse)) "
        r"(?:(?:was|were|got|has been|just)\s+)?(?:died|packed (?:up|in)|gave out|gave up the ghost|conked out|flooded|"
        r"broke down|caught fire|burst|exploded|collapsed|blew up|burned down|burnt down|fell in|fell down|"
        r"seized up|blew)\b",
    ),
    (
        "incident",
        "mishap",
        "past",
        True,
        r"(?:our|the|my) (?P<about>(?:[\w-]+ ){0,2}[\w-]+) (?:(?:was|were|got|has been)\s+)?(?:flooded|"
        r"broke down|caught fire|burst|exploded|collapsed|blew up|hacked|burned down|burnt down)\b",
    ),
    (
        "release",
        "release",
        None,
        False,
        rf"{MAYBE_WE}\s*{ADV}(?:pushed|deployed|shipped|merged) (?P<about>v?\d+(?:\.\d+)+) to (?:prod|"
        rf"production|users|customers|the store)\b",
    ),
    (
        "incident",
        "incident",
        "past",
        False,
        rf"(?:the|our) (?P<about>(?:[\w-]+ ){{0,2}}(?:deploy(?:ment)?|migration|release|rollout|"
        rf"launch|backup|upgrade)) {ADV}(?:failed|went wrong|broke (?:prod|everything|the "
        rf"\w+)|was rolled back)\b",
    ),
    (
        "release",
        "release",
        "future",
        True,
        rf"{WE}(?:'re| are|'ll| will)?\s*{ADV}(?:go|going) live\b",
    ),
    # -- mishaps
    (
        "accident",
        "accident",
        "past",
        False,
        rf"{MAYBE_WE}\s*(?:'ve|have|was|were|got)?\s*{ADV}(?:(?:had|been in|was in|were in|got "
        rf"into|in) an? (?:\w+ )?(?P<about>(?:car |bike |bicycle |cycling |skiing |motorbike "
        rf"|climbing |work )?)(?:accident|crash)|crashed (?:my|the|our|his|her) (?P<about2>car|"
        rf"bike|van|motorbike|scooter|truck)|rear-ended|(?:broke|fractured|dislocated|sprained|"
        rf"tore) my (?P<about3>[\w ]{{3,20}}?))(?=$|\s+(?:on|in|at|last|yesterday|this|while|"
        rf"skiing|playing|when|falling|two|three|\d|a|ago|during|so|and)\b)",
    ),
    (
        "theft",
        "theft",
        "past",
        False,
        r"(?:(?:someone|somebody) (?:stole|broke into) the (?P<about3>[\w ]{2,20}?)(?= (?:on|last|yesterday|this|and))|"
        r"(?:someone |somebody |they )?(?:stole|nicked|broke into) (?:my|our) (?P<about>[\w "
        r"]{2,20}?)|(?:my|our) (?P<about2>[\w ]{2,20}?) (?:was|were|got|has been|have been|"
        r"just got) (?:stolen|broken into|burgled|robbed|pickpocketed|nicked))(?=$|\s)|(?:i|"
        r"we) (?:was|were|got|just got) (?:robbed|burgled|mugged|pickpocketed)\b",
    ),
)
