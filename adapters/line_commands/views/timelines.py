"""The list of timelines, and the comparison of one with its campaign."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.json import json_shape, merged
from rollbook.adapters.line_commands.styled import Text
from rollbook.adapters.line_commands.views.table import change_rows, print_section, print_table, success_mark
from rollbook.adapters.presentation.plain_text import printable, short_result, shorten, value_change
from rollbook.adapters.presentation.preview_words import teller
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.conversions import HEADS, Conversion, conversions
from rollbook.application.history.timeline_marker import campaign_of
from rollbook.application.timelines.comparing import Remark, TimelineComparison
from rollbook.application.timelines.forking import TimelineSummary
from rollbook.application.timelines.rerun import NOT_PLAYED
from rollbook.domain.base.number_words import counted
from rollbook.domain.corrections.timeline_choices import Choice
from rollbook.domain.events import ParameterValue
from rollbook.domain.rules.spelling import typed
from rollbook.projections.log_lines import LogText, Teller

MOST_REASONS = 5
MOST_LISTED = 12
"""Largest number of lines of one sort that are listed; the rest are counted."""
TALLY_NAMES = {"xp": "XP", "token": "tokens"}

json_shape(TimelineComparison, "timeline", "canon", "statuses", "tallies", "same", "asked", "played", "undecided")
RIGHT = tuple(range(1, 13))


def show_new_timeline(context: CommandContext, one: TimelineSummary, timeline: Campaign) -> None:
    """Print a new timeline, and how to play on it."""
    if context.json:
        context.data(one)
        return
    last = "" if one.entries else f" (#{timeline.head.actions})"
    rules = f"{one.ruleset or 'no ruleset'} {one.version}".rstrip()
    context.print(
        Text.assemble(
            (one.timeline, "bold cyan"), f" leaves {one.parent} after @{one.entry}{last} and plays by {rules}."
        ),
        f"Play on it:  rollbook -c {one.timeline} do VERB …   or   rollbook -c {one.timeline} play",
        f"Compare it:  rollbook compare {one.number}",
        Text(
            f"Canon stays as it is, and {campaign_of(one.parent)} is what you go on with where nothing is named.", "dim"
        ),
    )


def show_timelines(context: CommandContext, found: Sequence[TimelineSummary]) -> None:
    """Print the list: what each timeline leaves, and what has happened since on either side."""
    rows, zone = [], context.zone()
    for one in found:
        what = Text(f"every action of {one.parent} again" if one.rerun else f"leaves {one.parent} after @{one.entry}")
        what.append(f" · {zone.time(one.at)}", "dim")
        what.append(f" · {one.ruleset} {one.version}".rstrip())
        what.append(f" · {one.entries} {'entry' if one.entries == 1 else 'entries'} here")
        if one.damage:
            what.append(" · damaged", "bold red")
        elif one.moved_on and not one.rerun:
            what.append(f", {one.moved_on} more on {one.parent}")
        what.append(f"   {printable(one.why)}" if one.why else "", "dim")
        rows.append((Text(one.timeline, "cyan"), what))
    context.print_columns(rows)


def show_comparison(
    context: CommandContext, book: Book, report: TimelineComparison, *, everything: bool = False, hint: str = ""
) -> None:
    """Print the differences between a timeline and what it left, section by section."""
    states = book.campaign(report.canon).state, book.campaign(report.timeline).state
    said = teller(book.rulebook, *states)
    if context.json:
        context.data(_comparison_json(said, report))
        return
    section = partial(print_section, context, most=None if everything else MOST_LISTED, more="; --all lists them")
    marker = report.marker
    where = f"every action again, by {marker.ruleset} {marker.ruleset_version}" if marker.ruleset else ""
    where = where or f"since @{marker.entry} (#{report.since})"
    context.print(Text.assemble((report.timeline, "bold cyan"), f" against {report.canon}, {where}"))
    if report.asked:
        context.print(*_played_lines(report, context.width))
    section("Comes out differently", report.differences, partial(_difference, said))
    section(f"Only on {report.canon}", report.only_canon, partial(_only_on_one, said, style="dim"))
    section(f"Only on {report.timeline}", report.only_here, partial(_only_on_one, said))
    section(
        "Lives and deaths",
        report.statuses,
        lambda one: (
            Text(printable(one.name), "magenta"),
            Text.assemble((one.canon, "dim"), "  →  ", (one.here, "bold")),
        ),
    )
    if report.is_one_game or everything:
        tallies = (
            (one.character, one.name, TALLY_NAMES.get(one.what, one.what), f"{one.canon:,} → {one.here:,}")
            for one in report.tallies
        )
        section("Experience, wounds, tokens", change_rows(tallies), tuple)
        changes = ((one.character, one.name, one.label, value_change(one.before, one.after)) for one in report.changes)
        section("Sheets", change_rows(changes), tuple)
    else:
        context.print(Text(f"Everybody on {report.canon} and, below, on {report.timeline}", "bold yellow"))
        show_conversion_table(context, conversions(book.rulebook, *states), states[1].ruleset)
    section("Has no meaning there", report.meaningless, partial(_remark, said))
    section("Played, but not quite as it was meant", _grouped(report.remarks), tuple)
    same = f"{counted(report.same, 'choice')} came out the same." if report.same else "Nothing came out the same."
    context.print(Text(same, "dim"))
    if hint:
        context.print(Text(hint, "dim"))


def _played_lines(report: TimelineComparison, width: int) -> Iterator[Text]:
    """Lines on how much of canon the other rules could play, why not the rest, and whose fate that leaves open."""
    left = report.asked - report.played
    rules = f"{report.marker.ruleset} {report.marker.ruleset_version}"
    yield Text(f"{report.played} of {counted(report.asked, 'action')} could be played by {rules}.", "bold")
    whys = Counter(_why(one) for one in report.meaningless)
    for why, times in whys.most_common(MOST_REASONS):
        yield Text(f"  {times:>3} not: {shorten(why, width - 12)}")
    listed = sum(times for _, times in whys.most_common(MOST_REASONS))
    if left > listed:
        yield Text(f"  {left - listed:>3} not, for other reasons: see below", "dim")
    if report.undecided:
        names = ", ".join(map(printable, report.undecided))
        yield Text(f"Nothing can be said of how these fare, because of what was not played: {names}.", "dim")


def _why(one: Remark) -> str:
    return printable(one.why.removeprefix(NOT_PLAYED))


def _grouped(remarks: Sequence[Remark]) -> list[tuple[Text, Text]]:
    """Remarks of the same words in one line, with the numbers of their actions."""
    numbers: dict[str, list[str]] = {}
    for one in remarks:
        verb = one.choice.intent.verb.replace("-", " ")
        numbers.setdefault(f"{verb}: {_why(one)}", []).append(f"#{one.choice.action}")
    return [(Text(what), Text(shorten(" ".join(found)), "cyan")) for what, found in numbers.items()]


def _choice_json(said: Teller, choice: Choice, **more: object) -> dict[str, object]:
    how = {"verb": choice.intent.verb, "params": choice.intent.params}
    return {"action": choice.action, **how, "text": said.text(choice.entry), **more}


def _difference(said: Teller, both: tuple[Choice, Choice]) -> tuple[Text, Text, Text]:
    """A row for a choice that was made on both."""
    canon, here = both
    before, after = said.text(canon.entry), said.text(here.entry)
    what = Text(f"{what_was_done(after)}   ", "not bold default")
    what.append(_changed_parameters(canon, here), "yellow")
    dice = before.result == after.result
    was = success_mark(before.success).plain + (_result(before, dice=dice) or what_was_done(before))
    what.append(was, "dim").append("  →  ")
    what.append(success_mark(after.success)).append(_result(after, dice=dice) or what_was_done(after), "bold")
    number = f"#{canon.action}" if canon.action == here.action else f"#{canon.action}/#{here.action}"
    return _row(number, after, what)


def _only_on_one(said: Teller, choice: Choice, *, style: str = "bold") -> tuple[Text, Text, Text]:
    """A row for a choice that was made on canon alone, or on the timeline alone."""
    text = said.text(choice.entry)
    what = Text(what_was_done(text)).append("   ")
    what.append(success_mark(text.success)).append(_result(text), style)
    return _row(f"#{choice.action}", text, what)


def _remark(said: Teller, one: Remark) -> tuple[Text, Text, Text]:
    """A row for an action that was not played as it was meant."""
    text = said.text(one.choice.entry)
    return _row(f"#{one.choice.action}", text, Text(f"{what_was_done(text)}   ").append(_why(one), "dim"))


def _row(number: str, said: LogText, what: Text) -> tuple[Text, Text, Text]:
    return Text(number, "cyan"), Text(printable(said.who), "magenta"), what


def what_was_done(said: LogText) -> str:
    """The deed of a line, in the words of the log."""
    return printable(said.what)


def _result(said: LogText, *, dice: bool = False) -> str:
    """The result of an action, with the dice where they alone make the difference."""
    result = short_result(said.result)
    if said.dice and (dice or not result):
        return f"{shorten(said.dice)} {result}".rstrip()
    return result


def _changed_parameters(canon: Choice, here: Choice) -> str:
    said, now = canon.intent.params, here.intent.params
    other = [
        f"{name}={parameter_text(now[name])}"
        for name in now
        if said.get(name) and now[name] and said[name] != now[name]
    ]
    return f"with {', '.join(other)}   " if other else ""


def parameter_text(value: ParameterValue) -> str:
    """A parameter, cut where it gets long."""
    return shorten(typed(value))


def _comparison_json(said: Teller, report: TimelineComparison) -> dict[str, object]:
    marker, told = report.marker, partial(_choice_json, said)
    return merged(
        report,
        forked={"entry": marker.entry, "action": report.since, "at": marker.at, "why": marker.why},
        rerun={"ruleset": marker.ruleset, "version": marker.ruleset_version} if marker.ruleset else None,
        differences=[{"canon": told(canon), "here": told(here)} for canon, here in report.differences],
        only_canon=list(map(told, report.only_canon)),
        only_here=list(map(told, report.only_here)),
        changes=[
            {"character": c.character, "label": c.label, "canon": c.before, "here": c.after} for c in report.changes
        ],
        meaningless=[told(one.choice, why=one.why) for one in report.meaningless],
        remarks=[told(one.choice, why=one.why) for one in report.remarks],
    )


def show_conversion_table(context: CommandContext, found: Sequence[Conversion], new: str) -> None:
    """Print two rows for each character, the old game above the new."""
    heads = ("", *HEADS)
    print_table(context, heads, [row for one in found for row in _rows(one, new)], right=RIGHT)


def _rows(one: Conversion, new: str) -> Iterator[tuple[Text, ...]]:
    name = Text(shorten(one.name, 16), "magenta")
    before, after = one.rows
    yield name, *(Text(cell, "dim") for cell in before)
    yield (Text(f"  {new}"), *(Text(now, "" if was == now else "bold") for was, now in zip(before, after, strict=True)))
