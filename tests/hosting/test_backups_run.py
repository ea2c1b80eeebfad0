"""The scripts of ``deploy/backup/`` back up a store and restore it for a drill, and a drill of what is damaged fails."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from rollbook.adapters.wiring import open_book
from tests.support import postgres
from tests.support.hosting.proxies import DEPLOY
from tests.support.needs import needed
from tests.support.processes import ROOT
from tests.support.web import until

BACKUPS = DEPLOY / "backup"
SCRIPTS = sorted(path.name for path in BACKUPS.glob("*.sh"))
OLD = "202001010000"
DAMAGE = """\
UPDATE rollbook.stored_events SET state = replace(convert_from(state, 'UTF8'), 'Nottingham', 'Notingham')::bytea"""


def run(script: str, variables: Mapping[str, str], *words: str, user: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*(postgres.as_user(user) if user else []), "/bin/sh", str(BACKUPS / script), *words],
        env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", **variables},
        cwd="/",
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


def program(folder: Path) -> str:
    """What stands for /opt/rollbook/bin/rollbook: this program, from the files that are tested."""
    path = folder / "rollbook"
    path.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} PYTHONDONTWRITEBYTECODE=1 exec {sys.executable} -m rollbook "$@"\n')
    path.chmod(0o755)
    return str(path)


RELAY = """\
#!/bin/sh
printf '%s\\n' "$@" > {folder}/asked
cat {folder}/said
exit "$(cat {folder}/code)"
"""
"""A program that has another user run rollbook: PostgreSQL's may not read the files of this one."""


@contextmanager
def relay(folder: Path) -> Iterator[str]:
    """What stands for /opt/rollbook/bin/rollbook where scripts run as PostgreSQL's user; rollbook runs as this one."""
    path, ways = folder / "rollbook", [folder / name for name in ("asked", "said", "code")]
    path.write_text(RELAY.format(folder=folder), encoding="utf-8")
    path.chmod(0o755)
    for way in ways:
        os.mkfifo(way)
        way.chmod(0o666)
    asked, said, code = ways

    def answer() -> None:
        while words := asked.read_text(encoding="utf-8").splitlines():
            own = {"ROLLBOOK_CACHE": str(folder / "cache"), "ROLLBOOK_SEEDS": str(folder / "seeds")}
            own |= {"XDG_STATE_HOME": str(folder / "state"), "PYTHONPATH": str(ROOT)}
            program = [sys.executable, "-m", "rollbook", *words]
            done = subprocess.run(program, env={**os.environ, **own}, capture_output=True, text=True, check=False)
            said.write_text(done.stdout + done.stderr, encoding="utf-8")
            code.write_text(str(done.returncode), encoding="utf-8")

    thread = threading.Thread(target=answer, daemon=True)
    thread.start()
    yield str(path)
    asked.write_text("", encoding="utf-8")
    thread.join(timeout=10)


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_scripts_are_shell_that_any_system_has(script: str) -> None:
    assert subprocess.run(["/bin/sh", "-n", str(BACKUPS / script)], check=False).returncode == 0
    text = (BACKUPS / script).read_text(encoding="utf-8")
    assert text.startswith("#!/bin/sh\n") and "set -eu" in text and os.access(BACKUPS / script, os.X_OK)


@pytest.mark.parametrize("kind", ["postgres", "sqlite"])
def test_systemd_takes_the_units_and_they_start_scripts_that_there_are(kind: str, tmp_path: Path) -> None:
    analyze, names = needed("systemd-analyze"), [f"rollbook-backup-{kind}.{end}" for end in ("service", "timer")]
    for name in names:
        text = (BACKUPS / name).read_text(encoding="utf-8").replace("User=rollbook", "User=daemon")
        for line in text.splitlines():
            if line.startswith("ExecStart="):
                assert (BACKUPS / Path(line.removeprefix("ExecStart=")).name).exists()
        (tmp_path / name).write_text(
            text.replace("/opt/rollbook/backup", str(BACKUPS)).replace("User=postgres", "User=daemon"), encoding="utf-8"
        )
    done = subprocess.run(
        [analyze, "verify", *(str(tmp_path / name) for name in names)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_store_in_a_file_is_backed_up_and_the_drill_verifies_it(tmp_path: Path) -> None:
    store, seeds, backup = tmp_path / "rollbook.db", tmp_path / "seeds", tmp_path / "backup"
    backup.mkdir()
    with open_book(store, seeds) as book:
        book.new("Sherwood", "storytoken").do("open-session")
        book.campaign("sherwood").do("roll", {"expression": "1d20"})
    variables = {"BACKUP": str(backup), "ROLLBOOK": program(tmp_path), "HOME": str(tmp_path)}
    old = backup / "rollbook-20200101T000000Z.db"
    old.write_bytes(b"")
    subprocess.run(["touch", "-t", OLD, str(old)], check=True)
    own = {"ROLLBOOK_STORE": str(store), "ROLLBOOK_SEEDS": str(seeds)}
    made = run("backup-sqlite.sh", {**variables, **own})
    assert made.returncode == 0, made.stderr
    (kept,) = backup.glob("*.db")
    assert kept != old and not kept.stat().st_mode & 0o077
    drill = run("drill-sqlite.sh", variables)
    assert drill.returncode == 0 and "Audited 1 campaign" in drill.stdout and "none failed" in drill.stdout, drill
    assert sorted(path.name for path in backup.glob("*.prom")) == ["backup.prom", "drill.prom"]
    (backup / "drill.prom").unlink()
    kept.write_bytes(kept.read_bytes()[:-40_000])
    assert run("drill-sqlite.sh", variables).returncode and not (backup / "drill.prom").exists()


@pytest.fixture
def archived(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[postgres.PostgresServer, Path]]:
    """A server of its own whose log is archived to a folder of backups."""
    if reason := postgres.why_not():
        pytest.skip(reason)
    monkeypatch.setenv("ROLLBOOK_SEED_KEY", postgres.SEED_KEY)
    server = postgres.PostgresServer()
    try:
        server.make()
        backup = server.folder / "backup"
        (backup / "log").mkdir(parents=True)
        for path in (backup, backup / "log"):
            if os.geteuid() == 0:
                shutil.chown(path, "postgres", "postgres")
        log = f"{backup}/log/%f"
        server.configure(f"archive_mode = on\narchive_command = 'test ! -f {log} && cp %p {log}'\n")
        server.restart()
        yield server, backup
    finally:
        server.close()


def test_a_database_is_backed_up_and_the_drill_restores_it_with_all_of_its_log(
    archived: tuple[postgres.PostgresServer, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server, backup = archived
    database = server.new_database()
    address = server.dsn(postgres.PROGRAM, database)
    monkeypatch.setenv("ROLLBOOK_CACHE", str(tmp_path / "cache"))
    with open_book(address, tmp_path / "seeds") as book:
        book.new("Sherwood", "storytoken")
    tools = server.folder / "tools"
    tools.mkdir(mode=0o755)
    variables = {"BACKUP": str(backup), "DATABASE": database}
    old = backup / "base-20200101T000000Z"
    administrator = server.dsn(postgres.ADMINISTRATOR, "postgres")
    made = run("backup-postgres.sh", variables, "-d", administrator, user="postgres")
    assert made.returncode == 0, made.stderr
    (base,) = backup.glob("base-*Z")
    shutil.copytree(base, old)
    subprocess.run(["touch", "-t", OLD, str(old)], check=True)
    if os.geteuid() == 0:
        subprocess.run(["chown", "-R", "postgres:", str(old)], check=True)
    with open_book(address, tmp_path / "seeds") as book:
        book.new("Nottingham", "storytoken").do("open-session")
    server.administer("SELECT pg_switch_wal()")
    until_archived(server)
    with relay(tools) as rollbook:
        variables["ROLLBOOK"] = rollbook
        drill = run("drill-postgres.sh", variables, user="postgres")
        assert drill.returncode == 0, drill
        assert "Audited 2 campaigns" in drill.stdout and "none failed" in drill.stdout, "what came after the base, too"
        again = run("backup-postgres.sh", variables, "-d", administrator, user="postgres")
        assert again.returncode == 0, again.stderr
        assert not old.exists() and base.exists() and (backup / "backup.prom").exists()
        server.administer(DAMAGE, database)
        server.administer("SELECT pg_switch_wal()")
        until_archived(server)
        (backup / "drill.prom").unlink()
        damaged = run("drill-postgres.sh", variables, user="postgres")
        assert damaged.returncode and "FAILED" in damaged.stdout and not (backup / "drill.prom").exists(), damaged


def until_archived(server: postgres.PostgresServer) -> None:
    waiting = "SELECT count(*) FROM pg_ls_archive_statusdir() WHERE name LIKE '%.ready'"
    until(lambda: server.administer(waiting) == [(0,)], 30)
