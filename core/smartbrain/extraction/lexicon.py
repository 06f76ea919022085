"""The closed lists of docs/memory-keys.md: slots of preferences, names of facts, topics, kinds of events, relations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from smartbrain.memory_types import SEVERAL_FACTS


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


SLOTS: Final[Mapping[str, frozenset[str]]] = {
    "writing": frozenset(_words("language spelling tone length format emoji style examples sources")),
    "coding": frozenset(
        _words(
            """
            language indentation style comments tests types docs framework package_manager database commits
            """
        )
    ),
    "tools": frozenset(
        _words(
            """
            editor browser os shell terminal search notes calendar email chat payment navigation cloud version_control
            spreadsheet
            """
        )
    ),
    "ui": frozenset(
        _words(
            """
            theme font_size font language notifications sound units timezone date_format time_format currency layout
            """
        )
    ),
    "other": frozenset(_words("seat contact meeting_time")),
}
"""The slots of each scope of preferences; a choice that fills one has the slot as its name."""

FACTS: Final = _words(
    """
    name nickname age birthday gender home hometown nationality employer role school major grade education marital child
    siblings pet health medication blood_type allergy diet height weight size languages hobby religion phone email
    address vehicle team relation likes dislikes note
    """
)
"""What a profile may say of somebody: the ``k`` of a fact."""

SEVERAL: Final = SEVERAL_FACTS
"""Facts that may hold several values at once."""

TOPICS: Final = _words(
    """
    database framework language library hosting editor tool vendor supplier venue date time location destination hotel
    name title color price budget school major job home car phone insurance bank doctor theme menu architecture license
    process
    """
)
"""What a decision may be about, where it can be named."""

EVENT_KINDS: Final = _words(
    """
    release incident meeting appointment interview exam trip wedding engagement birth death move graduation surgery
    promotion new_job layoff accident theft award purchase sale breakup visit party performance competition deadline
    milestone
    """
)
"""What an event may be; two event keys are alike when date and kind agree."""

STAGES: Final[Mapping[str, str]] = {
    "release": "release",
    "incident": "failure",
    "accident": "failure",
    "theft": "failure",
    "meeting": "meeting",
    "appointment": "meeting",
    "interview": "meeting",
    "visit": "meeting",
    "party": "meeting",
    "trip": "trip",
}
"""The hint by which retention knows that a kind of event matters later; every other kind is a ``milestone``."""

RELATIONS: Final = _words(
    """
    mother father parents wife husband partner son daughter child sister brother grandmother grandfather aunt uncle
    cousin niece nephew mother_in_law father_in_law boss colleague friend roommate neighbor teacher student doctor
    client landlord
    """
)
"""Who somebody without a name is to the user: ``profile:user_<relation>``."""

STATUSES: Final = _words("todo doing done blocked")
"""The flow of a task."""
