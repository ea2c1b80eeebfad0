"""Settling of values that recorded causes leave open, from one recorded moment to the next, and the course of turns.

Versions of the bot differ in small things, and the effects of a table's own scripts are in its answers alone. Changes
that are settled here have a cause in the recording; those without one are left to a correction.
"""

import re
from collections.abc import Iterable, Iterator

from rollbook.adapters.imports.avrae.commands import ANSWERED
from rollbook.adapters.imports.avrae.ledger import Ledger, Tracked, base_of, given_by
from rollbook.adapters.imports.avrae.lines import Malformed, RecordedLine
from rollbook.adapters.imports.avrae.rolls import NUMBER
from rollbook.adapters.imports.avrae.state import Combatant, Recorded, RecordedEffect
from rollbook.domain import events
from rollbook.domain.events import Event

SCRIPTED = frozenset({"embed", "tembed", "echo", "techo", "multiline"})
"""Commands by which a table's own script prints its result."""
FIELD = re.compile(rf"\b(?:Hit Points|HP)\b[:*<\s]*(?P<hp>-?{NUMBER})/{NUMBER}", re.IGNORECASE)
"""Hit points in a field of an embed whose title names the character."""


def settled(who: Tracked, one: Combatant, said: Iterable[RecordedLine], command: str) -> Iterator[Event]:
    """Events for differences between a character after the events so far and the record that recorded causes explain.

    ``said`` are the bot's answers since the last update, ``command`` is the command that they answer.
    """
    if who.hp is not None and one.hp is not None:
        yield from _maximum(who, one)
        yield from _beyond_the_maximum(who, one.hp)
        if who.hp != one.hp and command and any(one.hp in _answered(line, one.name, command) for line in said):
            yield from who.set_to(one.hp, (command,))
    if one.temp_hp in who.other_temps:
        yield from who.set_temp(one.temp_hp, "as recorded")
    who.effects, who.spared, who.other_temps = one.effects, 0, set()
    if one.max_hp is not None:
        who.base = base_of(one.max_hp, one.effects) or who.base


def _maximum(who: Tracked, one: Combatant) -> Iterator[Event]:
    """Change a maximum that effects changed. Healing that came with some of them was cut off at the old maximum."""
    if one.max_hp is None or one.max_hp == who.max_hp or given_by(who.effects) == given_by(one.effects):
        return
    highest, bonus = given_by(one.effects)
    base = one.max_hp - bonus if who.base is None else who.base
    if max(base, highest) + bonus == one.max_hp:
        grown = one.max_hp - who.max_hp
        lifts = min(who.spared, max((one.hp or 0) - (who.hp or 0), 0))
        who.spared -= lifts
        yield from who.grow(grown, _cause(who.effects, one.effects), lifts=lifts)


def _cause(before: Iterable[RecordedEffect], now: Iterable[RecordedEffect]) -> str:
    """The effects on the maximum that began or ended, in words."""
    old, new = ({each.name for each in effects if each.max_hp or each.max_hp_bonus} for effects in (before, now))
    began, ended = sorted(new - old), sorted(old - new)
    return ", ".join([*began, *(f"end of {name}" for name in ended)]) or "effects that changed"


def _beyond_the_maximum(who: Tracked, hp: int) -> Iterator[Event]:
    """Restore healing that was cut off at the maximum: some of the bot's commands heal beyond it."""
    more = hp - (who.hp or 0)
    if 0 < more <= who.spared:
        who.hp = hp
        yield events.HitPointsRestored(character=who.id, amount=more, tags=("beyond the maximum",))


def _answered(line: RecordedLine, name: str, command: str) -> list[int]:
    """The hit points of a character in the bot's answer: in plain words, or in the embed of a table's own script.

    Other embeds repeat an automation's effects, which are a cause of their own if it is on record.
    """
    embeds = line.replies if command in SCRIPTED else ()
    shown = (line.content, *(part for reply in embeds for part in (reply.description, reply.footer)))
    found = [match for text in shown for match in re.finditer(re.escape(name) + ANSWERED, text)]
    own = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    fields = [f"{head}: {text}" for reply in embeds if own.search(reply.title) for head, text in reply.fields]
    found += [match for field in fields for match in FIELD.finditer(field)]
    return [int(match["hp"]) for match in found]


MOST_ROUNDS = 1_000
"""Most rounds between two moments; more are an error of the file."""


class Turns:
    """The turn order and the current turn, after the events so far.

    ``rounds`` counts the rounds that were begun. Going back a turn begins the earlier turn again; a round that was
    begun stays begun, so after going back into an earlier one it is not begun twice.
    """

    def __init__(self) -> None:
        self._rounds = 0
        self._round = 0
        self._turn: tuple[str, ...] = ()
        self._acting: tuple[str, ...] = ()
        self._order: tuple[tuple[str, int], ...] = ()

    @property
    def round(self) -> int:
        """The round of the last moment."""
        return self._round

    def move(self, recorded: Recorded, ledger: Ledger, command: str, *, moved_out: list[str]) -> Iterator[Event]:
        """Events of the turn order until this moment; ``moved_out`` are the keys of combatants who have left."""
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
