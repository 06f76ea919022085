"""The one place where policies meet ports."""

from __future__ import annotations

from smartbrain.runtime.brain import SmartBrain
from smartbrain.runtime.insight import Replay

__all__ = ["Replay", "SmartBrain"]
