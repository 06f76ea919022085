"""Whose fact a Chinese clause tells: the user's, a relative's, a named person's, or nobody's that we know."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final, NamedTuple

from smartbrain.extraction._zh_fact_words import DISEASE
from smartbrain.extraction._zh_text import HAN, Clause, View, view_of
from smartbrain.model import slug
from smartbrain.text.folding import fold

_RELATIONS: Final[Mapping[str, str]] = {
    "mother": "妈妈 母亲 老妈 妈咪 麻麻 阿妈 老母亲 老太太 老妈子 阿娘 妈 老娘 娘 阿母",
    "father": "爸爸 父亲 老爸 阿爸 老父亲 老爷子 阿爹 爸 老爹 爹 老头子",
    "parents": "爸妈 父母 爹妈 父母亲",
    "wife": "老婆 太太 媳妇儿 媳妇 妻子 内人 婆娘 堂客 牵手 孩子他娘 孩子妈 孩子他妈 孩他妈 娃他妈",
    "husband": "老公 丈夫 先生 当家的 孩子他爹 孩他爹 娃他爹 孩子爸 孩子他爸 孩他爸 娃他爸",
    "partner": "女朋友 男朋友 女友 男友 对象 未婚妻 未婚夫 另一半 伴侣 爱人 老伴 那口子",
    "son": "大儿子 小儿子 儿子 臭小子 小子 犬子 个仔",
    "daughter": "大女儿 小女儿 女儿 大闺女 小闺女 闺女 丫头 囡囡 个女",
    "child": "孩子 小孩 娃 宝宝 大宝 二宝 小宝 老大 老二",
    "sister": "姊姊 姊 家姐 阿姐 姐姐 妹妹 大姐 二姐 小妹 老姐 老妹 姐 妹",
    "brother": "细佬 哥哥 弟弟 大哥 二哥 小弟 老哥 老弟 哥 弟",
    "grandmother": "奶奶 外婆 姥姥 阿嬷 祖母 外祖母 阿嫲",
    "grandfather": "爷爷 外公 姥爷 阿公 祖父 外祖父",
    "aunt": "阿姨 姑姑 姑妈 姨妈 舅妈 婶婶 伯母 大姨 小姨 姑 姨",
    "uncle": "叔叔 舅舅 伯伯 伯父 姑父 姨父 姨夫 大伯 二叔 小叔 舅 叔",
    "cousin": "表哥 表弟 表姐 表妹 堂哥 堂弟 堂姐 堂妹 表兄 堂兄 表姊 堂姊",
    "niece": "侄女儿 侄女 姪女 外甥女",
    "nephew": "侄子 姪子 外甥",
    "mother_in_law": "婆婆 岳母 老丈母娘 丈母娘",
    "father_in_law": "公公 岳父 老丈人",
    "boss": "老板 领导 上司 主管 经理 顶头上司 manager boss leader",
    "colleague": "同事 同僚 搭档 下属",
    "friend": "好朋友 朋友 闺蜜 哥们儿 哥们 死党 发小 同学 兄弟",
    "roommate": "室友 舍友",
    "neighbor": "邻居",
    "teacher": "老师 导师 班主任 教练",
    "student": "学生",
    "doctor": "医生 大夫",
    "client": "客户 甲方",
    "landlord": "房东",
}
RELATION_OF: Final[Mapping[str, str]] = {word: rel for rel, words in _RELATIONS.items() for word in words.split()}
_SURE: Final = frozenset(
    """
    孩子 爸 妈 老爹 阿嫲 老妹 老姐 老弟 老哥 大姐 二姐 大哥 二哥 小弟 小妹 姥姥 妈妈 母亲 老妈 爸爸 父亲 老爸
    爸妈 父母 老婆 太太 媳妇 媳妇儿 妻子 老公 丈夫 女朋友 男朋友 女友 男友 未婚妻 未婚夫 儿子 女儿 闺女 姐姐
    妹妹 哥哥 弟弟 奶奶 外婆 爷爷 外公 姥爷 阿公 阿嬷 表哥 表弟 表姐 表妹 堂哥 堂弟 堂姐 堂妹 舅舅 舅妈 姑姑
    姑妈 姨妈 叔叔 婶婶 室友 舍友 邻居 婆婆 公公 岳母 岳父 丈母娘 侄子 侄女 外甥 外甥女 闺蜜 老伴 房东 大儿子
    小儿子 大女儿 小女儿 对象 同事 大宝 二宝 小宝 发小 小姨 大姨 爱人 孩子爸 孩子妈 孩子他爸 孩子他妈 孩他爸 孩他妈
    娃他爸 娃他妈
    """.split()  # noqa: SIM905
)
"""Relations that are the user's own also without 我 before them."""

SURNAMES: Final = (
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏窦章云苏潘葛奚范彭郎鲁韦马苗方"
    "俞任袁柳鲍史唐费廉岑薛雷贺倪汤滕殷罗毕郝"
    "安常乐于时傅皮齐康伍余顾孟黄穆萧尹姚邵汪祁毛狄米贝明计伏成戴宋茅庞熊纪舒屈项祝董梁杜阮蓝闵席季麻强贾路江"
    "童颜郭梅林钟徐邱骆高夏蔡田樊胡凌霍虞万柯管"
    "卢莫房解丁宣邓洪包左石崔吉龚程邢裴陆荣翁曲段侯全甄封储靳段焦车宁甘武符刘景詹龙叶司黎薄白蒲卓池乔闻党翟谭"
    "姬申聂晁温庄晏瞿阎连向古易廖耿文欧岳游曾关肖"
)

_NO_NAMES: Final = (
    "高[中一二三兴血温速考铁级]|周[一二三四五六日末]|金融|温[柔暖]|时[候间常]|安[徽全卓静]|"
    "常[常年]|于是|江[苏西]|云南|白[天领]|万一|方便|石家|史[前上]|马[上来]|"
    "东方|连续|文[学科]|古[典代]|单[位身]|成[都为年]|易|武汉|左[右边]|解|车|向来|甘肃|"
    "雷|项目|计[划算]|金|章|季节|强|路[上过]|童年|包|全[家部职]|华[东南为]|经常|"
    "平[时常]|管|丁克|段|明[天年]|夏天|水|关|任|毛病|祝|康复|花|何[时必]|许多|严|乐|党|"
    "司机|黎|宁波|阮|景|柏林|温州|郑州|杭州|苏州|徐州|常州|吕|程序|焦|谢谢"
)
_AFTER_NAME: Final = (
    "$|[是在对今从的有叫最很特不也去要住说做当喜爱会下上刚现明周读念考开属毕得患养姓家和跟,"
    ":就还都想觉让给打来工教学经常总每]"
)

ADVERBS: Final = (
    "今年|去年|明年|现在|目前为止|目前|如今|眼下|当前|最近|近来|一直以来|一直|从小就|从小|天生|"
    "生来|本来|本身|已经|早就|早已|刚刚|刚好|刚|才|也|都|还是|还|就是|就|真的|真心|真|其实|"
    "平时|平常|平日|确实|反正|向来|从来|个人|自己|自个儿|一般|通常|基本上?|大部分时间|"
    "主要|特别|尤其|非常|超级|超|很|挺|蛮|比较|最|更|有点|老是|老|总是|常常|经常|每天|"
    "每周|每年|周末|周六|周日|下班后?|业余|这辈子|一辈子|打死|坚决|绝对|这人|这个人|的话|"
    "呢|啊|嘛|呀|吧|哈|呐|啦|今天|上个月|上周|前年|这学期|这几年|这两年|这些年|到现在|"
    "至今|又|全家|长期|常年|"
    "的确|实际上|说实话|其|暑假|寒假|九月|马上|快|即将|以后|今后|往后|再也|"
    "早上|晚上|小时候就|实在|满|好|算|有|年轻|单身|土生土长|差不多|大概|两个人|"
    "俩|"
    "那边|这边|家里|在家|可是|可|倒是|倒|偏偏|唯独|唯一|而且|毕业后|来|跟你|识|系|係|咗|而家|依家"
)
_LEAD: Final = (
    "对了|不过|但是|可是|但|而且|还有|另外|此外|其实|因为|所以|然后|话说|说起来|说来|"
    "(?:大家|各位)好|嗯++|哦++|噢|啊++|[唉哎]呀?|哈++|嘿++|主要|毕竟|反正|先说一下|说一下|跟你说一下|跟你说一?声?|"
    "告诉你|"
    "记住|记得|记一下|帮我记一?下?|请记住|记下来?|备注一?下?|要知道|烦死了|你好|您好|"
    "嗨|hi|hello|补充一?下?|顺便说一?句?|顺便|首先|其次|最后|第[一二三]|ps|p\\.s\\.|btw|"
    "是的|对|没错|好的|好|行|ok|那么|那|这样|更新一下|另|提醒一下|注意|哪怕|虽然|尽管|"
    "比较起来|相比之下|说到底|一般来说|不瞒你说|坦白讲|自从|由于|作为|讲真|说真的|老实说|坦白说|自我介绍一?下?|介绍一?下|先|请注意|"
    "别忘了?|不要忘了?|要记得|你要记得|你记一下|你记住|你知道的?|忘了说|忘记说了?|平时|"
    "周末|平常|今年|最近|现在|目前|如今|就是|也就是|也|还|都|"
    "我(?:就)?(?:知道|觉得|听说|记得|认为|发现|感觉|猜|希望|以为)(?=[你他她大人])|(?:跟|"
    "和|与)[^,我]{1,8}比(?:起来)?|[\u3400-\u9fff]{1,3}的?方面|饮食上|饮食方面|口味上|"
    "从小|一直"
)
_COMPARED: Final = "(?:(?:比起|相比)[^,]{1,10}?)?"


# So many characters may stand between a subject and what is said of it.
_BETWEEN: Final = 8
_SHORT_NOUN: Final = 3
_KEPT: Final = 1 << 11


# What the clause is about may stand before 我: 晚饭我一般…
_TOPIC: Final = (
    f"(?:(?!(?:{'|'.join(sorted(RELATION_OF, key=len, reverse=True))}|有人|大家|网友|同事))[^,"
    f"我你他她它的问说让叫给跟和对把被替帮请向找是比推劝教逼催求骂夸嫌约当如若等]{{1,6}}(?=我(?![的们家])))?"
)


_FAR: Final = (
    "女婿|儿媳妇?|嫂子|姐夫|妹夫|孙子|孙女|亲家|同桌|同门|学长|学姐|学弟|学妹|师傅|师父|徒弟|干妈|干爹|姨夫|婶子|妯娌|"
    "师母|表叔|堂叔|舅公|姨婆|姑婆|姑父|继父|继母|后妈|后爸|侄媳|大伯子|小姑子|小舅子|连襟|战友|"
    "队长|老乡"
)
"""Whom the closed list of relations does not hold: theirs is kept only with a name."""


class Who(NamedTuple):
    """A subject: ``key`` is ``user``, ``user_<relation>`` or a name's part; ``relation`` the word that was used."""

    key: str
    relation: str = ""
    name: str = ""


USER: Final = Who("user")
NOBODY: Final = Who("")
"""Somebody or something that is no subject of a profile."""


def subject(view: View, index: int, pos: int, *, bare: bool = True) -> Who | None:
    """Who the predicate at ``pos`` of a clause is about; None when other words stand before it.

    A clause that names nobody goes on about the one before it; ``bare`` says whether a sentence that names nobody
    at all is about the user.
    """
    asked = (index, pos, bare)
    if asked not in view.subjects:
        view.subjects[asked] = _subject(view, index, pos, bare=bare)
    found: Who | None = view.subjects[asked]
    return found


def _subject(view: View, index: int, pos: int, *, bare: bool) -> Who | None:
    clause = view.clauses[index]
    found = _names_only(clause.text[:pos])
    if found is None:
        return _loosely(view, clause, pos)
    who = _named(view, clause, found)
    if who is not None:
        return who
    return _inherited(view, index, bare=bare)


def _loosely(view: View, clause: Clause, pos: int) -> Who | None:
    """Who a clause names at its beginning, when a few words that name nothing else stand before the predicate."""
    found = _begins_with(clause.text[:pos])
    if found is None:
        return None
    between = clause.text[found.end() : pos]
    if len(between) > _BETWEEN or _names_another().search(between):
        return None
    if found["me"] and len(between) < _SHORT_NOUN:
        return None  # 我师兄: a word this short right behind 我 is more often somebody than something
    return _named(view, clause, found)


@lru_cache(maxsize=_KEPT)  # 我, 我妈, 我老家: people begin with few words, and to read them costs more than all else
def _names_only(words: str) -> re.Match[str] | None:
    """The words before a predicate, if they name whom it is about and say nothing else."""
    return _prefix().fullmatch(words)


@lru_cache(maxsize=_KEPT)
def _begins_with(words: str) -> re.Match[str] | None:
    """Whom the words before a predicate begin with."""
    return _opening().match(words)


def named_key(name: str) -> str:
    """The key part of a personal name: nothing of it is filler or a time."""
    return slug(fold(name))


def _named(view: View, clause: Clause, found: re.Match[str]) -> Who | None:
    start = clause.start
    if found["other"] or found["theirs"]:
        return NOBODY
    if found["mate"] or found["kinsman"]:
        group = "mate" if found["mate"] else "kinsman"
        name = view.said(start + found.start(group), start + found.end(group))
        kin = view.said(start + found.start("far"), start + found.end("far")) if found["far"] else ""
        return Who(named_key(name), kin, name)
    if found["he"]:
        if found["he"].endswith("们"):
            return NOBODY
        return _antecedent(view, clause) or NOBODY
    if found["rel"]:
        word = found["rel"]
        if not found["mine"] and word not in _SURE:
            return NOBODY
        said = view.said(start + found.start("rel"), start + found.end("rel"))
        if found["name"]:
            name = view.said(start + found.start("name"), start + found.end("name"))
            return Who(named_key(name), said, name)
        return Who(f"user_{RELATION_OF[word]}", said)
    if found["full"]:
        name = view.said(start + found.start("full"), start + found.end("full"))
        return Who(named_key(name), view.said(start + found.start("kin"), start + found.end("kin")), name)
    if found["nick"]:
        name = view.said(start + found.start("nick"), start + found.end("nick"))
        return Who(named_key(name), "", name)
    if found["me"]:
        return USER
    return None


def _inherited(view: View, index: int, *, bare: bool) -> Who | None:
    for at in range(index - 1, -1, -1):
        who = opening(view, at)
        if who is not None:
            return who
    if index and _everybody().match(view.clauses[index].text):
        return NOBODY
    before = view.sentence.before
    if index == 0 and before and not view.memo.get("first"):
        earlier = view_of_before(view)
        for at in range(len(earlier.clauses) - 1, -1, -1):
            who = opening(earlier, at)
            if who is not None:
                return USER if who == NOBODY and bare else who
    return USER if bare and not (index and _thing().match(view.clauses[0].text)) else None


def view_of_before(view: View) -> View:
    """The sentence before, read the same way; it looks no further back."""
    known = view.memo.get("before")
    if not isinstance(known, View):
        from dataclasses import replace

        known = view_of(replace(view.sentence, text=view.sentence.before, plain=view.sentence.before, before=""))
        known.memo["first"] = True
        view.memo["before"] = known
    return known


def opening(view: View, index: int) -> Who | None:
    """Whom a clause begins to speak of; None when it names nobody."""
    if index not in view.subjects:
        match = _opening().match(view.clauses[index].text)
        who = None if match is None else _named(view, view.clauses[index], match)
        view.subjects[index] = USER if _found_in_me().search(view.clauses[index].text) else who
    found: Who | None = view.subjects[index]
    return found


def _antecedent(view: View, clause: Clause) -> Who | None:
    """The one spoken of last before 他 or 她: a relative or somebody by name."""
    earlier = [(view, one) for one in view.clauses if one.start < clause.start]
    if view.sentence.before and not view.memo.get("first"):
        before = view_of_before(view)
        earlier = [*((before, one) for one in before.clauses), *earlier]
    for where, one in reversed(earlier):
        found = _opening().match(one.text)
        if found is not None and (found["rel"] or found["nick"] or found["full"]):
            return _named(where, one, found)
        inside = _relative().search(one.text)
        if inside is not None and where is view:
            return Who(f"user_{RELATION_OF[inside['rel']]}", inside["rel"])
    return None


@cache
def _relative() -> re.Pattern[str]:
    return re.compile(rf"(?:我(?:的|家)?|[着带和跟给陪])(?P<rel>{relation_words()})(?![的们家])")


@cache
def relation_words() -> str:
    """An alternation of all words for relations, the longer first."""
    return "|".join(sorted(RELATION_OF, key=len, reverse=True))


@cache
def names() -> str:
    """An alternation that matches a Chinese personal name, a nickname or a name in Latin letters."""
    return (
        rf"[{SURNAMES}](?:姐|哥|总|工|叔|姨|老师|师傅|主任|经理|大爷|大妈|大叔|阿姨)|(?!阿姨|大爷|大叔|大妈|老头|"
        rf"老太|小哥|小姐|小孩|小时|老家|大学|大专|小学|大一|大二|大三|大四)[小老阿大][{HAN}]{{1,"
        rf"2}}"
        rf"|(?!{_NO_NAMES})[{SURNAMES}][{HAN}]{{1,2}}|(?P<twin>[{HAN}])(?P=twin)|[a-z][a-z]{{1,14}}"
    )


@cache
def full_name() -> re.Pattern[str]:
    """A whole name: surname and given name, or Latin letters."""
    return re.compile(rf"(?:欧阳|司马|上官|诸葛|司徒|东方|[{SURNAMES}])[{HAN}]{{1,2}}|[a-z][a-z.' -]{{1,24}}")


def _who() -> str:
    nick = (
        rf"[小老阿][{SURNAMES}](?![{HAN}]?[板婆公师妈爸爷奶姨姐妹弟哥])|[{SURNAMES}](?:姐|哥|"
        rf"总|工|叔)(?![哥姐弟妹结])"
    )
    given = rf"[小老阿][{HAN}]|(?!{_NO_NAMES})[{SURNAMES}][{HAN}]{{1,2}}?"
    latin = "[a-z][a-z]{1,14}(?![a-z])"
    return (
        rf"(?:(?P<theirs>(?:我们?(?:家的?|的)?|咱们?家?|俺)?(?>{relation_words()})(?:(?:的|他|她)(?:{relation_words()})(?![们都])"
        rf"|的?(?:班主任|老师|同学|同桌|教练|领导|老板)))"
        rf"|(?:我们?|咱们?|俺们?)(?:同?组|同?班|部门|公司|单位|店里?|宿舍|寝室|学校|厂里?|楼[上下]|隔壁|对门)的?\s*"
        rf"(?P<mate>{given}|(?:(?<=的)|(?<=的 )){latin})(?=\s*{_AFTER_NAME})"
        rf"|(?:(?:我们?(?:家|的)?|咱们?家?|俺)\s*)?(?P<far>{_FAR}|cousin|friend|colleague|roommate|mentor)(?:叫|是)?\s*"
        rf"(?P<kinsman>{given}|{latin})(?=\s*{_AFTER_NAME})"
        rf"|(?P<mine>(?:我们|咱们?|俺们?|我)(?:家的?|的|那个?|这个?|公司的?|单位的?|部门的?|班的?|"
        rf"组里的?|学校的?)?|隔壁的?|楼[上下]的?|老家的?|我的?(?:大|小|前))?(?:一个|一(?=闺蜜|朋友|同事|同学|发小|哥们|表)|有个|有一个|那个|"
        rf"这个|前)?"
        rf"(?P<rel>{relation_words()})(?!们|都|子|气|味|性|意)(?:家|俩)?(?:(?:叫|是)?(?P<name>{names()})(?={_AFTER_NAME}"
        rf"))?"
        rf"|(?P<nick>{nick})"
        rf"|(?P<full>[{SURNAMES}][{HAN}]{{1,2}})(?:就?是|系)我(?:们|家)?的?(?:大|小)?(?P<kin>{relation_words()})"
        rf"|(?P<other>(?:我们?的?|咱)?(?:大|小)?(?:{_FAR}|师兄|师姐|师弟|师妹|队友|网友|前任|前夫|前妻|教官|客服|保姆|月嫂|钟点工|司机|"
        r"快递员|外卖员|裁缝|店员)|合租的?那?个?(?:小伙|姑娘|人|哥们)|大家(?!好|都?[叫喊唤管]我)|所有人|人家|别人|有的?人|很多人|谁|你们?|您|这(?!周|"
        r"个?月|两[天年]|几[天年]|学期|次|边|个?星期|个?礼拜|年|阵|辈子)|那|它们?|我们?(?:的|"
        r"家的?)?(?:公司|学校|单位|医院|店|班|团队|组|系|村|小区))"
        r"|(?P<he>他们?|她们?)"
        r"|(?P<me>我们|我自己|我本人|本人|咱们?|我家|我(?!(?:就)?(?:知道|觉得|听说|记得|认为|"
        r"发现|感觉|猜|希望|以为)[你他她])|俺|人家我|偶))"
    )


@cache
def _prefix() -> re.Pattern[str]:
    return re.compile(rf"(?:(?>{_LEAD})\s*)*{_COMPARED}{_TOPIC}(?:{_who()})?(?>\s|{ADVERBS}|这个)*")


@cache
def _opening() -> re.Pattern[str]:
    return re.compile(rf"(?:(?>{_LEAD})\s*){{0,3}}?{_COMPARED}{_TOPIC}{_who()}")


@cache
def _names_another() -> re.Pattern[str]:
    return re.compile(
        rf"的|[你他她它谁这那]|{relation_words()}|[用说问让叫给跟和对把被替帮请]|们|同|人(?!在)|"
        rf"不(?!小心)|没|别|公司|学校|单位|楼|店|医院|机|有|想|要|会|能|可以|喜欢|觉得|以为|"
        rf"希望|碰[见到上]|遇[见到上]|认识|雇|找|像|看|听|知道|去|到|来|只(?!有)|条|养|了|买|卖|拿|收|猫|狗|鱼|兔|鸟"
    )


def diagnosis() -> str:
    """What a doctor found in one, as a pattern: the words are theirs, and they are about the user."""
    return rf"(?:说|查出|确诊|诊断)我(?:是|有|得了|患|得的是|这是)*(?:轻度|中度|重度|早期|轻微)?(?:{DISEASE})"


@cache
def _found_in_me() -> re.Pattern[str]:
    return re.compile(diagnosis())


@cache
def _everybody() -> re.Pattern[str]:
    """都刷信用卡 tells what one uses, and 都 is no subject there."""
    return re.compile("都(?!用|刷|走|在|记|存|靠|按|扫)|人人|个个")


@cache
def _thing() -> re.Pattern[str]:
    return re.compile("这|那|该|某|隔壁|楼下|附近|对面")
