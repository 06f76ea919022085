"""What a Chinese clause may tell of somebody: all rules for facts, and what a value of each kind may look like."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from smartbrain.extraction._zh_fact_words import ORG, FactRule
from smartbrain.extraction._zh_facts_family import FAMILY_RULES
from smartbrain.extraction._zh_facts_self import SELF_RULES
from smartbrain.extraction._zh_facts_spoken import NO_CRAFT, SPOKEN_RULES
from smartbrain.extraction._zh_facts_ways import WAYS_RULES
from smartbrain.extraction._zh_facts_work import WORK_RULES
from smartbrain.extraction._zh_people import full_name
from smartbrain.extraction._zh_places import CITIES, COUNTRIES
from smartbrain.extraction._zh_text import HAN, fold_in_place, trimmed

FACT_RULES: Final = (*SELF_RULES, *WORK_RULES, *FAMILY_RULES, *WAYS_RULES, *SPOKEN_RULES)


def parts_of(rule: FactRule, value: str) -> list[str]:
    """The values in an enumeration, for facts that may hold several."""
    if rule.k == "major":
        return [_of_school().sub("", value)]
    if rule.k not in ("allergy", "languages", "hobby", "health", "diet"):
        return [value]
    return [trimmed(piece) for piece in _and().split(value) if trimmed(piece)]


def fitting(rule: FactRule, value: str) -> bool:
    """Whether a value looks like one of its kind."""
    check = _CHECKS.get(rule.fits)
    return check is None or check(fold_in_place(value))


def _is_name(value: str) -> bool:
    return (full_name().fullmatch(value) is not None and not _no_name().search(value)) or _other_name().fullmatch(
        value
    ) is not None


def _is_full_name(value: str) -> bool:
    return (
        full_name().fullmatch(value) is not None
        and not value.isascii()
        and not _no_name().search(value)
        and not _no_person().search(value)
    )


def _is_nickname(value: str) -> bool:
    return not _no_name().search(re.sub("老师$|人$", "", value) or "我") and len(value) <= 8


def _is_age(value: str) -> bool:
    digits = re.sub(r"\D", "", value)
    return not digits or 0 < int(digits) < 120


def _is_people(value: str) -> bool:
    return re.fullmatch(rf"(?:{CITIES})(?:市|省|那边)?|[{HAN}]{{1,6}}(?:市|省|县|区|镇|村)", value) is not None


def _is_home(value: str) -> bool:
    return (
        not re.search(
            r"公司|学校|单位|宿舍$|酒店|医院$|家里|这里|那里|一起|二手|外地|国外$|老家|附近$|路上|"
            r"网上|同城|小区$|农村|城里|郊区$|市区$|新家|新城$|楼上|[了过着]|^一|^自己",
            value,
        )
        and len(value) >= 2
    )


def _is_employer(value: str) -> bool:
    if not 2 <= len(value) <= 16 or _no_employer().search(value):
        return False
    if re.fullmatch(rf"(?:(?:{CITIES}|{COUNTRIES})(?:市|省|那边|这边)?)+", value):
        return False
    return not _generic_workplace().fullmatch(value)


def _is_named_employer(value: str) -> bool:
    """在榮總當醫師: a workplace by its own name, not where it lies or what kind of place it is."""
    return _is_employer(value) and _somewhere().search(value) is None


@cache
def _somewhere() -> re.Pattern[str]:
    return re.compile(
        "[里上下边外旁中间头区县镇村市街路城口港巷乡州省岛]$|附近|家$|[一二三四五六七八九十]年级|^(?:乡下|老家|工地|夜市|学校|小学|中学|幼儿园|厂|店|公司|医院|诊所|"
        "餐厅|饭店|酒店|超市|银行|剧组|船|部队|机场|车站)"
    )


def _joined(value: str) -> bool:
    return _is_employer(value) and _organisation().fullmatch(value) is not None


def _is_workplace(value: str) -> bool:
    return not re.fullmatch(
        rf"(?:{CITIES}|{COUNTRIES})|家|那里?|这里?|线|了|人世|老家|国内|国外|群里?|一起|乎|"
        rf"床上",
        value,
    )


def _is_role(value: str) -> bool:
    return (
        not re.search(
            r"^(?:学|读|念|考|想|要|看|找|去|来|请|等|[被让把给])|我|你|他|她|什么|[个些]人|会员|成员|人员$|"
            r"一手|双手|新手|左手|右手|动手|分手|对手|放手|出手|洗手|好手|帮手|选手|歌手$(?!)|"
            r"用户|客户|账户|大户|窗户|散户|手工|打工|上工|做工|加工|施工|员工|职工|开工|分工|"
            r"人工|化工|罢工|复工|义工$(?!)|改编|党员|队员|球员|家庭成员|官员|店员们|的$|粉丝|"
            r"老师傅|演员表|演员的|好学生|名义|大师|动员|系大|系研|复员|满员|超员|裁员|全员|起床|"
            r"真的|律师函|过|没下|^[a-z0-9 ]*(?:linux|windows|mac|ios|iphone|android)",
            value,
        )
        and len(value) <= 12
    )


def _is_craft(value: str) -> bool:
    return len(value) <= 12 and re.search(NO_CRAFT, value) is None


def _is_trade(value: str) -> bool:
    return not re.search(
        r"[我你他她]|什么|饭|菜$|梦|东西|事|题|作业|玩笑|完|好|出来|这|那|错|对|起|用|吃|喝|"
        r"车$|会$|房$|不",
        value,
    )


def _is_short(value: str) -> bool:
    return len(value) <= 24 and not re.search(r"^的(?!士)|[那这]个|[你他她]|什么|怎么", value)


def _is_team(value: str) -> bool:
    return (
        not re.search(
            r"全部|大部|内部|外部|局部|上半部|这个|那个|一个|哪|小组作业|[我你他她]|一部|干部|"
            r"俱乐部|分组|开|卖",
            value,
        )
        and len(value) >= 2
    )


def _is_school(value: str) -> bool:
    return not re.search(
        r"^(?:大学|学院|中学|高中|初中|小学|幼儿园|附中)$|一所|个大学|这|那|[我你他她]|什么|"
        r"上了?大学|公立|私立|普通|重点|读|念|老年大学|想|当年",
        value,
    )


def _is_major(value: str) -> bool:
    return not re.search(
        r"[我你他她这那]|什么|[会过了]|联系|关系|没关|体系|怎么|费|想|上学|同学|留学|放学|"
        r"开学|科学的|数学课",
        value,
    )


def _is_allergen(value: str) -> bool:
    return 1 <= len(value) <= 12 and not _no_allergen().search(value)


def _is_chronic(value: str) -> bool:
    return not value.endswith("高") or re.search("血压|血糖|血脂|尿酸", value) is not None


def _is_third(value: str) -> bool:
    return not re.search(r"[我你他她]|什么|别人|人家|的是|就是|麻烦|迟到", value)


def _is_kin_name(value: str) -> bool:
    return _is_name(value) or (re.fullmatch(rf"[{HAN}]{{2,3}}", value) is not None and not _no_name().search(value))


_CHECKS: Final = {
    "craft": _is_craft,
    "name": _is_name,
    "kin_name": _is_kin_name,
    "full_name": _is_full_name,
    "surname": lambda value: full_name().fullmatch(f"{value}一") is not None,
    "nickname": _is_nickname,
    "pastime": lambda value: (
        not re.search(
            "电话|打扫|打卡|打工|看病|看牙|看医生|写作业|写周报|写报告|学习|听课|听写|看孩子|"
            "打针|跑业务|跑客户|下乡|看店|[你我他她]",
            value,
        )
    ),
    "short": _is_short,
    "age": _is_age,
    "people": _is_people,
    "home": _is_home,
    "employer": _is_employer,
    "employer_joined": _joined,
    "employer_named": _is_named_employer,
    "workplace": _is_workplace,
    "role": _is_role,
    "as": lambda value: (
        not re.search(
            "妈|爸|真|时|年|初|天|地|回事|心|作|成|做|然|面|着|个人|朋友|郎|娘|[你我他她]|好|"
            "没|什么|傻|众|前|下|选|场|即|今|代|局|务|兵",
            value,
        )
        or value == "当兵"
    ),
    "trade_of": lambda value: not re.search("[你我他她这那]|什么|一", value),
    "trade": _is_trade,
    "team": _is_team,
    "school": _is_school,
    "major": _is_major,
    "allergen": _is_allergen,
    "chronic": _is_chronic,
    "third": _is_third,
}


@cache
def _organisation() -> re.Pattern[str]:
    return re.compile(f"(?:{ORG})")


@cache
def _of_school() -> re.Pattern[str]:
    return re.compile(
        r"^[\u3400-\u9fff]{1,8}?(?:大学|大學|学院|學院)(?=.{2})|^[政台成清交师師科理中厦廈浙北南武复復川港]大(?=.{2}"
        r")"
    )


@cache
def _and() -> re.Pattern[str]:
    return re.compile(r"、|和|跟|以及|还有|同(?!学)|与|也不吃|也会")


@cache
def _no_name() -> re.Pattern[str]:
    return re.compile(
        r"[我你他她它了着过什么怎吗不没]|外卖|[辆台]车|一声|起床|帮忙|过去|回来|做|别|^用|"
        r"干$|先|快|打|吃|说|去|来|滚|回家|名字|时候|出来|醒|停|好|住|救|家长|人$|车$|老师$|"
        r"的"
    )


@cache
def _no_person() -> re.Pattern[str]:
    return re.compile(
        r"第|学生|老师|真|程序|单身|男|女|于|时|平|成|应|常|高中|安|金牛|路|向|万|明|全|计|"
        r"白|双|经|严|方|管|关|任|毛|解|水|连|易|党|花|祝|项|都|文|左|右|夏|雷|葛|云|连|史|"
        r"包|单|穆斯林|族$|徒$|左|石|温|强|曾"
    )


@cache
def _other_name() -> re.Pattern[str]:
    return re.compile(rf"[小老阿大][{HAN}]{{1,2}}|(?P<twin>[{HAN}])(?P=twin)|[a-z][a-z .'-]{{0,20}}")


@cache
def _no_allergen() -> re.Pattern[str]:
    return re.compile(
        r"早起|上班|加班|工作|周一|星期一|承诺|婚姻|结婚|恋爱|考试|开会|会议|学习|数学|起床|"
        r"运动|领导|老板|相亲|人类|男人|女人|努力|作业|论文|bug|ppt|kpi|deadline|职场|社交|"
        r"早八|钱|贫穷|直男|渣男|傻|这种|那种|所有人|什么|一切|"
        r"爱情|浪漫|鸡汤|废话|形式主义|ddl|需求|客户|甲方|我|早会|晨会"
    )


@cache
def _no_employer() -> re.Pattern[str]:
    return re.compile(
        r"[我你他她它这那哪了着过没]|什么|家里?$|家办公|线上|网上|路上|外面|外地|国外|海外|"
        r"一线|一起|一直|床上|地上|车上|山上|船上|海上|手上|心里|群里|朋友圈|时间|晚上|早上|"
        r"上午|下午|白天|夜里|周[一二三四五六日末]|周末|今天|明天|昨天|"
        r"工作|努力|认真|准备|考虑|想|失去|思考|换|找|看|热衷|学|进行|讨论|正在|忙|学着|旁边|"
        r"附近|隔壁|楼[上下]|厨房|客厅|地铁|高铁|火车|飞机|[上下]面|里面|单位里|老家|农村|"
        r"城里|县城|乡下|市区|同一|不同|一边|业余|疫情|期间|年$|月$|前$|后$|中$|时$"
    )


@cache
def _generic_workplace() -> re.Pattern[str]:
    return re.compile(
        r"(?:一[家所个间]|某[家个]?|本地的?|当地的?|小|大|私立|公立|国营|民营|市里的?|县里的?|"
        r"镇上的?|社区的?|城里的?|三甲|外资|日资|合资|互联网|医药|广告|软件|科技|建筑|物流|"
        r"房地产|食品|服装|电子)*(?:的)?"
        r"(?:公司|医院|学校|小学|中学|高中|初中|大学|幼儿园|银行|机关|国企|外企|央企|私企|"
        r"民企|大厂|小厂|工厂|厂里?|事业单位|体制内?|政府|律所|律师事务所|事务所|会计师事务所|"
        r"设计院|研究所|实验室|互联网公司|创业公司|超市|商场|便利店|餐馆|餐厅|饭店|"
        r"酒店|咖啡店|咖啡馆|奶茶店|书店|花店|药店|理发店|工地|仓库|车间|养老院|诊所|派出所|"
        r"法院|检察院|邮局|社区|街道|部队|报社|杂志社|出版社|电视台|培训机构|机构|图书馆|博物馆|"
        r"健身房|快餐店|菜市场|物业|殡仪馆|单位|店里?|医院里?|码头|机场|车站|农场|果园|茶园|"
        r"工作室|社区|街道办?|居委会|村委会|税务局|急诊|儿科|骨科|病房|icu)"
    )
