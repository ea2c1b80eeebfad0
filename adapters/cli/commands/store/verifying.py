"""store verify: an audit of everything."""

from functools import partial
from pathlib import Path

import click

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.errors import Exit, ReportedFailure
from rollbook.adapters.cli.parameters import command
from rollbook.adapters.line_commands.context import HOW_TO_START
from rollbook.adapters.line_commands.styled import Text
from rollbook.adapters.local_files import paths
from rollbook.adapters.presentation.plain_text import printable
from rollbook.adapters.wiring import open_book
from rollbook.application.history.timeline_marker import is_timeline
from rollbook.application.keeping.verifying import StreamAudit
from rollbook.application.keeping.verifying import verify as audits_of
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.audit.chain_audit import CHAIN
from rollbook.domain.base.errors import NotFound
from rollbook.domain.base.number_words import counted


@command()
@click.option(
    "--processes", type=click.IntRange(1, 256), default=None, help="How many audit at once, if not one a processor."
)
def verify(cli: CliContext, processes: int | None) -> None:
    """Audit every campaign and timeline in the store: chain, dice and rules, as audit does for one.

    Said is a line for each that fails or lacks entries that this computer has seen, and a summary. With --json: an object for
    each of them, and then one for the whole.

    \b
    rollbook store verify
    """
    place = cli.store_path
    if isinstance(place, Path) and not place.exists():
        raise NotFound(f"There is no store at {place} yet. {HOW_TO_START}")
    with cli.bar("Auditing"):
        audits = list(audits_of(partial(open_book, place, paths.seeds_folder(), create=False), processes or 0))
    for audit in sorted(audits, key=lambda audit: audit.stream):
        if not audit.is_good or audit.lacks_entries:
            _say(cli, audit)
    failed = sum(not audit.is_good for audit in audits)
    _summarize(cli, audits, failed)
    if failed:
        raise ReportedFailure(Exit.INTEGRITY)


def _say(cli: CliContext, audit: StreamAudit) -> None:
    if cli.json:
        cli.data({"stream": audit.stream, "fault": audit.fault, "answers": audit.answers})
        return
    verdict, colour = (Verdict.UNPROVEN, "yellow") if audit.is_good else (Verdict.FAILED, "red")
    found = [audit.fault] if audit.fault else []
    for answer in audit.answers:
        if answer.question == CHAIN if audit.is_good else not answer.is_good:
            first = next(
                (f": @{one.entry} {one.text}" if one.entry else f": {one.text}" for one in answer.findings), ""
            )
            found.append(f"{answer.question}{first}")
    cli.print(Text(printable(f"{audit.stream} {verdict}. {'; '.join(found)}"), style=colour))


def _summarize(cli: CliContext, audits: list[StreamAudit], failed: int) -> None:
    gone = sum(audit.is_gone for audit in audits)
    timelines = sum(is_timeline(audit.stream) and not audit.is_gone for audit in audits)
    campaigns = len(audits) - gone - timelines
    entries = sum(audit.entries for audit in audits)
    unproven = sum(any(answer.verdict is Verdict.UNPROVEN for answer in audit.answers) for audit in audits)
    if cli.json:
        counts = {"campaigns": campaigns, "timelines": timelines, "entries": entries, "gone": gone}
        cli.data({**counts, "failed": failed, "unproven": unproven})
        return
    also = f" and {counted(timelines, 'timeline')}" if timelines else ""
    what = f"{counted(campaigns, 'campaign')}{also} with {entries:,} {'entry' if entries == 1 else 'entries'}"
    said = f"{failed} of them failed" if failed else "none failed"
    open_ = f"; of {unproven} something is not proven yet, such as dice of a session that is open" if unproven else ""
    cli.print(f"Audited {what}: {said}{open_}.")
