"""Chinese rules for facts: who somebody is and where they live."""

from __future__ import annotations

from typing import Final

from smartbrain.extraction._zh_fact_words import DIGITS, PARTICLE, PLACE, PLACE_LONG, FactRule
from smartbrain.extraction._zh_places import CITIES, COUNTRIES
from smartbrain.extraction._zh_text import HAN

_DISTRICT: Final = (
    r"(?:(?![一二两三四五六七八九十半几多工生上定读念打发居养住租买附旁郊市这那边的了来啦呢吧和跟当做已快有好都也前后去年之以])"
    rf"[{HAN}]){{2}}(?=(?:了|啦|的)*(?:$|,))"
)
"""A part of a town that is named without saying that it is one: 台南安平."""

SELF_RULES: Final = (
    # --- who they are
    FactRule(
        "name",
        "name",
        rf"(?:^|我|[,])(?:的?(?:名字|姓名|真名|大名|全名|本名|中文名|英文名)(?:是|叫做?|:)?|"
        rf"(?:就|大名|全名|本名)?叫做?|名叫|名为|姓名)\s*(?P<v>[^,]{{1,12}}?){PARTICLE}$",
        ("叫", "名"),
        bare=False,
        fits="name",
    ),
    FactRule(
        "name_other",
        "name",
        rf"(?:的?(?:名字|姓名|大名|全名)(?:是|叫)?|叫做?|名叫|取名叫?|起名叫?)\s*(?P<v>[^,]{{1,"
        rf"8}}?){PARTICLE}$",
        ("叫", "名"),
        bare=False,
        fits="kin_name",
    ),
    FactRule(
        "name_is", "name", rf"是(?P<v>[^,]{{2,10}}?){PARTICLE}$", ("是",), bare=False, user_only=True, fits="full_name"
    ),
    FactRule(
        "surname", "name", rf"姓(?P<v>[{HAN}]{{1,2}})(?:[,]|名|$)", ("姓",), bare=False, user_only=True, fits="surname"
    ),
    FactRule(
        "nickname",
        "nickname",
        rf"(?:大家|同事们?|朋友们?|家里人?|他们|别人|身边人|学生们?|同学们?)?(?:都|平时|一般|"
        rf"请|一直)*(?<!别)(?<!不要)(?<!不用)(?<!别再)(?<!到点)(?<!时候)(?:喊|叫|称呼|唤)我(?:作|做|为)?(?P<v>[^,"
        rf"]{{1,8}}?)(?:就好|就行|就可以|即可|行了|吧|好了|可以|就成)?{PARTICLE}$",
        ("我",),
        mine=True,
        fits="nickname",
    ),
    FactRule(
        "nickname_is",
        "nickname",
        r"(?:的)?(?:昵称|小名|外号|绰号|网名|乳名|花名|英文名|笔名|艺名)(?:是|叫做?|就叫)?(?P<v>[^,"
        r"]{1,10}?)$",
        ("名", "称", "号"),
        fits="short",
    ),
    FactRule(
        "age",
        "age",
        rf"(?>是|都|才|刚满|刚过|刚|已经|满|虚岁|周岁|有|快|马上|就|也)*\s*(?P<v>{DIGITS}{{1,"
        rf"4}}(?:多|来|出头)?岁(?:半)?)(?!时|的时候|那年|之前|以前|前|开始|起|就|以[上下内]|"
        rf"之|到)",
        ("岁",),
        fits="age",
    ),
    FactRule(
        "age_bare",
        "age",
        rf"(?:今年|现在|虚岁|刚|刚满|已经|都|才)该?(?P<v>{DIGITS}{{2,4}})(?:了|啦|整)?$",
        ("今年", "现在", "岁", "刚", "都", "已经", "才"),
        fits="age",
    ),
    FactRule(
        "age_old",
        "age",
        r"(?:都|也|快|今年)*(?P<v>[一二三四五六七八九]?十[一二三四五六七八九]?|[1-9][0-9])(?:了(?=还|都|也)|(?:了|"
        r"啦|多了|出头|好几了)(?:[哈呵嘿]|啊|呢|喽|咯|呀)*$)",
        ("十", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"),
        bare=False,
    ),
    FactRule("age_is", "age", r"(?:的)?年[龄纪](?:是)?(?P<v>[0-9一二三四五六七八九十]{1,4}岁?)", ("年",), fits="age"),
    FactRule(
        "birthday",
        "birthday",
        r"(?:的)?(?:阳历|农历|阴历|公历|新历|旧历)?生日(?:是|在|为|就|快到了)*(?P<v>(?:阳历|"
        r"农历|阴历|公历|每年)?(?:的)?[^,]*?(?:[0-9一二三四五六七八九十正腊冬]+月[初]?[0-9一二三四五六七八九十廿]+"
        r"[号日]?|[0-9]{1,2}[-./][0-9]{1,2}|除夕|中秋|元旦|端午|圣诞节?))",
        ("生日",),
    ),
    FactRule(
        "birthday_born",
        "birthday",
        r"(?:是)?(?P<v>(?:[0-9]{2,4}年)?(?:农历|阴历)?[0-9一二三四五六七八九十正腊]+月初?[0-9一二三四五六七八九十廿"
        r"]+[号日]?|[0-9]{2,4}年[0-9一二三四五六七八九十]+月)(?:出)?生的?|(?:出)?生(?:于|在)(?P<w>[0-9]{2,4}年?(?:"
        r"[0-9]+月)?)",
        ("生",),
        fits="birth",
    ),
    FactRule(
        "birthday_mine",
        "birthday",
        r"^(?P<v>(?:农历|阴历|阳历)?[0-9一二三四五六七八九十正腊冬]+月[初]?[0-9一二三四五六七八九十廿]+[号日]?|"
        r"除夕|中秋|元旦|端午|圣诞节?)(?:就)?是我(?:的)?生日",
        ("生日",),
        mine=True,
    ),
    FactRule("birth_year", "birthday", r"(?:是)?(?P<v>[0-9]{2,4}年)(?:出?生)?的(?:人)?$", ("年",), bare=False),
    FactRule(
        "gender",
        "gender",
        r"(?:是)?(?:一?[个名位])?(?P<v>[男女](?:生|的|性|孩子?|孩纸)|(?<=是)[男女]人?)$|性别(?:是|"
        r":)?(?P<w>[男女]性?)",
        ("男", "女"),
        bare=False,
    ),
    FactRule(
        "hometown",
        "hometown",
        rf"(?:的)?(?:老家|家乡|故乡|祖籍|籍贯|娘家)(?:是|在|就是|就在)?(?:(?P<v>{PLACE_LONG})(?:的|"
        rf"那边|人|下面|农村)*|(?:是|在)(?P<w>[{HAN}]{{2,5}}?)(?:的|人)?)(?:$|[,])",
        ("家", "籍", "故乡"),
    ),
    FactRule(
        "hometown_people",
        "hometown",
        rf"(?:是|系|係)(?:个|一个|地道的?|土生土长的?|地地道道的?|纯正的?|老)*(?P<v>{PLACE}|"
        rf"[{HAN}]{{2,4}}?)(?:本地)?(?:人|妹子|汉子|小伙|姑娘|妹|仔|伢|囡)(?:$|[,])",
        ("人", "妹", "汉子", "小伙", "姑娘"),
        bare=False,
        fits="people",
    ),
    FactRule(
        "hometown_from",
        "hometown",
        rf"(?:来自|出生在|出生于|生在|从小在|从小长在|土生土长在)(?P<v>{PLACE_LONG})(?:长大|"
        rf"生长)?的?$",
        ("来自", "出生", "生在", "长"),
        bare=False,
    ),
    FactRule("hometown_home", "hometown", rf"家(?:是)(?P<v>{PLACE_LONG})的$", ("家",), bare=False),
    FactRule(
        "nationality",
        "nationality",
        rf"(?:是|拿|持)(?:的)?(?:是)?(?P<v>{COUNTRIES})(?:人|籍|国籍|护照)(?:$|[,])|(?:的)?国籍(?:是)?(?P<w>{COUNTRIES}"
        rf")",
        ("人", "籍", "护照"),
        bare=False,
    ),
    # --- where they live
    FactRule(
        "home",
        "home",
        rf"(?:搬(?:到|来|去|进)|定居(?:在|到)?|落户(?:在|到)?|住(?:在|到|进|喺)?|租住?在|住喺|"
        rf"租房(?:子)?在|租(?:了)?个?房子?在|(?<!老)(?<!娘)家(?:里)?(?:就)?(?:住|在|安在|搬到|"
        rf"搬去)|蜗居在?|人在|base在?|常驻|常住|安家在?|移居|旅居|(?:搬)?回(?=[^,]{{1,6}}(?:定居|"
        rf"住)))(?:了)?(?P<v>(?:{CITIES}){_DISTRICT}|(?:{PLACE_LONG}))(?:了|住|定居|生活|工作|上班|这边|那边|呢)*(?:{DIGITS}{{1,"
        rf"3}}[多来]?(?:年|个月)(?:了|多)*)?{PARTICLE}(?=$|[,]|[{HAN}])",
        ("住", "搬", "家", "租", "定居", "人在", "base", "常驻", "移居", "旅居", "落户", "蜗居", "回"),
        fits="home",
    ),
    FactRule(
        "home_in",
        "home",
        rf"在(?P<v>{PLACE_LONG})(?:这边|那边)?(?:住|生活|定居|租房(?:子)?住?|买了房|安家|漂|"
        rf"念书|读书|上学|上大学|念大学|读大学|坐月子|养老|带娃|带孙子|读博|读研|留学|打工)(?:了)?(?:{DIGITS}{{1,"
        rf"3}}[多来]?(?:年|个月)(?:了|多)*)?{PARTICLE}$",
        ("在",),
        fits="home",
    ),
    FactRule(
        "home_came",
        "home",
        rf"来(?:了)?(?P<v>{CITIES}|{COUNTRIES})(?:都|已经|也)?(?:快)?{DIGITS}{{1,3}}[多来]?年(?:了|"
        rf"多)+",
        ("来",),
        bare=False,
    ),
    FactRule(
        "home_is",
        "home",
        rf"(?:的)?(?:现居地?|现居住地|居住地|所在地|坐标)(?:在|是|:)?(?P<v>{PLACE_LONG})$",
        ("居", "坐标", "所在"),
    ),
    FactRule(
        "address",
        "address",
        r"(?:的)?(?:住址|收货地址|家庭地址|家庭住址|地址|寄件地址)(?:是|在|改成了?|换成了?|"
        r":)?(?P<v>[^,]{4,40}?(?:路|街|号|室|栋|楼|弄|巷|小区|座|单元|苑|村)[^,]{0,16}?)(?:了)?$",
        ("址",),
    ),
    FactRule(
        "address_to",
        "address",
        r"(?:寄|送|发|快递)到(?P<v>[^,]{2,20}?(?:路|街|道|村|小区|苑|大厦|花园)[^,]{0,16}?(?:[0-9一二三四五六七八九"
        r"十]+ ?(?:号|栋|幢|室|楼|单元)[^,]{0,10})?)(?:就行|就好|吧|来)?$",
        ("寄到", "送到", "发到", "快递到"),
    ),
    FactRule(
        "address_home",
        "address",
        r"(?:住|家)(?:在)?(?P<v>[^,]{2,20}?[0-9一二三四五六七八九十]+(?:号楼?|弄|栋|幢|巷|"
        r"室|单元)[^,]{0,12}?)(?:了)?$",
        ("住", "家"),
    ),
)
