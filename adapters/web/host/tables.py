"""The host's page: all tables with who is on and how large they are, new tables and links, and deleting one for good."""

from collections.abc import Iterator, Mapping

import attrs
from starlette.responses import Response

from rollbook.adapters.storage.entry_reading import EntryTables
from rollbook.adapters.web.pages.moments import when
from rollbook.adapters.web.pages.page import RequestContext, redirect, render_form
from rollbook.application.after_commit import is_committed
from rollbook.application.book import Book
from rollbook.application.host_settings import HostSettings, limit_entries, settings_of
from rollbook.application.keeping.deleting import delete_campaign, stone_of
from rollbook.application.keeping.hosting import WantedTable, begin_table, check_wanted, invite, seat_for
from rollbook.application.ports.seat_links import SeatLink, SeatLinks
from rollbook.domain.base.errors import NotFound, Refused, RollbookError
from rollbook.domain.base.identifiers import CampaignId
from rollbook.domain.base.number_words import counted
from rollbook.domain.base.records import Record
from rollbook.domain.events import Role

PAGE = 100
"""Tables on one page: the size of each is read."""


@attrs.frozen(kw_only=True)
class TableRow(Record):
    """A table as its host sees it, without anything that happens there.

    ``limit`` is the number of entries that it may have, 0 for any. ``links`` are good ones, with those of GMs first, and
    ``people`` what those in seats are called.
    """

    id: CampaignId
    name: str
    game: str = ""
    gms: tuple[str, ...] = ()
    on: int = 0
    entries: int = 0
    size: int = 0
    limit: int = 0
    links: tuple[SeatLink, ...] = ()
    people: Mapping[str, str] = attrs.field(factory=dict)
    fault: str = ""


def links_of(context: RequestContext) -> SeatLinks:
    """The links of the store."""
    return context.services.sessions.links


def show(context: RequestContext, fault: RollbookError | None = None, **values: object) -> Response:
    """Show the tables, a page of them at a time; ``new`` is a link that was made just now."""
    book, settings = context.view.book, _settings(context)
    names, sent = book.campaigns(), context.request.query.get("from", "0")
    first = int(sent) if sent.isdecimal() and len(sent) < 8 else 0
    shown = names[first : first + PAGE]
    usual: dict[str, object] = {"new": None, "typed": {"name": "", "gm": "", "ruleset": ""}}
    return render_form(
        context,
        "host/tables.html",
        fault,
        tables=[_row(context, book, name, settings) for name in shown],
        many=len(names),
        first=first,
        following=first + PAGE if first + PAGE < len(names) else 0,
        settings=settings,
        limits=context.services.limits,
        backup=_last_backup(book),
        is_server=not book.location,
        hosts=[link for link in links_of(context).of("", "") if link.is_of_hosts_page and link.is_good],
        games=book.registry.keys,
        when=when,
        **{**usual, **values},
    )


def _settings(context: RequestContext) -> HostSettings:
    return settings_of(context.view.book.seeds.host_notes())


def _last_backup(book: Book) -> str:
    made = [copy.at for copy in book.seeds.copies(book.location)] if book.location else []
    return when(max(made, default=0))


def _row(context: RequestContext, book: Book, name: CampaignId, settings: HostSettings) -> TableRow:
    entries, size = book.store.size(name) if isinstance(book.store, EntryTables) else (book.store.head(name), 0)
    hub = context.services.hub
    row = TableRow(
        id=name, name=name, on=hub.listening_to(name), entries=entries, size=size, limit=settings.limit_of(name)
    )
    try:
        state = context.view.worker.glance(name).state
    except RollbookError as fault:
        return attrs.evolve(row, fault=str(fault))
    gms = tuple(seat for seat in state.seats.values() if seat.present and seat.role is Role.GM)
    good = [link for link in links_of(context).of(name, state.identity) if link.is_good]
    return attrs.evolve(
        row,
        name=state.name,
        game=f"{state.ruleset} {state.version}".strip(),
        gms=tuple(seat.shown for seat in gms),
        people={seat.name: seat.shown for seat in state.seats.values()},
        links=tuple(sorted(good, key=lambda link: link.seat not in {seat.name for seat in gms})),
    )


def begin(context: RequestContext) -> Response:
    """Begin a table, and show the link of its GM."""
    book, typed = (context.view.book, {name: context.request.sent(name).strip() for name in ("name", "gm", "ruleset")})
    try:
        (wanted,) = check_wanted(book, [WantedTable(**typed)], _settings(context))
        book.free(wanted.name)
        begun = begin_table(book, links_of(context), wanted)
    except RollbookError as fault:
        if is_committed():
            raise
        return show(context, fault, typed=typed)
    return show(context, new={"seat": wanted.gm, "address": address(context, begun.token), "name": wanted.name})


def address(context: RequestContext, token: str) -> str:
    """The address of a link, at the name by which the tables are reached."""
    url = context.request.http.url
    return f"{(links_of(context).addresses() or (f'{url.scheme}://{url.netloc}',))[0]}/join/{token}"


def make_link(context: RequestContext) -> Response:
    """Make a link to a GM's seat, for a GM who has lost theirs."""
    try:
        campaign = context.view.book.campaign(_sent_table(context))
        seat, _ = seat_for(campaign, context.request.sent("seat").strip(), Role.GM)
        token = invite(links_of(context), campaign, seat)
    except RollbookError as fault:
        if is_committed():
            raise
        return show(context, fault)
    return show(
        context,
        new={"seat": campaign.state.seats[seat].shown, "address": address(context, token), "name": campaign.state.name},
    )


def _sent_table(context: RequestContext) -> CampaignId:
    """The campaign that a form names, by its id. Raises NotFound."""
    name = context.request.sent("campaign")
    if name not in context.view.book.campaigns():
        raise NotFound(f"There is no campaign {name[:80]!r} here.")
    return name


def limit(context: RequestContext) -> Response:
    """Give a table a limit of entries of its own; nothing typed is that of all tables."""
    sent = context.request.sent("entries").strip()
    try:
        name = _sent_table(context)
        if sent and not (sent.isascii() and sent.isdecimal() and len(sent) < 10):
            raise Refused("Give a number of entries, 0 for any, or nothing for the limit of all tables.")
        limit_entries(context.view.book.seeds.host_notes(), name, int(sent) if sent else None)
    except RollbookError as fault:
        return show(context, fault)
    return redirect("/host")


def revoke(context: RequestContext) -> Response:
    """End a link of a host or of a table."""
    book, number, name = context.view.book, context.request.sent("link"), context.request.sent("campaign")
    try:
        identity = book.campaign(_sent_table(context)).state.identity if name else ""
    except RollbookError as fault:
        return show(context, fault)
    known = {str(link.number) for link in links_of(context).of(name, identity)}
    if number not in known:
        return show(context, NotFound("There is no such link any more. Load the page again."))
    links_of(context).revoke(int(number))
    return redirect("/host")


def look_before_deleting(context: RequestContext, fault: RollbookError | None = None) -> Response:
    """Show what would be deleted, and what keeps it for longer."""
    name = context.request.query.get("campaign", "") or context.request.sent("campaign")
    book = context.view.book
    if name not in book.campaigns():
        return show(context, NotFound(f"There is no campaign {name[:80]!r} here."))
    try:
        stone = stone_of(book, name)
    except RollbookError as wrong:
        return show(context, wrong)
    return render_form(
        context,
        "host/delete.html",
        fault,
        campaign=name,
        entries=stone.entries,
        hash=stone.hash,
        timelines=len(book.timelines(name)),
        remains="".join(remains(book)),
    )


def remains(book: Book) -> Iterator[str]:
    """Sentences on where removed content stays for longer."""
    if not book.location:
        yield (
            "PostgreSQL's pages hold it until 'rollbook store vacuum'; its log, the log's archive, base backups and dumps hold "
            "it for as long as you keep them. The timer in deploy/ keeps them for 14 days. "
        )
    backups = book.backups_since(0)
    if backups:
        yield f"These backups hold it until you delete them: {', '.join(backups)}. "
    yield "Exports that people have made are theirs. "


def delete(context: RequestContext) -> Response:
    """Delete a campaign for good, once its name was typed. A tombstone stays."""
    book = context.view.book
    try:
        name = _sent_table(context)
        if context.request.sent("typed").strip() != name:
            return look_before_deleting(context, Refused(f"Type {name} to delete it. Nothing was deleted."))
        done = delete_campaign(book, stone_of(book, name))
    except RollbookError as fault:
        return show(context, fault)
    also = f" and {counted(done.timelines, 'timeline')}" if done.timelines else ""
    many = counted(done.stone.entries, "entry", "entries")
    said = f"{name} is deleted, with {many}{also}. Its last hash was {done.stone.hash}."
    return show(context, said=f"{said} {''.join(remains(book))}")
