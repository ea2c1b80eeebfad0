"""host: commands of one who hosts many tables for others."""

import csv
import io
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import attrs
import click

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.declared_commands import clicked
from rollbook.adapters.cli.paged_help import PagedHelp
from rollbook.adapters.cli.parameters import FileName, shared_parameters
from rollbook.adapters.line_commands.declared import Words, argument, command, option
from rollbook.adapters.line_commands.options import suggest_rulesets
from rollbook.adapters.local_files.own_files import named, said_of
from rollbook.application.host_settings import HostSettings, change_settings, limit_entries, settings_of
from rollbook.application.keeping.hosting import WantedTable, begin_table, check_wanted, invite, seat_for
from rollbook.application.keeping.persons import Forgotten, person_at
from rollbook.application.keeping.persons import forget as forget_person
from rollbook.application.ports.seat_links import SeatLinks
from rollbook.domain.base.errors import Refused, RollbookError
from rollbook.domain.base.number_words import counted
from rollbook.domain.events import Role
from rollbook.domain.rules.value_checks import check_name

NOT_SERVED = "http://127.0.0.1:7655"
"""Address of tables that have not been served yet."""
COLUMNS = ("name", "ruleset", "gm", "zone")
LIMIT = click.IntRange(0, 1_000_000)


@contextmanager
def _links(cli: CliContext) -> Iterator[SeatLinks]:
    with closing(cli.book(create=isinstance(cli.store_path, Path)).seeds.links()) as links:
        yield links


def _address(links: SeatLinks, token: str) -> str:
    return f"{(links.addresses() or (NOT_SERVED,))[0]}/join/{token}"


@command()
@argument("name")
@option("--self-service", kind=LIMIT, default=None, help="How many campaigns a GM may begin alone; 0: none.")
@option("--most-tables", kind=LIMIT, default=None, help="How many campaigns the store may have; 0: any number.")
@option("--most-entries", kind=LIMIT, default=None, help="How many entries a campaign may have; 0: any number.")
def init(
    cli: CliContext, name: str, self_service: int | None, most_tables: int | None, most_entries: int | None
) -> None:
    """A link to the host's page for NAME, from any computer, and what hosts allow here.

    The page lists the tables and gives and revokes links; it shows nothing that happens at a table. The link is shown now and
    never again, and is kept as a seat's is. Say it again for another host, or to change what is allowed.

    \b
    rollbook host init Clara --self-service 2 --most-tables 60 --most-entries 50000
    """
    check_name(name, what="A host's name")
    given = {"self_service": self_service, "most_tables": most_tables, "most_entries": most_entries}
    changed: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    with _links(cli) as links:
        notes = cli.book().seeds.host_notes()
        if changed:
            change_settings(notes, lambda settings: attrs.evolve(settings, **changed))
        _, token = links.make_for_hosts_page(name)
        settings, link = settings_of(notes), _address(links, token)
    allowed = {key: getattr(settings, key) for key in given}
    cli.tell({"link": link, "host": name, **allowed}, link, _in_words(settings))


@command("limit")
@argument("campaign")
@argument("entries", kind=click.IntRange(0, 999_999_999), required=False)
def limit_(cli: CliContext, campaign: str, entries: int | None) -> None:
    """Let CAMPAIGN have so many ENTRIES, whatever holds for the others; without a number that holds for it too.

    At its limit a campaign is read and exported as ever. Undoing, closing a session, leaving, removals and the X-card are
    recorded; all else is refused with a sentence. Other nodes know of it within seconds.

    \b
    rollbook host limit sherwood 80000
    rollbook host limit sherwood 0
    rollbook host limit sherwood
    """
    book = cli.book()
    key = book.campaign(campaign).id
    limit_entries(book.seeds.host_notes(), key, entries)
    most = settings_of(book.seeds.host_notes()).limit_of(key)
    has = f"{key} has {counted(book.store.head(key), 'entry', 'entries')} and may have"
    cli.tell({"campaign": key, "most_entries": most}, f"{has} {f'{most:,}' if most else 'any number'}.")


def _in_words(settings: HostSettings) -> str:
    tables = f"at most {counted(settings.most_tables, 'table')}" if settings.most_tables else "any number of tables"
    own = f"GMs may begin {settings.self_service} each" if settings.self_service else "hosts begin them"
    entries = f"at most {settings.most_entries:,}" if settings.most_entries else "any number of"
    return f"Here are {tables} of {entries} entries, and {own}."


@command()
@argument("file", kind=FileName(dir_okay=False))
@option("--ruleset", metavar="KEY", default="", suggest=suggest_rulesets, help="The game of lines that name none.")
def tables(cli: CliContext, file: str, ruleset: str) -> None:
    """Begin a campaign for each line of FILE, a CSV with the columns name, gm, ruleset and zone, and print the GMs' links.

    All lines are checked before the first is carried out. Printed is a CSV: campaign, gm, link. A campaign that is here already
    is left as it is; its GM gets a link only if there is none yet. So a file that was stopped half-way is said again.

    \b
    rollbook host tables tables.csv --ruleset srd5 > links.csv
    """
    wanted = list(_read(Path(file), ruleset))
    with _links(cli) as links:
        book = cli.book()
        checked = check_wanted(book, wanted, settings_of(book.seeds.host_notes()))
        if not cli.json:
            cli.print(_line("campaign", "gm", "link"))
        new = 0
        for each in checked:
            begun = begin_table(book, links, each)
            new += begun.is_new
            link = _address(links, begun.token) if begun.token else ""
            if cli.json:
                cli.data({"campaign": begun.campaign.id, "gm": begun.called, "link": link, "is_new": begun.is_new})
            else:
                cli.print(_line(begun.campaign.id, begun.called, link))
    if new < len(checked):
        cli.warn(f"{counted(len(checked) - new, 'campaign')} had been begun before.")


def _line(*values: str) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(values)
    return line.getvalue()


def _read(path: Path, ruleset: str) -> Iterator[WantedTable]:
    """The tables of a CSV, which a spreadsheet may have written with commas, semicolons or tabs."""
    with said_of(path, "nothing was begun"):
        text = path.read_text(encoding="utf-8-sig")
    first = text.partition("\n")[0]
    sign = max(",;\t", key=first.count)
    rows = csv.DictReader(io.StringIO(text), delimiter=sign)
    columns = [(column or "").strip().casefold() for column in rows.fieldnames or ()]
    if not {"name", "gm"} <= set(columns):
        raise RollbookError(
            f"The first line of {named(path)} has to name the columns: name, gm, and if need be ruleset and zone."
        )
    rows.fieldnames = columns
    for row in rows:
        said = {column: (row.get(column) or "").strip() for column in COLUMNS}
        if any(said.values()):
            yield WantedTable(**{**said, "ruleset": said["ruleset"] or ruleset})


@command("invite")
@argument("campaign")
@argument("names", nargs=-1, metavar="NAME…")
@option("--role", kind=click.Choice([role.value for role in Role]), default=Role.PLAYER.value, shows_default=True)
def invite_(cli: CliContext, campaign: str, names: Words, role: str) -> None:
    """Links to seats of CAMPAIGN for people by their names. Who has no seat yet gets one.

    \b
    rollbook host invite sherwood Mira Jo Ash
    rollbook host invite sherwood Nora --role gm
    """
    if not names:
        raise click.UsageError("Name who is invited: rollbook host invite sherwood Mira Jo")
    for name in names:
        check_name(name, what="A seat's name")
    with _links(cli) as links:
        opened = cli.book().campaign(campaign)
        if opened.session.timeline is not None:
            raise Refused(f"{opened.id} is a timeline; links lead to the campaign itself.")
        for name in names:
            seat, _ = seat_for(opened, name, Role(role))
            link = _address(links, invite(links, opened, seat))
            called = opened.state.seats[seat].shown
            cli.tell({"campaign": opened.id, "seat": called, "link": link}, _line(opened.id, called, link))


@command()
@argument("name")
@option("--yes", is_flag=True, help="Remove it; without this you see what would go.")
def forget(cli: CliContext, name: str, yes: bool) -> None:
    """Remove the person called NAME from all tables for good, with marks in the place of what goes.

    Links end, the words of the person's notes go, the seat leaves the table and is called by a number. At tables whose names can
    be removed (see: rollbook help safety) the name goes too. At others it stays in stored envelopes, which the hashes prove. What
    others wrote stays; entries that have the name are counted.

    \b
    rollbook host forget Gina
    rollbook host forget Gina --yes
    """
    with _links(cli) as links:
        book = cli.book()
        for person in person_at(book, links, name):
            if yes:
                done = forget_person(book, links, person)
                cli.tell(attrs.asdict(done), _forgotten(done))
            else:
                found = {"campaign": person.campaign, "seat": person.shown, "is_apart": person.is_apart}
                about = "can be removed" if person.is_apart else "stays in stored envelopes"
                many = f"{counted(len(person.actions), 'action')}, {counted(len(person.notes), 'note')} with words"
                cli.tell(found, f"{person.campaign}: {person.shown}, {many}; the name {about}.")
    if not yes:
        cli.warn("Nothing was removed. It cannot be undone: say it again with --yes.")


def _forgotten(done: Forgotten) -> str:
    gone = f"{counted(done.notes, 'note')}, {counted(done.names, 'name')} and {counted(done.links, 'link')} are gone"
    stays = f" The name stays in {counted(done.stays_in, 'entry', 'entries')}." if done.stays_in else ""
    kept = f" These backups hold it: {', '.join(done.backups)}." if done.backups else ""
    fault = f" Not done: {done.fault}" if done.fault else ""
    return f"{done.campaign}: called {done.called} now; {gone}.{stays}{kept}{fault}"


COMMANDS = {
    init: "A link to the host's page, and what hosts allow.",
    tables: "Begin the campaigns of a CSV, with links for their GMs.",
    invite_: "Seats and links for people by their names.",
    limit_: "How many entries a campaign may have.",
    forget: "Remove a person from all tables for good.",
}
"""Each command, and its line in ``rollbook host --help``."""


class HostGroup(PagedHelp, click.Group):
    """The commands of a host."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click asks so
        return list(self.commands)


@click.group(cls=HostGroup)
@shared_parameters
def host() -> None:
    """Commands of one who hosts tables for others."""


for each, short_help in COMMANDS.items():
    host.add_command(clicked(each))
    clicked(each).short_help = short_help
