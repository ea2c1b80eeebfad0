"""Corrections of one campaign. Each is a preview first; ``preview.apply()`` stores exactly what the preview shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import attrs

from adapters.turn import Decided, acting_seat
from domain.actions import Adopt, DrawFor
from domain.corrections import (
    Adjustment,
    Amend,
    Change,
    Correction,
    CorrectionOptions,
    Redo,
    ThinkAgain,
    Undo,
)
from domain.corrections import Preview as Proposed
from domain.corrections.changes import Override
from domain.corrections.preview import last_action, preview
from domain.corrections.reversal import last_correction, reversal, undone_together
from domain.dice.supply import DiceNeeded, NoDice
from domain.entries import RecordedEntry, SecondThought
from domain.errors import Refused
from domain.events import Role, Scalar
from domain.history import check_action_number
from domain.identifiers import ActionNumber
from domain.state import CampaignState

if TYPE_CHECKING:
    from adapters.campaign import Campaign
    from adapters.head import Head

OPTIONS = CorrectionOptions()
"""How a correction is made if nothing else is said."""


@attrs.frozen
class Preview(Proposed):
    """A correction that has not been made, of a campaign that is open."""

    _campaign: Campaign = attrs.field(kw_only=True, eq=False, repr=False)

    def apply(self) -> tuple[RecordedEntry, ...]:
        """Store what the preview shows. Raises StaleHistory if the campaign has moved on since; then nothing is stored."""
        return self._campaign.corrections.apply(self)


class Corrections:
    """What can be corrected in a campaign.

    ``reason`` is kept with the correction. It may be left out, except with ``override``: only the command line and ``say``
    insist on one. Every other option is a field of ``CorrectionOptions``. Each method that returns a
    ``Preview`` raises NotFound for an action that does not exist, Refused for what cannot be corrected so, and DiceNeeded
    if an action wants dice that were never rolled.
    """

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign

    def undo(self, *actions: ActionNumber, reason: str = "", options: CorrectionOptions = OPTIONS) -> Preview:
        """Undo actions; what came after and depends on them is played again with the same dice."""
        return self.preview(_each(actions, Undo()), reason=reason, options=options)

    def undo_last(self, *, reason: str = "", options: CorrectionOptions = OPTIONS) -> Preview:
        """Undo the last correction, whole: every action that it changed is again what it was, orphans included.

        Of an undo this is the redo, and once more the undo again.
        """
        self._campaign.refresh()
        history = self._campaign.load_history()
        return self.preview(reversal(history, last_correction(history)), reason=reason, options=options)

    def undo_correction(self, correction: str, *, reason: str = "", options: CorrectionOptions = OPTIONS) -> Preview:
        """Undo a correction by the id that its entries share (``RecordedEntry.correction``)."""
        self._campaign.refresh()
        changes = reversal(self._campaign.load_history(), correction)
        return self.preview(changes, reason=reason, options=options)

    def redo(
        self, *actions: ActionNumber, revision: int = 0, reason: str = "", options: CorrectionOptions = OPTIONS
    ) -> Preview:
        """Redo actions that were undone, as they come out now; or make an earlier ``revision`` of one action count again."""
        if revision and len(actions) != 1:
            raise Refused("A revision is an outcome of one action. Redo that action alone.")
        return self.preview(_each(actions, Redo(revision)), reason=reason, options=options)

    def redo_together(self, *actions: ActionNumber, reason: str = "", options: CorrectionOptions = OPTIONS) -> Preview:
        """Redo actions with everything that was undone together with them: orphans, and what a take-over undid."""
        self._campaign.refresh()
        changes = undone_together(self._campaign.load_history(), actions)
        return self.preview(changes, reason=reason, options=options)

    def amend(
        self,
        action: ActionNumber,
        params: Mapping[str, Scalar] | None = None,
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
        campaign = self._campaign
        campaign.refresh()
        changed = dict(params or {})
        meant = campaign.load_history().intent_of(action)
        if meant.verb == Adopt.verb and (changed or not adjustments):
            house = {"settings": ()} if "ruleset" in changed else {}
            changed = campaign.engine.written_out(campaign.head, {**meant.params, **house, **changed})
        change = Amend(changed, tuple(retype), tuple(adjustments), unadjusted)
        return self.preview({action: change}, reason=reason, options=options)

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
        """What a correction of several actions, each in its own way, would append and change; nothing is stored.

        With ``options.draw``, dice that were never rolled are drawn from the open session first. A drawn die has been seen, so
        it is recorded at once, whatever becomes of the correction.
        """
        campaign = self._campaign
        campaign.refresh()
        campaign.rulebook.require(campaign.state)
        seat = acting_seat(campaign.state, options.seat)
        self._check_corrector(seat, changes)
        while True:
            dice = NoDice() if options.dice is None else campaign.dice.typed(campaign.state, seat, options.dice)
            correction = Correction(
                changes=changes,
                seat=seat,
                reason=reason or options.reason,
                stand=options.stand,
                orphans=options.orphans,
                fates=options.effects,
                dice=dice,
            )
            try:
                return self._bound(preview(campaign.load_history(), correction, campaign.rulebook))
            except DiceNeeded as needed:
                if not options.draw:
                    raise
                self._draw(needed, options.seat)

    def _bound(self, made: Proposed) -> Preview:
        fields = {field.name: getattr(made, field.name) for field in attrs.fields(Proposed)}
        bound = Preview(**fields, campaign=self._campaign)
        self._campaign.note_preview(bound)
        return bound

    def _check_corrector(self, seat: str, changes: Iterable[ActionNumber]) -> None:
        """Players correct what they did themselves; everything else is the GM's to correct."""
        corrector = self._campaign.state.seats.get(seat)
        if corrector is None or corrector.role is Role.GM:
            return
        history = self._campaign.load_history()
        for action in changes:
            first = history.revisions(action)[0]
            if first.seat != seat or first.visibility not in ("", seat):
                raise Refused(f"{seat} can correct what {seat} did, and action #{action} was not that. Ask the GM.")

    def _draw(self, needed: DiceNeeded, seat: str | None) -> None:
        request = needed.request
        draw = DrawFor(
            action=needed.action,
            roller=request.roller,
            purpose=request.purpose,
            ordinal=request.ordinal,
            sides=needed.sides,
        )
        self._campaign.play(draw, seat=seat, secret=request.secret)

    def apply(self, made: Proposed) -> tuple[RecordedEntry, ...]:
        """Store exactly what a preview shows. Raises StaleHistory if the campaign has moved on since."""

        def decide(head: Head) -> Decided:
            head.check_is_at(made.base)
            return Decided(made.entries, made.after)

        return self._campaign.append(decide) if made.entries else ()

    def record_second_thought(
        self, thought: SecondThought, *, seat: str | None = None, dice: Iterable[int] | None = None
    ) -> tuple[RecordedEntry, ...]:
        """Have a second thought on the last action, as the rules allow, and record it at once: its dice are seen at once."""
        campaign = self._campaign
        campaign.refresh()
        faces = None if dice is None else tuple(dice)
        why = self._second_thought(campaign.state, thought.kind)

        def decide(head: Head) -> Decided:
            history = campaign.load_history()
            correction = Correction(
                changes={last_action(history): ThinkAgain(thought)},
                seat=acting_seat(head.state, seat),
                reason=why,
                dice=campaign.dice.supply(head, acting_seat(head.state, seat), faces),
            )
            made = preview(history, correction, campaign.rulebook)
            return Decided(made.entries, made.after)

        campaign.load_history()
        return campaign.append(decide)

    def _second_thought(self, state: CampaignState, kind: str) -> str:
        """What a second thought of that kind does. Raises Refused if the rules have none."""
        ruleset = self._campaign.rulebook.ruleset_of(state)
        if ruleset is None or kind not in ruleset.second_thoughts:
            raise Refused("The rules of this campaign know no such second thought.")
        return ruleset.second_thoughts[kind]


def _each(actions: Iterable[ActionNumber], change: Change) -> dict[ActionNumber, Change]:
    """The same change of several actions. Raises NotFound for what is not the number of an action."""
    numbers = tuple(actions)
    for action in numbers:
        check_action_number(action)
    return dict.fromkeys(numbers, change)
