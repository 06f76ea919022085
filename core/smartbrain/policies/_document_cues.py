"""Whether a message itself asks for documents: by a word for sources, a file it looks for, a document it names."""

from __future__ import annotations

import re
from functools import cache
from posixpath import splitext

from smartbrain.policies import _route_words as words


def asks_for_documents(text: str) -> str:
    """Why documents are asked whatever memory holds; empty if the message itself gives no reason."""
    cue = _sources().search(text)
    if cue:
        return f"the user asks for sources: {cue[0]!r}"
    bare = words.url().sub(" ", text)
    looked_for = words.wants_files().search(bare)
    if looked_for:
        return f"the user looks for files: {looked_for[0].strip()!r}"
    files = (match[0] for match in words.file_name().finditer(bare))
    named = next((name for name in files if splitext(name)[1][1:].lower() in words.DOC_ENDINGS), "")
    if not named and (title := words.title().search(bare)):
        named = title[0].strip()
    return f"the message names a document: {named!r}" if named else ""


@cache
def _sources() -> re.Pattern[str]:
    return re.compile(
        r"查(?:一下|查)?(?:资料|文档|文献)|資料|资料|论文|論文|文献|引用|来源|來源|出处|文档|文檔|对比|對比|比较一下|了解一下"
        r"|\b(?:papers?|cite|citation|references?|sources?|documentation|docs|compare|comparison|look up|research)\b"
        r"|\b(?:документаци\w+|источник\w*|стать[яеию]\w*|сравни\w*)\b",
        re.IGNORECASE,
    )
