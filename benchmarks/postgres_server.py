"""A PostgreSQL server of its own for tests and measurements: a folder, a port and a socket that are gone when they end."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from itertools import count
from pathlib import Path
from urllib.parse import quote

import psycopg

from benchmarks.ports import free_port
from rollbook.adapters.storage.postgres.upkeep import migrate

OWNER = "rollbook_owner"
PROGRAM = "rollbook"
ADMINISTRATOR = "postgres"
PASSWORDS = {OWNER: "owner's: p@ss/word", PROGRAM: "program's: p@ss/word", ADMINISTRATOR: "administrator's"}

SEED_KEY = "cm9sbGJvb2sgdGVzdHMsIG5vYm9keSdzIHNlY3JldC4="
"""A key for the secret dice of stores on it: ROLLBOOK_SEED_KEY."""

CONFIGURATION = """\
listen_addresses = '127.0.0.1'
port = {port}
unix_socket_directories = '{folder}'
max_connections = 100
shared_buffers = 64MB
fsync = {fsync}
full_page_writes = {fsync}
autovacuum_naptime = 1s
wal_level = replica
max_wal_senders = 4
password_encryption = scram-sha-256
"""
ACCESS = """\
local all all trust
host all all 127.0.0.1/32 scram-sha-256
host replication all 127.0.0.1/32 scram-sha-256
"""


WATCH = """\
read -r _
for _ in 1 2 3 4 5; do
    if [ -f "$1/data/postmaster.pid" ]; then "${@:2}" -D "$1/data" -m immediate -w stop; fi
    if mountpoint -q "$1"; then umount "$1"; fi
    rm -rf "$1"
    sleep 1
done
"""
"""Waits until the process that uses a server is gone, however it ended, and removes the server. One may just be being made."""


def programs() -> Path | None:
    """The folder of PostgreSQL's programs, the newest version; None where there is none."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    on_path = shutil.which("initdb")
    if found:
        return found[-1].parent
    return Path(on_path).resolve().parent if on_path else None


def why_not() -> str:
    """Why no server can be run here, "" if one can."""
    if programs() is None:
        return "PostgreSQL is not installed here (Debian: postgresql)"
    if os.geteuid() == 0 and not (_runuser() and _has_user()):
        return "PostgreSQL refuses to run as root, and there is no user postgres here"
    return ""


def _runuser() -> str | None:
    """Path of runuser, which becomes another user. Not every path leads to the folders of root's programs."""
    return shutil.which("runuser", path=os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin")))


def _has_user() -> bool:
    return any(user.pw_name == "postgres" for user in pwd.getpwall())


class PostgresServer:
    """A cluster in ``folder``, made by ``make`` or by a copy of another's data. ``fsync`` says whether the disk is waited for."""

    def __init__(self, folder: Path | None = None, *, fsync: bool = False) -> None:
        self.folder = folder or Path(tempfile.mkdtemp(prefix="rollbook-pg-"))
        self.folder.chmod(0o755)
        self.data = self.folder / "data"
        self.port = free_port()
        self._fsync = fsync
        self._numbers = count(1)
        self._watch = subprocess.Popen(
            ["bash", "-c", WATCH, "watch", str(self.folder), *_as_owner("pg_ctl")],
            stdin=subprocess.PIPE,  # its other end is closed when this process is gone
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def make(self) -> PostgresServer:
        """Make the cluster, start it, and make the roles."""
        shutil.chown(self.folder, *(("postgres", "postgres") if os.geteuid() == 0 else (os.geteuid(), os.getegid())))
        self.run("initdb", "-D", self.data, "-A", "trust", "-U", ADMINISTRATOR, "--no-sync", "-E", "UTF8", "--locale=C")
        self.configure(CONFIGURATION.format(port=self.port, folder=self.folder, fsync="on" if self._fsync else "off"))
        (self.data / "pg_hba.conf").write_text(ACCESS)
        self.start()
        for role, password in PASSWORDS.items():
            quoted = password.replace("'", "''")
            if role != ADMINISTRATOR:
                self.administer(f"CREATE ROLE {role} LOGIN")
            self.administer(f"ALTER ROLE {role} PASSWORD '{quoted}'")
        return self

    def configure(self, lines: str) -> None:
        """Add lines to the configuration; they count from the next start."""
        with (self.data / "postgresql.conf").open("a") as file:
            file.write(lines)

    def start(self) -> None:
        """Start the server and wait until it answers."""
        self.run("pg_ctl", "-D", self.data, "-l", self.folder / "log", "-w", "-t", "60", "start")

    def stop(self, *, immediate: bool = False) -> None:
        """Stop the server; ``immediate`` is as if the power failed for it."""
        self.run("pg_ctl", "-D", self.data, "-m", "immediate" if immediate else "fast", "-w", "stop")

    def restart(self, *, immediate: bool = False) -> None:
        """Stop and start."""
        self.stop(immediate=immediate)
        self.start()

    def close(self) -> None:
        """Stop the server, if it runs, and remove all that it had."""
        if (self.data / "postmaster.pid").exists():
            self.stop(immediate=True)
        shutil.rmtree(self.folder, ignore_errors=True)
        self._watch.kill()
        self._watch.communicate()

    def dsn(self, role: str, database: str, *, port: int | None = None, password: str | None = None) -> str:
        """An address by TCP, with the role's password in it."""
        secret = PASSWORDS[role] if password is None else password
        return f"postgresql://{role}:{quote(secret, safe='')}@127.0.0.1:{port or self.port}/{database}"

    def socket_dsn(self, role: str, database: str) -> str:
        """An address by the socket, where no password is asked."""
        return f"postgresql://{role}@/{database}?host={quote(str(self.folder), safe='')}&port={self.port}"

    def administer(self, statement: str, database: str = "postgres") -> list[tuple[object, ...]]:
        """Run a statement as the administrator."""
        with psycopg.connect(self.socket_dsn(ADMINISTRATOR, database), autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def new_database(self, *, migrated: bool = True) -> str:
        """The name of a new database, with the tables of a store in it."""
        name = f"rollbook_{next(self._numbers)}"
        self.administer(f"CREATE DATABASE {name} OWNER {OWNER} STRATEGY file_copy")
        if migrated:
            migrate(self.dsn(OWNER, name), PROGRAM)
        return name

    def run(self, program: str, *arguments: object, timeout: float = 120) -> str:
        """Run one of PostgreSQL's programs as the user that owns the cluster; what it says."""
        done = subprocess.run(
            [*_as_owner(program), *map(str, arguments)],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            timeout=timeout,
            check=False,
        )
        said = done.stdout.decode(errors="replace")
        assert done.returncode == 0, said
        return said


def _as_owner(program: str) -> list[str]:
    """The command of one of PostgreSQL's programs, as the user that owns the cluster."""
    found = programs()
    assert found
    return [*as_user("postgres"), str(found / program)]


def as_user(name: str) -> list[str]:
    """The words before a command that another user runs, where this is root."""
    return [str(_runuser()), "-u", name, "--"] if os.geteuid() == 0 else []
