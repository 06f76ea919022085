"""The documents beside memory: asked under a deadline, let in by policy, linked to the turns that point at them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from urllib.parse import unquote

from smartbrain.config import ResourcesPolicy
from smartbrain.contracts.evidence import Dropped, Evidence, EvidencePack
from smartbrain.contracts.plan import RetrievalPlan
from smartbrain.errors import PluginError
from smartbrain.model import Access, Ref, RefOutcome, Scope
from smartbrain.observability import Tracker
from smartbrain.policies.admission import admit
from smartbrain.ports import KnownNames, KnowsNames, Reader, RefHolder, ResourceClient
from smartbrain.retrieval.evidence import turn_uri
from smartbrain.runtime.deadline import Deadline, LateError
from smartbrain.runtime.offering import Fetcher, RefPolicy

MOST_MENTIONS = 3
"""So many turns that point at one document are named with it, the newest."""

_REFS = 200


class ResourcePath:
    """Asks and tells the plugged-in client. One object serves all threads; a client that hangs holds 8 of them, and 4
    more if it hangs when it is told of refs."""

    def __init__(
        self,
        client: ResourceClient | None,
        tracker: Tracker,
        policy: ResourcesPolicy | None = None,
        fetcher: Fetcher | None = None,
    ) -> None:
        self._client = client
        self._tracker = tracker
        self._policy = policy or ResourcesPolicy()
        self._refs = RefPolicy(self._policy, fetcher)
        self._asking = Deadline("smartbrain-resources")
        self._telling = Deadline("smartbrain-offer", most=4)

    @property
    def plugged_in(self) -> bool:
        return self._client is not None

    def ask(self, plan: RetrievalPlan, access: Access, seconds: float) -> Callable[[], EvidencePack] | None:
        """Starts the search of documents, if the plan wants one; what is returned waits for it.

        Whatever the client does, the answer is a pack: of a late or failed one only a warning is in it.
        """
        client = self._client
        if client is None or not plan.resource_retrieval.enabled:
            return None
        theirs = plan.for_documents()

        def asked() -> EvidencePack:
            pack = client.retrieve(theirs, scopes=access.read, timeout=seconds)
            if not isinstance(pack, EvidencePack):
                raise PluginError(f"the client gave a {type(pack).__name__}, not an EvidencePack")
            return admit(pack, theirs, access.read)

        waiting = self._asking.start(asked, seconds)

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

    def offer(self, refs: Sequence[Ref], scope: Scope, turn: str) -> tuple[RefOutcome, ...]:
        """Tells the client of a turn's refs, as far as policy lets them pass; what became of each, in order.

        Fetching is part of it. The caller waits ``offer_timeout_ms``; what takes longer goes on without it.
        """
        client = self._client
        if client is None or not refs:
            return ()

        def told() -> tuple[RefOutcome, ...]:
            made = self._refs.ready(refs, turn)
            passed = [one for one in made if isinstance(one, Ref)]
            answers = {a.uri: a for a in (client.offer(passed, scope=scope) if passed else None) or ()}
            return tuple(
                one if isinstance(one, RefOutcome) else _outcome(ref, answers.get(one.uri))
                for ref, one in zip(refs, made, strict=True)
            )

        seconds = self._policy.offer_timeout_ms / 1000
        try:
            return self._telling.call(told, seconds)
        except LateError:
            self._tracker.count("resource_offer_timeouts")
            return _failed(refs, f"the client did not answer within {seconds:g} s")
        except Exception as error:  # noqa: BLE001 - best effort by contract: counted, never the caller's problem
            self._tracker.count("resource_offer_failures")
            return _failed(refs, f"{type(error).__name__}: {error}"[:300])

    def document_ids(self, uris: Sequence[str], access: Access, seconds: float) -> dict[str, str]:
        """The document id of each URI that the client holds, as far as it can tell, by the URI as it was given."""
        client = self._client
        if not uris or not isinstance(client, RefHolder):
            return {}
        holder: RefHolder = client
        names = {uri: self._refs.file_uri(uri) or uri for uri in uris}
        try:
            held = self._asking.call(
                lambda: dict(holder.holds(list(dict.fromkeys(names.values())), scopes=access.read)), seconds
            )
        except LateError:
            self._tracker.count("resource_timeouts")
            return {}
        except Exception:  # noqa: BLE001 - as for a search: counted
            self._tracker.count("resource_failures")
            return {}
        return {uri: held[name] for uri, name in names.items() if name in held}

    def ref_turns(
        self, reader: Reader, access: Access, as_of: datetime | None, evidences: Sequence[Evidence]
    ) -> list[tuple[str, str]]:
        """What turns in these scopes pointed at, with the turn, newest first.

        A file under the roots is also named by its absolute URI, if one of the evidences is of a file of that name:
        following a path costs more than comparing two.
        """
        names = {_file_name(evidence.source_uri) for evidence in evidences}
        turns: list[tuple[str, str]] = []
        for hit in reader.refs(access.read, as_of=as_of, limit=_REFS):
            uri, turn = hit.ref.uri, turn_uri(hit.session_id, hit.turn_id)
            turns.append((uri, turn))
            absolute = self._refs.file_uri(uri) if hit.ref.type != "url" and _file_name(uri) in names else None
            if absolute is not None and absolute != uri:
                turns.append((absolute, turn))
        return turns

    def names(self, text: str, access: Access, seconds: float) -> KnownNames:
        """What the client's documents call the things that a text may speak of; nothing if it cannot say, or is late.

        Which domains the documents have is then not known, so none may become a condition: it might exclude them all.
        """
        client = self._client
        if not isinstance(client, KnowsNames):
            return KnownNames(domains=(), subdomains=())
        knower: KnowsNames = client
        try:
            return self._asking.call(lambda: knower.names(text, scopes=access.read), seconds)
        except LateError:
            self._tracker.count("resource_timeouts")
        except Exception:  # noqa: BLE001 - a client may raise anything; documents are asked without it
            self._tracker.count("resource_failures")
        return KnownNames(domains=(), subdomains=())


def beside_memory(
    pack: EvidencePack,
    taken: Collection[str],
    mentions: Callable[[Sequence[Evidence]], Sequence[tuple[str, str]]],
) -> tuple[list[Evidence], list[Dropped]]:
    """The evidence of a pack as it stands beside memory's.

    ``taken`` are the ids of memory's own: a document that has one would be shown as that memory, or strengthen it.
    ``mentions`` gives (uri, turn) of what turns pointed at, newest first, as far as it may concern the evidences.
    """
    clashing = [e for e in pack.evidences if e.id in taken]
    kept = [e for e in pack.evidences if e.id not in taken]
    turns: dict[str, list[str]] = {}
    for uri, turn in mentions(kept) if kept else ():
        named = turns.setdefault(uri, [])
        if len(named) < MOST_MENTIONS and turn not in named:
            named.append(turn)
    linked = [_linked(evidence, turns) for evidence in kept]
    return linked, [Dropped(id=e.id, reason="duplicate", detail="a memory has this id") for e in clashing]


def _outcome(ref: Ref, answer: RefOutcome | None) -> RefOutcome:
    """The client's word on a ref, under the URI that the turn wrote."""
    if answer is None:
        return RefOutcome(uri=ref.uri, outcome="offered")
    return answer.model_copy(update={"uri": ref.uri, "reason": answer.reason[:300]})


def _failed(refs: Sequence[Ref], reason: str) -> tuple[RefOutcome, ...]:
    return tuple(RefOutcome(uri=ref.uri, outcome="failed", reason=reason) for ref in refs)


def _file_name(uri: str) -> str:
    """The last part of a path or URI, without what says which lines."""
    return unquote(uri.partition("#")[0].replace("\\", "/").rpartition("/")[2])


def _linked(evidence: Evidence, turns: dict[str, list[str]]) -> Evidence:
    # What stands behind the last # says which lines.
    names = (evidence.source_uri, evidence.source_uri.rpartition("#")[0], evidence.document_id or "")
    named = next((turns[name] for name in names if name in turns), None)
    if not named:
        return evidence
    return evidence.model_copy(update={"ref": evidence.ref.model_copy(update={"mentioned_in": tuple(named)})})
