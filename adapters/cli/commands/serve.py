"""serve."""

from __future__ import annotations

import os
import tempfile
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from adapters import paths
from adapters.cli.context import CliContext
from adapters.cli.demo import DEMO_NAME, script_lines
from adapters.cli.parameters import command
from adapters.cli.qr import qr_lines
from adapters.cli.script import play_script
from domain.errors import RollbookError

if TYPE_CHECKING:
    from adapters.web.server.addresses import Place
    from adapters.web.server.app import WebTable

NEEDED = ("starlette", "jinja2", "uvicorn", "multipart", "itsdangerous", "segno")
HOME, EVERYWHERE, PORT = "127.0.0.1", "0.0.0.0", 7655  # noqa: S104 - only where --lan asks for it


@command()
@click.option("--lan", is_flag=True, help="For everybody in the house network; prints the addresses and a QR code.")
@click.option("--host", default="", metavar="ADDRESS", help=f"The address to listen at, {HOME} without it.")
@click.option("--public", default="", metavar="URL", help="How the table is reached through a reverse proxy: https://…")
@click.option(
    "--proxy", "proxies", multiple=True, metavar="ADDRESS", help="A proxy to believe; this computer without it."
)
@click.option("--port", type=click.IntRange(0, 65_535), default=PORT, show_default=True, help="0: any that is free.")
@click.option("--demo", is_flag=True, help="Show an example session, in a store that is removed at the end.")
@click.option("--no-browser", is_flag=True, help="Open no browser; print the GM's link alone.")
def serve(
    cli: CliContext,
    /,
    *,
    host: str,
    port: int,
    public: str,
    proxies: tuple[str, ...],
    lan: bool,
    demo: bool,
    no_browser: bool,
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
    from adapters.web.server.addresses import Place

    place = Place.named(host or (EVERYWHERE if lan else HOME), lan=lan, public=public, proxies=proxies)
    with _store(cli, demo=demo) as store:
        _serve(cli, store, place, port, opens=not no_browser)


def _check_installed() -> None:
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise RollbookError(
            f"The table in the browser needs what is not installed ({', '.join(missing)}). "
            f"Install it with: pip install 'rollbook[web]'"
        )


@contextmanager
def _store(cli: CliContext, *, demo: bool) -> Iterator[tuple[Path, Path]]:
    """The store and the folder of its seeds."""
    if not demo:
        cli.book()  # raises NotFound with how to begin
        cli.close()
        yield cli.store_path, paths.seeds_folder()
        return
    with tempfile.TemporaryDirectory(prefix="rollbook-demo-", ignore_cleanup_errors=True) as folder:
        cli.store = str(Path(folder) / "demo.db")
        os.environ["ROLLBOOK_SEEDS"] = str(Path(folder) / "seeds")
        with cli.overriding(quiet=True):
            cli.json = False
            play_script(cli, script_lines(), DEMO_NAME)
        cli.close()
        yield Path(cli.store), Path(folder) / "seeds"


def _serve(cli: CliContext, store: tuple[Path, Path], place: Place, port: int, *, opens: bool) -> None:
    from adapters.web.server.app import create_app
    from adapters.web.server.listening import Server, bound

    app = create_app(*store, door=place.door)
    try:
        listening = bound(place.host, port)
    except OSError as fault:
        raise RollbookError(
            f"Nothing can listen at {place.host} port {port} ({fault.strerror}). "
            f"Choose another with --port, or --port 0 for any."
        ) from fault
    with listening:
        port = listening.getsockname()[1]
        app.seating.links.note_addresses(place.addresses(port))
        _say_where(cli, app, place, port, opens=opens)
        Server(app, place.host, port).run(sockets=[listening])


def _say_where(cli: CliContext, app: WebTable, place: Place, port: int, *, opens: bool) -> None:
    own, *others = reversed(place.addresses(port))
    link = f"{own}{app.seating.host_link()}"
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
