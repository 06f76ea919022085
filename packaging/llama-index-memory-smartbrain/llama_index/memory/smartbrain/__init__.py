"""``smartbrain_li`` under the name of a LlamaIndex integration."""

from typing import Any

import smartbrain_li
from smartbrain_li import __all__ as __all__


def __getattr__(name: str) -> Any:
    return getattr(smartbrain_li, name)


def __dir__() -> list[str]:
    return list(__all__)
