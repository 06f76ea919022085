"""What English says somebody is or has: the patterns of "to be" and "to have", fact by fact."""

from __future__ import annotations

from typing import Final

from smartbrain.extraction import _en_words as words
from smartbrain.extraction._en_sieve import EN
from smartbrain.extraction.tables import Table

_BE_TABLE = (
    (
        "allergy",
        r"(?:(?:severely|very|really|badly|highly|deathly|slightly|mildly|super|quite|also|"
        r"a bit|seriously|terribly|incredibly|so|apparently)\s+)*allergic to (?P<v>[^.;!?]{2,60})",
    ),
    (
        "allergy",
        r"(?:(?:severely|very|really|badly|highly|slightly|mildly|also|a bit|seriously)\s+)*(?P<v>lactose|"
        r"gluten|fructose|histamine|dairy|egg|nut)[- ]intolerant",
    ),
    (
        "height",
        r"(?:about |around |almost )?(?P<v>\d(?:'|ft| foot| feet)\s?\d{0,2}(?:\"|''|in)?|(?:five|six|seven) "
        r"(?:foot|feet)(?: (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven))?|\d{3} ?cm|"
        r"1[.,]\d\d? ?m(?:et(?:er|re)s)?)(?: tall)?(?![\w'])",
    ),
    (
        "weight",
        r"(?:about |around |almost )?(?P<v>\d{2,3}(?:\.\d)? ?(?:kg|kilos|lbs?|pounds|stone))(?=$|[,.;!]| and\b| now\b)",
    ),
    (
        "siblings",
        r"(?:the |an? )?(?P<v>(?:youngest|oldest|eldest|middle(?: child)?|second|third) of (?:two|three|four|"
        r"five|six|seven"
        r"|eight|nine|ten|\d{1,2})|only child|(?:identical )?twin)(?=$|[,.;!]|\s+(?:and|so|but|kids|children|siblings|"
        r"brothers|sisters)\b)",
    ),
    (
        "age",
        rf"(?P<v>\d{{1,3}}|(?:{words.AGE_IN_WORDS})(?!\w|-(?!year)))(?:[- ]years?[- ](?:olds?|young)| yrs? old|"
        rf" y/?o\b)?",
    ),
    (
        "diet",
        rf"(?:(?:a|an|fully|strictly|strict|mostly|completely|100%|been|now|also|both|raised|"
        rf"going|gone)\s+)*(?P<v>{words.DIETS})s?(?=$|[,.;!?)]|\s+(?:and|so|since|for|but|now|"
        rf"because|these|at|in|too|by|as|myself|who|with|or|if|when|btw|lol|haha|tho|here|[^\w\s]|\d))",
    ),
    (
        "health",
        rf"(?:(?:also|now|a bit|slightly|profoundly|partially|severely|mildly|completely|a "
        rf"type (?:1|2|one|two)|type (?:1|2|one|"
        rf"two))\s+)*(?P<v>{words.HEALTH_ADJECTIVES})(?![\w-])(?!\s+(?:to|about|without|with (?:rage|"
        rf"excitement)|spot))",
    ),
    (
        "marital",
        r"(?:(?:happily|recently|newly|currently|now|still|a|been|long)\s+)*(?P<v>married|"
        r"single|divorced|widowed|separated|a widow|a widower|a divorcee)(?![\w-])(?! (?:handed|minded|"
        r"player|dad|mum|mom|mother|father|parent))",
    ),
    (
        "child",
        r"(?:an? )?(?:single |proud |working |stay-at-home |expectant )?(?:mother|mom|mum|"
        r"father|dad|parent|mama|papa) (?:of|to) (?P<v>(?:one|two|three|four|five|six|seven|"
        r"\d|a|twin)[\w' -]{0,30})",
    ),
    (
        "role",
        rf"(?:(?:also|now|currently|actually|just|still|working as|by trade|by profession|specifically|"
        rf"mainly)\s+)*(?:an?\s+|the\s+|our\s+|one of the\s+)?(?P<v>(?!not\b|no\b|going\b|looking\b|"
        rf"trying\b|like\b|such\b|better\b|my\b|your\b|his\b|her\b|in\b|at\b|on\b|with\b|seeing\b|"
        rf"meeting\b|waiting\b|married\b|dating\b|\w+ing (?:on|the|a|an|my|for|to|in|with)\b|"
        rf"from\b|about\b|worried\b)(?:[\w'/&.+#-]+\s+){{0,4}}?(?:{words.OCCUPATIONS})(?:\s+by "
        rf"(?:trade|training|profession))?)(?=$|[,.;!?)]|\s+(?:at|for|in|with|and|by|from|who|"
        rf"of|on|but|so|now|here|too|as|to|based|working|speciali|near|outside|up|down|with|"
        rf"over|living|myself|turned|these|since|because|not|nowadays|again|doing|[^\w\s])|\s*/)",
    ),
    (
        "role",
        r"(?:(?:now|also|currently|finally|fully|officially|happily|semi-)\s*)*(?P<v>retired|"
        r"self-employed|unemployed|semi-retired|freelance|between jobs)(?![\w-])",
    ),
    (
        "role",
        r"(?:the\s+|an?\s+)?(?P<v>(?:head|vp|vice president|director|chief|chair|dean|president|"
        r"captain|leader|lead|team lead|treasurer) (?:of|for) (?:the )?[\w&' -]{2,40}?)(?=\s+(?:at|"
        r"for|and|so|in|here)\b|$|,)",
    ),
    ("major", r"(?:(?:currently|now|double)\s+)*majoring in (?P<v>[\w&' -]{2,40})"),
    (
        "grade",
        r"(?:now |currently )?an? (?P<v>(?:high school |college )?(?:freshman|sophomore)|(?:high school |"
        r"college )(?:junior|senior)|"
        r"(?:junior|senior)(?= (?:at|in high|in college)))(?![\w-])",
    ),
    (
        "grade",
        r"(?:currently )?in (?P<v>(?:the )?(?:\d{1,2}(?:st|nd|rd|th)|first|second|third|fourth|"
        r"fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth) (?:grade|year(?: of (?:\w+ "
        r")?(?:school|college|university|uni|med school|law school))?)|year (?:\d{1,2}|one|two|three|four|five|"
        r"six|seven|"
        r"eight|nine|ten|eleven|twelve|thirteen)|kindergarten|reception|"
        r"(?:my |his |her )?(?:second|third|fourth|fifth|freshman|sophomore|junior|senior|"
        r"final|last) year(?: of [\w ]{3,24}?(?:school|college|university|uni|degree|phd|medicine|"
        r"law|nursing))?)(?! (?:here|at this|in this|as))",
    ),
    (
        "hometown",
        r"(?:(?:originally|actually|also)\s+)*from (?P<v>(?!the (?:generation|school|future|"
        r"same|old|team|company|office)|a (?:time|family|place|long)|here\b|there\b|now\b|"
        r"work\b)[\w'.-]+(?:,? [\w'.-]+){0,4})",
    ),
    (
        "home",
        r"(?:an? [\w-]+ )?(?:(?:currently|now|still|permanently|mostly)\s+)*(?:based|living|"
        r"settled|located|residing) (?:in|on|near|out of|outside|just outside) (?P<v>[\w'.-]+(?:,"
        r"? [\w'.-]+){0,5})",
    ),
    ("nationality", rf"(?:(?:originally|half|part|also|actually|an?)\s+)*(?P<v>{words.NATIONALITIES})(?![\w-])"),
    ("religion", rf"(?:(?:a|an|practising|practicing|devout|also|raised)\s+)*(?P<v>{words.RELIGIONS})(?![\w-])"),
    (
        "gender",
        r"(?:a )?(?P<v>(?:trans )?(?:male|female|woman|man|non-?binary|guy))(?=$|\s+(?:and|"
        r"in my|in her|in his|so|who)\b)",
    ),
    (
        "medication",
        rf"on (?P<v>\d+ ?mg (?:of )?[a-z]{{4,}}|(?:\d+ ?mg (?:of )?)?(?:{words.MEDICINES})"
        rf"(?:(?:,| and|, and) (?:{words.MEDICINES}))*)(?![\w-])",
    ),
    (
        "employer",
        r"(?:currently |now )?(?:working|employed) (?:at|for|by|with) (?P<v>(?!one\b|two\b|"
        r"over\b|about\b|almost\b|nearly\b|the moment|home|night|nights|a\b|an\b|my\b)[\w'.&-]+(?: "
        r"[\w'.&-]+){0,4})",
    ),
    ("name", r"(?P<v>[a-z][\w'-]{1,20}(?: [a-z][\w'-]{1,20})?)(?=$| and$| from\b| by the way\b)"),
)


BE_TABLE: Final = Table(EN, _BE_TABLE)


_NUMBER = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|\d{1,2}|a couple of|a few|several|twin)"
_HAVE_TABLE = (
    ("allergy", r"(?:an? )?(?:severe |bad |serious |mild |nasty )?allerg(?:y|ies) to (?P<v>[\w' ,-]{2,60})"),
    (
        "allergy",
        r"(?:an? )?(?:severe |bad |serious |mild |nasty )?(?P<v>(?:tree )?nuts?|peanut|shellfish|"
        r"pollen|dairy|milk|egg|wheat|gluten|soy|latex|penicillin|cat|dog|bee|wasp|fish|sesame|"
        r"dust(?: mite)?|lactose|mango|strawberry|kiwi) (?:allerg(?:y|ies)|intolerance)",
    ),
    (
        "health",
        rf"(?:(?:been )?(?:diagnosed with|suffering from)\s+)?(?:(?:really|very|some|mild|severe|"
        rf"bad|early|chronic|quite|terrible|slight|pretty|advanced)\s+)*(?P<v>{words.CONDITIONS})(?![\w-])(?! "
        rf"(?:about|attack|of (?:ideas|choice)))",
    ),
    (
        "child",
        rf"(?P<v>{_NUMBER} (?:(?:small|little|young|grown|grown-up|teenage|adult|beautiful|"
        rf"lovely|wonderful|older|school-age)\s+)*(?:kids?|children|boys|girls|sons?|daughters?|"
        rf"toddlers?|teenagers|twins|grandchildren|grandkids|ones))",
    ),
    (
        "child",
        r"(?P<v>twins|an? (?:(?:newborn|baby|little|teenage|new|\w+-(?:year|month|week)s?-old|"
        r"\d+ (?:year|month|week)s? old)\s+)*(?:son|daughter|baby|toddler|kid|boy|girl|newborn))(?![\w-])(?! "
        r"(?:of|in mind|brother|sister|dinosaur|goat))",
    ),
    (
        "siblings",
        rf"(?P<v>(?:{_NUMBER}|an?|no) (?:(?:older|younger|big|little|twin|half|elder|step)[ "
        rf"-])*(?:siblings?|brothers?|sisters?)(?: and (?:{_NUMBER}|an?) (?:(?:older|younger|"
        rf"big|little|twin|half) )*(?:brothers?|sisters?))?)",
    ),
    (
        "pet",
        rf"(?:{_NUMBER}|an?)(?: (?:old|big|small|little|lovely|rescue|new|black|white|ginger|"
        rf"grumpy|elderly|young|fluffy|tabby|\w+-year-old))* (?:{words.PETS})(?:,? (?:named|"
        rf"called|whose name is) )(?P<v>[\w'-]+(?:(?:,| and|, and) (?-i:[A-Z])[\w'-]+)*)",
    ),
    (
        "pet",
        rf"(?P<v>(?:{_NUMBER}|an?)(?: (?:old|big|small|little|lovely|rescue|new|black|white|"
        rf"ginger|grumpy|elderly|young|fluffy|tabby|\w+-year-old))* (?:{words.PETS}))(?![\w-])(?! "
        rf"(?:to (?:walk|feed)|food|person|bed|allergy|at the|in the (?:street|yard)))",
    ),
    (
        "education",
        r"(?:an? |my )?(?P<v>(?:(?:master'?s?|bachelor'?s?|ph\.?d|doctorate|mba|law|medical|"
        r"nursing|engineering|associate'?s?|history|english|honours)(?: degree)?|degree)(?: "
        r"(?:in|of|from) [\w' -]{2,40}?(?=$|[,.;!?]|\s+(?:from|at|and|so|but|with)\b))?)(?![\w-])",
    ),
    (
        "vehicle",
        r"(?:an? )(?:old |new |used |beat-up )?(?P<v>(?:toyota|honda|ford|tesla|bmw|vw|volkswagen|"
        r"volvo|audi|mazda|nissan|subaru|skoda|fiat|renault|peugeot|citroen|kia|hyundai|mercedes|"
        r"mini|seat|dacia|harley|vespa|land rover|jeep|chevy|chevrolet|suzuki|yamaha|ducati|"
        r"camper ?van|motorhome|motorbike|motorcycle)(?: [\w-]+)?)",
    ),
)


HAVE_TABLE: Final = Table(EN, _HAVE_TABLE)
