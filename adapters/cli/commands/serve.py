"""serve and seat-link: the table in the browser, and a link by which somebody sits down at it."""

from __future__ import annotations

import logging
import os
import socket
import sys
import tempfile
import time
import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import click

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.script import DEMO_NAME, play_script, script_lines
from rollbook.adapters.line_commands.declared import Words, argument, command, option
from rollbook.adapters.line_commands.options import suggest_seats
from rollbook.adapters.local_files import paths
from rollbook.adapters.presentation.installing import install
from rollbook.application.lines.verb_line import find_seat
from rollbook.application.ports.seat_links import SeatLinks
from rollbook.domain.base.errors import Refused, RollbookError, StoreSilent, not_found
from rollbook.domain.rules.value_checks import check_name

if TYPE_CHECKING:
    from rollbook.adapters.web.serving.app import WebTable
    from rollbook.adapters.web.serving.listening import Place
    from rollbook.adapters.web.serving.metrics import Metrics
    from rollbook.adapters.web.serving.processes import Share
    from rollbook.application.ports.store_address import Place as StorePlace

NEEDED = ("starlette", "jinja2", "uvicorn", "python_multipart", "segno")
HOME, EVERYWHERE, PORT = "127.0.0.1", "0.0.0.0", 7655  # noqa: S104 - only where --lan asks for it
MOST = 8
"""Most processes that serve a table."""
NOT_SERVED = "http://127.0.0.1:7655"
"""Address of a table that has not been served yet."""
HALVES = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
"""The sign for a square above and one below. 1 is dark: light squares are drawn, as most terminals are dark."""
BORDER = 2


@command()
@option("--lan", is_flag=True, help="For everybody in the house network; prints the addresses and a QR code.")
@option("--host", default="", metavar="ADDRESS", help=f"The address to listen at, {HOME} without it.")
@option("--public", default="", metavar="URL", help="How the table is reached through a reverse proxy: https://…")
@option("--proxy", "proxies", multiple=True, metavar="ADDRESS", help="A proxy to believe; this computer without it.")
@option("--port", kind=click.IntRange(0, 65_535), default=PORT, shows_default=True, help="0: any that is free.")
@option("--demo", is_flag=True, help="Show an example session, in a store that is removed at the end.")
@option("--no-browser", is_flag=True, help="Open no browser; print the GM's link alone.")
@option("--processes", kind=click.IntRange(1, MOST), default=1, help="How many serve, at most one for each processor.")
@option("--metrics", default="", metavar="[HOST:]PORT", help="Answer Prometheus there; without HOST, here alone.")
@option("--log", kind=click.Choice(("text", "json")), default="text", help="json: a line an event, naming nobody.")
@option(
    "--drain",
    kind=click.FloatRange(0, 600),
    default=0,
    metavar="SECONDS",
    help="After SIGTERM serve on for so long, not ready.",
)
def serve(
    cli: CliContext,
    host: str,
    port: int,
    public: str,
    proxies: Words,
    lan: bool,
    demo: bool,
    no_browser: bool,
    processes: int,
    metrics: str,
    log: str,
    drain: float,
) -> None:
    """The table in the browser, for every campaign of the store. Ctrl-C stops it; nothing is lost.

    Other programs may use the store meanwhile, and every browser shows what they record.

    \b
    rollbook serve            on this computer alone; opens the browser as GM
    rollbook serve --lan      also for the telephones and tablets at the table
    rollbook serve --demo     with a session to look at
    rollbook serve --public https://table.example     behind Caddy or nginx: see rollbook help web
    """
    _check_installed()
    from rollbook.adapters.web.serving.listening import Place

    place = Place.named(host or (EVERYWHERE if lan else HOME), lan=lan, public=public, proxies=proxies)
    if log == "json":
        from rollbook.adapters.web.logs import log_as_json

        log_as_json()
    if processes > 1 and not hasattr(os, "fork"):
        raise RollbookError("This system cannot fork, so one process has to serve. Leave --processes out.")
    with _store(cli, demo=demo) as store:
        table = _Table(
            cli=cli,
            store=store,
            place=place,
            metrics=metrics,
            is_logged=log == "json",
            drain=drain,
            opens=not no_browser,
        )
        table.serve(port, processes)


def _check_installed(
    needed: tuple[str, ...] = NEEDED, extra: str = "web", what: str = "The table in the browser"
) -> None:
    missing = [name for name in needed if find_spec(name) is None]
    if missing:
        raise RollbookError(
            f"{what} needs what is not installed ({', '.join(missing)}). Install it with: {install(extra)}"
        )


@contextmanager
def _measured(where: str, number: int) -> Iterator[Metrics | None]:
    """Yield metrics, which answer Prometheus meanwhile; None if they were not asked for.

    Those of the process with a ``number`` are at as many ports after the one that is named.
    """
    if not where:
        yield None
        return
    _check_installed(("prometheus_client",), "hosting", "--metrics")
    from rollbook.adapters.web.serving.metrics import Metrics, MetricsServer

    host, port = _metrics_place(where, number)
    metrics = Metrics()
    try:
        answering = MetricsServer(metrics, host, port)
    except OSError as fault:
        raise RollbookError(
            f"Metrics cannot be at {host} port {port} ({fault.strerror}). Choose another with --metrics."
        ) from fault
    try:
        yield metrics
    finally:
        answering.stop()


def _metrics_place(where: str, number: int) -> tuple[str, int]:
    """Parse an address and port, and add a number to the port. Raises RollbookError for anything else."""
    host, _, port = where.rpartition(":")
    try:
        if not (port.isascii() and port.isdecimal() and int(port) + number <= 65_535):
            raise ValueError
        return str(ip_address(host.strip("[]") or HOME)), int(port) + (number if int(port) else 0)
    except ValueError:
        raise RollbookError(
            f"{where!r} is no address and port. Write it so: --metrics 9655, or --metrics 10.0.0.5:9655"
        ) from None


AGAIN = 2.0
"""Seconds between two attempts to open a store that does not answer."""


def _wait_for_store(cli: CliContext) -> None:
    """Open the store; wait for a server that does not answer, and say so once. Raises RollbookError for all else."""
    from rollbook.adapters.web.logs import note

    began = time.monotonic()
    is_said = False
    while True:
        try:
            cli.book(create=isinstance(cli.store_path, Path))
        except StoreSilent as fault:
            if not is_said:
                note(logging.WARNING, "store_awaited", f"{fault} It is asked again until it answers.")
            is_said = True
            time.sleep(AGAIN)
        else:
            if is_said:
                note(logging.WARNING, "store_back", "The store answers.", after=round(time.monotonic() - began, 1))
            return


@contextmanager
def _store(cli: CliContext, *, demo: bool) -> Iterator[tuple[StorePlace, Path]]:
    """Yield the store and the folder of its seeds. A missing file is made: campaigns are begun in the browser."""
    if not demo:
        _wait_for_store(cli)
        cli.close()
        yield cli.store_path, paths.seeds_folder()
        return
    with tempfile.TemporaryDirectory(prefix="rollbook-demo-", ignore_cleanup_errors=True) as folder:
        cli.store = str(Path(folder) / "demo.db")
        os.environ["ROLLBOOK_SEEDS"] = str(Path(folder) / "seeds")
        with cli.overriding(quiet=True):
            cli.json = False
            play_script(cli, script_lines(), DEMO_NAME)
            cli.campaign().do("open-session")  # so that dice can be tried at once
        cli.close()
        yield Path(cli.store), Path(folder) / "seeds"


@attrs.frozen(kw_only=True)
class _Table:
    """A table that is about to be served, in one process or several."""

    cli: CliContext
    store: tuple[StorePlace, Path]
    place: Place
    metrics: str
    is_logged: bool
    drain: float
    opens: bool

    def serve(self, port: int, processes: int) -> None:
        from rollbook.adapters.web.serving.listening import bound, raised
        from rollbook.adapters.web.serving.processes import Processes

        try:
            listening = bound(self.place.host, port)
        except OSError as fault:
            raise RollbookError(
                f"Nothing can listen at {self.place.host} port {port} ({fault.strerror}). "
                f"Choose another with --port, or --port 0 for any."
            ) from fault
        with listening:
            if processes > 1:
                raised()  # connections are open here, too, until they are passed on
                port = listening.getsockname()[1]
                Processes(listening, processes, partial(self._serve, port, ()), self.drain).run()
            else:
                self._serve(listening.getsockname()[1], (listening,))

    def _serve(self, port: int, listening: Sequence[socket.socket], share: Share | None = None) -> None:
        """Serve what connects to a socket, or, as one of several processes, what is passed to it."""
        from rollbook.adapters.web.logs import note
        from rollbook.adapters.web.serving.app import create_app
        from rollbook.adapters.web.serving.listening import Server

        with _measured(self.metrics, share.number if share else 0) as counts:
            app = create_app(*self.store, self.place.door, counts, is_one_of_many=share is not None)
            if counts is not None:
                app.show_in(counts.shows)
            app.sessions.links.note_addresses(self.place.addresses(port))
            speaks = share is None or not (share.number or share.is_again)
            if speaks and (self.cli.json or not self.is_logged):  # a link to sit down by belongs in no log
                _say_where(self.cli, app, self.place, port, opens=self.opens)
            note(logging.INFO, "started", "The table is served.", port=port)
            Server(app, self.place.host, port, self.drain, share=share).run([*listening])
            note(logging.INFO, "stopped", "The table has stopped.")


def _say_where(cli: CliContext, app: WebTable, place: Place, port: int, *, opens: bool) -> None:
    own, *others = reversed(place.addresses(port))
    link = f"{own}{app.sessions.host_link()}"
    if cli.json:
        cli.data({"link": link, "port": port, "addresses": others})
    else:
        cli.print(f"The GM's link, for this computer alone: {link}")
        for address in others:
            cli.print(f"For the others: {address}/")
            cli.print(*qr_lines(f"{address}/"))
        cli.print("Ctrl-C stops the table. Nothing is lost.")
    if opens:
        webbrowser.open(link)


@command("seat-link")
@argument("words", nargs=-1, metavar="[[CAMPAIGN] SEAT]", suggest=suggest_seats)
@option("--qr", is_flag=True, help="Also print the link as a QR code, for a telephone.")
@option("--revoke", is_flag=True, help="End all earlier links of that seat; who took one has to get a new one.")
def seat_link(cli: CliContext, words: Words, qr: bool, revoke: bool) -> None:
    """A new link to a seat, for the table that rollbook serve shows. Without a SEAT: the host's own, good for a day, here.

    The link is shown now and never again: only a digest of it is kept. Who opens it confirms with a button, and that browser
    keeps the seat for thirty days after each visit. A seat is made with: rollbook do take-seat NAME

    \b
    rollbook seat-link Ana                a link for Ana, in the campaign used last
    rollbook seat-link sherwood Ana --qr  and as a QR code
    rollbook seat-link Ana --revoke       Ana's telephone is lost: her other links end
    rollbook seat-link                    the host's own link, for this computer alone
    """
    if len(words) > 2:
        raise click.UsageError("Name a seat, or a campaign and a seat: rollbook seat-link sherwood Ana")
    if len(words) == 2:
        cli.named = words[0]
    links = cli.book().seeds.links()
    try:
        answer = _new_link(cli, links, words[-1], revoke=revoke) if words else _hosts_link(links, revoke=revoke)
    finally:
        links.close()
    if cli.json:
        cli.data(answer)
        return
    cli.print(answer["link"])
    if qr:
        cli.print(*qr_lines(answer["link"]))


def _hosts_link(links: SeatLinks, *, revoke: bool) -> dict[str, str]:
    if revoke:
        raise Refused(
            "The host's links end by themselves, a day after they were made. Name a seat to revoke its links."
        )
    _, token = links.make_hosts()
    return {"link": f"{(links.addresses() or (NOT_SERVED,))[-1]}/join/{token}", "campaign": "", "seat": ""}


def _new_link(cli: CliContext, links: SeatLinks, named: str, *, revoke: bool) -> dict[str, str]:
    check_name(named, what="A seat's name")
    campaign = cli.campaign()
    if campaign.session.timeline is not None:
        raise Refused(f"{campaign.id} is a timeline; links lead to the campaign itself.")
    state = campaign.state
    seat = find_seat(state, named)
    if seat not in state.seats:
        raise not_found("seat", named, state.people)
    if not state.seats[seat].present:
        called = state.seats[seat].shown
        raise Refused(f"{called} has left the table. Give the seat back with: rollbook do take-seat {called}")
    if revoke:
        for link in links.of(campaign.id, state.identity):
            if link.seat == seat:
                links.revoke(link.number)
    _, token = links.make(campaign.id, state.identity, seat)
    return {"link": f"{(links.addresses() or (NOT_SERVED,))[0]}/join/{token}", "campaign": campaign.id, "seat": seat}


def qr_lines(text: str) -> Iterator[str]:
    """The lines of a QR code; a sentence where the terminal has no signs for it, or segno is missing."""
    if not _can_draw():
        yield "This terminal cannot show the code: it has no signs for it."
        return
    if find_spec("segno") is None:
        yield f"The code cannot be made. What draws it: {install('web')}."
        return
    import segno

    rows = [tuple(row) for row in segno.make_qr(text, error="l").matrix_iter(border=BORDER)]
    rows += [(0,) * len(rows[0])] * (len(rows) % 2)
    for upper, lower in zip(rows[::2], rows[1::2], strict=True):
        yield "".join(HALVES[pair] for pair in zip(map(bool, upper), map(bool, lower), strict=True))


def _can_draw() -> bool:
    try:
        "█▀▄".encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True
