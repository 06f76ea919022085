"""What stops a Chinese candidate: why the words are no statement of the user's about what holds.

``stopped`` gives the reason in words, "" when nothing stops the hit. Guards look at the clause of the hit, at what
stands before it in the sentence, and at the sentences beside it.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from smartbrain.extraction._zh_people import SURNAMES, diagnosis, relation_words
from smartbrain.extraction._zh_text import HAN, ZH, Clause, View, fold_in_place
from smartbrain.extraction.literals import Sifted

QUESTION: Final = "a question"
CONDITION: Final = "a condition or a hypothesis"
REPORTED: Final = "somebody else's words"
MATERIAL: Final = "text to work on, not the user's own words"
SARCASM: Final = "a joke or sarcasm"
UNSURE: Final = "not certain, or not decided yet"
PAST: Final = "the past, which no longer holds"
ONCE: Final = "for this once only"
GENERIC: Final = "about people in general"
DENIED: Final = "a denial of a denial"


def stopped(view: View, index: int, start: int, end: int, kind: str) -> str:
    """Why a hit of ``kind`` at ``[start, end)`` of clause ``index`` may not be kept; "" when it may."""
    clause = view.clauses[index]
    if is_joke(view):
        return SARCASM
    if is_material(view, index):
        return MATERIAL
    for at in range(index):
        reason = _carried(view.clauses[at])
        if reason:
            return reason
    if kind != "nickname" and _speech.search(clause.text, end):
        return REPORTED
    if (
        _condition.search(clause.text, end)
        or _condition_after().search(clause.text, start)
        or _opens_condition(clause, start)
    ):
        return CONDITION
    return _of_kind(view, index, end, kind)


def _of_kind(view: View, index: int, end: int, kind: str) -> str:
    clause = view.clauses[index]
    if is_question(view, index, end, kind):
        return QUESTION
    if _unsure.search(clause.text, end) and not (kind == "goals" and _plans.search(clause.text)):
        return UNSURE
    if _denied.search(clause.text):
        return DENIED
    if kind != "nickname" and _generic.search(clause.text, end):
        return GENERIC
    if kind in ("preferences", "profile") and _whole_group.search(clause.text, end):
        return GENERIC
    past = _PAST_OF.get(kind)
    if past is not None and past.search(clause.text, end) and not _still.search(clause.text):
        return PAST
    if kind == "preferences" and _once.search(clause.text) and not _standing.search(view.text):
        return ONCE
    return ""


def _carried(clause: Clause) -> str:
    """What an earlier clause does to those behind it."""
    if _speech.search(clause.text) and not _diagnosis.search(clause.text):
        return REPORTED
    if (_condition.search(clause.text) or _condition_after.search(clause.text)) and not _polite().search(clause.text):
        return CONDITION
    if _wish.search(clause.text):
        return UNSURE
    return ""


def is_joke(view: View) -> bool:
    """Whether the sentence says that it is not meant."""
    known = view.memo.get("joke")
    if not isinstance(known, bool):
        known = _joke.search(view.text) is not None
        view.memo["joke"] = known
    return known


def is_material(view: View, index: int) -> bool:
    """Whether the clause is a text to translate, to polish, to act or to imagine."""
    known = view.memo.get("material")
    if not isinstance(known, int):
        known = _material_from(view)
        view.memo["material"] = known
    return index >= known


def _material_from(view: View) -> int:
    """The first clause that is material; the number of clauses when none is."""
    if _all_material.search(view.text):
        return 0
    for at, clause in enumerate(view.clauses):
        if _fiction.search(clause.text):
            return at + 1
        if clause.mark == ":" and (_task_on_text.search(clause.text) or _title.search(clause.text)):
            return at + 1
    before = view.sentence.before.rstrip()
    if before.endswith((":", "：")) and (_task_on_text().search(before) or _title().search(before)):
        return 0
    return len(view.clauses)


def opens(text: str, after: str = "") -> str:
    """Why what follows a sentence (folded) in its message is not the user's own words."""
    return MATERIAL if _announces(text) and not _own_again().match(fold_in_place(after)) else ""


def _announces(text: str) -> bool:
    if _role_play.search(text):
        return True
    on_text = _work_on.search(text)
    if on_text and (text.endswith(":") or ":" in text[on_text.start() :] or _below.search(text)):
        return True
    return text.endswith(":") and _title.search(text) is not None


def is_question(view: View, index: int, end: int, kind: str) -> bool:
    """Whether the clause asks; a request in the form of a question about what is to hold from now on does not."""
    clause = view.clauses[index]
    text = clause.text
    if kind == "preferences" and _request.search(text) and _standing.search(view.text):
        return False
    if _asks_before.search(text, end) or _choice.search(text):
        return True
    if clause.mark == "?" or _asks_at_end.search(text):
        return True
    following = view.clauses[index + 1] if index + 1 < len(view.clauses) else None
    return following is not None and _tag().fullmatch(following.text) is not None and kind != "preferences"


def _opens_condition(clause: Clause, start: int) -> bool:
    return _otherwise.match(clause.text) is not None and start >= 0


@ZH.sifted
def _joke() -> re.Pattern[str]:
    return re.compile(
        r"开玩笑|逗你|骗你的|才怪|呵呵|呵$|呵[,.!]|狗头|doge|手动滑稽|反话|谁不(?:喜欢|爱|"
        r"想)|可真(?:会|是)|真是太?(?:感谢|谢谢)|我谢谢(?:你|您|他)|^是是是|^对对对|^好好好|"
        r"[最就](?:是)?(?:喜欢|爱)(?:加班|开会|值班|堵车|排队|早高峰|写周报|改需求|被骂|熬夜赶|大半夜|"
        r"凌晨|节假日|被[^,]{1,4}[催骂坑宰放训]|挤(?:地铁|公交|早高峰)|填表|背锅|等叫号|写检讨|周一)|使我快乐|何德何能|"
        r"(?:真|可)(?:是)?(?:太)?(?:会)?谢谢(?:它|您嘞|你全家)|你信(?:吗|不)|信不信由你"
        r"|最(?:爱|喜欢)(?:把|被|给|帮|替|陪)[^,]{2,14}(?:了呢|呢|了呗)$|可太(?:爱|喜欢)[^,]{2,14}了[呢呵]"
        r"|🐶|🙄|[(]笑[)]|jk\b|说着玩|瞎编的|我编的|胡说的|愚人节|^才不|真有你的"
    )


@ZH.sifted
def _speech() -> re.Pattern[str]:
    third = (
        rf"(?:他们?|她们?|(?<![{HAN}])[那这]?[男女]的|相亲对象|人家|别人|有人|大家|对方|网友|客服|医生|大夫|老师|老板|领导|经理|"
        rf"客户|甲方|同事|房东|教练|面试官|审稿人|星座|算命|书里|书上|文章|新闻|网上|问卷|海报|"
        rf"广告|群里|公司|学校|导师|"
        rf"产品|运营|hr|法务|财务|物业|中介|前任|前男友|前女友|朋友|{relation_words()}|(?<![{HAN}])[小老阿][{SURNAMES}"
        rf"][^,]{{0,1}})"
    )
    says = (
        "说(?!好|服|实话|真的|定|明|起|不定|过的话)|讲(?!究|课|座|解|师)|表示|认为|以为|让我|"
        "让咱|让大家|叫我(?![小老阿])|要我|要大家|劝|催|逼|要求|希望|建议|问我?|告诉|骂|嫌|"
        "规定|提议|提出|觉得|想让|非要|非让|叮嘱|嘱咐|"
        "写着|写道|批了|回复|发来|转发|通知|安排我|答应|主张|坚持"
    )
    return re.compile(
        rf"(?<![给跟对向和找问帮替])(?<!我的){third}[^我,]{{0,8}}?(?:{says})|(?:听|据)[^我,"
        rf"]{{0,6}}说|传说|(?<![后请别要你再次时候都能以天前起])(?<=[{HAN}])(?:跟|对|和)我(?:说|"
        rf"讲)(?!话|东西|的时候)|(?:^|有句话|俗话|老话|常言|网上|有个人)说(?!好|服|实|真|定|"
        rf"明|起|到|错|岔|白|来|过|一下|清|完|话|点|正经|回|起来)"
        r"|写着|写道|那句|歌词|唱(?:的|着|道)|台词|网传|标题是|签名是|上面(?:写|说)|原话|原文(?!链接|连结|出处|地址)|以为我|都说我|"
        r"(?<!刚才)(?<!之前)(?<!刚刚)(?<!上次)(?<!前面)(?<!跟你)(?<!和你)(?<!给你)(?<!话)说我"
    )


@ZH.sifted
def _diagnosis() -> re.Pattern[str]:
    """What a doctor says of one holds, and so does what one says next: 大夫说我甲减,优甲乐得长期吃."""
    return re.compile(diagnosis())


@ZH.sifted
def _condition() -> re.Pattern[str]:
    return re.compile(
        r"如果|要是|假如|假设|假使|倘若|若是|(?:^|[,我])若(?!干)|万一|除非|只要(?!求)[^,]{1,12}(?:就|"
        r",)|即使|就算|哪怕|早知道|要不是|假定|换作|换做|换成(?:我|你|别人)|比如说?|例如|比方|"
        r"打个比方|一旦|有朝一日|等我(?:有钱|老了|退休|以后)|"
        r"照(?:这么|这样)[^,]{0,6}下去|幻想|想象一下|想像|设想|梦见|梦到|做梦|假装|扮演|(?<!不)像是"
    )


@ZH.sifted
def _condition_after() -> re.Pattern[str]:
    return re.compile(r"的话(?:$|[,就你那]|我(?!习惯|一般|平时|一直|从来|都|只|偏|更?喜欢))")


@ZH.sifted
def _otherwise() -> re.Pattern[str]:
    return re.compile(r"不然|否则|要不然?(?!要)|省得|免得|以免|万一")


@cache
def _polite() -> re.Pattern[str]:
    return re.compile(
        r"^(?:如果|要是)?(?:你?方便|可以|可能|没问题|没意见|你不介意|不麻烦)的话$|^如果(?:可以|"
        r"方便|可能)$|没记错的话"
    )


@ZH.sifted
def _wish() -> re.Pattern[str]:
    return re.compile(
        r"^(?:我(?:倒|真|多|也)?是?)?(?:希望|但愿|恨不得|巴不得|多希望|好希望)|^(?:我)?(?:在)?(?:考虑|"
        r"纠结|犹豫)"
    )


@ZH.sifted
def _unsure() -> re.Pattern[str]:
    return re.compile(
        r"也许|可能(?!性)|大概(?!率|[\d一二三四五六七八九十])|或许|说不定|不一定|没准|好像|"
        r"似乎|貌似|考虑|想过|纠结|犹豫|不确定|没想好|没决定|没定|不知道|不晓得|差点|差一点|"
        r"本来(?:想|打算|要|说)|原本|恨不得|巴不得|"
        r"但愿|多希望|好希望|好想(?=学|去|要|有|当|成为|变)|倒是希望|估计|应该(?:是|会|能|算|可以|就)|感觉(?:自己)?(?:像|"
        r"是)|怀疑|据说|看起来|看样子|要不要|该不该|(?:^|我)该(?:换|改|用)|总想|有时候?想|"
        r"想不想|尚未|还没(?:定|想|决|选|有定)|"
        r"都没|没[有能]?(?:做|写|弄|交|办|订|买|完成|搞定|发)|并没|没怎么|算不上|谈不上|不算|称不上|不至于|装作|假冒"
    )


@ZH.sifted
def _plans() -> re.Pattern[str]:
    return re.compile("目标|打算|计划|争取|准备|一定要|希望")


@ZH.sifted
def _denied() -> re.Pattern[str]:
    return re.compile(
        r"不是(?:我|说我)?(?:真的?|很|那么)?不|没有不|并不是不|又不是|不是我(?:不|讨厌|喜欢|"
        r"爱)|也不是(?:说)?(?:讨厌|喜欢|爱|不)|(?:并|也|倒|其实)?不讨厌|没说(?:过)?(?:不|讨厌|"
        r"喜欢)|不等于|不代表"
    )


@ZH.sifted
def _generic() -> re.Pattern[str]:
    return re.compile(
        r"大家都|有[的些]人|人人|谁都|所有人|每个人|人们|很多人|好多人|一般人|普通人|现在的(?:人|"
        r"年轻人|孩子|小孩)|年轻人|当代人|打工人都|女生都|男生都|男人都|女人都|(?:小|老)孩子?都|"
        r"任何人|是个人都|哪个[^,]{0,4}不|没人|没有人"
    )


@ZH.sifted
def _whole_group() -> re.Pattern[str]:
    """What all of a group one belongs to do is nobody's own habit: 我们单位的人都爱…"""
    return re.compile(
        r"(?<!我[和跟与同])(?<!我[和跟与同]我们)(?:单位|公司|部门|办公室|学校|班|厂|店|村|镇|小区|宿舍|组|群|队|圈|行业|这边|这里|那边|当地|老家|身边)"
        r"(?:[里上])?的?(?:人|同事|同学|工友|邻居|老师|姑娘|小伙|员工|工人|朋友|亲戚)们?"
        r"(?:现在|平时|基本上?|差不多|大多数?|多半|普遍|也|几乎|一般)*(?:都|全|个个|人人|爱|喜欢|习惯|最)"
        r"|(?:同事|同学|邻居|室友|朋友|亲戚|工友|队友)们(?:现在|平时|基本上?|也|几乎|一般)*(?:都|全|个个|爱|喜欢|习惯)"
    )


@ZH.sifted
def _past() -> re.Pattern[str]:
    return re.compile(
        r"(?<![点号日月周])以前(?!的?事)|曾经?(?=[在经是有养做住喜爱用])|过去(?!了)|小时候(?!起)|小时候|当年|"
        r"那时候?|那会儿?|那几年|年轻时|年轻的时候|上学那会|上学的?时候|原来|原先|之前(?=[在住用做喜爱养是当学有跟"
        r"一都还])|退休前|退休之前|从前|早年|早些年|当初|刚毕业那|"
        r"大学(?:时|那会|的时候|里)|念书(?:时|的时候)|前几年|[待呆住学做干养用爱喝吃]过(?!手术|支架|搭桥|化疗|放疗|移植)|一度|"
        r"旧(?:公司|单位)|前(?:公司|东家|单位|雇主)"
    )


@ZH.sifted
def _past_taste() -> re.Pattern[str]:
    return re.compile(
        rf"{_past().pattern}|(?:之前|以前|上次|前面|早先)我?(?:跟你|和你|给你)?[说讲提]|那(?:天|次|顿|阵)|昨[天晚]|前[天晚]|上次|今[天晚早](?!起)|刚才|"
        rf"突然|一时|这会儿|此刻|试[过了]"
    )


@ZH.sifted
def _past_work() -> re.Pattern[str]:
    return re.compile(
        r"曾经|小时候|当年|那时候?|那会儿?|那几年|年轻时|从前|早年|想当初|大学时|上学时|过去(?:几|"
        r"那)年|原本"
    )


_PAST_OF: Final[dict[str, Sifted]] = {
    "profile": _past,
    "preferences": _past_taste,
    "tasks": _past_work,
    "goals": _past_work,
    "decisions": _past_work,
    "events": _past_work,
}


@ZH.sifted
def _still() -> re.Pattern[str]:
    return re.compile("从小|从以前|一直|直到现在|到现在|至今|还是|从来|现在|如今|依然|仍然|不[^,]{0,6}了$|戒了|改用")


@ZH.sifted
def _once() -> re.Pattern[str]:
    return re.compile(
        r"这[次回封段篇条首份张个句题轮局]|这一[次封段篇条份]|本[次文]|今[天晚早](?!起)|^(?:我|"
        r"那|就)?先(?=[用给来说写把])|暂时|临时|此刻|刚才|上面|下面|这里|这儿|接下来[这]|待会|"
        r"等下|等会|明天|这[边种款家件部场顿杯碗本支位几]|那[个次封段篇条首份种款家件部场杯本]"
    )


@ZH.sifted
def _standing() -> re.Pattern[str]:
    return re.compile(
        r"以后|今后|往后|日后|从(?:现在|今天?|此|这[次回]|下次|明天)(?:开始|起|往后|以后)?|"
        r"每[次回封篇]|一律|默认|预设|永远|一直|始终|统一|平时|平常|向来|别[再老总]|不要再|不许再|"
        r"再也(?:不要|别)|禁止|凡是|所有|只要是|长期|都照|记住"
    )


@ZH.sifted
def _request() -> re.Pattern[str]:
    return re.compile(
        r"能不能|可不可以|可以[^,]{0,24}(?:吗|么|嘛|不)|能[^,]{0,24}(?:吗|么|嘛|不)$|好吗|"
        r"好不好|可唔可以|得唔得|可毋可以|行吗|行不行|麻烦|请|拜托|能否|可否|吧$|成吗"
    )


@ZH.sifted
def _asks_before() -> re.Pattern[str]:
    return re.compile(
        r"(?<!没)(?<!没有)什么(?!都|的)|(?<!不)怎么(?!都|也|样都)|为什么|为啥|为何|(?<!没)啥(?!都)|"
        r"谁(?!都|也)|哪[里个儿些家款种]?(?!怕|都|也)|几[点个号岁]|多少|多久|多大|如何|难道|"
        r"何时|是不是|要不要|有没有|能不能|会不会|可不可以|该不该|是否|能否|有无"
    )


@ZH.sifted
def _choice() -> re.Pattern[str]:
    return re.compile(r"([喜想爱要用吃喝去该])不\1(?!了)|还是[^,]{1,12}[好呢]$|是不是|对不对|有没有|还是说")


@ZH.sifted
def _asks_at_end() -> re.Pattern[str]:
    return re.compile(r"(?:吗|么|不成|没有|与否|来着|如何|怎么办|怎么样|怎样|什么|为啥|多少)[\s~!。.]*$|[?]")


@cache
def _tag() -> re.Pattern[str]:
    return re.compile(r"(?:对|是|没错|行|好)(?:吧|吗|么|不对|不是)|是不是|对不对|你说(?:呢|是不是|对吧)|有没有|不是吗")


@ZH.sifted
def _task_on_text() -> re.Pattern[str]:
    return re.compile(
        r"翻译|译成|译为|润色|改病句|改写|修改|校对|病句|造句|例句|仿写|续写|扩写|缩写|概括|"
        r"总结|提炼|改成|语法|朗读|听写|填空|抄写|解释(?:一下)?这|帮我看看|帮我改|帮我写|写(?:一?个|"
        r"一?段|一?篇|一?封|一?首|开头|结尾)|分析|怎么回|回复他|情感|分类|"
        r"标注|转换|提取|抽取|造个句|第一人称|开头|这段|这句|下面|以下|如下|存到|示例|举例|"
        r"例子|介绍|一句话|形容|样例|测试(?:用例|数据|语句)|模板|文案|台词|歌词|句子"
    )


@ZH.sifted
def _work_on() -> re.Pattern[str]:
    return re.compile(
        r"翻译|译成|译为|润色|改病句|改写|修改|校对|造句|仿写|续写|扩写|缩写|概括|总结|提炼|"
        r"朗读|分析|分类|标注|转换|提取|抽取|怎么回|回复他|帮我(?:看|改)|第一人称|写(?:一?个|"
        r"一?段)?开头"
    )


@ZH.sifted
def _title() -> re.Pattern[str]:
    return re.compile(
        r"(?<![先得要])(?<!你说)(?<!我说)说(?![说在]|明|清楚|一下|个事|件事|声)|写|内容像|像这样|范例|歌词|台词|那句|原话|原文|问卷|循环|唱|签名|标题|日志|消息|公告|内容是|邮件|"
        r"短信|微信里|他|她|小说|剧|题|例|转自|客户|客服|发来|收到"
    )


@ZH.sifted
def _all_material() -> re.Pattern[str]:
    return re.compile(
        r"角色扮演|虚拟(?:人物|角色)|虚构|人物(?:小传|设定|档案)|段子:|作文:|(?:玩|来)个?(?:游戏|接龙):|[甲乙丙](?:住|以|每)|换个[^,]{0,6}说法|"
        r"你(?:来)?(?:扮演|当|演|是)(?:一[个名位])?[^,]{1,12}[,](?:我|咱)(?:来)?(?:是|"
        r"扮演|当|演)|第一人称|剧本|小说(?:里|中|开头|片段)|主角|男主|女主|已知[^,]{1,16}[,"
        r"]|应用题|如果用户说|假设用户|假如用户|问几|求(?:证|解|几)|我们来玩|"
        r"以[^,]{1,8}(?:口吻|身份|视角|语气)(?:写|说)|(?:台词|歌词|文案|朋友圈|日记)(?:是|里|写)"
    )


@ZH.sifted
def _fiction() -> re.Pattern[str]:
    """A piece of writing is asked for in which somebody else says "I"."""
    return re.compile(
        r"(?:写|编|来|生成|做|拟|想)[^,]{0,6}(?:自我介绍|故事|小说|剧本|台词|作文|人设|角色|"
        r"征婚|独白|例句|对话|段子|检讨|情书|口播|辞职信)|造句|(?:翻|译)成"
    )


@ZH.sifted
def _role_play() -> re.Pattern[str]:
    return re.compile(r"角色扮演|你(?:来)?(?:扮演|演)|我们来玩|第一人称(?:写|来)|假设你是|假装你是")


@cache
def _own_again() -> re.Pattern[str]:
    return re.compile("对了|另外|还有|顺便|以后|今后|从现在|ps|p\\.s|btw|谢谢|不急|我(?:自己|平时|一般|明天|周|下周)")


@ZH.sifted
def _below() -> re.Pattern[str]:
    return re.compile(r"下面(?:这|的|是|几)|以下|如下|这段(?:话|文字|文本|聊天|对话)?|这封|这篇|刚发来|发来的|原文")
