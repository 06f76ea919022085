"""The expressions by which a message names documents, files, endpoints, things and places; English, Chinese, Russian.

Runs are bounded, so that a message of one endless word costs no more than its length.
"""

from __future__ import annotations

import re
from functools import cache

_HAN = r"\u3400-\u9fff"
_OPEN, _CLOSE = "\"'`“”‘’「『«„《", "\"'`“”‘’」』»“》"
DOC_ENDINGS = frozenset(("md", "mdx", "markdown", "rst", "txt", "adoc", "html", "htm", "pdf", "docx", "ipynb", "org"))
_OTHER_ENDINGS = (
    "py|pyi|js|jsx|ts|tsx|go|rs|rb|java|kt|c|h|cc|cpp|hpp|cs|php|swift|scala|sh|sql|proto|graphql"
    "|json|jsonl|ya?ml|toml|ini|cfg|conf|env|xml|csv|tsv|lock"
)
NOT_FILES = frozenset(("node.js", "next.js", "vue.js", "nuxt.js", "react.js", "three.js", "d3.js", "express.js"))
NOT_ENTITIES = frozenset(
    (  # noqa: SIM905
        "github gitlab bitbucket javascript typescript postgresql mysql mongodb openai langchain llamaindex youtube"
        " linkedin powerpoint macos ios iphone ipad graphql devops javadoc wechat whatsapp facebook paypal readme"
    ).split()
)
FILE_ROOTS = frozenset(("etc", "usr", "var", "tmp", "home", "opt", "srv", "mnt", "dev", "root", "users", "bin"))


@cache
def url() -> re.Pattern[str]:
    """What the other expressions must not look into."""
    return re.compile(r"\b[a-z][a-z0-9+.-]{1,15}://\S+", re.IGNORECASE)


@cache
def rooted() -> re.Pattern[str]:
    """A path that begins with a slash, and the HTTP method before it."""
    return re.compile(
        r"(?:\b(?P<method>GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+)?"
        r"(?<![A-Za-z0-9_.:/~\\-])(?P<path>/[A-Za-z0-9_{}<>:*.-]{1,60}(?:/[A-Za-z0-9_{}<>:*.-]{1,60}){0,12}/?)"
    )


@cache
def file_name() -> re.Pattern[str]:
    """A file by its ending, with or without folders; a folder below docs; the files that need no ending."""
    ending = rf"(?:{'|'.join(sorted(DOC_ENDINGS))}|{_OTHER_ENDINGS})"
    return re.compile(
        rf"(?<![\w@./\\-])(?:\.{{0,2}}/)?(?:[\w.@-]{{1,60}}/){{0,12}}[\w@-][\w.@-]{{0,60}}\.{ending}(?![A-Za-z0-9_/])"
        r"|(?<![\w./-])docs/(?:[\w.-]{1,60}/){0,8}"
        r"|\b(?:README|CHANGELOG|CONTRIBUTING|LICENSE|Makefile|Dockerfile)\b",
        re.IGNORECASE,
    )


@cache
def before_name() -> re.Pattern[str]:
    """Chinese words that stand before a name without a space."""
    return re.compile(
        r"^(?:请问|请|麻烦|帮我|帮忙|给我|打开|翻一下|参考|参照|根据|按照|依据|对照|找到"
        r"|看|读|查|找|在|从|把|用|跟|和|与|或|及|的|我们|咱们|公司|咱|我|你|这个|那个|这份|那份|一下|里|关于|有关|介绍|解释|说明"
        r"|什么是|哪个|哪些|是|里面|上面|写着|提到|说)+"
    )


@cache
def title() -> re.Pattern[str]:
    """A document by its title: in book marks, or in quotes beside a word for a document."""
    noun = (
        r"doc(?:ument(?:ation)?|s)?|guide|page|runbook|spec(?:ification)?|manual|handbook|playbook|policy|adr|rfc|wiki"
        r"|документ\w*|руководств\w*|гайд\w*|страниц\w*|инструкци\w*|регламент\w*|спецификаци\w*|статье?\w*"
        r"|文档|文檔|文件|手册|手冊|指南|说明|規範|规范|教程|页面|章节"
    )
    inside = rf"[^{_OPEN}{_CLOSE}\n]{{2,60}}"
    return re.compile(
        rf"《(?P<book>[^《》\n]{{1,60}})》"
        rf"|(?:{noun})\s*(?:called|titled|named|под названием|名为|叫)?\s*[{_OPEN}](?P<after>{inside})[{_CLOSE}]"
        rf"|[{_OPEN}](?P<ahead>{inside})[{_CLOSE}]\s*(?:这份|这篇|那份|的)?\s*(?:{noun})",
        re.IGNORECASE,
    )


@cache
def plain_title() -> re.Pattern[str]:
    """A document by its title without quotes, where the last word of it says that it is one."""
    return re.compile(
        r"\b(?:the|our|in|from)\s+(?P<en>(?:(?!the\b|our\b)[\w-]{2,20}\s+){1,3}"
        r"(?:guide|runbook|handbook|manual|playbook|cheat ?sheet))\b"
        rf"|(?P<zh>[{_HAN}A-Za-z]{{2,12}}(?:手册|手冊|指南|教程|说明书|操作规程))",
        re.IGNORECASE,
    )


@cache
def named_thing() -> re.Pattern[str]:
    """A thing by what it is called beside what it is, in code marks, or spelt as code."""
    code = r"[A-Za-z][A-Za-z0-9_-]{0,60}"
    noun = r"entity|entities|component|service|module|class|table|model|queue|topic|worker"
    ru = r"(?:сущност\w+|компонент\w*|сервис\w*|модул\w+|класс\w*|таблиц\w+|очеред\w+)"
    zh = r"(?:实体|實體|组件|組件|服务|服務|模块|模組|数据表|队列)"
    return re.compile(
        rf"`(?P<code>{code})`"
        rf"|\b(?i:{noun})\s+[{_OPEN}]?(?P<en_after>[A-Z][\w-]{{1,40}})"
        rf"|\b(?P<en_ahead>[A-Z][A-Za-z0-9]{{1,40}}"
        rf"|[a-z][a-z0-9]{{0,40}}[_-][a-z0-9_-]{{1,40}})[{_CLOSE}]?\s+(?i:{noun})\b"
        rf"|\b(?i:{ru})\s+[{_OPEN}]?(?P<ru_after>[A-ZА-ЯЁ][\w-]{{1,40}}|[a-z][\w-]{{1,40}})"
        rf"|(?P<zh_ahead>(?a:[A-Za-z][\w-]{{1,40}}))\s*[{_CLOSE}]?\s*{zh}"
        rf"|{zh}\s*[{_OPEN}]?\s*(?P<zh_after>(?a:[A-Za-z][\w-]{{1,40}}))"
        rf"|(?P<zh_name>[{_HAN}]{{2,8}})(?:实体|實體|组件|組件)"
        r"|(?<![\w/.-])(?P<camel>[A-Z][a-z0-9]{1,30}(?:[A-Z][a-z0-9]{0,30}){1,8})(?![\w/-]|\.[a-z])"
        r"|(?<![\w/.-])(?P<snake>[a-z][a-z0-9]{0,30}(?:_[a-z0-9]{1,30}){1,8})(?![\w/])"
    )


@cache
def kinds() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Words for a kind of document, under the English name that the resolver knows."""
    table = {
        "architecture": r"\barchitectur\w*|架构|架構|архитектур\w*",
        "workflow": r"\bwork-?\s?flows?\b|\bprocess(?:es)?\b|\bsteps\b|\bstep by step\b|流程|工作流|步骤"
        r"|\bпроцесс(?!ор)\w*|\bшаги\b|\bпошагов\w*",
        "logic": r"\blogic\b|逻辑|邏輯|\bлогик\w*",
        "endpoint": r"\bend-?points?\b|\bapis?\b|接口|\bэндпо[ий]нт\w*|\bручк[аиуе]\b",
        "entity": r"\bentit(?:y|ies)\b|实体|實體|\bсущност\w*",
        "component": r"\bcomponents?\b|组件|組件|\bкомпонент\w*",
        "domain": r"\bdomain model\b|领域模型|\bдоменн\w+ модел\w*",
    }
    return tuple((name, re.compile(pattern, re.IGNORECASE)) for name, pattern in table.items())


@cache
def place() -> re.Pattern[str]:
    """A domain or subdomain that is called one."""
    name = r"[A-Za-zА-Яа-яЁё][\w-]{1,30}"
    quoted = rf"[{_OPEN}]?"
    return re.compile(
        rf"\b(?P<en_sub>sub)?domain\s*(?:of|is|called|[:=])\s*{quoted}(?P<en_after>{name})"
        rf"|\b(?:in|of|from|for|within)\s+the\s+{quoted}(?P<en_ahead>{name}){quoted}\s+(?P<en_sub2>sub)?domain\b(?!\s+name)"
        rf"|\b(?P<ru_sub>под)?домен(?:е|а|у|ом|ы)?\s*[:=]?\s*{quoted}(?P<ru_after>{name})"
        rf"|(?P<zh_ahead>[{_HAN}\w-]{{2,20}}?)\s*(?P<zh_sub>子)(?:领域|領域|域)"
        rf"|(?P<zh_ahead2>[{_HAN}\w-]{{2,20}}?)\s*(?:领域|領域|域)(?!名)"
        rf"|(?P<zh_sub2>子)?(?:领域|領域|域)\s*[:：=]\s*(?P<zh_after>[{_HAN}\w-]{{2,20}})",
        re.IGNORECASE,
    )


@cache
def wants_files() -> re.Pattern[str]:
    """The question is where something stands."""
    return re.compile(
        r"\b(?:which|what)\s+(?:(?!do|does|did|is|are|was|were|has|have|can)\w+\s+){0,2}"
        r"(?:files?|docs?|documents?|pages?|notebooks?)\b(?![/.])"
        r"|\b(?:find|list|show|give|locate|search)\s+(?:me\s+)?(?:all\s+|every\s+)?(?:the\s+|any\s+)?(?:\w+\s+){0,2}"
        r"(?:files?|docs|documents?|pages?|notebooks?)\b"
        r"|\bwhere\s+(?:is|are|do|does|can)\b.{0,60}\b(?:documented|described|written|defined|explained|located|stored)\b"
        r"|\bpath (?:to|of) the\b"
        r"|(?:哪个|哪些|哪份|哪几个|哪一个|什么)(?:文件|文档|文檔|页面|笔记本?)"
        r"|(?:找|列出|列一下|搜)(?:一下|出|到)?.{0,16}?(?:文件|文档|文檔)(?!里|中|系统)"
        r"|(?:文件|文档|文檔).{0,6}在哪|在哪(?:里|儿|个地方)?(?:有|被)?(?:写|记录|描述|定义|说明)"
        r"|(?:写|记录|描述|定义)在(?:哪|什么)"
        r"|\b(?:в\s+)?как(?:ом|их|ой|ие)\s+(?:\w+\s+){0,1}(?:файл\w*|документ\w*|страниц\w*)"
        r"|\b(?:найди|найти|покажи|перечисли|дай|выведи)(?:те)?\s+(?:мне\s+)?(?:все\s+)?(?:\w+\s+){0,2}"
        r"(?:файл\w*|документ\w*|страниц\w*)"
        r"|\bгде\s+(?:\w+\s+){0,4}?"
        r"(?:описан|задокументирован|лежит|лежат|находится|находятся|хранится|определ[её]н|написан)\w*"
        r"|\bсписок\s+(?:файлов|документов)",
        re.IGNORECASE,
    )


@cache
def about_everything() -> re.Pattern[str]:
    """The question is about the whole."""
    whole = r"(?:project|repo(?:sitory)?|system|product|app(?:lication)?|codebase|library|documentation|docs)"
    return re.compile(
        r"\boverview\b|\bin general\b|\bbig picture\b|\bgetting started\b|\bwhere (?:do|should|can) i (?:start|begin)\b"
        rf"|\bwhat(?:'s| is| does| are)\s+(?:this|the|these|our)\s+(?:\w+\s+)?{whole}\b(?:\s+(?:do|about|for)\b|\s*\?)"
        rf"|\b(?:introduce|introduction|intro)\s+(?:me\s+)?(?:to\s+)?(?:the|this)\s+{whole}\b"
        rf"|\btell me about (?:this|the) {whole}\b"
        r"|概述|概览|总览|總覽|(?:总体|整体)(?:介绍|情况)|从哪(?:里|儿)?(?:开始|入手)"
        r"|(?:这个|本|该|整个)?(?:项目|系统|产品|仓库|代码库|文档库?)(?:是|主要)(?:是)?(?:做|干|讲)(?:什么|啥)"
        r"|介绍一下?(?:这个|本|整个)(?:项目|系统|产品|仓库|代码库)"
        r"|\bобзор\b|\bв общих чертах\b|\bв целом\b|\bс чего начать\b"
        r"|\b(?:о\s?ч[её]м|что\s+(?:это\s+)?(?:за|такое|делает|умеет))\s+(?:этот|эта|это|эти|наш\w*)?\s*"
        r"(?:проект|документаци\w+|систем\w+|продукт|репозитори\w+)"
        r"|\bрасскажи(?:те)?\s+(?:о|об|про)\s+(?:этом\s+)?(?:проект\w*|систем\w*|продукт\w*)",
        re.IGNORECASE,
    )
