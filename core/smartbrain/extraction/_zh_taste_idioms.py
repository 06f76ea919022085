"""Chinese tastes told by idiom: 真香, 百听不厌, 下不去嘴, 跟…八字不合, 一天不喝…浑身难受."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from smartbrain.extraction._zh_guards import stopped
from smartbrain.extraction._zh_people import NOBODY, USER, Who, opening, relation_words
from smartbrain.extraction._zh_text import ZH, Clause, View, fold_in_place, trimmed, unsaid
from smartbrain.extraction.hits import PLAIN, Hit, fact, looked_like, preference
from smartbrain.extraction.keys import part

_LONGEST: Final = 12
_SINCE: Final = (
    r"(?>但是?|不过|可是?|反正|其实|而且|另外|还有|对了|现在|如今|(?:化疗|放疗|手术|生完?孩子|坐完?月子|"
    r"怀孕|生病|吃伤|出院)(?:以后|之后|后)|一闻(?:见|到)|一听(?:见|到)|一看(?:见|到)|一[丁]?点|半点|一口)*"
)
_BEFORE: Final = rf"{_SINCE}(?:自[打从][^,]{{1,10}}{_SINCE})?"
_DEGREE: Final = (
    r"(?>我|俺|咱|是|也|都|可|真心|真的?|就|还|又|实在|完全|根本|从小|天生|一直|现在|如今|居然|竟然|打心眼里|确实|始终|"
    r"怎么都|怎么也|最近|到现在|永远|向来|特别|超|好)*"
)
_THING: Final = (
    r"(?P<v>(?![对跟和比])[^,我你您他她它这那的了是不没]{1,10}?(?:的[^,我你您他她它这那的了是不没]{1,5})?)"
    r"(?:这(?:东西|玩意儿?|味儿?|口)|那(?:玩意儿?|味儿?|口|股味儿?|个味道|种味道))?"
)
_NOT: Final = (
    r"真(?:的)?(?:恨|烦|受不了|讨厌)|完全唔得|唔食得|食唔落|顶唔顺|无福消受|接受无能|敬谢不敏|敬而远之|避之不及|退避三舍|(?:下不去|下不了)(?:嘴|口)|[咽吞]不下去?|没辙|没轍|"
    r"[没沒]有?(?:爱|好感|兴趣|胃口)(?!的)|(?:拜托)?走开|饶了我(?:吧)?|劝退|达咩|是我(?:的)?(?:死穴|雷区?|噩梦|天敌|克星|软肋|底线)|"
    r"(?:不对|不合|不是)我(?:的)?(?:胃口|口味|菜)|(?:吃|喝|看|听|玩|用|住|穿|闻)不来|浑身不自在|(?:能躲就躲|能免则免|能不[^,]{1,2}就不[^,]{1,2})|"
    r"(?:一)?(?:闻|看|听|见|想|碰)(?:见|到|着|了)?就(?:恶心|想吐|反胃|头[晕疼大]|来火|烦|怕|躲|难受|跑|犯恶心|起鸡皮疙瘩)|"
    r"(?:一[点口丁滴]?点?)?都?(?:不想|不能|没法)(?:碰|沾|见|闻|看见)|(?:绕着|躲着)走|跟我(?:没|无)缘分?|[吃喝坐住用看]怕了|(?:打|发|犯)[怵憷]|(?:打死|"
    r"死)(?:我)?(?:也|都)?[吃喝咽碰看]?不下?去?"
)
_FOND: Final = (
    r"真(?:的)?(?:爱|喜欢)|(?:真香|YYDS|yyds|永远的神|续命)|(?:百|怎么)(?:[听看吃喝玩]|都|也)?不(?:厌|腻)|(?:吃|喝|看|听|玩|逛)不(?:够|腻|厌)|"
    r"是我(?:的)?(?:命根?子?|心头好|最爱|快乐水|快乐源泉|本命|精神支柱|续命水|白月光|心头肉|爱豆|偶像|解药|充电站)|"
    r"(?:根本|完全)?停不下来|最得我心|(?:太)?对我(?:的)?(?:胃口|口味|味儿?)|(?:我)?能(?:连)?(?:吃|喝|看|逛|听|站|待|玩|坐|炫|聊|干)(?:上)?(?:一(?:整)?"
    r"(?:天|下午|晚上|宿|早上|上午|盆|锅|斤)|三[天碗大]碗?|半天|好几碗)|(?:吃|喝|看|听|玩|逛|跑|打)?上瘾|百[听看吃]不厌|(?:真|太)上头|(?:一周|一天|一礼拜|隔三差五|三天两头|"
    r"顿顿)(?:都|要|得|就|必|来|吃|喝)*[一两三几]?[顿回次碗杯]?(?:才行|不够)?"
)
_TAIL: Final = r"(?:了|啊|呀|哈|呢|吧|的|啦|喽|喔|欸|～|~)*$"


def idioms(view: View, index: int, clause: Clause) -> Iterator[Hit]:
    """What one is fond of or cannot stand, said without a verb of liking."""
    if not _may_be_told.search(clause.text):
        return
    for rule, pattern, polarity in (
        ("idiom_with", _with, "dislike"),
        ("idiom_not_without", _not_without, "like"),
        ("idiom_against", _against, "dislike"),
        ("idiom_for", _in_favour, "like"),
    ):
        match = pattern.match(clause.text)
        if match is None:
            continue
        words = trimmed(view.words(clause, match))
        lead = _lead().match(fold_in_place(words))
        words = words[lead.end() :] if lead else words
        who = opening(view, index)
        if who == NOBODY or not _names_a_thing(words):
            continue
        reason = stopped(view, index, 0, match.end(), "tastes")
        if reason:
            yield looked_like("preferences", rule, clause.span, reason)
            return
        yield _told(rule, clause, words, polarity, who)
        return


def _told(rule: str, clause: Clause, words: str, polarity: str, who: Who | None) -> Hit:
    if who is not None and who != USER:
        return fact(rule, clause.span, k=f"{polarity}s", v=words, subject=who.key)
    against = polarity == "dislike"
    return preference(
        rule,
        clause.span,
        scope="other",
        name=part(words),
        value=words,
        polarity="dislike" if against else "like",
        confidence=PLAIN,
    )


def _names_a_thing(words: str) -> bool:
    folded = fold_in_place(words)
    return (
        not unsaid(words) and 1 <= len(words) <= _LONGEST and bool(part(words)) and _no_thing().search(folded) is None
    )


@ZH.sifted
def _may_be_told() -> re.Pattern[str]:
    return re.compile(
        "真的?[恨烦受讨爱喜]|唔[得食落顺]|消受|无能|敬|避之|退避|下不[去了]|[咽吞]不|[没沒][辙轍]|[没沒]有?[爱好兴胃]|走开|饶了|劝退|达咩|死穴|雷|噩梦|天敌|克星|软肋|底线|"
        "[打发犯][怵憷]|怕了|胃口|口味|我的?菜|不来|不自在|能躲|能免|能不|就[恶想反头来烦怕躲难跑犯起]|一周|一礼拜|隔三差五|三天两头|顿顿|不[想能]|没法|着走|缘|吃怕|打死|真香|yyds|"
        "永远的神|续命|不[厌腻够]|"
        "是我的?[命心最快本精续白爱偶解充]|停不下|得我心|对我|能连?[吃喝看逛听站待玩坐炫聊干]|上瘾|上头|八字|犯冲|不对付|浑身|不行|睡不着|活不|抵抗|没兴趣"
    )


@ZH.sifted
def _against() -> re.Pattern[str]:
    return re.compile(rf"{_whose()}{_BEFORE}{_THING}{_DEGREE}(?:{_NOT}){_TAIL}")


@ZH.sifted
def _in_favour() -> re.Pattern[str]:
    return re.compile(rf"{_whose()}{_BEFORE}{_THING}{_DEGREE}(?:{_FOND}){_TAIL}")


@ZH.sifted
def _with() -> re.Pattern[str]:
    """对香菜完全没辙, 跟海鲜八字不合."""
    return re.compile(
        rf"{_whose()}{_DEGREE}(?:(?:跟|和|与){_THING}{_DEGREE}(?:八字不合|犯冲|气场不合|不对付|没缘分?|无缘)"
        rf"|对(?P<w>[^,我你您他她它这那]{{1,12}}?){_DEGREE}(?:没辙|敬谢不敏|敬而远之|无感|过不去|没什么好感|[没沒]有?(?:爱|好感|胃口)|提不起(?:劲|兴趣)|"
        rf"有阴影|爱不起来)"
        rf"|一?(?:看|闻|听|见|碰|尝)[到见着了](?P<x>[^,我你您他她它这那]{{1,8}}?)就(?:反胃|恶心|想吐|头[疼大晕]|来火|犯恶心|起鸡皮疙瘩)){_TAIL}"
    )


@ZH.sifted
def _not_without() -> re.Pattern[str]:
    """一天不喝普洱浑身难受, 没辣椒吃不下饭, 对老物件没有抵抗力."""
    bad = (
        "(?:浑身|就|心里|嘴里|我|都|也|会|全身)*(?:难受|不舒服|不自在|痒|没劲|没味|睡不着|"
        "活不(?:了|下去)|不行|咽不下|吃不下|下不了饭|不得劲|发慌|没精神|不香|打不起精神)"
    )
    return re.compile(
        rf"{_whose()}{_DEGREE}(?:(?:一[天日顿会]|几天|两天|三天)(?:儿)?不(?:吃|喝|听|看|玩|逛|打|跑|练|摸|碰|抽)(?:点|口|上|"
        rf"两口)?(?P<v>[^,我你您他她它]{{1,8}}?){bad}(?:[^,]{{0,3}})"
        rf"|(?:没了?|没有|离了?|少了)(?P<w>[^,我你您他她它]{{1,8}}?)(?:这|我)*(?:饭|日子|一天)?(?:就|都|可|也|根本)?(?:咽不下去?|吃不下饭?|活不(?:了|"
        rf"下去)|睡不着|过不下去)(?:饭)?"
        rf"|对(?P<x>[^,我你您他她它]{{1,8}}?)(?:完全|真的?|一点都?|根本|就是)*(?:没有?|毫?无)(?:任何)?抵抗力){_TAIL}"
    )


@cache
def _whose() -> str:
    return rf"(?:(?:我们?|咱们?|俺)?(?:家)?的?(?:{relation_words()})|我|俺|咱|本人)?"


@cache
def _lead() -> re.Pattern[str]:
    return re.compile("(?:吃|喝|看见|闻见|听见|看|听|玩|逛)(?=.{2})(?!书|戏)")


@cache
def _no_thing() -> re.Pattern[str]:
    return re.compile(
        r"^(?:闻|看|听|见|碰|吃|喝|想|摸)[见到着了]?$|什么|怎么|谁|哪|[这那它你他她我您]|^(?:现在|今天|昨天|昨晚|刚才|最近|时间|事情?|东西|感觉|心情|价格|工资|钱|话|人|别人|"
        r"大家|人家|孩子|生活|日子|"
        r"老板|领导|客户|公司|工作|压力|身体|脑子|手|腿|眼睛|说|想|做|去|来|走|有|能|还|都|就|也|一|门|电梯|电脑|手机|车|路|网)$|"
        r"^(?:今天|昨天|昨晚|刚才|刚刚|突然|实在|已经|可能|应该|如果|要是)|们$|浑身|全身|代码|程序|接口|这题|那题|作业$|一直|有点"
    )
