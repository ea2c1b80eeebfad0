"""Servers that a fault needs for itself: a pair of which one is the other's standby, and one on a small disk."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

import attrs
import psycopg
import pytest

from tests.support.postgres import ADMINISTRATOR, PASSWORDS, PROGRAM, PostgresServer

DISK = "192m"
SMALL = "shared_buffers = 16MB\nmin_wal_size = 32MB\nmax_wal_size = 48MB\nwal_recycle = off\nwal_init_zero = on\n"


@attrs.define
class Pair:
    """Two servers. A commit at ``primary`` is answered when ``standby`` has it, too."""

    primary: PostgresServer
    standby: PostgresServer

    @classmethod
    @contextmanager
    def made(cls) -> Iterator[Self]:
        """Both, with the standby connected, until the end of the block."""
        pair = cls(PostgresServer(), PostgresServer())
        try:
            pair.primary.make()
            pair.primary.configure("synchronous_standby_names = '*'\n")
            pair.make_standby()
            pair.primary.run("pg_ctl", "-D", pair.primary.data, "reload")
            yield pair
        finally:
            pair.standby.close()
            pair.primary.close()

    def address(self, database: str) -> str:
        """A store's address with both servers in it, of which that is meant which can be written to."""
        one, two = self.primary.dsn(PROGRAM, database), self.standby.port
        before, at, rest = one.rpartition("@")
        return f"{before}{at}{rest.replace('/', f',127.0.0.1:{two}/', 1)}?target_session_attrs=read-write"

    def make_standby(self) -> None:
        """Make the standby of a copy of the primary, and start it."""
        one, two = self.primary, self.standby
        shutil.rmtree(two.data, ignore_errors=True)
        shutil.chown(two.folder, *_owner(one))
        password = PASSWORDS[ADMINISTRATOR].replace("'", "\\'")
        source = f"host=127.0.0.1 port={one.port} user={ADMINISTRATOR} password='{password}'"
        two.run("pg_basebackup", "-d", source, "-D", two.data, "-R", "-X", "stream", "-c", "fast", "--no-sync")
        two.configure(f"port = {two.port}\nunix_socket_directories = '{two.folder}'\n")
        two.start()

    def fail_over(self) -> PostgresServer:
        """The primary dies, the standby is promoted, and a new standby is made where the primary was. Returns the primary."""
        self.primary.stop(immediate=True)
        self.standby.run("pg_ctl", "-D", self.standby.data, "-w", "promote")
        self.primary, self.standby = self.standby, self.primary
        self.make_standby()
        return self.primary


def _owner(server: PostgresServer) -> tuple[str, str]:
    return server.folder.owner(), server.folder.group()


@contextmanager
def on_a_small_disk() -> Iterator[PostgresServer]:
    """A server whose folder is a file system of its own, in memory. Skips the test where none can be mounted."""
    folder = Path(tempfile.mkdtemp(prefix="rollbook-pg-"))
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "none", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"No disk can be mounted here ({mounted.stderr.decode(errors='replace').strip()}).")
    server = PostgresServer(folder)
    try:
        server.make()
        server.configure(SMALL)
        server.restart()
        yield server
    finally:
        server.close()
        subprocess.run(["umount", str(folder)], check=False)
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def full(server: PostgresServer, *, log: bool) -> Iterator[None]:
    """A disk without any room; with ``log`` the server also needs a new file of its log, gets none, and stops."""
    ballast = server.folder / "ballast"
    with suppress(OSError), ballast.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(1 << 16))
    with suppress(OSError), ballast.open("ab", buffering=0) as file:
        while True:
            file.write(bytes(512))
    if log:
        with suppress(psycopg.Error):
            server.administer("SELECT pg_switch_wal()")
    try:
        yield
    finally:
        ballast.unlink()
        started_again(server)


def started_again(server: PostgresServer, seconds: float = 30.0) -> None:
    """Wait until a server answers; if it has given up, start it."""
    end = time.monotonic() + seconds
    while True:
        try:
            server.administer("SELECT 1")
        except psycopg.Error:
            assert time.monotonic() < end, "the server never came back"
            if not (server.data / "postmaster.pid").exists():
                server.start()
            time.sleep(0.05)
        else:
            return
