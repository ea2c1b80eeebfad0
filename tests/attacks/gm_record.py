"""The attack that counts in a history, and all that the audit has on record of it."""

from __future__ import annotations

import re
from typing import NamedTuple

import attrs

from rollbook.application.campaign import Campaign
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.audit.dice_list import CHOSEN, GRANTED, UNDONE, UNUSED
from rollbook.domain.audit.dice_requests import Requests
from rollbook.domain.audit.dice_session import LATE, levels
from rollbook.domain.dice.ledger import places_of
from rollbook.domain.dice.record import StreamPlace
from rollbook.domain.events import DiceRolled
from rollbook.domain.history.history import History
from tests.attacks.gm_table import ATTACK

PLAYERS = re.compile(r"players mixed in (\d+) lines?")
UNUSED_LINES = re.compile(r"had (a|\d+) lines? and was closed without a roll")


class Cell(NamedTuple):
    """Where one die comes from: a session, the lines that are mixed into it, and a place in its streams.

    Dice of two cells have nothing to do with one another, and nobody knows one before its session has all of these lines.
    """

    session: str
    lines: tuple[tuple[int, str], ...]
    place: StreamPlace


class Record(NamedTuple):
    """What the audit says to a reader, and so how much a GM who looks ahead could choose.

    ``mixes`` are the lines of players after which the dice were others, less the one that everybody hopes for: further lines,
    sessions that had one and no roll, sessions that were played before, entries that this computer saw and the store has lost.
    ``rolls`` are the other rolls: those that stand, that were undone and not met again, or that were granted.
    """

    mixes: int
    rolls: int

    @property
    def tries(self) -> int:
        """The cells among which a GM could choose and leave no more on record."""
        return (1 + self.mixes) * (1 + self.rolls)

    def covers(self, other: Record) -> bool:
        """Whether the other leaves no more of any kind on record."""
        return other.mixes <= self.mixes and other.rolls <= self.rolls


@attrs.frozen
class Reading:
    """The last attack that counts, as the audit has it: its cell and face, and the ``level`` of its session.

    ``is_chosen``: it is listed as the roll of a seat that could be chosen for its dice. ``named`` is how many tries the list
    alone comes to. ``kinds`` are the things on record that are no item of the list.
    """

    cell: Cell
    face: int
    level: int
    record: Record
    is_chosen: bool
    named: int
    kinds: frozenset[str]

    @property
    def is_promised(self) -> bool:
        """Whether the audit promises anything about this roll."""
        return self.level > 0 and not self.is_chosen


def _attack(history: History) -> tuple[int, DiceRolled] | None:
    for _, entry in reversed(list(history.outcomes())):
        for event in entry.events if entry else ():
            if isinstance(event, DiceRolled) and event.purpose == ATTACK:
                return entry.action if entry else 0, event
    return None


def read(campaign: Campaign) -> Reading | None:
    """The attack that counts now; None if none does. Raises AssertionError if the audit finds a fault."""
    history = campaign.history
    found = _attack(history)
    if found is None:
        return None
    requests = Requests()
    for entry in history.entries:
        requests.follow(entry)
    if requests.failed:
        raise AssertionError(f"the program itself does what its audit calls FAILED: {requests.failed}")
    roll = found[1]
    (session, place), *_ = places_of((roll,))
    dice_session = requests.dice_sessions[session]
    cell = Cell(dice_session.opened.identity, tuple((line.number, line.text) for line in dice_session.lines), place)
    listed = requests.all_listed()
    counted = {kind: sum(one.kind == kind for one in listed) for kind in (UNDONE, GRANTED, UNUSED, CHOSEN)}
    unused = sum(_unused_lines(one.text) for one in listed if one.kind == UNUSED)
    lines = [_lines(levels([each])) for each in requests.dice_sessions.values() if each.has_dice]
    standing = {where for _, entry in history.outcomes() if entry for where in places_of(entry.events)}
    others = len(standing - {(session, place)})
    lost = _lost(campaign)
    first_seen = dice_session.first[place].entry
    kinds = {
        "a roll that stands": others,
        "a further line": sum(max(0, many - 1) for many in lines) + unused - counted[UNUSED],
        "a session played before": sum(many > 0 for many in lines) - 1,
        "entries lost": lost,
        "a chosen seat": counted[CHOSEN],
    }
    mine = levels([dice_session])
    return Reading(
        cell=cell,
        face=roll.dice[0].face,
        level=int(bool(mine) and "level 1, table" in mine[0]),
        record=Record(mixes=max(0, unused + sum(lines) + lost - 1), rolls=counted[UNDONE] + counted[GRANTED] + others),
        is_chosen=any(one.kind == CHOSEN and one.entry == first_seen for one in listed),
        named=1 + sum(counted.values()),
        kinds=frozenset(kind for kind, many in kinds.items() if many > 0),
    )


def _lines(said: list[str]) -> int:
    """How many lines of players the audit says that a session with rolls had; one, if it says that the last was not theirs."""
    if not said:
        return 0
    players = PLAYERS.search(said[0])
    return int(players[1]) if players else int(LATE in said[0])


def _unused_lines(said: str) -> int:
    """How many lines a session had that was closed without a roll."""
    found = UNUSED_LINES.search(said)
    assert found, said
    return 1 if found[1] == "a" else int(found[1])


def _lost(campaign: Campaign) -> int:
    """How many entries the chain's answer says that were seen and are lost."""
    witnesses = campaign.read_model.witnesses(campaign.id)
    if not witnesses or campaign.audit()[0].verdict is Verdict.VERIFIED:
        return 0
    return sum(each.entry - each.since + 1 for each in witnesses)
