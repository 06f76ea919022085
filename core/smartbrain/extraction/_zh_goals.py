"""Chinese rules for goals: aims with a horizon, and aims that last by their nature."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from smartbrain.extraction._zh_guards import stopped
from smartbrain.extraction._zh_people import USER, subject
from smartbrain.extraction._zh_text import ZH, Clause, View, fold_in_place, unsaid
from smartbrain.extraction._zh_times import TIME
from smartbrain.extraction.hits import FIRM, PLAIN, Hit, goal, looked_like
from smartbrain.extraction.keys import part

_N: Final = "[0-9一二三四五六七八九十两半]"
_HORIZON: Final = (
    rf"(?:今年(?:底|年底|之内|内|里|下半年|上半年)?|明年(?:底|初|之前|年底)?|年底(?:之前|"
    rf"以前|前)?|年前|{_N}{{1,3}}年(?:之内|以内|内|里)|{_N}{{1,3}}个月(?:之内|以内|内|里)|"
    rf"半年(?:之内|内|里)|{_N}{{1,3}}岁(?:之前|以前|前|生日前)|毕业(?:之前|以前|前)|{_N}{{1,"
    rf"2}}月份?底?(?:之前|以前|前)|"
    rf"上半年|下半年|(?:这|下)个?学期(?:末|内)?|暑假(?:之前|前|里)?|寒假(?:前|里)?|这辈子|"
    rf"有生之年|春节(?:之)?前|过年前|国庆前|退休前|婚礼前|{_N}{{1,2}}月(?:之)?前|夏天(?:之)?前|"
    rf"(?:生|出生|结婚)前|明年{_N}{{1,2}}月)"
)
_LASTING: Final = (
    rf"把[^,]{{1,6}}(?:降|减|提高|提|练|控制)到|学会|考上|考过|考取|考下|考到|考出|考个|"
    rf"考(?:研|公|编|博|级|证|驾照|雅思|托福|cpa|注会|法考|司法|教资|教师资格证|一建|二建|"
    rf"公务员|研究生|n[1-3]|专八|六级|四级)|戒(?:烟|酒|糖|奶茶|掉|咖啡|游戏|网)|减(?:肥|"
    rf"重|到|掉|{_N})|瘦(?:到|下|{_N}|回)|攒(?:钱|够|下|到|出|首付|{_N})|存(?:钱|够|下|"
    rf"到|首付|{_N})|"
    rf"练(?:出|到|成|好)|学好|学(?=[^,]{{0,4}}(?:语|文|琴|吉他|鼓|游泳|车|编程|画|画画|"
    rf"书法|做菜|剪辑|舞|python|法律))|转行|创业|跑(?:完|个|一个)?(?:全|半)?(?:程)?马|跑进|"
    rf"移民|买房|开(?:一?[家个间])(?:自己的)?|出(?:一?本)书|写(?:一?[本部])|读完|读博|升(?:职|"
    rf"到)|拿(?:下|到)|还清|环游|骑行|登顶|爬(?:上|完)|脱单|结婚|成为|当上|毕业|退休|财务自由|"
    rf"攻下|攻克|发(?:一?篇)|增(?:肌|重)|早睡|换工作|评上"
)


def goals(view: View, taken: frozenset[int]) -> Iterator[Hit]:
    """The goals of one sentence: set, reached, given up."""
    if not _may_aim.search(view.text):
        return
    for index, clause in enumerate(view.clauses):
        if index not in taken:
            yield from _of_clause(view, index, clause)


def _of_clause(view: View, index: int, clause: Clause) -> Iterator[Hit]:
    for rule, pattern in (
        ("given_up", _given_up),
        ("reached", _reached),
        ("aim_is", _aim_is),
        ("aim_meant", _in_earnest),
        *((("aim_next", _next_is_aim),) if index and _aim_follows().search(view.clauses[index - 1].text) else ()),
        ("saving_for", _saving_for),
        ("horizon", _with_horizon),
        ("lasting", _lasting_aim),
    ):
        match = pattern.search(clause.text)
        if match is None:
            continue
        who = subject(view, index, match.start())
        if who != USER:
            continue
        words = view.words(clause, match)
        aim = aim_of(words)
        if not aim or unsaid(words) or _no_aim().match(fold_in_place(words)) or len(words) > 28:
            continue
        reason = stopped(view, index, match.start(), match.end(), "goals")
        if reason:
            yield looked_like("goals", rule, clause.span, reason)
            continue
        status = "done" if rule == "reached" else "active"
        yield goal(
            rule,
            clause.span,
            aim=aim,
            description=words,
            status=status,
            retract=rule == "given_up",
            confidence=FIRM if rule == "aim_is" else PLAIN,
        )
        return


def aim_of(words: str) -> str:
    """The key part of an aim, with its verb: 在三十岁前学会冲浪 is 学会冲浪."""
    text = fold_in_place(words)
    moved = re.search(
        "把(?P<o>[^,]{1,6}?)(?:给|都|全)?(?P<v>戒|考|学|攒|还|减|写|读|跑|拿)(?P<c>掉|下来?|完|好|会|清|到手)?了?$",
        text,
    )
    if moved is not None:
        text = f"{moved['v']}{(moved['c'] or '')[:1] if moved['v'] != '戒' else ''}{moved['o']}"
    text = re.sub(rf"^(?:我|要|能够?|想|去|在(?={_HORIZON}|{TIME})|把|{_HORIZON}|{TIME}|\s|，|,)+(?=.)", "", text)
    text = re.sub(rf"(?:在)?{_HORIZON}(?:之内|之前)?", "", text)
    return part(text)


@ZH.sifted
def _may_aim() -> re.Pattern[str]:
    return re.compile(
        r"认真的|来真的|动真格|非|死活|一门心思|憋着|死磕|奔着|目标|梦想|心愿|愿望|理想|flag|[想要攒存戒减考练备]|打算|计划|争取|准备|立志|决心|"
        r"必须|放弃|达成|训练"
    )


@ZH.sifted
def _aim_is() -> re.Pattern[str]:
    return re.compile(
        rf"(?:的)?(?>{TIME}|\s)*(?:的)?(?>长期|短期|最大的?|终极|首要|人生|职业|小|唯一的?|"
        rf"新年|年度|学习|健身|下一个|阶段性?|今年的?|新的?|存钱|理财|跑步)*(?:目标|梦想|心愿|"
        rf"愿望|理想|flag)(?>还|就|一直|都)*(?:是|:|定在了?|设为)(?:能够?|要|想|把)?(?P<v>[^,"
        rf"]{{2,28}}?)(?:了)?$|把(?P<w>[^,]{{2,20}}?)(?:定为|当成|作为|当作)(?>{TIME}|的|今年|"
        rf"自己)*目标"
    )


@ZH.sifted
def _in_earnest() -> re.Pattern[str]:
    """戒酒这事我认真的, 今年非把驾照拿下不可, 奔着评职称去的."""
    return re.compile(
        rf"^(?P<v>(?:{_LASTING})[^,我]{{0,6}}?)(?:这事儿?|这回|这次)?我?(?:这回|这次|可)?是?(?:认真的|来真的|玩真的|动真格的?|说到做到)$"
        rf"|(?:{_HORIZON})(?:我)?非(?:得|要)?把?(?P<w>[^,]{{2,12}}?)不可|奔着(?P<x>[^,]{{2,8}}?)(?:去|来)的"
    )


@cache
def _aim_follows() -> re.Pattern[str]:
    return re.compile(
        "(?:定|立|设|有)(?:了|下|过)?(?:一?个|条)?(?:新|小|大)?(?:目标|flag|心愿|梦想)$|(?:目标|"
        "心愿|梦想|愿望)(?:很简单|就一个|只有一个|是这样)$"
    )


@ZH.sifted
def _next_is_aim() -> re.Pattern[str]:
    return re.compile("(?:就是|是|我要|要)?(?P<v>[^,]{2,20})$")


@ZH.sifted
def _saving_for() -> re.Pattern[str]:
    return re.compile(
        r"(?:攒|存)钱(?>准备|打算|想|要)+(?P<y>[^,]{2,14}?)(?:呢|了)?$|(?>正?在|一直在?|都在|"
        r"开始|努力|拼命|得|要|正)+(?:攒|存)(?:着|了)?(?:钱|学费|(?=首付|学费|嫁妆|彩礼|养老))(?>准备|"
        r"打算|想|要|来|去)*(?:读个|买个|换个)?(?P<v>[^,]{2,14}?)(?:呢|了)?$|(?>正?在|一直在?|"
        r"都在|开始|全力|专心)*(?:备考|备战|冲刺|准备(?=雅思|托福|考研|国考|省考|法考|cpa|"
        r"教资|gre|高考|考试|公务员|注会|一建|六级|四级))(?:着)?(?P<w>[^,中]{2,14}?)(?:呢|"
        r"了|中)?$|"
        r"(?>正?在|一直在?|都在|开始|最近在?)*(?:为了?)(?P<x>[^,]{2,14}?)(?:做准备|训练|攒钱|存钱|备考|拼命)(?:呢|了)?$"
    )


@ZH.sifted
def _with_horizon() -> re.Pattern[str]:
    return re.compile(
        rf"(?:想|要|打算|计划|准备|争取|希望能?|决心|立志|一定要|必须得?|发誓|下定决心|得)(?:着)?(?:在|"
        rf"把|要)?(?P<v>(?:{_HORIZON})(?:之内|之前|,|能|要|把|\s)*[^,]{{2,24}}?)(?:了)?$|"
        rf"(?:{_HORIZON})(?:的?时候|我|之内|之前|\s|就|一定|无论如何|怎么[着也]?)*(?:想|要|"
        rf"打算|计划|准备|争取|希望能?|决心|立志|一定要|必须得?|发誓|得)(?:能)?(?P<w>[^,]{{2,"
        rf"24}}?)(?:了)?$"
    )


@ZH.sifted
def _lasting_aim() -> re.Pattern[str]:
    return re.compile(
        rf"(?:一直|下定|真的|也|最近|现在|今年|正)*(?:想要?|打算|计划|准备|争取|决心|立志|正在|"
        rf"在|开始|努力|一定要|必须得?|得|决定要?|发誓|下决心|铁了心|死活要|非要|一门心思|憋着劲|死磕)(?:要|把|去|着)?(?:在?[^,"
        rf"]{{1,8}}前(?:要|把)?)?(?P<v>(?:{_LASTING})[^,]{{0,16}}?)(?:了|呢|中)?$"
    )


@ZH.sifted
def _reached() -> re.Pattern[str]:
    return re.compile(
        r"(?>终于|总算|已经|成功|顺利|刚刚?|可算)+(?P<v>(?:考上|考过|考下|戒掉|学会|攒够|存够|"
        r"瘦到|减到|减掉|跑完|还清|拿下|拿到|通过)[^,了]{0,4}?了?[^,了]{2,14}?)(?:了)?$|^(?:我)?(?:的)?(?P<w>雅思|"
        r"托福|驾照|cpa|注会|法考|教资|一建|二建|六级|四级|考研|考公|科目[一二三四])(?>终于|"
        r"总算|已经|也)*(?:考过|过|考下来|拿到|考上)了$|^(?:我)?(?:们)?(?:的)?(?P<x>[^,我你他她这那]{2,10}?(?:目标[分线值数]?|心愿|flag))"
        r"(?>终于|总算|已经|提前|也|都|算是)*(?:达成|实现|完成|做到|拿下)了?$"
    )


@ZH.sifted
def _given_up() -> re.Pattern[str]:
    return re.compile(
        rf"(?:已经|决定|还是|最后|也|就|算了)*(?:不|放弃)(?:打算|想|准备|再)?(?:继续)?(?P<v>(?:考研|"
        rf"考公|考编|考博|减肥|创业|买房|移民|转行|戒烟|戒酒|学(?!了)[^,]{{1,6}}|考(?!了)[^,]{{1,6}}|跑马|"
        rf"读博|出国))了?$(?<=了)|放弃(?:了)?(?P<w>(?:{_LASTING})[^,]{{0,10}}?)(?:了)?$"
    )


@cache
def _no_aim() -> re.Pattern[str]:
    return re.compile(
        r"[你他她它]|发财|暴富|加油|努力|好好|快乐|开心|幸福|星辰|躺平|世界和平|这|那|什么|"
        r"怎么|睡|吃|喝|死|哭|休息|回家|看(?:看|电影)|知道|问|说|请教|了解|听|和你|跟你|找你|"
        r"问你|明确|远大|学习(?:一下|如何|怎么|更多|一些)|多|不错|是|有$|有的"
    )
