"""Keeping: the audit, files in and out, the read model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from adapters.cli.desk import Desk
from adapters.cli.faults import Exit, Partly
from adapters.cli.options import pass_desk, shared

if TYPE_CHECKING:
    from adapters.exports.jsonl import ExportReport
    from domain.audit import Answer, Listed
    from domain.receipts import Receipt


NOT_PROVEN = (
    "A file alone cannot prove that nothing was left out at its end or told differently from the start: that takes a "
    "receipt that a player noted. Nor does it prove what the words mean; only that they are the words that were stored."
)


@click.command(short_help="Is the history whole, are the dice honest, do the rules agree?")
@click.option("--receipt", "noted", multiple=True, metavar="LINE", help="A receipt that somebody kept; again for more.")
@click.option("--dice", "with_dice", is_flag=True, help="List everything about dice that a reader should know.")
@shared
@pass_desk
def audit(desk: Desk, noted: tuple[str, ...], with_dice: bool) -> None:
    """Check the history: its chain, its dice against the revealed seeds, its outcomes against the rules.

    \b
    rollbook audit --receipt "sherwood entry 47 HX5Z-6R1K-XNAQ dice TSW0-XZE2-VDGV"
    """
    from domain.audit import Verdict, dice_list
    from domain.receipts import check_receipts, read_receipt

    campaign = desk.campaign()
    receipts = [read_receipt(line) for line in noted]
    with desk.wait("Checking …"):
        answers: tuple[Answer, ...] = campaign.audit()
        if receipts:
            answers = (*answers, check_receipts(campaign.id, receipts, campaign.history.entries))
        told = dice_list(campaign.history.entries) if with_dice else ()
    if desk.json:
        listed = {"dice": list(told)} if with_dice else {}
        desk.data({"campaign": campaign.id, "answers": [_answer_data(answer) for answer in answers], **listed})
    else:
        show_audit(desk, answers)
        _show_dice(desk, told)
        desk.say(NOT_PROVEN)
    if any(answer.verdict is Verdict.FAILED for answer in answers):
        raise Partly(Exit.INTEGRITY)


def _show_dice(desk: Desk, told: tuple[Listed, ...]) -> None:
    """What a reader should know about dice, and nobody is accused of."""
    from rich.text import Text

    from adapters.cli import show
    from adapters.cli.faults import clean

    rows = [(Text(f"entry {one.entry}", "cyan"), Text(one.kind, "dim"), Text(clean(one.text))) for one in told]
    if rows:
        desk.say(Text("About the dice", style="bold yellow"))
        show.grid(desk, rows, indent=2)


MOST_FINDINGS = 8


def show_audit(desk: Desk, answers: tuple[Answer, ...]) -> None:
    """A line for each answer, with what was found."""
    from rich.text import Text

    from adapters.cli import show

    colours = {"VERIFIED": "bold green", "UNPROVEN": "bold yellow", "FAILED": "bold red"}
    rows = []
    for answer in answers:
        rows.append(
            (answer.question, Text(answer.verdict, style=colours[answer.verdict]), Text("; ".join(answer.remarks)))
        )
        for finding in answer.findings[:MOST_FINDINGS]:
            where = f"entry {finding.entry}: " if finding.entry else ""
            rows.append(("", Text(""), Text(where + finding.text, style=colours[answer.verdict].removeprefix("bold "))))
        if len(answer.findings) > MOST_FINDINGS:
            rows.append(("", Text(""), Text(f"… and {len(answer.findings) - MOST_FINDINGS} more")))
    show.grid(desk, rows)


def _answer_data(answer: Answer) -> dict[str, Any]:
    return {
        "question": answer.question,
        "verdict": str(answer.verdict),
        "checked": answer.checked,
        "remarks": list(answer.remarks),
        "findings": [{"entry": finding.entry, "text": finding.text} for finding in answer.findings],
    }


@click.command(short_help="Write the campaign to a file, whole or as a player may see it.")
@click.argument("file", type=click.Path(dir_okay=False))
@click.option(
    "--for",
    "reader",
    metavar="SEAT",
    default="",
    help="Only what this seat may see: player:mira, or table for everybody.",
)
@click.option(
    "--where", metavar="FILTER", default=None, help="Only what fits: 'session=2 who=robin' (docs/filters.md)."
)
@click.option("--overwrite", is_flag=True, help="Replace a file of that name.")
@shared
@pass_desk
def export(desk: Desk, file: str, reader: str, where: str | None, overwrite: bool) -> None:
    """Write the campaign to FILE: JSON lines with every event, and all that verifying it needs.

    A player's file leaves out the GM's notes, secret dice, hidden characters and whispers to others, without a gap that
    could be counted. Each file verifies without rollbook: python3 verify_rollbook.py FILE

    \b
    rollbook export sherwood.jsonl                        everything, to keep or to import elsewhere
    rollbook export mira.jsonl --for player:mira          what Mira may see
    rollbook export fight.jsonl --where "scene=3"         one scene; the rest as digests
    """
    from adapters.exports.files import VERIFIER

    if reader and where is not None:
        raise click.UsageError("A file is for a reader or of what fits a filter, not both: leave out --for or --where.")
    with desk.wait("Writing …"):
        report = _exported(desk, Path(file), reader, where, overwrite=overwrite)
    if desk.json:
        desk.data(report)
        return
    whose = f", as {_called(desk, reader)} may see it" if reader else ", those that fit" if where else ""
    desk.say(f"{file} holds {report.entries} entries of {report.campaign}{whose}.")
    desk.say(f"Anybody can check it: python3 {Path(file).with_name(VERIFIER)} {file}")
    desk.say(f"Receipt: {_receipt(desk)}")


def _called(desk: Desk, reader: str) -> str:
    """A reader in the seat's own spelling."""
    from adapters.spoken import find_seat

    name = reader.removeprefix("player:").removeprefix("seat:")
    return "the table" if name == "table" else find_seat(desk.campaign().state, name)


def _exported(desk: Desk, path: Path, reader: str, where: str | None, *, overwrite: bool) -> ExportReport:
    from adapters.cli.which import entries_that
    from adapters.exports.jsonl import export_campaign
    from adapters.exports.shown import TABLE, Reader, export_shown
    from adapters.spoken import find_seat

    campaign = desk.campaign()
    if not reader and where is None:
        return export_campaign(campaign.journal, path, overwrite=overwrite)
    if where is not None:
        wanted = entries_that(desk, [where])
        return export_shown(
            campaign.journal, path, Reader(None, lambda entry: entry.number in wanted), overwrite=overwrite
        )
    name = reader.removeprefix("player:").removeprefix("seat:")
    seat = TABLE if name == "table" else campaign.seat(find_seat(campaign.state, name))
    return export_shown(campaign.journal, path, Reader(seat), overwrite=overwrite)


@click.command(short_help="The line that a player keeps, to show later that nothing was changed.")
@shared
@pass_desk
def receipt(desk: Desk) -> None:
    """The line that a player keeps: campaign, entry, its code, and the code of the evening's dice.

    Note it somewhere that the GM cannot change: a chat, a photograph, a diary. 'rollbook audit --receipt LINE' shows later
    whether the history is still the one that it was noted from; so does verify_rollbook.py with the code.
    """
    kept = _receipt(desk)
    if desk.json:
        desk.data(kept)
    else:
        desk.say(str(kept))


def _receipt(desk: Desk) -> Receipt:
    from domain.receipts import receipt_of

    campaign = desk.campaign()
    head = campaign.head
    return receipt_of(campaign.id, head.shown, head.state.session)


@click.command("import", short_help="Take in a campaign from a file.")
@click.argument("file", type=click.Path(dir_okay=False))
@click.option("--from", "origin", type=click.Choice(["rollbook", "avrae"]), default="rollbook", help="What wrote it.")
@click.option("--as", "name", metavar="NAME", default="", help="What to call the campaign here.")
@shared
@pass_desk
def import_(desk: Desk, file: str, origin: str, name: str) -> None:
    """Take in a campaign that rollbook exported, or a combat that the Avrae bot recorded."""
    if origin == "avrae":
        _import_avrae(desk, Path(file), name)
    else:
        _import_export(desk, Path(file), name)


def _import_export(desk: Desk, path: Path, name: str) -> None:
    from adapters.imports.jsonl import import_campaign
    from domain.errors import NotFound

    if not path.exists():
        raise NotFound(f"There is no file {path}.")
    book = desk.book(create=True)
    with desk.wait("Reading and checking …"):
        report = import_campaign(book, path, name)
    desk.sit_at(book.campaign(report.campaign))
    desk.project()
    if desk.json:
        desk.data(report)
    elif report.new:
        desk.say(f"{report.campaign}: {report.entries} entries with {report.events} events, checked and taken in.")
    else:
        desk.say(f"{report.campaign} is here already, event for event.")


def _import_avrae(desk: Desk, path: Path, name: str) -> None:
    from adapters.imports.avrae import read_avrae
    from adapters.imports.taking_in import take_in

    with desk.wait("Reading …"):
        imported = read_avrae(path, name)
    campaign = take_in(desk.book(create=True), imported, name)
    desk.sit_at(campaign)
    desk.project()
    head = campaign.head
    if desk.json:
        desk.data(
            {
                "campaign": campaign.id,
                "events": head.version,
                "entries": head.entry,
                "changes_explained": imported.changes_explained,
                "changes_corrected": imported.changes_corrected,
                "warnings": list(imported.warnings),
            }
        )
        return
    desk.say(f"{campaign.id}: {head.entry} entries with {head.version} events.")
    explained, corrected = imported.changes_explained, imported.changes_corrected
    desk.say(f"Changes of hit points: {explained} explained, {corrected} taken in as corrections.")
    for warning in imported.warnings:
        desk.remark(warning)


@click.command(short_help="Make the read model anew.")
@shared
@pass_desk
def rebuild(desk: Desk) -> None:
    """Make the read model anew from the history, which stays untouched."""
    from adapters.book import read_model_path
    from adapters.read_model import ReadModel

    book = desk.book()
    model = ReadModel(read_model_path(desk.store_path))
    try:
        with desk.bar("Reading the history") as progress:
            taken = model.rebuild(book.store, book.rulebook, progress)
    finally:
        model.close()
    if desk.json:
        desk.data({"events": taken, "read_model": str(model.path)})
    else:
        desk.say(f"The read model is made anew from {taken:,} events: {model.path}")
