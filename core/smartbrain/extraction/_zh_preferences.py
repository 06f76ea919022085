"""Chinese rules for preferences: what is liked and disliked, how to answer from now on, what the user works with."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from smartbrain.extraction._zh_taste_idioms import idioms
from smartbrain.extraction._zh_taste_turns import turns
from smartbrain.extraction._zh_tastes import tastes
from smartbrain.extraction._zh_text import ZH, Clause, View
from smartbrain.extraction._zh_wishes import lasting, wishes
from smartbrain.extraction.hits import Hit


def find(view: View) -> list[Hit]:
    """The preferences of one sentence, those stopped by a guard included."""
    if not _may_prefer.search(view.text):
        return []
    hits: list[Hit] = []
    for_good = lasting.search(view.text) is not None
    for index, clause in view.unread():
        if not (for_good or _may_prefer.search(clause.text)):
            continue
        found = _first_of(tastes, turns, idioms, at=(view, index, clause))
        if not any(not hit.skipped for hit in found):
            told = list(wishes(view, index, clause)) if for_good or _may_order.search(clause.text) else []
            found = told or found
        hits += found
    return list(_settled(hits))


def _first_of(*ways: Callable[[View, int, Clause], Iterator[Hit]], at: tuple[View, int, Clause]) -> list[Hit]:
    """What the first way finds that keeps something; else what was stopped first."""
    stopped: list[Hit] = []
    for way in ways:
        found = list(way(*at))
        if any(not hit.skipped for hit in found):
            return found
        stopped = stopped or found
    return stopped


def _settled(hits: list[Hit]) -> Iterator[Hit]:
    """ "B, not A" in one slot is one preference: B."""
    liked = {hit.key for hit in hits if not hit.skipped and hit.value.get("polarity") == "like"}
    seen: set[str] = set()
    for hit in hits:
        if hit.skipped or hit.type != "preferences":
            yield hit
        elif (hit.value["polarity"] == "like" or hit.key not in liked) and hit.key not in seen:
            seen.add(hit.key)
            yield hit


@ZH.sifted
def _may_prefer() -> re.Pattern[str]:
    return re.compile(
        r"喜欢|[爱恨烦嫌腻怕]|讨厌|偏[好爱]|热衷|厌|反感|不了|不惯|习惯|宁[愿可]|愿意|上了|"
        r"入坑|沉迷|离不开|受够|中意|感兴趣|不感冒|兴趣|无感|着迷|上头|情有独钟|以后|今后|"
        r"往后|日后|从(?:现在|今|此)|每次|一律|默认|预设|永远|一直|始终|统一|平时|平常|向来|"
        r"[别关迷馋]|不[要用许准坐再吃喝能听看玩追逛碰沾得]|没碰|勿|少|免|请|就[好行]|"
        r"唔得|唔食|食唔|顶唔顺|消受|无能|敬谢|敬而|避之|退避|[咽吞]不|没[辙轍]|没有?爱|怵|憷|走开|饶了|劝退|达咩|死穴|噩梦|克星|胃口|口味|着走|没缘|无缘|真香|yyds|续命|停不下|"
        r"[听看闻见][见到着]?就|下不[去了]|能躲|能免|能不|不来|不自在|胃|当主力|主力|清一色|信|刷|党|甭|得我心|上瘾|八字|犯冲|难受|睡不着|活不|抵抗|浑身|永远的神|是我|能连?[逛站待坐炫]|闻|"
        r"回我|答我|跟我|教我|先[讲说给撂甩上报扔]|约我|找我|[听接看]不了|即可|[点些]$|[点些][,吧啊]|都|用|尽量|最好|[只认挑买选排存多调按全腔开]|电脑|手机|"
        r"系统|打我|安卓|党$|帮我|固定|当[,我]|放大|缩进|回答|说话|能吃|能喝|给我|优先"
    )


@ZH.sifted
def _may_order() -> re.Pattern[str]:
    """Without a word that makes it last, an order or a habit has one of these."""
    return re.compile(
        "[用别甭少勿认信刷党靠存走投迁按调改换设关开订买挑选坐帮请]|不要|不许|不准|回答|回复|回[消信话我]|"
        "说话|解释|[说讲写答]得?[^,]{0,4}[点些]|多[举给放打]|习惯|偏好|喜欢|就[行好可成]|"
        "即可|方便|优先|尽量|最好"
        "|一般|通常|只|主力|全程|清一色|吃灰|听不了|接不了|不接|约我|找我|回我|教我|跟我|手机|电脑|都|全|格式|语气|口吻|称呼|先|直接|人话|重点|麻烦|拜托|给我|统一|固定|显示"
    )
