"""Which sentences of a message are the user's own: fences, code, quoted mail, logs and pasted pages are left out.

Offsets stay those of the message's text, because what is hidden is blanked out and never cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from functools import cache

from smartbrain.extraction.hits import QUOTED, Sentence
from smartbrain.extraction.starts import searched
from smartbrain.model import Message
from smartbrain.text.fence import fenced_spans
from smartbrain.text.spans import Span, sentences

LONGEST = 1_000
"""Characters of the longest sentence that is still read as speech."""
_MOST = 200_000
_LONG = 2_000
# Nobody types twice as many; of a longer message both ends are read, so that the time stays bounded.
_AT_EACH_END, _SENTENCES = 5_000, 60
_FEW_WORDS = 4
# What a Chinese or Japanese keyboard gives for Latin letters and digits; full-width punctuation is punctuation.
_WIDE = {code: code - 0xFEE0 for code in (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B))}
_WIDE |= {0xFF07: 0x27, 0xFF0E: 0x2E, 0x3000: 0x20}
# Of the words of a long message at least one in so many is "I" or "my" when the user speaks.
_WORDS_PER_SELF = 80


def read(message: Message, said_at: datetime) -> list[Sentence]:
    """The sentences of a message that its author said, in order."""
    text = message.text[:_MOST]
    if not text.strip():
        return []
    shown = _without_material(text)
    spans = [span for span in sentences(shown) if span.end - span.start <= LONGEST]
    if len(text) > _LONG:
        spans = _around_a_paste(text, spans)
    if spans and spans[-1].end - spans[0].start > 2 * _AT_EACH_END:
        spans = [span for span in spans if span.end <= _AT_EACH_END or span.start >= len(text) - _AT_EACH_END]
    if len(spans) > 2 * _SENTENCES:
        spans = [*spans[:_SENTENCES], *spans[-_SENTENCES:]]
    cited = _cited(shown)
    found = []
    for at, (start, end) in enumerate(spans):
        said = text[start:end]
        found.append(
            Sentence(
                said,
                _unquoted(said) if not cited else _without(_unquoted(said), start, cited),
                start,
                end,
                message,
                said_at,
                text[slice(*spans[at - 1])] if at else "",
                text[slice(*spans[at + 1])] if at + 1 < len(spans) else "",
            )
        )
    return found


def _without_material(text: str) -> str:
    """The text with everything that is not speech replaced by line breaks, one for one."""
    shown = _hidden(text, fenced_spans(text))
    shown = _hidden(shown, (match.span() for match in _code().finditer(shown)))
    shown = _hidden(shown, (match.span() for match in _mail().finditer(shown)))
    lines = list(_dialogue().finditer(shown))
    if len(lines) > 2 and len({match["who"] for match in lines}) > 1:
        shown = _hidden(shown, (match.span() for match in lines))
    return _hidden(shown, (match.span() for match in _machine_line().finditer(shown)))


def _hidden(text: str, spans: Iterator[tuple[int, int]] | list[tuple[int, int]]) -> str:
    out, last = [], 0
    for start, end in spans:
        if start >= last:
            out += [text[last:start], "\n" * (end - start)]
            last = end
    return "".join([*out, text[last:]]) if out else text


def _around_a_paste(text: str, spans: list[Span]) -> list[Span]:
    """Of a long message in which hardly anybody says "I", only the paragraphs at both ends, when they are short."""
    words = len(text.split()) + len(re.findall("[\u3400-\u9fff]", text)) // 2
    if len(_self().findall(text)) * _WORDS_PER_SELF >= words:
        return spans
    blocks = [match.span() for match in _paragraph().finditer(text)]
    ends = [block for block in {blocks[0], blocks[-1]} if block[1] - block[0] < _LONG // 4] if len(blocks) > 1 else []
    return [span for span in spans if any(start <= span.start and span.end <= end for start, end in ends)]


def _unquoted(text: str) -> str:
    """The text as rules read it: full-width Latin letters and digits as plain ones, longer quotations blanked out.

    One to three words in quotes are the speaker's own choice.
    """
    if not text.isascii() and _wide().search(text):
        text = text.translate(_WIDE)
    if not _quote_mark().search(text):
        return text
    return _quotation().sub(_blank, text)


def _cited(text: str) -> list[tuple[int, int]]:
    """Where whole sentences stand in quotes, as a letter that is to be mended or a notice that was received.

    A message that is one quotation from end to end is its author's own way of writing.
    """
    if not _quote_mark().search(text):
        return []
    found = [match.span("said") for match in _citation().finditer(text)]
    if not found:
        return []
    words = _said()
    first, last = words.search(text), words.search(text[::-1])
    if first is None or last is None:
        return []
    begins, ends = first.start(), len(text) - last.start()
    return [
        (start, end)
        for start, end in found
        if (begins < start or end < ends) and _ends_sentence().search(text, start, end)
    ]


def _without(said: str, at: int, cited: list[tuple[int, int]]) -> str:
    """What a sentence that begins at ``at`` says outside of quotations over several sentences."""
    for span in cited:
        start, end = (min(max(place - at, 0), len(said)) for place in span)
        said = said[:start] + QUOTED * (end - start) + said[end:]
    return said


def _blank(match: re.Match[str]) -> str:
    inside = match[0][1:-1]
    if len(inside.split()) < _FEW_WORDS and len(re.findall("[\u3400-\u9fff]", inside)) < 2 * _FEW_WORDS:
        first_person = re.search(r"\b(?:I|I'm|my)\b|[我你]", inside)
        if not first_person:
            return match[0]
    return match[0][0] + QUOTED * len(inside) + match[0][-1]


@cache
def _code() -> re.Pattern[str]:
    return re.compile(r"^[ \t]*(?P<mark>```|~~~)[\s\S]*?(?:^[ \t]*(?P=mark)[ \t]*$|\Z)", re.MULTILINE)


@cache
def _mail() -> re.Pattern[str]:
    named = "From|Sent|To|Cc|Date|Subject|发件人|收件人|主题|主旨|日期|抄送"
    header = rf"^(?:From|Subject|发件人|主题|主旨)\s?[:：].*\n(?:(?:{named})\s?[:：].*(?:\n|\Z)){{1,8}}[\s\S]*"
    return re.compile(rf"^[ \t]*[>＞|│].*$|{header}", re.MULTILINE)


@cache
def _machine_line() -> re.Pattern[str]:
    return re.compile(
        r"^[ \t]*(?:\[?\d{4}-\d\d-\d\d[T ]\d|[{}\[\]<](?!https?:)|\$ |>>> |#!|at [\w.$]+\(|Traceback |File \""
        r"|Looking in indexes|Collecting |Requirement already|Downloading |npm (?:ERR|WARN)|error\[|warning: "
        r"|@@ |\+\+\+ |--- |(?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL)\b).*$",
        re.MULTILINE,
    )


@cache
def _dialogue() -> re.Pattern[str]:
    who = r"[A-Z][\w.-]{0,20}(?: [A-Z]\w{0,20})?|[\u4e00-\u9fff]{1,6}"
    return re.compile(rf"^[ \t]*(?P<who>{who})[:：][ \t]*\S.*$", re.MULTILINE)


@cache
def _self() -> re.Pattern[str]:
    return re.compile(r"\b(?:I|I'm|I've|i|im|my|My|me|we|our)\b|[我咱俺]")


@cache
def _paragraph() -> re.Pattern[str]:
    return re.compile(r"\S.*(?:\n(?![ \t]*\n).*)*")


@cache
def _wide() -> re.Pattern[str]:
    return re.compile(f"[{''.join(map(chr, _WIDE))}]")


@cache
def _quote_mark() -> re.Pattern[str]:
    return searched("[\"“”「『《‘`]|(?<![\\w'])'[A-Za-z]")


@cache
def _quotation() -> re.Pattern[str]:
    pairs = ('""', "“”", "「」", "『』", "《》", "``")
    inside = "|".join(f"{pair[0]}[^{pair[1]}]{{1,600}}{pair[1]}" for pair in pairs)
    # An apostrophe is no quote: one stands after a space, and its other one not before a letter.
    english = r"(?<![\w'])'(?=[A-Za-z])(?:[^'\n]|(?<=\w)'(?=\w)){15,600}'(?!\w)"
    return re.compile(rf"{inside}|‘[^’]{{8,600}}’(?!\w)|‘(?=[^’]*[\u3400-\u9fff])[^’]{{2,600}}’|{english}")


@cache
def _citation() -> re.Pattern[str]:
    # A plain mark opens behind a space, a colon or a bracket and closes before one, so that inches are none.
    plain = r'(?<![^\s:：,，(（])"[^\s"][^"]{1,4000}"(?![\w"])'
    # No mark stands inside its own pair, so that a line of nothing but marks is read in one go.
    pairs = "|".join(f"{pair[0]}[^{pair}]{{1,4000}}{pair[1]}" for pair in ("“”", "「」", "『』"))
    # An apostrophe inside a word ends nothing.
    single = r"(?<![^\s:：,，(（])'[A-Za-z](?:[^'\n]|(?<=\w)'(?=\w)){15,2000}'(?!\w)"
    return re.compile(f"(?P<said>{plain}|{single}|{pairs})")


@cache
def _ends_sentence() -> re.Pattern[str]:
    return re.compile(r"[。！？；\n]|[.!?…](?=\s)")


@cache
def _said() -> re.Pattern[str]:
    return re.compile(r"[^\W_]")
