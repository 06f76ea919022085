"""The words that fill a slot of docs/memory-keys.md in English, slot by slot."""

from __future__ import annotations

_CODE = (
    "python|golang|rust|typescript|javascript|java|kotlin|c\\+\\+|c#|ruby|scala|elixir|"
    "erlang|haskell|php|julia|clojure|ocaml|f#|"
    "perl|lua|dart|zig|cobol|fortran|matlab|bash scripts?"
)
_DATABASES = (
    "postgres(?:ql)?|mysql|sqlite|mongo(?:db)?|mariadb|redis|dynamodb|cassandra|oracle "
    "db|sql server|cockroach(?:db)?|duckdb|clickhouse|"
    "firestore|supabase|neo4j|elasticsearch"
)
_FRAMEWORKS = (
    "react(?: native)?|vue(?:\\.js)?|svelte(?:kit)?|angular|django|flask|fastapi|rails|"
    "ruby on rails|spring(?: boot)?|next(?:\\.?js)|nuxt|laravel|"
    "express(?:\\.js)?|remix|astro|solid(?:\\.?js)|phoenix|flutter|tailwind(?: css)?|"
    "bootstrap|pytorch|tensorflow|htmx|nestjs|symfony"
)
_EDITORS = (
    "vim|neovim|nvim|emacs|vs ?code|visual studio(?: code)?|helix|sublime(?: text)?|jetbrains|"
    "intellij(?: idea)?|pycharm|webstorm|goland|clion|"
    "zed|nano|cursor|xcode|notepad\\+\\+|rstudio|eclipse|kakoune|textmate|bbedit|android studio|phpstorm|netbeans"
)
_PACKAGERS = (
    "pnpm|npm|yarn|bun|pip|poetry|uv|conda|mamba|pdm|pipenv|cargo|homebrew|brew|apt|maven|gradle|composer|nuget"
)
_CLOUDS = (
    "aws|amazon web services|gcp|google cloud|azure|hetzner|digital ?ocean|linode|heroku|"
    "fly\\.io|vercel|netlify|cloudflare|ovh|railway"
)
_SYSTEMS = (
    "linux|ubuntu|debian|fedora|arch(?: linux)?|nixos|mac ?os|mac(?= (?:user|person|people|family|household|guy|"
    "girl|fan))|windows(?: (?:10|11))?|linux mint|pop!?_?os|manjaro|freebsd|openbsd|chromeos|mac(?=$)|"
    "ios|android|graphene ?os"
)
_NUMBER = r"(?:one|two|three|four|five|six|eight|ten|\d{1,3})"

# In this order: what is more particular stands first. The named group "v" is the choice, else the whole match.
TABLE: tuple[tuple[str, str, str], ...] = (
    (
        "ui",
        "theme",
        r"(?P<v>dark|light|night|high[- ]contrast|solarized|sepia)(?:[- ](?:mode|theme|colou?r "
        r"scheme|background|ui))",
    ),
    ("ui", "theme", r"(?:theme|mode)s? (?:set )?to (?P<v>dark|light)"),
    ("ui", "time_format", r"(?P<v>24[- ]?h(?:ou)?rs?|12[- ]?h(?:ou)?rs?|military|am/pm)(?: (?:clock|time|format))*"),
    (
        "ui",
        "date_format",
        r"(?P<v>iso(?: 8601)?) dates?|dates? (?:as|in|written|like|formatted as) (?P<v2>[\w/ "
        r".-]{2,24})",
    ),
    (
        "ui",
        "date_format",
        r"(?P<v>(?:dd|mm|yyyy)[/.-](?:mm|dd)(?:[/.-](?:yyyy|yy|dd))?|day[-/ ]month(?:[-/ ]year)?|"
        r"month[-/ ]day(?:[-/ ]year)?|day first|year first)",
    ),
    ("ui", "units", r"(?P<v>metric|imperial)(?: (?:units|system|sizes|measurements|measures))?"),
    (
        "ui",
        "units",
        r"(?P<v>celsius|fahrenheit|kilos|kilograms?|kgs?|pounds and ounces|stones?|kilomet(?:er|"
        r"re)s|km/h|km|miles|centimet(?:er|re)s|millimet(?:er|re)s|inches|lit(?:er|re)s|gallons|"
        r"grams|ounces|cups)",
    ),
    (
        "ui",
        "currency",
        r"(?P<v>(?:us |canadian |australian )?dollars|euros?|british pounds|pounds sterling|"
        r"sterling|yen|yuan|rmb|rupees|francs|kron(?:er|or)|usd|eur|gbp|jpy|cny|chf|cad|aud|"
        r"inr)",
    ),
    (
        "ui",
        "timezone",
        r"(?:times? |everything )?in (?P<v>utc|gmt|central european time|[ecmp][sd]?t|cet|[a-z]+ time)(?: (?:time|"
        r"zone))*|(?P<v2>utc|gmt|cet|pacific time|eastern time|local time)",
    ),
    ("ui", "font_size", r"(?P<v>(?:big(?:ger)?|larger?|huge|small(?:er)?|tiny) (?:fonts?|text|type|print|letters))"),
    (
        "ui",
        "font",
        r"(?P<v>comic sans|helvetica|arial|times new roman|dyslexi[ac][- ]friendly fonts?|"
        r"serif fonts?|sans[- ]serif(?: fonts?)?|monospaced? fonts?)",
    ),
    ("ui", "notifications", r"(?P<v>(?:push )?notifications?|(?:popup|pop-up|push) alerts?|pop-?ups)"),
    ("ui", "sound", r"(?P<v>sound effects|sounds?(?= (?:on|off|in))|beeps|chimes|audio cues)"),
    (
        "ui",
        "layout",
        r"(?P<v>compact|two[- ]column|single[- ]column|sidebar|split[- ]screen|grid|list)(?: "
        r"(?:layout|view))",
    ),
    (
        "writing",
        "spelling",
        r"(?P<v>british|american|us|uk|oxford|canadian|australian|commonwealth)(?: english)? "
        r"spellings?|(?P<v2>(?:british|american|us|uk|canadian|australian) english)|spell(?:ing)? "
        r"(?:it |things |words )?(?:the )?(?P<v3>british|american|uk|us)(?: way)?",
    ),
    ("writing", "emoji", r"(?P<v>emojis?|emoticons|smileys?|smiley faces)"),
    (
        "coding",
        "comments",
        r"(?P<v>(?:code |inline |block )?comments|comment(?:ing|ed)?(?= (?:my|the|your|all) code)|(?<=code )commented)",
    ),
    ("coding", "docs", r"(?P<v>(?:google[- ]style |numpy[- ]style )?doc ?strings?|jsdoc|javadoc)"),
    (
        "coding",
        "types",
        r"(?P<v>type (?:hints|annotations|hinting)|static typ(?:es|ing)|strict (?:types|mode)|"
        r"typed (?:code|python))",
    ),
    (
        "coding",
        "tests",
        r"(?P<v>pytest|unittest|jest|vitest|mocha|rspec|junit|tdd|test[- ]driven development|"
        r"unit tests|tests first|tests?(?= (?:for|with|alongside|included))|property[- ]based "
        r"tests)",
    ),
    (
        "coding",
        "indentation",
        r"(?:(?P<v>" + _NUMBER + r"[- ]spaces?|tabs?|spaces)(?: (?:indentation|indents?|for indentation|for indenting|"
        r"over spaces|over tabs|instead of (?:spaces|tabs)))?)(?!\s+(?:open|group|bar))",
    ),
    (
        "coding",
        "commits",
        r"(?P<v>conventional commits|(?:short |one[- ]line |imperative )?commit messages(?: "
        r"in the imperative)?|squashed? (?:commits|merges)|small commits)",
    ),
    (
        "coding",
        "style",
        r"(?P<v>semi-?colons?|single quotes|double quotes|snake[_ ]case|camel ?case|kebab[- "
        r"]case|early returns?|functional (?:style|code|programming)|(?:line|max(?:imum)? "
        r"line) length[s]?(?: of| at)? ?\d*|one[- ]letter (?:variable )?names|f-strings|list "
        r"comprehensions|classes|globals?|arrow functions|trailing commas|ternar(?:y|ies)(?: "
        r"operators)?|hungarian notation|descriptive (?:variable )?names|(?:short|long) (?:variable|"
        r"function) names)",
    ),
    ("coding", "package_manager", rf"(?P<v>{_PACKAGERS})(?: (?:commands|packages?))?"),
    ("coding", "database", rf"(?P<v>{_DATABASES})"),
    ("coding", "framework", rf"(?P<v>{_FRAMEWORKS})"),
    ("coding", "language", rf"(?P<v>{_CODE})(?: (?:code|examples|snippets|samples|scripts))?"),
    (
        "coding",
        "language",
        r"(?:code|examples|snippets|samples|scripts?|program(?:ming)?) in (?P<v>go|r|c|swift|"
        r"basic|bash)",
    ),
    (
        "writing",
        "format",
        r"(?P<v>bullet(?:ed)?(?:[- ]?points?|[- ]lists?|s)?|numbered lists?|tables?|markdown(?: "
        r"tables?)?|plain text|headings?|headers|paragraphs|prose|checklists?|latex|html|json|"
        r"yaml|csv|bold text|flowing text|full sentences|walls? of text)",
    ),
    (
        "writing",
        "style",
        r"(?P<v>step[- ]by[- ]step|(?:the )?(?:conclusions?|answers?|summar(?:y|ies)|verdicts?|"
        r"bottom line|tl;?dr|result|punch ?line|recommendation) (?:up ?front|first)|(?<=with "
        r"the )(?:conclusion|answer|summary|bottom line|recommendation|verdict)|(?:legal |"
        r"medical |corporate |marketing )?jargon|buzzwords?|(?:the )?passive voice|(?:the "
        r")?active voice|plain (?:english|language|words)|simple (?:english|language|words)|"
        r"lay(?:man|person)'?s terms|short sentences|long sentences|analog(?:y|ies)|metaphors|"
        r"clich[eé]s?|acronyms|abbreviations|the oxford comma|oxford commas|em[- ]?dashes|"
        r"exclamation (?:marks|points)|first person|rhetorical questions|contractions|eli5)",
    ),
    (
        "writing",
        "length",
        r"(?P<v>(?:very |really |super )?(?:short|shorter|brief|briefer|concise|terse|succinct|"
        r"snappy|compact|detailed|lengthy|long|longer|in-depth|thorough|verbose)(?= (?:answers?|"
        r"repl(?:y|ies)|responses?|explanations?|summar(?:y|ies)|messages|emails|versions?))|"
        r"(?:under|at most|max(?:imum)?|no more than|less than|fewer than|within) (?:\w+ )?(?:words|"
        r"sentences|lines|paragraphs|characters)|one[- ](?:liners?|sentence answers)|(?:one|"
        r"two|three|\d+) (?:sentences?|paragraphs?|lines)(?: (?:max(?:imum)?|at most|tops))?|"
        r"long[- ]winded\w*|to the point)",
    ),
    (
        "writing",
        "length",
        r"(?:answers?|repl(?:y|ies)|responses?|explanations?|summar(?:y|ies)|messages|emails|"
        r"drafts|be|keep it|keep things|keep everything|make it|sentences|updates)(?: to me)? "
        r"(?:more |very |as |super |really |nice and )*(?P<v>short(?:er)?|brief|concise|terse|"
        r"succinct|detailed|long|longer|snappy|thorough|compact)",
    ),
    (
        "writing",
        "tone",
        r"(?:answers?|repl(?:y|ies)|responses?|messages|emails|drafts|be|keep it|keep things|"
        r"make it|sound|tone)(?: (?:to me|with me))? (?:more |very |less |super |really |brutally "
        r")*(?P<v>blunt|formal|informal|casual|friendly|polite|direct|honest|professional|"
        r"warm|neutral|light)",
    ),
    (
        "writing",
        "tone",
        r"(?P<v>(?:a )?(?:formal|informal|casual|friendly|friendlier|polite|professional|blunt|"
        r"direct|warm|neutral|dry|playful|humorous|sarcastic|no-nonsense|straight)(?= (?:tone|"
        r"style|language|way|with me|register|answers?|feedback|voice))|flatter(?:y|ing)?|"
        r"compliments|pleasantries|small ?talk|apologi[sz]ing|apologies|disclaimers|pep talks?|"
        r"sugar-?coat(?:ing)?|hedging|moralizing|lecturing|exclamations|filler|fluff|politeness|"
        r"cheerleading|formalities)",
    ),
    (
        "writing",
        "tone",
        r"(?:address|treat|talk to|speak to|write to) me (?:more |very )?(?P<v>formally|informally|casually|"
        r"bluntly|politely)",
    ),
    (
        "writing",
        "style",
        r"(?P<v>(?<=end with a )(?:[\w-]+ )?(?:summary|recap)|(?:summary|tl;?dr|recap) at the (?:top|end|"
        r"start|bottom))",
    ),
    ("writing", "examples", r"(?P<v>(?:(?:worked|concrete|real(?:-life)?|practical|an?) )*examples?)"),
    (
        "writing",
        "sources",
        r"(?P<v>(?:cite|citing|include|including|give|add|list) (?:your |the |me )?(?:sources?|"
        r"links?|references)|sources|citations?|references|links|footnotes|(?<=with a )source|bibliograph(?:y|"
        r"ies))",
    ),
    (
        "other",
        "seat",
        r"(?P<v>window|aisle|exit row|front row|middle)(?: seats?)|(?:by|at|near) the (?P<v2>window|"
        r"aisle)",
    ),
    (
        "other",
        "meeting_time",
        r"(?:meetings?|calls?|appointments?) (?:(?:only |always )?(?:in the |on |at )?)(?P<v>(?:early "
        r"|late )?(?:mornings?|afternoons?|evenings?|(?:mon|tues|wednes|thurs|fri)days?))|"
        r"(?P<v2>(?:early |late )?(?:morning|afternoon|evening)) (?:meetings|calls|appointments|"
        r"slots)|(?:meetings?|calls?|appointments?) (?P<v3>(?:before|after|later than|earlier "
        r"than) (?:noon|lunch|\w+)(?: ?(?:am|pm|o'clock))?)",
    ),
    ("tools", "editor", rf"(?P<v>{_EDITORS})"),
    (
        "tools",
        "browser",
        r"(?P<v>firefox|chrome|chromium|safari|brave|microsoft edge|vivaldi|opera browser|"
        r"arc browser|librewolf|tor browser)",
    ),
    ("tools", "os", rf"(?P<v>{_SYSTEMS})"),
    ("tools", "shell", r"(?P<v>zsh|fish(?= shell)|bash|powershell|nushell)"),
    (
        "tools",
        "terminal",
        r"(?P<v>iterm2?|alacritty|kitty terminal|wezterm|ghostty|tmux|warp terminal|windows "
        r"terminal)",
    ),
    ("tools", "search", r"(?P<v>duckduckgo|kagi|bing|ecosia|startpage|google search)"),
    ("tools", "calendar", r"(?P<v>(?:google|outlook|apple|proton) calendar|fantastical|ical)"),
    ("tools", "navigation", r"(?P<v>google maps|waze|apple maps|organic maps|osmand|here maps)"),
    ("tools", "spreadsheet", r"(?P<v>excel|google sheets|libreoffice calc|airtable)"),
    (
        "tools",
        "notes",
        r"(?P<v>obsidian|notion|evernote|onenote|apple notes|logseq|roam(?: research)?|joplin|"
        r"google keep|simplenote|paper notebooks?)",
    ),
    ("tools", "email", r"(?P<v>gmail|outlook|thunderbird|proton ?mail|fastmail|apple mail|hey\.com|superhuman|mutt)"),
    (
        "tools",
        "chat",
        r"(?P<v>slack|microsoft teams|ms teams|discord|whatsapp|telegram|signal|wechat|element|"
        r"mattermost|rocket\.chat)",
    ),
    (
        "tools",
        "payment",
        r"(?P<v>paypal|apple pay|google pay|venmo|revolut|alipay|wechat pay|credit cards?|"
        r"debit cards?|cash only|(?<=pay )cash|cash(?=$))",
    ),
    ("tools", "cloud", rf"(?P<v>{_CLOUDS}|dropbox|google drive|icloud|onedrive|nextcloud)"),
    ("tools", "version_control", r"(?P<v>git|mercurial|svn|subversion|jujutsu|perforce|fossil)"),
)
