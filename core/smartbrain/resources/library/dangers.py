"""Words in a document that are addressed to a model. They are labelled, never obeyed and never removed."""

from __future__ import annotations

import re
from functools import cache

from smartbrain.text.folding import fold_in_place


def addresses_a_model(text: str) -> bool:
    """Whether a text holds words of a prompt injection, in English, Chinese or Russian.

    Orders to forget instructions, a new role, chat markup, words to whatever model reads it, orders to send the
    conversation away or to keep something from the user.
    """
    folded = fold_in_place(text)
    for triggers, patterns in _kinds():
        there = [word for word in triggers if word in folded]
        # No pattern reaches beyond a line.
        lines = (line for line in folded.split("\n") if any(word in line for word in there)) if there else ()
        if any(patterns.search(line) for line in lines):
            return True
    return False


_ORDERS = r"(?:instructions?|prompts?|rules?|directions?|guidelines?|directives?|commands?|constraints?|context)"
_EARLIER = r"(?:previous|prior|above|earlier|preceding|foregoing|existing|original|initial|system|safety|your)"
_MODEL = r"(?:ais?|llms?|(?:large )?language models?)"
_ENGLISH = (
    r"(?:ignore|disregard|forget|overrides?|supersedes?|bypass|(?:do not|don't|stop) follow(?:ing)?"
    rf"|(?:do not|don't) obey|pay no attention to)\b[^.\n]{{0,30}}?\b{_EARLIER}\b[^.\n]{{0,20}}?\b{_ORDERS}",
    r"forget (?:everything|all) (?:you|that you|above|before)",
    r"you (?:are|act) now (?:a|an|in|the|as|called|dan)\b",
    r"from now on,? you (?:are|will|must|act)\b",
    r"pretend (?:that )?you(?: are|'re) ",
    r"(?:dan|god|jailbreak|jailbroken|unrestricted) mode\b",
    r"your new (?:task|role|goal|instructions?|identity|persona) (?:is|are)\b",
    r"(?:reveal|print|show|repeat|output|leak|send)\b[^.\n]{0,30}\b"
    r"(?:system prompt|hidden prompt|api keys?|your instructions)",
    r"new (?:system )?(?:instructions?|prompt) ?:",
    r"(?:system|assistant)(?: prompt| message)? ?: you (?:are|must|should|will)\b",
    r"if you are an? (?:ai\b|llm\b|(?:large )?language model)",
    r"(?:note|message|instructions?|attention|important|addressed) (?:to|for) (?:the |all |any )?"
    rf"{_MODEL}\b[^.\n]{{0,30}}:",
    r"(?:send|forward|post|upload|e-?mail) (?:the |this |our |your )?(?:whole |full |entire )?"
    r"(?:conversation|chat)(?: history| log)? to\b",
    r"(?:do not|don't|never) (?:tell|inform|alert|warn|mention (?:this|it) to|reveal (?:this|it) to|let) the user\b",
    r"without (?:telling|informing|alerting) the user\b",
)
_MARKUP = (
    r"<\|(?:im_start|im_end|system|user|assistant|endoftext|endofprompt|eot_id|start_header_id)\|>",
    r"\[/?inst\]",
    r"<</?sys>>",
    r"</?system[_-]prompt>",
    r"<start_of_turn>",
    r"### ?(?:instruction|system|human|assistant):",
)
_CHINESE_MODEL = r"(?:一个|一名)?(?:ai|人工智能|大语言模型|大模型|语言模型|智能助手)"
_CHINESE = (
    r"(?:忽略|无视|忘记|忘掉|抛弃|丢弃|推翻|不要遵守|不再遵守|(?:停止|不要|不再|别)(?:遵守|遵循|听从|理会)|别管|不用管|绕过|覆盖)"
    r"[^。\n]{0,12}?(?:之前|以上|上面|先前|前面|此前|原有|原来|系统|所有|全部|一切|你的|您的|上述)[^。\n]{0,12}?"
    r"(?:指令|指示|提示|规则|设定|要求|命令|约束|限制|对话)",
    r"从现在(?:开始|起)[，,]? ?[你您](?:是|就是|要|必须|将|扮演)",
    r"[你您]现在(?:是一[个名位]|扮演)",
    r"[你您]的新(?:任务|角色|身份|指令|目标)(?:是|为)",
    r"假装[你您](?:是|没有|不受)",
    r"(?:越狱|上帝|无限制|dan ?)模式",
    rf"(?:如果|若|假如)[你您]是 ?{_CHINESE_MODEL}",
    rf"(?:致|写给|给)(?:所有|各位|任何)?(?:的)? ?{_CHINESE_MODEL}[^。\n]{{0,8}}[:：]",
    r"(?:输出|泄露|透露|显示|打印|告诉我|发送)[^。\n]{0,12}?(?:系统提示|提示词|系统指令|密钥|api ?key)",
    r"(?:发送|转发|上传|泄露)[^。\n]{0,8}?(?:对话|聊天)(?:记录|历史|内容)|(?:对话|聊天)(?:记录|历史|内容)(?:发送|转发|上传|发)(?:到|给|至)",
    r"(?:不要|别|不得|禁止)(?:告诉|告知|通知|提醒)用户|(?:不要|别)(?:让|向)用户(?:知道|察觉|提及|提到|透露)|瞒着用户",
)
_RUSSIAN = (
    r"(?:игнорируй|забудь|не следуй)[^.\n]{0,30}?(?:предыдущ|прежн|все|выше|систем)[^.\n]{0,20}?"
    r"(?:инструкци|указани|правил|команд)",
)


# One of these stands in whatever the patterns beside them match; looking for them costs a tenth of the patterns.
_IN_WORDS = """
    ignore, disregard, forget, override, supersede, bypass, follow, obey, no attention, act now, are now, now on,
    pretend, mode, your new, prompt, api key, instruction, : you, _ai, llm, language model, conversation, chat,
    the user, игнорируй, забудь, не следуй
"""
_IN_CHINESE = """
    忽略, 无视, 忘记, 忘掉, 抛弃, 丢弃, 推翻, 理会, 别管, 不用管, 遵守, 遵循, 听从, 绕过, 覆盖, 从现在, 现在是,
    现在扮演, 假装, 越狱, 上帝模式, 无限制模式, dan模式, dan 模式, 你的新, 您的新, 系统提示, 提示词, 系统指令,
    密钥, 诉用户, 知用户, 醒用户, 让用户, 向用户, 着用户, 果你是, 果您是, 若你是, 若您是, 如你是, 如您是, 人工智能,
    大模型, 语言模型, 智能助手, 致ai, 致 ai, 给ai, 给 ai, 有ai, 有 ai, 位ai, 位 ai, 何ai, 何 ai, 的ai, 的 ai,
    对话记录, 对话历史, 对话内容, 聊天记录, 聊天历史, 聊天内容, api key, apikey
"""
_IN_MARKUP = "<|, inst], sys>, prompt>, start_of_turn>, instruction:, system:, human:, assistant:"


@cache
def _kinds() -> tuple[tuple[tuple[str, ...], re.Pattern[str]], ...]:
    """Triggers and the patterns they stand for, of folded text: lower case, simplified characters, straight quotes."""
    kinds = (
        (_IN_WORDS, rf"\b(?:{'|'.join((*_ENGLISH, *_RUSSIAN))})"),
        (_IN_CHINESE, "|".join(_CHINESE)),
        (_IN_MARKUP, "|".join(_MARKUP)),
    )
    return tuple((_listed(words), re.compile(joined)) for words, joined in kinds)


def _listed(words: str) -> tuple[str, ...]:
    """The words between commas; a blank at an end is written as "_"."""
    return tuple(re.sub("^_", " ", word.strip()) for word in words.split(","))
