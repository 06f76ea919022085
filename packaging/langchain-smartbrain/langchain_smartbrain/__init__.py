"""``smartbrain_lc`` under the name of a LangChain integration."""

from typing import Any

import smartbrain_lc
from smartbrain_lc import __all__ as __all__


def __getattr__(name: str) -> Any:
    return getattr(smartbrain_lc, name)


def __dir__() -> list[str]:
    return list(__all__)
