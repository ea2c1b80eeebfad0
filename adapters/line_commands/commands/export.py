"""export and backup: the campaign as a file that proves itself or for another program, and the whole store as one file."""

from collections.abc import Callable
from pathlib import Path
from shlex import quote

import attrs

from rollbook.adapters.backups.backing_up import make_backup, what_it_holds
from rollbook.adapters.exports import exporters, find_exporter
from rollbook.adapters.exports.exporter import WHOLE, everything, request_for, seen_by
from rollbook.adapters.exports.files import VERIFIER
from rollbook.adapters.exports.reader_file import Reader, export_shown
from rollbook.adapters.exports.whole_file import export_campaign
from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.declared import Counted, FileName, UsageError, argument, command, option
from rollbook.adapters.line_commands.filters import check_says_something, fitting_entries, unknown_names
from rollbook.adapters.line_commands.options import TABLE, for_option, hidden_from, seat_named
from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.application.history.read_model import LogRows
from rollbook.application.view import CampaignView
from rollbook.application.visibility.pseudonyms import REMARK
from rollbook.domain.base.errors import NotFound
from rollbook.domain.base.identifiers import CampaignId, EntryNumber
from rollbook.domain.base.number_words import counted
from rollbook.domain.entries import RecordedEntry

OWN_FORMAT = "jsonl"
FORMATS_BY_ENDING = {".html": "replay", ".pdf": "pdf", ".epub": "epub"}
"""Default formats by the ending of the file's name, used if such an exporter is installed."""
EXPECTED_ENDINGS = ("", ".jsonl", ".ndjson", ".rollbook")
"""Endings that fit JSON lines; a file with another one gets a remark."""


@attrs.frozen
class Asked:
    """The arguments and options of ``export``."""

    file: str
    reader: str
    session: int | None
    where: str | None
    pseudonyms: bool
    pictures: str | None
    overwrite: bool

    @property
    def is_narrowed(self) -> bool:
        """True if only some entries are wanted."""
        return self.where is not None or self.session is not None

    @property
    def is_piped(self) -> bool:
        """True if the file itself is the answer, on stdout."""
        return self.file == "-"

    @property
    def is_whole(self) -> bool:
        """True if the reader may see everything."""
        return self.reader.casefold() == WHOLE


@command()
@argument("file", kind=FileName(readable=False, allow_dash=True))
@option(
    "--to",
    "form",
    metavar="FORMAT",
    suggest=lambda *_: (OWN_FORMAT, *exporters()),
    help="What to write: see docs/exporting.md. By the ending of FILE if it is not said.",
)
@for_option("Only what this seat may see: player:mira, table for everybody, gm for everything.")
@option("--session", kind=Counted(0), metavar="S", help="Only one session.")
@option("--where", metavar="FILTER", default=None, help="Only what fits: 'session=2 who=robin' (docs/filters.md).")
@option("--pseudonyms", is_flag=True, help="Call the people at the table GM, Seat 1, Seat 2 …")
@option(
    "--pictures", metavar="FOLDER", kind=FileName(file_okay=False), help="Pictures of characters, named as they are."
)
@option("--overwrite", is_flag=True, help="Replace an earlier export of that name.")
def export(context: CommandContext, form: str | None, **how: object) -> None:
    """Write the campaign to FILE (- is stdout): JSON lines with every event, and all that verifying it needs.

    A player's file leaves out the GM's notes, secret dice, hidden characters and whispers to others, without a gap that
    could be counted. Each file verifies without rollbook: python3 verify_rollbook.py FILE

    With --to it is written for other programs, and for the table: what everybody may see.

    \b
    rollbook export sherwood.jsonl                        everything, to keep or to import elsewhere
    rollbook export mira.jsonl --for player:mira          what Mira may see
    rollbook export fight.jsonl --where "scene=3"         one scene; the rest as digests
    rollbook export tables --to csv --session 3           one session for a spreadsheet
    """
    asked = Asked(**how)  # type: ignore[arg-type] # converted by the parser
    by_ending = FORMATS_BY_ENDING.get(Path(asked.file).suffix.casefold(), OWN_FORMAT)
    format_ = form or (by_ending if by_ending in exporters() else OWN_FORMAT)
    with context.written(asked.file) as path:
        if format_ == OWN_FORMAT:
            _export_lines(context, asked, path)
        else:
            _export_to(context, format_, asked, path)


def _export_to(context: CommandContext, format_: str, asked: Asked, path: Path) -> None:
    write = find_exporter(format_, besides=(OWN_FORMAT,))
    campaign = context.campaign()
    with context.bar("Reading"):
        campaign.session.history.load()
        campaign.session.history.check_undamaged()
        seat = _reader(campaign, asked)
        seen = seen_by(campaign, seat)
    if seat is None:
        context.project()
    with context.bar("Writing"):
        wanted = _wanted(context, context.read_model if seat is None else seen.read_model, seen.id, asked)
        request = request_for(
            seen,
            campaign,
            seat,
            path,
            wanted=wanted,
            pseudonyms=asked.pseudonyms,
            pictures=Path(asked.pictures) if asked.pictures else None,
            overwrite=asked.overwrite,
        )
        done = write(request)
    remarks = (*done.remarks, *((REMARK,) if request.names.names else ()), *request.notices)
    if asked.is_piped:
        for remark in remarks:
            if str(path.parent) not in remark:  # nothing stays beside it
                context.warn(remark)
        return
    if context.json:
        said = {"campaign": request.campaign.id, "format": format_, "for": request.reader}
        context.data(
            {**said, "path": str(done.path), "entries": done.entries, "remarks": [*done.remarks, *request.notices]}
        )
        return
    whom = "with all that is secret" if seat is None else f"as {seat or 'the table'} may see it"
    context.print(f"{done.path} holds {counted(done.entries, 'entry', 'entries')} of {request.campaign.id}, {whom}.")
    if not asked.reader:
        context.print(f"It is for the table. With all that is secret: --for {WHOLE}")
    context.print(*remarks)


def _reader(campaign: CampaignView, asked: Asked) -> str | None:
    """The seat that the export is for; None for a reader who may see everything."""
    if asked.is_whole:
        return None
    return hidden_from(campaign, seat_named(campaign, asked.reader)) if asked.reader else TABLE


def _wanted(
    context: CommandContext, read_model: LogRows, campaign: CampaignId, asked: Asked
) -> Callable[[RecordedEntry], bool]:
    """The filter of the entries that are asked for. Raises NotFound if there are none."""
    chosen: list[frozenset[EntryNumber]] = []
    if asked.session is not None:
        lines = read_model.log(campaign, session=asked.session, everything=True)
        if not lines:
            last = max((line.session for line in read_model.log(campaign, last=1, everything=True)), default=0)
            raise NotFound(f"There is no session {asked.session}; the last one is {last}.")
        chosen.append(frozenset(line.entry for line in lines))
    if asked.where is not None:
        check_says_something(asked.where)
        chosen.append(fitting_entries(context, read_model, campaign, asked.where))
        if not chosen[-1]:
            hint = unknown_names(context, read_model, campaign, asked.where)
            raise NotFound(f"Nothing fits: {asked.where}. {hint}".rstrip())
    if not chosen:
        return everything
    numbers = frozenset.intersection(*chosen)
    if not numbers:
        raise NotFound(f"Nothing of session {asked.session} fits: {asked.where}.")
    return lambda entry: entry.number in numbers


def _export_lines(context: CommandContext, asked: Asked, path: Path) -> None:
    if asked.pseudonyms or asked.pictures:
        option = "--pseudonyms" if asked.pseudonyms else "--pictures"
        raise UsageError(f"JSON lines are the campaign as it was recorded, which its hashes prove: leave out {option}.")
    is_for_one = bool(asked.reader) and not asked.is_whole
    if is_for_one and asked.is_narrowed:
        option = "--session" if asked.where is None else "--where"
        raise UsageError(f"A file is for a reader or of what fits a filter, not both: leave out --for or {option}.")
    campaign = context.campaign()
    whose, shown = "", None
    with context.bar("Writing"):
        if asked.is_narrowed:
            context.project()
            whose, shown = (", those that fit", Reader(None, _wanted(context, context.read_model, campaign.id, asked)))
        elif is_for_one:
            seat = seat_named(campaign, asked.reader)
            whose, shown = f", as {seat or 'the table'} may see it", Reader(seat)
        if shown is None:
            report = export_campaign(campaign.session.log, path, overwrite=asked.overwrite)
        else:
            report = export_shown(campaign.session.log, path, shown, overwrite=asked.overwrite)
    if asked.is_piped:
        return
    if path.suffix not in EXPECTED_ENDINGS:
        context.warn(
            f"{asked.file} is JSON lines, whatever its name says; such files usually end in .jsonl. The log as text: rollbook log"
        )
    if report.verifier != str(path.with_name(VERIFIER)):
        context.warn(f"{path.with_name(VERIFIER)} is not the verifier, so it was left as it is.")
    if context.json:
        context.data(report)
        return
    context.print(
        f"{asked.file} holds {counted(report.entries, 'entry', 'entries')} of {report.campaign}{whose}.",
        f"Anybody can check it: python3 {quote(report.verifier)} {quote(asked.file)}",
        f"Receipt: {campaign.receipt()}",
        *campaign.session.rulebook.notices(campaign.state),
    )


@command()
@argument("file", kind=FileName(readable=False))
@option("--overwrite", is_flag=True, help="Replace a file of that name.")
def backup(context: CommandContext, file: str, overwrite: bool) -> None:
    """Copy the whole store to FILE: every campaign and timeline, while others play.

    The copy is read back and every history in it verified before it has its name. It also holds the seeds of dice that are not
    revealed yet, without which an open session could not go on: only you may read the file, so keep it to yourself. To
    give a campaign away, export it.

    \b
    rollbook backup sunday.db
    rollbook restore sunday.db      puts it back; what is in the store by then is kept beside it
    """
    path = context.store_file("Copy it with pg_dump, or into a file with: rollbook store copy")
    if not path.exists():
        raise NotFound(f"There is no store at {path} yet, so there is nothing to copy.")
    store = SQLiteEventStore(path, create=False)
    try:
        with context.bar("Copying and checking"):
            made = make_backup(store, context.secrets(), Path(file), overwrite=overwrite)
    finally:
        store.close()
    for damage in made.damaged:
        context.warn(f"Damaged in the store, and in the backup as it is there: {damage}")
    if context.json:
        context.data(made)
        return
    context.print(f"{file} holds {what_it_holds(made.campaigns, made.entries)}, read back and checked.")
    if made.sessions:
        context.print(f"It also holds the secret seeds of {counted(made.sessions, 'session')}: keep it to yourself.")
    context.print(f"To go back to it: rollbook restore {quote(file)}")
