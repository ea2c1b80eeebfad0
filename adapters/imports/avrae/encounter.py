"""Follows initiative, rounds and turns from one recorded moment to the next."""

from collections.abc import Iterator

from rollbook.adapters.imports.avrae.ledger import Ledger
from rollbook.adapters.imports.avrae.lines import Malformed
from rollbook.adapters.imports.avrae.state import Recorded
from rollbook.domain import events
from rollbook.domain.events import Event

MOST_ROUNDS = 1_000
"""More rounds than this between two moments are an error of the file."""


class Turns:
    """Whose turn it is, after the events so far.

    ``rounds`` counts the rounds that were begun. Going back a turn begins the earlier turn again; a round that was
    begun stays begun, so after going back into an earlier one it is not begun twice.
    """

    def __init__(self) -> None:
        self._rounds = 0
        self._round = 0
        self._turn: tuple[str, ...] = ()
        self._acting: tuple[str, ...] = ()
        self._order: tuple[tuple[str, int], ...] = ()

    def move(self, recorded: Recorded, ledger: Ledger, command: str, *, moved_out: list[str]) -> Iterator[Event]:
        """What happened to the order of turns until this moment; ``moved_out`` are the keys of who has left."""
        passes = (recorded.round, recorded.turn) != (self._round, self._turn)
        if passes and not self._goes_back(recorded, command):
            yield from (events.TurnEnded(character=who) for who in self._acting)
        yield from ledger.gone(moved_out)
        yield from self._ordered(recorded, ledger)
        if passes:
            yield from self._begun(recorded, ledger)

    def _goes_back(self, recorded: Recorded, command: str) -> bool:
        if command == "init prev" or recorded.round < self._round:
            return True
        places = {one.key: place for place, one in enumerate(recorded.combatants)}
        old = [places[key] for key in self._turn if key in places]
        new = [places[key] for key in recorded.turn]
        return recorded.round == self._round and bool(old) and bool(new) and new[0] < old[0]

    def _ordered(self, recorded: Recorded, ledger: Ledger) -> Iterator[Event]:
        seated = ((ledger.of_key(one.key), one.initiative) for one in recorded.combatants)
        order = tuple((who.id, initiative) for who, initiative in seated if who is not None)
        if order != self._order:
            self._order = order
            scores = tuple(initiative for _, initiative in order)
            yield events.TurnOrderSet(order=tuple(who for who, _ in order), scores=scores)

    def _begun(self, recorded: Recorded, ledger: Ledger) -> Iterator[Event]:
        if recorded.round - self._rounds > MOST_ROUNDS:
            raise Malformed(f"the combat jumps from round {self._rounds} to round {recorded.round}")
        for _ in range(recorded.round - self._rounds):
            if self._rounds:
                yield events.RoundEnded()
            yield events.RoundBegan()
            self._rounds += 1
        self._round, self._turn = recorded.round, recorded.turn
        acting = (ledger.of_key(key) for key in recorded.turn)
        self._acting = tuple(who.id for who in acting if who is not None)
        yield from (events.TurnBegan(character=who) for who in self._acting[:1])
