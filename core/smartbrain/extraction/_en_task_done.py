"""The words of English tasks that are done or blocked, and of what is no work."""

from __future__ import annotations

import re
from functools import cache

from smartbrain.extraction._en_sieve import EN
from smartbrain.extraction._en_verbs import done_forms

# To have bought or written something says little about a task.
_EVERYDAY = frozenset(
    ("bought", "set", "built", "wrote", "written", "tested", "updated", "reviewed", "drafted", "ordered", "done")
)


@EN.sifted
def is_done() -> re.Pattern[str]:
    verbs = done_forms()
    return re.compile(
        rf"(?P<thing>(?!(?:i|you|he|she|it|they|that|that's|this|what|which|who|there|everything|"
        rf"all|nothing|someone|dinner|lunch|breakfast|food|game|when|if|once|how|as|we|more|"
        rf"work|job|damage|love|life)\b)[\w'’&/.+ -]{{2,60}}?)(?:'s(?: been)?|\s+(?:is|are|was|were|got|has "
        rf"been|have been|went))\s+(?:(?:finally|now|all|already|officially|basically|just|"
        rf"both|fully)\s+)*(?:done|finished|complete|completed|ready to go|in the bag|off my "
        rf"(?:plate|desk|list)|out the door|sorted|(?:(?<=report )|(?<=application is )|(?<=report "
        rf"is )|(?<=report's )|(?<=claim is )|(?<=paper is )|(?<=essay is )|(?<=order is )|"
        rf"(?<=application's ))in(?=$|[,!.])|out(?=$|[,!.]| (?:this|today|yesterday|last)\b)|gone out|sent "
        rf"out|{verbs})(?![\w-])(?!\s+(?:by|"
        rf"in \d{{4}}|with|for (?!good)|because|when|to (?!the (?:client|printer|publisher|"
        rf"bank|council|landlord))|at (?!last)))",
        re.IGNORECASE,
    )


@EN.sifted
def has_done() -> re.Pattern[str]:
    verbs = "|".join(
        sorted((form for form in done_forms().split("|") if form.split()[0] not in _EVERYDAY), key=len, reverse=True)
    )
    lead = r"(?:(?:i|we)\s*(?:'ve|have|did)?\s*|just |finally |all |)"
    return re.compile(
        rf"{lead}(?:(?:just|finally|now|already|also|both|actually)\s+)*(?:(?:finished|completed|"
        rf"wrapped up|submitted|handed in|turned in|shipped|delivered|ticked off|crossed off|"
        rf"knocked out|sent off|sent out)|(?:(?<='ve )|(?<=have )|(?<=finally )|(?<=just )|"
        rf"(?<=already ))(?:{verbs})|(?:am |are |'m |'re )?(?:all )?done with)\s+(?:(?:off|"
        rf"up)\s+)?(?P<thing>(?:[a-z]+ing (?=the |my |our |all ))?(?!(?:over|out|off|up|back)\b)(?:the|"
        rf"my|our|those|all the|all my|(?-i:[A-Z]))[^;]{{1,70}})",
        re.IGNORECASE,
    )


@EN.sifted
def just_done() -> re.Pattern[str]:
    """ "visa application submitted", "I paid the electricity bill": short, and of things that are got done."""
    things = (
        "bills?|rent|fees?|invoices?|deposit|fine|tax(?:es)?|application|form|forms|report|"
        "contract|proposal|manuscript|draft|returns?|flights?|hotel|venue|tickets|registration|"
        "claim|order|paperwork|documents|insurance|passport|visa|subscription|license|licence|"
        "appointment"
    )
    return re.compile(
        rf"(?:i|we)\s+(?:finally |just |already )*(?:paid|sent|booked|renewed|filed|posted|"
        rf"mailed|ordered|returned|signed|updated|reviewed|fixed|published|deployed|merged)(?: "
        rf"off| out| in)? (?P<thing>(?:the|my|our|that) (?:[\w'-]+ ){{0,3}}(?:{things}))(?![\w-])"
        r"|(?:just |finally )?(?:booked|submitted|filed|renewed|paid) "
        r"(?P<thing3>(?:the|my|our) [\w'-]+(?: [\w'-]+){0,3} ?)$"
        r"|(?P<thing2>(?:(?:the|my|our) )?(?:[\w'-]+ ){0,3}[\w'-]+) (?:submitted|sent|paid|"
        r"booked|renewed|filed|finished|fixed|shipped|delivered|deployed|published|handed "
        r"in|signed|completed|done)(?:[!.\s]|at last|✅|🎉)*$",
        re.IGNORECASE,
    )


@cache
def and_so_on() -> re.Pattern[str]:
    """Where another thing that was done begins: "my dissertation and slept"."""
    return re.compile(
        r"\s+and\s+(?=(?:\w{2,}ed|slept|went|got|had|then|now|it|i|we|am|feel|felt|fell|took|made|sent|paid|left)\b)",
        re.IGNORECASE,
    )


@cache
def short_is() -> re.Pattern[str]:
    """ "The contract's (signed)": a verb cut short, no owner."""
    return re.compile("['’]s$")


@cache
def out() -> re.Pattern[str]:
    return re.compile(r"(?<!sent )(?<!gone )(?<!print )(?<!printed )(?<!cleaned )(?<!sorted )\bout$", re.IGNORECASE)


@cache
def sent_out() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:invoices?|invitations?|invites|newsletters?|letters?|reports?|contracts?|parcels?|orders?|"
        r"payslips|cards|"
        r"emails?|applications?|proposals?|quotes?|bills?|reminders|press release|issue)$",
        re.IGNORECASE,
    )


@EN.sifted
def not_done_yet() -> re.Pattern[str]:
    return re.compile(
        rf"(?:(?:i|we) )?(?:still )?(?:haven't|have not|havent) (?:{done_forms()}) "
        rf"(?P<thing>(?:the|my|our) [\w' -]{{2,50}}?) yet\b|"
        rf"(?:(?:i|we) )?(?:still )?(?:haven't|have not|havent) (?:{done_forms()}) "
        rf"(?P<thing2>(?:the|my|our) [\w' -]{{2,50}}?)(?: yet)?$",
        re.IGNORECASE,
    )


@EN.sifted
def got_done() -> re.Pattern[str]:
    return re.compile(
        r"(?:i|we)?\s*(?:'ve |have |finally |just )*(?:got|ticked|crossed|checked) (?P<thing>(?:the|"
        r"my|our|that) [^;]{2,50}?) (?:done|finished|sorted|in(?=$|[,.!])|out of the way|off (?:the|my) "
        r"list|off|sent|submitted|shipped)\b",
        re.IGNORECASE,
    )


@EN.sifted
def stuck_on() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:i|we)\s*(?:'m|'re|am|are)?\s*)?(?:(?:still|completely|totally|really|kind "
        r"of|now|currently|a bit)\s+)*(?:stuck (?:on|with)|blocked on|held up (?:on|with)|"
        r"stalled on|hit a wall (?:on|with)|at a standstill (?:on|with))\s+"
        r"(?!(?:the |this )?(?:\w+ )?(?:question|problem|exercise|level|clue|puzzle|riddle|step|page|chapter) "
        r"?(?:\d|$))"
        r"(?P<thing>[^;]{2,60})",
        re.IGNORECASE,
    )


@EN.sifted
def held_up() -> re.Pattern[str]:
    return re.compile(
        r"(?P<thing>(?!(?:i|you|he|she|they|it|that|this|we|who|what|everything|traffic|(?:the "
        r"|my |our )?(?:nose|road|roads|street|drain|sink|toilet|door|window|pipe|car|lift|"
        r"elevator|zip|zipper|key|drawer|gate|chimney|gutter|entrance|view|path|account|card|"
        r"number))\b)[\w'’&/.+ -]{2,60}?)(?:'s|\s+(?:is|are))\s+(?:(?:still|currently|now|"
        r"completely|totally)\s+)*(?:(?:blocked|stuck|held up)\s+(?:by|on|until|till|because|"
        r"for|at|behind|pending|with)\b.*|(?:on hold|stalled)(?:\s.*|$)|waiting (?:on|for)\s.*)"
        r"|(?:(?:i|we)\s*(?:'m|'re|am|are)\s+)?(?:still )?waiting (?:for|on) .{2,50}? (?:before|"
        r"so that|until) (?:i|we) can (?:start|continue|finish|go on with|ship|do|begin|send|"
        r"submit|publish|book|deploy|release|launch|order|file|close|sign|pay|fix)\s*(?:on |with )?(?P<thing2>[\w' "
        r"-]{2,40})"
        r"|(?:(?:i|we) )?(?:can't|cant|cannot|couldn't|can not) (?:start(?: on)?|continue|finish|get on with|"
        r"go on with|ship|"
        r"do|begin|send|submit|publish|book|deploy|release|launch|order|proceed with|move "
        r"forward with|file|sign off|finalise|finalize|hand in|renew|deliver|complete)\s+(?P<thing3>[\w' "
        r"-]{2,40}?) (?:until|till|because|before|without)\b"
        r"|(?:i|we)(?:'ve| have| had to)? put (?P<thing5>(?:the|my|our) [\w' -]{2,40}?) on hold\b"
        r"|(?P<thing4>(?:the|my|our) (?:[\w-]+ ){0,2}(?:application|claim|permit|visa|project|report|order|approval|"
        r"paperwork|transfer|negotiations|delivery|migration)) (?:is|are) (?:still )?(?:stuck|blocked)$",
        re.IGNORECASE,
    )


@cache
def no_work() -> re.Pattern[str]:
    things = (
        r"dinner|lunch|breakfast|coffee|tea|drink|meal|food|pasta|rice|chicken|bread|soup|potatoes|eggs?|"
        r"cookies|turkey|"
        r"dishwasher|washing machine|power|electricity|lights?|fire|candles?|heating|internet|wifi|sun|moon|"
        r"tide|dryer|oven|kettle|song|dishes|laundry|washing|housework|ironing|vacuuming|steak|stew|sauce|"
        r"dough|roast|pie|noodles|curry|"
        r"movie|film|season|show|episode|"
        r"series|game|race|match|work|school|shift|day|week|workout|run|walk|marathon|bottle|"
        r"pizza|cake|glass|cigarette|first|second|half|book|novel|chapter|level|puzzle|year|"
        r"degree|it|things|stuff|myself|me|us|him|her|them|that|this|these|those|what|how|"
        r"being|getting|my (?:health|fitness|patience|anger|mental|self|confidence|relationship|"
        r"communication|tan|abs|skills|issues)|something|everything|their|his|her|its|some|"
        r"another|notice\b|deal\b|weekend|night|summer|holidays?|party|wait\b|fight|conversation|"
        r"discussion|lesson|semester|term\b|pregnancy|trip\b|journey|flight|podcast|article|"
        r"crossword|climb|hike|ride\b|drive\b|a (?:lot|bit|few|new|way)|traffic|a train|repeat|"
        r"you|people|the (?:phone|moon|same|road|train|bus|island|couch|sofa|toilet)|stuff|"
        r"part|bit|batch|step|section|quota|kuota|ex\b|man\b|men\b|dating|drama|winter|job\b|"
        r"place\b|city|relationship|situation|weather|whole|plane|motorway|highway|ferry|platform|"
        r"runway|bridge|roof\b(?= (?:of|with))|ring road|tram|call\b|hold|drain|sink|toilet|"
        r"data|storage|money|battery|one|set|round|site|hold|improving|becoming|learning|finding|"
        r"riddle|word|clue|song|download|upload|update|printer|ice cream|crisps|pudding|dessert|snack|"
        r"trying|developing|creating|keeping|loving|living|(?:meetings?|lectures?|class|exam)(?! \w)"
    )
    return re.compile(
        rf"(?:(?:the|my|our|a|an|all)\s+)?(?:last\s+|first\s+|final\s+|"
        rf"whole\s+)?(?:{things})(?![\w-])(?!\s+(?:bill|invoice|contract|repo"
        rf"rt|plan|proposal|review|manuscript|edits|application|paper|project|essay|schedule|"
        rf"menu|program|script|slides|budget|website|page|design))",
        re.IGNORECASE,
    )


@cache
def used_up() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:quota|kuota|battery|money|milk|data|food|bread|coffee|patience|time|fuel|gas)$|"
        r"\b(?:degree|course|module|videos?|books?|chapters?|season|puzzle|level|run|race|"
        r"walk|hike|workout|class|classes|training|session|studies)\b",
        re.IGNORECASE,
    )


@cache
def has_verb() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:i|you|he|she|we|they|it|that|is|are|was|were|be|been|get|gets|got|getting|have|"
        r"has|had|need|needs|want|not|well|when|if|to|once|how|with|after|before|as|almost|"
        r"half|all|what|who|glad|sounds|looks|seems|feels|hope|think|guess|just|so|good|nice|"
        r"well|here|there|another|please|like|finally|everything|than)\b",
        re.IGNORECASE,
    )


@EN.sifted
def not_yet() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:not|never|n't|almost|nearly|yet|half|far from|when|once|until|if|will be|should "
        r"be|must be|needs to be|has to be|have to be|to be|about to|well done|over and)\b",
        re.IGNORECASE,
    )
