"""Corrections of one campaign. Each is a preview first; ``preview.apply()`` stores exactly what the preview shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Self

import attrs

from rollbook.application.history.head import Decision
from rollbook.application.playing.request import ActionRequest, acting_seat
from rollbook.application.ports.deadline import command_deadline
from rollbook.application.time_zones import known_zone
from rollbook.domain.actions.adopting import Adopt
from rollbook.domain.actions.campaign import SetTimeZone
from rollbook.domain.actions.dice import DrawFor
from rollbook.domain.base.errors import Refused
from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.base.records import Record
from rollbook.domain.corrections.changes import (
    Amend,
    Change,
    Correction,
    CorrectionOptions,
    Insert,
    Override,
    Proposal,
    Redo,
    ThinkAgain,
    Undo,
)
from rollbook.domain.corrections.inserting import check_insertion
from rollbook.domain.corrections.preview import last_action, preview
from rollbook.domain.corrections.undoing_together import last_correction, reversal, undone_along, undone_together
from rollbook.domain.corrections.who_may import check_corrector, own_thought
from rollbook.domain.dice.supply import DiceNeeded, NewDice, NoDice
from rollbook.domain.entries import RecordedEntry, SecondThought
from rollbook.domain.events import ParameterValue
from rollbook.domain.history.history import TO_INSERT, History, check_action_number
from rollbook.domain.rules.action import Action, intent_of
from rollbook.domain.rules.sheet_rulings import Adjustment
from rollbook.domain.rules.value_checks import check_changed
from rollbook.domain.rules.vocabulary import ACTOR
from rollbook.domain.state.campaign_state import CampaignState

if TYPE_CHECKING:
    from rollbook.application.history.head import Head
    from rollbook.application.history.idempotency_keys import IdempotencyKey
    from rollbook.application.session import CampaignSession

Changes = Mapping[ActionNumber, Change]

OPTIONS = CorrectionOptions()
"""The options of a correction if nothing else is said."""
REDONE, FORGOTTEN = "redone", "it was forgotten"
"""The reasons of a redo and of an insertion for which none was given."""


@attrs.frozen
class CorrectionRequest(Record):
    """A correction that is asked for, by name or as changes of actions, with its options."""

    what: Mapping[str, object]
    options: CorrectionOptions

    def command(self, session: CampaignSession, id_: str = "") -> IdempotencyKey | None:
        """The command that asks for it, under an id of its own or that of the options."""
        how = attrs.evolve(self.options, seat=None, command="")
        return session.command(self.options.seat, id_ or self.options.command, {**self.what, "options": how})


@attrs.frozen
class Preview(Proposal):
    """A correction that has not been made, of a campaign that is open."""

    _session: CampaignSession = attrs.field(kw_only=True, eq=False, repr=False)
    asked: CorrectionRequest = attrs.field(kw_only=True, eq=False, repr=False)

    def apply(self, *, command: str = "") -> tuple[RecordedEntry, ...]:
        """Store what the preview shows. Raises StaleHistory if the campaign has moved on since; then nothing is stored.

        ``command`` is an id of this command, without it that of the options. It belongs to what was asked for, not to what the
        preview shows: previewed and applied again, it returns what it made, and nothing happens twice. Raises Refused if the
        id was given to something else.
        """
        named = self.asked.command(self._session, command)
        return Corrections(self._session).apply(self, named)

    def because(self, reason: str) -> Self:
        """The same preview for a reason that was said after it was made: see ``Proposal.because``."""
        options = attrs.evolve(self.asked.options, reason=self.asked.options.reason or reason)
        return attrs.evolve(super().because(reason), asked=attrs.evolve(self.asked, options=options))

    def in_(self, session: CampaignSession) -> Self:
        """The same preview, to be applied in another session of its campaign."""
        return attrs.evolve(self, session=session)


class Corrections:
    """The corrections of a campaign.

    ``reason`` is kept with the correction. It may be left out, except with ``override``: only the command line and ``say``
    insist on one. Every other option is a field of ``CorrectionOptions``. Each method that returns a
    ``Preview`` raises NotFound for an action that does not exist, Refused for what cannot be corrected so, and DiceNeeded
    if an action wants dice that were never rolled.
    """

    def __init__(self, session: CampaignSession) -> None:
        self._session = session

    def undo(self, *actions: ActionNumber, reason: str = "", options: CorrectionOptions = OPTIONS) -> Preview:
        """Undo actions; what came after and depends on them is played again with the same dice."""
        return self.preview(_each(actions, Undo()), reason=reason, options=options)

    def undo_last(self, *, reason: str = "", options: CorrectionOptions = OPTIONS) -> Preview:
        """Undo the last correction, whole: every action that it changed is again what it was, orphans included.

        Of an undo this is the redo, and once more the undo again.
        """
        return self._preview(
            lambda history: reversal(history, last_correction(history)), reason, options, undo_last=True
        )

    def undo_correction(self, correction: str, *, reason: str = "", options: CorrectionOptions = OPTIONS) -> Preview:
        """Undo a correction by the id that its entries share (``RecordedEntry.correction``)."""
        return self._preview(lambda history: reversal(history, correction), reason, options, undo_correction=correction)

    def redo(
        self, *actions: ActionNumber, revision: int = 0, reason: str = "", options: CorrectionOptions = OPTIONS
    ) -> Preview:
        """Redo actions that were undone, as they come out now; or make an earlier ``revision`` of one action count again."""
        if revision and len(actions) != 1:
            raise Refused("A revision is an outcome of one action. Redo that action alone.")
        return self.preview(_each(actions, Redo(revision)), reason=reason, options=options)

    def redo_along(self, *actions: ActionNumber, reason: str = "", options: CorrectionOptions = OPTIONS) -> Preview:
        """Redo actions with the orphans that their undoing took along, as far as these are possible again."""
        return self._preview(lambda history: undone_along(history, actions), reason, options, redo_along=actions)

    def redo_together(self, *actions: ActionNumber, reason: str = "", options: CorrectionOptions = OPTIONS) -> Preview:
        """Redo actions with everything that was undone together with them: orphans, and what a take-over undid."""
        return self._preview(lambda history: undone_together(history, actions), reason, options, redo_together=actions)

    def insert(
        self,
        before: ActionNumber,
        action: Action,
        *,
        dice: Iterable[int] = (),
        secret: bool = False,
        reason: str = "",
        options: CorrectionOptions = OPTIONS,
    ) -> Preview:
        """Play an action that was forgotten just ``before`` another one; what came after it is played again with the same dice.

        Its verb is one of the campaign as it was then; ``dice`` are faces of real dice for it alone. The corrector takes it.
        """
        turn = ActionRequest(action, None, dice, secret)
        asked = {"before": before, "secret": secret, "dice": turn.dice, "intent": intent_of(action)}
        return self._preview(
            lambda history: self._inserted(history, before, turn, options), reason, options, insert=asked
        )

    def _inserted(
        self, history: History, before: ActionNumber, turn: ActionRequest, options: CorrectionOptions
    ) -> Changes:
        """The action as it is meant before another one, under the number that it gets."""
        session, intent = self._session, intent_of(turn.action)
        seat = acting_seat(session.state, options.seat)
        change = Insert(before=before, intent=intent, seat=seat, secret=turn.secret, typed=turn.dice or ())
        check_insertion(history, change, session.rulebook, seat)
        then = attrs.evolve(session.head, state=history.state_before(before))
        session.rulebook.require(then.state)
        session.dice.check_may_type(session.state, seat, change.typed)
        meant = session.turns.meant_then(then, attrs.evolve(turn, seat=seat))
        own = attrs.evolve(intent_of(meant.action), second_thoughts=intent.second_thoughts)
        return {history.actions + 1: attrs.evolve(change, intent=own)}

    def amend(
        self,
        action: ActionNumber,
        params: Mapping[str, ParameterValue] | None = None,
        *,
        retype: Iterable[int] = (),
        adjustments: Iterable[Adjustment] = (),
        unadjusted: bool = False,
        reason: str = "",
        options: CorrectionOptions = OPTIONS,
    ) -> Preview:
        """Play an action with other parameters, or with its real dice retyped, or with a sheet adjusted in it by the GM.

        ``unadjusted`` takes the adjustments away that it has.
        """
        change = Amend(dict(params or {}), tuple(retype), tuple(adjustments), unadjusted)
        return self._preview(
            lambda history: {action: self._written_out(history, action, change)},
            reason,
            options,
            changes={action: change},
        )

    def _written_out(self, history: History, action: ActionNumber, change: Amend) -> Amend:
        session, changed = self._session, change.params
        meant = history.intent_of(action)
        verb = session.rulebook.verbs(history.state_before(action)).get(meant.verb) if changed else None
        if verb is not None:  # of what was imported no verb need be known, and the preview says what becomes of it
            changed = self._spelled(history, action, verb, changed)
            check_changed(verb, meant.params, changed)
        if meant.verb == SetTimeZone.verb and "zone" in changed:
            changed = {**changed, "zone": known_zone(str(changed["zone"]))}
        if meant.verb == Adopt.verb and (changed or not change.adjustments):
            house: dict[str, ParameterValue] = {"settings": {}} if "ruleset" in changed else {}
            changed = session.engine.written_out(session.head, {**meant.params, **house, **changed})
        return attrs.evolve(change, params=changed)

    def _spelled(
        self, history: History, action: ActionNumber, verb: type[Action], changed: Mapping[str, ParameterValue]
    ) -> Mapping[str, ParameterValue]:
        """The parameters of a change, as the game spelled them at the time; the others stay as they were."""
        state, taken = history.state_before(action), history.taken(action)
        said = {**history.intent_of(action).params, **changed}
        meant = self._session.rulebook.speller(state, taken.seat).spelled(verb, {**said, ACTOR: taken.actor})
        return {name: meant.get(name, value) for name, value in changed.items()}

    def override(
        self,
        action: ActionNumber,
        faces: Iterable[int],
        *,
        first: int = 1,
        reason: str = "",
        options: CorrectionOptions = OPTIONS,
    ) -> Preview:
        """Put other faces in the place of an action's stream dice, from its ``first`` on (counted from 1)."""
        change = Override(faces=tuple(faces), first=first)
        return self.preview({action: change}, reason=reason, options=options)

    def preview(
        self, changes: Mapping[ActionNumber, Change], *, reason: str = "", options: CorrectionOptions = OPTIONS
    ) -> Preview:
        """Preview a correction of several actions, each in its own way: what it would append and change. Nothing is stored.

        With ``options.draw``, dice that were never rolled are drawn from the open session first. A drawn die has been seen, so
        it is recorded at once, whatever becomes of the correction. If ``options.command`` was carried out already, the preview
        is empty, and applying it returns what was made.
        """
        return self._preview(lambda _: changes, reason, options, changes=changes)

    @command_deadline()
    def _preview(
        self, find: Callable[[History], Changes], reason: str, options: CorrectionOptions, **what: object
    ) -> Preview:
        self._session.refresh()
        asked = CorrectionRequest(what, attrs.evolve(options, reason=reason or options.reason))
        return self._session.history.looking_back(lambda history: self._previewed(history, find, asked))

    def _previewed(self, history: History, find: Callable[[History], Changes], asked: CorrectionRequest) -> Preview:
        """Preview the changes that ``find`` gives; opens the history before it looks up the id, so that both agree."""
        session = self._session
        if session.history.made_by(asked.command(session)):
            proposed = Proposal(session.head.entry, (), (), (), session.state)
        else:
            session.rulebook.require(session.state)
            proposed = self._proposed(history, find, asked.options)
        fields = {field.name: getattr(proposed, field.name) for field in attrs.fields(Proposal)}
        bound = Preview(**fields, session=session, asked=asked)
        if session.recorder is not None:
            session.recorder.preview = bound
        return bound

    def _proposed(self, history: History, find: Callable[[History], Changes], options: CorrectionOptions) -> Proposal:
        """The outcome of a correction, with the dice for it drawn if the options say so."""
        session = self._session
        seat = acting_seat(session.state, options.seat)
        session.dice.check_may_type(session.state, seat, options.dice or ())
        while True:
            changes = find(history)
            check_corrector(history, session.rulebook, seat, changes)
            dice = NoDice() if options.dice is None else NewDice(options.dice)
            correction = Correction(
                changes=changes,
                seat=seat,
                reason=options.reason,
                stand=options.stand,
                orphans=options.orphans,
                effects=options.effects,
                dice=dice,
            )
            try:
                return preview(history, correction, session.rulebook)
            except DiceNeeded as needed:
                if not options.draw:
                    raise
                self._draw(needed, options.seat)
                history = session.history.look_back()

    def _draw(self, needed: DiceNeeded, seat: str | None) -> None:
        asked = needed.request
        draw = DrawFor(
            action=needed.action if needed.action <= self._session.head.actions else TO_INSERT,
            roller=asked.roller,
            purpose=asked.purpose,
            ordinal=asked.ordinal,
            sides=needed.sides,
        )
        self._session.take_on(self._session.history.writable_head(), (ActionRequest(draw, seat, None, asked.secret),))

    @command_deadline()
    def apply(self, made: Proposal, command: IdempotencyKey | None = None) -> tuple[RecordedEntry, ...]:
        """Store exactly what a preview shows. Raises StaleHistory if the campaign has moved on since.

        Raises Refused if it changes nothing. What a ``command`` made already is returned, whatever the preview shows.
        """
        if before := self._session.history.made_by(command):
            return before
        made.check_changes_something()

        def decide(head: Head) -> Decision:
            head.check_is_at(made.base)
            return Decision(made.entries, made.after, made.speeches)

        return self._session.append(decide, command=command) if made.entries else ()

    @command_deadline()
    def record_second_thought(
        self, thought: SecondThought, *, seat: str | None = None, dice: Iterable[int] | None = None, command: str = ""
    ) -> tuple[RecordedEntry, ...]:
        """Have a second thought on the last action, as the rules allow, and record it at once: its dice are seen at once.

        ``command`` is an id of this command: given again, it returns what it made. Raises Refused if it was given to another.
        """
        session = self._session
        session.refresh()
        faces = None if dice is None else tuple(dice)
        why = self._second_thought(session.state, thought.kind)
        named = session.command(seat, command, {"second_thought": thought, "dice": faces})

        def decide(head: Head) -> Decision:
            history, acting = session.history.look_back(), acting_seat(head.state, seat)
            changes, supply = (
                {last_action(history, acting): ThinkAgain(own_thought(head.state, acting, thought))},
                session.dice.supply(head, acting, faces),
            )
            correction = Correction(changes=changes, seat=acting, reason=why, dice=supply)
            made = preview(history, correction, session.rulebook)
            return Decision(made.entries, made.after, made.speeches)

        session.history.look_back()
        return session.append(decide, command=named)

    def _second_thought(self, state: CampaignState, kind: str) -> str:
        ruleset = self._session.rulebook.ruleset_of(state)
        if ruleset is None or kind not in ruleset.second_thoughts:
            raise Refused("The rules of this campaign know no such second thought.")
        return ruleset.second_thoughts[kind]


def _each(actions: tuple[ActionNumber, ...], change: Change) -> dict[ActionNumber, Change]:
    """The same change of several actions. Raises NotFound for what is not the number of an action."""
    for action in actions:
        check_action_number(action)
    return dict.fromkeys(actions, change)
