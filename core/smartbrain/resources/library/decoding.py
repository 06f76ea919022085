"""The characters of a file's bytes: by its byte order mark, as UTF-8, as Chinese, or not at all."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

from smartbrain.errors import InputError
from smartbrain.resources.library.values import LABEL_ENCODING

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE = 64 << 10
_FEW_BROKEN = 0.01
_LEGACY = re.compile("[\u4e00-\u9fff]")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Decoded(NamedTuple):
    """The text with line ends as ``\\n``, and labels."""

    text: str
    labels: tuple[str, ...] = ()


def decode(data: bytes) -> Decoded:
    """The text of a file. Raises InputError for what is no text: binary data, or an encoding that cannot be told.

    Without a byte order mark it is UTF-8, else GB 18030 if most of what that gives is Han, else UTF-8 with up to 1 % of
    broken characters (labelled), else Windows-1252 if it holds no control character.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _marked(data[len(mark) :], encoding)
    if b"\x00" in data[:_SAMPLE]:
        raise InputError("it is binary, not text")
    try:
        return Decoded(clean(data.decode()))
    except UnicodeDecodeError:
        return _guessed(data)


def clean(text: str) -> str:
    """The text with one kind of line end, and without NULs and halves of characters, which no store can keep."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\x00" in text:
        text = text.replace("\x00", "\ufffd")
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def _marked(data: bytes, encoding: str) -> Decoded:
    text = data.decode(encoding, "replace")
    broken = text.count("\ufffd")
    if broken > _FEW_BROKEN * len(text) + 1:
        raise InputError(f"its byte order mark says {encoding}, and its bytes are none")
    return Decoded(clean(text), (LABEL_ENCODING,) if broken else ())


def _guessed(data: bytes) -> Decoded:
    chinese = _as_chinese(data)
    if chinese is not None:
        return Decoded(clean(chinese))
    text = data.decode("utf-8", "replace")
    if text.count("\ufffd") <= _FEW_BROKEN * len(text) + 1:
        return Decoded(clean(text), (LABEL_ENCODING,))
    western = data.decode("cp1252", "replace")
    if "\ufffd" in western or _CONTROL.search(western):
        raise InputError("its encoding cannot be told (neither UTF-8 nor GB 18030 nor Windows-1252); save it as UTF-8")
    return Decoded(clean(western))


def _as_chinese(data: bytes) -> str | None:
    """The text by GB 18030, if what is not ASCII in it is mostly common Han characters."""
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError:
        return None
    foreign = [char for char in text[:_SAMPLE] if char > "\x7f"]
    han = sum(
        1 for char in foreign if _LEGACY.match(char) or "\u3000" <= char <= "\u303f" or "\uff00" <= char <= "\uffef"
    )
    # Western text read so gives rare characters in pairs with letters; real Chinese holds its commonest ones.
    common = sum(char in _COMMON for char in foreign)
    return text if foreign and han >= 0.9 * len(foreign) and common >= 0.05 * len(foreign) else None


_COMMON = frozenset(
    "的一是不了在人有我他这中大来上个国到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万市眼体别处总才场师书比住员九笑性通目华报立马命张活难神数件安表原车白应路期叫死常提感金何更反合放做系计或司利受光王果亲界及今京务制解各任至清物台象记边共风战干接它许八特觉望直服毛林题建南度统色字请交爱让认算论百吃义科怎元社术结六功指思非流每青管夫连远资队跟带花快条院变联言权往展该领传近留红治决周保达办运武半候七必城父强步完革深区即求品士转量空甚众技轻程告江语英基派满式李息写呢识极令黄德收脸钱党倒未持取设始版双历越史商千片容研像找友孩站广改议形委早房音火际则首单据导影失拿网香似斯专石若兵弟谁校读志飞观争究包组造落视济喜离虽坏兴切"
)
