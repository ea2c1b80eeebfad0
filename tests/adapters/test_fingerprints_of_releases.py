"""A release that changes nothing that decides changes no fingerprint, so no host has to put rules in force for it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.processes import ROOT

TREE = ("adapters", "application", "domain", "projections", "ruleset_plugins", "rollbook")
ASK = """
import json
from rollbook.adapters.plugins.installed_rulesets import discover
found = discover()
print(json.dumps({key: found.fingerprints[key] for key in ("", *found.keys)}))
"""

Release = Callable[[Path], None]


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release")
    for part in TREE:
        shutil.copytree(ROOT / part, folder / part, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture(scope="module")
def before(release: Path) -> dict[str, str]:
    return fingerprints(release)


def fingerprints(release: Path) -> dict[str, str]:
    """The fingerprints of every installed game, of the files of a release."""
    own = {"PYTHONPATH": str(release), "PYTHONDONTWRITEBYTECODE": "1", "XDG_CACHE_HOME": str(release / "cache")}
    program = [sys.executable, "-c", ASK]
    done = subprocess.run(program, cwd=release, env={**os.environ, **own}, capture_output=True, text=True, check=True)
    found: dict[str, str] = json.loads(done.stdout)
    return found


def append(path: Path, text: str) -> None:
    """Write some more lines at the end of a file, which are gone after the test."""
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


def test_code_of_adapters_and_use_cases_comments_and_pages_are_in_no_fingerprint(
    release: Path, before: dict[str, str]
) -> None:
    assert len(before) > 5 and all(before.values()) and len(set(before.values())) == len(before)
    for part in ("adapters", "application", "projections"):
        for path in (release / part).rglob("*.py"):
            append(path, "\nCHANGED = True\n")
    for part in ("domain", "ruleset_plugins"):
        for path in (release / part).rglob("*.py"):
            append(path, "\n# Said in other words.\n")
    for path in (release / "rollbook" / "kit").rglob("*.py"):
        append(path, "\n# Said in other words.\n")
    (release / "ruleset_plugins" / "grid" / "NEWS.md").write_text("What is new.\n", encoding="utf-8")
    assert fingerprints(release) == before


@pytest.mark.parametrize(
    ("changed", "alike"),
    [
        ("ruleset_plugins/grid/__init__.py", {"", "luckpoint", "powers", "russell", "srd5", "storytoken"}),
        ("rollbook/kit/d20.py", set()),
        ("domain/events.py", set()),
    ],
)
def test_code_that_decides_is_in_those_of_the_games_that_it_decides_in(
    release: Path, before: dict[str, str], changed: str, alike: set[str]
) -> None:
    text = (release / changed).read_text(encoding="utf-8")
    append(release / changed, "\nANOTHER_RULE = True\n")
    try:
        now = fingerprints(release)
    finally:
        (release / changed).write_text(text, encoding="utf-8")
    assert {key for key, own in now.items() if own == before[key]} == alike


AT_ONCE = """
import gc
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from rollbook.adapters.plugins import fingerprint
sys.setswitchinterval(0.00001)
gc.set_threshold(500)
gc.callbacks.append(lambda *_: time.sleep(0))  # so that threads change in the middle of a syntax tree
fingerprint._find = lambda stamp: ""
fingerprint._keep = lambda *_: None
games = [f"rollbook.rulesets.{name}" for name in ("grid", "luckpoint", "powers", "russell", "storytoken", "srd5")]
with ThreadPoolExecutor(6) as threads:
    found = list(threads.map(fingerprint.fingerprint, games))
assert all(found) and len(set(found)) == len(games), found
"""


def test_threads_that_ask_for_fingerprints_at_once_are_all_answered(release: Path) -> None:
    own = {"PYTHONPATH": str(release), "PYTHONDONTWRITEBYTECODE": "1"}
    program = [sys.executable, "-c", AT_ONCE]
    done = subprocess.run(
        program, cwd=release, env={**os.environ, **own}, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr[-600:]
