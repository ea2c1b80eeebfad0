"""The verifiers are handed files by strangers: nothing in a file, its name or a receipt reaches the terminal raw."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.hostile import ELSEWHERE, RAW, STORED
from tests.support.needs import needed
from tests.support.terminal import ROOT

EXPORTS = ROOT / "adapters" / "exports"
TYPED = "".join(RAW).replace("\x00", "") + ELSEWHERE.replace("/", "")


@pytest.fixture(params=["verify_rollbook.py", "verify_rollbook.js"])
def verifier(request: pytest.FixtureRequest) -> list[str]:
    if request.param.endswith(".py"):
        return [sys.executable, str(EXPORTS / request.param)]
    return [needed("node"), str(EXPORTS / request.param)]


def said(verifier: list[str], *words: str | bytes) -> str:
    done = subprocess.run([*verifier, *words], capture_output=True, check=False, env={**os.environ}, timeout=60)
    text = (done.stdout + done.stderr).decode("utf-8")
    assert done.returncode in (0, 1, 2) and "Traceback" not in text and "at Object" not in text, text
    return text


def raw(text: str) -> list[str]:
    return sorted({letter for letter in text if not letter.isprintable() and letter != "\n"})


def test_a_file_whose_every_text_is_hostile(table, home: Path, verifier: list[str]) -> None:
    table(f"export {home}/all.jsonl")
    lines = (home / "all.jsonl").read_text(encoding="utf-8").splitlines()
    hostile = json.dumps(STORED)[1:-1]
    for number, old in ((0, "test-table"), (1, "Test Table"), (3, "Mira"), (8, "shouts"), (5, "longbow")):
        other = [line.replace(old, hostile) if at >= number else line for at, line in enumerate(lines)]
        (home / "other.jsonl").write_text("\n".join(other) + "\n", encoding="utf-8")
        assert raw(said(verifier, str(home / "other.jsonl"))) == []
    for head in ({"format": STORED}, {"format": "rollbook/export/1", "campaign": STORED}, STORED, [STORED]):
        (home / "other.jsonl").write_text(json.dumps(head) + "\n" + "\n".join(lines[1:]), encoding="utf-8")
        assert raw(said(verifier, str(home / "other.jsonl"))) == []


def test_names_and_receipts_that_are_hostile(table, home: Path, verifier: list[str]) -> None:
    table(f"export {home}/all.jsonl")
    assert raw(said(verifier, str(home / TYPED))) == []
    assert raw(said(verifier, os.fsencode(home) + b"/\xff\x1b[6n.jsonl")) == []
    for receipt in (TYPED, f"test-table @3 {TYPED}", TYPED[:26], b"\xff\xfe"):
        assert raw(said(verifier, str(home / "all.jsonl"), receipt)) == []
