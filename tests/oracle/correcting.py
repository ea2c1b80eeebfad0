"""A slow, independent implementation of corrections: every action is replayed from the first."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import attrs

from rollbook.domain.actions import SHARED
from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.corrections.changes import Amend, Change, Insert, Orphans, Redo, ThinkAgain, Undo
from rollbook.domain.entries import WORDS, EntryKind, Intent, RecordedEntry, SecondThought
from rollbook.domain.events import CharacterHidden, DiceRolled, Event, Scalar
from rollbook.domain.history.history import DRAW
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.action import Action
from rollbook.domain.rules.ruleset import Ruleset
from rollbook.domain.state.campaign_state import EMPTY, CampaignState
from rollbook.domain.state.fold import fold
from tests.oracle.playing import plain
from tests.oracle.recorded_dice import OutOfDice, RecordedDice, RetypedDice
from tests.oracle.sight import NEWCOMERS, NOT_SECRET, Hidden

Events = tuple[Event, ...]
BINDS = ("adopt", "agree", "leave-seat", "rename-seat", "take-seat")
"""The verbs that cannot be put into the past, besides those that are final."""
NO_ORPHAN_CHOICES: Mapping[int, Orphans] = {}


def as_recorded(intent: Intent) -> Intent:
    """An intent as a record of it has it: without the name of a picture's file, and without words that were not said.

    What is on a picture is said only where there is one.
    """
    shows = intent.params.get("digest")
    left = {"picture", *(name for name in WORDS if intent.params.get(name) == ""), *(() if shows else ("alt",))}
    return attrs.evolve(intent, params={name: value for name, value in intent.params.items() if name not in left})


@attrs.frozen(kw_only=True)
class OracleOutcome:
    """What an action came to once; ``before`` is what counted of all actions before it then."""

    revision: int
    intent: Intent
    events: Events
    provenance: str
    seat: str
    is_cause: bool
    before: tuple[Events, ...]


@attrs.define(kw_only=True)
class OracleAction:
    """An action with everything that it ever came to; ``counts`` is the outcome in effect, ``last`` the one before.

    Whatever another seat than the action's own said in correcting it is the GM's ruling, unless it only thought again.
    """

    seat: str
    visibility: str
    outcomes: list[OracleOutcome]
    counts: OracleOutcome | None
    last: OracleOutcome

    @property
    def secret(self) -> bool:
        return self.visibility == "gm"

    def ruled(self, intent: Intent) -> set[str]:
        """The parameters of an intent that the GM has said."""
        said = [
            outcome.intent.params
            for before, outcome in pairwise(self.outcomes)
            if outcome.is_cause and outcome.seat != self.seat and not _thinks_again(before.intent, outcome.intent)
        ]
        return {name for name, value in intent.params.items() if any(params.get(name) == value for params in said)}


def _thinks_again(before: Intent, after: Intent) -> bool:
    more = after.second_thoughts[len(before.second_thoughts) :]
    return before.params == after.params and bool(more) and all(thought.kind != "adjust" for thought in more)


@attrs.frozen(kw_only=True)
class ExpectedEntry:
    """What an entry of a correction must say: undo, redo or revise, and to what."""

    kind: str
    action: int
    events: Events = ()
    intent: Intent | None = None
    provenance: str = ""
    restores: int = 0


class Oracle:
    """All that was ever done, in plain lists; ``corrector`` is the seat that corrects it."""

    def __init__(self, *rulesets: Ruleset, corrector: str = "") -> None:
        self.corrector = corrector
        self.changes: Mapping[int, Change] = {}
        self.rulebook = Rulebook({ruleset.key: ruleset for ruleset in rulesets})
        self.final = {verb.verb for verb in SHARED if verb.final}
        self.finals = {
            key: {verb.verb: verb.final for verb in game.actions} for key, game in self.rulebook.rulesets.items()
        }
        self.effects: dict[int, str] = {}
        self.deeds: list[OracleAction] = []
        self.order: list[int] = []
        self.drawn: dict[int, list[tuple[int, DiceRolled]]] = {}

    def add(self, entry: RecordedEntry) -> None:
        """What was stored."""
        if entry.kind is EntryKind.UNDONE:
            self.deeds[entry.action - 1].counts = None
            return
        if entry.kind is EntryKind.REDONE:
            deed = self.deeds[entry.action - 1]
            deed.counts = deed.last = next(o for o in deed.outcomes if o.revision == entry.restores)
            return
        outcome = OracleOutcome(
            revision=entry.revision,
            intent=entry.full_intent,
            events=entry.events,
            provenance=entry.provenance,
            seat=entry.seat,
            is_cause=not entry.causation,
            before=(),
        )
        if entry.kind in (EntryKind.TAKEN, EntryKind.INSERTED):
            at = self.order.index(entry.before) if entry.before else len(self.order)
            self.order.insert(at, entry.action)
            self.deeds.append(
                OracleAction(seat=entry.seat, visibility=entry.visibility, outcomes=[], counts=None, last=outcome)
            )
            if entry.intent.verb == DRAW:
                params: Mapping[str, Any] = entry.intent.params
                rolls = [(params["ordinal"], event) for event in entry.events if isinstance(event, DiceRolled)]
                self.drawn.setdefault(params["action"], []).extend(rolls)
            if entry.kind is EntryKind.INSERTED:
                used = {
                    (source.session, source.place)
                    for event in entry.events
                    if isinstance(event, DiceRolled)
                    for source in event.sources
                }
                waiting = self.drawn.get(0, [])
                self.drawn[0] = [
                    (at, roll) for at, roll in waiting if (roll.sources[0].session, roll.sources[0].place) not in used
                ]
        outcome = attrs.evolve(outcome, before=tuple(self._counting(self.order[: self.order.index(entry.action)])))
        deed = self.deeds[entry.action - 1]
        deed.outcomes.append(outcome)
        deed.counts = deed.last = outcome

    def _counting(self, actions: list[int]) -> list[Events]:
        """What counts of these actions."""
        known = [self.deeds[action - 1].counts for action in actions]
        return [counts.events for counts in known if counts is not None]

    def state(self, upto: int | None = None) -> CampaignState:
        """The campaign after action ``upto`` (0: before everything) in the order of play, or after all."""
        end = None if upto is None else self.order.index(upto) + 1 if upto else 0
        return fold(EMPTY, [event for events in self._counting(self.order[:end]) for event in events])

    def state_before(self, action: int) -> CampaignState:
        """The campaign just before an action, in the order of play."""
        at = self.order.index(action)
        return self.state(self.order[at - 1] if at else 0)

    def place(self, action: int) -> int:
        """The place of an action in the order of play."""
        return self.order.index(action)

    def correct(
        self,
        changes: Mapping[int, Change],
        *,
        stand: bool = False,
        orphans: Orphans = Orphans.UNDO,
        effects: Mapping[int, Orphans] = NO_ORPHAN_CHOICES,
    ) -> list[ExpectedEntry]:
        """What a correction must append. Raises Refused, NotFound or OutOfDice where it cannot be made.

        ``effects`` says afterwards what became of every later action: same, changed, orphaned or drifted.
        """
        self._check(changes)
        self.changes = changes
        self.effects = {}
        recorded = corrected = EMPTY
        said: list[ExpectedEntry] = []
        for number in self.order:
            for new, change in sorted(changes.items()):
                if isinstance(change, Insert) and change.before == number:
                    corrected = fold(corrected, self._inserted(new, change, corrected, said))
            deed = self.deeds[number - 1]
            was = deed.counts.events if deed.counts else ()
            if number in changes:
                events = self._changed(number, deed, changes[number], corrected, stand, said)
            elif deed.counts is None or stand or not self._is_playable(deed.counts, corrected):
                events = was
                if deed.counts is not None:
                    self.effects[number] = "same"
            else:
                events = self._again(number, deed, deed.counts, recorded, corrected, effects.get(number, orphans), said)
            recorded, corrected = fold(recorded, was), fold(corrected, events)
        if any(self.effects.get(number) != "orphaned" for number in effects):
            raise Refused("it is no orphan")
        return said

    def _check(self, changes: Mapping[int, Change]) -> None:
        last = next((number for number in reversed(self.order) if self.deeds[number - 1].counts is not None), 0)
        for number, change in changes.items():
            if isinstance(change, Insert):
                self._check_insertion(change)
                continue
            if not 1 <= number <= len(self.deeds):
                raise NotFound("no such action")
            deed = self.deeds[number - 1]
            if isinstance(change, Redo):
                if deed.counts is not None and not change.revision:
                    raise Refused("it counts")
                if change.revision and all(o.revision != change.revision for o in deed.outcomes):
                    raise NotFound("no such revision")
            elif deed.counts is None:
                raise Refused("it was undone")
            elif self._is_final(deed.counts.intent.verb, self.state_before(number)):
                raise Refused("it is final")
            elif isinstance(change, ThinkAgain) and number != last:
                raise Refused("it is not the last")

    def _check_insertion(self, change: Insert) -> None:
        verb = change.intent.verb
        if not 1 <= change.before <= len(self.deeds):
            raise NotFound("no such action")
        if change.before == self.order[0] or verb in BINDS or self._is_final(verb, self.state_before(change.before)):
            raise Refused("it cannot be put there")

    def _inserted(self, number: int, change: Insert, campaign: CampaignState, said: list[ExpectedEntry]) -> Events:
        hidden = [Hidden([plain(campaign)]), Hidden([plain(self.state())])]
        new = NEWCOMERS.get(change.intent.verb, ())
        named = [plain(value) for name, value in change.intent.params.items() if name not in new]
        secret = change.secret or any(one.named_in(*named) for one in hidden)

        def play(secret: bool) -> Any:
            dice = RetypedDice(change.typed) if change.typed else RecordedDice(number, (), self.drawn.get(0, ()))
            return self.rulebook.play(campaign, change.intent, dice, seat=change.seat, secret=secret)

        played = play(secret)
        rolls = [
            (event.roller, event.purpose, event.occasion) for event in played.events if isinstance(event, DiceRolled)
        ]
        hides = any(isinstance(event, CharacterHidden) for event in played.events)
        if not secret and (hides or any(one.named_in(*rolls) for one in hidden)):
            secret = True
            played = play(secret)
        seen_by = "gm" if secret else played.action.visibility
        following = self.deeds[change.before - 1].visibility
        if (seen_by and change.intent.verb in NOT_SECRET) or (seen_by != "gm" and following not in ("", seen_by)):
            raise Refused("it cannot be seen there")
        events: Events = played.events
        said.append(
            ExpectedEntry(kind=f"insert before {change.before}", action=number, events=events, intent=change.intent)
        )
        return events

    def _is_playable(self, outcome: OracleOutcome, campaign: CampaignState) -> bool:
        return outcome.provenance == "played" and not self._is_final(outcome.intent.verb, campaign)

    def _is_final(self, verb: str, campaign: CampaignState) -> bool:
        return self.finals.get(campaign.ruleset, {}).get(verb, verb in self.final)

    def _changed(
        self,
        number: int,
        deed: OracleAction,
        change: Change,
        campaign: CampaignState,
        stand: bool,
        said: list[ExpectedEntry],
    ) -> Events:
        if isinstance(change, Undo):
            said.append(ExpectedEntry(kind="undo", action=number))
            return ()
        if isinstance(change, Redo):
            back = next((o for o in deed.outcomes if o.revision == change.revision), deed.last)
            if not stand and self._is_playable(back, campaign) and not self._has_drifted(number, deed, back):
                events = self._play(number, deed, back, back.intent, campaign)
                if events != back.events:
                    said.append(self._revised(number, back.intent, events))
                    return events
            said.append(ExpectedEntry(kind="redo", action=number, events=back.events, restores=back.revision))
            return back.events
        assert deed.counts is not None
        intent = deed.counts.intent
        typed = None
        if isinstance(change, Amend):
            if deed.counts.provenance != "played" and change.only_adjusts:
                return self._adjusted(number, deed.counts, change, campaign, said)
            params = intent.params
            if change.params:
                verb = self.rulebook.verbs(campaign).get(intent.verb, Action)
                params = verb.amended(intent.params, change.params, deed.counts.events)
            intent = attrs.evolve(intent, params=params, second_thoughts=self._thoughts(intent, change))
            typed = RetypedDice(change.typed) if change.typed else None
        else:
            assert isinstance(change, ThinkAgain)
            intent = attrs.evolve(intent, second_thoughts=(*intent.second_thoughts, change.thought))
        events = self._play(number, deed, deed.counts, intent, campaign, typed)
        said.append(self._revised(number, intent, events))
        return events

    def _thoughts(self, intent: Intent, change: Amend) -> tuple[SecondThought, ...]:
        """Second thoughts and adjustments, as they stand in an intent."""
        kept = [thought for thought in intent.second_thoughts if thought.kind != "adjust" or not change.unadjusted]
        for adjustment in change.adjustments:
            params: dict[str, Scalar] = {"what": adjustment.what, "by": adjustment.by, "why": "so"}
            kept.append(SecondThought(kind="adjust", character=adjustment.who, params=params))
        return tuple(kept)

    def _adjusted(
        self, number: int, counts: OracleOutcome, change: Amend, campaign: CampaignState, said: list[ExpectedEntry]
    ) -> Events:
        """A ruling is left as it stands, and what the GM adjusts comes after it."""
        events = counts.events
        for adjustment in change.adjustments:
            params = {"who": adjustment.who, "what": adjustment.what, "by": adjustment.by, "reason": "so"}
            deed = Intent(verb="adjust", params=params)
            events = (*events, *self.rulebook.play(fold(campaign, events), deed, RetypedDice(())).events)
        intent = attrs.evolve(counts.intent, second_thoughts=self._thoughts(counts.intent, change))
        said.append(self._revised(number, intent, events, counts.provenance))
        return events

    def _again(
        self,
        number: int,
        deed: OracleAction,
        counts: OracleOutcome,
        recorded: CampaignState,
        corrected: CampaignState,
        orphans: Orphans,
        said: list[ExpectedEntry],
    ) -> Events:
        if not self._gives_what_is_recorded(number, deed, counts, recorded):
            self.effects[number] = "drifted"
            return counts.events
        try:
            events = self._play(number, deed, counts, counts.intent, corrected)
        except (Refused, NotFound):
            self.effects[number] = "orphaned"
            if orphans is Orphans.UNDO:
                said.append(ExpectedEntry(kind="undo", action=number))
                return ()
            said.append(self._revised(number, counts.intent, counts.events, "ruling"))
            return counts.events
        self.effects[number] = "same" if events == counts.events else "changed"
        if events != counts.events:
            said.append(self._revised(number, counts.intent, events))
        return events

    def _gives_what_is_recorded(
        self, number: int, deed: OracleAction, counts: OracleOutcome, recorded: CampaignState
    ) -> bool:
        try:
            return self._play(number, deed, counts, counts.intent, recorded) == counts.events
        except (Refused, NotFound, OutOfDice):
            return False

    def _has_drifted(self, number: int, deed: OracleAction, back: OracleOutcome) -> bool:
        then = fold(EMPTY, [event for events in back.before for event in events])
        return not self._gives_what_is_recorded(number, deed, back, then)

    def _play(
        self,
        number: int,
        deed: OracleAction,
        outcome: OracleOutcome,
        intent: Intent,
        campaign: CampaignState,
        typed: Any = None,
    ) -> Events:
        rolled = [*(known.events for known in deed.outcomes), outcome.events]
        dice = typed or RecordedDice(number, rolled, self.drawn.get(number, ()))
        is_the_gms = number in self.changes and deed.seat != self.corrector
        ruled = set(intent.params) if is_the_gms else deed.ruled(intent)
        return self.rulebook.play(campaign, intent, dice, seat=deed.seat, secret=deed.secret, ruled=ruled).events

    def _revised(self, number: int, intent: Intent, events: Events, provenance: str = "played") -> ExpectedEntry:
        return ExpectedEntry(kind="revise", action=number, events=events, intent=intent, provenance=provenance)
