"""A Chinese sentence as the rules read it: folded character by character, and cut into clauses.

Folding keeps the length, so that a place in the folded text is the same place in the user's own words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, Final

from smartbrain.extraction.hits import QUOTED, Sentence
from smartbrain.extraction.literals import Sifter
from smartbrain.extraction.starts import searched
from smartbrain.text.folding import fold

ZH: Final = Sifter()
"""All patterns that are looked for in whole clauses and sentences."""
HAN = "\u3400-\u9fff"
_QUOTES = "\"'“”‘’「」『』《》〈〉()[]【】`~ \t\u3000*#-—–"
_TAIL = "了啊呀吧呢哦啦哈嘛噢喔嘞哟咯的~ "


class _Folding(dict[int, str]):
    """The folded twin of every character that has one of the same length."""

    def __missing__(self, code: int) -> str:
        folded = fold(chr(code))
        self[code] = twin = folded if len(folded) == 1 else chr(code)
        return twin


_FOLDING = _Folding()
_UNPUNCTUATED = 12
_SHORTEST_PIECE = 3


@lru_cache(maxsize=1 << 10)  # a sentence, its clauses and its values are each asked for several times
def fold_in_place(text: str) -> str:
    """``text`` folded, of the same length: characters whose folding is longer or empty stay."""
    return text.translate(_FOLDING)


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch between commas: folded ``text`` at ``start`` of the sentence, ``mark`` is what ended it."""

    text: str
    start: int
    mark: str = ""

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def span(self) -> tuple[int, int]:
        return self.start, self.end


@dataclass(slots=True)
class View:
    """One sentence, read once for all rules.

    ``memo`` keeps what several rules ask for, ``subjects`` of whom a clause speaks, at its beginning (by its place) and
    at a predicate. Clauses in ``read`` were looked at and only stand around the others.
    """

    sentence: Sentence
    text: str
    clauses: list[Clause]
    memo: dict[str, object] = field(default_factory=dict)
    subjects: dict[int | tuple[int, int, bool], Any] = field(default_factory=dict)
    read: frozenset[tuple[int, int]] = frozenset()

    def unread(self) -> list[tuple[int, Clause]]:
        """The clauses that rules still have to look at, each with its place."""
        every = list(enumerate(self.clauses))
        return [(index, clause) for index, clause in every if clause.span not in self.read] if self.read else every

    def said(self, start: int, end: int) -> str:
        """The user's own words at a place of the sentence, without quotes around them."""
        return self.sentence.text[start:end].strip(_QUOTES)

    def words(self, clause: Clause, match: re.Match[str]) -> str:
        """The user's own words of the value of a match in a clause (its group v, w, x, y or z), without particles."""
        groups = match.re.groupindex
        name = next((name for name in "vwxyz" if name in groups and match[name]), "")
        start, end = match.span(name) if name else (0, 0)
        if start and _halved_measure().match(clause.text, start - 1, end):
            start += 1
        return trimmed(self.said(clause.start + start, clause.start + end))


@cache
def _halved_measure() -> re.Pattern[str]:
    """那|个报表, 去了|趟西湖: a measure word whose first half stands before it. Not 家, 台, 张: names begin so."""
    return re.compile("(?:[这那][个份件篇项次]|[了过][个趟次份件])(?=[^,]{2})")


def view_of(sentence: Sentence) -> View:
    """The sentence folded and cut, once for all that ask."""
    view: View | None = sentence.memo.get("zh")
    if view is None:
        text = fold_in_place(sentence.plain)
        view = sentence.memo["zh"] = View(sentence, text, list(_clauses(text)))
        ZH.holds(text, [clause.text for clause in view.clauses])
    return view


def softly_cut(view: View, keep: frozenset[tuple[int, int]]) -> View | None:
    """The view with clauses that nobody punctuated cut where a new one seems to begin; None when there is none.

    Clauses in ``keep`` stay whole.
    """
    clauses: list[Clause] = []
    for clause in view.clauses:
        clauses += [clause] if clause.span in keep or len(clause.text) < _UNPUNCTUATED else _soft_pieces(clause)
    if len(clauses) == len(view.clauses):
        return None
    ZH.holds(view.text, [clause.text for clause in clauses])
    return View(view.sentence, view.text, clauses, read=frozenset(clause.span for clause in view.clauses))


def _soft_pieces(clause: Clause) -> list[Clause]:
    cuts = [0]
    for match in _soft_start().finditer(clause.text):
        left = clause.text[cuts[-1] : match.start()]
        if len(left) >= _SHORTEST_PIECE and not _goes_on().search(left):
            cuts.append(match.start())
    cuts.append(len(clause.text))
    pieces = []
    for start, end in pairwise(cuts):
        words = clause.text[start:end].rstrip()
        pieces.append(Clause(words, clause.start + start, clause.mark if end == len(clause.text) else ""))
    return pieces


def trimmed(words: str) -> str:
    """Words without quotes around them and particles behind them."""
    words = words.strip(_QUOTES)
    while words and words[-1] in _TAIL and not words.endswith(("目的", "的的")):
        words = words[:-1]
    return words.strip(_QUOTES)


def unsaid(words: str) -> bool:
    """Whether words hold a part of a quotation, or nothing at all."""
    return not words or QUOTED in words or not any(ch.isalnum() for ch in words)


@lru_cache(maxsize=64)  # the sentence behind it asks for the same once more
def _clauses(text: str) -> tuple[Clause, ...]:
    found: list[Clause] = []
    start = 0
    for match in _cut().finditer(text):
        _append(found, text, start, match.start(), match[0].strip()[:1])
        start = match.end()
    _append(found, text, start, len(text), "")
    return tuple(found)


def _append(found: list[Clause], text: str, start: int, end: int, mark: str) -> None:
    piece = text[start:end]
    words = piece.strip()
    if words:
        left = 0 if words == piece else len(piece) - len(piece.lstrip())
        found.append(Clause(words, start + left, mark))
    elif mark in "?!" and mark and found:
        last = found[-1]
        found[-1] = Clause(last.text, last.start, mark)


@cache
def _cut() -> re.Pattern[str]:
    # A space parts clauses only between Han: "login 页面" is one thing. "1,000" and "10:30" are whole.
    return re.compile(
        rf"(?<!\d)[,:]\s*|[,:](?!\d)\s*|[;。!?…]+\s*|[(（)）~]+|——+|--+|(?<=[{HAN}])\s+(?=[{HAN}])"
        r"|[\u2600-\u27bf\ufe0f\U0001f300-\U0001faff]+"
    )


@cache
def _soft_start() -> re.Pattern[str]:
    """Words with which a clause begins that no comma parts from the one before."""
    people = (
        "妈|爸|老婆|老公|媳妇|太太|先生|儿子|女儿|闺女|孩子|哥|姐|弟|妹|奶奶|爷爷|外婆|外公|"
        "姥姥|姥爷|对象|男朋友|女朋友|室友|同事|老板|家"
    )
    return searched(
        "因为|所以|但是|不过|可是|但(?=[我是])|然后|而且|另外|还有|毕竟|反正|主要是|结果|"
        "免得|省得|不然|否则|其他的?|别的|其实"
        f"|我(?!的|们)(?=[^,]{{2}})|我们|咱们?|(?<![我的])(?:{people})(?=[是在有对也都今叫会不住养])|"
        f"[他她](?=[是在有对也说叫])|大家|同事们?都"
        "|今年(?=[^,]{2})|现在|目前|(?<!了)(?:以后|今后)(?=[都别不一给请])|平时|平常|最近|"
        "每次|从来|一直|老家|住在?(?=[^,]{2})|家在|家住|老家"
        "|在(?=[^,]{1,10}(?:上班|工作|打工|做|当|读|念|住|干活))|是(?=做|开|学|教|卖)|做(?=[^,"
        "]{1,6}的)|养了?(?=[一两三只条])"
        "|(?<![没只还才就都也])有(?=[一两三四五个])|别(?=再|给|用|推|打|发|跟|老|写|太|那么|"
        "动)|不要|不用|不吃|不喝|不能|讨厌|受不了|最(?=喜欢|爱|讨厌|怕)|超爱|喜欢(?=吃|喝|"
        "看|听)"
        "|对(?=[^,]{1,8}过敏)|会(?=说|讲)|能不能|可不可以|可以(?=推荐|帮|给)|麻烦|请(?!假|"
        "客)|帮我|你(?=帮|给|看|说|能|可以|觉得|有)|给我(?=推荐|写|列)|吃素|信佛|属|怀孕|"
        "离婚|单身"
        "|就(?=这么定|用|叫|选|定在)|改用|换成|叫做?(?=[^,]{2,4}$)|卡在|等(?=[^,]{2,8}才)|"
        "还差|还没|怎么|什么|哪|有没有|要不要|该(?=怎|不)|推荐|明天|后天|下周|周[一二三四五六日](?=[^,"
        "]{2})"
    )


@cache
def _goes_on() -> re.Pattern[str]:
    """What a clause does not end with: the words behind it belong to it."""
    return re.compile(
        "(?:我|你|您|他|她|它|们|的|地|得|也|都|还|就|才|又|再|很|更|最|太|好|真|超|蛮|挺|"
        "不|没|别|一直|从来|比较|特别|非常|其实|因为|所以|但是?|不过|而且|如果|要是|跟|和|"
        "与|给|对|把|被|让|叫|在|从|到|是|有|会|能|要|想|请|以后|今后|平时|平常|"
        "现在|目前|最近|每次|每|这|那|哪|从|今年|喜欢|讨厌|爱|觉得|知道|听说|说|比起?|跟|"
        "为|只|用|只要|请|老家|家|人|一般|主要|常常|经常|已经|终于|总算|刚|马上|第|[0-9])$"
    )
