"""The versioned values that cross SmartBrain's border: turn events in, plans, evidence and contexts out."""

from __future__ import annotations

from smartbrain.contracts.base import Contract
from smartbrain.contracts.context import ContextPackage
from smartbrain.contracts.evidence import EvidencePack
from smartbrain.contracts.history import MemoryChanges, UndoResult
from smartbrain.contracts.plan import RetrievalPlan
from smartbrain.contracts.results import CommitResult, ContextDiff, Explanation, ForgetCheck, ForgetReceipt
from smartbrain.contracts.route import RouteResult
from smartbrain.contracts.transfers import BackupReport, ChatImportReport, ExportReport, ImportReport
from smartbrain.contracts.turn_events import TurnEvents

CONTRACTS: dict[str, type[Contract]] = {
    "turn_events": TurnEvents,
    "route_result": RouteResult,
    "retrieval_plan": RetrievalPlan,
    "evidence_pack": EvidencePack,
    "context_package": ContextPackage,
    "commit_result": CommitResult,
    "forget_check": ForgetCheck,
    "forget_receipt": ForgetReceipt,
    "explanation": Explanation,
    "context_diff": ContextDiff,
    "export_report": ExportReport,
    "import_report": ImportReport,
    "chat_import_report": ChatImportReport,
    "backup_report": BackupReport,
    "memory_changes": MemoryChanges,
    "undo_result": UndoResult,
}
"""Every exported contract by the name ``smartbrain schema`` knows it by."""
