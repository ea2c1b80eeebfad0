"""The list of timelines, and the comparison of one with its campaign."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from rich.text import Text

from adapters.book import Book
from adapters.campaign import Campaign
from adapters.cli.context import CliContext
from adapters.cli.text import names_in, printable, result_without_name, shorten, value_change
from adapters.cli.views.table import print_columns, success_mark
from adapters.timelines.comparing import Remark, Tally, TimelineComparison
from adapters.timelines.marker import campaign_of
from adapters.timelines.opening import TimelineSummary
from domain.events import ParameterValue
from domain.parameters import typed
from domain.timelines import Choice
from projections.log_lines import LogText, describe

MOST_LISTED = 12
"""So many lines of one sort are listed; then they are counted."""
TALLY_NAMES = {"xp": "XP", "token": "tokens"}
NO_VALUE = "–"
"""What a sheet says where a value is missing."""


def show_new_timeline(cli: CliContext, one: TimelineSummary, timeline: Campaign) -> None:
    """A timeline that was just made, and how to play on it."""
    if cli.json:
        cli.data(one)
        return
    last = timeline.head.actions
    cli.print(
        Text.assemble(
            (one.timeline, "bold cyan"),
            f" leaves {one.parent} after @{one.entry}"
            + (f" (#{last})" if not one.entries else "")
            + f" and plays by {one.ruleset or 'no ruleset'} {one.version}".rstrip()
            + ".",
        )
    )
    cli.print(f"Play on it:  rollbook -c {one.timeline} do VERB …   or   rollbook -c {one.timeline} play")
    cli.print(f"Compare it:  rollbook compare {one.number}")
    cli.print(
        Text(
            f"Canon stays as it is, and {campaign_of(one.parent)} is what you go on with where nothing is named.",
            style="dim",
        )
    )


def show_timelines(cli: CliContext, found: Sequence[TimelineSummary]) -> None:
    """The list: what each leaves, and what has happened since on either side."""
    rows = []
    for one in found:
        what = Text(f"every action of {one.parent} again" if one.rerun else f"leaves {one.parent} after @{one.entry}")
        what.append(f" · {datetime.fromtimestamp(one.at / 1_000_000, UTC).astimezone():%Y-%m-%d %H:%M}", style="dim")
        what.append(f" · {one.ruleset} {one.version}".rstrip())
        what.append(f" · {_entries(one.entries)} here")
        if one.damage:
            what.append(" · damaged", style="bold red")
        elif one.moved_on and not one.rerun:
            what.append(f", {one.moved_on} more on {one.parent}")
        what.append(f"   {printable(one.why)}" if one.why else "", style="dim")
        rows.append((Text(one.timeline, "cyan"), what))
    print_columns(cli, rows)


def _entries(many: int) -> str:
    return f"{many} entr{'y' if many == 1 else 'ies'}"


# The report.


def show_comparison(
    cli: CliContext, book: Book, report: TimelineComparison, *, everything: bool = False, hint: str = ""
) -> None:
    """The report against canon."""
    told = _ChoiceTexts(book, report)
    if cli.json:
        cli.data(_comparison_json(told, report))
        return
    most = 10**9 if everything else MOST_LISTED
    marker = report.marker
    where = f"every action again, by {marker.ruleset} {marker.ruleset_version}" if marker.ruleset else ""
    where = where or f"since @{marker.entry} (#{report.since})"
    cli.print(Text.assemble((report.timeline, "bold cyan"), f" against {report.canon}, {where}"))
    _section(cli, "Comes out differently", [told.difference(*both) for both in report.differences], most)
    _section(cli, f"Only on {report.canon}", [told.alone(one, canon=True) for one in report.only_canon], most)
    _section(cli, f"Only on {report.timeline}", [told.alone(one) for one in report.only_here], most)
    statuses = [(Text(printable(one.name), "magenta"), _moved(one.canon, one.here)) for one in report.statuses]
    _section(cli, "Lives and deaths", statuses, most)
    _section(cli, "Experience, wounds, tokens", _tallied(report.tallies), most)
    only = "" if report.is_one_game or everything else ", as far as both games have the same values"
    _section(cli, f"Sheets{only}", _sheets(report, everything=everything), most)
    _section(cli, "Has no meaning there", [told.remark(one) for one in report.meaningless], most)
    _section(cli, "Played, but not quite as it was meant", [told.remark(one) for one in report.remarks], most)
    same = f"{report.same} choice{'' if report.same == 1 else 's'} came out the same."
    cli.print(Text(same if report.same else "Nothing came out the same.", style="dim"))
    if hint:
        cli.print(Text(hint, style="dim"))


def _section(cli: CliContext, title: str, rows: Sequence[Sequence[Text]], most: int) -> None:
    if not rows:
        return
    cli.print(Text(title, style="bold yellow"))
    print_columns(cli, rows[:most], indent=2)
    if len(rows) > most:
        cli.print(Text(f"  … and {len(rows) - most} more; --all lists them", style="dim"))


def _moved(before: str, after: str) -> Text:
    return Text.assemble((before, "dim"), "  →  ", (after, "bold"))


def _tallied(tallies: Iterable[Tally]) -> list[tuple[Text, Text]]:
    rows: dict[str, tuple[Text, Text]] = {}
    for one in tallies:
        _, text = rows.setdefault(one.character, (Text(printable(one.name), style="magenta"), Text()))
        text.append(" · " if text else "", style="dim").append(f"{TALLY_NAMES.get(one.what, printable(one.what))} ")
        text.append(f"{one.canon:,} → {one.here:,}", style="bold")
    return list(rows.values())


def _sheets(report: TimelineComparison, *, everything: bool) -> list[tuple[Text, Text]]:
    """A row for each character; of two games only what stands on both sheets."""
    rows: dict[str, tuple[Text, Text]] = {}
    for change in report.changes:
        if NO_VALUE in (change.before, change.after) and not (report.is_one_game or everything):
            continue
        _, text = rows.setdefault(change.character, (Text(printable(change.name), style="magenta"), Text()))
        text.append(" · " if text else "", style="dim").append(f"{printable(change.label)} ")
        text.append(value_change(change.before, change.after), style="bold")
    return list(rows.values())


class _ChoiceTexts:
    """Choices in the words of the log, with everybody's names."""

    def __init__(self, book: Book, report: TimelineComparison) -> None:
        canon, here = book.campaign(report.canon), book.campaign(report.timeline)
        self.names = names_in(canon.state, here.state)

    def told(self, choice: Choice) -> LogText:
        """What a choice came to."""
        return describe(choice.entry, self.names)

    def json(self, choice: Choice, **more: object) -> dict[str, object]:
        """A choice as it is printed with --json."""
        said = {"verb": choice.intent.verb, "params": choice.intent.params}
        return {"action": choice.action, **said, "told": self.told(choice), **more}

    def difference(self, canon: Choice, here: Choice) -> tuple[Text, Text, Text]:
        """A choice that was made on both."""
        before, after = self.told(canon), self.told(here)
        number = Text(_numbers(canon, here), style="cyan")
        what = Text(f"{what_was_done(after)}   ", style="not bold default")
        what.append(_changed_parameters(canon, here), style="yellow")
        dice = before.result == after.result
        what.append(success_mark(before.success).plain + _result(before, dice=dice), style="dim").append("  →  ")
        what.append_text(success_mark(after.success)).append(_result(after, dice=dice), style="bold")
        return number, Text(printable(after.who), style="magenta"), what

    def alone(self, choice: Choice, *, canon: bool = False) -> tuple[Text, Text, Text]:
        """A choice that was made on one."""
        told = self.told(choice)
        what = Text(what_was_done(told)).append("   ")
        what.append_text(success_mark(told.success)).append(_result(told), style="dim" if canon else "bold")
        return Text(f"#{choice.action}", style="cyan"), Text(printable(told.who), style="magenta"), what

    def remark(self, one: Remark) -> tuple[Text, Text, Text]:
        """An action that was not played as it was meant."""
        told = self.told(one.choice)
        why = Text(f"{what_was_done(told)}   ").append(
            printable(one.why.removeprefix("has no meaning here: ")), style="dim"
        )
        return Text(f"#{one.choice.action}", style="cyan"), Text(printable(told.who), style="magenta"), why


def _numbers(canon: Choice, here: Choice) -> str:
    return f"#{canon.action}" if canon.action == here.action else f"#{canon.action}/#{here.action}"


def what_was_done(told: LogText) -> str:
    """What somebody did, in the words of the log."""
    return printable(told.what.removeprefix(": "))


def _result(told: LogText, *, dice: bool = False) -> str:
    """What came of it, with the dice where they alone make the difference."""
    said = result_without_name(told.who, told.result)
    if told.dice and (dice or not said):
        return f"{shorten(told.dice)} {said}".rstrip()
    return said or "nothing to tell"


def _changed_parameters(canon: Choice, here: Choice) -> str:
    """The parameters that are not the same."""
    said, now = canon.intent.params, here.intent.params
    other = [f"{name}={parameter_text(now[name])}" for name in now if name in said and said[name] != now[name]]
    return f"with {', '.join(other)}   " if other else ""


def parameter_text(value: ParameterValue) -> str:
    """A parameter, cut where it gets long."""
    return shorten(typed(value))


def _comparison_json(told: _ChoiceTexts, report: TimelineComparison) -> dict[str, object]:
    marker = report.marker
    return {
        "timeline": report.timeline,
        "canon": report.canon,
        "forked": {"entry": marker.entry, "action": report.since, "at": marker.at, "why": marker.why},
        "rerun": {"ruleset": marker.ruleset, "version": marker.ruleset_version} if marker.ruleset else None,
        "differences": [{"canon": told.json(canon), "here": told.json(here)} for canon, here in report.differences],
        "only_canon": [told.json(one) for one in report.only_canon],
        "only_here": [told.json(one) for one in report.only_here],
        "statuses": report.statuses,
        "tallies": report.tallies,
        "changes": [
            {"character": c.character, "label": c.label, "canon": c.before, "here": c.after} for c in report.changes
        ],
        "meaningless": [told.json(one.choice, why=one.why) for one in report.meaningless],
        "remarks": [told.json(one.choice, why=one.why) for one in report.remarks],
        "same": report.same,
    }
