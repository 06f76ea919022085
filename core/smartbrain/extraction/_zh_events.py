"""Chinese rules for events: what happened or will, on which day, of which kind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Final

from smartbrain.extraction._zh_guards import stopped
from smartbrain.extraction._zh_people import opening, relation_words
from smartbrain.extraction._zh_places import CITIES, COUNTRIES
from smartbrain.extraction._zh_text import ZH, Clause, View, trimmed
from smartbrain.extraction._zh_times import TIME, dated, day_of, prefer_of, time_words
from smartbrain.extraction.hits import Hit, event, looked_like
from smartbrain.extraction.literals import Source, places
from smartbrain.extraction.starts import searched


@dataclass(frozen=True, slots=True)
class EventRule:
    """``said`` finds the event in a clause, group ``a`` what it is named by. ``undated``: it counts without a day.

    ``own``: the clause must begin with the user, a relative, their group or a time, not with some other thing.
    """

    kind: str
    said: str
    undated: bool = False
    own: bool = True


_PLACE: Final = (
    rf"(?:{CITIES}|{COUNTRIES}|(?![爬登看下上游出赶])[\u3400-\u9fff]{{1,6}}(?:市|县|岛|"
    rf"州|山|镇|村|古城|草原|沙漠|海|湖)|欧洲|北欧|南极|东南亚|非洲)"
)
_ELDER: Final = (
    "奶奶|爷爷|外婆|外公|姥姥|姥爷|阿公|阿嬷|爸爸?|妈妈?|父亲|母亲|老伴|太太|老公|老婆|"
    "丈夫|妻子|外祖父|外祖母|祖父|祖母|公公|婆婆|岳父|岳母|舅舅|大舅|二舅|姑姑|姑妈|叔叔|二叔|三叔|大爷|大伯|伯伯|阿姨|大姨|二姨|"
    "老师|导师|同学|朋友|哥哥?|姐姐?|弟弟?|妹妹?|儿子|女儿|他|她"
)

EVENT_RULES: Final = (
    EventRule(
        "death",
        rf"(?P<a>{_ELDER}|老?[狗猫])(?>{TIME}|已经|突然|也|就|安详地?|还是)*(?:[因在][^,"
        rf"]{{1,16}}?)?(?:走了(?!以后|之后|后|的时候|又|吗|过来|进|出)|去世|过世|离世|病逝|没了$|"
        rf"往生|仙逝|离开(?:了)?(?:人世|我们)|辞世|(?<=[月年天晚早末初底])走的$|不在了$|猝死|去天国)(?!以后|之后|后|那|的时候|"
        rf"多年|很多年|得早|早|[0-9一二三四五六七八九十]+年)",
        undated=True,
    ),
    EventRule("death", r"(?P<a>葬礼|追悼会|出殡|告别式|白事)"),
    EventRule("engagement", r"(?P<a>订婚|求婚(?:成功)?|定亲)(?:了|$|宴|仪式)", undated=True),
    EventRule(
        "wedding",
        r"(?P<a>婚礼|结婚(?!照|纪念|证|[0-9一二三四五六七八九十两几多]*年|的人|狂)|办酒席?|"
        r"摆酒|喝喜酒|领证|办喜事|婚宴|完婚)",
    ),
    EventRule("breakup", r"(?P<a>分手|闹掰|取消婚约)(?:了|$)", undated=True),
    EventRule("breakup", r"(?P<a>离婚|离了婚|办(?:了)?离婚)"),
    EventRule(
        "birth",
        r"(?P<a>预产期|剖腹产|出生(?!在|于|地|日期)|降生|(?:老婆|太太|媳妇|姐姐?|妹妹?|嫂子|"
        r"闺蜜|女儿|闺女|表姐|表妹|堂姐|堂妹|侄女儿?|外甥女|孙女|弟媳|弟妹|儿媳妇?|同学|同事|朋友)[^,]{0,6}生(?:了|啦)$|剖(?:出来|了)|生(?:了)(?:个|一个|对|"
        r"二胎)?(?:儿子|"
        r"女儿|闺女|男孩|女孩|宝宝|双胞胎|千金)|要生了?$|生宝宝|生孩子|当(?:爸|妈|爷爷|奶奶|"
        r"姥姥|舅舅|姑姑|叔叔|外公|外婆|阿姨|姨妈)(?:爸|妈)?了)",
        undated=True,
    ),
    EventRule(
        "surgery",
        r"(?:要|得|去|做了?|动了?|开了?|安排|约了|割了?|切了?|植入|换了?)*(?P<a>开刀|[^,做动要去的了有个]{0,6}手术"
        r"|割(?:胆结石|阑尾|扁桃体|双眼皮|包皮|痔疮|胆囊)|切除[^,]{1,6}|植牙|种牙|[装做放]支架|"
        r"搭桥|近视激光|换膝盖)",
    ),
    EventRule(
        "interview",
        r"(?P<a>[^,的了要有去个]{0,8}?面试|[初复终二三]面(?![包条粉积子]))(?!官|题|技巧|经验|"
        r"的时候|的话|时)",
    ),
    EventRule(
        "exam",
        r"(?:要|去|考|参加|有|是)*(?P<a>[^,的了要有去个在]{0,8}?(?:考试|高考|中考|期末考|期中考|"
        r"月考|笔试|答辩|统考|会考|模考|联考|学测|指考|托福|雅思|六级|四级|考驾照|法考|国考|"
        r"省考|科目?[一二三四]|cpa|教资|路考|gre|gmat|口语考|入学考)|(?<=[要去得来])考(?!虑|"
        r"勤|验|察|试|古|究)[^,了]{2,8}$)(?!资料|成绩|大纲|书|题|的时候|周)",
    ),
    EventRule(
        "graduation",
        r"(?P<a>毕业典礼|毕业(?!设计|论文|后|以后|证|于|生|季|旅行|前|的时候|时|照)|拿学位|"
        r"授位)(?:了|$|啦)",
    ),
    EventRule(
        "new_job",
        r"(?:去|到|正式|要|就|已经)*(?P<a>(?:[^,去到]{1,10})?入职|[^,去到]{1,10}报到|新公司上班|"
        r"上任|到岗|新工作(?:开始)?|跳槽(?:到|去)[^,]{2,10}|第一天上班|新官上任)(?!培训|体检|"
        r"材料|手续|前|后|了?[0-9一二三四五六七八九十两几半]+[个年])",
        undated=True,
    ),
    EventRule(
        "promotion",
        r"(?P<a>升职|晋升|升(?:为|任|到|成)?(?:了)?(?:[^,]{1,4}(?:长|主管|经理|总监|主任|教授)|"
        r"经理|主管|总监|组长|科长|处长|副[^,]{1,4}|店长|主任|高级[^,]{1,4}|教授|讲师|p[0-9]|"
        r"合伙人)|提干|评上[^,]{1,6}|转正|升了[^,]{0,4}职)(?:了|$|啦|加薪)",
        undated=True,
    ),
    EventRule(
        "layoff",
        r"(?P<a>被裁|裁员|被优化|被劝退|下岗|丢了工作|失业|被辞退|被开除|被公司开)(?:了|$)|公司(?:{T})*把我(?P<b>裁|"
        r"开|辞|优化)(?:了|掉)".replace("{T}", TIME),
        undated=True,
    ),
    EventRule(
        "accident",
        r"(?P<a>(?:出|遇到|发生|碰到)(?:了)?(?:一?[场个])?车祸|被追尾|追尾|被(?:车|电动车|"
        r"电瓶车|摩托车)?撞|撞(?:车|到人|上)|摔(?:断|伤|骨折|下|了(?!手机|杯|门|碗|东西|电脑))|"
        r"骨折|扭伤|烫伤|烧伤|崴了?脚|翻车|溺水|触电|跌倒)",
        undated=True,
    ),
    EventRule(
        "theft",
        r"(?P<a>(?:钱包|手机|电脑|电动车|电瓶车|自行车|单车|包|相机|护照|家里?|店里?|车|车窗|"
        r"平板|行李)?(?:被偷|被盗|失窃|被抢|被撬|遭窃|遭了?贼|进了?贼|进小偷)|被骗了?[0-9一二三四五六七八九十两几]"
        r"+[万千百块元])",
        undated=True,
    ),
    EventRule(
        "award",
        r"(?P<a>获(?:得)?(?:了)?[^,]{0,10}奖|(?:拿|得|夺|摘|评|中)(?:到|了|下|上)*[^,]{0,10}?(?:第[一二三]名?|"
        r"金奖|银奖|铜奖|一等奖|二等奖|三等奖|特等奖|冠军|亚军|季军|金牌|银牌|铜牌|大奖|[^,"
        r"]{1,6}奖|奖学金|先进|优秀[^,]{1,6}|劳模)|得奖|获奖|中奖)",
        undated=True,
    ),
    EventRule(
        "purchase",
        r"(?P<a>(?:买|提|订|签|全款|入手)(?:了|下|到)+[^,]{0,8}?(?:新?房子?|新?车|新房|二手房|"
        r"商铺|公寓|特斯拉|学区房)|提的?车|买的?(?:房子?|车)|交房|签(?:了)?购房合同|(?:房子?|新房|车子?)[^,]{0,6}过户|交了?首付|付了?首付|(?<!来)收房)(?:了|"
        r"$|啦)",
        undated=True,
    ),
    EventRule(
        "sale",
        r"(?P<a>(?:把)?[^,我]{0,8}(?:房子?|车|店|公司|铺子|老宅|地)(?:给|都|已经|终于|{T})*卖(?:了|"
        r"掉|出去))".replace("{T}", TIME),
        undated=True,
    ),
    EventRule(
        "move",
        r"(?P<a>搬家(?!公司|费)|搬(?:到|去|进)新[^,]{1,4}|乔迁|搬办公室|入住新[^,]{1,4}|搬新家)(?:了|"
        r"$|啦|吧)?",
    ),
    EventRule(
        "release",
        r"(?P<a>(?:[^,]{0,16}?))(?>终于|总算|正式|顺利|成功|全量|已经|会|要|将|准时|按时|提前|"
        r"版本|全量(?=了)|准备|计划|预计|定于|定在|对外|也|刚刚?|{T})*(?:上线|(?<![a-z])(?:release|launch)(?![a-z])|全量(?=了)|发布|上了线|发了版|灰度|发版|上架|开源|发行|"
        r"首发|公测|发售|出版|开服|交付|投产)(?:了|啦|成功|给客户|$)".replace("{T}", TIME),
        own=False,
    ),
    EventRule(
        "incident",
        r"(?P<a>[^,我]{0,6}?(?:系统|服务器?|网站|数据库|主库|从库|生产环境|生产|线上|接口|"
        r"机器|网络|app|小程序|平台|集群|机房|生产线|产线|支付|后台|官网|网关|缓存|redis|k8s|"
        r"登录|商城|订单|收银机|pos机?|闸机|电梯|冷库|服务))(?>{T}|又|突然|集体|全部?|大面积|"
        r"整个|都|也|就)*(?:因为[^,]{1,16}?)?(?:挂|崩|宕机|瘫痪|出(?:了)?(?:大)?(?:故障|事故|问题)|"
        r"故障|炸|断电|断网|被(?:黑|攻击|入侵|ddos)|数据泄露|泄露|丢数据|停摆|停机|失灵|超时|"
        r"雪崩|打不开)(?:了|掉|过|$|[一二三四五六七八九十0-9两半])".replace("{T}", TIME),
        own=False,
    ),
    EventRule(
        "incident",
        r"(?P<a>(?:家里|店里|厂里|公司|办公室|仓库|宿舍|楼下|学校|工地|车间|楼上|地下室|厨房|"
        r"机房|实验室|我们?(?:这儿|这里|这边|乡|村|镇|县|小区|楼)|村里|镇上|小区)[^,]{0,3}?(?:漏水|"
        r"停电|起火|着火|失火|火灾|爆管|断电|进水|被淹|断网|塌了?|爆炸|水管爆|(?:发|涨)大水|"
        r"发洪水|地震|塌方|滑坡|山火))(?:了|$)",
    ),
    EventRule(
        "incident",
        r"(?P<a>(?:误删|删错|删库|发错|打错款|泄露)[^,]{0,8}?(?:数据|库|表|邮件|文件|合同|"
        r"客户资料|生产库)?)(?:了|$)",
    ),
    EventRule(
        "deadline",
        r"(?P<a>[^,我]{0,12}?)(?:的)?(?:{T})*(?:截止|截稿|到期|ddl|deadline)(?:日期?)?(?:是|"
        r"在|了|,|$|:)*(?:{T})*".replace("{T}", TIME),
        own=False,
    ),
    EventRule(
        "party",
        r"(?P<a>[^,的了要有去个]{0,6}?(?:聚会|聚餐|生日会|生日派对|派对|同学会|庆功宴|满月酒|"
        r"寿宴|乔迁宴|升学宴|谢师宴|团圆饭|尾牙|年会|春酒|百日宴|周岁宴|[七八九六一]十大?寿|"
        r"大寿|寿辰|接风|欢送会|篝火晚会))",
    ),
    EventRule(
        "performance",
        r"(?:去|看|听|有|要|参加|办)*(?P<a>[^,的了要有去看听个]{0,8}?(?:演出|演唱会|音乐会|"
        r"汇演|画展|个展|摄影展|展览|话剧|首演|音乐节|独奏会|朗诵会|登台|路演|开展|巡演|个展|"
        r"联展|双年展|舞台剧|毕业展|合唱表演|表演))(?!者|欲)",
    ),
    EventRule(
        "competition",
        r"(?:去|参加|有|打|跑|要)*(?P<a>[^,的了要有去打个参加]{0,10}?(?:比赛|决赛|联赛|马拉松|"
        r"半马|全马|运动会|初赛|复赛|半决赛|锦标赛|黑客松|龙舟赛|辩论赛|球赛|大赛|竞赛|邀请赛|"
        r"选拔赛|越野赛|铁三))(?!日|场地|服|包)",
    ),
    EventRule(
        "appointment",
        r"(?>去|要|做|有|挂了?|约了?|预约了?)*(?:带[^,]{1,8}?)?(?P<a>体检|看牙医?|看医生|看病|复诊|"
        r"产检|挂(?:了)?[^,]{0,4}号|约(?:了)?(?:牙医|医生|律师|摄影师|中介|师傅|心理咨询|看房|"
        r"理发|面诊)|做检查|打疫苗|打(?:第[一二三]针|流感疫苗|新冠疫苗)|拔(?:牙|智齿)|洗牙|"
        r"补牙|面签|复查|就诊|做(?:b超|核磁|胃镜|肠镜|ct|心电图|彩超|理疗|针灸|康复)|拆线|"
        r"拆石膏|看(?:中医|眼科|骨科|皮肤科|儿科|心理医生|房|诊)|办签证|签约|公证|家访|试驾|"
        r"拍(?:婚纱照|证件照|全家福)|验车|年检|录指纹|过户|开庭|庭审|调解|仲裁)(?!报告|单|表|卡|费|"
        r"的人|结果|中心|套餐|医院)",
    ),
    EventRule(
        "meeting",
        r"(?:要|去|有|开|约了|约好|参加|组织)*(?P<a>[^,的了要有去开个在跟和]{0,8}?(?:家长会|"
        r"董事会|例会|周会|评审会?|启动会|股东会|组会|复盘会|复盘|早会|晨会|站会|研讨会|论坛|"
        r"座谈会|协调会|大会|业主会|发布会|评标会|党会|班会|校友会|宣讲会|茶话会|分享会|会议|"
        r"峰会|交流会|碰头会|述职|路演会|动员会|年中会|答谢会|招聘会|沟通会|说明会|听证会|"
        r"培训))(?!室|的要求|记录|纪要|的内容|的主要|上说|要求)",
    ),
    EventRule(
        "meeting",
        r"(?:跟|和|同|约了?)(?P<a>[^,]{1,12}?)(?:开会|见面|碰面|面谈|碰一下|对需求|谈合同|"
        r"开个会|吃饭谈|喝咖啡|签合同|聊项目|谈合作|视频会)(?:了|$)?",
    ),
    EventRule(
        "meeting",
        r"(?:要|得|去|约了|约好)*(?:见|跟|和|会)(?:一下)?(?P<a>(?:投资人|客户|导师|律师|家长|"
        r"甲方|领导|房东|中介|设计师|供应商|媒体|记者|房东|医生|校长|班主任|合伙人|买家|卖家|"
        r"岳父|岳母|公婆|丈母娘|对方父母|网友)[^,]{0,6})$",
    ),
    EventRule("meeting", r"(?:要|得|有|去|来)(?:去)?(?P<a>开会|开个会|个会)(?:$|[,])"),
    EventRule(
        "trip",
        rf"(?>要|就|会|开车|全家|一家人|打算|准备|自驾|骑行|飞机|高铁|得|还|一起|组团|动身|启程|出发)*"
        rf"(?:[坐带跟和从][^,]{{1,16}}?)?(?:飞(?:往|"
        rf"去|到)?|去|出发去|动身去|到|赴|回|前往|自驾去?|出差去?|玩|抵达)(?:了|过)?(?:一?[趟次])?(?P<a>{_PLACE})(?![^,"
        rf"]{{0,4}}(?:的人|菜|人$))",
    ),
    EventRule("trip", rf"从(?P<a>{_PLACE})(?:出差|玩|旅游)?(?:回来|回到|返程|飞回)", undated=True),
    EventRule(
        "trip",
        r"(?P<a>出差|旅游|旅行|度假|蜜月|自驾游|露营|毕业旅行|进藏|出国|探亲|团建|春游|秋游|"
        r"游学|徒步(?:穿越)?)(?!的人|费|补贴|社|团|经验|攻略|计划$)",
    ),
    EventRule(
        "visit",
        rf"(?P<a>(?:我|我们)?(?:{relation_words()}|客户|领导|检查组|审计|评估组|专家组|他们?)[^,"
        rf"]{{0,4}}?)(?:要|会)*(?:从[^,]{{1,8}}?)?(?:来(?:[^,]{{1,6}}(?:检查|视察|参观|调研|过年|做客|"
        rf"指导|住|玩)|收房|接我|帮忙|取|看我|我家|家里|公司|店里|学校|访|玩|参观|考察|检查|"
        rf"验收|这边|住几天|北京|上海|广州|深圳|[^,]{{1,4}}(?:看|玩|找)我)|飞过来|飞来|到访|"
        rf"过来看|过来玩|过来住)",
    ),
    EventRule(
        "visit",
        rf"(?:要|去|回)*(?P<a>(?:看望|探望|拜访|走访|参观|回访|去看(?:我)?(?:{relation_words()})|"
        rf"回娘家|回婆家|扫墓|上坟|祭祖)[^,]{{0,8}})",
    ),
    EventRule(
        "milestone",
        r"(?P<a>[^,我]{0,10}?(?:突破|破|过|达到|满)了?[0-9一二三四五六七八九十百两几]*(?:万|"
        r"千|百万|亿|百)(?:粉丝|用户|单|订阅|播放|阅读|下载|销量|star|粉|日活|营收|会员)?)(?:了|"
        r"$|啦)",
        undated=True,
        own=False,
    ),
    EventRule(
        "milestone",
        r"(?P<a>(?:[^,我]{0,8}?)(?:拿到(?:了)?[^,]{0,8}(?:融资|offer|驾照|绿卡|户口|执照|证书|"
        r"学位|录取|录用|通知|名额|编制|签证|专利|职称|教师证|牌照)|开业|开张|录取|被录用|"
        r"论文(?:被)?(?:录用|接收|录了|中了)|拿证|过审|取得[^,]{1,8}证|结业|封顶|竣工|通车|"
        r"答辩通过|验收(?:通过)?|结题|满月|断奶|会走路|会叫(?:爸爸|妈妈)|考上(?:了)?[^,]{2,10}|"
        r"考过(?:了)?[^,]{2,8}|脱单|出院|痊愈|转正|上市|注册(?:了)?公司))(?:了|$|啦|通知书)",
        undated=True,
    ),
)


# What was attended and is over matters to nobody later.
_ONLY_AHEAD: Final = frozenset(("party", "performance"))


def find(view: View) -> list[Hit]:
    """The events of one sentence, one for each clause at most."""
    if not (dated.search(view.text) or _told_as_done.search(view.text)):
        return []
    hits: list[Hit] = []
    for index, clause in view.unread():
        hits += _of_clause(view, index, clause)
    return list(_once(hits))


def _once(hits: list[Hit]) -> Iterator[Hit]:
    """Of one day and kind the first; a wedding one travels to is told by both."""
    seen: set[str] = set()
    for hit in hits:
        key = (
            ":".join(hit.key.split(":")[:3])
            + str(hit.value.get("title", ""))[:0]
            + hit.key.rpartition(":")[2].split("_")[0]
        )
        if hit.skipped or key not in seen:
            seen.add(key)
            yield hit


def _of_clause(view: View, index: int, clause: Clause) -> Iterator[Hit]:
    named = dated.search(clause.text) is not None or (index > 0 and _only_time(view, index))
    done = _told_as_done.search(clause.text) is not None
    earlier = done or dated().search(view.text[: clause.start]) is not None
    if not (named or earlier) or _habitual.search(clause.text) or _idle.search(clause.text):
        return
    for at in places(ZH.mask(clause.text) >> _FIRST & (1 << len(EVENT_RULES)) - 1):
        rule = EVENT_RULES[at]
        if not named and not rule.undated:
            continue
        match = searched(rule.said).search(clause.text)
        if match is None or (rule.own and not _own(view, index, clause, match.start())):
            continue
        about = _about(view, clause, match)
        if rule.kind in _ONLY_AHEAD and prefer_of(clause.text) == "past":
            continue
        if (rule.kind in ("release", "deadline") and not about) or _not_event(rule.kind).search(clause.text):
            continue
        reason = stopped(view, index, match.start(), match.end(), "events")
        if reason:
            yield looked_like("events", f"event_{rule.kind}", clause.span, reason)
            return
        yield event(
            f"event_{rule.kind}",
            clause.span,
            kind=rule.kind,
            day=_day(view, index),
            title=trimmed(view.said(*clause.span)),
            about=about,
        )
        return


def _day(view: View, index: int) -> str:
    """The day of a clause; what is told as done without one may have it in the clause behind: 被裁了,昨天谈的."""
    day = day_of(view, index)
    if day != "undated" or index + 1 >= len(view.clauses):
        return day
    following = view.clauses[index + 1].text
    ahead = prefer_of(following) == "future" and not _past_day.match(following)
    return day if ahead or not dated.search(following) else day_of(view, index + 1)


@ZH.sifted
def _past_day() -> re.Pattern[str]:
    return re.compile("昨|前天|上个?(?:周|月|星期|礼拜)|去年|今早|刚")


def _only_time(view: View, index: int) -> bool:
    """Whether the clause before says when: nothing but time words."""
    before = view.clauses[index - 1].text
    return dated().search(before) is not None and time_words().fullmatch(before) is not None


def _own(view: View, index: int, clause: Clause, at: int) -> bool:
    """Whether the clause is about the user, their people or their group."""
    text = clause.text[:at]
    if _begins(text) or text.endswith(("我", "我们")):
        return True
    who = opening(view, index)
    if who is None and index:
        return len(text) <= 4
    return who is not None and bool(who.key) and len(text) <= 16


def _about(view: View, clause: Clause, match: re.Match[str]) -> str:
    start, end = match.span("a")
    if start < 0:
        return ""
    words = trimmed(view.said(clause.start + start, clause.start + end))
    folded = clause.text[start:end]
    lead = _about_lead().match(folded)
    if lead is not None and len(words) == len(folded):
        words = words[lead.end() :]
    return words


_FIRST: Final = ZH.enter([partial(Source, rule.said) for rule in EVENT_RULES])


@ZH.sifted
def _told_as_done() -> re.Pattern[str]:
    return re.compile("了|啦|刚|终于")


@ZH.sifted
def _habitual() -> re.Pattern[str]:
    return re.compile(
        r"每(?:天|周|月|年|次|逢|个|到|星期)|经常|总是|老是|常常|通常|一般都|平时|往往|从来|"
        r"一[^,]{1,6}就|时不时|偶尔|有时候?|动不动|总爱|天天|好几次|过[^,]{0,3}几次|最喜欢|"
        r"喜欢|讨厌|爱去|习惯"
    )


@ZH.sifted
def _idle() -> re.Pattern[str]:
    return re.compile(
        r"说(?:起|到)|聊(?:聊|一聊|到)|想(?:和|跟)你|推荐|怎么样?|准备好了?吗|电影|电视剧|"
        r"小说|新闻|剧情|游戏里|视频里|直播|弹幕|书里|主角|节目|综艺|一部|这部|那部"
    )


def _begins(text: str) -> bool:
    """Whether a text is made of what may stand before one's own news, and nothing else.

    A phrase may be read up to many places: which of them are reached is asked place by place, not by going back.
    """
    reached = {0}
    for at in range(len(text)):
        if at not in reached:
            continue
        word = _before_news().match(text, at)
        if word is not None:
            reached.add(word.end())
        phrase = _phrase().match(text, at)
        if phrase is not None:
            most = _PHRASES[phrase.lastgroup or ""]
            reached.update(range(phrase.end() + 1, phrase.end() + most + 1))
    return len(text) in reached


@cache
def _before_news() -> re.Pattern[str]:
    """One word; what is longer stands before what it begins with."""
    return re.compile(
        rf"{TIME}|对了|不过|但是?|而且|还有|另外|其实|所以|然后|嗯|哦|唉|哎呀?|啊|终于|总算|刚刚?|已经|就|还|都|也|又|居然|"
        rf"竟然|突然|不小心|好在|幸好|可惜|听说|才|正式|顺利|成功|马上|即将|快要?|要|会|将|得|该|去|来|回|打算|准备|计划|安排|"
        rf"约好?了?|定了|报了|订了|买了|的|在|到|\s|我们?(?:公司|学校|单位|部门|组|班|店|家|团队|厂|村|小区|社区|院|系|所)?的?|"
        rf"咱们?|公司|学校|单位|部门|组里|班里|店里|家里|厂里|村里|小区|团队|全家|一家人?|老板|领导|有|参加|一场|一个人|一个|个|次|"
        rf"场|是|一大早|第一次|第[一二三四五六七八九十0-9]+次|自己|[上下]班|路上|我的?(?:{relation_words()})|(?:{relation_words()})|"
        rf"新|被|把"
    )


_PHRASES: Final = {"companion": 8, "thing": 6, "guest": 4, "relative": 3}
"""How many characters may follow each kind of word."""


@cache
def _phrase() -> re.Pattern[str]:
    return re.compile(
        rf"(?P<companion>[和跟去到在回])|(?P<thing>[从带陪送给])|(?P<guest>[请骑]|[上下]班)|"
        rf"(?P<relative>我的?(?:{relation_words()}))"
    )


@cache
def _about_lead() -> re.Pattern[str]:
    return re.compile(
        rf"(?>{TIME}|我们?的?|咱们?的?|的|终于|总算|刚刚?|已经|今天|正式|了|在|要|有|去|开|"
        rf"参加|一[个场次]|个|公司|的|\s)+(?=.)"
    )


@cache
def _not_event(kind: str) -> re.Pattern[str]:
    return re.compile(_NOT.get(kind, r"(?!)"))


_NOT: Final[dict[str, str]] = {
    "release": r"苹果|微信|华为|谷歌|小米|三星|索尼|任天堂|openai|特斯拉|官方|国家|央行|某|据说|政府|"
    r"教育部|直播|主播|好友|头像|qq|微信上线|上线晚|上线早|上线率|消息|朋友圈|公告|声明|"
    r"作业|任务|通知|发布会",
    "trip": r"有人|调[到去往]|派[到去往]|转[到去]|[头第]一?[回次]在|"
    r"到(?:北京|上海)?时间|去(?:年|世|掉)|回(?:复|答)|客户|快递|寄|发货|到货|的(?:菜|人|"
    r"天气|房价)|户口|想去|好想|没去|不去|搬[到去来进回]|迷路|堵|去不了|去不成|取消|车次|的车$|附近|站呢",
    "meeting": r"挪到|会议的要求|纪要|记录|开会(?:时|的时候)|说|取消|会议室|没开",
    "interview": r"面试官|题|取消",
    "exam": r"(?:准备|打算|想|计划|争取)[^,]{0,4}(?:明年|今年|后年|年底)|"
    "(?:明年|今年|后年|年底)[^,]{0,4}(?:准备|打算|想|计划|争取)|练习|模拟题|"
    "取消|备考|改到|挪到|推迟",
    "party": r"取消|年会不",
    "performance": r"取消|表演欲",
    "competition": r"看(?:了)?[^,]{0,6}比赛|取消|世界杯|欧冠|nba|英超",
    "wedding": r"取消|婚礼策划|催|相亲",
    "purchase": r"想|准备|打算|决定",
    "sale": r"决定|打算|考虑|准备|商量|说好",
    "move": r"想|考虑|搬家公司|搬家费|取消",
    "deadline": r"会员|还没|早就",
    "incident": r"我(?:们)?(?:修|解决)|电影|电话",
    "accident": r"前面|路上看到|差点|幸好没",
    "death": r"手机|电脑|走了(?:好|很|半|一)",
    "appointment": r"路过|专门|取消|看病难|看病贵|看房价|不用",
    "award": r"没[拿得]|想",
    "visit": r"那个|这个|取消|参观(?:了)?(?:博物馆|展)",
    "birth": r"发生|学生|医生|产生|陌生|生日|生气|当爸当妈",
    "graduation": r"取消|还没",
    "milestone": r"百万富翁|太过",
}
