"""Playing of what another program has recorded: verbs with the dice that fell, compared with the record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import attrs

from rollbook.application.history.head import Head
from rollbook.application.playing.dice_factory import DiceFactory
from rollbook.application.playing.engine_parameters import EngineParameters
from rollbook.application.playing.request import ActionPlayer, ActionRequest, built
from rollbook.application.ports.seed_store import SeedStore
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.records import Changeable, Record
from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.supply import DiceNeeded
from rollbook.domain.entries import Entry
from rollbook.domain.events import CheckResolved, DiceRolled, Event, ParameterValue
from rollbook.domain.history.history import History
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.state.campaign_state import CampaignState

OTHER_CHECK, OTHER_POINTS, OTHER_TURN = "it succeeds otherwise", "the hit points are others", "another turn comes"
OTHER_DICE, REFUSED = "it needs other dice", "the rules refuse it"
_NEAREST = (OTHER_POINTS, OTHER_CHECK, OTHER_TURN, OTHER_DICE, REFUSED)
"""Reasons why an action stands as recorded, those first that came nearest to the record."""


@attrs.frozen(kw_only=True)
class Expected(Record):
    """An outcome as recorded: the success of each check in turn (None: not on record), and the state afterwards.

    By character: hit points ``lost``, and amounts in ``pools``. ``round`` and ``turn`` say whose it is, 0 and "": whatever.
    """

    successes: tuple[bool, ...] | None = None
    lost: Mapping[CharacterId, int] = attrs.field(factory=dict)
    pools: Mapping[CharacterId, Mapping[str, int]] = attrs.field(factory=dict)
    round: int = 0
    turn: CharacterId = ""


@attrs.frozen(kw_only=True)
class Play(Record):
    """A verb of the game by which a recorded action is played again, with the faces of its dice; ``kind`` counts it.

    The first of its ``ways`` (further parameters) that comes to what is ``expected`` is recorded, by the seat or else the
    GM; otherwise what is to be played ``instead``, or else the action's own events stand. ``lacks`` says why nothing can be
    played.
    """

    kind: str
    verb: str = ""
    params: Mapping[str, ParameterValue] = attrs.field(factory=dict)
    dice: tuple[int, ...] = ()
    ways: tuple[Mapping[str, ParameterValue], ...] = ({},)
    expected: Expected = Expected()
    lacks: str = ""
    instead: Play | None = None


@attrs.define
class Tally(Changeable):
    """The actions that came to what is on record, and those that stand as recorded: by kind, and by kind and reason."""

    agreed: Counter[str] = attrs.field(factory=Counter)
    standing: Counter[tuple[str, str]] = attrs.field(factory=Counter)

    def told(self) -> dict[str, object]:
        """The same as data."""
        standing = [{"kind": kind, "why": why, "count": count} for (kind, why), count in sorted(self.standing.items())]
        return {"played": dict(sorted(self.agreed.items())), "as_recorded": standing}

    def sentences(self) -> Iterator[str]:
        """One sentence of what was played, and one for each reason why something stands as recorded."""
        yield f"Played by the rules: {', '.join(f'{kind} {count}' for kind, count in sorted(self.agreed.items()))}."
        for (kind, why), count in sorted(self.standing.items()):
            yield f"As recorded: {kind} {count}, because {why}."


class RecordedPlayer:
    """Player of recorded actions on a head that goes on with each of them; nothing is stored here."""

    def __init__(self, rulebook: Rulebook, seeds: SeedStore, head: Head) -> None:
        self._rulebook = rulebook
        dice = DiceFactory(seeds, None, History)
        self._player = ActionPlayer(rulebook, dice, EngineParameters(rulebook, dice))
        self.head = head
        self.tally = Tally()

    def go_on(self, entry: Entry) -> Entry:
        """Follow an entry: what is played next is played on it."""
        self.head = self.head.going_on((entry,), None)
        return entry

    def played(self, play: Play, seat: str) -> tuple[Entry | None, str]:
        """The entry of the first way that comes to what is expected; or else why there is none, by the way that came nearest."""
        entry, why = self._first(play, seat) if not play.lacks else (None, play.lacks)
        if entry is None and play.instead is not None:
            return self.played(play.instead, seat)
        if entry is not None:
            self.tally.agreed[play.kind] += 1
        else:
            self.tally.standing[play.kind, why] += 1
        return entry, why

    def _first(self, play: Play, seat: str) -> tuple[Entry | None, str]:
        reasons = set[str]()
        for way in play.ways:
            for taker in dict.fromkeys((seat or None, None)):
                entry, why = self._tried(play, {**play.params, **way}, taker)
                if entry is not None:
                    return entry, ""
                reasons.add(why)
        return None, min(reasons, key=_NEAREST.index)

    def _tried(self, play: Play, params: Mapping[str, ParameterValue], seat: str | None) -> tuple[Entry | None, str]:
        try:
            action = built(self._rulebook, self.head.state, play.verb, params, {})
            decided = self._player.decide(self.head, ActionRequest(action, seat, play.dice))
        except (DiceError, DiceNeeded):
            return None, OTHER_DICE
        except RollbookError:
            return None, REFUSED
        [entry] = decided.entries
        if sum(len(event.dice) for event in entry.events if isinstance(event, DiceRolled)) != len(play.dice):
            return None, OTHER_DICE
        why = difference(play.expected, entry.events, self.head.going_on((entry,), decided.state).state)
        return (None, why) if why else (entry, "")


def difference(expected: Expected, happened: tuple[Event, ...], campaign: CampaignState) -> str:
    """The reason why events, and the campaign after them, are not as expected; "" if they are."""
    checks = tuple(event.success for event in happened if isinstance(event, CheckResolved))
    if expected.successes is not None and checks != expected.successes:
        return OTHER_CHECK
    people = campaign.characters
    if any(people[who].lost != lost for who, lost in expected.lost.items()):
        return OTHER_POINTS
    for who, pools in expected.pools.items():
        if any(people[who].pools.get(pool, 0) != amount for pool, amount in pools.items()):
            return OTHER_POINTS
    fight = campaign.encounter
    if expected.turn and (fight is None or (fight.current, fight.round) != (expected.turn, expected.round)):
        return OTHER_TURN
    return ""
