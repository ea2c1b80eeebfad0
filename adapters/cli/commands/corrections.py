"""undo, redo, amend, override and reroll."""

from functools import partial
from itertools import islice

import click

from adapters.campaign import Campaign
from adapters.cli.confirm import Confirmation, PreviewMaker, correction_options, preview_ask_apply
from adapters.cli.context import CliContext
from adapters.cli.filters import correctable, last_correctable, matching_actions
from adapters.cli.parameters import (
    action_param,
    action_range_param,
    command,
    complete_character,
    faces_param,
    seat_option,
)
from adapters.cli.perform import show_entry
from adapters.cli.views.sheet import sheet_change_lines
from adapters.verb_line import pairs, read_adjustment, read_parameters
from domain.adjustments import Adjustment
from domain.corrections.changes import CorrectionOptions, Effect, Proposal
from domain.entries import EntryKind, second_thought
from domain.errors import NotFound, Refused, not_found
from domain.history import History
from domain.identifiers import ActionNumber
from domain.lookup import find_character

RealDice = tuple[int, ...] | None
Ranges = tuple[tuple[ActionNumber, ActionNumber], ...]
"""The first and the last of some actions; 0 stands for the last that fits."""

REROLL = "reroll"
REDONE = "redone"
"""The reason of a redo for which none was given."""
CORRECTION_UNDONE = {
    Effect.REDONE: "Correction undone: as it was before it",
    Effect.UNDONE: "Correction undone: not counted, as before it",
}
"""How the preview of ``undo --correction`` is headed."""


@command()
@click.argument("numbers", nargs=-1, type=action_range_param, metavar="[N ...]")
@click.option("--where", metavar="FILTER", default=None, help="Every action that fits: 'who=ogre scene=3 verb=attack'.")
@click.option("--correction", is_flag=True, help="The last correction, with everything that it changed.")
@correction_options()
def undo(
    cli: CliContext, /, numbers: Ranges, where: str | None, *, correction: bool, confirmation: Confirmation
) -> None:
    """Undo actions, by number, by a range (12-40) or by a filter (docs/filters.md); the last one if none is named.

    Whatever came after and depends on them is played again with the same dice. Nothing is deleted: the log keeps what
    was undone, and by whom, and why.
    """
    campaign = cli.campaign()
    if (where is not None) + bool(numbers) + correction > 1:
        raise click.UsageError("Name actions by number, by --where or by --correction: one of the three.")
    wanted: tuple[ActionNumber, ...] = ()
    if where is not None:
        wanted = matching_actions(cli, [where])
    elif not correction:
        wanted = tuple(action for low, high in numbers or [(0, 0)] for action in _to_undo(cli, low, high))
    corrections = campaign.corrections
    preview_ask_apply(
        cli,
        corrections.undo_last if correction else partial(corrections.undo, *wanted),
        confirmation,
        done="The correction is undone" if correction else "Undone",
        titles=CORRECTION_UNDONE if correction else None,
    )


@command()
@click.argument("numbers", nargs=-1, type=action_range_param, metavar="[N ...]")
@click.option(
    "--revision", type=click.IntRange(1), default=None, help="An earlier outcome of one action, by its number."
)
@click.option("--together", is_flag=True, help="Redo also what was undone together with them.")
@correction_options(why=f"The reason; it is kept with the correction ('{REDONE}' if none is given).")
def redo(
    cli: CliContext, /, numbers: Ranges, revision: int | None, *, together: bool, confirmation: Confirmation
) -> None:
    """Redo actions that were undone, by number or by a range (12-40), as they come out now; the last one if none is named.

    \b
    rollbook redo 12 14
    rollbook redo 12 --revision 1          an earlier outcome of #12 counts again
    """
    corrections = cli.campaign().corrections
    if together and revision is not None:
        raise click.UsageError("--together redoes actions as they come out now: leave out --revision.")
    wanted = tuple(dict.fromkeys(each for low, high in numbers or [(0, 0)] for each in _to_redo(cli, low, high)))
    if revision is not None and len(wanted) > 1:
        raise click.UsageError("--revision is an outcome of one action: name that action alone.")
    redone = partial(corrections.redo_together, *wanted)
    if not together:
        redone = partial(corrections.redo, *wanted, revision=revision or 0)
    preview_ask_apply(cli, redone, confirmation.with_reason(REDONE), done="Redone")


@command()
@click.argument("action", type=action_param, metavar="N")
@click.argument("changes", nargs=-1, metavar="[key=value ...]")
@click.option(
    "--retype", type=faces_param, metavar="FACES", help="The action's real dice, as they should have been typed."
)
@click.option("--adjust", "adjusted", multiple=True, metavar="'WHO WHAT=+N'", help="Change a sheet in this action.")
@click.option("--no-adjust", "unadjusted", is_flag=True, help="Remove what was adjusted in this action.")
@correction_options()
def amend(
    cli: CliContext,
    /,
    action: ActionNumber,
    changes: tuple[str, ...],
    retype: RealDice,
    adjusted: tuple[str, ...],
    *,
    unadjusted: bool,
    confirmation: Confirmation,
) -> None:
    """Change parameters of an action, or the real dice that were typed for it, or what it left on a sheet.

    The action keeps its dice, and whatever came after and depends on it is played again with its own. WHAT is hp, the
    name of a number on the sheet, or pool:NAME.

    \b
    rollbook amend 12 target=robin distance=60 --why "it was the other one"
    rollbook amend 12 --retype 14,4 --why "a 4, not a 14"
    rollbook amend 12 --adjust "robin hp=+3" --why "the blessing was forgotten"
    """
    campaign = cli.campaign()
    if not (changes or retype or adjusted or unadjusted):
        raise click.UsageError(
            "Say what to change, as key=value, the real dice with --retype, or a sheet with --adjust 'WHO WHAT=+N'."
        )
    number, history = _number(cli, action), cli.history()
    before, intent = history.state_before(number), history.intent_of(number)
    params = read_parameters(campaign.rulebook.verb(before, intent.verb), pairs(changes), before) if changes else {}
    amended = partial(
        campaign.corrections.amend,
        number,
        params,
        retype=retype or (),
        adjustments=_adjustments(history, number, adjusted),
        unadjusted=unadjusted,
    )
    preview_ask_apply(cli, partial(_that_changes_something, amended), confirmation, done="Changed")


def _that_changes_something(make: PreviewMaker, options: CorrectionOptions) -> Proposal:
    made = make(options=options)
    made.check_changes_something()
    return made


def _adjustments(history: History, action: ActionNumber, said: tuple[str, ...]) -> tuple[Adjustment, ...]:
    """``WHO WHAT=+N``, of somebody who is there when the action is over. Raises LineError, NotFound."""
    if not said:
        return ()
    after = history.as_corrected_to(action)
    return tuple(read_adjustment(one, lambda name: find_character(after, name)) for one in said)


def _to_undo(cli: CliContext, low: ActionNumber, high: ActionNumber) -> tuple[ActionNumber, ...]:
    """One action, or those in a range that count and can be undone. Raises NotFound if there is none."""
    if low == high:
        return (_number(cli, low),)
    found = correctable(cli.campaign(), low, high)
    if not found:
        raise NotFound(f"None of the actions #{low} to #{high} counts and can be undone.")
    return found


def _number(cli: CliContext, action: ActionNumber) -> ActionNumber:
    """The number of an action, 0 being the last that can be corrected. Raises NotFound, before anybody is asked anything."""
    history = cli.history()
    if action:
        history.check(action)
        return action
    last = last_correctable(cli.campaign())
    if not last:
        raise NotFound("Nothing has happened yet that could be undone.")
    return last


def _to_redo(cli: CliContext, low: ActionNumber, high: ActionNumber) -> tuple[ActionNumber, ...]:
    """One action, or those in a range that are undone; for 0 the last. Raises NotFound if there is none."""
    history = cli.history()
    if not low:
        undone = (entry.action for entry in reversed(history.entries) if entry.kind is EntryKind.UNDONE)
        found = tuple(islice((action for action in undone if history.effective(action) is None), 1))
        missing = "Nothing is undone at the moment, so there is nothing to redo."
    elif low == high:
        history.check(low)
        return (low,)
    else:
        found = tuple(action for action, counts in history.outcomes(low) if action <= high and counts is None)
        missing = f"None of the actions #{low} to #{high} is undone."
    if not found:
        raise NotFound(missing)
    return found


@command()
@click.option("--by", metavar="WHO", default="", shell_complete=complete_character, help="Who pays (default: the GM).")
@click.option("--keep", metavar="best|new|old", default="", help="Which of the two rolls counts.")
@click.option("--dice", type=faces_param, metavar="FACES", help="The new roll, with real dice.")
@click.option("--roll", type=click.IntRange(0), default=0, help="Which roll of the action, from 0.")
@click.option("--kind", metavar="KIND", default="", help="Which second thought, where the rules know several.")
@seat_option("Who says so (default: the GM).")
def reroll(cli: CliContext, /, *, by: str, keep: str, dice: RealDice, roll: int, kind: str, seat: str | None) -> None:
    """Have a second thought on the last action, as the rules allow: a story token to roll again, say.

    Its dice are seen at once, so it is recorded at once, with the action's new outcome.
    """
    campaign = cli.campaign()
    who = campaign.character_id(by) if by else ""
    before = campaign.state
    with cli.wait("Playing it again …"):
        thought = second_thought(_second_thought_kind(campaign, kind), character=who, roll=roll, keep=keep)
        entries = campaign.corrections.record_second_thought(thought, seat=seat, dice=dice)
    cli.project()
    for entry in entries:
        show_entry(cli, campaign, entry)
    if not cli.json and not cli.brief:
        cli.print(*sheet_change_lines(cli, before, campaign))


def _second_thought_kind(campaign: Campaign, named: str) -> str:
    """The second thought that is meant. Raises NotFound for one that the rules do not know."""
    ruleset = campaign.rulebook.ruleset_of(campaign.state)
    known = tuple(ruleset.second_thoughts) if ruleset else ()
    if not known:
        raise Refused("The rules of this campaign know no second thoughts. Undo the action with: rollbook undo")
    if not named:
        return REROLL if REROLL in known or len(known) > 1 else known[0]
    if named not in known:
        raise not_found("second thought", named, known)
    return named


@command()
@click.argument("action", type=action_param, metavar="N")
@click.option("--dice", "faces", type=faces_param, required=True, metavar="FACES", help="The new faces: 15, or 15,4.")
@click.option("--die", "first", type=click.IntRange(1), default=1, help="From which of its dice on (usually 1).")
@correction_options("--typed")
def override(
    cli: CliContext, /, action: ActionNumber, faces: tuple[int, ...], first: int, *, confirmation: Confirmation
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
    overridden = partial(cli.campaign().corrections.override, _number(cli, action), faces, first=first)
    if confirmation.preview_only:
        confirmation = confirmation.with_reason("only looked at")
    preview_ask_apply(cli, overridden, confirmation, done="Overridden")
