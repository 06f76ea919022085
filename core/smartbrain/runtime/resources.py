"""The documents beside memory: asked under a deadline, let in by policy, linked to the turns that point at them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime

from smartbrain.contracts.evidence import Dropped, Evidence, EvidencePack
from smartbrain.contracts.plan import RetrievalPlan
from smartbrain.errors import PluginError
from smartbrain.model import Access
from smartbrain.observability import Tracker
from smartbrain.policies.admission import admit
from smartbrain.ports import Reader, ResourceClient
from smartbrain.retrieval.evidence import turn_uri
from smartbrain.runtime.deadline import Deadline, LateError

MOST_MENTIONS = 3
"""So many turns that point at one document are named with it, the newest."""

_REFS = 200


class ResourcePath:
    """Asks the plugged-in client. One object serves all threads; a client that hangs holds at most 8 of them."""

    def __init__(self, client: ResourceClient | None, tracker: Tracker) -> None:
        self.client = client
        self._tracker = tracker
        self._deadline = Deadline("smartbrain-resources")

    @property
    def plugged_in(self) -> bool:
        return self.client is not None

    def ask(self, plan: RetrievalPlan, access: Access, seconds: float) -> Callable[[], EvidencePack] | None:
        """Starts the search of documents, if the plan wants one; what is returned waits for it.

        Whatever the client does, the answer is a pack: of a late or failed one only a warning is in it.
        """
        client = self.client
        if client is None or not plan.resource_retrieval.enabled:
            return None
        theirs = plan.for_documents()

        def asked() -> EvidencePack:
            pack = client.retrieve(theirs, scopes=access.read, timeout=seconds)
            if not isinstance(pack, EvidencePack):
                raise PluginError(f"the client gave a {type(pack).__name__}, not an EvidencePack")
            return admit(pack, theirs, access.read)

        waiting = self._deadline.start(asked, seconds)

        def answer() -> EvidencePack:
            try:
                return waiting()
            except LateError:
                self._tracker.count("resource_timeouts")
                return EvidencePack(warnings=(f"resources did not answer within {seconds:g} s",))
            except Exception as error:  # noqa: BLE001 - a client may raise anything; it costs a warning, never the turn
                self._tracker.count("resource_failures")
                return EvidencePack(warnings=(f"resources failed: {type(error).__name__}: {error}"[:500],))

        return answer


def beside_memory(
    pack: EvidencePack, taken: Collection[str], mentions: Callable[[], Sequence[tuple[str, str]]]
) -> tuple[list[Evidence], list[Dropped]]:
    """The evidence of a pack as it stands beside memory's.

    ``taken`` are the ids of memory's own: a document that has one would be shown as that memory, or strengthen it.
    ``mentions`` gives (uri, turn) of what turns pointed at, newest first.
    """
    clashing = [e for e in pack.evidences if e.id in taken]
    kept = [e for e in pack.evidences if e.id not in taken]
    turns: dict[str, list[str]] = {}
    for uri, turn in mentions() if kept else ():
        named = turns.setdefault(uri, [])
        if len(named) < MOST_MENTIONS and turn not in named:
            named.append(turn)
    linked = [_linked(evidence, turns) for evidence in kept]
    return linked, [Dropped(id=e.id, reason="duplicate", detail="a memory has this id") for e in clashing]


def ref_turns(reader: Reader, access: Access, as_of: datetime | None) -> list[tuple[str, str]]:
    """What turns in these scopes pointed at, with the turn, newest first."""
    hits = reader.refs(access.read, as_of=as_of, limit=_REFS)
    return [(hit.ref.uri, turn_uri(hit.session_id, hit.turn_id)) for hit in hits]


def _linked(evidence: Evidence, turns: dict[str, list[str]]) -> Evidence:
    named = turns.get(evidence.source_uri) or turns.get(evidence.document_id or "")
    if not named:
        return evidence
    return evidence.model_copy(update={"ref": evidence.ref.model_copy(update={"mentioned_in": tuple(named)})})
