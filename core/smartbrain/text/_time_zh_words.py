"""The words Chinese tells time with: tables, numbers, fragments of the patterns. Simplified, digits halfwidth."""

from __future__ import annotations

from datetime import datetime

from smartbrain.text._time_calendar import Part, Unit
from smartbrain.text._time_pieces import FEW

DIGITS = "零一二三四五六七八九"
WEEK = r"一?个?(?:周|星期|礼拜)"
NOT_WEEK = r"(?!期|边|转|围|年|密|到|全|身|长|[一二三四五六日天]?(?:次|回|遍|场|顿)(?!会))"
PARTS: dict[str, Part] = {
    "年初": "start",
    "年中": "mid",
    "年底": "end",
    "年末": "end",
    "初": "early",
    "上旬": "early",
    "中": "mid",
    "中旬": "mid",
    "下旬": "late",
    "底": "late",
    "末": "late",
}
SEASONS = {"春": "spring", "夏": "summer", "秋": "autumn", "冬": "winter"}
FEASTS = {
    "国庆": "national day week",
    "十一黄金周": "national day week",
    "元旦": "new year's day",
    "五一": "labour day week",
    "劳动节": "labour day week",
    "圣诞": "christmas",
    "平安夜": "christmas eve",
    "情人节": "valentine's day",
    "万圣节": "halloween",
    "感恩节": "thanksgiving",
    "复活节": "easter",
    "六一": "children's day",
    "儿童节": "children's day",
    "双十一": "singles' day",
    "双11": "singles' day",
    "清明": "qingming",
    "春节": "chinese new year",
    "除夕": "chinese new year's eve",
}
YEARS = {
    "今年": 0,
    "本年": 0,
    "去年": -1,
    "上一年": -1,
    "前年": -2,
    "大前年": -3,
    "明年": 1,
    "来年": 1,
    "下一年": 1,
    "后年": 2,
    "大后年": 3,
}
DAYS = {
    "今": 0,
    "昨": -1,
    "寻": -1,
    "尋": -1,
    "琴": -1,
    "听": 1,
    "聽": 1,
    "明": 1,
    "前": -2,
    "后": 2,
    "大前": -3,
    "大后": 3,
}
HOURS = {
    "凌晨": (0, 6),
    "早": (0, 12),
    "清晨": (0, 12),
    "早上": (0, 12),
    "早晨": (0, 12),
    "上午": (0, 12),
    "中午": (11, 14),
    "下午": (12, 18),
    "午后": (12, 18),
    "傍晚": (17, 20),
    "晚": (18, 24),
    "晚上": (18, 24),
    "夜": (18, 30),
    "夜里": (18, 30),
    "深夜": (21, 30),
}
DAYPART = r"(?:的?(?P<dp>凌晨|清晨|早上|早晨|上午|中午|下午|午后|傍晚|晚上|夜里|深夜))?"
MINUTES = {"分钟": 1, "小时": 60, "钟头": 60}
UNITS: dict[str, tuple[Unit, int]] = {
    "天": ("day", 1),
    "日": ("day", 1),
    "晚": ("day", 1),
    "周": ("week", 1),
    "星期": ("week", 1),
    "礼拜": ("week", 1),
    "月": ("month", 1),
    "季度": ("quarter", 1),
    "年": ("year", 1),
}
NUMBER = r"(?P<n>[0-9]{1,4}|好几|若干|[一二三四五六七八九十百两]{1,5}|半|几|数)"
UNIT = r"(?P<unit>分钟|小时|钟头|天|日|晚|周|星期|礼拜|月|季度|年)"
NOT_IN_NUMBER = r"(?<![0-9零一二三四五六七八九十百两几数每半第.:])"
_YEAR_WORD = (
    r"(?P<yr>(?<![如当])今年|(?<!日)本年|(?<!过)去年|上一年|大前年|(?<![大以之目])前年|(?<!说)明年|来年|下一年|大后年|"
    r"(?<![大以之])后年)"
)
_YEAR_SPELLED = (
    r"(?:(?P<y>(?:19|20|21)[0-9]{2}|[一二][零一二三四五六七八九]{3}|[0-9]{2}|[零九八][零一二三四五六七八九])年)"
)
YEAR = rf"(?:{_YEAR_WORD}|(?<![0-9零一二三四五六七八九十百.]){_YEAR_SPELLED})度?的?"
MONTH = r"(?:1[0-2]|0?[1-9]|十[一二]|[一二三四五六七八九十])"
DAY_NUMBER = (
    r"(?:3[01]|[12][0-9]|0?[1-9]|三十一?|二十[一二三四五六七八九]?|十[一二三四五六七八九]?|[一二三四五六七八九])"
)
MONTH_PART = r"(?P<part>初(?![一二三四五六七八九十])|上旬|中旬|下旬|中(?![国午文心学秋间东西期华考])|底|末)"
NO_HABIT = r"(?<!每)(?<!每个)(?<!每逢)(?<!每年)(?<!每年的)(?<!每到)"
NOT_A_DAY_NUMBER = r"(?![楼线门机店院厅馆桌位选球房车库码称召令角外人文元台])"


def number(word: str) -> int:
    """A count below ten thousand in digits or in words (三十二, 两百); ``ValueError`` when it is none."""
    if word.isascii():
        return int(word)
    total, last = 0, 0
    for char in word.replace("两", "二"):
        if char in DIGITS:
            last = DIGITS.index(char)
        elif char in "十百":
            total, last = total + (last or 1) * (10 if char == "十" else 100), 0
        else:
            raise ValueError(f"no number: {word!r}")
    return total + last


def spelled_year(word: str, now: datetime) -> int:
    """2024, 二零二四, 24 or 零五. Two digits mean the century that puts the year at most five ahead of now."""
    digits = "".join(str(DIGITS.index(char)) if char in DIGITS else char for char in word)
    value = int(digits)
    if len(digits) == 4:
        return value
    century = now.year // 100 * 100
    return century + value if century + value <= now.year + 5 else century - 100 + value


def count_of(word: str) -> tuple[int, int, bool]:
    if word[-1] in "几数些" or word == "若干":
        return *FEW, True
    if word == "半":
        return 0, 0, True
    value = number(word)
    return value, value, False
