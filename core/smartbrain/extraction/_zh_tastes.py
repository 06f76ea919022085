"""Chinese rules for what is liked and disliked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, Literal

from smartbrain.extraction._zh_fact_words import DIET, DRINK
from smartbrain.extraction._zh_guards import stopped
from smartbrain.extraction._zh_people import NOBODY, USER, subject
from smartbrain.extraction._zh_slots import Filled, slots_in
from smartbrain.extraction._zh_text import ZH, Clause, View, fold_in_place, trimmed, unsaid
from smartbrain.extraction.hits import PLAIN, Hit, fact, looked_like, preference
from smartbrain.extraction.keys import part
from smartbrain.model import slug

Polarity = Literal["like", "dislike"]


LONGEST = 16


_DISLIKING: Final = frozenset(
    """
    讨厌 痛恨 厌恶 反感 受不了 忍不了 吃不惯 喝不惯 用不惯 恨 烦 烦透 烦死 恨透 讨厌死 嫌 怕 接受不了 吃不了
    喝不了 不想再看到 受够了 吃腻了 喝腻了 腻了 看不惯 听不惯 住不惯
    """.split()  # noqa: SIM905
)


_FOR_OTHERS: Final = frozenset(("user_boss", "user_client", "user_landlord", "user_teacher"))


def tastes(view: View, index: int, clause: Clause) -> Iterator[Hit]:
    if not _may_taste.search(clause.text):
        return
    fronted = _fronted().fullmatch(clause.text)
    if fronted is not None:
        yield from _taste(view, index, fronted, "taste_fronted", fronted["verb"])
        return
    for match in _taste_verb().finditer(clause.text):
        yield from _taste(view, index, match, "taste", match["verb"])
    for match in _not_eating().finditer(clause.text):
        yield from _taste(view, index, match, "not_eating", "受不了")
    for match in _no_more().finditer(clause.text):
        yield from _taste(view, index, match, "no_more", "受不了")
    for match in _interest().finditer(clause.text):
        yield from _taste(view, index, match, "interest", "恨" if match["neg"] else "喜欢")
    for match in _again().finditer(clause.text):
        yield from _taste(view, index, match, "fine_again", "喜欢")
    for match in _favourite().finditer(clause.text):
        yield from _taste(view, index, match, "favourite", "讨厌" if match["bad"] else "喜欢")


def _taste(view: View, index: int, match: re.Match[str], rule: str, verb: str) -> Iterator[Hit]:
    clause = view.clauses[index]
    who = (
        USER
        if rule == "taste_fronted"
        else subject(view, index, match.start(), bare=rule != "not_eating" or index == 0)
    )
    if who is None or who == NOBODY:
        reason = stopped(
            view, index, match.start(), match.end("verb") if "verb" in match.groupdict() else match.end(), "preferences"
        )
        if who is None and reason:
            yield looked_like("preferences", rule, clause.span, reason)
        return
    start, end = match.span("v" if match["v"] or "w" not in match.groupdict() else "w")
    groups = match.groupdict()
    if rule == "not_eating" and _is_diet().fullmatch(trimmed(match["v"])):
        return
    negative = (verb in _DISLIKING) != bool(groups.get("neg") and rule != "interest")
    if verb in _DISLIKING and groups.get("neg") and rule != "interest":
        return
    raw = view.sentence.text[clause.start + start : clause.start + end]
    titles = _title().findall(raw)
    objects = [words for words in titles if len(words) <= LONGEST] or list(
        _objects(view.said(clause.start + start, clause.start + end))
    )
    if not objects:
        return
    reason = stopped(view, index, match.start(), end, "preferences")
    if not reason and who == USER and any(passing().match(fold_in_place(words)) for words in objects):
        reason = "an opinion on a passing thing"
    if reason:
        yield looked_like("preferences", rule, clause.span, reason)
        return
    polarity: Polarity = "dislike" if negative else "like"
    for words in objects:
        if unsaid(words) or passing().match(fold_in_place(words)) or no_object().search(fold_in_place(words)):
            continue
        if who == USER:
            yield _liked(rule, clause, words, polarity)
        elif who.key not in _FOR_OTHERS and not any(True for _ in slots_in(fold_in_place(words))):
            if who.name and who.relation:
                yield fact("relation", clause.span, k="relation", v=who.relation, subject=who.key)
            yield fact(rule, clause.span, k="dislikes" if negative else "likes", v=words, subject=who.key)


def _liked(rule: str, clause: Clause, words: str, polarity: Polarity) -> Hit:
    folded = fold_in_place(words)
    for filled in slots_in(folded):
        if filled.choice is not None or (
            filled.about is not None
            and (filled.slot.scope == "writing" or (filled.slot.scope == "ui" and folded.endswith(filled.about[0])))
        ):
            if not _belongs(filled, folded, clause):
                continue
            found = filled.choice or filled.about
            assert found is not None
            value = words if filled.slot.scope == "ui" and filled.choice is None else words[found.start() : found.end()]
            return preference(
                rule,
                clause.span,
                scope=filled.slot.scope,
                name=filled.slot.name,
                value=value,
                polarity=polarity,
                confidence=PLAIN,
            )
    name = (
        slug(fold_in_place(words))
        if f"《{words}》" in clause.text or "的话" in words
        else part(words) or slug(fold_in_place(words))
    )
    return preference(rule, clause.span, scope="other", name=name, value=words, polarity=polarity, confidence=PLAIN)


def _belongs(filled: Filled, words: str, clause: Clause) -> bool:
    """Whether a word of a slot's vocabulary is used for that slot: 现金 is, 现金流 is not."""
    slot = filled.slot
    if slot.name == "contact":
        return re.search("发|打|联系|找我|沟通|留言", words) is not None
    if slot.name == "meeting_time":
        return re.search("开会|会议|约|面谈", clause.text) is not None
    if slot.scope == "writing":
        found = filled.choice or filled.about
        whole = found is not None and 3 * (found.end() - found.start()) >= 2 * len(words)
        return (
            whole
            or re.search("回答|回复|答案|解释|说话|讲|写|语气|文风|风格|格式|结论|表格|列表|要点|分点", words)
            is not None
        )
    if slot.scope == "coding":
        return (
            filled.about is not None
            or slot.name in ("indentation", "framework", "package_manager", "database", "style")
            or re.search("写|用", words + clause.text) is not None
        )
    if slot.scope == "tools":
        found = filled.choice or filled.about
        return found is not None and len(words) - (found.end() - found.start()) <= (
            14 if words.startswith(("在", "用")) else 6
        )
    return True


def _objects(words: str) -> Iterator[str]:
    """The things liked: filler and eating verbs cut, an enumeration taken apart."""
    folded = fold_in_place(words)
    cut = _object_end().search(folded)
    if cut:
        words, folded = words[: cut.start()], folded[: cut.start()]
    last_and = [] if folded.startswith("在") else list(_and().finditer(folded))
    if last_and and "的" in folded and len(folded) <= LONGEST + 4:
        # 晴朗、温暖的天气 is one thing, and so is 电影里的人和事.
        last_and = [
            comma for comma in last_and if "的" not in folded[comma.end() :] and "的" not in folded[: comma.start()]
        ]
    pieces, last = [], 0
    for comma in last_and:
        pieces.append(words[last : comma.start()])
        last = comma.end()
    for piece in [*pieces, words[last:]]:
        bare = trimmed(piece)
        front = _object_front().match(fold_in_place(bare))
        bare = bare[front.end() :] if front else bare
        if bare and len(bare) <= LONGEST and any(ch.isalnum() for ch in bare):
            yield bare


@ZH.sifted
def _may_taste() -> re.Pattern[str]:
    return re.compile(
        "喜欢|[爱恨烦嫌腻怕迷]|讨厌|偏好|热衷|厌恶|反感|不了|不惯|习惯|宁[愿可]|愿意|受够|中意|"
        "感兴趣|兴趣|不感冒|[不]吃|不[能会]?[喝碰沾听看玩追逛]|上了|入坑|能[吃喝]|可以[吃喝]|"
        "开始[吃喝]|无感|着迷|情有独钟|上头|离不开"
    )


_DEGREE: Final = (
    "只|最|更|比较|超级?|特别|很|真的|蛮|挺|非常|还是|都|也|就|一直|从小|其实|还|尤其|"
    "相当|老|巨|越来越|一向|向来|天生|现在|确实|本来就?|始终|有点|实在|完全|根本|真|死|"
    "个人|平时"
)


@cache
def _taste_verb() -> re.Pattern[str]:
    act = "吃|喝|看|听|玩|用"
    return re.compile(
        rf"(?P<neg>(?>从来|一直|再也|真的|也|都|并|最|现在|其实)*(?:不太|不怎么|不是很|不大|"
        rf"不再|不(?![想得])|没那么|没有那么|没多))?(?>{_DEGREE})*"
        rf"(?P<verb>喜欢(?!你|他|她|上你)|偏爱|偏好|钟爱|热爱|热衷于?|中意|(?<![可恋疼关热亲做友])爱(?=上了|"
        rf"[吃喝看听玩用]|(?!莫能助|屋及)[^人情好心你他她它意戴护惜国慕面,$])|讨厌|痛恨|厌恶|"
        rf"反感|受不了|忍不了|受够了|(?<!可)(?<!悔)恨(?=[^不])|烦透|烦死|恨透|讨厌死|(?<=[最很超好特真])烦(?!恼|"
        rf"躁|人)|(?<=[最很超好特真])怕(?=[^,]{{0,6}}(?:片|虫|蛇|鬼|狗|猫|辣|吵|打雷|黑|香菜|"
        rf"蜘蛛|蟑螂|老鼠|电影|苦|酸|腥|人多|热闹|应酬))"
        rf"|习惯(?!了|性|的|是|养)|宁愿|宁可|更愿意|离不开|[吃喝用看听住]不惯|接受不了|[吃喝]腻了|"
        rf"看不惯|迷上|(?<=[超最很可特别好])迷(?!路|糊|信|茫|你|恋|惑|上|彩)|入坑|沉迷(?:于)?)(?:死|惨|疯)?(?:上|着)?(?:了)?(?:{act}(?=.))?(?P<v>[^,"
        rf"的就][^,]{{0,40}})"
    )


@cache
def _fronted() -> re.Pattern[str]:
    return re.compile(
        rf"(?P<v>[^,我你他她]{{1,10}}?)(?:这东西|这玩意儿?|什么的)?我(?>是|也|都|可|还|就|一直|"
        rf"从小|现在|真的|最|很|特别|超)*(?P<neg>不太|不怎么|不是很|不大|不)?(?>{_DEGREE})*(?P<verb>喜欢|"
        rf"爱(?=[吃喝看听])|讨厌|受不了|吃不惯|喝不惯|吃不了|反感|(?<=最)[恨烦怕])(?:吃|喝|看|听|玩|用)?(?>的|"
        rf"了|啊|呀|吧|呢)*"
    )


@cache
def _not_eating() -> re.Pattern[str]:
    return re.compile(
        r"(?<![要吃喝])(?>从来?|一直|完全|一口都?|一点都?|都|也|是|现在)*不(?:能|敢|会|怎么|"
        r"太能|太)?(?:吃|喝|碰)(?P<v>[^,了过饭药亏的这那完惯][^,]{0,9})"
    )


@cache
def _no_more() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:已经|再也|现在|早就)+不再?|不再)(?:听|看|玩)?(?P<v>(?<=[听看玩])[^,]{1,10}|"
        r"[追逛][^,]{1,8})了$"
    )


@cache
def _is_diet() -> re.Pattern[str]:
    return re.compile(f"(?:{DIET}|{DRINK})(?:(?:和|跟|、|也不吃|与)(?:{DIET}))?")


@cache
def _interest() -> re.Pattern[str]:
    return re.compile(
        r"对(?P<v>[^,我你他她]{1,14}?)(?>都|一直|也|从小就?|特别|很|非常|挺|最|真的|比较|超|"
        r"还是?|倒是?|其实|确实|相当|向来|一向|始终|格外|尤其|蛮|完全|一点也?|实在|越来越)*"
        r"(?P<neg>不(?:太|怎么)?感兴趣|没(?:什么|啥|有)?兴趣|不感冒|"
        r"无感|提不起兴趣)?(?:感兴趣|情有独钟|着迷|上头|有兴趣|$)(?<=[趣钟迷头感冒])"
    )


@cache
def _again() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:现在|又|终于)+(?:能|可以|敢|肯|爱|开始)(?:吃|喝)|(?:已经|现在|也)*不(?:讨厌|"
        r"介意|排斥))(?P<v>[^,]{1,10})了$"
    )


@cache
def _favourite() -> re.Pattern[str]:
    return re.compile(
        r"最(?:(?P<bad>讨厌|不喜欢|烦|受不了)|喜欢|爱)(?:吃|喝|看|听|玩|用|去)?的[^,是]{0,8}?(?:就|"
        r"还|应该|当然|肯定|一直)?是(?P<v>[^,]{1,24})|^我(?:最)?喜欢的[^,是]{1,8}(?:就|还|"
        r"应该|当然|一直)?是(?P<w>[^,]{1,16})"
    )


@cache
def _object_end() -> re.Pattern[str]:
    return re.compile(
        r"但是?(?!丁)|因为|所以|不过|而(?:不是|且|不|讨厌)|也不|都不|胜过|多过|大于|多于|甚于|"
        r"超过|不喜欢|不爱|讨厌|不是|而已|之类|什么的|的时候|这种|这类|这样|那种|那样|等等|"
        r"等(?!待|级|候|于|你|我)|了$|[\ufffc]|比[^,]{1,8}[好多]|、?还有时候|,|哈哈|呜+$|!+$|"
        r"得不?得?了|得要[死命]|死了|到不行|没得|嘛|吧|啦|啊|呀|呢"
    )


@cache
def _object_front() -> re.Pattern[str]:
    return re.compile(
        r"(?>于|着|上|过|吃|喝|看|听|玩(?!具|偶|乐)|用(?!心|户)|那种|这种|各种|各类|所有|做些|"
        r"尝试做?|一些|一堆|一大堆|满屏的?|些)+(?=.)"
    )


@cache
def _and() -> re.Pattern[str]:
    return re.compile(r"、|以及|还有|和(?!平|谐|服|声|气|牛)|(?<=.)跟(?!风|屁)")


@cache
def passing() -> re.Pattern[str]:
    return re.compile(
        r"这|那|你|您|他|她|它|我|咱|自己|(?:倒数)?第[一二三四五六七八九十两0-9]+[张个版种款件条段幅稿首篇句组套页行封份](?!.{2})|"
        r"[前后左右中][面边间]?(?:那|这|的|[一两])[^,]{0,2}[张个版种款件条段幅稿首篇]|[a-d](?:方案|版|款|选项)?$|方案[a-d一二三0-9]|上面|刚才|什么|谁|被|人家|别人|"
        r"一(?:[件部本首篇场条段幅款位种次下]|"
        r"个(?!人))|其中|里面|哪|今天|昨天|该|某|对方|大家|此|如此|本|刚刚"
    )


@cache
def _title() -> re.Pattern[str]:
    return re.compile("《([^《》]{1,16})》")


@cache
def no_object() -> re.Pattern[str]:
    return re.compile(
        r"[我你您他她它]|什么|怎么|不得了|要死|(?:之|死|透|就|到|得|更|最|很|(?<![餐空产土草])地)$|"
        r"^[长短大小多少快慢高低好新旧远近冷热]的?$|^(?:就|的|死|透|不|得|到|做的?|事|人|东西|"
        r"感觉|和|成|一下|一点|极|上|都|也|在|是|说|有|对|做的事情?|的话|地方|事情|生活|它们|"
        r"这些|类型)$|^(?:的是|的话|的人|就好|就行|得|程度|自己|上了?你|归)|[?]|^[\d.]+$|受欢迎|"
        r"被|传递|演员|剧情|结尾|情节|画面|里面的"
    )
