"""Chinese rules for what is taken back or put right, for "remember that", and for other names of things."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from smartbrain.extraction._zh_guards import stopped
from smartbrain.extraction._zh_people import full_name
from smartbrain.extraction._zh_slots import slots_in
from smartbrain.extraction._zh_text import ZH, View, fold_in_place, trimmed, unsaid
from smartbrain.extraction.hits import FIRM, Hit, back, entity, looked_like, preference
from smartbrain.extraction.keys import part

_LONGEST: Final = 14
_ALONE: Final = 10


def corrections(view: View) -> list[Hit]:
    """What the sentence takes back, voids as a joke, or puts right."""
    if not _may_correct.search(view.text):
        return []
    span = (0, len(view.text))
    if _joke.search(view.text):
        # Standing alone it is about the message before, where a joke is no more than something taken back.
        at_once = _joke().match(view.text.lstrip("哈嘿,! ")) is not None
        alone = not view.sentence.before and (at_once or len(view.text) < _ALONE)
        return [back("taken_back" if alone else "joke", "joke", span)]
    dropped = list(_no_longer(view))
    if any(not hit.skipped for hit in dropped):
        return dropped
    if _taken_back.search(view.text) or _never_mind().fullmatch(view.text.strip(" .。!~")):
        return [back("taken_back", "taken_back", span)]
    return [*_put_right(view, span), *dropped]


def _put_right(view: View, span: tuple[int, int]) -> Iterator[Hit]:
    for pattern in (_not_but, _misspoke, _but_not, _moved, _oh_no, _rather):
        match = pattern.search(view.text)
        if match is None:
            continue
        new = trimmed(view.said(*match.span("new")))
        old = trimmed(view.said(*match.span("old"))) if match.groupdict().get("old") else ""
        if (
            unsaid(new)
            or _no_value().search(fold_in_place(new))
            or _no_value().search(fold_in_place(old))
            or view.text.endswith("?")
        ):
            continue
        if pattern is _rather and not any(filled.choice for filled in slots_in(fold_in_place(new))):
            continue
        where = match.span() if pattern is _misspoke else span
        yield back("corrected", "put_right", where, **({"new": new, "old": old} if old else {"new": new}))
        return


def _no_longer(view: View) -> Iterator[Hit]:
    """A preference that is taken back by its key: 之前说的A不算, A我无所谓了, 不用再…了."""
    for index, clause in enumerate(view.clauses):
        match = _dropped.search(clause.text)
        if match is None and index + 1 < len(view.clauses) and _void.match(view.clauses[index + 1].text):
            match = _said_before.fullmatch(clause.text)
        if match is None:
            continue
        words = view.words(clause, match)
        folded = fold_in_place(words)
        scope, name = "other", part(_verbs().sub("", folded))
        for filled in slots_in(folded):
            scope, name = filled.slot.scope, filled.slot.name
            break
        if not name or unsaid(words) or (match.re is _dropped() and match["v"] and scope == "other"):
            continue
        reason = stopped(view, index, match.start(), match.start(), "taken back")
        if reason:
            yield looked_like("preferences", "dropped", clause.span, reason)
            continue
        hit = preference("dropped", clause.span, scope=scope, name=name, value=words, polarity="like", confidence=FIRM)
        yield Hit(hit.type, hit.key, hit.value, hit.rule, hit.span, hit.confidence, retract=True)


# --- remember ----------------------------------------------------------------------------------------------------


def remembered(view: View) -> list[Hit]:
    """ "Remember that …" when nothing else fits: the subject of the sentence, the rest as its attribute."""
    match = _remember.match(view.text)
    if match is None:
        return []
    rest_at = match.end()
    rest = view.text[rest_at:]
    found = _told_of().match(rest)
    span = (0, len(view.text.rstrip()))
    if found is None or _no_value().search(found["s"]):
        return []
    name = trimmed(view.said(rest_at + found.start("s"), rest_at + found.end("s")))
    note = trimmed(view.said(rest_at + found.start("rest"), rest_at + len(rest.rstrip())))
    if not part(name) or unsaid(name) or unsaid(note):
        return []
    index = next((at for at, clause in enumerate(view.clauses) if clause.end > rest_at), len(view.clauses) - 1)
    clause = view.clauses[index]
    reason = stopped(view, index, max(0, rest_at - clause.start), max(0, rest_at - clause.start), "entities")
    if reason:
        return [looked_like("entities", "remember", span, reason)]
    return [entity("remember", span, kind="other", name=name, attrs={"note": note})]


def asks_to_remember(view: View) -> bool:
    """Whether the sentence begins with "remember"."""
    return _remember.match(view.text) is not None


def aliases(view: View) -> list[Hit]:
    """Other names of things: 简称, 又叫, 也就是."""
    if not _may_alias.search(view.text):
        return []
    match = _alias.search(view.text)
    if match is None:
        return []
    name = trimmed(view.said(*match.span("name")))
    alias = trimmed(view.said(*match.span("alias")))
    if "全称" in match["mark"]:
        name, alias = alias, name
    lead = _name_lead().match(fold_in_place(name))
    name = trimmed(name[lead.end() :]) if lead else name
    folded = (fold_in_place(name), fold_in_place(alias))
    if (
        unsaid(name)
        or unsaid(alias)
        or any(_no_value().search(words) for words in folded)
        or len(name) < 2
        or part(name) == part(alias)
    ):
        return []
    if match["loose"] and not _short_for(*folded):
        return []
    if match["mark"] in ("也就是", "即") and len(alias) > len(name) + 4:
        return []
    clause = next((at for at, one in enumerate(view.clauses) if one.end >= match.end("name")), 0)
    start = max(0, match.start("name") - view.clauses[clause].start)
    reason = stopped(view, clause, start, start, "entities")
    if reason:
        return [looked_like("entities", "alias", match.span(), reason)]
    return [entity("alias", match.span(), kind=_kind(folded), name=name, aliases=[alias])]


def _short_for(name: str, alias: str) -> bool:
    """Whether a short name is made of characters of the whole one, in their order: 社科院 of 中国社会科学院."""
    rest = iter(name)
    return len(alias) > 1 and all(char in rest for char in alias)


def _kind(names: tuple[str, str]) -> str:
    if re.search(
        "公司|集团|大学|学院|科学院|博物[馆院]|医院|银行|协会|学会|基金会|局$|委员会$|研究院$|出版社", names[0]
    ):
        return "org"
    if full_name().fullmatch(names[0]) and not names[0].isascii() and re.match("[小老阿]|.[姐哥总工]$", names[1]):
        return "person"
    return "other"


# --- the words ---------------------------------------------------------------------------------------------------


@ZH.sifted
def _may_correct() -> re.Pattern[str]:
    return re.compile(
        "玩笑|逗你|骗你|说着玩|当我|没说|瞎说|忘掉|忘了|不算|作废|收回|撤回|算了|错了|岔了|搞混|口误|"
        "更正|纠正|不是|而是|不对|应该是|无所谓|不用再|不必再|不需要再|取消|别记|不用记|提醒|"
        "改[到成]|挪到|推迟|提前|哦不|啊不|不不|还是|不在乎|撤销|不作数|别当真|划掉"
    )


@ZH.sifted
def _joke() -> re.Pattern[str]:
    return re.compile(
        r"(?<!别)(?<!不是)开(?:个|你)?玩笑(?:的|啦|而已|哈|,|$)|逗你(?:的|玩|呢)|骗你的|说着玩|"
        r"愚人节快乐"
    )


@ZH.sifted
def _taken_back() -> re.Pattern[str]:
    return re.compile(
        r"(?:就?当我|就当)(?:刚才|刚刚)?没(?:说|讲|提|问)|(?:刚才|刚刚|上面|前面|上一[条句])(?:那[个句条]?|"
        r"说的|讲的|我?说的)?(?:那[个句条])?(?:话)?(?:不算|作废|收回|撤回|忘掉|忘了吧|别记|"
        r"不用记|提醒|改[到成]|挪到|推迟|提前|哦不|啊不|不不|还是|删掉)|(?:忘掉|忘了|收回|"
        r"撤回|撤销|删掉|取消)(?:吧)?(?:刚才|刚刚|上面|前面|我刚|上一[条句]|那[个句条])|^不用(?:再)?提醒(?:我)?了|"
        r"我(?:刚才|刚刚)?瞎说的|^(?:别|不用|不要)记(?:了|这个|住)"
    )


@cache
def _never_mind() -> re.Pattern[str]:
    return re.compile(r"(?:唉|哎|嗯|哦|呃|欸|诶)?[,]?(?:算了|算啦)(?:吧|算了)?(?:[,]?(?:不说了|不提了))?")


@ZH.sifted
def _not_but() -> re.Pattern[str]:
    return re.compile(
        rf"^(?:哦|噢|啊|呃|等等|等一?下|不对|错了|抱歉|不好意思|更正一?下?|纠正一?下?|哎呀?|"
        rf",|\s)*(?:不是|不叫|不在)(?P<old>[^,是]{{1,{_LONGEST}}}?)(?:,|\s)*(?:而?是|应该是|"
        rf"叫|在)(?P<new>[^,.!]{{1,{_LONGEST}}}?)(?:[,.!。]|$)"
    )


@ZH.sifted
def _misspoke() -> re.Pattern[str]:
    return re.compile(
        rf"(?:(?:我)?(?:刚才|刚刚|前面|上面)?(?:(?:说|打|记|搞|写|弄|讲|算|看)[错岔]|搞混)了?|口误|更正(?:一下)?|"
        rf"纠正(?:一下)?|^[哎啊诶欸哦呃,\s]*不对)(?:,|:|\s|啊|哈|了|抱歉|不好意思)*(?:应该|其实|实际上|准确说|"
        rf"正确的)?(?:应该|我)?(?:是|为|叫|在|[改挪推延]到)(?P<new>[^,.!是]{{1,{_LONGEST}}}?)(?:,?(?:不是|而不是)(?P<old>[^,"
        rf".!]{{1,{_LONGEST}}}?))?(?:[,.!。]|$)"
    )


@ZH.sifted
def _moved() -> re.Pattern[str]:
    return re.compile(
        r"^(?:时间|日期|会议?|那个)?(?:又|已经)?(?:改|挪|推迟|提前|延)(?:到|成)(?:了)?(?P<new>[^,"
        r".!]{2,12}?)(?:了)?[.!。]*$"
    )


@ZH.sifted
def _oh_no() -> re.Pattern[str]:
    return re.compile(
        r"^(?:哦不|啊不|不不|等等|更正|纠正)(?:一下)?[,:\s]+(?:应该)?(?:是)?(?P<new>[^,.!是]{2,12}?)[.!。]*$"
    )


@ZH.sifted
def _rather() -> re.Pattern[str]:
    return re.compile(r"^(?:算了)?[,]?还是(?:用|要|改回)?(?P<new>[^,.!]{1,10}?)吧[.!。]*$")


@ZH.sifted
def _but_not() -> re.Pattern[str]:
    return re.compile(
        rf"^(?:哦|噢|啊|呃|等等|不对|错了|抱歉|不好意思|,|\s)*(?:应该)?是(?P<new>[^,是]{{1,"
        rf"{_LONGEST}}}?),?(?:不是|而不是)(?P<old>[^,.!]{{1,{_LONGEST}}}?)(?:[,.!。]|$)"
    )


@cache
def _no_value() -> re.Pattern[str]:
    return re.compile(
        r"[我你您他她它]|什么|怎么|^(?:这|那|的|了|不|没|真的|因为|为了|说|想)|吗|呢|问题|"
        r"意思|这样|那样|不能|不会|得"
    )


@ZH.sifted
def _dropped() -> re.Pattern[str]:
    return re.compile(
        r"(?:之前|以前|上次|前面|刚才)?(?:我)?(?:跟你|和你|给你)?说(?:过)?(?:的)?(?:我)?(?:要|喜欢|讨厌|不喜欢|不要|"
        r"不吃|不喝|爱|只)*(?P<w>[^,]{1,14}?)(?:的事|那条|这条|那个|的要求|的话)?(?:都|就)?(?:不算(?:数)?了?|"
        r"作废|取消|不用管了|不作数|忘了吧|忘掉吧|别管了)|"
        r"(?P<x>[^,我]{1,12}?)(?:我)?(?:现在|已经|也|都|就)*(?:无所谓了|不在乎了|不强求了|"
        r"不介意了)|(?:忘(?:了|掉)|删掉|撤销|取消)(?:我)?(?:之前|以前|上次)?(?:说(?:的|过的?)|"
        r"提的|那条)?(?:喜欢|讨厌|不喜欢|要|不要|关于)*(?P<y>[^,]{1,12}?)(?:的事|的要求|的偏好|"
        r"那条|的设置|这条|的规矩|的规定)|"
        r"(?:以后)?(?:不用|不必|不需要|无需)(?:再)?(?:每次|都|总是|一直|一律|特意|给我)*(?P<v>[^,]{2,14}?)了$"
    )


@ZH.sifted
def _void() -> re.Pattern[str]:
    return re.compile("(?:现在|都|就|已经|可以)*(?:不作数|不算(?:数)?|作废|别当真|忘了吧|划掉|收回)(?:了|吧|哈|啊)*$")


@ZH.sifted
def _said_before() -> re.Pattern[str]:
    return re.compile(
        r"(?:之前|以前|上次|前面|早先|那会儿|先前)(?:我)?(?:跟你|和你|给你|让你)?(?:说|讲|提|记)(?:过)?(?:的)?(?:我)?"
        r"(?:要|喜欢|讨厌|不吃|不喝|爱|只|不)*(?P<w>[^,我]{1,10}?)(?:的事儿?|那条|这条|那个|那句|的话)?"
    )


@cache
def _verbs() -> re.Pattern[str]:
    return re.compile("^(?:吃|喝|看|听|玩|用|不|喜欢|讨厌|爱|要)+(?=.)")


@ZH.sifted
def _remember() -> re.Pattern[str]:
    return re.compile(
        r"(?:对了|还有|另外|嗯|哦|好|那|你好|,|\s)*(?:请|麻烦|你|帮我|帮忙|给我|一定|千万|"
        r"要|务必|先|替我|再)*(?:记住|记一下|记下来?|记着|记好|记一笔|备忘一?下?|备注一?下?|"
        r"mark一?下|存一下|留个底|记个事|记个东西|记录一?下|别忘了?|不要忘了?)(?!了(?:$|[,"
        r"。]))(?:了|啊|哈|哦|一下|这个|这件事|一件事|这条|一条)*(?:,|:|\s)*"
    )


@cache
def _told_of() -> re.Pattern[str]:
    return re.compile(
        r"(?P<s>[^,:=]{2,16}?)(?:的)?(?P<rest>(?:[贴写存挂压塞锁记夹]在|是|在|放|叫|改成|改到|改为|换成|换到|藏|归|"
        r"每|需要|要|不|只|:|=|[0-9]|从|已经|必须|,).{1,80})$"
    )


@ZH.sifted
def _may_alias() -> re.Pattern[str]:
    return re.compile(
        "简称|又叫|又名|也叫|也就是|俗称|别名|别称|全称|缩写|代号|又称|外号叫|内部叫|我们叫它|"
        "管它叫|们都?叫|家都?叫|下文[叫称]|以下[简叫]?称|(?:一般|平时|通常|习惯|日常|口头上?)(?:都|就|上)*[叫说喊写]|aka"
    )


@ZH.sifted
def _alias() -> re.Pattern[str]:
    return re.compile(
        r"(?:^|[,。(（:])\s*(?P<name>[^,。()（）:?!]{2,30}?)[,(（\s]*(?:我们|大家|都|就|公司|内部|"
        r"平时|一般|在内部|也|组里)*(?P<mark>简称|又叫做?|又名|也叫做?|也就是(?!说)|俗称|别名|"
        r"别称|全称|英文缩写|缩写|代号|又称|内部叫|(?:我们|大家|当地人?|老师们?|同事们?)(?:都|"
        r"一般|平时|就)?叫(?![我他她])|叫它|管它叫|下文[叫称]|以下[简叫]?称|aka|(?P<loose>(?:一般|平时|通常|习惯|日常|口头上?)(?:都|就|上)*[叫说喊写]))(?:是|为|叫|"
        r":|做|\s)*(?P<alias>[^,。()（）:?!\s]{1,20}?)(?:"
        r"[,。)）!?]|\s|$)"
    )


@cache
def _name_lead() -> re.Pattern[str]:
    return re.compile(
        r"(?>(?>我们?(?:公司|学校|组|部门|团队)?的?|我(?:在|去|报名?了?|参加了?|做|负责|带)的?(?:是)?|"
        r"这个|那个|就是|我们用的|我说的|最近|在做|正在做|负责|对了|还有|另外|记住)+)(?=.{2})"
    )
