"""Chinese rules for how things are to be from now on, and what the user works with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from smartbrain.extraction._zh_guards import ONCE, stopped
from smartbrain.extraction._zh_people import USER, subject
from smartbrain.extraction._zh_slots import LANGUAGE, Filled, slots_in
from smartbrain.extraction._zh_tastes import LONGEST, Polarity, no_object, passing
from smartbrain.extraction._zh_text import ZH, Clause, View, fold_in_place, trimmed, unsaid
from smartbrain.extraction.hits import FIRM, PLAIN, Hit, looked_like, preference
from smartbrain.extraction.keys import part

_FORM: Final = "(?:命令|写法|步骤|代码|例子|示例|教程|做法|用法|版本|链接)?"
_NAMED_IS_CHOSEN: Final = frozenset(
    ("emoji", "examples", "sources", "notifications", "sound", "tests", "types", "docs")
)
"""Slots that one wants or refuses as they are: to name them says all."""


_ASKED_WITH: Final = frozenset(("tests", "docs", "types"))


def wishes(view: View, index: int, clause: Clause) -> Iterator[Hit]:
    addressed = list(_not_called(view, index, clause))
    if addressed:
        yield from addressed
        return
    for filled in sorted(slots_in(clause.text), key=_certain):
        how = _manner(view, index, clause, filled)
        if not how:
            if filled.choice is not None and _orders.search(clause.text):
                reason = stopped(view, index, filled.start, filled.choice.end(), "preferences")
                if reason:
                    yield looked_like("preferences", "told", clause.span, reason)
            continue
        found = _chosen(clause, filled)
        if found is None:
            continue
        start, end, polarity = found
        value = trimmed(view.said(clause.start + start, clause.start + end))
        if unsaid(value):
            continue
        reason = stopped(view, index, filled.start, end, "preferences")
        if (
            not reason
            and how == "bare"
            and filled.slot.scope in ("writing", "coding")
            and _request_now.search(view.text)
        ):
            reason = ONCE
        if reason:
            yield looked_like("preferences", f"told_{how}", clause.span, reason)
        else:
            yield preference(
                f"told_{how}",
                clause.span,
                scope=filled.slot.scope,
                name=filled.slot.name,
                value=value,
                polarity=polarity,
                confidence=FIRM if how == "standing" else PLAIN,
            )
        return
    yield from _other_tool(view, index, clause)
    yield from _refused(view, index, clause)


def _certain(filled: Filled) -> int:
    """What is named and chosen is surer than a choice alone, and that surer than a name alone."""
    named = filled.about
    if named is not None and filled.slot.name in _ASKED_WITH and _gives().search(named.string[: named.start()]):
        return -1  # Go 代码都要带单元测试 is about the tests
    if filled.slot.name == "language" and filled.about is None:
        return 3  # 变量名用英文 is about the names
    return (filled.choice is None) * 2 + (filled.about is None)


def _manner(view: View, index: int, clause: Clause, filled: Filled) -> str:
    """How the words claim to last: ``standing``, ``habit``, ``bare``; "" when they do not."""
    slot = filled.slot
    text = clause.text
    if _others_words().match(text) or (
        slot.scope == "coding" and _decided.search(view.text) and not lasting.search(view.text)
    ):
        return ""
    so_far = view.text if _for_good.search(view.text) else view.text[: clause.end]
    if slot.scope == "tools":
        if filled.choice is None:
            return ""
        paying = slot.name == "payment" and _paying().search(text) is not None
        if paying or (_uses().search(text) and _use_of(filled).search(text)):
            who = USER if paying and not _third_person().search(text) else subject(view, index, _before_use(text))
            return "habit" if who == USER or (who is None and _mine().search(text)) else ""
        return (
            "standing"
            if lasting().search(text) and _use_of(filled).search(text) and not _third_person().search(text)
            else ""
        )
    if slot.name == "meeting_time":
        return "standing" if filled.about and filled.choice and _leaning().search(text) else ""
    if slot.name == "contact":
        following = view.clauses[index + 1].text if index + 1 < len(view.clauses) else ""
        if filled.choice is None or not (
            _leaning().search(text)
            or _enough().search(text)
            or _never().search(following)
            or _unread().search(following)
            or _unread().search(text, filled.choice.end())
        ):
            return ""
        return (
            "bare"
            if re.search("联系|找我|有事|急事|沟通|给我|我", text)
            or _enough().search(text)
            or text.startswith(("别", "不要"))
            else ""
        )
    if slot.name == "seat":
        wanted = (filled.about is not None or re.search("票|座|位|火车|高铁|飞机|航班|卧", text)) and re.search(
            "帮|给我|要|选|挑|订|坐|买", text
        )
        return (
            "standing"
            if filled.choice and (wanted or _leaning().search(text) or _enough().search(text) or lasting().search(text))
            else ""
        )
    spoken = slot.scope == "writing" and slot.name == "language"
    if lasting().search(so_far) and (_answers_in if spoken else _orders)().search(text):
        return "standing"
    if slot.scope in ("coding", "ui") and _habit().search(text):
        return "habit"
    ordered = _code_order().match(text) or (
        filled.about is not None and filled.about.start() <= 2 and _is_to_be().match(text, filled.about.end())
    )
    if slot.scope == "coding" and filled.about is not None and ordered:
        return "bare"
    if (
        slot.scope == "ui"
        and _orders().search(text)
        and (filled.choice or filled.about)
        and re.search("请|都|调|设|给我|帮我|固定|统一|关|就好|就行|按|换|改|开|显示|别|不要|^[^,]{0,4}用|写成", text)
    ):
        return "bare"
    if slot.scope == "writing" and _bare_order().search(text):
        return "bare"
    return ""


def _chosen(clause: Clause, filled: Filled) -> tuple[int, int, Polarity] | None:
    """Where the value stands in the clause, and whether it is wanted."""
    text, slot = clause.text, filled.slot
    choice = filled.choice
    if choice is not None:
        if slot.name == "meeting_time" and _never().search(text):
            return (*choice.span(), "dislike")
        if slot.name == "contact" and _unread().search(text, choice.end()):
            return (*choice.span(), "dislike")
        if not _negated(text, choice.start()):
            return (*choice.span(), "like")
        later = re.compile(rf"(?:用|写|改成|换成|给我|要)(?:{slot.choices})").search(text, choice.end())
        if later is not None:
            inner = re.compile(slot.choices).search(text, later.start())
            if inner is not None:
                return (*inner.span(), "like")
        return (*choice.span(), "dislike")
    about = filled.about
    if about is None or (slot.name == "language" and slot.scope != "ui"):
        return None
    if _negated(text, about.start()) or _refused_after().match(text, about.end()):
        return (*about.span(), "dislike")
    plain = _written_so().match(text, about.end()) if slot.name in ("tests", "docs", "types") else None
    if plain is not None:
        return (*plain.span("v"), "like")
    if slot.name in _NAMED_IS_CHOSEN or _gives().search(text[: about.start()]):
        return (*about.span(), "like")
    wanted = _wanted().match(text, about.end())
    if wanted is not None and not _anyone().fullmatch(wanted["v"]):
        return (*wanted.span("v"), "like")
    return None


def _not_called(view: View, index: int, clause: Clause) -> Iterator[Hit]:
    """How the assistant is not to address the user."""
    match = _not_to_be_called.search(clause.text)
    if match is None or not (value := view.words(clause, match)) or unsaid(value):
        return
    reason = stopped(view, index, match.start(), match.end(), "preferences")
    if reason:
        yield looked_like("preferences", "not_called", clause.span, reason)
        return
    yield preference("not_called", clause.span, scope="writing", name="tone", value=value, polarity="dislike")


def _other_tool(view: View, index: int, clause: Clause) -> Iterator[Hit]:
    """A tool without a slot that is used as a habit goes by its own name."""
    match = _other_habit.search(clause.text)
    if match is None or _third_person.search(clause.text) or subject(view, index, match.start()) != USER:
        return
    value = view.words(clause, match)
    if unsaid(value) or not part(value):
        return
    reason = stopped(view, index, match.start(), match.end(), "preferences")
    if reason:
        yield looked_like("preferences", "other_tool", clause.span, reason)
        return
    yield preference("other_tool", clause.span, scope="tools", name=part(value), value=value, polarity="like")


def _refused(view: View, index: int, clause: Clause) -> Iterator[Hit]:
    """ "Never again A" where A fills no slot."""
    match = _never_again.search(clause.text)
    if match is None or _third_person().search(clause.text[: match.start()]):
        return
    value = view.words(clause, match)
    folded = fold_in_place(value)
    if (
        unsaid(value)
        or len(value) > LONGEST
        or passing().match(folded)
        or no_object().search(folded)
        or not part(value)
    ):
        return
    reason = stopped(view, index, match.start(), match.end(), "preferences")
    if reason:
        yield looked_like("preferences", "never_again", clause.span, reason)
        return
    slot = next((filled.slot for filled in slots_in(folded) if filled.choice is not None), None)
    scope, name = (slot.scope, slot.name) if slot is not None else ("other", part(value))
    yield preference("never_again", clause.span, scope=scope, name=name, value=value, polarity="dislike")


def _negated(text: str, at: int) -> bool:
    return _no().search(text[max(0, at - _REACH) : at]) is not None


_REACH: Final = 16
"""How far before a word its refusal may stand, with the place between them: 别在每段回复的末尾放…"""


def _before_use(text: str) -> int:
    found = _use_start().search(text)
    return found.start() if found else 0


@ZH.sifted
def lasting() -> re.Pattern[str]:
    return re.compile(
        r"以后|今后|往后|日后|从(?:现在|今[天日]?|此|这次|下次|明天|[^,]{1,4}(?=起|开始))(?:开始|"
        r"起|往后|以后)?|每(?:[次回一]|个(?:函数|文件|回答|问题|类|方法|接口|回复)|段|封|篇)|"
        r"一律|默认|预设|永远|一直|始终|统一|固定|平时|平常|向来|别再|不要再|不许再|再也(?:不要|"
        r"别)|禁止|凡是|所有|长期|能用[^,]{1,6}就用|是我的(?:习惯|规矩)|全程|喜欢你(?:用|给|写|"
        r"讲|说)|都照|记住|别忘了|记得|一概|全部都|都(?:给我)?(?:用|写|要|按)|只要|不管"
    )


@ZH.sifted
def _decided() -> re.Pattern[str]:
    return re.compile("决定|定了|敲定|拍板|商量|投票|一致同意|说好")


@ZH.sifted
def _for_good() -> re.Pattern[str]:
    """Said behind an order: it is meant for good."""
    return re.compile(
        "以后(?:[^,]{0,3}(?:都|也|就))?[别不]|(?:以后|今后|每次|一直|从来)(?:就|也|全)?(?:都|"
        "这样|照|是|按|如此)(?:是|这样|这么|照|按)?$|都照(?:这个|办|此)|以后就这样|长期有效"
    )


@ZH.sifted
def _orders() -> re.Pattern[str]:
    return re.compile(
        r"尽量|都加|用|写|给|空格|格|别|不要|勿|不用|少|回答|回[复覆]|说|讲|发|加|带|附|放|"
        r"列|按|调|设|换|改|标|输出|显示|禁止|免|控制|保持|统一|默认|预设|一律|叫|称呼|来|"
        r"去掉|省|请|采用|遵循|直接|先|详细|简短|简洁|举|注明|引用|关|开|跟|翻|拒绝|不许|不准|"
        r"要"
    )


@ZH.sifted
def _answers_in() -> re.Pattern[str]:
    """What asks for a language: 普通话带口音 does not."""
    return re.compile(
        "用|以|说|讲|回|写|答|翻|给|来|都|换|改|就[行好可]|即可|默认|预设|只|要|别|不要|沟通|交流|输出|统一"
    )


@cache
def _habit() -> re.Pattern[str]:
    return re.compile(
        r"(?:我|我们)[^,]{0,8}?(?:一直|平时|平常|都|一般|习惯|向来|基本上?|通常|只|从来|喜欢|"
        r"主要|全)+(?:在|是)?(?:用|写|按|采用|看|(?<=都是))|我[^,]{0,4}(?:习惯|偏好|喜欢)|"
        r"我[^,]{0,8}?(?:从来|一直|都)?不(?:用|写|加)|(?:我|我写[^,]{1,10}|前端|后端|项目)[^,]{0,6}(?:全程|清一色|只认)|^我们?(?:组|"
        r"项目)?[^,]{0,4}(?:一律|统一)|"
        r"(?:一直|向来|习惯|从来都?|平时都?)(?:是)?用|我[^,]{0,4}只(?:用|写|看)|我用(?!完|"
        r"过|了)|^(?:函数名|变量名|类名|命名|缩进|引号)[^,]{0,4}(?:用|按|写)"
    )


@cache
def _is_to_be() -> re.Pattern[str]:
    return re.compile("(?:里|上)?(?:都|请|一律|统一|别|不要|控制在|用|得|必须|要(?!求))")


@cache
def _code_order() -> re.Pattern[str]:
    return re.compile("(?:请|麻烦|给我|代码里?|你)*(?:不要|别|少|都要|要)(?:给我)?(?:写|加|用|生成)")


@cache
def _bare_order() -> re.Pattern[str]:
    return re.compile(
        rf"^(?:{LANGUAGE})(?:来|回|答|写|回复|回答)?(?:我)?(?:就[行好可成]了?|即可)$|"
        r"^(?:给我|帮我|你)?(?:写|讲|说)(?:东西|文章|文案|稿子|话|代码)?(?:的时候|时)?(?:别|"
        r"不要|少)|^(?>你|请|麻烦|拜托|以后|那|就|还有|能不能|可不可以|可以|希望你?|往后)*(?:回(?:消息|信息|话|我|复)|答我|跟我(?:说|讲|聊)|和我(?:说|讲|聊)|给我(?:讲|说|"
        r"解释|答|的)|写给我的?|你给我的|教我|讲(?:东西|题|事)给我|发我的?|改我的?(?:稿子?|文章|作文))[^,]{0,18}|^(?>请|麻烦|拜托|"
        r"你)*(?:说|讲|写|答)得?(?:再)?(?:详细|仔细|细|简短|简单|简洁|具体|通俗|直接|清楚|"
        r"慢)一?[点些]|^(?:给我)?(?:解释|讲解|回答|回复|说明|说|写|讲|举例)(?:[^,]{0,4})?(?:的时候|"
        r"时|拿)|^(?:解释|回答|说明)?多(?:举|给|用|打|放)|(?:的时候|时)(?:请|要|得|尽量|最好)?多(?:举|"
        r"给|用)|^(?>请|麻烦)+(?:你)?(?:都)?(?:讲|说|用)(?:广东话|粤语|白话|中文|普通话|国语|"
        r"英语|英文|台语|简体|繁体|正体)|^(?:请)?(?:别|不要)用[^,]{0,4}(?=翻译腔|术语|网络用语|"
        r"成语|黑话|被动)|^不用(?:跟我|对我|和我)(?:这么|那么)?(?:客气|客套|绕弯|打官腔|兜圈子)|"
        r"^(?:你|请)(?:的)?(?:语气|口吻)|^说话(?:请|能不能|要|别|不要)?|^(?>请|麻烦|拜托|你|"
        r"那|就|能不能|可不可以|可以|希望你?)*(?:你)?(?:回答|回复|答复|回我|解释|说话|讲话|"
        r"聊天|输出|跟我(?:说|讲|聊)|和我(?:说|讲|聊))[^,]{0,16}|^(?>请|麻烦|拜托|你|也|就|"
        r"千万|求你)*(?:你)?(?:别|不要|少|勿|不许|停止|禁止|拒绝|省掉|去掉)(?!的|人)[^,]{1,14}|"
        r"^(?>请|麻烦|拜托)*(?:你)?用[^,]{1,10}(?:回答|回复|回我|跟我说|跟我讲|交流|沟通|聊|"
        r"答)|^(?:请|麻烦)[^,]{0,4}(?:用|以)(?:简体|繁体|正体|中文|英文|粤语)[^,]{0,6}$|^(?:说|"
        r"讲)(?:人话|重点|大白话|中文)|^(?:直接|先)(?:给|说|讲)(?:我)?(?:结论|答案|重点)|"
        r"(?:回答|回复|答案)(?:我)?(?:的时候|时)?(?:请|要|得|能|尽量|麻烦|最好)|^(?:请)?(?:用|"
        r"使用)(?:敬语|敬称|您|“您)|^(?:请)?(?:语气|口吻|称呼)"
    )


@ZH.sifted
def _request_now() -> re.Pattern[str]:
    return re.compile(
        r"帮我|帮忙|给我(?:写|推荐|列|做|出|讲|说说|介绍|来|生成|画|编)(?!的时候|东西|代码的?时候)|"
        r"写(?:一?[个篇封首段份句张条])|列(?:一?[个下份])|翻译|推荐|生成|介绍一?下|解释一?下|"
        r"讲讲|说说|聊聊|总结一?下|分析一?下|来(?:一?[个篇首段份])|出(?:一?[个道份])|这[次封段篇份条首]|"
        r"摘要|标题|邮件|文案|作文|论文|稿子|稿|海报|通知|回信|报告"
    )


@ZH.sifted
def _never_again() -> re.Pattern[str]:
    return re.compile(
        r"(?:以后|请|麻烦|你|今后|千万|求你|拜托|都)*(?:别再?|不要再?|不许再?|再也不要|少)(?:总是?|"
        r"老是?|动不动就?|一直)?(?:给我|跟我|对我|向我|帮我)(?:推荐|推送|发|讲|说|提|放|看|"
        r"安排|推|加|点|订|买|列|介绍|塞|聊)(?P<v>[^,]{1,16}?)(?:了|吧|啊|的)*$"
        r"|(?:以后|请|麻烦|你|今后|千万)+(?:都)?(?:别再?|不要再?|不许再?)(?:总是?|老是?|动不动就?|"
        r"一直)?(?:推荐|推送|提|聊|安排|介绍|订|点|选|买|约)(?P<w>[^,]{1,16}?)(?:了|吧|啊|"
        r"的)*$"
        rf"|(?:别再?|不要再?|甭)给我\s*(?P<x>[^,我]{{1,14}}?)\s*(?:的|那套){_FORM}(?:了|吧|啊)*$"
        rf"|^(?P<y>[^,我]{{1,14}}?)\s*(?:的东西|的|那套|这类|之类的?){_FORM}(?:就|都|也|一概|一律|千万|请|拜托)*(?:别再?|不要再?|甭)(?:给我?|发|推荐?|"
        rf"教我?|写|来|贴|整|放|加|点|安排|提)(?:了|吧|啊)*$"
    )


@cache
def _no() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?<![特个区分性级告辨类])别(?!的|人|处|墅|忘)|不要|不用|勿|不许|不准|禁止|少(?!数|"
        r"年|于)|不需要|无需|不想|不爱听?|不必|没必要|拒绝|去掉|删掉|免|甭|停止|省掉|不坐|不选|不订|"
        r"不带|不加|不放|不看|不写|讨厌|杜绝|避免|干掉|关掉|关闭|关了|不喜欢|受不了|莫|唔好|"
        r"(?<!能)不能|(?<!可)不可以?|没有)(?>再|总是|总|老是|老|给我|跟我)*"
        r"(?:(?:在|往|给|跟|对|到)[^,别]{0,6}[你我里面中上后前尾头句段]|[^,用要]{0,3})(?>再|总|老|给我|跟我|堆|谈|套|掉|太多|太|"
        r"那么|这么|用|写|说|讲|加|放|带|打|发|搞|整|弄|塞|插|夹|配|附|摆|有|出现|显示|任何|一堆|这些|那些|"
        r"什么|动不动就?|一上来就?|每次都?|一个劲儿?地?|没事就?|夹|蹦|拽|铺垫|跟|动|甩|糊|来| |[\"'“‘「『])*$"
    )


@cache
def _refused_after() -> re.Pattern[str]:
    return re.compile(
        r"(?:什么的|之类的?|这些|全部?|一律|都|请|就|通通|统统|帮我|给我|先|把它|可以)*(?:免了|免谈|省省?吧?|少(?:夹|来|用|说|写|发|拽|整)|拜托(?:不要|别)|"
        r"不用了?|不要了?|去掉|关掉|关了|关闭|删掉|省了|省略|少用|别(?:再)?(?:给|给我|来|用|加|放|写|发|有|出现|说|夹|蹦)了?|"
        r"不需要|不必|算了|禁止|少来|少点|可以省)"
    )


@cache
def _wanted() -> re.Pattern[str]:
    return re.compile(
        r"(?:里|上|部分|这块|格式|的话|我)*(?:都|请|一律|统一|默认|要|得|全部?|最好|尽量|一直|"
        r"必须|也|就|给我|你|帮我)*(?:用|写成?|采用|改成?|改为|设成?|设为|换成|调到|调成?|"
        r"设到|保持|控制在|遵循|按照?|是|放在?|标|显示|加|给|弄|叫|开|要)?(?P<v>(?:别|不要|"
        r"不)超过[^,]{1,10}|[^,别]{1,14}?)(?:就好|就行|就可以|即可|吧|好吗|行吗|给我|回答|"
        r"来写|来)?$"
    )


@cache
def _anyone() -> re.Pattern[str]:
    """Who is told or written to, which is no way to do it: 称呼我, 提醒大家."""
    return re.compile("(?:[我你您他她它咱]|大家|自己|别人|人家)们?")


@cache
def _written_so() -> re.Pattern[str]:
    return re.compile(
        r"(?:里|的话)?(?:都|请|一律|统一|默认|全部?|最好|尽量|一直|给我|就)*(?:用|写成?|按照?|"
        r"采用)(?P<v>[^,了]{1,10}?)(?:就好|就行|吧|来写|写|的|格式)*$"
    )


@cache
def _unread() -> re.Pattern[str]:
    return re.compile("不(?:怎么|太|常|看|接|听)|看不[到见]|没空|[接听看]不了|不方便|收不到|不回")


@cache
def _never() -> re.Pattern[str]:
    return re.compile("(?<![特个区分性级告])别(?!的)|不要|不排|不约|不开|不行|不方便|没空")


@cache
def _gives() -> re.Pattern[str]:
    return re.compile(
        r"(?:给出?|写在|写进|附上?|带上?|加上?|标上?|列出?|注明|写上?|标注|说明|提供|举|多|"
        r"要|有|放|用|打开|开启|开|写|配上?)(?:我)?(?>个|一?[个两]|点|一些|具体的?|实际的?|"
        r"详细的?|\s)*$"
    )


@cache
def _leaning() -> re.Pattern[str]:
    return re.compile(
        "尽量|最好|一律|以后|今后|别|不要|都(?:安排|排|约|放|选|要|帮|订|坐|买)|习惯|优先|"
        "一般|通常|更(?:愿意|想|方便)|每次|只(?:坐|选|接受|回|看)|给我塞|[别甭]约|默认|一直|我(?:从来|一直|"
        "都)?[不只]?坐"
    )


@cache
def _enough() -> re.Pattern[str]:
    return re.compile("就(?:行|好|可以|成)|即可|最方便|方便点|更方便|比较方便|比较好")


@cache
def _uses() -> re.Pattern[str]:
    return re.compile(
        r"(?:一直|平时|平常|都|一般|主要|习惯|向来|基本上?|通常|日常|常年|只|长期|每天|从来|"
        r"现在|目前|全家|统一|默认|全都?|早就)[^,]{0,6}?(?:用|使|开(?=高德|百度|导航)|认准?|"
        r"靠|首选|主力|信|刷|排在|全在|都在|清一色|记在|放在?|存在?|走|在[^,]{1,8}上?(?:记|写|做|存))|^(?:我|本人|我们家?|我这边|"
        r"我自己|咱)(?:是)?用(?!了|过|完|的时候|来)|"
        r"(?:写|记|付|搜|查|看|导航|出门|买|收|发|画|剪|听|打|管|存|编辑器|ide|浏览器|终端|"
        r"输入法|日历|邮箱)[^,]{0,8}?(?:都|只|一直|全)?用|(?:笔记|日程|文档|照片|代码|待办|"
        r"资料|账)[^,]{0,4}?(?:都|全)+(?:在|放|存|记)|(?:换成|换到|改用|换用|转到|投奔|转用|"
        r"迁到)(?:了)?|[^,]{1,14}(?:老用户|重度用户)$|是[^,]{1,14}(?:党|死忠粉?|重度用户|老用户|忠实用户)$|(?:电脑|手机|系统|"
        r"浏览器|编辑器|开发机|shell|终端|输入法)\s*(?:一直|都|就)?是"
    )


def _use_of(filled: Filled) -> re.Pattern[str]:
    choice = filled.choice
    assert choice is not None
    words = re.escape(choice[0])
    return re.compile(
        rf"(?:用|使|认准?|[只就]信|刷|排在|[全都]在|清一色|敲|手上是|靠|首选(?:是)?|主力(?:机|系统)?(?:就)?(?:是)?|记在|放在?|存在?|走|上|在|换成|换到|转到|"
        rf"投奔|迁到|打开|开|选|走的?是?|电脑是|手机是|系统是|浏览器是|编辑器是|开发机是|shell ?是|终端是)(?:"
        rf"[的是了着]|自带|电脑是|手机是)*\s*{words}(?!\s*(?:的人|用户|公司|官网|总部|上班|出了|"
        rf"挂了|崩了|崩溃|更新|又|怎么|是什么|好用|打不开))|{words}\s*(?:当|做|作|是|就是)(?:我的?)?主力|是\s*{words}\s*(?:的)?(?:党|死忠粉?|"
        rf"重度用户|老用户|忠实用户)|{words}\s*(?:[^,]{{0,4}}年)?(?:的)?(?:老用户|死忠粉?|重度用户|忠实用户)|{words}(?:用惯|用得?最|一直用|"
        rf"用了[^,]{{0,4}}年|党|死忠|"
        rf"重度用户)"
    )


@ZH.sifted
def _not_to_be_called() -> re.Pattern[str]:
    return re.compile(
        "(?:别|不要|不用|不许)(?:再|总|老|老是|总是)?(?:叫|喊|称呼)我(?:为|作|做)?(?P<v>[^,]{1,6}?)[了啊吧呀啦哈呗嘛哦]*$"
        "|(?:别|不要)(?:再|总|老)?(?:用|拿)(?P<w>[^,]{1,8}?)(?:来)?(?:叫|喊|称呼)我"
        "|(?:别|不要|甭)(?:再|总|老)?一口一个(?P<x>[^,]{1,4}?)[的了啊]*$"
    )


@ZH.sifted
def _other_habit() -> re.Pattern[str]:
    return re.compile(
        r"(?:[^,我]{0,6}?)(?:一直以?来?|平时|平常|都|一般|习惯|向来|通常|只|长期|每天)+(?:是|"
        r"在)?用\s*(?P<v>[a-z][a-z0-9 .+-]{2,20}|五笔|双拼|仓颉|注音|[^,]{1,6}(?:输入法|软件|"
        r"播放器|app|相机|耳机|记账))(?:了|的)*$"
    )


@cache
def _paying() -> re.Pattern[str]:
    return re.compile("(?:付款|付钱|付账|买单|结账|支付|买东西|付账|消费)[^,]{0,8}?(?:都|一直|只|一般|习惯|基本)")


@cache
def _use_start() -> re.Pattern[str]:
    return re.compile(
        r"(?:一直|平时|平常|都|一般|主要|习惯|向来|基本上?|通常|日常|常年|只|长期|每天|从来|"
        r"现在|目前|写|记|付|搜|查|看|导航|出门|做|买|收|发|画|剪|听|打|管|存|编辑器|ide|终端|"
        r"输入法|日历|邮箱|主力|清一色|手上|刷|排|用|换|改|转|投奔|迁|是(?=[^,]{1,14}(?:党|粉|用户))|(?:的)?(?:电脑|"
        r"手机|系统|浏览器|编辑器|开发机)(?=是|一直|都)|认|靠|首选|只|全家|统一|默认|全|早就)"
    )


@cache
def _mine() -> re.Pattern[str]:
    return re.compile(
        "我|咱|主力|当主力|^(?:上网|买菜|出车|东西|事情|命令行|手上|家里|写|记|付|搜|查|看|导航|出门|做|买|平时|一直|平常|照片|文件|文档|资料|笔记|"
        "代码|日程|账单|水电费|话费|打车|吃饭|表格|视频|备份)"
    )


@ZH.sifted
def _third_person() -> re.Pattern[str]:
    return re.compile(
        r"[他她]|老板|同事|客户|领导|公司|他们|人家|别人|大家|我(?:妈|爸|老婆|老公|儿子|女儿|"
        r"哥|姐|弟|妹)|医生|老师|导师|朋友|室友"
    )


@cache
def _others_words() -> re.Pattern[str]:
    return re.compile(
        r"(?:我们?|咱们)?(?:老板|同事|客户|领导|他|她|公司(?!里?以后)|人家|别人|甲方|导师|"
        r"老师|医生|我(?:妈|爸|老婆|老公|儿子|女儿|哥|姐|弟|妹))"
    )
