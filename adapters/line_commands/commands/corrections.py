"""undo, redo, amend, override and reroll."""

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any

from rollbook.adapters.line_commands import filters
from rollbook.adapters.line_commands.confirm import Confirmation, correction_options, preview_ask_apply
from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.declared import Counted, UsageError, Words, argument, command, option
from rollbook.adapters.line_commands.options import (
    action_param,
    action_range_param,
    faces_param,
    seat_option,
    suggest_characters,
)
from rollbook.adapters.line_commands.styled import Text
from rollbook.adapters.line_commands.views.performed import sheet_change_lines, show_entry
from rollbook.adapters.line_commands.views.preview import is_correction_last, last_correction_text
from rollbook.application.corrections import REDONE, Corrections
from rollbook.application.lines.seat_view import view_from
from rollbook.application.lines.short_forms import person_in_full, values_in_full
from rollbook.application.lines.verb_line import known_names, pairs, parameter_called, read_adjustment, read_parameters
from rollbook.application.view import CampaignView
from rollbook.domain.base.errors import NotFound, Refused, not_found
from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.corrections.changes import Effect, Proposal
from rollbook.domain.dice.record import are_typed
from rollbook.domain.entries import RecordedEntry, second_thought
from rollbook.domain.events import DiceRolled, ParameterValue
from rollbook.domain.history.history import History
from rollbook.domain.rules.sheet_rulings import Adjustment

RealDice = tuple[int, ...] | None
REROLL = "reroll"
AS_MEANT = "as it was meant"
"""The reason of an amendment for which none was given."""
CORRECTION_UNDONE = {
    Effect.REDONE: "Correction undone: as it was before it",
    Effect.UNDONE: "Correction undone: not counted, as before it",
}
"""Headings of the preview of ``undo --correction``, by effect."""
WHERE = "Every action that fits: 'who=ogre scene=3 verb=attack'."


@command()
@argument("words", nargs=-1, metavar="[N ...]")
@option("--where", metavar="FILTER", default=None, help=WHERE)
@option("--correction", is_flag=True, help="The last correction, with everything that it changed.")
@correction_options()
def undo(
    context: CommandContext, words: Words, where: str | None, correction: bool, confirmation: Confirmation
) -> None:
    """Undo actions, by number, by a range (12-40) or by a filter (docs/filters.md); the last one if none is named.

    Whatever came after and depends on them is played again with the same dice. Nothing is deleted: the log keeps what
    was undone, and by whom, and why.

    \b
    rollbook undo 12 14 20-26 --why "the wrong ogre"
    rollbook undo last attack --why "out of range"
    rollbook undo --where "who=ogre scene=3" --why "he was not there"
    rollbook undo --correction --why "it was right"     the last correction itself, a take-over too
    """
    numbers, verb = filters.undo_ranges(words)
    if numbers == (filters.CORRECTION,):
        numbers, correction = (), True
    if (where is not None) + bool(numbers) + correction > 1 or filters.CORRECTION in numbers:
        raise UsageError("Name actions by number, by --where or by --correction: one of the three.")
    if correction:
        said = last_correction_text(context, context.history())
        _say(context, said and f"What is undone: {said}")
        preview_ask_apply(
            context,
            lambda made: made.undo_last,
            confirmation,
            done="The correction is undone",
            titles=CORRECTION_UNDONE,
        )
        return
    wanted = filters.to_undo(context, numbers, where, confirmation.options.seat, verb)
    if numbers in ((), filters.LAST) and where is None and not verb:
        history = context.history()  # after a correction, "the last" is ambiguous
        said = last_correction_text(context, history) if is_correction_last(history) else ""
        _say(context, said and f"The last action is #{wanted[-1]}. To undo {said} instead: rollbook undo --correction")
    preview_ask_apply(context, lambda made: partial(made.undo, *wanted), confirmation, done="Undone")


def _say(context: CommandContext, text: str) -> None:
    if text and not (context.json or context.brief):
        context.print(Text(text, "dim"))


@command()
@argument("numbers", nargs=-1, kind=action_range_param, metavar="[N ...]")
@option("--where", metavar="FILTER", default=None, help="Every undone action that fits: 'who=ogre scene=3'.")
@option("--revision", kind=Counted(1), default=None, help="An earlier outcome of one action, by its number.")
@option("--together", is_flag=True, help="Redo also what was undone in one correction with them.")
@option("--alone", is_flag=True, help="Redo nothing else, not even what their undoing made impossible.")
@correction_options(why=f"The reason; it is kept with the correction ('{REDONE}' if none is given).")
def redo(
    context: CommandContext,
    numbers: filters.Ranges,
    where: str | None,
    revision: int | None,
    together: bool,
    alone: bool,
    confirmation: Confirmation,
) -> None:
    """Redo actions that were undone, by number, by a range (12-40) or by a filter, as they come out now.

    What their undoing took along, because it was impossible without them, is redone too where it is possible again. If
    none is named, all that was undone last is redone.

    \b
    rollbook redo                          what was undone last
    rollbook redo 12 14 20-26
    rollbook redo 12 --revision 1          an earlier outcome of #12 counts again
    """
    if where is not None and numbers:
        raise UsageError("Name actions by number or by --where: one of the two.")
    if (revision is not None) + together + alone > 1:
        raise UsageError("--revision, --together and --alone are three different things: name one of them.")
    wanted = filters.to_redo(context, numbers, where, confirmation.options.seat)
    if revision is not None and len(wanted) > 1:
        raise UsageError("--revision is an outcome of one action: name that action alone.")
    is_last = numbers in ((), filters.LAST) and where is None

    def redone(made: Corrections) -> Callable[..., Proposal]:
        if alone or revision is not None:
            return partial(made.redo, *wanted, revision=revision or 0)
        return partial(made.redo_together if together or is_last else made.redo_along, *wanted)

    preview_ask_apply(context, redone, confirmation.with_reason(REDONE), done="Redone")


@command()
@argument("action", kind=action_param, metavar="N")
@argument("changes", nargs=-1, metavar="[key=value ...]")
@option("--retype", kind=faces_param, metavar="FACES", help="The action's real dice, as they should have been typed.")
@option("--faces", kind=faces_param, hidden=True)
@option("--adjust", "adjusted", multiple=True, metavar="'WHO WHAT=+N'", help="Change a sheet in this action.")
@option("--no-adjust", "unadjusted", is_flag=True, help="Remove what was adjusted in this action.")
@correction_options()
def amend(
    context: CommandContext,
    action: ActionNumber,
    changes: Words,
    retype: RealDice,
    faces: RealDice,
    adjusted: Words,
    unadjusted: bool,
    confirmation: Confirmation,
) -> None:
    """Change parameters of an action, or the real dice that were typed for it, or what it left on a sheet.

    The action keeps its dice, and whatever came after and depends on it is played again with its own. --retype takes all
    real dice of the action as it is now, in their order, and so do the faces after a ! at the prompt. WHAT is hp, the name of
    a number on the sheet, or pool:NAME. A number in the place of somebody is another one of that kind: target=3 is wolf-3.

    \b
    rollbook amend 12 target=robin distance=60 --why "it was the other one"
    rollbook amend last target=robin                the last action that has a target
    rollbook amend last attack target=robin --why "it was the other one"
    rollbook amend 12 --retype 14,4 --why "a 4, not a 14"
    rollbook amend 12 --adjust "robin hp=+3" --why "the blessing was forgotten"
    """
    verb = filters.last_of(not action, changes)
    changes = changes[1:] if verb else changes
    if changes and not (action or verb):
        action = _last_with(context.campaign(), pairs(changes))
    number, history = filters.number_of(context, action, verb=verb), context.history()
    confirmation = confirmation.with_usual_reason(AS_MEANT)
    if faces is not None:
        if adjusted or not _is_of_real_dice(history, number):
            confirmation = confirmation.with_dice(faces)
        else:
            retype = faces
    if not (changes or retype or adjusted or unadjusted):
        raise UsageError(
            "Say what to change, as key=value, the real dice with --retype, or a sheet with --adjust 'WHO WHAT=+N'."
        )
    seat = confirmation.options.seat
    params = _params(context, number, pairs(changes), seat) if changes else {}
    adjustments = _adjustments(history, number, adjusted, seat)

    def amended(corrections: Corrections, **how: Any) -> Proposal:
        made = corrections.amend(
            number, params, retype=retype or (), adjustments=adjustments, unadjusted=unadjusted, **how
        )
        made.check_changes_something()
        return made

    preview_ask_apply(context, lambda made: partial(amended, made), confirmation, done="Changed")


def _params(
    context: CommandContext, action: ActionNumber, changes: Mapping[str, str], seat: str | None
) -> Mapping[str, ParameterValue]:
    """The new parameters of an action, read from words that may be short forms. Raises LineError, NotFound."""
    campaign, history = context.campaign(), context.history()
    before, intent = history.state_before(action), history.intent_of(action)
    verb = campaign.session.rulebook.verb(before, intent.verb)
    full = {parameter_called(verb, name) or name: value for name, value in changes.items()}
    unknown = next((name for name in full if name not in known_names(verb)), "")
    if unknown:
        missing = not_found(f"parameter of {verb.verb}", unknown, known_names(verb))
        raise NotFound(f"#{action} is {verb.verb}. {missing}{_hint_at_last_with(campaign, unknown)}", missing.near)
    side = campaign.session.rulebook.side
    view = view_from(before, seat, side=side)
    return read_parameters(verb, values_in_full(verb, full, intent.params, view), before, side=side)


def _last_with(campaign: CampaignView, names: Collection[str]) -> ActionNumber:
    """The last action that has parameters called so, which counts and can be undone; 0 for none."""
    known = campaign.session.rulebook.verbs(campaign.state)
    return filters.last_correctable(
        campaign, fits=lambda taken: taken in known and all(parameter_called(known[taken], name) for name in names)
    )


def _hint_at_last_with(campaign: CampaignView, name: str) -> str:
    """A hint that names the last action with a parameter called so; "" for none."""
    last = _last_with(campaign, (name,))
    if not last:
        return ""
    taken = campaign.session.history.look_back().intent_of(last).verb
    return f" The last action that has one is #{last}, {taken}: amend {last} {name}=…"


def _is_of_real_dice(history: History, action: ActionNumber) -> bool:
    """True if every die of an action was typed, so that all of them can be typed again."""
    rolls = (event for events in history.dice_of(action) for event in events if isinstance(event, DiceRolled))
    return all(are_typed(roll.sources) for roll in rolls)


def _adjustments(history: History, action: ActionNumber, said: Words, seat: str | None) -> tuple[Adjustment, ...]:
    """Read ``WHO WHAT=+N``, of characters who are there after the action. Raises LineError, NotFound."""
    if not said:
        return ()
    after = history.as_corrected_to(action)
    return tuple(read_adjustment(one, partial(person_in_full, view_from(after, seat))) for one in said)


@command()
@option("--by", metavar="WHO", default="", suggest=suggest_characters, help="Who pays (default: the GM).")
@option("--keep", metavar="best|new|old", default="", help="Which of the two rolls counts.")
@option("--dice", kind=faces_param, metavar="FACES", help="The new roll, with real dice.")
@option("--roll", kind=Counted(0), default=0, help="Which roll of the action, from 0.")
@option("--kind", metavar="KIND", default="", help="Which second thought, where the rules know several.")
@seat_option("Who says so (default: the GM).")
def reroll(context: CommandContext, by: str, keep: str, dice: RealDice, roll: int, kind: str, seat: str | None) -> None:
    """Have a second thought on the last action, as the rules allow: a story token to roll again, say.

    Its dice are seen at once, so it is recorded at once, with the action's new outcome.
    """
    campaign = context.campaign()
    who = person_in_full(view_from(campaign.state, seat), by) if by else ""
    thought = second_thought(_second_thought_kind(campaign, kind), character=who, roll=roll, keep=keep)

    def think(campaign: CampaignView) -> tuple[RecordedEntry, ...]:
        return Corrections(campaign.session).record_second_thought(thought, seat=seat, dice=dice)

    with context.answering(seat, think):
        before = context.seen().state
        with context.bar("Playing it again"):
            entries = think(campaign)
    context.project()
    for entry in entries:
        show_entry(context, entry)
    if not context.json and not context.brief:
        context.print(*sheet_change_lines(context, before))


def _second_thought_kind(campaign: CampaignView, named: str) -> str:
    """The kind of second thought that is meant. Raises NotFound for an unknown one, Refused if the rules have none."""
    ruleset = campaign.session.rulebook.ruleset_of(campaign.state)
    known = tuple(ruleset.second_thoughts) if ruleset else ()
    if not known:
        raise Refused("The rules of this campaign know no second thoughts. Undo the action with: rollbook undo")
    if not named:
        return REROLL if REROLL in known or len(known) > 1 else known[0]
    if named not in known:
        raise not_found("second thought", named, known)
    return named


@command()
@argument("action", kind=action_param, metavar="N")
@argument("verb", required=False, default="", metavar="")
@option("--dice", "faces", kind=faces_param, required=True, metavar="FACES", help="The new faces: 15, or 15,4.")
@option("--die", "first", kind=Counted(1), default=1, help="From which of its dice on (usually 1).")
@correction_options("--typed")
def override(
    context: CommandContext,
    action: ActionNumber,
    verb: str,
    faces: tuple[int, ...],
    first: int,
    confirmation: Confirmation,
) -> None:
    """Put other faces in the place of an action's dice that came from the stream, in the order in which they fell.

    Dice that are not named stay, and whatever came after and depends on the action is played again. What really fell stays
    in the history, and every audit lists it beside the reason; overridden dice are never called proven. Whether this is
    done at all is for the table to say: rollbook do agree overrides forbidden|gm|open.

    \b
    rollbook override 12 --dice 15 --why "the die was cocked"
    rollbook override 12 --dice 6 --die 2 --why "maximum damage, we said"
    rollbook redo 12 --revision 1          what really fell counts again
    """
    if verb and not filters.last_of(not action, (verb,)):
        raise UsageError(f"{verb!r} has no place here. Of a verb it is the last: override last {verb}")
    number = filters.number_of(context, action, verb=verb)
    if confirmation.preview_only:
        confirmation = confirmation.with_reason("only looked at")
    preview_ask_apply(
        context, lambda made: partial(made.override, number, faces, first=first), confirmation, done="Overridden"
    )
