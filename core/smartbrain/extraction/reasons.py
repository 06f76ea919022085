"""Why a guard stopped something, as a person reads it in a verdict."""

from __future__ import annotations

from typing import Final

REPORTED: Final = "reported"
SUPPOSITION: Final = "supposition"
UNSAID: Final = "not said plainly by and of the user"
"""Of words that look like something to keep and in which no rule found it."""
UNDECIDED: Final = "nothing decided"
OTHERS_ANSWERS: Final = "how somebody else wants to be answered"
UNNAMED: Final = "nothing named"
"""Of words in which a rule found no name for what they tell; another reader may."""

_WORDS: Final = {
    "question": "a question",
    "condition": "a condition or a hypothesis",
    "hypothesis": "not certain, or not decided yet",
    REPORTED: "somebody else's words",
    "irony": "a joke or sarcasm",
    "negated": "said not to be so",
    "fiction": "fiction, not the user's own words",
    "text to work on": "text to work on, not the user's own words",
    "taken back as a joke": "taken back as a joke",
    SUPPOSITION: "the assistant's guess, which the user did not confirm",
    "no lasting object": "names nothing that lasts",
    UNNAMED: "does not name what",
    "no subject": "does not say of what",
    "nothing said of it": "says nothing of it",
    "for one answer only": "for this once only",
    "for this conversation": "for this conversation only",
    "of the moment": "of the moment only",
}


def in_words(reason: str) -> str:
    """A reason as it is shown; one that rules give in words stands as it is."""
    return _WORDS.get(reason, reason)
