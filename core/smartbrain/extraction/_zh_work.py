"""Chinese rules for tasks and their status, goals and decisions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, partial
from typing import Final

from smartbrain.extraction._zh_decisions import decisions
from smartbrain.extraction._zh_goals import goals
from smartbrain.extraction._zh_guards import stopped
from smartbrain.extraction._zh_people import NOBODY, USER, opening, relation_words
from smartbrain.extraction._zh_text import HAN, ZH, Clause, View, fold_in_place, trimmed, unsaid
from smartbrain.extraction._zh_times import TIME, dated, due_of
from smartbrain.extraction.hits import FIRM, PLAIN, Hit, looked_like, task
from smartbrain.extraction.keys import part

_LEAD: Final = (
    r"(?:对了|不过|但是?|而且|还有|另外|其实|因为|所以|然后|嗯|哦|唉|哎呀?|啊|行|好的?|"
    r"那|首先|其次|最后|话说|说起来|烦死了|救命|完了|天啊|糟了|差点忘了|btw|ps|hi|hello|"
    r"你好|记一下|记住|帮我记一?下|待办|todo|顺便|反正|主要|也|还)*\s*"
)
_ME: Final = r"(?:我们组?|我自己|我|咱们?|咱家|我家|我这边|这边|俺|公司|组里|团队|我们家|我们班|我们公司)?"
_GAP: Final = (
    rf"(?>\s|{TIME}|的|就|还|也|都|一定|千万|马上|赶紧|赶快|尽快|抽空|抽时间|找时间|有空|"
    rf"必须|在|先|再|又|差不多|最晚|最迟|务必|得|真的|刚好|回头|到时候?|晚点|顺路|下班后?|"
    rf"起来|可能)*"
)
DO: Final = (
    "做完|完成|搞定|弄好|写完|修好|准备|提交|交给|交(?!朋友|流|通|往)|发给|发(?!财|呆|"
    "火|脾气|胖|烧|疯|现|愁|福|誓|展|生|挥|育|言)|寄|处理|解决|办|买|预订|预约|订正|订|约|"
    "整理|更新|上线|部署|发布|审|批改|打印|归还|还(?!有|是|没|得|要)|取|续费|续|付|缴纳|缴|迁移|"
    "测试|打扫|收拾|做|搞|弄|写|改|修|填|报(?!道|复)|"
    "打电话|联系|回复|回(?=[^,]{0,6}(?:邮件|信|消息|电话))|签|挂号|挂[^,]{0,3}号|接|送|"
    "洗|换|装|搬|复习|背|备份|对账|跑(?=[^,]{0,4}(?:数据|流程|手续|测试|医保))|催|问|"
    "查|核对|确认|申请|注册|报名|充值|充|扔|喂|浇|带(?=[^,]{1,8}(?:去|打|看|做))|"
    "给[^,]{1,8}?(?:打|发|寄|做|买|换|洗|交|送|回|浇|剪|办)|去[^,]{0,8}?(?:拿|取|办|买|"
    "交|寄|领|换|退|打|看|做|剪)|领|拿|剪辑|剪|退|"
    "通知|安排|登记|录入|上传|下载|翻译|画|拍|校对|定稿|出(?=[^,]{0,6}(?:报告|方案|图|"
    "稿|题))|验收|汇报|结算|报销|报税|盘点|进货|上货|补货|结账|补(?=[^,]{0,6}(?:办|交|"
    "卡|材料|作业|签))|种|施肥|打药|收(?=[^,]{0,4}(?:麦|稻|货|租|快递))|检查|保养|年检|"
    "加油|面签|赶|抄|晒|熨|腾|清|删|关(?=掉|了)|练|录|调|搭"
)
_N: Final = "[0-9一二三四五六七八九十百两几]"
_RESULT: Final = f"(?:{DO})(?:好|完|妥|齐|掉|成|出去|上去|回来|下来|过去|出来|清|完毕)" + (
    r"|收齐|转给[^,]{1,6}|转过?去|转账|拿回来|抢到|(?:消|盖|犁|迁|耕|割|缝|腌|报|检|体检|办|跑|走)完(?:毒|章|地|流程|手续)?|交上去|补(?:上|好)|到账|置办齐|退回来|合并|"
    r"merge|发(?:群里|出去|走|过去)|递(?:上去|交)|邮(?:走|出去)|修(?=了)|挂失完|投(?:出去|递)?|批(?:下来|完)|采购(?:齐|完)|(?:凑|备|配|买)齐|下来|印(?:好|完)|搞定|"
    r"弄好|弄完|弄妥|做完|做好|写完|写好|改完|改好|办完|办好|办妥|办下来|修好|提交|发给[^,"
    r"]{1,8}?|寄(?:走|给[^,]{1,8}?)|(?:(?<=[^,]{2})(?<![启出沙头爆开自蒸激社外成转奋])[交发寄](?=了))|"
    r"买(?:好|到|齐|完)|订(?:好|到|完)|约(?:好|到|上)|预约(?:好|上)|预订好|整理(?:好|完)|"
    r"完成|处理(?:好|完|掉)|解决|打扫(?:完|干净|好)|收拾(?:好|完)|(?:付|缴)(?:清|完|掉|"
    r"好)|(?:付|缴)(?=了)|还(?:清|完|掉|上)|续(?:好|上|费|完)|取(?:回来|到|走|好)|打印(?:好|"
    r"完)|审完|批改?完|改完|迁移?(?:完|好)|测试?(?:完|通过)|部署(?:好|完)|填(?:好|完)|"
    r"备好|报完?名|签(?:好|完|了字)|洗(?:好|完)|跑完|搬完|装好|换好|画(?:好|完)|定稿|验收|"
    r"报完|录完|翻译?完|复习完|背完|对完|核对完|登记好|挂上号|上传(?:好|完)|备份(?:好|"
    r"完)|剪完|拍完|贴完|结清|接回来|退(?:掉|好)|订正完"
)


_V: Final = (
    "写|做|改|弄|画|测|搬|搞|修|整理|翻译|准备|填|批|装|收拾|印|赶|谈|排|编|拍|剪|录|"
    "刷|砌|挖|盖|织|缝|译|校|审|核|算|建|搭|调|办|学|背"
)


def find(view: View, taken: frozenset[int]) -> list[Hit]:
    """The tasks, goals and decisions of one sentence; ``taken`` are the clauses that tell something else."""
    hits: list[Hit] = []
    for hit in [*goals(view, taken), *decisions(view, taken), *_tasks(view, taken)]:
        if not any(hit.span == other.span and not other.skipped for other in hits):
            hits.append(hit)
    return hits


def _tasks(view: View, taken: frozenset[int]) -> Iterator[Hit]:
    if not _may_task.search(view.text):
        return
    listed = list(_listed(view))
    yield from listed
    for index, clause in enumerate(view.clauses):
        if index in taken or any(clause.start <= hit.span[0] < clause.end for hit in listed):
            continue
        if _MAY_BE_ONE.may(clause.text):
            yield from _first(_todo(view, index, clause), _cancelled(view, index, clause), _status(view, index, clause))


def _listed(view: View) -> Iterator[Hit]:
    """The things of a list of what is to be done: 要办的三样:换煤气灶、给老人办医保."""
    head = next(
        (at for at, one in enumerate(view.clauses) if one.mark == ":" and _list_of_tasks.search(one.text)), None
    )
    if head is None or not is_mine(view, head, "remind") or stopped(view, head, 0, 0, "tasks"):
        return
    for clause in view.clauses[head + 1 :]:
        for match in _entry().finditer(clause.text):
            start, end = clause.start + match.start(), clause.start + match.end()
            words = trimmed(view.said(start, end))
            thing = thing_of(words)
            if thing and _duty().search(match[0]) and "、" in clause.text and _doable(match[0], "must"):
                yield task("listed", (start, end), thing=thing, title=words, status="todo", due=due_of(view, head))


def _first(*ways: Iterator[Hit]) -> Iterator[Hit]:
    """What the first way finds that finds anything kept; else what was stopped."""
    stopped_hits: list[Hit] = []
    for way in ways:
        found = list(way)
        if any(not hit.skipped for hit in found):
            yield from found
            return
        stopped_hits += found
    yield from stopped_hits[:1]


def _todo(view: View, index: int, clause: Clause) -> Iterator[Hit]:
    for rule, pattern in (
        ("remind", _remind),
        ("must", _must),
        ("due", _due_thing),
        ("by_then", _by_then),
        *((("not_yet", _not_yet),) if _is_urgent(view, index) else ()),
        *((("reminded", _errand_to),) if _asks_after(view, index) else ()),
    ):
        match = pattern.match(clause.text) if _MAY_BE[rule].search(clause.text) else None
        if match is None:
            continue
        words = view.words(clause, match)
        thing = thing_of(words)
        if not thing or not _doable(fold_in_place(words), rule) or not is_mine(view, index, rule):
            continue
        if rule != "remind" and (
            _vague().fullmatch(fold_in_place(words)) or _vague_start().match(fold_in_place(words))
        ):
            continue
        due = due_of(view, index)
        if rule == "remind" and "提醒" not in match[0] and due is None and not _duty().search(fold_in_place(words)):
            continue
        if match.groupdict().get("weak") and due is None and not dated.search(clause.text):
            continue
        at, end = (index + 1, 0) if rule == "not_yet" else (index, match.end())  # 还没 is what makes it one
        due = due or due_of(view, at)
        reason = stopped(view, at, 0, end, "tasks")
        if reason:
            yield looked_like("tasks", rule, clause.span, reason)
            continue
        firm = rule == "remind"
        yield task(
            rule, clause.span, thing=thing, title=words, status="todo", due=due, confidence=FIRM if firm else PLAIN
        )
        return


def _status(view: View, index: int, clause: Clause) -> Iterator[Hit]:
    for rule, status, pattern in (
        ("blocked", "blocked", _blocked),
        ("blocked_thing", "blocked", _blocked_thing),
        *((("blocked_for", "blocked", _held_up),) if _reason_beside(view, index) else ()),
        ("doing_half", "doing", _half_done),
        ("done_first", "done", _done_first),
        ("done", "done", _done),
        ("doing", "doing", _doing),
    ):
        match = pattern.match(clause.text) if _MAY_BE[rule].search(clause.text) else None
        if match is None:
            continue
        words = view.words(clause, match)
        thing = thing_of(words)
        if (
            not thing
            or _unlikely().search(fold_in_place(words))
            or _vague().fullmatch(fold_in_place(words))
            or _vague_start().match(fold_in_place(words))
            or not is_mine(view, index, rule)
        ):
            continue
        if status == "done" and _by_itself().search(clause.text):
            continue
        if status == "blocked" and _on_the_way().search(fold_in_place(words)):
            continue
        if rule == "doing" and _passing_work().match(fold_in_place(words)):
            continue
        end = match.end("v") if rule == "blocked_for" else len(clause.text)  # 还没 is what holds it up
        reason = stopped(view, index, 0, end, "tasks")
        if reason:
            yield looked_like("tasks", rule, clause.span, reason)
            continue
        yield task(rule, clause.span, thing=thing, title=words, status=status)
        return


def _cancelled(view: View, index: int, clause: Clause) -> Iterator[Hit]:
    may = _MAY_BE["cancelled"].search(clause.text)
    match = (_no_need.match(clause.text) or _no_need_thing.match(clause.text)) if may else None
    if match is None:
        return
    words = view.words(clause, match)
    thing = thing_of(words)
    if (
        not thing
        or _unlikely().search(fold_in_place(words))
        or _vague().fullmatch(fold_in_place(words))
        or _no_need_not().match(fold_in_place(words))
        or not is_mine(view, index, "cancel")
    ):
        return
    reason = stopped(view, index, 0, match.end(), "tasks")
    if reason:
        yield looked_like("tasks", "cancelled", clause.span, reason)
    else:
        yield task("cancelled", clause.span, thing=thing, title=words, status="todo", retract=True)


def thing_of(words: str) -> str:
    """The key part of what is to be done, without a verb that only says "get it done".

    >>> thing_of("把采购合同发给法务")
    '采购合同'
    """
    text = fold_in_place(words).strip()
    ba = re.search("^[^,]{0,12}?(?:把|将)", text) is not None
    text = _leading().sub("", text)
    went = _errand().match(text) if ba else None
    text = text[went.end() :] if went else text
    moved = _with_ba().fullmatch(text)
    if moved is not None and (ba or moved["more"]):
        return part(_measure().sub("", moved["thing"]))
    text = _verb().sub("", text, count=1)
    text = _measure().sub("", text)
    text = _after().sub("", text)
    return part(_moved_on().sub("", _adverbs_at_end().sub("", text)))


def is_mine(view: View, index: int, rule: str = "") -> bool:
    """Whether a clause that names nobody, or 我, goes on about the user."""
    for at in range(index, -1, -1):
        who = opening(view, at)
        if who is not None:
            if at == index and _possessed().match(view.clauses[at].text):
                return True
            pointed = (
                at == index
                and rule != "remind"
                and re.match("[这那](?:个|份|张|篇|本|件|封|批|套)", view.clauses[at].text)
            )
            return (
                who == USER
                or bool(pointed)
                or (rule == "remind" and at < index)
                or (who == NOBODY and at < index and rule in ("done", "blocked"))
            )
    return True


def _doable(words: str, rule: str) -> bool:
    if _not_task().match(words) or unsaid(words):
        return False
    if rule == "remind":
        return len(words) <= 40 and not re.match("[我你他她它]|那[家个次]|这", words)
    return len(words) <= 40


# --- the words ---------------------------------------------------------------------------------------------------


_MARKS: Final = {
    "remind": "提醒|忘|记得|记着|todo|待办|[叫喊催]我",
    "must": "[要得该]|必须|准备|打算|计划|务必|不得不|需要",
    "not_yet": "没",
    "reminded": "",
    "due": "[要得]|必须|需要",
    "by_then": "把",
    "blocked": "卡在|等",
    "blocked_for": "不[动了下出成]|没法|没办法|还没|[耗拖挂]着|停了|停摆",
    "blocked_thing": "卡|停|搁|等|受阻|动不|不动|下去",
    "doing_half": "一半|大半|%|正在|还在|着|在|差不多|开头|了个|进行",
    "done": "[了啦咯]|完|搞定|成",
    "done_first": "终于|总算|已经|刚|可算|[天晚早周月号午点]",
    "doing": "在|忙着|着手|开始|正",
    "cancelled": "不|甭|别|的事|这事|那事|取消|作废|用不着|没必要|无需",
}
"""Words of which one stands in whatever a rule matches."""


_MAY_BE: Final = {rule: ZH.sifted(partial(re.compile, words)) for rule, words in _MARKS.items()}
_MAY_BE_ONE: Final = ZH.sifted(partial(re.compile, "|".join(_MARKS.values())))


@cache
def _possessed() -> re.Pattern[str]:
    # The child's vaccination book is a thing, and the one who has to see to it is the user.
    return re.compile(rf"(?:我)?(?:{relation_words()})的")


@ZH.sifted
def _may_task() -> re.Pattern[str]:
    return re.compile(
        "[要得把了在完好卡等甭别]|[耗拖挂]着|[叫喊催]我|没法|没办法|还没|必须|需要|提醒|忘|记得|待办|todo|一半|不用|用不着|取消|差不多|成$|齐$|停"
    )


@ZH.sifted
def _remind() -> re.Pattern[str]:
    return re.compile(
        rf"{_LEAD}(?>你|可以|可|请|麻烦|帮我?|到时候?|记得|务必|千万|{TIME}|能不能)*(?:提醒我(?:一[声下])?|"
        rf"提醒一下我?|叫我记得|让我别忘了?|别让我忘了?|别忘记?了?提醒我|(?:待办|todo)(?:事项)?:?|"
        rf"(?:千万)?(?:别|不要)忘(?:记)?了?|(?>我|一定|千万|要|可)*(?:要|得|可要|一定要|千万)记得|"
        rf"^记得|帮我记着|替我记着|记着|(?:到点|到时候?|{TIME})(?:再)?[叫喊催]我(?=去|给|把|带|拿|交|取|做|打|关|翻|吃药|起来)|^[叫喊]我(?=去|把|给))(?>要|得|去|"
        rf"\s|说|,)*{_GAP}(?:要|得|去)?(?P<v>[^,]{{2,40}}?)(?:,"
        rf"|$)"
    )


@ZH.sifted
def _list_of_tasks() -> re.Pattern[str]:
    return re.compile("待办|要[办做弄]|清单|任务|todo|还没[办做弄]|得[办做弄]|别忘|提醒我")


@cache
def _entry() -> re.Pattern[str]:
    return re.compile("[^、,]{2,20}")


@cache
def _duty() -> re.Pattern[str]:
    return re.compile(rf"^(?>把|将|给|去|跟|向|{TIME}|\s)*(?:{DO})|^把")


@ZH.sifted
def _must() -> re.Pattern[str]:
    return re.compile(
        rf"{_LEAD}{_ME}{_GAP}(?:(?P<weak>要(?!是|不|么|求|好|死|命|说|知道|我|你|他|有|什么|"
        rf"怎么)|该(?!死)|准备(?!好)|打算|计划)|还得|还要|(?:(?<=[我们天周月号前内日底]))还?需要|"
        rf"得(?!到|了|益|知|意|罪|体|奖|病)|必须得?|一定要|非得|务必|记得要|不得不)(?>要|去|"
        rf"{TIME}|\s|在|赶紧|尽快|抽空|先|再|把)*?(?P<v>(?:把|将)?(?:[^,]{{0,10}}?)(?:{DO})(?!的)[^,"
        rf"]{{0,30}}?)(?>了|呢|啊|吧|的)*$"
    )


def _asks_after(view: View, index: int) -> bool:
    """Whether the clause behind asks to be reminded: 你到时候提醒我."""
    return index + 1 < len(view.clauses) and _reminding.match(view.clauses[index + 1].text) is not None


@ZH.sifted
def _reminding() -> re.Pattern[str]:
    return re.compile(
        "(?:你|请|麻烦|记得|到时候?|到点|帮我|替我|给我|千万|可|一定)*(?:提醒(?:我|一下)|[叫喊]我一?声|帮我记着|替我记着|帮我盯着|别让我忘|记上)(?:一[下声]|啊|哈|哦|了|吧)*$"
    )


@ZH.sifted
def _errand_to() -> re.Pattern[str]:
    return re.compile(
        rf"{_LEAD}{_ME}(?>{TIME}|要|得|去|再|先|还|就|的)*(?P<v>(?:[^,]{{0,10}}?)(?:{DO})(?!的)[^,]{{1,16}}?)(?>了|呢|啊|吧)*$"
    )


def _is_urgent(view: View, index: int) -> bool:
    """Whether the clause behind says that it has to be done: 得赶紧弄, 今晚补, 月底截止."""
    return index + 1 < len(view.clauses) and _urgent.match(view.clauses[index + 1].text) is not None


@ZH.sifted
def _urgent() -> re.Pattern[str]:
    return re.compile(
        rf"(?>我|还|就|这|{TIME})*(?:得|要(?!是|不)|必须|赶[快紧]|抓紧|务必|该)(?!到|了|益)[^,]{{0,10}}$"
        rf"|(?:{TIME})+(?>就|再|得|要|去|我)*(?:补|弄|做|写|交|办|搞|跑|送|发|截止|到期)[^,]{{0,3}}$|再不[^,]{{1,6}}就|惦记着|别让我忘|别忘|提醒我|替我记"
    )


@ZH.sifted
def _not_yet() -> re.Pattern[str]:
    """机票还没订, 周报没写."""
    return re.compile(
        rf"{_LEAD}{_ME}(?:{TIME})*(?:欠着|还欠|就差|手头就差)?(?P<v>[^,我你他她没]{{2,12}}?)(?:我|都|也|一直|今年|今天)*(?:还)?没(?:来得及|空|"
        rf"顾上)?(?:{DO})(?:呢|完|好|上|过|了)*$"
    )


@ZH.sifted
def _due_thing() -> re.Pattern[str]:
    return re.compile(
        rf"{_LEAD}{_ME}(?:的)?(?P<v>[^,我你他她要得]{{2,14}}?)(?:(?>最晚|最迟|必须)*(?:{TIME})+{_GAP}(?:要|"
        rf"得|必须|需要|就要|就得)|得去|还得|还要|必须|需要去?)(?>{DO})+(?>出去|掉|完|好|"
        rf"上去|办|一[下个份张]|了)*(?:给[^,]{{1,8}}?)?(?>了|呢)*$"
    )


@ZH.sifted
def _by_then() -> re.Pattern[str]:
    return re.compile(
        rf"{_LEAD}{_ME}(?:{TIME})*(?:之前|以前|前|之内|以内)(?:务必|一定|尽量|必须|先|再)*(?P<v>把[^,"
        rf"]{{1,12}}?(?:{DO})[^,]{{0,12}}?)(?:了)?$"
    )


@ZH.sifted
def _done() -> re.Pattern[str]:
    return re.compile(
        rf"{_LEAD}{_ME}(?:终于|总算|已经|可算|刚刚?|一口气)?(?:把|将)?(?:{TIME})*(?:把|将|的)?(?P<v>[^,"
        rf"我你他她它]{{1,16}}?)(?:我们?|咱)?(?>{TIME}|早就?|终于|总算|已经|刚刚?|都|全部?|也|给|基本|"
        rf"[一1]大早|顺利|彻底|可算)*(?:给)?(?:{_RESULT})(?:了(?!吗|没)|啦|咯|$)(?:,"
        rf"|$|[啊呀哈!~]|给[^,]{{1,6}}$)"
    )


@ZH.sifted
def _done_first() -> re.Pattern[str]:
    return re.compile(
        rf"{_LEAD}{_ME}(?:{TIME})*(?>终于|总算|已经|刚刚?|可算|{TIME})+(?:把)?(?:搞定|弄好|"
        rf"弄完|做完|写完|改完|办完|办好|修好|交|提交|完成|处理完|解决|整理完|打扫完|收拾完|"
        rf"还清|还完|填完|批完|审完|测完|复习完)(?:了)?(?P<v>[^,了]{{2,16}}?)(?:了)?$"
    )


@ZH.sifted
def _half_done() -> re.Pattern[str]:
    return re.compile(
        rf"{_LEAD}{_ME}(?:把|的)?(?:{TIME})*(?P<v>[^,我你他她]{{1,14}}?)(?:我)?(?:才|刚|已经|"
        rf"也|都)*(?:(?:{_V})得差不多|(?:{_V}|走|跑|收拾)(?:到|了)(?:第?{_N}{{1,3}}(?:来|多)?[章页稿轮版份期集]|{_N}{{1,3}}月份?|{_N}成)|"
        rf"(?:收拾|整理|谈|赶|跑|走|练)着呢|推进中|联调中|在?(?:走|跑)(?:流程|审批|手续)呢?|"
        rf"(?:还|就)?(?:剩|差)(?:个尾巴|一个尾巴|最后[^,]{{1,4}})|(?:{_V})了个?(?:开头|头|大概|框架|初稿|大半)|(?:{_V})(?:到|"
        rf"了)(?:一半|一大半|一小半|三分之[一二]|大半|[0-9]+%)|进行到一半|完成了?一半|完成了?[0-9]+%|"
        rf"进行中|正在(?:{_V}|处理|进行)|还在(?:{_V}|处理)|(?:弄|做|写|改)着呢?|在(?:弄|做|"
        rf"写|改|办|处理|赶)了)(?:了|呢)*$"
    )


@ZH.sifted
def _doing() -> re.Pattern[str]:
    return re.compile(
        rf"{_LEAD}{_ME}(?:{TIME})*(?:现在|目前|最近|这周|手头|今天|一直|都|还)*(?:正在|在|还在|"
        rf"忙着|正|正忙着|着手|开始)(?:弄|做|写|改|修|搞|准备|整理|处理|办(?!公)|测试?|开发|"
        rf"实现|画|赶|排查|调试|跟进|对接|筹备|迁移|部署|撰写|优化|重构|批改|审)(?:着|一下)?(?P<v>[^,"
        rf"]{{2,20}}?)(?:呢|了|的事情?|中)*$"
    )


@ZH.sifted
def _blocked() -> re.Pattern[str]:
    return re.compile(
        rf"{_LEAD}{_ME}(?:{TIME})*(?:现在|目前|还是|一直|还|又|就|都|被)*(?:卡在(?:了)?)(?P<v>[^,"
        rf"]{{2,16}}?)(?:这(?:里|儿|步|一步|块|边)?|那(?:里|儿|步|边)?|上|上面|环节)?(?:了|"
        rf"呢)*$|"
        rf"{_LEAD}{_ME}(?:得|要|还得|必须|只能)?等[^,]{{1,20}}?(?:才能|才可以|之后才能?)(?:继续|"
        rf"开始|动手)?(?:做|写|弄|交|办|改|搞)?(?P<w>[^,]{{2,14}}?)$"
    )


@ZH.sifted
def _blocked_thing() -> re.Pattern[str]:
    return re.compile(
        rf"{_LEAD}{_ME}(?:{TIME})*(?P<v>[^,我你他她]{{2,14}}?)(?:现在|目前|又|也|还|一直|都|"
        rf"给)*(?:卡住|卡壳|卡死|停滞|搁置|推不动|受阻|被[^,]{{1,10}}卡(?:住|着)?|卡着|停工|"
        rf"动不了|做不下去|推进不下去|暂停)(?:了|呢)*$|"
        rf"{_LEAD}{_ME}(?P<w>[^,我你他她]{{2,14}}?)(?:要|得|还要|还得|必须|只能)等[^,]{{1,16}}?(?:才能|"
        rf"才可以|再)[^,]{{1,6}}$|{_LEAD}{_ME}(?P<x>[^,我你他她]{{2,14}}?)卡在[^,]{{1,12}}?(?:了|"
        rf"上|那里?|这里?|那边)*$"
    )


def _reason_beside(view: View, index: int) -> bool:
    """Whether another clause says what is missing: 药没到, 等补材料."""
    return any(at != index and _missing.search(one.text) for at, one in enumerate(view.clauses))


@ZH.sifted
def _missing() -> re.Pattern[str]:
    return re.compile(
        "[碰遇]上(?:了)?(?:石头|下雨|大雨|雨天|冻土)|塌了|没(?:到|来|货|过|批|验|回|下来|人|给)|干等|等着|^(?:还?在|得|要|就)?等(?!等)|缺|就?差|卡[住在]|要(?:原件|"
        "补)|不到货|唔覆|没法|下个不停"
    )


@ZH.sifted
def _held_up() -> re.Pattern[str]:
    """发货发不了, 猪圈的消毒还没弄: what does not move, where it is said why."""
    return re.compile(
        rf"{_LEAD}{_ME}(?:{TIME})*(?P<v>[^,我你他她没]{{2,12}}?)(?:又|也|还是|还|就|一直|都|现在|根本|这会儿)*"
        r"(?:[走推办批发上做弄拉开动跑交打挖修种谈装](?:不(?:动|了|下来|下去|出去|成)|没法)(?:张)?|没(?:法|办法)(?:弄|做|拉|种|办|开工|交|走|推进|装|发|上)|"
        r"(?:还|都)没(?:弄|做|办|装|修|搞|开始|动工|动)|干?耗着|拖着|挂着|停了|停摆)(?:了|呢)*$"
    )


@ZH.sifted
def _no_need() -> re.Pattern[str]:
    return re.compile(
        rf"{_LEAD}{_ME}(?:{TIME})*(?:就|也|都)*(?:不用|不需要|不必|用不着|无需|没必要)(?:再)?(?:去|"
        rf"给)?(?P<v>[^,]{{2,16}}?)了(?:$|[啊呀吧])"
    )


@ZH.sifted
def _no_need_thing() -> re.Pattern[str]:
    return re.compile(
        rf"{_LEAD}{_ME}(?:{TIME})*(?P<v>[^,我你他她]{{2,14}}?)(?:就|也|都|现在|暂时|我)*(?:(?:不用|"
        rf"不需要|不必|用不着)(?:再)?(?:去)?(?:{DO}|印|管|开|操心)(?:给[^,]{{1,6}})?了|[甭别](?:再)?(?:去)?(?:{DO}|印|管|"
        rf"开)(?:给[^,]{{1,6}})?了|(?:的事儿?|这事儿?|那事儿?)(?:就)?(?:算了|黄了|拉倒|免了|不弄了)|(?:这事|这个任务|"
        rf"任务|计划)?(?:取消|作废)了|不(?:做|弄|办|写|搞|交|改|修|订|约)了)(?:$|[啊呀吧])"
    )


@cache
def _no_need_not() -> re.Pattern[str]:
    return re.compile(
        "提醒|说|担心|客气|管|麻烦|谢|急|怕|想|理|解释|道歉|问|等|来|你|我|他|再说|多说|看|"
        "猜|试|记|这么|那么|一直|天天|每天|会议?|聚会|婚礼|演出"
    )


@cache
def _not_task() -> re.Pattern[str]:
    return re.compile(
        r"(?:赶[快紧]|尽快|快点|抓紧)?(?:弄|做|办|搞|订|交|去弄|买)(?:一?[下个点]|了|好)*$|[的我你他她]|(?:去)?(?:帮我|提醒|睡|吃|休息|上(?:个|一下)?厕所|下班|起床|"
        r"洗澡|出门|"
        r"回家|回去|走|喝|躺|疯|死|哭|承认|说|想|知道|相信|感谢|谢|学着|注意|小心|加油$|努力|"
        r"坚持|面对|接受|保持|多|好好|听|让|看(?:看|到|着)?你|问(?:你|一下你|一句)|跟你|给你|"
        r"你|和你|做(?:自己|人|梦|一个|个|出|到|得)|换(?:个|一种|位)|回复你|买单|提前[^,]{0,6}[订约]$|"
        r"开(?:心|会|始)|写代码$|上[班学课]$|收到|放松|改变|找(?:到|个))"
    )


@cache
def _vague() -> re.Pattern[str]:
    return re.compile(
        r"[这那它]?(?:个|些|件|样|边)?(?:事情?|东西|问题|活儿?|任务|工作|一切|全部|所有)?|"
        r"今天|都|全部|什么|总之|反正|好|行|[一二三两]个|差不多|记|今天就到这儿?吧?|饭|澡|"
        r"衣服|天|早|菜|人|钱|票|假|车|碗|床|地|水果|奶茶|外卖|热水|水|火|灯|门|窗|话|信|题|"
        r"我|事|一下|已经|刚|刚刚|终于|总算|手机|电脑|你的|(?:已经)?(?:全|都)?",
        re.UNICODE,
    )


@cache
def _unlikely() -> re.Pattern[str]:
    """Words that stand in no name of a thing to do: the clause tells something else."""
    return re.compile(
        "(?<!签)定$|感到|觉得|还要|需要|把|[了得]|很|非常|可以|已经|就|不|没|考$"
        f"|^完|^[{HAN}]{{1,2}}(?:完|好|掉|出来|上来|下来|上去|回来)$"
    )


@cache
def _by_itself() -> re.Pattern[str]:
    """化验报告下来了: what comes by itself was nobody's task."""
    return re.compile(
        "(?:报告|成绩|分数|结果|通知|批文|工资|奖金|名单|判决|处分|调令|录取|offer)(?:都|也|终于|总算|已经)*(?:下来|出来|到)"
    )


@cache
def _vague_start() -> re.Pattern[str]:
    return re.compile(
        r"了|在[弄做]|[这那它](?!份|周|个月)|他|她|你|谁|后来|结果|最后|原来|有|没|不|别|什么|"
        r"怎么|一(?:下子|会儿|口气)|大家|帮|被|让|给我|请|跟我|才|还|也|又|好(?:不|像|多|几)|"
        rf"看|听|吃|喝|睡|如|要|想|是|在(?!线|{TIME})|老师|老板|客户|对方|同事|医生|人家|(?:今天)?就"
    )


@cache
def _on_the_way() -> re.Pattern[str]:
    return re.compile(
        "路上|高速|地铁|电梯|门口|半路|堵|车[上里]|站台|楼道|第?[0-9一二三四五六七八九十]+关|"
        "红灯|收费站|桥上|中间|喉咙|嗓子|牙缝|门缝|机场|游戏|boss|拉链|鱼刺|抽屉|手指|车轮|"
        "卡纸|打印机|电脑|手机|画面|视频|网络|系统$|网页|软件$|轮子|盖子|钥匙"
    )


@cache
def _passing_work() -> re.Pattern[str]:
    return re.compile(
        r"饭|菜|早餐|午饭|晚饭|梦|头发|指甲|爱|题|作业|操|什么|啥|人|自己|这|那|我|你|他|她|"
        r"家务|运动|瑜伽|按摩|面膜|事|一些|很多|好|蛋糕|面包|实验$|东西|卫生"
    )


@cache
def _leading() -> re.Pattern[str]:
    return re.compile(rf"^(?>把|将|去|再|先|要|得|赶紧|抽空|记得|一下|我的|我们的|在|\s|{TIME})+(?=.)")


@cache
def _with_ba() -> re.Pattern[str]:
    return re.compile(
        rf"(?P<thing>[^,]{{1,16}}?)(?>都|全|给)*(?:{DO}|定|还|处理|办)(?P<more>(?>完|好|掉|了|上去|上|下来|"
        rf"出去|过去|回来|出来|起来|干净|妥|成|齐|清|一下)+(?:[给到去][^,]{{1,8}})?|[给到去][^,]{{1,8}})?"
    )


@cache
def _errand() -> re.Pattern[str]:
    """去车管所把违章处理了: where to, before what."""
    return re.compile("[^,把将]{1,8}[把将](?=.)")


@cache
def _verb() -> re.Pattern[str]:
    verbs = (
        "做完|做好|做|完成|搞定|搞|弄好|弄|写完|写好|写|改完|改好|改|修好|修|准备好?|提交|"
        "交给|交(?!通|流|代|接|换)|发给|发(?!财|呆|火|脾气|胖|胖|烧|疯|现|愁|福|誓|票|布会|"
        "言|现|烧|工资)|寄|处理|解决|办理|办好|办(?!公)|买|预订|订(?!单|婚|正)|预约|约(?!会)|"
        "整理|更新|上线|部署|发布|审(?!计|批)|批改|打印(?!机)|归还|还清|还(?!款)|领取|取(?!消)|"
        "续(?!费)|付|缴纳?|迁移|测试|打扫|收拾|填写?|去办|去买|去交|去取|去拿|去寄"
    )
    return re.compile(rf"^(?:去)?(?:{verbs})(?:一下|完|好|掉|上|下|了|个|到)*(?=.)")


@cache
def _measure() -> re.Pattern[str]:
    return re.compile(
        r"^(?:[一两二三四五六七八九十0-9]+[份张本条个篇封套件台部间场次只块盒箱批瓶双束幅笔]|"
        r"[份张本条篇封套台些](?=.{2}))(?=.)"
    )


@cache
def _adverbs_at_end() -> re.Pattern[str]:
    return re.compile(
        r"(?<=.{2})(?:那事儿?|这事儿?|那块|的活儿?)?"
        r"(?:还|也|又|都|就|才|刚|先|补|给|一直|已经|现在|目前)*$"
    )


@cache
def _moved_on() -> re.Pattern[str]:
    """捎瓶酱油|回来, 保证金打|过去: which way a thing goes is no part of what it is."""
    return re.compile(r"(?<=.{2})(?:回来|过去|过来|回去|上去|下来)$")


@cache
def _after() -> re.Pattern[str]:
    return re.compile(r"(?:的事情?|的事儿)$(?!)")
