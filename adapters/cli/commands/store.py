"""store: commands about a store as a whole."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import attrs
import click

from rollbook.adapters.backups.backing_up import is_backup
from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.declared_commands import clicked
from rollbook.adapters.cli.errors import Exit, ReportedFailure
from rollbook.adapters.cli.paged_help import PagedHelp
from rollbook.adapters.cli.parameters import FileName, StoreName, shared_parameters
from rollbook.adapters.line_commands.context import HOW_TO_START
from rollbook.adapters.line_commands.declared import argument, command, option
from rollbook.adapters.line_commands.styled import Text
from rollbook.adapters.local_files import paths
from rollbook.adapters.local_files.own_files import named
from rollbook.adapters.local_files.seeds import SeedKeeper
from rollbook.adapters.presentation.plain_text import printable
from rollbook.adapters.storage.postgres.server import driver, open_secrets, open_server
from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.adapters.wiring import open_book
from rollbook.application.history.timeline_marker import is_timeline
from rollbook.application.keeping.copying import Copied, Side, StoreCopy
from rollbook.application.keeping.verifying import StreamAudit
from rollbook.application.keeping.verifying import verify as audits_of
from rollbook.application.ports.rules_in_force import SHOWN, RulesHere, RulesInForce, compare
from rollbook.application.ports.store_address import ServerAddress
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.audit.chain_audit import CHAIN
from rollbook.domain.base.errors import NotFound, RollbookError
from rollbook.domain.base.number_words import counted


@command()
@argument("source", metavar="FROM", kind=StoreName(dir_okay=False))
@argument("target", metavar="TO", kind=StoreName(dir_okay=False))
@option("--leave-seeds", is_flag=True, help="Leave the dice where they are: the copy is only to be looked at.")
def copy(cli: CliContext, source: str, target: str, leave_seeds: bool) -> None:
    """Copy the whole store FROM to the store TO, and compare them byte for byte.

    All campaigns go there, with timelines, tombstones and what commands are known by. TO is empty, or holds what was copied
    from FROM before: stopped at any moment, the copy goes on when it is said again. The unrevealed seeds go along, so open
    sessions are played on in TO; in FROM no more dice fall in them. Links to seats are made again.

    \b
    rollbook store copy rollbook.db postgresql://rollbook@db.example/rollbook
    rollbook store verify --store postgresql://rollbook@db.example/rollbook
    """
    with _opened(source, create=False) as here, _opened(target, create=True) as there:
        copying = StoreCopy(here, there, with_seeds=not leave_seeds)
        try:
            with cli.bar("Copying"):
                copying.make()
            with cli.bar("Comparing"):
                copied = copying.compare()
        except KeyboardInterrupt:
            cli.warn(
                f"Stopped. {counted(copying.new, 'entry', 'entries')} came to {there.name}; say the same again to go on."
            )
            raise ReportedFailure(Exit.ABORTED) from None
        sessions = 0 if copied.behind else copying.hand_over()
    _say(cli, copied, sessions, here.name, there.name)


@contextmanager
def _opened(given: str, *, create: bool) -> Iterator[Side]:
    """Open one of the two stores, with the secrets kept beside it."""
    place = paths.store_path(given)
    if not isinstance(place, Path):
        with closing(open_server(place)) as shared:
            yield Side(shared, open_secrets(place, shared.identity(), paths.seeds_folder()), str(place))
        return
    if not create and is_backup(place):
        raise RollbookError(f"{named(place)} is a backup, with seeds in it. Restore it first; then copy the store.")
    with closing(SQLiteEventStore(place, create=create)) as store:
        yield Side(store, SeedKeeper(paths.seeds_folder()).of_store(store.identity()), named(place), place)


def _say(cli: CliContext, copied: Copied, sessions: int, source: str, target: str) -> None:
    for damage in copied.damaged:
        cli.warn(f"Left out, because it is damaged: {damage}")
    if cli.json:
        cli.data({"source": source, "target": target, "sessions": sessions, "copied": copied})
    else:
        cli.print(f"{target} holds {_contents(copied)}, of which {copied.new:,} are new.")
        if not copied.behind and not copied.damaged:
            cli.print(f"Compared byte for byte with {source}: the same. Digest {copied.digest}")
        if sessions:
            cli.print(f"The dice of {counted(sessions, 'session')} fall there from now on, and here no more.")
        if copied.campaigns:
            cli.print("Links to seats stay behind. Make them again there: rollbook seat-link CAMPAIGN SEAT")
    if copied.behind:
        cli.warn(
            f"{counted(copied.behind, 'entry', 'entries')} came to {source} meanwhile. Say it again when nobody plays there."
        )
        raise ReportedFailure(Exit.CONFLICT)
    if copied.damaged:
        raise ReportedFailure(Exit.INTEGRITY)


def _contents(copied: Copied) -> str:
    timelines = f", {counted(copied.timelines, 'timeline')}" if copied.timelines else ""
    stones = f", {counted(copied.tombstones, 'tombstone')}" if copied.tombstones else ""
    entries = f"{copied.entries:,} {'entry' if copied.entries == 1 else 'entries'}"
    return f"{counted(copied.campaigns, 'campaign')}{timelines}{stones}: {entries}"


@command()
@argument("file", kind=FileName(), metavar="FILE")
@option("--add", is_flag=True, help="Put the new key before those in FILE, which still decrypt.")
def key(cli: CliContext, file: str, add: bool) -> None:
    """Make a key for the secrets of a store on a PostgreSQL server, in FILE, which only you may read.

    Seeds of dice that are not revealed lie in the database encrypted. Every node needs the same file, named by
    ROLLBOOK_SEED_KEY_FILE; the database must never have it. Keep a copy elsewhere: without it open sessions lose their dice.

    \b
    rollbook store key /etc/rollbook/seed-key        once for a store
    rollbook store key /etc/rollbook/seed-key --add  a new key in the place of one that others have seen
    """
    path = Path(file)
    with driver():
        from rollbook.adapters.storage.postgres.keys import write_key
    write_key(path, add=add)
    cli.tell(
        {"file": str(path.absolute()), "added": add},
        f"{named(path)} has a new key. Give every node this file, and name it there: "
        f"ROLLBOOK_SEED_KEY_FILE={named(path.absolute())}",
    )


def _server(cli: CliContext, otherwise: str) -> ServerAddress:
    """The server of the store. Raises RollbookError for a file, with the reason in ``otherwise``."""
    if isinstance(cli.store_path, ServerAddress):
        return cli.store_path
    raise RollbookError(f"This store is a file, which {otherwise}")


@command()
@option("--program", default="rollbook", metavar="ROLE", shows_default=True, help="The role that rollbook plays under.")
def migrate(cli: CliContext, program: str) -> None:
    """Make the tables of a store in a PostgreSQL database, or bring them up to date.

    Name the database with --store, as the role that is to own the tables. The program plays under another role, which this
    command gives its rights: it may read and add, and change nothing. Say it once, and again after an update of rollbook.

    \b
    rollbook --store postgresql://owner@db.example/rollbook store migrate
    """
    place = _server(cli, "needs no tables made. Name a database: --store postgresql://…")
    with driver():
        from rollbook.adapters.storage.postgres import upkeep
    upkeep.migrate(place.given, program)
    said = f"{place} is ready; the program plays there as {program}."
    cli.tell({"store": str(place), "program": program}, said)


@command()
@option("--adopt", is_flag=True, help="Put the files of this computer in force for all, where they differ.")
def rules(cli: CliContext, *, adopt: bool) -> None:
    """The rulesets of a store that several computers share, and whether this computer has the files that it is played by.

    A computer whose files differ reads and does not play. Install an update on all of them, then put it in force on one:

    \b
    rollbook store rules --adopt
    """
    book = cli.book()
    in_store = book.surroundings.rules
    if in_store is None:
        raise RollbookError(
            "This store is a file that one computer plays on, with the rules it has; nothing is to be agreed on."
        )
    known = {**dict.fromkeys(("", *book.registry.keys), ""), **in_store.all()}
    found = list(compare(known, book.registry.keys, book.rulebook.fingerprint_of))
    if adopt:
        found = [_adopted(in_store, each) for each in found]
    if cli.json:
        cli.data(*({"ruleset": each.ruleset, "here": each.own, "in_force": each.in_force} for each in found))
        return
    for each in found:
        cli.print(f"{each.ruleset or 'without a ruleset'}: {_said_of(each)}")


def _adopted(in_store: RulesInForce, rules: RulesHere) -> RulesHere:
    """The rules after those of this computer were put in force, if it has others and knows them."""
    if not rules.own or rules.in_force in ("", rules.own):
        return rules
    return attrs.evolve(rules, in_force=in_store.put(rules.ruleset, rules.own, rules.in_force))


def _said_of(rules: RulesHere) -> str:
    if not rules.in_force:
        return "not played yet"
    if rules.own == rules.in_force:
        return f"{rules.in_force[:SHOWN]}, the same here"
    here = f"other files here ({rules.own[:SHOWN] or 'not known'})" if rules.is_installed else "not installed here"
    return f"{rules.in_force[:SHOWN]}, {here}"


@command("set-back")
@option("--yes", is_flag=True, required=True, help="The database was restored to an earlier moment.")
def set_back(cli: CliContext, yes: bool) -> None:  # noqa: ARG001 - required, so that it is not typed by chance
    """Say that the database of a store was restored to an earlier moment, before it is played on.

    Say it once, as the role that owns the tables, before the nodes start. They make their read models again. Sessions that were
    open roll no more dice, because some may have been seen after that moment: close them, which reveals their seeds, and
    open others.

    \b
    rollbook --store postgresql://owner@db.example/rollbook store set-back --yes
    """
    place = _server(cli, "is set back with: rollbook restore FILE")
    with driver():
        from rollbook.adapters.storage.postgres import upkeep
    times, sessions = upkeep.note_set_back(place.given)
    cli.tell(
        {"store": str(place), "times": times, "sessions": sessions},
        f"Noted at {place}. {counted(sessions, 'open session')} will roll no more dice: close them and open others.",
    )


@command()
def vacuum(cli: CliContext) -> None:
    """Wipe what redact and delete-campaign removed from the files of a PostgreSQL server.

    Name the database with --store, as the role that owns the tables: they are written again without what was removed, and who
    writes meanwhile waits. The server's log, its standbys and its backups hold removed words for longer. A store in a file is
    wiped at every removal.
    """
    place = _server(cli, "is wiped at every removal. Name a database: --store postgresql://…")
    with driver():
        from rollbook.adapters.storage.postgres import upkeep
    with cli.bar("Writing the tables again"):
        wiped = upkeep.vacuum(place.given)
    cli.tell({"store": str(place), "wiped": wiped}, f"{counted(wiped, 'removal')} wiped from the tables at {place}.")


@command()
@option(
    "--processes", kind=click.IntRange(1, 256), default=None, help="How many audit at once, if not one a processor."
)
def verify(cli: CliContext, processes: int | None) -> None:
    """Audit every campaign and timeline in the store: chain, dice and rules, as audit does for one.

    Said is a line for each that fails or lacks entries that this computer has seen, one for each picture that is missing, and a
    summary. With --json: an object for
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
            _say_audit(cli, audit)
    for stream, said in ((audit.stream, said) for audit in audits for said in audit.pictures):
        cli.tell({"stream": stream, "picture": said}, printable(f"{stream}: {said}."))
    failed = sum(not audit.is_good for audit in audits)
    _summarize(cli, audits, failed)
    if failed:
        raise ReportedFailure(Exit.INTEGRITY)


def _say_audit(cli: CliContext, audit: StreamAudit) -> None:
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
    cli.print(Text(printable(f"{audit.stream} {verdict}. {'; '.join(found)}"), colour))


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


COMMANDS = {
    migrate: "Make the tables of a store on a PostgreSQL server, or bring them up to date.",
    vacuum: "Wipe what was removed from the files of a PostgreSQL server.",
    key: "Make a key for the secret dice of a store on a PostgreSQL server.",
    copy: "Copy a whole store to another one, of whatever kind.",
    set_back: "Say that the database was restored to an earlier moment.",
    verify: "Audit every campaign and timeline in the store, several at a time.",
    rules: "Which rules are in force where several computers share a store.",
}
"""Each command, and its line in ``rollbook store --help``."""


class StoreGroup(PagedHelp, click.Group):
    """The commands about stores."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click asks so
        return list(self.commands)


@click.group(cls=StoreGroup)
@shared_parameters
def store() -> None:
    """Commands for a store as a whole."""


for each, short_help in COMMANDS.items():
    store.add_command(clicked(each))
    clicked(each).short_help = short_help
