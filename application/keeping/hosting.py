"""Hosting: many tables begun at once, each with a link for its GM."""

from collections.abc import Iterable, Iterator
from functools import partial

import attrs

from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.host_settings import HostSettings, change_settings
from rollbook.application.lines.verb_line import find_seat
from rollbook.application.ports.seat_links import SeatLinks
from rollbook.application.ports.seed_store import TableNotes
from rollbook.domain.base.errors import Refused, RollbookError
from rollbook.domain.base.records import Record
from rollbook.domain.events import Role
from rollbook.domain.rules.value_checks import check_name
from rollbook.domain.state.lookup import slug


@attrs.frozen(kw_only=True)
class WantedTable(Record):
    """A table that is to be begun: the campaign's name, its ruleset and time zone ("" for this computer's), and the GM's name."""

    name: str
    ruleset: str
    gm: str
    zone: str = ""


@attrs.frozen(kw_only=True)
class BegunTable(Record):
    """A table with the token of its GM's link, "" if the GM has one. ``is_new`` is false if it had been begun before."""

    campaign: Campaign
    gm: str
    token: str
    is_new: bool

    @property
    def called(self) -> str:
        """The name that people call the GM by."""
        return self.campaign.state.seats[self.gm].shown


def check_wanted(book: Book, wanted: Iterable[WantedTable], settings: HostSettings) -> tuple[WantedTable, ...]:
    """Check tables before the first is begun. Raises Refused that names every fault and its line, counted from 1."""
    tables, faults, seen = tuple(wanted), [], dict[str, int]()
    for number, table in enumerate(tables, start=1):
        faults += [f"Line {number}: {why}" for why in _faults(book, table)]
        key = slug(table.name)
        if key in seen:
            faults.append(f"Line {number}: {table.name} is in line {seen[key]} already.")
        seen.setdefault(key, number)
    known = set(book.campaigns())
    new = sum(key not in known for key in seen)
    if settings.most_tables and len(known) + new > settings.most_tables:
        faults.append(f"There are {len(known)} tables, and with these there would be more than {settings.most_tables}.")
    if faults:
        raise Refused(" ".join(faults))
    return tables


def _faults(book: Book, table: WantedTable) -> Iterator[str]:
    try:
        check_name(table.name, what="A campaign's name")
        check_name(table.gm, what="A seat's name")
        book.ruleset(table.ruleset)
    except RollbookError as fault:
        yield str(fault)
    if not slug(table.name):
        yield "A campaign needs a name with letters or digits in it."
    if not table.gm.strip():
        yield "A table needs the name of its GM."


def begin_table(book: Book, links: SeatLinks, wanted: WantedTable) -> BegunTable:
    """Begin a table, or go on with one that was begun before: its GM has a seat and a link afterwards."""
    key, begin = slug(wanted.name), partial(book.new, removable_names=True)
    is_new = not book.store.head(key)
    campaign = begin(wanted.name, wanted.ruleset, zone=wanted.zone) if is_new else book.campaign(key)
    gm, is_seated = seat_for(campaign, wanted.gm.strip(), Role.GM)
    known = () if is_seated else links.of(campaign.id, campaign.state.identity)
    has_link = any(link.seat == gm and link.is_good for link in known)
    return BegunTable(campaign=campaign, gm=gm, token="" if has_link else invite(links, campaign, gm), is_new=is_new)


def seat_for(campaign: Campaign, name: str, role: Role) -> tuple[str, bool]:
    """Give somebody a seat in a role, if there is none of that name. Returns the seat, and whether it was taken just now.

    Raises Refused if somebody of that name sits there in another role.
    """
    known = campaign.state.seats.get(find_seat(campaign.state, name))
    if known is not None and known.role is not role:
        raise Refused(
            f"{known.shown} sits in {campaign.id} as {known.role.value}. Name somebody else, or say that role."
        )
    if known is not None and known.present:
        return known.name, False
    campaign.do("take-seat", {"seat": name, "role": role.value})
    return find_seat(campaign.state, name), True


def invite(links: SeatLinks, campaign: Campaign, seat: str) -> str:
    """The token of a new link to a seat."""
    return links.make(campaign.id, campaign.state.identity, seat)[1]


def begin_own(book: Book, links: SeatLinks, notes: TableNotes, wanted: WantedTable, by: str) -> BegunTable:
    """Begin a table for a GM by self-service. ``by`` is the seat that asks, with its campaign's identity.

    Raises Refused if the host does not allow it, or no more.
    """

    def counted(settings: HostSettings) -> HostSettings:
        check_wanted(book, [wanted], settings)
        book.free(wanted.name)
        if not settings.self_service:
            raise Refused("The host begins the campaigns here. Ask the host for one.")
        done = settings.begun.get(by, 0)
        if done >= settings.self_service:
            raise Refused(f"This seat has begun {done} campaigns, and the host allows no more. Ask the host.")
        return attrs.evolve(settings, begun={**settings.begun, by: done + 1})

    change_settings(notes, counted)
    return begin_table(book, links, wanted)
