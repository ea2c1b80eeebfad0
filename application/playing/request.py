"""Action requests: an action that a seat takes, and the entry that the rules make of it on the head of a campaign."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeAlias

import attrs

from rollbook.application.encoding.codec import CODEC
from rollbook.application.history.head import Decision, Head
from rollbook.application.history.idempotency_keys import IdempotencyKey
from rollbook.application.playing.dice_factory import DiceFactory
from rollbook.application.playing.engine_parameters import EngineParameters, placeholders
from rollbook.domain import events
from rollbook.domain.actions.joining import JoinAction
from rollbook.domain.actions.secrets import Reveal
from rollbook.domain.actions.speech import Speech, speech
from rollbook.domain.base.errors import Refused, RollbookError, not_found
from rollbook.domain.base.identifiers import EntryNumber
from rollbook.domain.base.number_words import counted
from rollbook.domain.base.records import Record
from rollbook.domain.dice.physical import DiceMissing
from rollbook.domain.dice.supply import NoDiceHere
from rollbook.domain.entries import Entry, EntryKind, Intent, without_words
from rollbook.domain.history.secrecy import EVERYBODYS, GM, Names, hidden_names
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.action import Action, build, intent_of, parameters
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.playing import Played, check_taken_by
from rollbook.domain.rules.value_checks import check_values
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.domain.state.lookup import seat_of, shown_names

if TYPE_CHECKING:
    from rollbook.application.playing.foresight import Foresight
    from rollbook.domain.dice.wanted import WantedDice

Faces: TypeAlias = tuple[int, ...]


def _faces(dice: Iterable[int]) -> Faces:
    return tuple(dice)


@attrs.frozen
class ActionRequest(Record):
    """An action that a seat takes (None: the GM), with the faces of real dice if any were typed.

    An anonymous action has no seat, no reason and is not secret. ``causation`` is the entry of the correction that the action
    is a part of, if it is one of a take-over's.
    """

    action: Action
    seat: str | None = None
    dice: tuple[int, ...] | None = attrs.field(default=None, converter=attrs.converters.optional(_faces))
    secret: bool = False
    reason: str = ""
    causation: EntryNumber = 0

    @property
    def taker(self) -> str:
        """The seat by name, once it is known who acts; "" for nobody."""
        return self.seat or ""


def acting_seat(state: CampaignState, name: str | None) -> str:
    """The seat that acts: the one named, or the GM's. Raises NotFound."""
    seats = state.seats
    if name is None:
        return next((seat.name for seat in seats.values() if seat.role is events.Role.GM and seat.present), "")
    stored = seat_as_stored(state, name)
    if stored and (stored not in seats or not seats[stored].present):
        raise not_found("seat", name, (seat.shown for seat in seats.values() if seat.present))
    return stored


def seat_as_stored(state: CampaignState, name: str) -> str:
    """The name of a seat as it is stored: a person may be called otherwise, and programs write ë as one letter or as two."""
    return seat_of(state, name) or name


def command_of(state: CampaignState, turns: Sequence[ActionRequest], id_: str) -> IdempotencyKey | None:
    """The idempotency key of a caller's command, None if it has none."""
    if not id_ or turns[0].action.anonymous:
        return None
    asked = [_asked(turn) for turn in turns]
    return IdempotencyKey.of(
        acting_seat(state, turns[0].seat), id_, asked[0] if len(asked) == 1 else {"together": asked}
    )


def _asked(turn: ActionRequest) -> dict[str, object]:
    intent = intent_of(turn.action)
    return {
        "verb": intent.verb,
        "params": dict(intent.params),
        "dice": turn.dice,
        "secret": turn.secret,
        "reason": turn.reason,
    }


class ActionPlayer:
    """Player of action requests on a head: nothing is stored here."""

    def __init__(self, rulebook: Rulebook, dice: DiceFactory, engine: EngineParameters) -> None:
        self._rulebook = rulebook
        self._dice = dice
        self._engine = engine

    @cached_property
    def foresight(self) -> Foresight:
        """The forecasts of actions, and the dice that they take."""
        from rollbook.application.playing.foresight import Foresight

        return Foresight(self._rulebook)

    def decide(self, head: Head, turn: ActionRequest) -> Decision:
        """Decide a request by the rules. Raises Refused, NotFound, RulesetMissing or DiceNeeded with a sentence."""
        self._rulebook.require(head.state)
        turn = self._meant(head, turn)
        check_values(turn.action)
        check_taken_by(head.state, turn.taker, turn.action)
        action, new_seeds = self._engine.filled_in(turn.action, head)
        action = self._settled(head, attrs.evolve(turn, action=action))
        try:
            played, secret = self._played(head, attrs.evolve(turn, action=action))
        except RollbookError:
            if new_seeds is not None:
                self._dice.seeds.forget(new_seeds)
            raise
        hides = any(isinstance(event, events.CharacterHidden) for event in played.events)
        entry = Entry(
            EntryKind.TAKEN,
            action=head.actions + 1,
            events=played.events,
            seat=turn.taker,
            reason=turn.reason,
            causation=turn.causation,
            intent=without_words(intent_of(action), played.events),
            actor=played.actor,
            ruleset=head.state.ruleset,
            version=self._rulebook.version(head.state),
            reads=played.reads,
            visibility=action.visibility or (GM if secret or hides else ""),
        )
        return Decision((entry,), played.campaign, (speech(head.state, turn.taker, action),))

    def meant_then(self, then: Head, turn: ActionRequest) -> ActionRequest:
        """A request of a seat that is known, as it is meant on a head of the past: with what the engine fills in.

        Raises Refused or NotFound with a sentence.
        """
        action = self._rulebook.speller(then.state, turn.taker).spelled_action(turn.action)
        check_values(action)
        check_taken_by(then.state, turn.taker, action)
        action, _ = self._engine.filled_in(action, then)
        return attrs.evolve(turn, action=self._settled(then, attrs.evolve(turn, action=action)))

    def remarks(self, head: Head, turn: ActionRequest) -> tuple[str, ...]:
        """The remarks on a request: for its words that no rule knows, and those of its verb."""
        turn = self._meant(head, turn)
        return *self._rulebook.speller(head.state, turn.taker).remarks(turn.action), *turn.action.remarks(head.state)

    def _meant(self, head: Head, turn: ActionRequest) -> ActionRequest:
        """The request with the seat that takes it, in the words of the game."""
        if turn.action.anonymous:
            turn = attrs.evolve(turn, seat="", reason="", secret=False)
        seat = acting_seat(head.state, turn.seat)
        action = self._rulebook.speller(head.state, seat).spelled_action(turn.action)
        return attrs.evolve(turn, seat=seat, action=action)

    def decide_together(self, head: Head, turns: Sequence[ActionRequest]) -> Decision:
        """Decide requests that are one command, each on the state that the one before left: see ``decide``.

        Real dice that were typed for all of them go to one after the other, to each as many as it takes.
        """
        *before, last = turns
        entries: list[Entry] = []
        speeches: list[Speech] = []
        left = last.dice
        for turn in before:
            decided, left = self._decide_first(head, turn, left)
            head = head.going_on(decided.entries, decided.state)
            entries += decided.entries
            speeches += decided.speeches
        decided = self.decide(head, attrs.evolve(last, dice=left))
        return Decision((*entries, *decided.entries), decided.state, (*speeches, *decided.speeches))

    def _decide_first(self, head: Head, turn: ActionRequest, dice: Faces | None) -> tuple[Decision, Faces | None]:
        """Decide a request with as few of the typed dice as it takes. Returns the dice that are left, too."""
        if dice is None:
            return self.decide(head, turn), None
        for many in range(len(dice)):
            with suppress(DiceMissing):
                return self.decide(head, attrs.evolve(turn, dice=dice[:many])), dice[many:]
        return self.decide(head, attrs.evolve(turn, dice=dice)), ()

    def _settled(self, head: Head, turn: ActionRequest) -> Action:
        turn = attrs.evolve(turn, action=_of_seats(head.state, turn.action))
        settled = partial(turn.action.settled, head.state)
        found = settled(secret=turn.secret)
        if found and not turn.secret and _is_secret(head.state, turn, hidden_names(head.state)):
            found = settled(secret=True)
        return attrs.evolve(turn.action, **found) if found else turn.action

    def _played(self, head: Head, turn: ActionRequest) -> tuple[Played, bool]:
        """The action played out, and whether it is the GM's alone to see."""
        intent = intent_of(turn.action)
        hidden = None if isinstance(turn.action, Reveal) else hidden_names(head.state)
        secret = _is_secret(head.state, turn, hidden)
        played = self._play(head, turn, intent, secret=secret)
        if hidden and any(
            isinstance(event, events.CharacterJoined | events.CharacterRenamed) for event in played.events
        ):
            hidden = hidden_names(head.state, played.events)
        spoken = speech(head.state, turn.taker, turn.action)
        if not secret and intent.verb not in EVERYBODYS and _open_dice_name_somebody(spoken, hidden, played.events):
            secret = True
            played = self._play(head, turn, intent, secret=True)
        return played, secret

    def _play(self, head: Head, turn: ActionRequest, intent: Intent, *, secret: bool) -> Played:
        seat = turn.taker
        play = partial(self._rulebook.play, head.state, intent, seat=seat, secret=secret, action=turn.action)
        try:
            if turn.dice is None:
                return play(self._dice.supply(head, seat, None))
            from rollbook.domain.dice.wanted import taken_typed

            return taken_typed(
                lambda faces: play(self._dice.supply(head, seat, tuple(faces))), play, turn.dice, turn.action.typed_dice
            )[0]
        except DiceMissing:
            asked = self._wanted(head, turn)
            raise DiceMissing(asked.missing(len(turn.dice or ()), _names(head, turn.action))) from None
        except NoDiceHere as why:
            asked = self._wanted(head, turn)
            raise NoDiceHere(f"{why} It takes {asked.text(_names(head, turn.action))}.") from None

    def wanted(self, head: Head, turn: ActionRequest) -> str:
        """The dice that a request takes, "" for none: number, roller and purpose, as far as known before they fall."""
        asked, names = self.dice_wanted(head, turn)
        many = counted(len(asked.dice), "die", "dice")
        return f"{many}: {asked.text(names)}" if asked.dice else ""

    def dice_wanted(self, head: Head, turn: ActionRequest) -> tuple[WantedDice, dict[str, str]]:
        """The dice that a request takes besides those that were typed, with the names of those who may roll them."""
        turn = self._meant(head, turn)
        turn = attrs.evolve(turn, action=self._settled(head, turn))
        return self._wanted(head, turn), _names(head, turn.action)

    def refusal(self, head: Head, turn: ActionRequest) -> RollbookError | None:
        """The refusal of a request that does not depend on dice, None for none."""
        from rollbook.domain.dice.wanted import ImaginedDice

        turn = self._meant(head, turn)
        try:
            check_values(turn.action)
            check_taken_by(head.state, turn.taker, turn.action)
            action = self._settled(head, turn)
            seat, intent, secret = turn.taker, intent_of(action), turn.secret
            self._rulebook.play(head.state, intent, ImaginedDice(()), seat=seat, secret=secret, action=action)
        except RollbookError as reason:
            return reason
        return None

    def _wanted(self, head: Head, turn: ActionRequest) -> WantedDice:
        faces = tuple(turn.dice or ())
        return self.foresight.dice(head.state, turn.action, faces, seat=turn.taker, secret=turn.secret)


def _of_seats(state: CampaignState, action: Action) -> Action:
    named = (each.name for each in parameters(type(action)) if each.want is ParameterType.SEAT)
    found = {name: seat_as_stored(state, said) for name in named if (said := getattr(action, name))}
    changed = {name: seat for name, seat in found.items() if seat != getattr(action, name)}
    return attrs.evolve(action, **changed) if changed else action


def _names(head: Head, action: Action) -> dict[str, str]:
    coming = (part for part in action.parts() if isinstance(part, JoinAction))
    return {**shown_names(head.state.characters.values()), **{part.id: part.name for part in coming}}


def _is_secret(state: CampaignState, turn: ActionRequest, hidden: Names | None) -> bool:
    """True if a request asks for secrecy or names a hidden character. Raises Refused if its verb must not be secret."""
    names_hidden = hidden is not None and _names_somebody(state, turn, hidden)
    verb = turn.action.verb
    if verb in EVERYBODYS and (turn.secret or names_hidden):
        why = "names somebody who is hidden" if names_hidden else "was to be secret"
        raise Refused(f"This {why}, but {verb} is for the whole table: what happens there rests on it.")
    return turn.secret or names_hidden


def _names_somebody(state: CampaignState, turn: ActionRequest, hidden: Names) -> bool:
    spoken = speech(state, turn.taker, turn.action)
    return spoken.intent_names(hidden, intent_of(turn.action)) or spoken.reason_names(hidden, turn.reason)


def _open_dice_name_somebody(spoken: Speech, hidden: Names | None, played: Iterable[events.Event]) -> bool:
    """True if open dice name a hidden character: hiding the dice would leave a gap in the open stream."""
    rolls = (event for event in played if isinstance(event, events.DiceRolled) and not event.secret) if hidden else ()
    return any(spoken.event_names(hidden, roll, CODEC.encode(roll)) for roll in rolls)


Params = Mapping[str, events.ParameterValue]


def built(rulebook: Rulebook, state: CampaignState, verb: str, params: Params | None, more: Params) -> Action:
    """An action of the campaign's verb of that name. Raises Refused for what is given twice, and what ``build`` raises."""
    rulebook.require(state)
    twice = next((name for name in more if name in (params or {})), None)
    if twice:
        raise Refused(f"{twice} is given twice, by name and in the parameters of {verb}. Give it once.")
    kind = rulebook.verb(state, verb)
    return build(kind, {**placeholders(kind), **(params or {}), **more})


def check_verb(rulebook: Rulebook, state: CampaignState, action: Action) -> None:
    """Raise Refused unless the action is of a verb that the campaign has now."""
    verb = rulebook.verb(state, action.verb)
    if type(action) is not verb:
        raise Refused(
            f"{type(action).__module__}.{type(action).__qualname__} is not the verb {action.verb!r} of this campaign, "
            f"which is {verb.__module__}.{verb.__qualname__}."
        )
