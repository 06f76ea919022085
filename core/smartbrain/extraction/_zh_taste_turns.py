"""Chinese tastes told without a verb of liking: what one never touches, and what one has turned against."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from smartbrain.extraction._zh_guards import stopped
from smartbrain.extraction._zh_people import USER, opening
from smartbrain.extraction._zh_text import ZH, Clause, View, fold_in_place, trimmed, unsaid
from smartbrain.extraction.hits import PLAIN, Hit, looked_like, preference
from smartbrain.extraction.keys import part


def turns(view: View, index: int, clause: Clause) -> Iterator[Hit]:
    """What a clause says is never touched, or was liked once and is not any more."""
    untouched = _untouched.match(clause.text)
    once = _once_liked.match(clause.text) if untouched is None else None
    match, rule = (untouched, "untouched") if untouched is not None else (once, "turned_against")
    if match is None or opening(view, index) not in (None, USER):
        return
    if once is not None and not any(_not_now.search(later.text) for later in view.clauses[index + 1 :]):
        return
    words = trimmed(view.words(clause, match))
    name = part(words)
    if unsaid(words) or not name or _no_thing().fullmatch(fold_in_place(words)):
        return
    reason = stopped(view, index, 0, len(clause.text), "preferences" if untouched is not None else "tastes")
    if reason:
        yield looked_like("preferences", rule, clause.span, reason)
        return
    yield preference(rule, clause.span, scope="other", name=name, value=words, polarity="dislike", confidence=PLAIN)


@ZH.sifted
def _untouched() -> re.Pattern[str]:
    return re.compile(
        r"(?:但是?|不过|可是?|反正|其实)?(?:一丁?点|半点|一口)?(?P<v>[^,我你他她的了]{1,8}?)(?:这东西|这玩意儿?)?(?:我|咱|俺)?(?:是|也|都|可)*"
        r"(?:(?:从来|从不|向来|一概|一律|绝对|死活|打死|压根|根本)(?:都|也)?(?:不[碰沾]|没碰过)|一[滴口点]都?不[沾碰]|沾不得|碰不得|"
        r"(?:死活|打死)不[吃喝]|从来不[吃喝去看买玩听进])(?:的|了|啊)*$"
    )


@ZH.sifted
def _once_liked() -> re.Pattern[str]:
    fond = "(?:也|可|是|还|都|超级?|最|特别|很|挺|巨|老|蛮)*(?:爱|喜欢|迷|馋)(?:吃|喝|看|听|玩)?"
    return re.compile(
        rf"(?:我)?(?P<v>[^,我你他她]{{1,8}}?)我?(?:以前|小时候|从前|早先|过去|年轻时){fond}(?:的|了|得不行)*$"
        rf"|我?(?:以前|小时候|从前|早先|过去|年轻时)我?{fond}(?P<w>[^,我你他她的了]{{1,8}}?)(?:的|了)*$"
    )


@ZH.sifted
def _not_now() -> re.Pattern[str]:
    return re.compile(
        r"(?:现在|如今|后来|这两年|最近)[^,]{0,6}(?:不(?:再)?(?:爱|喜欢|碰|吃|喝|看|玩|听|敢|想)|戒|腻|烦|反胃|想吐|受不了|没兴趣|无感|"
        r"闻到|看见|看到|听到)|戒了|(?:吃|喝|看|玩|听)(?:腻|伤|怕)了"
    )


@cache
def _no_thing() -> re.Pattern[str]:
    return re.compile(r"[这那它]+[个些种样]?|什么|谁|以前|现在|一点|一滴|其他|别的|他们?|人家|平时|有些?|东西|感情|爱")
