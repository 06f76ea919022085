"""Messages that only acknowledge, greet or thank: found beside what matters, they tell a model nothing."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Final

_LONGEST: Final = 60
"""No longer message is looked at: so much courtesy says something besides."""

_ENGLISH: Final = (
    "ok(?:ay|ie)?|kk?|al+right|all right|sure(?: thing)?|of course|certainly|absolutely|right|great|cool|nice|perfect|"
    "awesome|wonderful|excellent|fantastic|fine|noted|understood|got (?:it|that|you)|gotcha|will do|done|"
    "sounds (?:good|great)|i see|makes sense|"
    "(?:many |ok )?(?:thanks|thank you|thx|ty|cheers)(?: again| a lot| so much| very much| a bunch)?|"
    "you'?re (?:very |most )?welcome|(?:no|not a) (?:problem|worries)|my pleasure|any ?time|(?:glad|happy) to help|"
    "(?:ha){2,}h?|lo+l|wow|o+h|a+h|h+m+|hi(?: there)?|hello(?: there)?|hey(?: there)?|bye(?: bye)?|goodbye|see you|"
    "good (?:morning|afternoon|evening|night)|take care|have a (?:nice|good|great) (?:day|evening|weekend)"
)
_CHINESE: Final = (
    "好(?:的|呀|啊|哒|嘞|吧|滴|啦)*|行(?:吧|啊|的)?|可以的?|没问题|沒問題|没事|嗯+(?:好的?)?|哦+|噢+|啊+|收到|"
    "明白(?:了)?|知道了|懂了|了解(?:了)?|瞭解(?:了)?|记(?:住|下)(?:了|来了)?|記(?:住|下)(?:了|來了)?|已(?:记录|記錄)|当然|當然|"
    "(?:非常|十分|太)?(?:谢谢|謝謝|多谢|多謝|感谢|感謝)(?:你|您|啦|了|哈|哦)*|不客气|不客氣|不用谢|不用謝|"
    "哈{2,}|嘿{2,}|呵{2,}|辛苦(?:了|啦)?|你好(?:呀|啊)?|您好|早(?:上好|安)?|晚(?:上好|安)|再见|再見|拜拜"
)


def only_acknowledges(text: str) -> bool:
    """Whether a text holds acknowledgements, greetings and thanks and nothing else ("ok, got it!", 好的，收到).

    False for an empty text, for "yes", "no" and 是的, which answer, and for a text of more than 60 characters.
    """
    if len(text) > _LONGEST:
        return False
    words = " ".join(_WORD.findall(unicodedata.normalize("NFKC", text)))
    return _courtesy().fullmatch(words.casefold().replace("’", "'")) is not None


_WORD: Final = re.compile(r"(?:[^\W_]|['’])+")
"""Letters and numbers of any script (categories L and N), and apostrophes."""


@cache
def _courtesy() -> re.Pattern[str]:
    # Atomic: 啊啊啊… can be cut in as many ways as there are subsets.
    return re.compile(rf"(?>(?:{_ENGLISH}|{_CHINESE})(?: |$|(?=[\u3400-\u9fff])|(?<=[\u3400-\u9fff])))++")
