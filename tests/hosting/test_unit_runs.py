"""What ``deploy/`` starts, started: the unit's command with the unit's environment, in its folders, as a user without rights."""

from __future__ import annotations

import ctypes
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import attrs
import pytest

from benchmarks.ports import free_port
from tests.support.clean_environment import CleanEnvironment, build_wheels
from tests.support.hosting.proxies import DEPLOY, NAME
from tests.support.needs import needs
from tests.support.processes import ROOT
from tests.support.web import until

NOBODY = 65_534
"""The user and group that stand for those that systemd makes up for a service."""
SET_MDWE = 65
"""Linux's number for: no memory of this process is ever both written to and run."""


@attrs.frozen
class Unit:
    """The service as it is written, and a folder in which its places are."""

    values: dict[str, list[str]]
    folder: Path

    @classmethod
    def read(cls, folder: Path) -> Unit:
        values: dict[str, list[str]] = {}
        for line in (DEPLOY / "rollbook.service").read_text(encoding="utf-8").splitlines():
            name, sign, value = line.partition("=")
            if sign and not line.startswith("#"):
                values.setdefault(name, []).append(value)
        return cls(values, folder)

    def one(self, name: str) -> str:
        (found,) = self.values[name]
        return found

    def placed(self, text: str) -> str:
        """With systemd's words for places: %d for credentials, %C for caches, %S for what stays."""
        for word, place in {"%d": "credentials", "%C": "cache", "%S": "state"}.items():
            text = text.replace(word, str(self.folder / place))
        assert "%" not in text
        return text

    def variables(self, **file: str) -> dict[str, str]:
        """The environment: what the file says, and what the unit sets."""
        example = (DEPLOY / "rollbook.env.example").read_text(encoding="utf-8").splitlines()
        named = dict(line.split("=", 1) for line in example if line and not line.startswith("#"))
        assert set(file) == set(named), "the file has these variables"
        own = dict(self.placed(value).split("=", 1) for value in self.values["Environment"])
        return {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin", "LANG": "C.UTF-8", **file, **own}

    def make_places(self, key: Path) -> None:
        """The folders and the credential, as systemd makes them."""
        for place, name in (("cache", self.one("CacheDirectory")), ("state", self.one("StateDirectory"))):
            (self.folder / place).mkdir()
            own(self.folder / place / name, int(self.one(f"{place.capitalize()}DirectoryMode"), 8))
        credential, _ = self.one("LoadCredential").split(":")
        own(self.folder / "credentials", 0o500)
        shutil.copy(key, self.folder / "credentials" / credential)
        shutil.chown(self.folder / "credentials" / credential, NOBODY, NOBODY)
        (self.folder / "credentials" / credential).chmod(0o400)


def own(folder: Path, mode: int) -> None:
    folder.mkdir(mode=0o700)
    shutil.chown(folder, NOBODY, NOBODY)
    folder.chmod(mode)


def write_or_run() -> None:
    """In the process that becomes the service: MemoryDenyWriteExecute=, by the means that Linux itself has since 6.3."""
    ctypes.CDLL(None).prctl(SET_MDWE, 1, 0, 0, 0)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder into which everybody may look."""
    made = Path(tempfile.mkdtemp(prefix="rollbook-unit-"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made)


def asked(address: str, **headers: str) -> tuple[int, str]:
    try:
        with urlopen(Request(address, headers=headers), timeout=5) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as refused:
        return refused.code, refused.read().decode()
    except OSError:
        return 0, ""


def health(installed: CleanEnvironment, port: int) -> int:
    """How the container's question to itself ends, at another port: as there, with the path of what is installed and no more."""
    recipe = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    (command,) = re.findall(r"^\s+CMD (\[.*\])$", recipe, re.MULTILINE)
    assert "\nENV PATH=/opt/rollbook/bin:$PATH " in recipe
    words = json.loads(command.replace("7655", str(port)))
    return subprocess.run(words, check=False, capture_output=True, env={"PATH": str(installed.bin)}).returncode


@needs("setpriv")
@pytest.mark.skipif(os.geteuid() != 0, reason="it takes root to become another user")
def test_the_units_command_serves_as_a_user_without_rights_writes_to_its_own_folders_alone_and_drains(
    wheel: str, postgres_store: str, folder: Path
) -> None:
    prefixes = (Path(sys.prefix), Path(sys.base_prefix))
    if not all(each.stat().st_mode & 0o001 for prefix in prefixes for each in (prefix, *prefix.parents)):
        pytest.skip("what this run has installed lies where nobody but its owner may look")
    installed = CleanEnvironment.create(folder / "opt", [wheel])
    unit, port, metrics = Unit.read(folder), free_port(), free_port()
    installed.rollbook("store", "key", str(folder / "seed-key"))
    unit.make_places(folder / "seed-key")
    variables = unit.variables(
        ROLLBOOK_STORE=postgres_store,
        ROLLBOOK_PUBLIC=f"https://{NAME}",
        ROLLBOOK_HOST="127.0.0.1",
        ROLLBOOK_PROXY="127.0.0.1",
    )
    program, *words = re.sub(r"\$\{(\w+)\}", lambda name: variables[name[1]], unit.one("ExecStart")).split()
    assert program == "/opt/rollbook/bin/rollbook"
    words[words.index("--metrics") + 1] = str(metrics)
    without_rights = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--no-new-privs"]
    with (folder / "log").open("wb") as log:
        service = subprocess.Popen(
            [*without_rights, "--bounding-set=-all", "--inh-caps=-all", str(installed.bin / "rollbook"), *words]
            + ["--port", str(port)],
            cwd="/",
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            umask=int(unit.one("UMask"), 8),
            preexec_fn=write_or_run,  # noqa: PLW1509 - nothing else runs in this process
        )
    here = f"http://127.0.0.1:{port}"
    try:
        until(lambda: asked(f"{here}/ready")[0] == 200 or service.poll() is not None, 60)
        assert service.poll() is None, (folder / "log").read_text()
        status = Path(f"/proc/{service.pid}/status").read_text()
        assert re.search(r"^CapBnd:\s+0+$", status, re.MULTILINE) and "NoNewPrivs:\t1" in status
        assert "rollbook_ready 1" in asked(f"http://127.0.0.1:{metrics}/metrics")[1]
        proxied = {"Host": NAME, "X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https"}
        assert asked(f"{here}/", **proxied)[0] == 401, "a stranger through the proxy, at the table's name"
        assert asked(f"{here}/", Host="elsewhere.example")[0] == 421
        assert health(installed, port) == 0
        service.send_signal(signal.SIGTERM)
        until(lambda: asked(f"{here}/ready")[0] == 503)
        assert health(installed, port) != 0
        began = time.monotonic()
        assert service.wait(int(unit.one("TimeoutStopSec"))) == 0
        assert time.monotonic() - began < int(unit.one("TimeoutStopSec"))
    finally:
        service.kill()
        service.wait()
    said = (folder / "log").read_text()
    assert all(json.loads(line) for line in said.splitlines())
    assert postgres_store.partition("rollbook:")[2].partition("@")[0] not in said
    written = [path for path in folder.rglob("*") if path.stat().st_uid == NOBODY]
    places = [folder / "cache/rollbook", folder / "state/rollbook", folder / "credentials"]
    assert all(any(path.is_relative_to(place) for place in places) for path in written)
    assert [path for path in written if path.stat().st_mode & 0o077] == []
    assert list((folder / "cache/rollbook").glob("*.read.db")), "the cache is where the unit says"


def test_what_is_copied_into_the_container_builds_the_same_package(wheel: str, tmp_path: Path) -> None:
    recipe = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    for line in recipe.replace("\\\n", " ").splitlines():
        if line.startswith("COPY ") and "--from" not in line:
            *sources, target = line.split()[1:]
            for source in sources:
                to = tmp_path / "source" / target / ("" if target != "./" else source)
                if (ROOT / source).is_dir():
                    shutil.copytree(ROOT / source, to, ignore=shutil.ignore_patterns("__pycache__"))
                else:
                    to.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(ROOT / source, to)
    (built,) = build_wheels(tmp_path / "shelf", tmp_path / "source")
    names = [
        {name for name in zipfile.ZipFile(each).namelist() if not name.endswith(".pyc")} for each in (built, wheel)
    ]
    assert names[0] == names[1] and len(names[0]) > 500
