"""Programs in which one thing is changed: how an entry is sealed, where a roll takes its place, what is asked for or counted.

Each makes a context manager. While it is entered the engine itself records something else, with hashes and faces that fit it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import attrs

from rollbook.application.history import sealing
from rollbook.application.history.sealing import Sealer
from rollbook.application.playing import engine_parameters
from rollbook.domain.dice.record import RollCount, Source, StreamPlace
from rollbook.domain.dice.supply import Hand, Request, StreamDice
from rollbook.domain.entries import Entry, RecordedEntry
from rollbook.domain.events import DiceRolled
from rollbook.domain.rules import table
from tests.attacks.live_play import Program

Change = Callable[[Any], Any]


def _changed(values: dict[str, object]) -> Callable[[Any], dict[str, object]]:
    """The new values of some fields; a function makes its field's out of all that the honest program says."""
    return lambda honest: {name: value(honest) if callable(value) else value for name, value in values.items()}


def _instead(of: object, name: str, made: Callable[[Any], Any]) -> Program:
    """A program that has something else in the place of one of its parts, made out of that part."""

    @contextmanager
    def program() -> Iterator[None]:
        with patch.object(of, name, made(getattr(of, name))):
            yield

    return program


# Entries.


def proposed(**values: object) -> Program:
    """An entry is proposed with other fields; what sealing works out follows from them."""
    change = _changed(values)
    return _instead(
        Sealer,
        "add",
        lambda add: lambda sealer, proposal, *more: add(sealer, proposal._replace(**change(proposal)), *more),
    )


def sealed(**values: object) -> Program:
    """An entry is sealed with other fields than were worked out, and the program goes on with what it wrote."""
    change = _changed(values)

    def numbered(honest: Any) -> Any:
        def changed(sealer: Sealer, proposal: Entry, hidden: tuple[int, ...]) -> RecordedEntry:
            entry: RecordedEntry = honest(sealer, proposal, hidden)
            return entry._replace(**change(entry))

        return changed

    return _instead(Sealer, "_numbered", numbered)


def written(**values: object) -> Program:
    """The same, and the program goes on with what it should have written: its own counts stay right."""
    change = _changed(values)

    @contextmanager
    def program() -> Iterator[None]:
        add, numbered = Sealer.add, Sealer._numbered
        honest: list[RecordedEntry] = []

        def changed(sealer: Sealer, proposal: Entry, hidden: tuple[int, ...]) -> RecordedEntry:
            honest.append(numbered(sealer, proposal, hidden))
            return honest[-1]._replace(**change(honest[-1]))

        def added(sealer: Sealer, proposal: Entry, *more: Any) -> None:
            add(sealer, proposal, *more)
            sealer.entries[-1] = honest[-1]._replace(hash=sealer.entries[-1].hash)

        with patch.object(Sealer, "_numbered", changed), patch.object(Sealer, "add", added):
            yield

    return program


def resealed(**values: str) -> Program:
    """The last line of an entry says other hashes than those that it has."""
    return _instead(
        sealing,
        "seal",
        lambda seal: lambda hash_, previous_hash: seal(**{"hash_": hash_, "previous_hash": previous_hash, **values}),
    )


# Places.


class _HighestDice:
    def draw(self, sides: int) -> int:
        return sides


def _rolling(forged: Callable[[StreamDice, StreamPlace], Any]) -> Program:
    return _instead(
        StreamDice, "rolls_for", lambda honest: lambda dice, request: [forged(dice, honest(dice, request)[0].place)]
    )


def placed(**values: object) -> Program:
    """A roll takes another place in the streams, and shows the dice that fall there."""
    change = _changed(values)
    return _rolling(lambda dice, place: dice._placed(place._replace(**change(place))))


def sourced(**values: object) -> Program:
    """A roll says that its dice come from elsewhere; those without a place in the streams show their highest face."""
    change = _changed(values)

    def forged(dice: StreamDice, place: StreamPlace) -> Any:
        roll = dice._placed(place)
        source = roll.source._replace(**change(roll.source))
        stream = _HighestDice() if source.place is None else dice._placed(source.place).stream
        return attrs.evolve(roll, source=source, stream=stream)

    return _rolling(forged)


def fresh_dice() -> Program:
    """A roll takes the next new place although dice wait for its request."""
    return _instead(
        StreamDice,
        "rolls_for",
        lambda honest: (
            lambda dice, request: [
                dice._placed(dice.ledger.next_place(StreamPlace(request.secret, 0, dice._seat, 0).counter))
            ]
        ),
    )


def traced(change: Callable[[tuple[Source, ...]], tuple[Source, ...]]) -> Program:
    """A roll says of other numbers of dice where they come from."""
    return _instead(Hand, "sources", lambda honest: lambda hand: change(honest(hand)))


# Requests and counts.


def asked(**values: object) -> Program:
    """A roll is asked for in other words before its dice are looked for, and says so."""
    change = _changed(values)

    @contextmanager
    def program() -> Iterator[None]:
        def request(**said: Any) -> Request:
            honest = Request(**said)
            return attrs.evolve(honest, **change(honest))

        def rolled(**said: Any) -> DiceRolled:
            honest = DiceRolled(**said)
            theirs = {name: value for name, value in change(honest).items() if name not in ("occasion", "repeat")}
            return attrs.evolve(honest, **theirs)

        with patch.object(table, "Request", request), patch.object(table, "DiceRolled", rolled):
            yield

    return program


def recorded(**values: object) -> Program:
    """A roll is recorded as another than was asked for and drawn."""
    change = _changed(values)

    def rolled(honest: Any) -> Any:
        return lambda **said: attrs.evolve(made := honest(**said), **change(made))

    return _instead(table, "DiceRolled", rolled)


def _first(change: Callable[[RollCount], RollCount]) -> Change:
    def counts(honest: Any) -> Any:
        def changed(*what: Any) -> tuple[RollCount, ...]:
            first, *rest = honest(*what)
            return (change(first), *rest)

        return changed

    return counts


def counted(**values: object) -> Program:
    """A session is closed over other counts of open rolls."""
    return _instead(engine_parameters, "counts", _first(lambda count: count._replace(**values)))


def counted_behind_the_screen(**values: object) -> Program:
    """The secret dice are shown with other counts of secret rolls."""
    return _instead(engine_parameters.DiceFactory, "screen_counts", _first(lambda count: count._replace(**values)))
