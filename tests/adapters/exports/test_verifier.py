"""The verifier that travels with every file runs alone and comes to the verdicts of the audit."""

from __future__ import annotations

import ast
import gzip
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollbook.adapters.exports.files import VERIFIER
from rollbook.adapters.imports.jsonl import import_campaign
from rollbook.application.campaign import Campaign
from rollbook.application.timelines import forking as timelines
from rollbook.domain.base.errors import RollbookError
from tests.support.campaigns import begin_campaign, memory_book, play_campaign_steps
from tests.support.exports import (
    NONSENSE,
    VERIFIER_SCRIPT,
    agree,
    export_for,
    full_export,
    is_unbroken,
    run_verifier,
    verdicts,
    verify,
)
from tests.support.golden_campaigns import GOLDEN_CAMPAIGNS
from tests.support.random_steps import RandomSteps

READERS = ("mira", "watcher", "")


@given(st.integers(0, 10_000))
@settings(max_examples=25)
def test_the_verifier_and_the_audit_say_the_same(seed: int) -> None:
    with TemporaryDirectory() as folder:
        campaign = begin_campaign(memory_book(Path(folder)), session=False)
        chance = RandomSteps(seed)
        for session in (1, 2):
            campaign.do("open-session")
            if "Ana" in campaign.state.seats:
                campaign.do("entropy", {"text": f"ä {seed}"})
            play_campaign_steps(campaign, chance, 20, corrections=0.35)
            _grant(campaign)
            if not (seed % 3 == 0 and session == 2):
                campaign.do("close-session")
        if seed % 2:
            campaign.do("reveal-screen", {"session": 1})
        path = Path(folder) / "all.jsonl"
        agree(campaign, path)
        for reader in READERS:
            export_for(campaign, path, reader)
            found = verdicts(path)
            assert is_unbroken(path), verify(path)[1]
            assert found[1] != "FAILED", verify(path)[1]


def _grant(campaign: Campaign) -> None:
    for action, entry in list(campaign.history.outcomes())[-6:]:
        if entry is None:
            try:
                campaign.do("grant-dice", {"action": action, "why": "a slip"})
            except RollbookError:
                continue


@pytest.mark.parametrize("golden", GOLDEN_CAMPAIGNS, ids=lambda path: path.stem)
def test_recorded_campaigns_verify_for_every_reader(tmp_path: Path, golden: Path) -> None:
    book = memory_book(tmp_path, ruleset=None)
    campaign = book.campaign(import_campaign(book, golden).campaign)
    path = tmp_path / "file.jsonl"
    agree(campaign, path)
    for reader in ("", *campaign.state.seats):
        file = export_for(campaign, path, reader)
        assert verdicts(path)[0] == "VERIFIED"
        assert verdicts(path)[1] != "FAILED", verify(path)[1]
        assert b'"secret":true' not in file


def test_a_timeline_verifies_too(tmp_path: Path) -> None:
    book = memory_book(tmp_path)
    canon = begin_campaign(book)
    canon.do("attack", {"attacker": "robin", "target": "guard"})
    at = canon.head.entry
    canon.do("bet", {"who": "robin", "dice": 2})
    canon.do("attack", {"attacker": "marian", "target": "robin"})
    fork = timelines.fork(book, canon, at, "what if")
    timelines.begin(fork)
    fork.do("attack", {"attacker": "marian", "target": "robin"})
    fork.do("roll", {"expression": "1d20"})
    fork.do("note", {"text": "psst", "to": "gm"})
    path = tmp_path / "fork.jsonl"
    agree(fork, path)
    export_for(fork, path, "mira")
    assert verdicts(path)[0] == "VERIFIED"


def test_it_runs_alone_with_nothing_but_python(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "out" / "all.jsonl"
    path.parent.mkdir()
    full_export(campaign, path)
    said = run_verifier(path)
    assert (said.returncode, said.stderr) == (0, "")
    assert said.stdout.startswith("chain  VERIFIED")
    assert "What a file alone cannot prove" in said.stdout
    for words, code in (((), 2), (("-h",), 0)):
        helped = _run(path, *words)
        assert (helped.returncode, helped.stderr) == (code, "")
        assert "Nothing but Python" in helped.stdout and "Exit codes" in helped.stdout


def test_what_cannot_be_read_or_was_typed_wrong_is_told_apart_from_a_forgery(
    campaign: Campaign, tmp_path: Path
) -> None:
    path = tmp_path / "all.jsonl"
    whole = full_export(campaign, path)
    odd = {
        "empty": b"",
        "a line": b"\n",
        "an object": b"{}",
        "lists": b"[]\n[]\n",
        "no text": b"\xff\xfe",
        "a number": b'{"format":1,"check":""}\n',
        "null": b"null\n",
        "compressed": gzip.compress(whole),
        "a picture": b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
        "deep": b"[" * 100_000,
        "large number": b'{"format": ' + b"9" * 5_000 + b"}\n",
        "another format": b'{"format": "rollbook/export/9"}\n',
    }
    for name, data in odd.items():
        path.write_bytes(data)
        _not_checked(run_verifier(path), name)
    for other in (tmp_path / "none.jsonl", tmp_path, Path("/dev/null"), Path("/dev/zero")):
        _not_checked(_run(path, str(other)), str(other))
    path.write_bytes(whole)
    _not_checked(run_verifier(path, "ABC"), "a short code")


def _not_checked(said: subprocess.CompletedProcess[str], what: str) -> None:
    assert (said.returncode, said.stderr) == (2, ""), what
    assert re.fullmatch(r"Nothing was checked: .*[^.]\.\n", said.stdout), what
    for raw in ("Error", "codec", "Expecting", "Errno", "delimiter", "column"):
        assert raw not in said.stdout, what


def test_a_forgery_is_said_in_words_and_never_in_those_of_a_library(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    first, second, *rest = full_export(campaign, path).splitlines(keepends=True)
    changed = [
        *NONSENSE,
        second[:-40],
        second.replace(b'"hash":"', b'"hash":"zz'),
        second.replace(b'"at":', b'"ad":'),
        gzip.compress(second),
    ]
    for line in changed:
        path.write_bytes(b"".join([first, line, *rest]))
        said = run_verifier(path)
        assert (said.returncode, said.stderr) == (1, ""), line[:40]
        assert said.stdout.startswith("chain  FAILED    after 0 good entries: ")
        assert not re.search(r"Error|codec|Expecting|delimiter|hexadecimal|position|: '", said.stdout), said.stdout
    path.write_bytes(b"".join([first.replace(b"entries", b"entrees"), second, *rest]))
    assert "the first line was changed" in run_verifier(path).stdout


def _run(path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    run = [sys.executable, "-I", str(path.with_name(VERIFIER)), *words]
    return subprocess.run(run, capture_output=True, text=True, check=False, timeout=60)


def test_it_is_short_and_in_the_syntax_of_older_pythons() -> None:
    text = VERIFIER_SCRIPT.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 520
    tree = ast.parse(text, feature_version=(3, 8))
    imported = [name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names]
    assert not any(isinstance(node, ast.ImportFrom) for node in ast.walk(tree))
    unpacking = {"base64", "gzip", "io"}
    proving = {"hashlib", "hmac", "itertools", "json", "pathlib", "re", "struct", "sys", "unicodedata"}
    assert set(imported) <= unpacking | proving | {"os"}  # for a reader who has gone


def test_it_is_not_written_again_where_it_lies_already(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    full_export(campaign, path)
    lies = path.with_name(VERIFIER)
    before = lies.stat().st_mtime_ns
    full_export(campaign, path)
    assert lies.stat().st_mtime_ns == before
    lies.write_bytes(VERIFIER_SCRIPT.read_bytes()[:200])
    full_export(campaign, path)
    assert lies.read_bytes() == VERIFIER_SCRIPT.read_bytes(), "an earlier one of ours is replaced"
