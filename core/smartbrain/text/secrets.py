"""Credentials and personal numbers in text: where they stand and of which kind.

Only what has a published format, a valid check digit, or is plainly given to a name such as ``password`` or
``api_key`` is found; randomness alone is no sign, so that hashes, UUIDs and pictures in base64 pass. The formats are
those that their issuers document. Everything runs in time linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Literal, NamedTuple

SecretClass = Literal["credentials", "private_keys", "cards", "national_ids", "phones"]


class Secret(NamedTuple):
    """One found secret: the characters ``[start, end)``, its class, and its kind (``github_token``)."""

    start: int
    end: int
    group: SecretClass
    kind: str


def find_secrets(text: str) -> list[Secret]:
    """All secrets in a text, in order, none overlapping another: of two that do, the longer one counts."""
    found = [*_private_keys(text), *_formats(text), *_in_urls(text), *_assigned(text), *_numbers(text)]
    kept: list[Secret] = []
    for secret in sorted(found, key=lambda s: s.start):  # stable: of one stretch a documented format names the kind
        if not kept or secret.start >= kept[-1].end:
            kept.append(secret)
        elif secret.end - secret.start > kept[-1].end - kept[-1].start:
            kept[-1] = secret
    return kept


# -- formats that issuers document ---------------------------------------------------------------------------------

# Kind, and what stands between the boundaries. A kind that is also the beginning of ordinary words asks for a digit.
_FORMATS: tuple[tuple[str, str], ...] = (
    ("aws_key", r"(?:AKIA|ASIA)[A-Z2-7]{16}"),
    ("github_token", r"gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255}"),
    ("gitlab_token", r"gl(?:pat|ptt|dt|rt|cbt|ft|soat|imt|agent)-[A-Za-z0-9_.-]{20,}"),
    ("anthropic_key", r"sk-ant-[A-Za-z0-9_-]{20,}"),
    ("openrouter_key", r"sk-or-[A-Za-z0-9_-]{20,}"),
    ("openai_key", r"sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{20,}|sk-(?=[A-Za-z]*[0-9])[A-Za-z0-9]{20,}"),
    ("google_key", r"AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{20,}|ya29\.[A-Za-z0-9_-]{20,}"),
    ("slack_token", r"xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[0-9]-[A-Z0-9]+-[0-9]+-[a-z0-9]{16,}"),
    ("slack_webhook", r"https://hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_-]{20,}"),
    ("stripe_key", r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/]{24,}"),
    ("twilio_key", r"SK[0-9a-f]{32}"),
    ("sendgrid_key", r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}"),
    ("npm_token", r"npm_[A-Za-z0-9]{36}"),
    ("pypi_token", r"pypi-AgE[A-Za-z0-9_-]{50,}"),
    ("huggingface_token", r"hf_[A-Za-z0-9]{30,}"),
    ("groq_key", r"gsk_[A-Za-z0-9]{40,}"),
    ("xai_key", r"xai-[A-Za-z0-9]{40,}"),
    ("perplexity_key", r"pplx-[A-Za-z0-9]{40,}"),
    ("replicate_token", r"r8_[A-Za-z0-9]{37}"),
    ("databricks_token", r"dapi[0-9a-f]{32}(?:-[0-9])?"),
    ("digitalocean_token", r"do[opr]_v1_[0-9a-f]{64}"),
    ("shopify_token", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    ("linear_key", r"lin_api_[A-Za-z0-9]{32,}"),
    ("notion_token", r"(?:secret|ntn)_[A-Za-z0-9]{40,}"),
    ("vault_token", r"hv[sb]\.[A-Za-z0-9_-]{24,}"),
    ("aliyun_key", r"LTAI(?=[A-Za-z]*[0-9])[A-Za-z0-9]{12,26}"),
    ("tencent_key", r"AKID[A-Za-z0-9]{32}"),
    ("telegram_token", r"[0-9]{8,10}:AA[A-Za-z0-9_-]{33}"),
    ("discord_token", r"[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}"),
    ("age_key", r"AGE-SECRET-KEY-1[0-9A-Z]{58}"),
    ("jwt", r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"),
)
# Cheap: no format can be there without one of these, but for Discord's, which begins with nothing of its own.
_FORMAT_SIGNS = tuple(
    """
    AKI ASI AIz AGE- ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- glptt- gldt- glrt- glcbt- glft- glsoat- glimt- glagent-
    sk- sk_ rk_ whsec_ GOCSPX ya29 xox xapp- hooks.slack SK SG. npm_ pypi- hf_ gsk_ xai- pplx- r8_ dapi _v1
    shpat_ shpca_ shppa_ shpss_ lin_api secret_ ntn_ hvs. hvb. LTAI :AA eyJ
    """.split()  # noqa: SIM905
)
_DISCORD_SIGN = re.compile(r"[MNO][A-Za-z0-9_-]{23,27}\.")
_FORMAT = re.compile(
    r"(?<![A-Za-z0-9_])(?:" + "|".join(f"(?P<{kind}>{shape})" for kind, shape in _FORMATS) + r")(?![A-Za-z0-9_])"
)
_PRIVATE_KEY = re.compile(
    r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:.*?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|.*)",
    re.DOTALL,
)


def _formats(text: str) -> Iterator[Secret]:
    if not any(map(text.__contains__, _FORMAT_SIGNS)) and _DISCORD_SIGN.search(text) is None:
        return
    for match in _FORMAT.finditer(text):
        yield Secret(match.start(), match.end(), "credentials", str(match.lastgroup))


def _private_keys(text: str) -> Iterator[Secret]:
    if "PRIVATE KEY" in text:
        for match in _PRIVATE_KEY.finditer(text):
            yield Secret(match.start(), match.end(), "private_keys", "private_key")


# -- what is given to a name -----------------------------------------------------------------------------------------

_URL_PASSWORD = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s:/@?#]{0,100}:(?P<value>[^\s/@]{1,200})@")
_NAME = (
    r"(?:(?<![A-Za-z0-9])(?:[a-z0-9]{1,30}[_-]){0,4}"
    r"(?P<word>pass(?:word|wd|code|phrase)|pwd"
    r"|(?:api|access|secret|auth|signing|encryption|master|account|subscription)[_ -]?keys?"
    r"|(?:client|app|api|webhook|shared)?[_ -]?secret"
    r"|(?:access|auth|api|refresh|bot|bearer|personal|deploy)?[_ -]?token|"
    r"(?:bank|card|atm|debit|credit)[ _-]pin|authorization)(?![A-Za-z0-9_-])"
    r"|(?P<han>密[码碼]|口令|密[钥鑰]|令牌|授权码|授權碼))"
)
_SIGN = (
    r"(?:[\"'”]?\s{0,3}(?P<sign>=>|:=|=|:|：|＝)\s{0,3}(?:bearer\s+|basic\s+|token\s+)?"
    r"|(?:\s(?:for|of|to|on|at)(?:\s[A-Za-z0-9'._-]{1,20}){1,4})?"
    r"\s{1,3}(?:is|was|will be)(?:\s+now|\s+still)?\s{1,3}(?:\"|')?"
    r"|\s{0,3}(?:是|為|为|改成了?|改为了?|改為了?|設成|设成|就是|還是|还是)\s{0,3}[:：]?\s{0,3}"
    r"|(?<=[码碼令钥鑰牌])\s{0,3}(?=[!-~]))"
)
_ASSIGNED = re.compile(_NAME + _SIGN + r"[\"'“”`「]?(?P<value>[!-~]{4,400})", re.IGNORECASE)
# Cheap: nothing is given to a name without one of these, or a key without one of its kinds.
_ASSIGNED_SIGNS = (
    *("passw", "passc", "passp", "pwd", "secret", "token", " pin", "_pin", "-pin", "authorization"),
    *("密码", "密碼", "密钥", "密鑰", "口令", "令牌", "授权码", "授權碼"),
)
_KEYS = ("api", "access", "auth", "signing", "encryption", "master", "account", "subscription")
_ODD_CASES = frozenset("\u0130\u0131\u017f\u212a")  # letters beyond ASCII that match one of ASCII in any case
_PLACEHOLDER = re.compile(
    r"^[<{$%\[(]|^(?:x{3,}|\*{3,}|•+|\.{3,}|#{3,}|-{3,}|_{3,})|\*{3,}|…"
    r"|^(?:your|my|the|some|example|sample|dummy|placeholder|changeme|change_me|redacted|masked)(?:[_-].*)?$"
    r"|^(?:null|none|nil|true|false|undefined|todo|tbd|n/a)$"
    r"|(?:os\.|process\.|env\.|getenv|import\.|config\.|settings\.|secrets\.|vault)|^[A-Za-z_.]+\("
    r"|^https?://[^:@]*$|^arn:|^sha\d+:",
    re.IGNORECASE,
)
_LIKE_WORDS = frozenset({"password", "pass", "passwd", "pwd", "secret", "token", "user", "key", "apikey", "pw"})
_CLOSING = "\"'`”」,;!?)]}>"


def _in_urls(text: str) -> Iterator[Secret]:
    if "://" not in text:
        return
    for match in _URL_PASSWORD.finditer(text):
        value = match["value"]
        if not _PLACEHOLDER.search(value) and value.lower() not in _LIKE_WORDS:
            yield Secret(match.start("value"), match.end("value"), "credentials", "url_password")


def _assigned(text: str) -> Iterator[Secret]:
    holds = text.lower().__contains__
    named = any(map(holds, _ASSIGNED_SIGNS)) or (holds("key") and any(map(holds, _KEYS)))
    if not named and _ODD_CASES.isdisjoint(text):
        return
    for match in _ASSIGNED.finditer(text):
        start, end = match.span("value")
        value = _trimmed(text[start:end])
        word = (match["word"] or match["han"]).lower()
        password = word.startswith(("pass", "pwd")) or word.endswith("pin") or word in {"密码", "密碼", "口令"}
        if _plausible(value, password=password, by_sign=bool(match["sign"])):
            kind = (
                "password"
                if password
                else "api_key"
                if "key" in word or word[0] == "密"
                else "secret"
                if "secret" in word
                else "token"
            )
            yield Secret(start, start + len(value), "credentials", kind)


def _trimmed(value: str) -> str:
    """Without the quotation mark that closes it and the punctuation of the sentence."""
    cut = re.search(r"[\"'`](?=[,;:)\]}\s]|$)", value)
    value = value[: cut.start()] if cut else value
    return value.rstrip(_CLOSING).rstrip(".")


def _plausible(value: str, *, password: bool, by_sign: bool) -> bool:
    """Whether what was given to the name is itself the secret, and not a word about it."""
    if (
        len(value) < 4
        or value.startswith(("/", "~/", "./"))
        or _PLACEHOLDER.search(value)
        or value.lower() in _LIKE_WORDS
    ):
        return False
    digits, letters = any(c.isdigit() for c in value), any(c.isalpha() for c in value)
    if password:
        return (
            (digits and len(value) >= 4 and not _A_DATE.fullmatch(value))
            or (by_sign and _mixed(value))
            or len(value) >= 16 > value.count("/") * 8
        )
    return digits and letters and len(value) >= 8 and not _A_DATE.fullmatch(value) and not _A_PATH.match(value)


_A_DATE = re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[T ].*)?|\d{1,2}:\d{2}(?::\d{2})?|v?\d+(?:\.\d+){1,3}")
_A_PATH = re.compile(r"[./~]|[A-Za-z]:\\|[a-z_-]+/[a-z_-]+/")


def _mixed(value: str) -> bool:
    """Letters with signs between or capitals inside, as nobody writes a word."""
    return len(value) >= 6 and (bool(re.search(r"[^A-Za-z'.-]", value)) or bool(re.search(r"[a-z][A-Z]", value)))


# -- numbers with a check digit --------------------------------------------------------------------------------------

_CARD = re.compile(
    r"(?<![0-9A-Za-z._-])(?<![0-9] )(?P<value>[2-6][0-9]{3}"
    r"(?:(?P<gap>[ -]?)[0-9]{4}(?P=gap)[0-9]{4}(?P=gap)[0-9]{2,7}|[ -]?[0-9]{6}[ -]?[0-9]{4,5}))"
    r"(?![0-9A-Za-z_-]| [0-9])"
)
_NATIONAL_ID = re.compile(r"(?<![0-9A-Za-z])[1-9][0-9]{5}(?P<born>(?:18|19|20)[0-9]{6})[0-9]{3}[0-9Xx](?![0-9A-Za-z])")
_PHONE = re.compile(
    r"(?<![0-9A-Za-z.])(?:(?:\+|00)?86[ -]?)?1[3-9][0-9](?P<gap>[ -]?)[0-9]{4}(?P=gap)[0-9]{4}(?![0-9A-Za-z]|\.[0-9])"
)


# What every number has in common: eleven characters, and nothing but digits and what parts them.
_NUMBER_SIGN = re.compile("[0-9][0-9 -]{9,}[0-9]")


def _numbers(text: str) -> Iterator[Secret]:
    if _NUMBER_SIGN.search(text) is None:
        return
    for match in _CARD.finditer(text):
        if _is_card(re.sub(r"\D", "", match["value"])):
            yield Secret(match.start(), match.end(), "cards", "card")
    for match in _NATIONAL_ID.finditer(text):
        if _is_national_id(match[0], match["born"]):
            yield Secret(match.start(), match.end(), "national_ids", "national_id")
    for match in _PHONE.finditer(text):
        yield Secret(match.start(), match.end(), "phones", "phone")


def _is_card(digits: str) -> bool:
    """Issuer and length fit, and the check digit is right (ISO/IEC 7812-1, Luhn)."""
    head, length = int(digits[:4]), len(digits)
    fits = (
        (digits[0] == "4" and length in {16, 19})
        or ((5100 <= head < 5600 or 2221 <= head <= 2720) and length == 16)
        or (digits[:2] in {"34", "37"} and length == 15)
        or ((head == 6011 or 6440 <= head < 6600) and length in {16, 19})
        or (digits[:2] == "62" and 16 <= length <= 19)
        or (3528 <= head <= 3589 and length == 16)
        or (digits[:2] in {"36", "38"} and length == 14)
    )
    doubled = (sum(divmod(2 * int(d), 10)) for d in digits[-2::-2])
    return fits and len(set(digits)) > 1 and (sum(int(d) for d in digits[::-2]) + sum(doubled)) % 10 == 0


def _is_national_id(number: str, born: str) -> bool:
    """The day of birth exists and the check character is right (GB 11643, ISO 7064 MOD 11-2)."""
    try:
        date(int(born[:4]), int(born[4:6]), int(born[6:]))
    except ValueError:
        return False
    total = sum(int(digit) * pow(2, 17 - place, 11) for place, digit in enumerate(number[:17]))
    return "10X98765432"[total % 11] == number[17].upper()
