"""Words that say how something is meant, in both languages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, partial
from typing import Final

from smartbrain.extraction._zh_text import ZH
from smartbrain.extraction.literals import Source, places
from smartbrain.extraction.starts import searched


class Signs:
    """Patterns by name, two for each: one for texts in ASCII, one for texts without Latin letters.

    Most texts are of one script, and a pattern of one is far quicker than one of both; a text of both scripts is
    looked through for either.
    """

    def __init__(self, patterns: Mapping[str, tuple[str, str]], first: int | None = None) -> None:
        """``first``: the place of the patterns without Latin letters in the sieve of Chinese, if they are in it."""
        self._latin, self._others, self._both = (
            [(name, searched("|".join(two[scripts])).search) for name, two in patterns.items()]
            for scripts in (slice(1), slice(1, 2), slice(2))
        )
        self._letter = re.compile("[a-z]").search
        self._first = first
        self._every = (1 << len(self._others)) - 1

    def found_in(self, text: str) -> list[str]:
        """The names of the patterns that stand in a text in lower case."""
        if text.isascii():
            searches = self._latin
        elif self._letter(text):
            searches = self._both
        elif self._first is None:
            searches = self._others
        else:
            searches = [self._others[at] for at in places(ZH.mask(text) >> self._first & self._every)]
        return [name for name, search in searches if search(text)]


@cache
def meant() -> Signs:
    """Signs of how a folded clause is meant."""
    return Signs(_MEANT, _FIRST)


@cache
def talk() -> Signs:
    """Signs of what a message is for. In lower case: without regard to case they would take twice as long."""
    return Signs(_TALK)


_MEANT: Final = {
    "me": (r"\b(?:i|my|me|i'm|i've|we|our|im|ive)\b", "[我俺咱]|本人"),
    "you": (r"\b(?:you|your)\b", "[你您]"),
    "them": (r"\b(?:he|she|they|his|her|their|him|them)\b", "[他她]"),
    "asking": (
        r"^(?:what|which|who|why|how|where|when|do|does|did|is|are|can|could|should|would|will)\b|\?",
        r"吗|呢|\?|什么|怎么|哪|谁|几点|多少",
    ),
    "if": (r"\b(?:if|unless|suppose|imagine|whether)\b", "如果|要是|假如|假设|万一|除非"),
    "maybe": (
        r"\b(?:maybe|perhaps|might|could|would|wish|probably|considering|thinking)\b",
        "可能|也许|说不定|考虑|好像|大概|差点",
    ),
    "was": (r"\b(?:used to|once|ago|was|were|had)\b", "以前|曾经|当年|小时候|过$"),
    "not": (r"\b(?:not|no|never|don't|doesn't|can't|won't|isn't|without|stop)\b", "不|没|别|无|勿|讨厌"),
    "always": (
        r"\b(?:always|never|every time|from now on|by default|whenever|ever|any more|as a rule)\b",
        "以后|往后|今后|从此|每次|一律|一直|永远|凡是|固定|默认|都",
    ),
    "now": (r"\b(?:now|today|tonight|just|currently|right now)\b", "现在|今天|刚才|这次|目前"),
    "said": (r"\b(?:said|says|told|asked|thinks|wants|heard)\b", "说|听说|觉得|告诉|让我"),
}
_FIRST: Final = ZH.enter([partial(Source, others) for _, others in _MEANT.values()])

_TALK: Final = {
    "question": (r"\?", "[?？]"),
    "quotes": (r"\"|(?<!\w)'", "[\"“”‘’「」『』《》]|(?<!\\w)'"),
    "colon": (":", "[:：]"),
    "laughs": (r"\b(?:lol|lmao|haha\w*|jk|kidding)\b", "😂|🤣|🙃|🙄|哈哈|笑死|呵呵|开玩笑|開玩笑|才怪"),
    "exclaims": ("!", "[!！]"),
    "order": (
        r"(?:^|[.,;!?]\s*)(?:please |can you |could you |pls )?(?:write|translate|rewrite|fix|correct|polish|"
        r"summari[sz]e|explain|give|list|make|draft|help|tell|show|compare|check|generate|continue|complete|fill|"
        r"describe|find|suggest)\b",
        "帮我|幫我|请|請|麻烦|给我|給我|翻译|翻譯|改写|润色|续写|写一|写个|写篇|写段|写首|寫首",
    ),
    "fiction": (
        r"\b(?:story|poem|lyrics?|song|novel|character|role-?play|pretend|dialogue|script|essay|scene|"
        r"imagine|plot|chapter|sonnet|dream|film|movie|game|exercise|grammar|sentences?|phrases?|example|quote|translate|"
        r"reads?|spell|means?)\b",
        "作文|小说|小說|角色|台词|歌词|歌詞|剧本|劇本|扮演|造句|例句|翻译|翻譯|句子|故事|诗|梦|夢|"
        "设定|設定|对话|比喻|俗话|成语|英文|怎么说|怎麼說|语法|文案|标题|標題",
    ),
    "others": (r"\b(?:he|she|they|his|her|their)\b", "他|她|佢|人家|别人|別人|同事|朋友|客户|老板"),
    "doubt": (
        r"\b(?:maybe|perhaps|might|if|would|could|wish|almost|nearly|used to|supposed)\b",
        "如果|要是|可能|也许|说不定|差点|假如|本来|本來|原来|原來|以前|曾经",
    ),
    "me": (r"\b(?:i|i'm|im|my|we|our)\b", "我|俺|咱|本人"),
    "you": (r"\byou\b", "[你您]"),
    "list": (
        r"\b(?:to-?do|list|remind(?:er)?|note to self|forget|still to|left to)\b",
        "待办|清单|要办|提醒|别忘|记得",
    ),
    "but": (r"\bbut\b", "不过|但是|可是|结果|結果"),
}
