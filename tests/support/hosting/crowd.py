"""Nodes without pages: processes that play on one store, each for one client, of which each can be killed and started again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import attrs

from rollbook.adapters.storage.read_model.model import SQLiteReadModel
from rollbook.application.book import Book
from tests.support.hosting.checks import Findings, check_read_model
from tests.support.hosting.ledger import Ledger
from tests.support.hosting.worker import read_ledger
from tests.support.processes import ROOT, Process, start

MODULE = "tests.support.hosting.worker"
STOPPED_WITHIN = 60.0


@attrs.define
class Client:
    """One client and the process that plays for it, from the program's files below ``root``."""

    seat: str
    campaigns: tuple[str, ...]
    store: str
    folder: Path
    variables: dict[str, str]
    root: Path = ROOT
    corrects: bool = True
    pause: float = 0.0
    process: Process | subprocess.Popen[bytes] | None = None

    @property
    def file(self) -> Path:
        """File of its commands and their answers."""
        return self.folder / f"{self.seat}.ledger"

    @property
    def cache(self) -> Path:
        """Folder of its read model."""
        return self.folder / f"cache-{self.seat}"

    def start(self) -> None:
        """Start a process that goes on where the last one was."""
        asked = {"store": self.store, "seeds": str(self.folder / f"state-{self.seat}"), "seat": self.seat}
        asked |= {"pause": self.pause, "corrects": self.corrects}
        words = json.dumps({**asked, "campaigns": self.campaigns, "file": str(self.file)})
        own = {"XDG_CACHE_HOME": str(self.cache), "PYTHONPATH": str(self.root), **self.variables}
        with Path(os.devnull).open("rb") as nobody, (self.folder / f"{self.seat}.log").open("ab") as log:
            if self.root != ROOT or "LD_PRELOAD" in own:  # which a copy of a process would not hear of
                command, environment = [sys.executable, "-m", MODULE, words], {**os.environ, **own}
                self.process = subprocess.Popen(
                    command, cwd=self.root, env=environment, stdin=nobody, stdout=log, stderr=log
                )
            else:
                streams = (nobody.fileno(), log.fileno(), log.fileno())
                self.process = start(words, streams=streams, module=MODULE, **own)

    def kill(self) -> None:
        """kill -9."""
        self.tell(signal.SIGKILL)
        self.wait()

    def tell(self, how: signal.Signals) -> None:
        """Send a signal, if the process is running."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                self.process.send_signal(how)

    def wait(self) -> None:
        """Wait until the process has ended."""
        process, self.process = self.process, None
        if process is not None:
            process.wait()


@attrs.define
class Crowd:
    """All clients of a run. A node is every third of them: what kills a node kills their processes."""

    clients: Sequence[Client]
    nodes: int = 3

    def of_node(self, number: int) -> list[Client]:
        """The clients of one node."""
        return [client for place, client in enumerate(self.clients) if place % self.nodes == number % self.nodes]

    def start(self) -> None:
        """Start all clients, and wait until each has had an answer."""
        for client in self.clients:
            client.start()
        self.wait_for_news()

    def ledger(self) -> Ledger:
        """The ledger of all clients so far."""
        return read_ledger([client.file for client in self.clients])

    def wait_for_news(self, seconds: float = 60.0, *, of: Sequence[Client] | None = None) -> float:
        """Wait until something more was acknowledged to each client. Returns for how many seconds."""
        began = time.monotonic()
        waiting = {client.seat: (client, _acknowledged(client.file)) for client in of or self.clients}
        while waiting:
            time.sleep(0.02)
            for seat, (client, before) in tuple(waiting.items()):
                if _acknowledged(client.file) > before:
                    del waiting[seat]
            if time.monotonic() - began > seconds:
                raise AssertionError(_stuck([client for client, _ in waiting.values()], seconds))
        return time.monotonic() - began

    def stop(self) -> None:
        """Let all clients finish what is under way, and end."""
        for client in self.clients:
            client.tell(signal.SIGTERM)
        for client in self.clients:
            client.wait()

    def check(self, book: Book, found: Findings) -> None:
        """Bring each client's read model to the end of its campaigns, and compare it with one that is made in one go."""
        rebuilt = SQLiteReadModel()
        rebuilt.catch_up(book.store, book.rulebook)
        for client in self.clients:
            for path in client.cache.rglob("*.db"):
                model = SQLiteReadModel(path)
                model.catch_up(book.store, book.rulebook, only=client.campaigns)
                found.read_models += check_read_model(model, rebuilt, f"{client.seat}'s node", client.campaigns)
                model.close()
        rebuilt.close()


def _acknowledged(file: Path) -> int:
    return file.read_bytes().count(b'["ack"') if file.exists() else 0


def _stuck(clients: Sequence[Client], seconds: float) -> str:
    """The ledgers and logs of clients that get no more answers."""
    for client in clients:
        client.tell(signal.SIGUSR1)
    time.sleep(1)
    files = [file for client in clients for file in (client.file, client.folder / f"{client.seat}.log")]
    said = [file.read_text(encoding="utf-8", errors="replace")[-3000:] for file in files]
    seats = ", ".join(client.seat for client in clients)
    return "\n".join((f"nothing was acknowledged to {seats} for {seconds:.0f} s", *said))
