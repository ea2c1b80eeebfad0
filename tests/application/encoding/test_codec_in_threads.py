"""Threads that read the first entries, rows and sheets of a process at the same moment: none reads by a class half described."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
TOGETHER = """
import sys, threading
sys.setswitchinterval(1e-6)
{setting}
begin, faults = threading.Barrier(4), []
def act():
    begin.wait()
    try:
        {act}
    except BaseException as fault:
        faults.append(repr(fault))
threads = [threading.Thread(target=act) for _ in range(4)]
for each in threads: each.start()
for each in threads: each.join()
assert faults == [], faults
"""
EVENTS = """
from rollbook.application.encoding.codec import CODEC, Codec
from tests.support.golden_logs import every_event
lines, codec = [CODEC.encode(event) for event in every_event()], Codec()
"""
CASES = {
    "events": (EVENTS, "[codec.decode(line) for line in lines]"),
    "all kinds of lines": (EVENTS, "codec._decoder, codec._brief_decoder, [codec.decode(line) for line in lines]"),
    "rows of a game": (
        "from rollbook.rulesets.srd5 import catalogue",
        "catalogue.hazards(), catalogue.masteries(), catalogue.species(), catalogue.feats()",
    ),
}


@pytest.mark.process
@pytest.mark.parametrize(("setting", "act"), CASES.values(), ids=CASES)
def test_threads_that_begin_together_read_whole_classes(setting: str, act: str) -> None:
    program = TOGETHER.format(setting=setting, act=act)
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_msgspec_looks_at_classes_under_the_lock_alone() -> None:
    packages = ("adapters", "application", "domain", "projections", "ruleset_plugins", "rollbook/kit")
    files = [path for package in packages for path in (ROOT / package).rglob("*.py")]
    looks = [(path, line, is_locked) for path in files for line, is_locked in _looks(path)]
    assert len(looks) > 10
    assert [(path.name, line) for path, line, is_locked in looks if not is_locked] == []


def _looks(path: Path) -> Iterator[tuple[int, bool]]:
    """The lines of a file in which msgspec is given a class, and whether that is under the lock."""
    text = path.read_text(encoding="utf-8")
    if "msgspec" not in text:
        return
    tree = ast.parse(text)
    locked = {
        inside
        for block in ast.walk(tree)
        if isinstance(block, ast.With) and any(ast.unparse(each) == "DESCRIBING" for each in block.items)
        for inside in ast.walk(block)
    }
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        called = ast.unparse(call.func)
        kinds = [ast.unparse(each.value) for each in call.keywords if each.arg == "type"]
        is_of_classes = called.endswith((".Decoder", "msgspec.convert")) or any(
            not kind.startswith("dict[") for kind in kinds
        )
        if called.startswith("msgspec.") and is_of_classes:
            yield call.lineno, call in locked
