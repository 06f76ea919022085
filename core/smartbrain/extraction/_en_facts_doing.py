"""What English says somebody does, where it states a fact: "works at", "plays the", "doesn't eat"."""

from __future__ import annotations

from typing import Final

from smartbrain.extraction import _en_words as words
from smartbrain.extraction._en_sieve import EN
from smartbrain.extraction.tables import Table

_OFTEN = (
    r"(?:every|on (?:\w+ )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?|on weekends|at "
    r"weekends|at the weekend|once a|twice a|three times a|\w+ (?:days|times|nights|mornings|"
    r"evenings) a (?:week|month)|most (?:days|weekends|mornings|evenings|nights|sundays|"
    r"saturdays)|regularly|in my (?:spare|free) time|as a hobby|for fun|since (?:i was|"
    r"childhood|\d{4})|for (?:\w+ )?years|in (?:a|the|an) (?:\w+ )?(?:choir|band|orchestra|"
    r"league|club|team)|weekly|daily|semi-professionally|competitively|each)"
)
_ACT_TABLE = (
    (
        "gender",
        r"identif(?:y|ies) as (?:an? )?(?P<v>non-?binary|(?:trans )?(?:man|woman)|female|male|genderqueer|agender)",
    ),
    (
        "role",
        rf"(?:currently |now |still )*works? (?:at|for|in) (?:an?|the) (?:[\w'-]+ ){{1,5}}?as (?:an? |the )?"
        rf"(?P<v>(?:[\w-]+ ){{0,2}}?(?:{words.OCCUPATIONS}))(?![\w-])",
    ),
    (
        "role",
        r"(?P<v>drives? (?:an? |the )?(?:[\w-]+ )?(?:tram|bus|train|lorry|taxi|cab|ambulance|forklift|"
        r"crane)s?)(?! (?:to|home|every|into))",
    ),
    ("address", r"(?:lives?|living) at (?P<v>\d+[a-z]? (?-i:[A-Z])[\w'. -]{2,40})"),
    ("role", r"(?:have |'ve )?(?P<v>retired)(?= (?:in \d|from|last|after|at \d|two|three|\d+ years|early|this))"),
    (
        "hobby",
        r"(?:also |still )?plays? in (?:an? |the |our |my )(?P<v>(?:[\w-]+ ){0,3}(?:band|orchestra|quartet|"
        r"ensemble|league|team))(?![\w-])",
    ),
    (
        "team",
        r"(?:(?:have )?always |'ve always )?supports?(?:ed)? (?P<v>(?-i:[A-Z])\w+ (?-i:United|City|Rovers|"
        r"Town|Albion|Wanderers|Villa|"
        r"FC|Rangers|County|Athletic|Hotspur))(?![\w-])",
    ),
    (
        "home",
        r"(?:(?:'ve|have|has|'s|currently|now|still|both|all|actually|just|also|recently|only|"
        r"since)\s+)*(?:lives?|lived(?=.*\b(?:for|since)\b)|living|resides?|been living) (?:(?:alone|"
        r"together|full-time|permanently|happily|with \w+ \w+) )?(?:in|on(?= (?:(?-i:[A-Z])|(?:an?|the) |[\w' ]{3,30}"
        r"\b(?:street|road|avenue|lane|drive|hill|square|close|crescent|campus|terrace|island|isle)\b))|near|outside|"
        r"just "
        r"outside|out in|down in|up in|over in|at) (?P<v>(?!fear|hope|denial|dread|terror|chaos|squalor|style|luxury|"
        r"limbo|exile|sweats?\b|(?:[\w-]+ )?(?:hoodies|sweatpants|sweatshirts|leggings|jeans|pyjamas|pajamas|trainers|"
        r"sneakers|crocs|wellies|boots|sandals|shorts|joggers|scrubs|overalls|dungarees|t-?shirts|slippers|flip-?flops|"
        r"meetings|spreadsheets|airports|terminals?|pubs|bookshops|hotels|bed)\b|a (?:dream|bubble|"
        r"world|lie|flat|house|shared|small flat|studio|fantasy)|the (?:past|moment|now|future|"
        r"present|same)|my\b|his\b|her\b|their\b|an? \w+ (?:house|flat|apartment)|that\b|this\b|"
        r"harmony|peace|sin|constant|interesting|house|flat)[\w'.-]+(?:,? (?!because|so|but|"
        r"since|and|which|where|with|now|these|right|currently|for|at the moment|again|too|"
        r"though|if|when|while|who|that)[\w'.-]+){0,4})",
    ),
    (
        "home",
        r"(?:'ve|have) been in (?P<v>(?-i:[A-Z])[\w'.-]+(?: (?-i:[A-Z])[\w'.-]+){0,2})(?= (?:since|"
        r"for \w+ (?:years|months))\b)",
    ),
    (
        "home",
        r"(?:'ve |have |has |'s |just |recently |finally |both |all )*(?:moved|relocated)(?: "
        r"back| here| over)?(?: from [\w' ]{2,24}?)? (?:to|into (?:an?|our|my) (?:new |tiny |little |small |bigger )?"
        r"(?:place|flat|house|apartment|room|studio|home|cottage|bungalow) (?:in|near)) "
        r"(?P<v>[\w'.-]+(?:,? (?!because|so|"
        r"but|since|and|which|where|with|now|these|last|this|for|from|in|on|a|an|after|to)[\w'.-]+){0,3})",
    ),
    (
        "hometown",
        r"(?:(?:was|were|'s)\s+)?(?:born and raised in|born and bred in|grew up in|raised "
        r"in|born in(?! \d)|comes? from|hails? from|am from) (?P<v>[\w'.-]+(?:,? (?!because|"
        r"so|but|and|which|where|with|in|on|at|during|surrounded|when|as|then)[\w'.-]+){0,4})",
    ),
    (
        "birthday",
        r"(?:was|were) born (?:on|in) (?P<v>[\w' ,]{0,24}\d{1,4}(?:st|nd|rd|th)?(?: of [a-z]+)?(?:,"
        r"? \d{4})?)",
    ),
    (
        "age",
        r"(?:'s |has |have |just |'ve just |will be |finally )*(?:turned|"
        r"turns?(?= \d+ today)) (?P<v>\d{1,3}|" + words.AGE_IN_WORDS + r")(?![\w%-]|"
        r"\s+(?:pages|minutes|km))",
    ),
    (
        "employer",
        r"(?:(?:currently|now|still|both|actually|just|also|'ve|have|has|been|part-time|full-time)\s+)*(?:works?|"
        r"working|worked(?=.*\b(?:for|since)\b.*\byears\b)) (?:(?:part-time|full-time|nights|"
        r"remotely|days|shifts|mostly nights) )?(?:as (?:an? |the )?(?P<role>[\w' /-]{2,40}?) "
        r")?(?:at|for|with) (?P<v>(?!the (?:moment|weekend|same)|home\b|night|nights|a\b|an\b|"
        r"my\b|myself\b|free\b|hours|me\b|us\b|years|it\b|you\b|them\b|him\b|her\b|\d|people\b|"
        r"kids\b|children\b|clients\b|patients\b|students\b|and\b|this\b|that\b|food\b|weeks\b|"
        r"months\b|two\b|three\b|wood\b|clay\b|animals\b)(?:the )?[\w'.&-]+(?: (?!and|as|so|"
        r"but|in|on|which|where|because|since|now|for|these|full|part|who|too|with|doing|from|"
        r"until|at)[\w'.&-]+){0,4})",
    ),
    (
        "employer",
        r"(?:(?:'ve|have|has|'s) been|'m|am|is|'s) (?:with|at) (?:the )?(?P<v>(?!the (?:moment|"
        r"same)|home\b|work\b|my\b|a\b|an\b|you\b|her\b|him\b|them\b|it\b)[\w'.&-]+(?: (?!and|"
        r"as|so|but|for|since|now|today|tonight|on|at|until)[\w'.&-]+){0,3})(?= as an? | fire "
        r")(?P<role>$^)?",
    ),
    (
        "employer",
        r"(?:'ve |have |just |recently )*(?:joined|started (?:work(?:ing)? )?at) (?P<v>(?!the "
        r"(?:gym|club)|a\b|my\b|us\b|in\b)(?:the )?[\w'.&-]+(?: (?!last|in|on|this|as|and|"
        r"so|but|two|three|a|for|today|yesterday|about)[\w'.&-]+){0,3})(?P<role>$^)?",
    ),
    (
        "role",
        rf"(?:(?:currently|now|still|also|mostly|mainly|have|'ve|has|been|retrained|trained)\s+)*(?:works?|"
        rf"working|worked|freelances?|earn (?:my|a) living|retrained|volunteers?) as (?:an?\s+|"
        rf"the\s+)?(?P<v>(?:[\w'/&.-]+\s+){{0,4}}?(?:{words.OCCUPATIONS}|[a-z]+(?:er|or|ist|"
        rf"ian|ant|man|woman)))(?![\w-])",
    ),
    ("role", r"(?!do\b|does\b|what\b|have\b)(?P<v>[a-z][\w' -]{3,40}?) for a living"),
    ("role", r"(?:do|does) (?P<v>[\w' -]{3,40}?) for a living"),
    ("role", rf"(?:currently |now |still |mostly |also )*works? in (?P<v>{words.FIELDS})(?![\w-])"),
    (
        "role",
        r"(?:currently |now |still |mostly |also )*(?:runs?|owns?|manages?) (?P<v>(?:an? |"
        r"the |my (?:own )?|our |his |her )(?:(?:small|little|family|own|tiny|busy|local|independent)\s+)*(?:[\w-]"
        r"+ )?(?:bakery|shop|store|restaurant|caf[eé]|bar|pub|farm|salon|studio|bookshop|bookstore|"
        r"agency|clinic|practice|garage|hotel|hostel|b&b|guesthouse|nursery|dairy|vineyard|"
        r"brewery|company|business|startup|gallery|food truck|butcher's|pharmacy|gym|orchard|"
        r"workshop))(?![\w-])",
    ),
    (
        "role",
        r"(?:currently |now |still |mostly |also )*(?P<v>teach(?:es)? (?!me\b|you\b|him\b|"
        r"her\b|them\b|myself\b|us\b|my\b|your\b|a\b|people\b|how\b)[\w' -]{3,30}?)(?=\s+(?:at|"
        r"to|in|part|for|and|so)\b|$)",
    ),
    (
        "major",
        r"(?:currently |now |also )*(?:study|studied|studies|studying|am studying|'m studying|"
        r"'s studying|is studying|majored in|majors? in) (?!for\b|hard\b|all\b|at\b|in\b|a "
        r"lot\b|to\b|with\b|until\b|every\b|by\b|late\b|too\b|the\b|this\b|these\b|people\b|it\b|that\b|"
        r"how\b|what\b)(?P<v>[\w&' "
        r"-]{3,40}?)(?=\s+(?P<where>at|in)\s+(?P<school>[\w'. -]{2,40})|$|,|\s+(?:and|but|"
        r"so|because|now|these|part-time|full-time)\b)",
    ),
    (
        "school",
        r"(?:currently |now |'m |am |'s |is )*(?:goes? to|go to|attends?|attending|enrolled "
        r"at|study at|studying at|studies at|a student at|in school at) (?P<v>(?!the (?:gym|"
        r"doctor|dentist|shop|store|beach|park|pub|church|cinema|office|same)|work\b|bed\b|"
        r"church\b|school\b|sleep\b|town\b|hell\b|great\b|a\b|an\b|my\b|see\b|therapy\b|night\b|"
        r"home\b|[\w-]+ (?:classes|class|lessons|meetings|sessions|conferences)\b)(?:the )?[\w'.&-]+(?: "
        r"(?!and|so|but|in|on|which|where|because|since|now|for|every|with|to|this|as|when|"
        r"at)[\w'.&-]+){0,4})",
    ),
    (
        "languages",
        rf"(?:(?:also|only|mostly|fluently|still|both|'m|am|can|natively|mainly|actually|just|"
        rf"barely|now|grew up|fluent in|learned to)\s+)*(?:speaks?|speaking|fluent in|native "
        rf"in|bilingual in) (?:(?:fluent|some|a bit of|a little|native|good|basic|decent|conversational|"
        rf"broken|rusty|both|passable|only|okay|ok)\s+)*(?P<v>(?:{words.LANGUAGES})(?:(?:,|"
        rf",? and|,? but| or|,? plus| &|,? as well as)?(?: at (?:home|work|school) and)?(?: (?:also|a bit of|"
        rf"some|a little|basic|"
        rf"rusty|fluent|decent|only|broken|conversational|passable|bits of|good))* (?:{words.LANGUAGES}))*)(?![\w-]"
        rf")",
    ),
    (
        "medication",
        rf"(?:(?:currently|also|already|have to|now|do|just)\s+)*(?:takes?|taking|take|on|prescribed|"
        rf"started(?: on| taking)?) (?P<v>(?:\d+ ?mg (?:of )?)?(?:{words.MEDICINES})(?:(?:,| and|, and) "
        rf"(?:{words.MEDICINES}))*)(?![\w-])",
    ),
    (
        "hobby",
        rf"(?:(?:also|still|sometimes|usually|do|'ve been|have been|been|has been)\s+)*(?:plays?|"
        rf"playing) (?:(?:the|a bit of|some|amateur|club|competitive|local|a lot of|five-a-side)\s+)*"
        rf"(?P<v>(?:{words.INSTRUMENTS}"
        rf"|{words.SPORTS_AND_GAMES}))(?![\w-])(?!\s+(?:today|tonight|tomorrow|this|with (?:him|"
        rf"her)|later|last))",
    ),
    (
        "hobby",
        rf"(?:(?:also|usually|'ve been|have been|been|still|always)\s+)*(?:go(?:es)?|do|does|"
        rf"doing|going|practi[cs]es?|attends?|take|takes) (?P<v>(?:\w+ )?(?!anything|everything|"
        rf"nothing|something|going|doing|being|working|shopping|having|getting|sleeping|walking "
        rf"around|the dishes|the laundry)(?:[a-z]+ing|yoga|pilates|crossfit|karate|judo|taekwondo|"
        rf"aikido|tai chi|ballet|salsa|tango|parkour|ceramics|pottery|embroidery|calligraphy|"
        rf"origami|aerobics|zumba|dance|capoeira|martial arts|太极))(?: \w+){{0,3}}? {_OFTEN}\b",
    ),
    (
        "hobby",
        rf"(?P<v>(?:sings?|swims?|runs?|bakes?|knits?|paints?|draws?|climbs?|fish(?:es)?|sails?|"
        rf"rows?|cycles?|garden(?:s)?|surfs?|skis?|skates?|dances?|hikes?|writes? (?:poetry|"
        rf"poems|fiction)|collects? [\w -]{{3,30}}?|brews? (?:\w+ )?(?:beer|cider|kombucha)|"
        rf"keeps? (?:bees|chickens)|builds? [\w -]{{3,30}}?|boulders?|"
        rf"volunteers?(?: at [\w' -]{{3,30}}?| in [\w' -]{{3,30}}?)?))(?: \w+){{0,3}}? {_OFTEN}\b",
    ),
    (
        "hobby",
        rf"(?P<v>(?:restores?|coach(?:es)?|repairs?|refurbish(?:es)?) (?!my|the|his|her|him|them|it|you)[\w "
        rf"-]{{3,30}}?) {_OFTEN}\b",
    ),
    (
        "hobby",
        r"(?P<v>collects? (?!my|the|data|her|his|him|you|it|money|information)[\w -]{3,30}|"
        r"keeps? bees)(?=$|,|\s+(?:and|as|since)\b)",
    ),
    (
        "diet",
        r"(?:(?:really|also|just|still|personally)\s+)*(?P<v>(?:don't|do not|doesn't|does not|dont|"
        r"never|no longer|can't|cannot|won't) (?:(?:really|ever)\s+)*(?:eat|touch|have)(?: "
        r"any(?:thing with)?)? (?:meat|pork|beef|red meat|fish|seafood|shellfish|dairy|"
        r"gluten|eggs?|sugar|carbs|wheat|lamb|animal products|bread|lactose|poultry|chicken|"
        r"nuts))(?![\w-])",
    ),
    (
        "diet",
        r"(?:(?:really|also|just|still|personally)\s+)*(?P<v>(?:don't|do not|doesn't|does not|dont|"
        r"never|no longer) drink(?: any)? ?(?:alcohol|caffeine|booze|milk|coffee))(?![\w-])",
    ),
    (
        "diet",
        r"(?:(?:really|also|just|still|personally)\s+)*(?P<v>(?:don't|do not|doesn't|does "
        r"not|dont|never) drink)(?:$|\s+(?:at all|any ?more|myself|either|so))",
    ),
    (
        "diet",
        r"(?:(?:only|mostly|strictly|also)\s+)*(?:eats?|keeps?|follows?|am on|'m on|is on|"
        r"stick to|went|gone|go) (?:an? |the )?(?:(?:strict|mostly|only|fully)\s+)*(?P<v>"
        + words.DIETS
        + r"|mediterranean|fodmap)(?: diet| food)?(?![\w-])",
    ),
    (
        "diet",
        r"(?:'ve |have |has )?(?P<v>(?:stopped|quit|gave up|given up|cut out) (?:(?:eating|drinking|"
        r"all)\s+)*(?:meat|pork|beef|red meat|fish|seafood|dairy|gluten|eggs?|sugar|carbs|"
        r"alcohol|booze|caffeine))(?![\w-])",
    ),
    (
        "vehicle",
        r"(?:(?:currently|now|still|mostly)\s+)*(?:drives?|rides?|own) (?:an? |my |the )(?:old "
        r"|new |used |little |beat-up )*(?P<v>(?!(?:[\w-]+ )?(?:tram|bus|train|lorry|taxi|cab|forklift|"
        r"ambulance|crane)\b|lot\b|car\b|bike to\b|hard\b|few\b|"
        r"tractor all\b|taxi\b|truck for\b|house\b|forklift|truck\b|lorry|tractor|train\b|"
        r"tram\b|van for|motor\b|home\b|dog\b|cat\b|flat\b|small\b|business\b|shop\b)[\w-]+(?: "
        r"(?!to|in|on|at|for|and|because|so|from|every|that|which|with|around|the)[\w-]+){0,2})",
    ),
    (
        "weight",
        r"(?:currently |now |about |only )*weighs? (?:about |around |in at )?(?P<v>\d{2,3}(?:\.\d)? "
        r"?(?:kg|kilos|kilograms|lbs?|pounds|stone))",
    ),
    ("height", r"(?:stands?|measures?) (?P<v>\d(?:'|ft| foot| feet)\s?\d{0,2}(?:\"|''|in)?|\d{3} ?cm|1[.,]\d\d? ?m)"),
    (
        "size",
        r"(?:usually |normally |always )*(?:wears?|takes?) (?:an? )?(?P<v>(?:eu |uk |us )?(?:size "
        r")?(?:\d{1,2}(?:\.5)?|x{0,3}[sml]|extra (?:small|large)|small|medium|large)(?: (?:shoes?|"
        r"shirts?|dress(?:es)?|jeans|trousers|boots|in (?:shoes|shirts|dresses|jeans)))?)(?=$|"
        r",|\.|\s+(?:and|so)\b)",
    ),
    ("nickname", r"(?:go|goes) by (?P<v>[\w'-]{2,20})(?=$|,|\s+(?:and|but|not|at|instead|these))"),
    (
        "education",
        r"(?:'m |am |is |'s |currently |still |finishing |just )*(?:doing|finishing|pursuing|"
        r"working on|starting) (?:an? |my |his |her )(?P<v>(?:master'?s?|bachelor'?s?|ph\.?d|"
        r"doctorate|mba|degree|apprenticeship)(?: (?:in|of|as) [\w' -]{2,40}?)?)(?=$|,|\s+(?:at|"
        r"from|and|so|in \d)\b)",
    ),
    (
        "education",
        r"(?:'ve |have |has |just )*(?:got|earned|did|completed|graduated with|hold|holds) "
        r"(?:an? |my |his |her )?(?P<v>(?:master'?s?|bachelor'?s?|ph\.?d|doctorate|mba|degree)(?: "
        r"(?:in|of) [\w' -]{2,40}?)?)(?=$|,|\s+(?:at|from|and|in \d)\b)",
    ),
    (
        "marital",
        r"(?:'re |are |got |'ve been |have been )(?:happily |both |now |recently |finally "
        r")*(?P<v>divorced|married for [\w ]{2,20})",
    ),
)


ACT_TABLE: Final = Table(EN, _ACT_TABLE)
