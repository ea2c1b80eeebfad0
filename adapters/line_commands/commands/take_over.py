"""take-over: make a timeline's choices in the campaign, with the campaign's own dice."""

from collections.abc import Mapping
from functools import partial

import attrs

from rollbook.adapters.line_commands import confirm
from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.declared import argument, command, option
from rollbook.adapters.line_commands.options import seat_option, suggest_timelines, timeline_named, why_option
from rollbook.adapters.line_commands.styled import Text
from rollbook.adapters.line_commands.views import log
from rollbook.adapters.line_commands.views.performed import log_line_of
from rollbook.adapters.line_commands.views.preview import ShownPreview, preview_json, show_preview
from rollbook.adapters.line_commands.views.timelines import parameter_text, what_was_done
from rollbook.adapters.presentation.plain_text import printable
from rollbook.adapters.presentation.preview_words import teller
from rollbook.application.corrections import Corrections
from rollbook.application.lines.answering import AnsweredFailure
from rollbook.application.playing.engine_parameters import placeholders
from rollbook.application.playing.request import ActionRequest
from rollbook.application.timelines.forking import merge_plan
from rollbook.application.view import CampaignView
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import EntryNumber
from rollbook.domain.base.number_words import counted
from rollbook.domain.corrections.changes import Amend, CorrectionOptions, Proposal, Redo, Undo
from rollbook.domain.corrections.timeline_choices import Choice, LeftAlone, MergePlan, WantedChoice
from rollbook.domain.dice.supply import DiceNeeded
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import ParameterValue
from rollbook.domain.rules.action import build

MOST_LISTED = 40
"""Largest number of choices that are listed; the rest are counted."""


@command("take-over")
@argument("timeline", metavar="TIMELINE", suggest=suggest_timelines)
@option("--keep-later", is_flag=True, help="Keep what canon did after the last choice that both made.")
@confirm.confirmation_options(
    "Take over every choice without asking.", "Only show what would be asked, and what it would change."
)
@seat_option(confirm.CORRECTOR)
@why_option(confirm.WHY)
def take_over(
    context: CommandContext,
    timeline: str,
    keep_later: bool,
    seat: str | None,
    why: str,
    confirmation: confirm.Confirmation,
) -> None:
    """Make the choices of a timeline on canon. Nothing of what happened there is copied.

    What canon did and the timeline did not is undone; what both did in different ways is changed; what only the timeline
    did is done at canon's end. All of it with canon's own dice, so that nobody gains by having looked.
    """
    source = timeline_named(context, timeline)
    with context.bar("Comparing"):
        canon, wanted = merge_plan(context.book(), source, keep_later=keep_later)
    confirmation.check(context, "take everything over")
    draw = confirmation.yes and not confirmation.preview_only
    confirmation = attrs.evolve(confirmation, options=CorrectionOptions(seat=seat, reason=why, draw=draw))
    taking = _TakingOver(context, canon, source, wanted, confirmation)
    if not context.json:
        taking.show_plan()
    if not wanted.asked:
        context.tell(taking.plan_json(), f"{canon.id} chose as {source.id} did, as far as it can be asked to.")
        return
    if not (confirmation.preview_only or confirmation.yes):
        taking.ask_for_each()
    taking.carry_out()


@attrs.define
class _TakingOver:
    """A take-over of a ``timeline``: its plan (``wanted``), the correction ``made`` of it, the entries ``taken``."""

    context: CommandContext
    canon: CampaignView
    timeline: CampaignView
    wanted: MergePlan
    confirmation: confirm.Confirmation
    made: Proposal | None = None
    taken: list[RecordedEntry] = attrs.field(factory=list)
    refusal: str = ""
    is_applied: bool = False

    def show_plan(self) -> None:
        """Print every choice that canon is asked for, and those that are left alone."""
        say, asked = self.context.print, self.wanted.asked
        if asked:
            say(Text(f"What {self.timeline.id} chose and {self.canon.id} did not", "bold yellow"))
            say(*map(self._request, asked[:MOST_LISTED]))
        if len(asked) > MOST_LISTED:
            say(Text(f"  … and {len(asked) - MOST_LISTED} more", "dim"))
        if self.wanted.left:
            say(Text("Left alone", "bold yellow"))
        for one in self.wanted.left:
            known = _choice(one)
            where = f"  #{known.action}{'' if one.canon else ' of the timeline'}"
            say(Text.assemble((where, "cyan"), f" {known.intent.verb}   ", (printable(one.why), "dim")))

    def _request(self, one: WantedChoice) -> Text:
        said = teller(self.canon.session.rulebook, self.canon.state, self.timeline.state).text(_choice(one).entry)
        params = {name: value for name, value in _params(one).items() if one.number or value}
        text = Text(f"  {_request_kind(one)} ", "yellow")
        text.append(f"#{one.number} " if one.number else "", "cyan")
        text.append(f"{printable(said.who)} ", "magenta").append(what_was_done(said))
        if params:
            typed = ", ".join(f"{name}={parameter_text(value)}" for name, value in params.items())
            text.append(f"   {typed}", "bold" if one.number else "dim")
        return text

    def ask_for_each(self) -> None:
        """Ask about each choice, and drop those that are declined."""
        agreed: list[WantedChoice] = []
        for one in self.wanted.asked:
            self.context.print(self._request(one))
            if self.context.agree("  Take this over?"):
                agreed.append(one)
        self.wanted = attrs.evolve(self.wanted, asked=tuple(agreed))

    def carry_out(self) -> None:
        """Preview, ask, then make one correction of what canon did differently and take the new actions in turn."""
        if self.wanted.asked:
            self.confirmation = self.confirmation.reasoned(self.context)
        self._preview()
        if self.made is not None and not self.context.json:
            show_preview(self.context, ShownPreview.of(self.canon, self.made))
        self.is_applied = bool(self.wanted.asked) and self.confirmation.agreed(self.context, "Apply?")
        if self.is_applied:
            changed = Corrections(self.canon.session).apply(self.made) if self.made is not None else ()
            self._do_new_actions(changed[0].number if changed else 0)
            self.canon.session.project()
        if self.context.json:
            self.context.data(self._json())
        else:
            self._say_what_was_done()
        if self.refusal:
            raise AnsweredFailure("refused")

    def _preview(self) -> None:
        """Make the preview of the changes; none without changes, or if --preview meets a need for new dice."""
        if not self.wanted.changes:
            return
        make, options = partial(Corrections(self.canon.session).preview, self.wanted.changes), self.confirmation.options
        try:
            if self.confirmation.preview_only:
                self.made = make(options=options)
            else:
                self.made, _ = confirm.preview_with_dice(self.context, make, options)
        except DiceNeeded as needed:
            if not self.confirmation.preview_only:
                raise
            self.context.warn(f"{needed.need} It is asked for, or drawn with --yes, when it is done.")

    def _do_new_actions(self, correction: EntryNumber) -> None:
        """Take the new actions at canon's end, as part of the correction, up to the first that is refused."""
        session = self.canon.session
        for choice in self.wanted.new_actions:
            asked, secret = choice.intent, choice.entry.visibility == "gm"
            try:
                verb = session.rulebook.verb(self.canon.refresh().state, asked.verb)
                action, reason = build(verb, {**placeholders(verb), **asked.params}), self.confirmation.options.reason
                turn = ActionRequest(action, choice.entry.seat or None, None, secret, reason, correction)
                self.taken += session.take(turn)
            except RollbookError as why:
                self.refusal = f"{asked.verb} (#{choice.action} on the timeline): {why}"
                return

    def _say_what_was_done(self) -> None:
        """Print what was done, action by action, and where it stopped."""
        say = self.context.print
        for entry in self.taken:
            log.show_line(self.context, log_line_of(self.canon, entry))
        if self.refusal:
            is_kept = self.taken or self.wanted.changes
            kept = "What is above was recorded, and stays" if is_kept else "Nothing was recorded"
            say(Text(f"Refused: {printable(self.refusal)}", "bold red"), f"{kept}; nothing after it was tried.")
        elif self.is_applied:
            done = f"{self.canon.id} has chosen as {self.timeline.id} did, with its own dice."
            say(f"{done} The log keeps what was there before.")
            if not self.context.brief:
                say(Text(self._undoing(), "dim"))
        else:
            say("Nothing was recorded.")

    def _undoing(self) -> str:
        """The command that undoes it: as a correction if it was one, else by the numbers of its new actions."""
        if self.made is not None and self.made.entries:
            return "To undo all of it: rollbook undo --correction"
        first, last = self.taken[0].action, self.taken[-1].action
        what = "the action" if first == last else f"the {counted(len(self.taken), 'action')}"
        return f"To undo {what} that it added: rollbook undo {'last' if first == last else f'{first}-{last}'}"

    def plan_json(self) -> dict[str, object]:
        """The plan as it is printed with --json."""
        asked = [
            {
                "what": _request_kind(one),
                "action": one.number,
                "verb": _choice(one).intent.verb,
                "params": {**_params(one)},
            }
            for one in self.wanted.asked
        ]
        left = [{"action": _choice(one).action, "why": one.why} for one in self.wanted.left]
        names = {"timeline": self.timeline.id, "canon": self.canon.id, "applied": self.is_applied}
        return {**names, "asked": asked, "left": left}

    def _json(self) -> dict[str, object]:
        made = ShownPreview.of(self.canon, self.made) if self.made is not None else None
        shown = preview_json(self.canon.id, made, applied=self.is_applied) if made is not None else None
        taken = [log_line_of(self.canon, entry) for entry in self.taken]
        return {**self.plan_json(), "preview": shown, "taken": taken, "refused": self.refusal}


def _choice(one: WantedChoice | LeftAlone) -> Choice:
    choice = one.canon or one.timeline
    assert choice is not None
    return choice


def _params(one: WantedChoice) -> Mapping[str, ParameterValue]:
    if isinstance(one.change, Amend):
        return one.change.params
    return {} if one.number else _choice(one).intent.params


def _request_kind(one: WantedChoice) -> str:
    return {Undo: "undo", Redo: "redo", Amend: "change"}.get(type(one.change), "do")
