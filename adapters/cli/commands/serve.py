"""serve."""

from __future__ import annotations

import os
import socket
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
from adapters.cli.script import play_script
from domain.errors import NotFound, RollbookError

if TYPE_CHECKING:
    from adapters.web.app import WebTable

NEEDED = ("starlette", "jinja2", "uvicorn", "multipart", "itsdangerous", "segno")
HOME, EVERYWHERE, PORT = "127.0.0.1", "0.0.0.0", 7655  # noqa: S104 - only where --lan asks for it


@command()
@click.option("--lan", is_flag=True, help="For everybody in the house network; prints the addresses and a QR code.")
@click.option("--host", default="", metavar="ADDRESS", help=f"The address to listen at, {HOME} without it.")
@click.option("--port", type=click.IntRange(0, 65_535), default=PORT, show_default=True, help="0: any that is free.")
@click.option("--demo", is_flag=True, help="Show an example session, in a store that is removed at the end.")
@click.option("--no-browser", is_flag=True, help="Open no browser; print the GM's link alone.")
def serve(cli: CliContext, host: str, port: int, *, lan: bool, demo: bool, no_browser: bool) -> None:
    """The table in the browser, for every campaign of the store. Ctrl-C stops it; nothing is lost.

    Other programs may use the store meanwhile, and every browser shows what they record.

    \b
    rollbook serve            on this computer alone; opens the browser as GM
    rollbook serve --lan      also for the telephones and tablets at the table
    rollbook serve --demo     with a session to look at
    """
    _check_installed()
    with _store(cli, demo=demo) as store:
        _serve(cli, store, host or (EVERYWHERE if lan else HOME), port, lan=lan, opens=not no_browser)


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


def _serve(cli: CliContext, store: tuple[Path, Path], host: str, port: int, *, lan: bool, opens: bool) -> None:
    from adapters.web.app import create_app
    from adapters.web.server import Server, bound

    app = create_app(*store)
    try:
        listening = bound(host, port)
    except OSError as fault:
        raise RollbookError(
            f"Nothing can listen at {host} port {port} ({fault.strerror}). Choose another with --port, or --port 0 for any."
        ) from fault
    with listening:
        port = listening.getsockname()[1]
        _say_where(cli, app, host, port, lan=lan, opens=opens)
        Server(app, host, port).run(sockets=[listening])


def _say_where(cli: CliContext, app: WebTable, host: str, port: int, *, lan: bool, opens: bool) -> None:
    own = HOME if host == EVERYWHERE else f"[{host}]" if ":" in host else host
    link = f"http://{own}:{port}{app.seating.host_link()}"
    if cli.json:
        cli.data({"link": link, "port": port, "addresses": _addresses(port) if lan else []})
    else:
        cli.print(f"The GM's link, for this computer alone: {link}")
        for address in _addresses(port) if lan else ():
            cli.print(f"In the house network: {address}")
        cli.print("Ctrl-C stops the table. Nothing is lost.")
    if opens:
        webbrowser.open(link)


def _addresses(port: int) -> list[str]:
    """The addresses under which this computer can be reached in its network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))  # sends nothing, and says by which address it would be sent
        except OSError as fault:
            raise NotFound("This computer is in no network, so --lan helps nobody. Leave it out.") from fault
        return [f"http://{asked.getsockname()[0]}:{port}/"]
