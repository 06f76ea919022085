"""Chinese rules for decisions: choices that were made, by the user or a group they belong to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from smartbrain.extraction._zh_guards import stopped
from smartbrain.extraction._zh_people import NOBODY, USER, opening
from smartbrain.extraction._zh_slots import slots_in
from smartbrain.extraction._zh_text import ZH, Clause, View, fold_in_place, trimmed, unsaid
from smartbrain.extraction._zh_times import TIME
from smartbrain.extraction.hits import FIRM, QUOTED, Hit, decision, looked_like
from smartbrain.extraction.keys import part
from smartbrain.extraction.starts import searched

_TOPICS: Final = (
    (
        "name",
        "产品名|作品名|车队名|店名|铺名|名字|取名|起名|命名|品牌名|队名|项目名|网名|公众号名|群名|小名|^就?叫|宝宝叫|改名",
    ),
    ("title", "课题|标题|书名|题目|片名|论文题|栏目名"),
    (
        "date",
        "(?:日期|日子|周会|例会|会议|活动)[^,]{0,6}(?:改到|挪到)|日期|(?<!好)日子|婚期|(?:婚礼|开业|"
        "出发|搬家|手术|年会|聚会|发布|上线)[^,]{0,4}(?:定在|改到|放在|安排在)[^,]{0,8}(?:[号日周月]|"
        "星期|国庆|五一|春节)|定在[^,]{0,6}[0-9一二三四五六七八九十]+[号日月]",
    ),
    ("time", "几点|时间[^,]{0,4}(?:改|定)|改到[^,]{0,6}点|定在[^,]{0,6}点"),
    (
        "venue",
        "场地|会场|酒席|婚礼[^,]{0,6}(?:在|去)|餐厅|饭店|聚餐|办酒|宴席|寿宴|喜宴|满月酒|"
        "年会[^,]{0,4}(?:在|去)|典礼[^,]{0,4}在|婚宴",
    ),
    ("budget", "预算"),
    ("price", "定价|价格|售价|单价|票价|卖[0-9]+块?"),
    ("database", "数据库"),
    ("architecture", "架构|微服务|单体"),
    ("framework", "框架"),
    ("library", "组件库|(?<![仓车冷数据])库(?!存|房)|图表库"),
    ("license", "许可证|开源协议|license|许可协议"),
    ("hosting", "服务器|托管|部署[到在]|机房|云服务|上云"),
    ("language", "编程语言|(?:后端|前端|服务端|脚本)[^,]{0,6}(?:用|改用|换成)[^,]{0,3}(?:go|rust|java|python|ts)|语言"),
    ("supplier", "供货商|供货|进货|货源|供应|茶叶从|面粉|原料|苗木|种子"),
    ("vendor", "供应商|厂家|合作方|外包|装修公司|搬家公司|乙方|代理商|施工队|物流商"),
    (
        "destination",
        "目的地|(?:团建|蜜月|旅行|旅游|度假|出游|春游|秋游|毕业旅行|暑假|国庆|寒假|过年)[^,"
        "]{0,6}(?:去|地点|选)|去[^,]{1,6}(?:过年|过节|玩|旅行|旅游|度假|蜜月|团建)",
    ),
    ("hotel", "酒店|民宿|旅馆|客栈|住宿"),
    ("location", "地点|选址|店面|铺面|门店|办公室|开在|地址|地方(?=定|就|选)"),
    (
        "major",
        "志愿(?!者)|专业(?!的|人)|选科|文科|理科|[选念读][^,]{1,6}系",
    ),
    ("school", "学校|中学|小学|大学|幼儿园|读[^,]{1,6}(?:大|中|校)|学区|一中|附小"),
    ("job", "offer|工作|跳槽|入职|岗位|辞职"),
    ("insurance", "保险|医保|重疾险|车险|意外险"),
    ("bank", "银行|贷款|房贷"),
    ("doctor", "主刀|月嫂|产检医生|医生"),
    ("color", "颜色|配色|色号|墙面|刷成|漆成|[^,]色(?:的)?$|窗帘|漆"),
    ("theme", "主题"),
    ("menu", "菜单|菜式|主菜|甜品|蛋糕|菜品|年夜饭"),
    ("car", "车(?!站|票|间|位|险|库|费)|特斯拉|比亚迪|suv"),
    ("phone", "手机|iphone"),
    ("home", "房子|租房|买房|户型|小区|楼盘|二手房|租[^,]{1,6}(?:那套|的房)"),
    ("editor", "编辑器|ide(?![a-z])"),
    ("process", "流程|制度|排班|轮班|轮值|例会|周会|站会|上线窗口|审批|值班|code review|双周|两周一个?迭代"),
    ("tool", r"工具|(?<![a-z])ci(?![a-z])|看板|协作|项目管理|文档系统|监控|收银系统|办公软件|排班软件|记账|打卡"),
)
_BY_SLOT: Final = {
    "database": "database",
    "framework": "framework",
    "language": "language",
    "editor": "editor",
    "cloud": "hosting",
    "package_manager": "tool",
    "chat": "tool",
    "notes": "tool",
    "version_control": "tool",
    "spreadsheet": "tool",
}
_CHOOSING: Final = (
    "改用|换用|换成|改成|改为|换到|改到|定为|定在|定了|定的是?|定(?![音神睛格期时性量级位论理律向])|选定|选了|选择|选|敲定|"
    "采用|采纳|用|走|叫做?|买|租|签|上|去|放在|办在|开在|摆在|设在|刷成?|做|请|找|拿|"
    "投|读|学|报|交给|设在|住|搬(?:到|去)|订|按|以|全面转向?|转向|迁(?:到|移到)|切到|"
    "切换到|落在|改(?:种|做|卖|学|走|吃|养|开|喝|练|坐|租|买|请|找|报|读|唱)|守着|盘给|包给|留在|回(?!复|头|来)|接|唱|种|养|续|填|挑|迁|走"
)


def decisions(view: View, taken: frozenset[int]) -> Iterator[Hit]:
    """The decisions of one sentence."""
    if not _may_decide.search(view.text):
        return
    made, dropped = False, list[Hit]()
    for index, clause in enumerate(view.clauses):
        if index in taken:
            continue
        hits = list(_of_clause(view, index, clause, settled=made))
        made = _strong.search(clause.text) is not None
        if any(hit.rule == "given_up" and not hit.skipped for hit in hits):
            dropped, made = dropped or hits, True
            continue
        yield from hits
        if any(not hit.skipped for hit in hits):
            return
    yield from dropped


def _of_clause(view: View, index: int, clause: Clause, *, settled: bool) -> Iterator[Hit]:
    """``settled``: an earlier clause of the sentence says that it was decided."""
    later = _settles_later().search(view.text[clause.end :]) is not None
    for rule, pattern in (
        ("decided_to", _decided_to),
        ("switched", _switched),
        ("fixed", _fixed),
        *((("given_up", _not_any_more), ("disposed", _disposed)) if settled or later else ()),
        *((("stated", _stated),) if index and _fixed_topic(view, index) else ()),
        *((("chosen", _chosen),) if settled or later else ()),
    ):
        match = pattern.match(clause.text)
        if match is None or QUOTED in clause.text or not _ours(view, index, settled=settled):
            continue
        if _ordered.match(clause.text) and not settled and not clause.text.endswith("了"):
            continue
        if rule == "stated" and opening(view, index) not in (None, USER):
            continue
        if rule == "switched" and (_ordered.match(clause.text) or not (match["topic"] or _group.match(clause.text))):
            continue
        words = view.words(clause, match)
        folded = fold_in_place(words)
        if (
            unsaid(words)
            or len(words) > 40
            or _passing().match(folded)
            or _momentary().match(folded)
            or (not settled and not later and clause.text.endswith("吧"))
        ):
            continue
        topic = part(match["topic"]) if rule in ("given_up", "disposed") else ""
        topic = topic or topic_of(clause.text[: match.end()], folded, _context(view, index))
        if not topic:
            continue
        reason = stopped(view, index, match.start(), match.end(), "decisions")
        if reason:
            yield looked_like("decisions", rule, clause.span, reason)
            continue
        said = trimmed(view.said(*clause.span))
        yield decision(rule, clause.span, topic=topic, said=said, made_at=view.sentence.said_at, confidence=FIRM)
        return


def _fixed_topic(view: View, index: int) -> bool:
    """Whether the clause before says of a topic that it was settled, and leaves the choice to this one."""
    before = view.clauses[index - 1].text
    return _marker_at_end().search(before) is not None


def _context(view: View, index: int) -> str:
    """The clause before, where the topic may stand: 店名敲定了，就叫…"""
    return view.clauses[index - 1].text if index else ""


def topic_of(text: str, choice: str, before: str = "") -> str:
    """The topic of a decision by the words of its clause, by what was chosen, or by the clause before."""
    for words in (before, text) if _marker_at_end().search(before) else (text,):
        for topic, pattern in _TOPICS:
            if words and searched(pattern).search(words):
                return topic
        for filled in slots_in(words) if words else ():
            topic = _BY_SLOT.get(filled.slot.name, "")
            if (
                topic
                and filled.slot.scope in ("coding", "tools")
                and filled.choice is not None
                and filled.choice[0] in choice
            ):
                return topic
    settled = _settled_thing().fullmatch(before)
    if settled is not None and part(settled["topic"]) and not re.match("[跟和同与]", settled["topic"]):
        return part(settled["topic"])
    fronted = _fronted().match(text)
    if fronted is not None and part(fronted["topic"]) and not re.match("[跟和同与]", fronted["topic"]):
        return part(fronted["topic"])
    return part(_choosing_verb().sub("", choice, count=1))


def _ours(view: View, index: int, *, settled: bool) -> bool:
    if _other_body().match(view.clauses[index].text):
        return False
    for at in range(index, -1, -1):
        text = view.clauses[at].text
        if _with_others().match(text):
            return True
        if settled and at == index and re.match(r"孩子|娃|宝宝|婚礼|房子|酒席|蜜月", text):
            return True
        who = opening(view, at)
        if who == NOBODY:
            return re.match(r"大家|我们?的?(?:公司|学校|店|班|团队|组|系|村|家)", text) is not None
        if who is not None:
            return who == USER or ((at < index or settled) and who.key != "user_boss")
    return True


@cache
def _other_body() -> re.Pattern[str]:
    """An authority or another party that decides over us: 镇政府决定, 房东说好, 校方拍板."""
    return re.compile(
        rf"{_LEAD}(?:[^,我咱]{{0,8}}?(?:公所|政府|[市区县]里|教育局|[^,结布格]局|交管|[省市县区镇乡]委|委员会|业委会|[居村]委会|"
        rf"法院|检察院|银行|航空公司|国会|议会|立法院|立委|国务院|欧盟|联合国|官方|[校厂院警资军店官]方|房东|开发商|物业|平台|"
        rf"教育部|[^,]{{1,2}}部委|协会|学校|国家|领导|老板|客户|厂家|商家|裁判|评委|他们|她们|人家|组委会|主办方|承办方|甲方|对方|邻居|隔壁|[^,]{{1,3}}总统|首相|市长|县长|"
        rf"镇长|乡长|法官))"
        rf"(?![^,]{{0,6}}(?:跟|和|同|与)我)[^,我咱]{{0,6}}?(?:决定|宣布|表决|裁定|判|拍板|敲定|说好|同意|通过|定[了在为下]|改[成为用到])"
    )


@ZH.sifted
def _may_decide() -> re.Pattern[str]:
    return re.compile(
        "决定|商量|商议|合计|倾掂|讨论|投票|投完票|表决|通过|点头|[依听]我|说[定通]|[开摆办]在|谈[妥好拢]|定[了在为下的]|敲定|拍板|说好|商定|选[了定择好]|"
        "改[用成为到找]|挪到|[改换]找|砍到|最终|一致|报了|租[^,]{1,6}那套|志愿|投票|换[用成]|"
        "合计|表决|拍了板|想通|定的|点头|同意|签[了过]?字|揀|合計|落定|吵完|就[填报读走守]|就定|谈妥|约定|确定|就这么|就这样|还是[选用去买]|就[用选叫去买上]|最[后终]|一致同意|"
        "投票|采用|切换?到|迁到|转向"
    )


@ZH.sifted
def _strong() -> re.Pattern[str]:
    return re.compile(
        r"决定|(?<![制固稳肯一规坚约])定了|定下来?|敲定|拍板|说好|商[定量][好完定了]?|讨论[完好]|"
        r"谈[妥拢]|合计|商量(?:完|妥)?$|琢磨好|想通了|表决|拍了板|坐下来定|[会周]上定|会[上里]过|全票|一锤定音|落定|吵完|签[了过]?字|揀[咗定]|合計|倾掂|通过了$|依我$|听我的$|选定|"
        r"选好|(?<!没)选了$|定的$|都?点头了?$|想好了|考虑好了|开完会|投票|有结论|讲好|确定[了下]"
    )


@cache
def _settles_later() -> re.Pattern[str]:
    return re.compile(
        "就这么(?:定|办|干)|就这样(?:定|办)|定了|不再?(?:讨论|改|变)了?|不改了|拍板|敲定|"
        "说好了|别再(?:讨论|改)|没得商量|都?(?:点头|同意)了?(?:$|[,!.。])|签[了过]?字|字都签|落定|表决|坐下来定|(?:投票|会上|周会|群主|上面|全家|家里|两口子|我俩)(?:商量|"
        "说)?定的|我[俩们]一致|说定了|商量(?:好|定)的|不纠结"
    )


_LEAD: Final = (
    rf"(?>(?>对了|不过|但是?|而且|另外|所以|然后|嗯|哦|好的?|行|那就?|最后|最终|终于|"
    rf"总算|昨天|刚刚?|已经|想来想去|想了想|思来想去|研究了?[^,]{{0,4}}|{TIME}|\s|跟[^,"
    rf"]{{1,8}}(?:商量|讨论|说|谈|聊)[好完过]?了?|和[^,]{{1,8}}(?:商量|讨论|说|谈|聊)[好完过]?了?)*)"
)
_WE: Final = (
    r"(?>我们?(?:组|团队|公司|家|班|店|几个|两个|俩|一家)?|咱们?(?:组|家)?|团队|组里|公司里?|"
    r"部门|家里人?|全家|大家|两家|班委|店里|我和[^,]{1,6}|我跟[^,]{1,6}|村里|(?=.))"
)


@ZH.sifted
def _decided_to() -> re.Pattern[str]:
    return re.compile(
        rf"{_LEAD}{_WE}(?:[^,我你他她]{{0,8}}?)(?>{TIME}|最后|最终|终于|总算|还是|都|已经|一致|"
        rf"刚刚?|昨晚|投票|商量后|开会|也|就|一起)*(?:决定(?!不了|权|性|因素)|拍板|商定|说好|"
        rf"约定|讲好|一致同意|定下来?|敲定|选定|确定)(?:了|好了?|下来了?)?(?:是|要|就|由|从|"
        rf"改为)?(?P<v>(?!来?了?$)[^,]{{2,36}})$"
    )


@ZH.sifted
def _ordered() -> re.Pattern[str]:
    """What is to be done to a text is no decision: 把标题改成红色."""
    return re.compile(r"(?:请|帮我|麻烦|能不能|可以|你)*把[^,]*[^了]$|能用|(?:界面|字体|主题|语言|菜单)")


@ZH.sifted
def _group() -> re.Pattern[str]:
    return re.compile(rf"{_LEAD}(?:我们|咱|团队|组里|公司|家里|大家|店里|部门|全家|我和|我跟|决定|已经)")


@ZH.sifted
def _switched() -> re.Pattern[str]:
    return re.compile(
        rf"{_LEAD}{_WE}(?P<topic>[^,我你他她]{{0,12}}?)(?>{TIME}|最后|最终|还是|都|已经|正式|"
        rf"全[部面]?|统一|决定|要|准备)*(?:从[^,]{{1,16}}?)?(?:改用|换用|改找|换成|改成|改为|采用|"
        rf"切换?到|迁(?:移)?到|全面转向|转向|统一用|改走)(?:了)?(?P<v>[^,]{{1,24}}?)(?:了|吧)?$"
    )


@ZH.sifted
def _fixed() -> re.Pattern[str]:
    return re.compile(
        rf"{_LEAD}{_WE}(?P<topic>[^,我你他她]{{1,12}}?)(?>{TIME}|最后|最终|还是|都|已经|就|"
        rf"终于|总算|正式|我们?|咱们)*(?:敲定|选定|选了|选的|定在|定为|终定为|砍到|控制在|压到|"
        rf"挪到|改到(?!一半|大半|第|现在)|报了|选的是|(?<![制固稳肯一规坚约确决])定了(?!$)|"
        rf"定的是|定下来?是?(?!来)|就用|就选|就叫|就定|就填|就报|就买(?!了)|就守着|还是留在|还是选|还是用|确定用|确定为|签了|拍板)(?:了|"
        rf"在|是|成|用|叫|为|就是)*(?P<v>[^,了]{{1,24}}?)(?:了|办|里办|吧|举行|举办)?$"
        rf"|{_LEAD}{_WE}(?:{TIME}|最后|最终|已经|终于|总算|还是|就|一致)+(?:(?<=最[后终])买了|"
        rf"(?<=还是)买了|选了?|选定了?|敲定了?|(?<![制固稳肯一规坚约])定了|定在|就定|还是选|"
        rf"签了)(?:了|在|是)*(?P<w>[^,了]{{2,24}}?)(?:了)?$|{_LEAD}{_WE}(?:选定了?|敲定了?|"
        rf"选了|定了用?|就定)(?P<x>[^,了]{{2,24}}?)(?:了)?$"
    )


@ZH.sifted
def _chosen() -> re.Pattern[str]:
    return re.compile(
        rf"{_LEAD}{_WE}(?P<topic>[^,我你他她]{{0,12}}?)(?>{TIME}|最后|还是|都|就|只|全|统一|一律|"
        rf"先|我们?)*(?:{_CHOOSING})(?:了|在|是)?(?P<v>[^,]{{1,24}}?)(?:了|吧|办)?$"
    )


@ZH.sifted
def _not_any_more() -> re.Pattern[str]:
    """葡萄不种了, 二胎不要了: what was dropped, where it is said that it was settled."""
    return re.compile(
        rf"{_LEAD}{_WE}(?P<topic>[^,我你他她]{{1,8}}?)(?>就|都|也|以后|{TIME})*"
        r"(?P<v>不(?:再|往[^,]{1,6}?|跟[^,]{1,4}?)?(?:要|办|种|做|养|开|搬|卖|买|租|降|涨|扩|生|换|上|去|读|念|回|过|修|建|请|接|拍|考|签|投|"
        r"外包)[^,]{0,6}?)了?$"
    )


@ZH.sifted
def _disposed() -> re.Pattern[str]:
    """把店转出去: what is to become of a thing, where it is said that it was settled."""
    return re.compile(
        rf"{_LEAD}{_WE}(?>{TIME}|就|还是|先)*把(?P<topic>[^,我你他她]{{1,6}}?)"
        r"(?P<v>(?:转|租|卖|盘|包|搬|退|关|换|改|让|捐|拆|送|并|停)(?:掉|出去|给|到|成|回|了|走|下来)[^,]{0,8})$"
    )


@cache
def _settled_thing() -> re.Pattern[str]:
    return re.compile(
        rf"{_LEAD}{_WE}(?P<topic>(?!.{{0,3}}[我商讨])[^,就用选改换不去要]{{2,8}}?)(?>终于|总算|"
        rf"已经|也|都|刚|{TIME})*(?:敲定|定下来?|定好|定|选好|选定|选|谈妥|谈好|决定好?|确定|"
        rf"拍板|想好)了"
    )


@cache
def _marker_at_end() -> re.Pattern[str]:
    return re.compile(
        "(?:敲定|定下来?|定好|定|选好|选定|选|谈[妥拢]|谈好|决定好?|确定|拍板|想好|商[量议][好妥定]|合计[好妥]|讲好|说[好定通]|讨论[好完]|表决过|投完票|通过|点头)了$|倾掂(?:咗|"
        "数)?$|(?:依|听|按)(?:了)?我的?$"
    )


@ZH.sifted
def _stated() -> re.Pattern[str]:
    return re.compile(r"(?:就|还是|最后)*(?:是|在|叫|用|选|去)?(?P<v>[^,]{2,20})$")


@cache
def _fronted() -> re.Pattern[str]:
    return re.compile(
        rf"{_LEAD}{_WE}(?:{TIME})*(?P<topic>(?![最还已都就决拍一])[^,我你他她就用选定改换不去要]{{2,"
        rf"8}}?)(?<![决确商约规])(?>{TIME}|最后|最终|还是|都|已经|就|统一|全部?|决定)*(?:{_CHOOSING})"
    )


@cache
def _choosing_verb() -> re.Pattern[str]:
    return re.compile(
        r"^(?:不再?|先|要|把|就|还是|都|由|是)*(?:用|选用|选择|选定|选|买|采用|改用|换成|定在|"
        r"定|走|叫)?(?:了)?(?=.)"
    )


@cache
def _with_others() -> re.Pattern[str]:
    return re.compile(r"(?:我)?(?:跟|和|与)[^,]{1,8}(?:商量|讨论|谈|聊|吵|说)")


@cache
def _passing() -> re.Pattern[str]:
    return re.compile(
        r"[你他她它]|一?[个条项]?目标|半天|[^,]*没|个?闹钟|外卖|左手|右手|[^,]*闹钟|这[个么样]$|"
        r"那[个么样]$|什么|怎么|了$|下来$|好了?$|的$|在$"
    )


@cache
def _momentary() -> re.Pattern[str]:
    return re.compile(
        r"(?:先|去|再|要|就|把|今[天晚]|明天|待会)*(?:做一次|爬|散|逛|玩|拍|游|写点|画画|读|"
        r"躺|睡|吃|喝|洗|休息|出门|走走|散步|摆烂|不管|不理|算了|今天|今晚|早点|点外卖|叫外卖|"
        r"放弃抵抗|奖励|犒劳|请自己|给自己|回家|下楼|出去|试试|看(?!病)|点(?:外卖|菜)|尝试|"
        r"听|好好|相信|不再?想|不说|原谅|忘|面对|努力|做出|改变自己|多)"
    )
