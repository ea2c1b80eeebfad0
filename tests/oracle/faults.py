"""Faults that are planted in the engine, one at a time, so that the oracle can show that it sees them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

import attrs
import msgspec

from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.application.campaign import Campaign
from rollbook.domain.actions.speech import GMS
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.dice.ledger import DiceLedger
from rollbook.domain.dice.stream import RollBytes
from rollbook.domain.entries import EntryKind
from rollbook.domain.history.entry_index import Revisions
from rollbook.domain.history.history import History
from tests.oracle.comparing import Disagreement
from tests.oracle.program import AS_USUAL, play

MOST = 24
"""So many campaigns are played at most until a fault is named."""


@attrs.frozen
class Fault:
    """What is wrong, how it is planted, and what the oracle must name.

    ``often`` makes happen often what a fault needs to show (see ``play``), so that it hangs neither on the number of
    games nor on what a new one shifts.
    """

    name: str
    plant: Callable[[], AbstractContextManager[Any]]
    about: str
    often: Mapping[str, int] = AS_USUAL


def seen(fault: Fault, campaigns: int = MOST) -> list[str]:
    """What engine and oracle do not agree about once the fault is planted, campaign by campaign until it is named."""
    found: list[str] = []
    with fault.plant():
        for seed in range(campaigns):
            try:
                play(seed, fault.often)
            except Disagreement as disagreement:
                found.append(disagreement.about)
                if disagreement.about.startswith(fault.about):
                    break
    return found


def _replaced(where: str, answer: Callable[..., Any]) -> Callable[[], AbstractContextManager[Any]]:
    return lambda: patch(where, answer)


def _changed(owner: Any, name: str, change: Callable[..., Any]) -> Callable[[], AbstractContextManager[Any]]:
    """A function or method whose answer is changed: ``change`` gets the answer and what was asked."""
    right = getattr(owner, name)

    def wrong(*asked: Any, **how: Any) -> Any:
        return change(right(*asked, **how), *asked)

    return lambda: patch.object(owner, name, wrong)


def _module(name: str) -> Any:
    return __import__(name if name.startswith("tests.") else f"rollbook.{name}", fromlist=["_"])


def _forgets_orphans(made: Any, *_: Any) -> Any:
    kept = [entry for entry in made.entries if not (entry.causation and entry.kind is EntryKind.UNDONE)]
    return attrs.evolve(made, entries=tuple(kept))


def _gains_twice() -> AbstractContextManager[Any]:
    gained = _module("domain.events").GearGained
    arms = _module("domain.state.fold.draft")._ARMS
    right = arms[gained]
    return patch.dict(arms, {gained: lambda draft, event: (right(draft, event), right(draft, event))})


def _undo_counts(self: Any, entry: Any, outcome: Any) -> None:
    if entry.kind is not EntryKind.UNDONE:
        right_add(self, entry, outcome)


right_add = Revisions.add
REPLAY = _module("domain.corrections.replayed_dice")
TIMELINE = "rollbook.application.history.timeline_dice.CanonDice"

QUICK = ("a die is off by one", "a whisper is shown", "the past is the present", "an entry has the wrong public number")
"""Those that are planted in every run; the others take a little longer to show."""

ASKS_AGAIN, HIDDEN_NAMES, REDACTED = {"ask again": 8}, {"hide": 6, "note": 15}, {"note": 3, "redact": 10}
OTHERWISE, SESSIONS, TAKEN_OVER = {"otherwise": 10}, {"session": 8}, {"leave": 2, "take over": 10}

FAULTS = (
    Fault("a die is off by one", _changed(RollBytes, "draw", lambda face, _, sides: face % sides + 1), "dice"),
    Fault(
        "what was mixed in is forgotten",
        _replaced(
            "rollbook.application.playing.dice_factory.mix",
            lambda commits, _: _module("domain.dice.stream").mix(commits),
        ),
        "dice",
    ),
    Fault("a roll that was undone does not wait", _changed(DiceLedger, "waiting", lambda *_: []), "dice", ASKS_AGAIN),
    Fault(
        "a timeline rolls canon's next dice",
        _replaced("rollbook.domain.dice.stream.fork_key", lambda key, _: key),
        "dice",
        OTHERWISE,
    ),
    Fault("a timeline does not meet canon's dice", _replaced(TIMELINE, lambda _, fresh: fresh), "dice", OTHERWISE),
    Fault(
        "a correction rolls fresh dice",
        _replaced("rollbook.domain.corrections.replayed_dice.RecordedDice", lambda _, fresh, __=(): fresh),
        "correction",
    ),
    Fault(
        "the rolls of a session are not counted",
        _replaced("rollbook.application.playing.engine_parameters.counts", lambda _: ()),
        "intent",
        SESSIONS,
    ),
    Fault(
        "an orphan is forgotten",
        _changed(_module("application.corrections"), "preview", _forgets_orphans),
        "correction",
    ),
    Fault("what was undone counts still", lambda: patch.object(Revisions, "add", _undo_counts), "which counts"),
    Fault("what is gained counts twice", _gains_twice, "state"),
    Fault(
        "the past is the present", lambda: patch.object(History, "as_known_at", lambda self, _: self.state), "as known"
    ),
    Fault(
        "an entry has the wrong public number",
        _changed(_module("application.history.sealing"), "_public_number", lambda number, *_: number + (number > 2)),
        "chain",
    ),
    Fault(
        "what is hidden is hashed as public",
        _changed(
            _module("application.history.sealing"),
            "halves",
            lambda _, body, __: _module("domain.history.chain").halves(body),
        ),
        "chain",
    ),
    Fault("a whisper is shown", _replaced("rollbook.application.visibility.sight.may_see", lambda *_: True), "what"),
    Fault(
        "what was revealed is not shown",
        _replaced("rollbook.application.history.entry_log.revealed", lambda _: set()),
        "what",
    ),
    Fault(
        "an action that names somebody hidden is for everybody",
        _replaced("rollbook.domain.actions.speech.intent_names_hidden_character", lambda *_, **__: False),
        "envelope visibility",
        HIDDEN_NAMES,
    ),
    Fault(
        "what a player says hides an entry",
        _replaced("rollbook.domain.actions.speech.Speech", lambda *_, **__: GMS),
        "envelope visibility",
        HIDDEN_NAMES,
    ),
    Fault(
        "words stay in the file",
        lambda: patch.object(SQLiteEventStore, "wipe", lambda _: None),
        "redacted words",
        REDACTED,
    ),
    Fault(
        "words stay in the entry",
        _replaced("rollbook.application.history.entry_log.without_notes", lambda data: data),
        "redacted words",
        REDACTED,
    ),
    Fault(
        "a timeline begins an entry too early",
        _changed(
            _module("application.timelines.forking"),
            "Marker",
            lambda marker, *_: msgspec.structs.replace(marker, entry=marker.entry - 1),
        ),
        "timeline",
    ),
    Fault(
        "a choice is not taken over",
        _changed(
            _module("tests.oracle.taking_over"),
            "merge_plan",
            lambda found, *_: (found[0], attrs.evolve(found[1], asked=found[1].asked[1:])),
        ),
        "take-over",
        TAKEN_OVER,
    ),
    Fault(
        "a receipt counts one more",
        _changed(
            _module("domain.audit.receipts"),
            "receipt_of",
            lambda receipt, *_: attrs.evolve(receipt, entry=receipt.entry + 1),
        ),
        "receipt",
    ),
    Fault(
        "sealed dice are VERIFIED",
        _changed(
            Campaign, "audit", lambda said, _: (said[0], attrs.evolve(said[1], verdict=Verdict.VERIFIED), said[2])
        ),
        "audit of dice",
    ),
    Fault(
        "an audit covers less than it says",
        _changed(Campaign, "audit", lambda said, _: (*said[:2], attrs.evolve(said[2], covered=said[2].covered - 1))),
        "audit of rules",
    ),
)
