"""Which slot of the key scheme Chinese words fill: the vocabulary of each slot of a preference."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, partial
from typing import Final, NamedTuple

from smartbrain.extraction._zh_text import ZH
from smartbrain.extraction.literals import Source, places
from smartbrain.extraction.starts import searched


class Slot(NamedTuple):
    """``about`` names the slot itself (缩进, 注释), ``choices`` what may be chosen in it."""

    scope: str
    name: str
    about: str
    choices: str


LANGUAGE: Final = (
    "(?:简体|繁体|正体|简体字|繁体字)?中文(?:简体|繁体)?|简体(?:字|中文)?|繁体(?:字|中文)?|"
    "正体(?:字|中文)?|繁中|简中|普通话|国语|英[语文]|english|日[语文]|韩[语文]|法[语文]|"
    "德[语文]|"
    "西班牙[语文]|西语|俄[语文]|粤语|广东话|白话文|闽南语|台语|双语|中英(?:文)?(?:对照|"
    "双语|混排)?|葡萄牙语|意大利语|泰语|越南语|文言文|母语"
)
_CODE: Final = (
    r"python|java(?!script)|javascript|typescript|(?<![a-z])[tj]s(?![a-z])|golang|(?<![a-z])go(?![a-z])|"
    r"rust|c\+\+|c#|kotlin|swift|ruby|php|scala|(?<![a-z])r(?![a-z])|(?<![a-z])sql(?![a-z])|"
    r"shell|bash|lua|haskell|dart"
)

SLOTS: Final = (
    # --- how code is written
    Slot("coding", "comments", r"注释|批注|注解(?!为)|(?<![a-z])comments?(?![a-z])", LANGUAGE),
    Slot("coding", "commits", r"commit(?: ?message)?s?|提交(?:信息|说明|记录|消息)", LANGUAGE),
    Slot("coding", "indentation", "缩进|缩排", r"(?:[两二四八248]个?)空?格|tab(?:键|s)?(?![a-z])|制表符"),
    Slot("coding", "tests", "单元测试|单测|测试用例|测试代码|写测试|测试", "pytest|unittest|jest|vitest|junit|tdd"),
    Slot("coding", "types", "类型(?:注解|标注|提示|声明)|type ?hints?", "mypy|any类型"),
    Slot("coding", "docs", "docstrings?|文档字符串|文档注释", "google风格|numpy风格"),
    Slot(
        "coding",
        "style",
        "命名|变量名|函数名|类名|引号|分号|代码风格|代码规范|行宽|每行|关键字|大写|小写|大括号|"
        "花括号|编码风格|函数式|面向对象",
        r"snake_?case|camel_?case|驼峰|下划线|匈牙利|单引号|双引号|函数式(?:写法|风格)?|面向对象|"
        r"早返回|early return|链式|lambda|三元|一行流|拼音",
    ),
    Slot(
        "coding",
        "package_manager",
        "包管理(?:器|工具)?|装包|装依赖|依赖管理",
        r"pnpm|npm|yarn|(?<![a-z])bun(?![a-z])|poetry|(?<![a-z])uv(?![a-z])|(?<![a-z])pip(?![a-z])|"
        r"conda|cargo|maven|gradle|(?:home)?brew(?![a-z])|(?<![a-z])apt(?![a-z])",
    ),
    Slot(
        "coding",
        "framework",
        "框架|组件库",
        r"react|vue|svelte|angular|next\.?js|nuxt|django|fastapi|flask|spring ?boot|spring|"
        r"tailwind|express|nest\.?js|flutter|pytorch|tensorflow|element ?plus|antd|qt(?![a-z])",
    ),
    Slot(
        "coding",
        "database",
        "数据库",
        "mysql|postgres(?:ql)?|sqlite|mongo(?:db)?|tidb|redis|oracle|mariadb|clickhouse|duckdb|达梦|oceanbase",
    ),
    Slot("coding", "language", "编程语言|写代码|示例代码|代码示例|脚本|代码|例子程序|后端|写程序", _CODE),
    # --- what the screen shows
    Slot(
        "ui",
        "theme",
        "主题|配色|界面皮肤|换肤|界面颜色",
        "(?:深色|浅色|暗色|亮色|夜间|暗黑|白天|日间|护眼|黑暗|黑色|白色|明亮|浅|深)(?:色)?(?:模式|"
        "主题|背景|界面|皮肤|底)|(?:深色|浅色|暗色|护眼)(?:的)?(?:就好|吧|$)|黑底白?字?|白底黑?字?|"
        "dark ?mode|light ?mode|dark(?![a-z])",
    ),
    Slot(
        "ui",
        "font_size",
        "字体大小|字号|字级|字体(?=[^,]{0,4}[大小])|(?<![汉数文写打识名])字(?=(?:体)?(?:再|"
        "都|要|给我|帮我|请|调|放|显示|也)*(?:得|到)?(?:大|小))",
        "大字(?:体|号)?|小字(?:体|号)?|特大号|(?:调|放|再|要)?大一?[点些号]|(?<!月)[0-9]{2}(?:px|pt|号(?=字|吧|$))",
    ),
    Slot(
        "ui",
        "font",
        "字体|字型",
        "宋体|黑体|楷体|仿宋|微软雅黑|苹方|思源(?:黑|宋)体|等宽字体|等线|衬线|明体|细明体|新细明体",
    ),
    Slot("ui", "notifications", "通知|推送|弹窗|消息提醒|推播|小红点|提醒框", "静默推送"),
    Slot("ui", "sound", "提示音|提醒声音?|声音|音效|铃声|背景音乐", "静音|震动"),
    Slot(
        "ui",
        "units",
        "单位",
        r"公制|英制|公斤|千克|(?:摄氏|华氏)度?|公里|英里|厘米|公分|市斤|(?<![0-9一两二三四五六七八九十百半几])斤|"
        r"米制|毫升|盎司|磅|平米|坪|克[数重]|(?<=[按用以])克(?!隆|服)",
    ),
    Slot(
        "ui",
        "timezone",
        "时区",
        "北京时间|台北时间|东八区|utc(?:[+-][0-9]+)?|东京时间|纽约时间|美东时间|太平洋时间|本地时间",
    ),
    Slot(
        "ui",
        "date_format",
        "日期(?:格式|写法|都|就|统一|要|请|用|一律)",
        r"年月日|民国年|公历|西元|农历|[0-9]{4}-[0-9]{2}-[0-9]{2}|yyyy[-/.]?mm[-/.]?dd|iso "
        r"?8601|日月年|月日年",
    ),
    Slot(
        "ui",
        "time_format",
        "时间格式|时间(?=(?:都|请|一律|显示|统一|用|按|给我)*[^,]{0,6}(?:小时制|时制))",
        "(?:24|12|二十四|十二)小?时制?|(?:24|12)h",
    ),
    Slot(
        "ui",
        "currency",
        "货币|币种|金额|价格(?![和跟])|价钱|报价(?!单)|币别",
        "人民币|rmb|cny|美元|美金|usd|台币|新台币|港币|欧元|日元|英镑|新币|澳元|加元",
    ),
    Slot(
        "ui",
        "layout",
        "布局|版面|排版界面|侧边栏|侧栏|任务栏|状态栏|分栏|导航栏|工具栏",
        "双栏|单栏|竖排|横排|竖屏|横屏|左侧|右侧|网格|列表视图|卡片视图|看板视图",
    ),
    Slot("ui", "language", "界面(?:语言)?|菜单(?:语言)?|系统语言|介面(?:语言)?", "(?!)"),
    # --- how the assistant writes
    Slot("writing", "emoji", "表情(?:符号|包)?|emoji|颜文字|小图标|颜表情", "(?!)"),
    Slot(
        "writing", "spelling", "拼写|拼法", "英式(?:英语|拼写|拼法|英文)?|美式(?:英语|拼写|拼法|英文)|british|american"
    ),
    Slot(
        "writing",
        "sources",
        "出处|来源|依据|参考(?:文献|资料)|(?:附|给|带|加|列)[^,]{0,8}链接|文献|引文|数据源",
        "(?!)",
    ),
    Slot("writing", "examples", "举?(?:一?个)?例子|举例|实例|示例(?!代码)|案例|范例|类比|打比方|比方", "(?!)"),
    Slot(
        "writing",
        "format",
        "格式|排版|小标题|标题|加粗|粗体|段落|斜体",
        r"表格|列表|列点|(?<![不别])要点|分点|条列式?|分条|清单|编号|编上?号|序号|分段|换行|项目符号|"
        r"markdown|md格式|纯文本|纯文字|json|代码块|思维导图|流程图|csv|yaml|latex|bullet(?: "
        r"points?)?|大段文字|整段|一段话|(?:那么|这么)多点|分成?点|分点|小标题|bullet ?points?",
    ),
    Slot(
        "writing",
        "length",
        "篇幅|字数|长度|长短|废话|一大堆|长篇大论|铺垫|车轱辘话",
        r"(?:简短|简洁|干脆|简单|精简|精炼|简明|详细|详尽|具体|全面|细致|仔细|深入|(?<![精仔详])细(?=一?点))(?:扼要)?(?"
        r":一?[点些]|的|些)?|[短长](?:一?[点些])|[短长]的?(?=回答|回复|句子)|尽量[短长]|[太这那][么]?[长短细多啰]("
        r"?:嗦)?(?!得)|言简意赅|长话短说|说重点|讲重点|挑重点|直奔主题|一句话|[一两二三几3-9]句话?(?:以内|"
        r"之内|内)?|[0-9一二两三五百]+字(?:以内|之内|左右|内|$)|[一二两三四五六七八九十0-9]+[行段](?:以内|"
        r"之内|内)|不要超过[^,]{1,8}|别超过[^,]{1,8}|啰嗦|罗嗦|啰里啰嗦|冗长|展开(?:讲|说)?|"
        r"长篇",
    ),
    Slot(
        "writing",
        "style",
        "文风|写法|风格|术语|被动句|被动语态|行话|黑话|专业(?:名词|词汇|术语)|比喻|成语|网络用语|"
        "排比|套话|形容词|感叹号|英文缩写|缩写|翻译腔|外来语|大陆用语|支语|AI味|ai味|空话|"
        "流行语|煽情|矫情|洋[文词]儿?|英文(?:单)?词|专业词儿?|生僻[字词]|大词|网络词|语气词|(?<![刚])梗|首先|其次|综上(?:所述)?|总而言之",
        r"先[^,]{1,8}?再[^,]{1,8}|(?:先|直接)(?:给|说|讲|上|写|放|列|抛|亮|撂|甩|扔|报|来|告诉我?|把)?(?:出)?(?:结论|"
        r"答案|重点|结果|要点|干货|办法|数字|能不能[^,]{1,3}|行不行)(?:再[^,]{1,8})?|(?:我?要的是|只要)结论|过程放(?:在)?后面?|(?:结论|"
        r"答案|重点|结果)(?:先行|(?:都|请|要)?[放写](?:在)?(?:最)?(?:前面?|前头|开头|第一句)|"
        r"在前)|(?:一步一步|分步骤?|一步步|逐步|step by step)(?:地|来|讲|说|写)?|台湾用语|"
        r"大白话|白话|通俗(?:易懂)?|口语化?|书面语|接地气|倒金字塔|主动语态|短句|从句|第一性原理|"
        r"人话|掰开揉碎|掰碎了|慢慢(?:讲|说|来)",
    ),
    Slot(
        "writing",
        "tone",
        "语气|口吻|客套(?:话)?|寒暄|敬语|称呼|态度|拍马屁|恭维|夸(?:我|奖)|道歉|鸡汤|说教|"
        "奉承|装可爱|发嗲|大道理|虚头巴脑|打太极|套近乎|绕(?:弯子|圈子)|彩虹屁|安慰|教育我|官腔|官话|场面话|撒娇|卖萌|吹捧|敷衍|阴阳怪气|爹味",
        r"正经|死板|生硬|冷冰冰|官方|放松|放轻松|正式|随意|随便一点|轻松|幽默|严肃|客气|亲切|"
        r"温柔|温和|直接一?点|直白|犀利|委婉|礼貌|热情|活泼|冷静|专业一点|友好|朋友(?:一样|"
        r"那样|聊天)|像朋友|毒舌|严厉|凶一?点|狠一?点|唠嗑(?:一?样|似的|那样)?|公事公办|"
        r"像(?:街坊|家人|哥们儿?|闺蜜|邻居|老朋友)[^,]{0,3}|认真一点|(?<!谢谢)(?<![感致])您(?=[\"'”’」』]?(?:$|称呼|字|来称呼))",
    ),
    Slot("writing", "language", "语言", LANGUAGE),
    # --- what the user works with
    Slot(
        "tools",
        "editor",
        "编辑器|ide(?![a-z])|写代码的软件",
        r"vs ?code|vscode|visual studio|neovim|nvim|vim|emacs|sublime|typora|pycharm|webstorm|"
        r"intellij|idea(?![a-z])|goland|clion|cursor|zed(?![a-z])|notepad\+\+|jetbrains(?:全家桶)?|"
        r"xcode|android studio|scrivener|ulysses|hbuilder|trae",
    ),
    Slot(
        "tools",
        "browser",
        "浏览器",
        r"chrome|谷歌浏览器|firefox|火狐|safari|edge(?![a-z])|brave|opera|vivaldi|360浏览器|"
        r"夸克|arc(?![a-z])",
    ),
    Slot(
        "tools",
        "os",
        "操作系统|系统(?=用|是)",
        r"mac ?os|macbook|(?<![a-z])mac(?![a-z])|windows|win ?1[01]|linux|ubuntu|debian|fedora|"
        r"arch ?linux|安卓|android|iphone|ios(?![a-z])|鸿蒙|苹果系统|麒麟系统|统信",
    ),
    Slot("tools", "shell", "(?!)", r"zsh|bash|(?<![a-z])fish(?![a-z])|powershell|nushell"),
    Slot(
        "tools",
        "terminal",
        "终端",
        r"iterm2?|warp(?![a-z])|alacritty|kitty|wezterm|ghostty|windows terminal|tmux|xshell|"
        r"mobaxterm|tabby",
    ),
    Slot(
        "tools",
        "search",
        "搜索引擎|搜东西|查资料|搜索",
        r"谷歌(?!浏览器|地图|文档|日历)|google(?! ?(?:maps?|docs?|sheets?|calendar|drive))|"
        r"百度(?!地图|网盘|云)|必应|bing|duckduckgo|搜狗(?!输入法)|秘塔|perplexity",
    ),
    Slot(
        "tools",
        "notes",
        "笔记(?:软件|应用)?|记东西|备忘录|记事",
        r"notion|obsidian|印象笔记|evernote|有道云笔记|有道云|flomo|onenote|语雀|logseq|备忘录|"
        r"幕布|为知笔记|思源笔记|roam|apple notes|goodnotes|notability|bear(?![a-z])|手账本?|"
        r"flowus|wolai",
    ),
    Slot(
        "tools",
        "calendar",
        "日历|行事历|日程(?:管理)?",
        r"google ?calendar|谷歌日历|outlook日历|苹果日历|滴答清单|ticktick|飞书日历|todoist|"
        r"fantastical|钉钉日历",
    ),
    Slot(
        "tools",
        "email",
        "邮箱|邮件客户端|收发邮件",
        r"gmail|outlook|foxmail|qq邮箱|163邮箱|网易邮箱|thunderbird|企业邮箱|protonmail|spark(?![a-z])",
    ),
    Slot(
        "tools",
        "chat",
        "聊天软件|沟通工具|聊天工具|办公软件",
        r"企业微信|微信|飞书|钉钉|slack|telegram|whatsapp|(?<![a-z])line(?![a-z])|discord|"
        r"(?<![a-z])qq(?!邮箱|音乐)|teams|signal|企微",
    ),
    Slot(
        "tools",
        "payment",
        "付款|支付(?!接口|宝|模块|系统|页)|买单|结账",
        r"支付宝|微信支付|云闪付|信用卡|现金|apple pay|街口支付?|line ?pay|刷卡|数字人民币|"
        r"八达通|悠游卡|花呗|paypal|储蓄卡",
    ),
    Slot("tools", "navigation", "导航|地图", r"高德(?:地图)?|百度地图|腾讯地图|google ?maps?|谷歌地图|苹果地图|waze"),
    Slot(
        "tools",
        "cloud",
        "云服务器?|云厂商|网盘|云盘|云平台",
        r"阿里云(?:盘)?|腾讯云|华为云|aws|azure|gcp|百度网盘|坚果云|icloud|google ?drive|dropbox|"
        r"onedrive|夸克网盘|cloudflare|天翼云",
    ),
    Slot(
        "tools",
        "version_control",
        "版本(?:管理|控制)",
        r"(?<![a-z])git(?![a-z])|svn|mercurial|(?<![a-z])jj(?![a-z])|perforce",
    ),
    Slot(
        "tools",
        "spreadsheet",
        "电子表格|做表|表格软件",
        r"excel|google ?sheets?|wps ?表格|腾讯文档|numbers|石墨|飞书表格|多维表格|airtable",
    ),
    # --- the rest
    Slot(
        "other",
        "seat",
        "座位|位[子置](?=[^,]{0,8}(?:窗|过道|走道|前|后))|座(?=[^,]{0,4}(?:窗|道))|选座",
        r"靠窗(?:户)?(?:边)?(?:的)?(?:座位|位[子置]|座)?|靠过道|靠走道|过道(?:位|座|的)?|走道(?:位|"
        r"座)?|窗边|窗口位|前排|后排|中间座|下铺|上铺|靠门",
    ),
    Slot(
        "other",
        "contact",
        "联系(?:我|方式)|找我|(?:有事|有急事|沟通|通知我|叫我)",
        r"发?(?:微信|短信|邮件(?![里中末开结正标])|消息|信息|飞书|钉钉|语音|line|私信|whatsapp|电邮)|打(?:电话|"
        r"视频)|电话|留言|视频电话|语音(?:通话|消息|条)?",
    ),
    Slot(
        "other",
        "meeting_time",
        "开会|会议|会(?=都|尽量|最好|全|一律)|约我|找我开会|开早会|约会议|排会|面谈|meeting",
        r"(?:早上|上午|下午|晚上|中午|午后|傍晚|[周礼星][一二三四五六日拜期]{1,2})(?:[0-9一二三四五六七八九十]+点("
        r"?:半|以?[前后]|之[前后])?)?|(?:[0-9一二三四五六七八九十]{1,2}点(?:半)?(?:以?[前后]|"
        r"之[前后]))",
    ),
)


_ONLY_NAMED: Final = frozenset(("comments", "commits"))
"""Slots whose choices are those of another slot too, so that the slot has to be named."""


class Filled(NamedTuple):
    """A slot that words fill, by naming it (``about``) or by a choice that belongs to it."""

    slot: Slot
    about: re.Match[str] | None
    choice: re.Match[str] | None

    @property
    def start(self) -> int:
        return min(found.start() for found in (self.about, self.choice) if found is not None)


def slots_in(text: str) -> Iterator[Filled]:
    """The slots that folded words name or fill, in the order above."""
    for at in places(ZH.mask(text) >> _FIRST & (1 << len(SLOTS)) - 1):
        slot = SLOTS[at]
        named, chosen = _words(slot.about).search(text), _words(slot.choices).search(text)
        if named or (chosen and slot.name not in _ONLY_NAMED):
            yield Filled(slot, named, chosen)


@cache
def _words(words: str) -> re.Pattern[str]:
    return searched(words)


_FIRST: Final = ZH.enter([partial(Source, f"{slot.about}|{slot.choices}") for slot in SLOTS])
