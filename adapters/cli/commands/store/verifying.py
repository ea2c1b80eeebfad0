"""store verify: an audit of everything."""

from pathlib import Path

import click

from adapters import paths
from adapters.cli.context import HOW_TO_START, CliContext
from adapters.cli.errors import Exit, ReportedFailure
from adapters.cli.parameters import command
from adapters.cli.styled import Text
from adapters.timelines.marker import is_timeline
from adapters.verifying import StreamAudit
from adapters.verifying import verify as audits_of
from adapters.wording import printable
from domain.audit.answers import Verdict
from domain.counted import counted
from domain.errors import NotFound


@command()
@click.option(
    "--processes", type=click.IntRange(1, 256), default=None, help="How many audit at once, if not one a processor."
)
def verify(cli: CliContext, processes: int | None) -> None:
    """Audit every campaign and timeline in the store: chain, dice and rules, as audit does for one.

    Said is a line for each that fails, and a summary. With --json: an object for each that fails, and then one for the whole.

    \b
    rollbook store verify
    """
    place = cli.store_path
    if isinstance(place, Path) and not place.exists():
        raise NotFound(f"There is no store at {place} yet. {HOW_TO_START}")
    with cli.bar("Auditing"):
        audits = list(audits_of(place, paths.seeds_folder(), processes or 0))
    failed = sorted((audit for audit in audits if not audit.is_good), key=lambda audit: audit.stream)
    for audit in failed:
        _say(cli, audit)
    _summarize(cli, audits, len(failed))
    if failed:
        raise ReportedFailure(Exit.INTEGRITY)


def _say(cli: CliContext, audit: StreamAudit) -> None:
    if cli.json:
        cli.data({"stream": audit.stream, "fault": audit.fault, "answers": audit.answers})
        return
    bad = [answer for answer in audit.answers if not answer.is_good]
    found = [audit.fault] if audit.fault else []
    for answer in bad:
        first = next((f": @{one.entry} {one.text}" if one.entry else f": {one.text}" for one in answer.findings), "")
        found.append(f"{answer.question}{first}")
    cli.print(Text(printable(f"{audit.stream} FAILED. {'; '.join(found)}"), style="red"))


def _summarize(cli: CliContext, audits: list[StreamAudit], failed: int) -> None:
    timelines = sum(is_timeline(audit.stream) for audit in audits)
    entries = sum(audit.entries for audit in audits)
    unproven = sum(any(answer.verdict is Verdict.UNPROVEN for answer in audit.answers) for audit in audits)
    if cli.json:
        counts = {"campaigns": len(audits) - timelines, "timelines": timelines, "entries": entries}
        cli.data({**counts, "failed": failed, "unproven": unproven})
        return
    also = f" and {counted(timelines, 'timeline')}" if timelines else ""
    what = f"{counted(len(audits) - timelines, 'campaign')}{also} with {entries:,} {'entry' if entries == 1 else 'entries'}"
    said = f"{failed} of them failed" if failed else "none failed"
    open_ = f"; of {unproven} something is not proven yet, such as dice of a session that is open" if unproven else ""
    cli.print(f"Audited {what}: {said}{open_}.")
