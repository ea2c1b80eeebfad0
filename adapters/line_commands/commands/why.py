"""why and diff: where the numbers on sheets come from, and what differs between two moments."""

from collections.abc import Sequence

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.declared import argument, command, paged
from rollbook.adapters.line_commands.json import merged
from rollbook.adapters.line_commands.moments import Moment, is_moment, moment_param
from rollbook.adapters.line_commands.options import as_known_option, at_option, suggest_characters, suggest_sheet_values
from rollbook.adapters.line_commands.styled import Text
from rollbook.adapters.presentation.moments import NOW
from rollbook.adapters.presentation.plain_text import printable, value_change
from rollbook.domain.base.errors import not_found
from rollbook.domain.corrections.sheet_changes import sheet_changes
from rollbook.domain.rules.sheet import Sheet, Term, Value
from rollbook.projections.contributions import Contribution, origins_of

MOST_CONTRIBUTIONS = 3
"""Largest number of actions named behind a term."""


@command()
@argument("who", suggest=suggest_characters)
@argument("value", suggest=suggest_sheet_values)
@at_option
@paged
def why(context: CommandContext, who: str, value: str, *, moment: Moment) -> None:
    """Every term of a number, its rule, and each action that made it what it is: number, session, and who did it.

    \b
    rollbook why robin "to hit"
    rollbook why guard hp --at 20                  as the table knew it when action 20 had been taken
    rollbook why guard hp --at 20 --as-corrected   after action 20, with the corrections made since
    """
    with context.bar("Reading the history"):
        history, state = moment.history(), moment.state()
    shown = context.campaign().sheet(who, state)
    number = shown.value(value)
    if number is None:
        raise not_found(f"value on {shown.name}'s sheet", value, (each.label for each in shown.values))
    found = origins_of(history, shown, number, moment.action)
    if context.json:
        terms = [merged(term, actions=actions) for term, actions in found]
        context.data(merged(number, character=shown.character, terms=terms))
    else:
        show_why(context, shown, number, found, moment.title)


@command()
@argument("one", metavar="A", kind=moment_param)
@argument("other", metavar="B", default=NOW)
@argument("who", required=False, suggest=suggest_characters)
@as_known_option
@paged
def diff(context: CommandContext, one: str, other: str, who: str | None, *, corrected: bool) -> None:
    """The differences on the sheets between two moments, for everybody or for one character.

    \b
    rollbook diff 12 30                  as the table knew it when actions 12 and 30 had been taken
    rollbook diff 12 30 --as-corrected   after the same actions, with the corrections made since
    rollbook diff @40 @60                as the table knew it at entries 40 and 60; rollbook log --all lists entries
    rollbook diff s1 s2                  at the ends of sessions 1 and 2
    rollbook diff 12 robin               action 12 and now, for one character
    rollbook diff ~1                     timeline 1 and now; ~1:12 is action 12 there, ~0 is canon
    """
    campaign = context.campaign()
    if who is None and not is_moment(other):
        other, who = NOW, other
    moments = [Moment(context, text, corrected=corrected) for text in (one, moment_param(other))]
    before, after = (moment.state() for moment in moments)
    wanted = campaign.character_id(who) if who else ""
    changes = [
        change for change in sheet_changes(before, after, campaign.session.rulebook) if wanted in ("", change.character)
    ]
    if context.json:
        context.data(*changes)
        return
    context.print(Text(" → ".join(moment.called for moment in moments), "bold yellow"))
    rows = {}
    for change in changes:
        label, text = printable(change.label), value_change(change.before, change.after)
        was_there, is_there = change.character in before.characters, change.character in after.characters
        if was_there != is_there and not who:
            label, text = "joins" if is_there else "is not there", ""
        rows[change.character, label, text] = (Text(printable(change.name), "magenta"), Text(label), Text(text))
    context.print_columns(list(rows.values()), indent=2)
    if not rows:
        context.print("  Nothing differs.")


def show_why(
    context: CommandContext,
    shown: Sheet,
    value: Value,
    origins: Sequence[tuple[Term, Sequence[Contribution]]],
    moment: str = "",
) -> None:
    """Print every term of a value, with its rule and the actions that made it what it is."""
    title = Text.assemble((printable(shown.name), "magenta"), f"  {printable(value.label)}  ", (str(value), "bold"))
    context.print(title.append(f"  {moment}" if moment else "", "yellow"))
    rows = [
        (
            Text(printable(f"{term.amount:+d}"), "bold"),
            Text(printable(term.label)),
            Text(term.rule, "dim"),
            _contributions_text(found),
        )
        for term, found in origins
    ]
    context.print_columns(rows, right=(0,), indent=2)
    if not rows:
        context.print("  The ruleset does not say what this is made of.")


def _contributions_text(found: Sequence[Contribution]) -> Text:
    text = Text()
    for origin in found[-MOST_CONTRIBUTIONS:]:
        text.append("; " if text else "← ", "dim")
        text.append(f"#{origin.action}", "cyan")
        text.append(f" {origin.verb}: {printable(origin.what)}")
        by = f" by {printable(origin.seat)}" if origin.seat else ""
        text.append(f" (session {origin.session}{by})" if origin.session else by, "dim")
    more = len(found) - MOST_CONTRIBUTIONS
    if more > 0:
        text.append(f"; and {more} before", "dim")
    return text
