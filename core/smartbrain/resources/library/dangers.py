"""Words in a document that are addressed to a model. They are labelled, never obeyed and never removed."""

from __future__ import annotations

import re
from functools import cache


def addresses_a_model(text: str) -> bool:
    """Whether a text holds words of a prompt injection: orders to forget instructions, a new role, chat markup."""
    lowered = text.lower()
    there = [word for word in _TRIGGERS if word in lowered]
    # No pattern reaches beyond a line.
    lines = zip(text.split("\n"), lowered.split("\n"), strict=True) if there else ()
    return any(_patterns().search(line) for line, low in lines if any(word in low for word in there))


# One of these stands in whatever a pattern matches; looking for them costs a tenth of the patterns.
_TRIGGERS = (
    *(
        "ignore",
        "disregard",
        "forget",
        "override",
        "bypass",
        "not follow",
        "n't follow",
        "act now",
        "are now",
        "now on",
    ),
    *("system prompt", "hidden prompt", "api key", "your instructions", "instructions:", "instruction:", "prompt:"),
    *("instructions :", "instruction :", "prompt :", ": you ", "do not tell", "do not inform", "do not mention"),
    *(
        "<|",
        "inst]",
        "sys>",
        "忽略",
        "无视",
        "忘记",
        "忘掉",
        "忽視",
        "無視",
        "遵守",
        "绕过",
        "覆盖",
        "从现在",
        "现在是",
        "现在扮演",
    ),
    *(
        "系统提示",
        "提示词",
        "系统指令",
        "密钥",
        "apikey",
        "通知用户",
        "告诉用户",
        "告知用户",
        "игнорируй",
        "забудь",
        "не следуй",
    ),
)

_ORDERS = r"(?:instructions?|prompts?|rules?|directions?|guidelines?|directives?|commands?|constraints?|context)"
_EARLIER = r"(?:previous|prior|above|earlier|preceding|foregoing|existing|original|system|safety|your)"
_ENGLISH = (
    rf"(?:ignore|disregard|forget|override|bypass|do not follow|don't follow)\b[^.\n]{{0,30}}?\b{_EARLIER}\b"
    rf"[^.\n]{{0,20}}?\b{_ORDERS}",
    r"forget (?:everything|all) (?:you|that you|above|before)",
    r"you (?:are|act) now (?:a|an|in|the|as|called|dan)\b",
    r"from now on,? you (?:are|will|must|act)\b",
    r"(?:reveal|print|show|repeat|output|leak|send)\b[^.\n]{0,30}\b"
    r"(?:system prompt|hidden prompt|api keys?|your instructions)",
    r"new (?:system )?(?:instructions?|prompt) ?:",
    r"(?:system|assistant)(?: prompt| message)? ?: you (?:are|must|should|will)\b",
    r"do not (?:tell|inform|mention (?:this|it) to) the user\b",
)
_MARKUP = (r"<\|(?:im_start|im_end|system|endoftext)\|>", r"\[/?INST\]", r"<</?SYS>>")
_CHINESE = (
    r"(?:忽略|无视|忘记|忘掉|忽視|無視|不要遵守|不再遵守|绕过|覆盖)[^。\n]{0,12}?"
    r"(?:之前|以上|上面|先前|前面|此前|原有|原来|系统|所有|全部|一切|你的|您的)[^。\n]{0,12}?"
    r"(?:指令|指示|提示|规则|規則|设定|要求|命令|约束|限制|对话)",
    r"从现在(?:开始|起)[，,]? ?[你您](?:是|就是|要|必须|将|扮演)",
    r"[你您]现在(?:是一[个名位]|扮演)",
    r"(?:输出|泄露|透露|显示|打印|告诉我|发送)[^。\n]{0,12}?(?:系统提示|提示词|系统指令|密钥|api ?key)",
    r"不要(?:告诉|告知|通知)用户",
)
_RUSSIAN = (
    r"(?:игнорируй|забудь|не следуй)[^.\n]{0,30}?(?:предыдущ|прежн|все|выше|систем)[^.\n]{0,20}?"
    r"(?:инструкци|указани|правил|команд)",
)


@cache
def _patterns() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join((*_ENGLISH, *_RUSSIAN))})|{'|'.join((*_MARKUP, *_CHINESE))}", re.IGNORECASE)
