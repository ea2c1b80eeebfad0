"""Preview, ask, apply: once, for every command that changes what is recorded."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Self

import attrs

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.declared import Choice, Function, UsageError, around, option
from rollbook.adapters.line_commands.options import action_param, faces_param, seat_option, why_option
from rollbook.adapters.line_commands.views.preview import ShownPreview, preview_json, show_preview
from rollbook.application.campaign import Campaign
from rollbook.application.corrections import Corrections
from rollbook.application.view import CampaignView
from rollbook.application.visibility.seat_previews import sees_consequence
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.base.records import Record
from rollbook.domain.corrections.changes import UNDECIDED, Consequence, CorrectionOptions, Effect, Orphans, Proposal
from rollbook.domain.corrections.sheet_changes import sheet_changes
from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.physical import parse_faces
from rollbook.domain.dice.supply import DiceNeeded

PreviewMaker = Callable[[Corrections], Callable[..., Proposal]]
"""Maker of a correction on a campaign, or on a seat's view of one; called with ``options``, it returns the Proposal."""
WHY = "The reason; it is kept with the correction. Needed unless --preview is given."
CORRECTOR = "Who corrects (default: the GM)."
ORPHAN_ANSWERS = {"k": "keep it as a ruling", "v": "undo it too", "K": "keep all the rest", "V": "undo all the rest"}
RESTING_ANSWERS = {"k": "leave it as it is imported", "v": "undo it too"}


def check_somebody_is_there(context: CommandContext, instead: str) -> None:
    """Raise UsageError, with the words to type instead, if there is no terminal to ask at."""
    if not context.is_interactive:
        raise UsageError(f"Nobody is there to be asked. {instead}")


@attrs.frozen(kw_only=True)
class Confirmation(Record):
    """The way a command is confirmed: --preview only shows it, --yes carries it out, else the terminal asks.

    ``orphans_decided``: it is settled what becomes of all orphans, so there is no question about each. ``options`` are
    those of a correction, and ``dice_option`` the option by which it takes faces of real dice. ``usual_reason`` is kept where
    a person agrees to the preview and gives none; if it is "", they are asked.
    """

    preview_only: bool = False
    yes: bool = False
    orphans_decided: bool = False
    options: CorrectionOptions = attrs.field(factory=CorrectionOptions)
    dice_option: str = "--dice"
    usual_reason: str = ""

    def check(self, context: CommandContext, purpose: str, needed: str = "--yes") -> None:
        """Raise UsageError, with the options that are needed, if a question is needed and there is no terminal."""
        if not (self.preview_only or self.yes):
            check_somebody_is_there(context, f"Add {needed} to {purpose}, or --preview to see it.")

    def with_reason(self, reason: str) -> Self:
        """A copy with a reason, unless one was given."""
        return attrs.evolve(self, options=attrs.evolve(self.options, reason=self.options.reason or reason))

    def with_usual_reason(self, reason: str) -> Self:
        """A copy with a reason that is kept where none is given at a terminal."""
        return attrs.evolve(self, usual_reason=reason)

    def with_dice(self, faces: tuple[int, ...]) -> Self:
        """A copy with faces of real dice for what was never rolled."""
        return attrs.evolve(self, options=attrs.evolve(self.options, dice=faces, draw=False))

    def reasoned(self, context: CommandContext) -> Self:
        """A copy with a reason, asked for at a terminal. Raises UsageError if it is missing."""
        if self.options.reason or self.preview_only:
            return self
        if self.yes or not context.is_interactive:
            raise UsageError("A correction needs its reason: add --why TEXT.")
        return self.with_reason(self.usual_reason or context.ask("Why"))

    def agreed(self, context: CommandContext, question: str) -> bool:
        """True if the command is to go ahead, asking if need be. Other questions may be typed before the answer."""
        return not self.preview_only and (self.yes or context.agree_after_looking(question))


def confirmation_options(yes: str, preview: str = "Only show what would change.") -> Callable[[Function], Function]:
    """The options --preview and --yes, handed to the command as ``confirmation``."""

    def confirmed(
        function: Function, context: CommandContext, /, *, preview_only: bool, yes: bool, **rest: object
    ) -> object:
        return function(context, confirmation=Confirmation(preview_only=preview_only, yes=yes), **rest)

    return around(
        confirmed,
        option("--preview", "preview_only", is_flag=True, help=preview),
        option("-y", "--yes", is_flag=True, help=yes),
    )


def correction_options(dice_option: str = "--dice", why: str = WHY) -> Callable[[Function], Function]:
    """The options of every correction, handed to the command as ``confirmation``.

    ``dice_option`` is the name of the option for real dice, ``why`` the help of --why. With --yes, dice that are not
    typed are drawn.
    """
    return around(
        partial(_corrected, dice_option),
        confirmation_options("Make the correction without asking."),
        option("--draw", is_flag=True, help="Draw dice that were never rolled from the open session."),
        option(
            dice_option, "dice", kind=faces_param, metavar="FACES", help="Real dice for what was never rolled: 4,3."
        ),
        option("--stand", is_flag=True, help="Leave all later actions as they are recorded."),
        option(
            "--orphans",
            kind=Choice(tuple(one.value for one in Orphans)),
            help="Later actions that are no longer possible: undo all of them too (the default), or keep all as rulings.",
        ),
        option("--keep", kind=action_param, multiple=True, metavar="N", help="Keep this one of those as a ruling."),
        option("--undo", kind=action_param, multiple=True, metavar="N", help="Undo this one of those too."),
        seat_option(CORRECTOR),
        why_option(why),
    )


def _corrected(
    dice_option: str,
    function: Function,
    context: CommandContext,
    /,
    *,
    confirmation: Confirmation,
    seat: str | None,
    why: str,
    stand: bool,
    dice: tuple[int, ...] | None,
    draw: bool,
    orphans: str | None,
    keep: tuple[ActionNumber, ...],
    undo: tuple[ActionNumber, ...],
    **rest: object,
) -> object:
    both = set(keep) & set(undo)
    if both:
        raise UsageError(f"#{min(both)} is to be kept and to be undone. Say one of the two.")
    options = CorrectionOptions(
        seat=seat,
        reason=why,
        stand=stand,
        orphans=Orphans(orphans or Orphans.UNDO),
        effects=dict.fromkeys(keep, Orphans.KEEP) | dict.fromkeys(undo, Orphans.UNDO),
        dice=dice,
        draw=draw or (dice is None and confirmation.yes and not confirmation.preview_only),
    )
    decided = attrs.evolve(confirmation, orphans_decided=orphans is not None, options=options, dice_option=dice_option)
    return function(context, confirmation=decided, **rest)


def preview_ask_apply(
    context: CommandContext,
    make: PreviewMaker,
    confirmation: Confirmation,
    *,
    done: str,
    question: str = "Apply?",
    otherwise: str = "",
    titles: Mapping[Effect, str] | None = None,
) -> Proposal | None:
    """Show the preview of a correction, ask, apply it. Returns the correction, or None if it was not applied.

    ``done`` is said afterwards, ``otherwise`` if nothing was recorded; ``titles`` head the preview in place of the usual ones.
    """
    confirmation.check(
        context, "make the correction", "--yes" if confirmation.options.reason else "--yes and --why TEXT"
    )
    confirmation = confirmation.reasoned(context)
    with context.answering(confirmation.options.seat, partial(_try, make, confirmation.options)):
        asked = _Asked(context, make, confirmation, titles, context.campaign())
        head = asked.campaign.head.entry
        asked.preview()
        if confirmation.agreed(context, question):
            asked.apply()
            if not (context.json or context.brief) and done:
                context.print(f"{done}. The log keeps what was there before.")
            return asked.made
        if not context.json:
            drawn = "The dice that were drawn stay on record; nothing else was recorded."
            context.print(drawn if asked.made.base > head else otherwise or "Nothing was recorded.")
        return None


def _try(make: PreviewMaker, options: CorrectionOptions, seen: Campaign) -> None:
    """Make the correction on a seat's view, where nothing is recorded. Raises the error that it meets there."""
    corrections = Corrections(seen.session)
    corrections.apply(make(corrections)(options=attrs.evolve(options, draw=False)))


@attrs.define
class _Asked:
    """A correction to ask about: shown before the question or, if --yes answers that, once it is made."""

    context: CommandContext
    make: PreviewMaker
    confirmation: Confirmation
    titles: Mapping[Effect, str] | None
    campaign: CampaignView
    made: Proposal = attrs.field(init=False)
    shown: ShownPreview = attrs.field(init=False)

    def preview(self) -> None:
        """Make the preview, asking for dice and about orphans, and show it unless --yes was given without --preview."""
        confirmation, making = self.confirmation, self.make(Corrections(self.campaign.session))
        made, options = preview_with_dice(self.context, making, confirmation.options, option=confirmation.dice_option)
        self._take(made, options)
        if confirmation.yes or confirmation.preview_only:
            return
        if not confirmation.orphans_decided and self.context.is_interactive:
            decided, options = _orphans_decided(self.context, making, made, options)
            if decided is not made:
                self._take(decided, options)

    def _take(self, made: Proposal, options: CorrectionOptions) -> None:
        self.made = made
        self.shown = self._as_seen(options)
        if self.confirmation.preview_only or not self.confirmation.yes:
            self._show()

    def _as_seen(self, options: CorrectionOptions) -> ShownPreview:
        """The preview to show: for a seat, that of the same correction on its view, without actions left for drift.

        Raises the error that the correction meets on that view, unless --yes makes it all the same.
        """
        seen = self.context.seen()
        if seen is self.campaign:
            return ShownPreview.of(seen, self.made)
        from rollbook.application.visibility.seat_previews import without_drift  # noqa: PLC0415 - only seats are answered so

        try:
            told = without_drift(self.make(Corrections(seen.session))(options=attrs.evolve(options, draw=False)))
        except RollbookError:
            if self.confirmation.preview_only or not self.confirmation.yes:
                raise
            told = attrs.evolve(self.made, consequences=(), changes=(), same=(), skipped=0, resolved=0)
        return ShownPreview.of(seen, told)

    def _show(self, *, applied: bool = False) -> None:
        if self.context.json:
            self.context.data(preview_json(self.campaign.id, self.shown, applied=applied))
        else:
            show_preview(self.context, self.shown, self.titles)

    def apply(self) -> None:
        """Apply it, and show it if --yes left out the preview; for a seat, with the changes on sheets it sees."""
        context, before = self.context, self.context.seen().state
        Corrections(self.campaign.session).apply(self.made, self.campaign.session.said_command)
        context.project()
        seen = context.seen()
        if seen is not self.campaign:
            changes = tuple(sheet_changes(before, seen.state, seen.session.rulebook))
            self.shown = attrs.evolve(self.shown, made=attrs.evolve(self.shown.made, changes=changes))
        if self.confirmation.yes:
            self._show(applied=True)


def preview_with_dice(
    context: CommandContext, make: Callable[..., Proposal], options: CorrectionOptions, *, option: str = "--dice"
) -> tuple[Proposal, CorrectionOptions]:
    """Make the preview; return it, and the options with the dice asked for. Raises DiceNeeded without a terminal.

    ``option`` is the command's option for faces, which the error names.
    """
    sound, is_asked = options, False
    while True:
        try:
            asked = _with_faces(context, sound) if is_asked else options
            with context.bar("Playing it again"):
                return make(options=asked), asked
        except DiceNeeded as needed:
            if not context.is_interactive:
                raise needed.typed_with(option) from None
            context.print(needed.need)
            sound = asked
        except DiceError as fault:
            if not is_asked:
                raise
            context.print(str(fault))
        is_asked = True


def _with_faces(context: CommandContext, options: CorrectionOptions) -> CorrectionOptions:
    """Ask for faces, and return the options with them added, or with the other dice to be drawn if none are typed."""
    session = context.campaign().state.session
    can_draw = session is not None and session.is_open
    draws = "Type its face, or press Enter to draw it; a drawn die stays on record"
    typed = context.ask(
        draws if can_draw else "Type its face; none can be drawn, because no session is open",
        default="" if can_draw else None,
    )
    if not typed.strip():
        return attrs.evolve(options, draw=True)
    return attrs.evolve(options, dice=(*(options.dice or ()), *parse_faces(typed)))


def _orphans_decided(
    context: CommandContext, make: Callable[..., Proposal], made: Proposal, options: CorrectionOptions
) -> tuple[Proposal, CorrectionOptions]:
    """Ask what becomes of each orphan. Keeping one may make later ones possible, so the preview is made again."""

    def waits(one: Consequence) -> bool:
        """True if it is undecided and the reader may know of it."""
        is_known = context.reader is None or sees_consequence(context.reader, one)
        return is_known and one.action not in options.effects

    while undecided := next(filter(waits, made.of(*UNDECIDED)), None):
        orphan, rests = undecided.action, undecided.effect is Effect.RESTS
        answers = RESTING_ANSWERS if rests else ORPHAN_ANSWERS
        asked = ", ".join(f"{key} {meaning}" for key, meaning in answers.items())
        answer = context.ask(f"#{orphan}: {asked}", choices=tuple(answers), default="v")
        choice = Orphans.KEEP if answer in "kK" else Orphans.UNDO
        is_rest = answer in "KV"
        decided = {"orphans": choice} if is_rest else {"effects": {**options.effects, orphan: choice}}
        options = attrs.evolve(options, **decided)
        if choice is Orphans.KEEP or rests:
            made, options = preview_with_dice(context, make, options)
        if is_rest:
            break
    return made, options
