"""A short answer to what the assistant asked of the user, as the statement it makes: "Any allergies?" "Peanuts"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import Final

from smartbrain.extraction.hits import due_day

_LONGEST: Final = 30
_MOST_WORDS: Final = 6


def as_statement(question: str, answer: str) -> str:
    """What the first clause of ``answer`` says of the user when it answers ``question``; "" when it may be anything.

    ``question``: what the assistant said just before, the last question of which counts. An answer that asks, declines
    or is a sentence of its own makes no statement: the rules read it as it is.

    >>> as_statement("你对什么过敏？", "花生")
    '我对花生过敏'
    """
    asked = _questions().findall(question.strip())
    clauses = [one.strip(" .。!！~～") for one in _first_clause().split(answer.strip(), maxsplit=2)]
    given = clauses[0]
    settled = _about_what_is_asked(asked[-1], given) if asked else ""
    if settled:
        return settled
    if len(clauses) > 1 and _leads_to_answer().fullmatch(given):
        given = clauses[1]
    if not asked or not given or len(given) > _LONGEST or len(given.split()) > _MOST_WORDS:
        return ""
    if not question.rstrip().endswith(("?", "？")) or _no_answer().search(given) or _own_sentence().search(given):
        return ""
    if _calling().search(asked[-1]) and _just_so().search(given):
        return f"叫我{_bare().sub('', given)}就行"
    for pattern, statement in _statements():
        match = pattern.search(asked[-1])
        if match is not None and ("{}岁" not in statement or _years().fullmatch(given)):
            return _of_whom(asked[-1], statement.format(_bare().sub("", given), **match.groupdict()))
    kin = _of_kin().search(asked[-1])
    return f"我{kin[1]}{given}" if kin is not None else ""


def _about_what_is_asked(question: str, given: str) -> str:
    """What a yes, a no or "done" says where the question holds the words: "报告写完了吗?" "写完了"."""
    for pattern, answers, statement in _yes_or_no():
        match = pattern.search(question)
        if match is not None and answers.fullmatch(given):
            return statement.format(**match.groupdict())
    return ""


def due_of_answer(question: str, answer: str, said_at: datetime) -> str | None:
    """The ISO date that ``answer`` gives when ``question`` asks by when something is to be done; None else.

    >>> from datetime import UTC
    >>> due_of_answer("Sure. When is it due?", "by the 30th", datetime(2026, 9, 18, tzinfo=UTC))
    '2026-09-30'
    """
    asked = _questions().findall(question.strip())
    given = _first_clause().split(answer.strip(), maxsplit=1)[0]
    if not asked or not _by_when().search(asked[-1]) or len(given) > _LONGEST or _leaves_open().search(given):
        return None
    return due_day(given, said_at)


@cache
def _by_when() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:when|what (?:day|date)|which day|by when|how soon)\b[^?]*\b(?:due|deadline|done|need\w*|remind|by|for|"
        r"happen|pay)\b"
        r"|\b(?:deadline|due date)\b|\bby when\b|\bwhat (?:day|date)\b|\bwhen (?:should|shall|do|would) (?:i|you)\b"
        r"|(?:什么时候|什麼時候|啥时候|几号|幾號|哪天|哪一天|多久|何时|何時|截止|期限)",
        re.IGNORECASE,
    )


@cache
def _leaves_open() -> re.Pattern[str]:
    return re.compile(
        r"[?？]|不(?:急|用|知道|确定|確定|清楚|是)|没|沒|随便|隨便|取消|\b(?:not|no|never|don'?t|maybe|perhaps|might|unsure|"
        r"cancel|forget|nothing|except)\b",
        re.IGNORECASE,
    )


@cache
def _yes_or_no() -> Sequence[tuple[re.Pattern[str], re.Pattern[str], str]]:
    verbs = "写|寫|做|弄|交|办|辦|取|订|訂|买|買|搞|修|寄|处理|處理|准备|準備|完成|发|發|填|还|還|缴|繳|打印|领|領|改"
    done = f"(?:已经|已經|早就?|刚|剛|都)*(?:(?:{verbs})?(?:完|好|到|出去|过去|上去)?了?|搞定|弄好|完成|有)(?:了|啦|囉)"
    agrees = "好(?:的|啊|呀)?|可以|行(?:啊)?|要|嗯|对|對|就这样|OK|ok|没问题|沒問題"
    told = (
        (
            rf"(?:上次说的|那个|那個|你的?|您的?)*(?P<what>[^,，。?？你您]{{2,10}}?)(?:都)?"
            rf"(?:{verbs})(?:完|好|到|出去)?(?:了吗|了嗎|了没有?|了沒有?|没有?|吗)[?？]$",
            done,
            "{what}搞定了",
        ),
        (
            r"(?P<what>考研|考公|考编|减肥|減肥|戒烟|戒菸|[^,，。?？你您]{2,6}?)"
            r"(?:还|還)(?:考|做|去|弄|学|學|练|練|打算|减|減|戒)[^?？]{0,4}(?:吗|嗎)[?？]$",
            "不(?:考|做|去|弄|学|學|练|練|打算|减|減|戒)?了|放弃了|放棄了",
            "我放弃{what}了",
        ),
        (
            r"(?:需要我|要不要我?|要我|那我)(?:以后|以後)?(?:都|就)?(?P<what>(?:用|不用|少用|别用|說|说|先)[^,，。?？]{2,16}?)(?:吗|嗎|吧)?[?？]$",
            agrees,
            "以后{what}",
        ),
        (
            r"(?P<what>(?:以后|以後)[^,，。?？]{3,24}?)[,，]?(?:对吗|對嗎|好吗|好嗎|可以吗|可以嗎|是吗|是嗎|对吧|對吧|行吗|行嗎)[?？]$",
            f"{agrees}|没错|沒錯|是的?",
            "{what}",
        ),
    )
    return [(re.compile(one), re.compile(two), statement) for one, two, statement in told]


@cache
def _years() -> re.Pattern[str]:
    """五岁半 is an age; 刚上一年级 answers the same question with something else."""
    return re.compile(
        "(?:今年|虚岁|虛歲|快|刚|剛|满|滿|都|是)*[0-9零一二三四五六七八九十百两兩廿]+(?:多|来|來|个月|個月|岁|歲|半|了|喽|囉|啦|吧|哦|呢|啊)*"
    )


@cache
def _calling() -> re.Pattern[str]:
    return re.compile("称呼|稱呼|叫您|叫你")


@cache
def _just_so() -> re.Pattern[str]:
    """老范就行: what one is called, which need not be one's name."""
    return re.compile("就[行好成可]|吧$|即可")


@cache
def _leads_to_answer() -> re.Pattern[str]:
    """What stands before the answer itself: "有, 一只三花", "不是, 在无锡"."""
    return re.compile("有的?|有啊|养了|養了|是的?|对|對|嗯+|不用|不是|不对|不對|不要|没有|沒有")


def _of_whom(question: str, statement: str) -> str:
    """The statement of whom the question is after: "How old is your son?" asks no age of the user's."""
    kin = _of_kin().search(question)
    if kin is not None and statement.startswith("我"):
        return f"我{kin[1]}{statement[1:]}"
    return "" if kin is not None or _of_others().search(question) else statement


@cache
def _of_kin() -> re.Pattern[str]:
    return re.compile(
        "[您你](?:的|家)?(孩子|妈妈|媽媽|爸爸|老婆|老公|太太|先生|儿子|兒子|女儿|女兒|哥哥|姐姐|弟弟|妹妹|爷爷|爺爺|奶奶|男朋友|女朋友)"
    )


@cache
def _statements() -> Sequence[tuple[re.Pattern[str], str]]:
    told = (
        (
            "[对對](?:什么|什麼)(?:东西|食物)?(?:会|會)?[过過]敏|[过過]敏[源原]是|有(?:没有|沒有|什么|什麼|哪些)[^?？]{0,6}[过過]敏",
            "我对{}过敏",
        ),
        ("[做从從](?:什么|什麼|哪行)(?:工作|职业|職業|行业|行業)?|(?:什么|什麼)(?:工作|职业|職業)", "我是{}"),
        ("住在?(?:哪|什么地方|什麼地方)|(?:在|哪个|哪個)城市|坐标是?哪|所在(?:城市|地)", "我住在{}"),
        ("哪里人|哪裡人|哪儿人|什么地方人|老家(?:是|在)", "我老家是{}"),
        ("多大(?:了|年纪|岁数|年紀|歲數)*[?？]|几岁|幾歲|年[龄齡]", "我今年{}岁"),
        (r"(?:养|養|有)[^?？]{0,4}(?:宠物|寵物|猫|貓|狗)", "我养了{}"),
        ("慢性病|什么病|什麼病|基础病|基礎病|(?:健康|身体|身體)[^?？]{0,6}(?:问题|問題|毛病|状况|狀況)", "我有{}"),
        ("(?:吃|服|用)(?:着)?(?:什么|什麼|哪些|啥)[^?？]{0,2}[药藥]", "我吃的药是{}"),
        (
            "用(?:什么|什麼|哪个|哪個|哪款|哪种)(?:编辑器|編輯器|浏览器|瀏覽器|系统|系統|笔记|筆記|软件|軟體|工具|导航|導航|搜索引擎|电脑|電腦)",
            "我一直用{}",
        ),
        (
            "(?:什么|什麼|哪种|哪種)(?:语言|語言)[^?？]{0,4}(?:回|答|写|寫|交流)|(?:默认|默認|以后|以後|都)[^?？]{0,6}用(?:英文|中文|英语|英語|繁体|繁體|简体|簡體|粤语|粵語)",
            "以后都用{}回答",
        ),
        ("(?:详细|詳細|简短|簡短|简洁|簡潔|长|長|短)[^?？]{0,6}(?:还是|還是)", "以后回答都要{}"),
        ("(?:定|选|選|决定|決定)(?:了|下|好)*(?:在|是)?(?:哪|什么|什麼)", "最后定了{}"),
        (
            "(?:什么时候|什麼時候|几号|幾號|哪天|几点)[^?？]{0,2}(?P<what>面试|面試|考试|考試|手术|手術|出发|搬家|婚礼|婚禮|复查|複查|入职|入職|开业|開業|上线|上線|报到|報到|答辩|答辯|开庭|開庭|结婚|結婚|体检|體檢|出差)",
            "{0}{what}",
        ),
        ("(?:住在?|家在|人在)[^,，?？]{1,8}[,，]?(?:对吗|對嗎|对吧|是吗|是嗎|是吧|吗|嗎)[?？]$", "我住在{}"),
        ("怎么称呼|怎麼稱呼|(?<!狗)(?<!猫)(?<!物)叫什么名?字?|尊姓大名|您的?名字", "我叫{}"),
        ("生日", "我生日是{}"),
        ("(?:什么|什麼|哪个|哪個)(?:专业|專業|科系)", "我学的是{}专业"),
        ("(?:哪所|哪个|哪個|什么|什麼)(?:学校|學校|大学|大學)", "我在{}读书"),
        ("身高", "我身高{}"),
        ("体重|體重", "我体重{}"),
        ("血型", "我是{}血"),
        ("(?:哪家|什么|什麼)公司|在哪(?:里|裡|儿|兒)?(?:上班|工作|就[职職])", "我在{}上班"),
        ("(?:会|會)[^?？]{0,4}(?:什么|什麼|哪些)(?:语言|語言|外语|外語)", "我会说{}"),
        ("(?:不吃|忌口|吃不了)", "我不吃{}"),
        ("(?:喜欢|喜歡|爱|愛)(?:吃|喝|看|听|聽|玩)?(?:什么|什麼|哪)", "我喜欢{}"),
        (r"\ballerg", "I'm allergic to {}"),
        (r"what do you do\b|what are you doing for|your (?:job|profession|occupation)\b", "I work as {}"),
        (r"where (?:do you live|are you (?:based|living))|which (?:city|town) (?:do you live|are you)", "I live in {}"),
        (r"where are you from|your home ?town", "I'm from {}"),
        (r"how old are you|your age", "I'm {} years old"),
        (r"your name\b|what should i call you", "My name is {}"),
        (r"your birthday|when were you born", "My birthday is {}"),
        (r"who do you work for|which company|where do you work", "I work at {}"),
        (r"what do you (?:study|major in)|your major", "My major is {}"),
        (r"(?:which|what) languages do you speak", "I speak {}"),
        (r"blood type", "My blood type is {}"),
    )
    return [(re.compile(pattern, re.IGNORECASE), statement) for pattern, statement in told]


@cache
def _questions() -> re.Pattern[str]:
    return re.compile(r"[^.。!！?？\n]+[?？]")


@cache
def _first_clause() -> re.Pattern[str]:
    return re.compile(r"[,，;；\n]|[.。!！](?:\s|$)| - ")


@cache
def _no_answer() -> re.Pattern[str]:
    return re.compile(
        r"[?？]|^(?:不|没|沒|無|无|别|別|随便|隨便|都|什么|什麼|谁|誰|嗯|哦|好|行|算了|先|你|您|这|這|那|为什么|為什麼|保密|秘密|再说|對|"
        r"对|是的?$)"
        r"|过敏|過敏|\b(?:no|not|none|nothing|never|why|what|skip|pass|idk|dunno|nope|yes|yeah|sure|ok|okay|private|"
        r"rather|any\w*)\b",
        re.IGNORECASE,
    )


@cache
def _own_sentence() -> re.Pattern[str]:
    return re.compile(r"[我俺咱]|\b(?:i|i'm|im|my|we|our|it|it's|that|they|he|she|you)\b", re.IGNORECASE)


@cache
def _of_others() -> re.Pattern[str]:
    """A question after somebody or something of the user's: their age is not the user's."""
    return re.compile(
        r"[你您](?:的|家)?(?:妈|媽|爸|父|母|老婆|老公|太太|先生|孩子|儿子|兒子|女儿|女兒|宝宝|寶寶|猫|貓|狗|宠物|寵物|朋友|同事|老板|老闆|客户|客戶|"
        r"哥|姐|弟|妹|爷|爺|奶|对象|男朋友|女朋友|团队|團隊|公司(?:叫|的))|[他她它]|孩子|宝宝|寶寶|"
        r"\b(?:he|she|they|his|her|their|kid|kids|child|son|daughter|wife|husband|partner|mother|father|mom|dad|dog|"
        r"cat|pet|team|boss|friend)\b",
        re.IGNORECASE,
    )


@cache
def _bare() -> re.Pattern[str]:
    """What an answer wears around its value: "a nurse" keeps its article, 三十二岁 does not keep its measure."""
    return re.compile(
        r"^(?:是|在|住在?|就是|做|叫|就叫|对|對)(?=.)|(?:岁|歲|人|吧|啊|呢|啦|哦|喽|"
        r"囉|就好|就行|就可以)+$|\byears? old$",
        re.IGNORECASE,
    )
