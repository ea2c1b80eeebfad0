"""The verifier in JavaScript says what the one in Python says, word for word, with WebCrypto and without."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rollbook.adapters.exports.reader_file import Reader, export_shown
from rollbook.adapters.exports.whole_file import export_campaign
from rollbook.adapters.imports.jsonl import import_campaign
from rollbook.application.campaign import Campaign
from rollbook.application.timelines import forking as timelines
from rollbook.domain.audit.receipts import receipt_of
from rollbook.domain.base.errors import HistoryDamaged
from rollbook.domain.history.chain import canonical
from tests.support.campaigns import begin_campaign, memory_book, play_campaign_steps
from tests.support.exports import (
    NONSENSE,
    VERIFIER_SCRIPT,
    body_lines,
    export_for,
    full_export,
    is_unbroken,
    rechained,
    verify,
    with_body,
)
from tests.support.golden_campaigns import GOLDEN_CAMPAIGNS
from tests.support.javascript import NO_ENTRY, SCRIPT, SCRIPTS, JavaScriptVerifier, needs_node, same
from tests.support.needs import needed
from tests.support.random_steps import RandomSteps
from tests.support.tampering import TAMPERINGS

HERE = Path(__file__).parents[2]
STORED = sorted(HERE.rglob("*.jsonl"))


@needs_node
@pytest.mark.parametrize("stored", STORED, ids=lambda path: path.stem)
def test_of_every_stored_log_both_say_the_same(javascript: JavaScriptVerifier, stored: Path) -> None:
    said = same(javascript, stored)
    assert said.startswith(("chain  VERIFIED", "chain  UNPROVEN  31 of 32", "Nothing was checked"))


@needs_node
@pytest.mark.parametrize("golden", GOLDEN_CAMPAIGNS, ids=lambda path: path.stem)
def test_of_every_readers_file_both_say_the_same(javascript: JavaScriptVerifier, tmp_path: Path, golden: Path) -> None:
    book = memory_book(tmp_path, ruleset=None)
    campaign = book.campaign(import_campaign(book, golden).campaign)
    path = tmp_path / "file.jsonl"
    for reader in (None, "", *campaign.state.seats):
        export_for(campaign, path, reader)
        assert same(javascript, path, plain=False).startswith("chain  ") and is_unbroken(path)
    export_shown(campaign.session.log, path, Reader(None, lambda entry: entry.number % 3 == 1), overwrite=True)
    assert "left out, with digests in their place" in same(javascript, path)


@needs_node
@pytest.mark.parametrize("seed", range(6))
def test_of_random_campaigns_both_say_the_same(javascript: JavaScriptVerifier, tmp_path: Path, seed: int) -> None:
    campaign = begin_campaign(memory_book(tmp_path), session=False)
    chance = RandomSteps(seed)
    for _ in range(2):
        campaign.do("open-session")
        if "Ana" in campaign.state.seats:
            campaign.do("entropy", {"text": f"a\u0308 🎲 {seed}"})
        play_campaign_steps(campaign, chance, 20, corrections=0.35)
        campaign.do("close-session")
    if seed % 2:
        campaign.do("reveal-screen", {"session": 1})
    path = tmp_path / "file.jsonl"
    for reader in (None, "mira", ""):
        export_for(campaign, path, reader)
        assert same(javascript, path, plain=bool(seed % 2)).startswith("chain  ") and is_unbroken(path)


@needs_node
def test_of_a_timeline_both_say_the_same(javascript: JavaScriptVerifier, tmp_path: Path) -> None:
    book = memory_book(tmp_path)
    canon = begin_campaign(book)
    canon.do("attack", {"attacker": "robin", "target": "guard"})
    fork = timelines.fork(book, canon, canon.head.entry, "what if")
    timelines.begin(fork)
    fork.do("attack", {"attacker": "marian", "target": "robin"})
    fork.do("roll", {"expression": "1d20"})
    path = tmp_path / "fork.jsonl"
    full_export(fork, path)
    assert same(javascript, path).startswith("chain  VERIFIED")


@needs_node
def test_lines_of_every_length_have_the_hashes_that_python_gives_them(
    javascript: JavaScriptVerifier, tmp_path: Path
) -> None:
    """SHA-256 works in blocks of 64 bytes, and what fills the last one depends on the length."""
    campaign = begin_campaign(memory_book(tmp_path))
    for length in range(70):
        campaign.do("note", {"text": "x" * (length + 1)})
    path = tmp_path / "file.jsonl"
    full_export(campaign, path)
    assert same(javascript, path).startswith("chain  VERIFIED")


@needs_node
def test_receipts_are_read_alike(javascript: JavaScriptVerifier, campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl"
    full_export(campaign, path)
    receipt = receipt_of(campaign.id, campaign.head.shown, campaign.state.session)
    spaced = str(receipt).replace("-", " ").replace("0", "o").replace("1", "l").replace("V", "u")
    commit = verify_commit(path)
    good = f"{receipt.campaign} @{receipt.entry} {receipt.code} dice {commit}"
    assert "VERIFIED" in same(javascript, path, receipt.code, spaced, receipt.code.lower().replace("-", "–"), good)
    wrong = ("00000-00000-00000-00000-000000", f"{receipt.code} dice {receipt.code}", f"{commit} dice {commit}")
    for line in wrong:
        assert "no entry here has the receipt" in same(javascript, path, receipt.code, line)
    for short in (receipt.code[:-1], receipt.code[:11], "ABC", "", str(receipt)[:-1]):
        assert "a code has 26 letters" in same(javascript, path, short)


def verify_commit(path: Path) -> str:
    """The code of the first session's dice in a file, by the verifier in Python."""
    found = re.search(rb'"commit_table":"([0-9a-f]+)"', path.read_bytes())
    assert found
    bits = f"{int(found[1], 16):0256b}"
    return "".join("0123456789ABCDEFGHJKMNPQRSTVWXYZ"[int(bits[at : at + 5], 2)] for at in range(0, 130, 5))


@needs_node
@pytest.mark.parametrize("reader", [None, "mira", ""])
def test_of_changed_bytes_both_say_the_same(
    javascript: JavaScriptVerifier, campaign: Campaign, tmp_path: Path, reader: str | None
) -> None:
    path = tmp_path / "file.jsonl"
    export_for(campaign, path, reader)
    lines = body_lines(path)
    for number, line in enumerate(lines):
        for at in range(7 * number % STEP, len(line), STEP):
            changed = bytearray(line)
            changed[at] ^= (0x01, 0x20, 0x80, 0x04)[at % 4]
            other = with_body(path, [*lines[:number], bytes(changed), *lines[number + 1 :]])
            assert "FAILED" in same(javascript, other, plain=False)


STEP = 83
"""One byte in so many is changed; lines begin to count at different places."""


@needs_node
@pytest.mark.parametrize("reader", [None, "mira", ""])
def test_of_lines_that_were_removed_doubled_or_moved_both_say_the_same(
    javascript: JavaScriptVerifier, campaign: Campaign, tmp_path: Path, reader: str | None
) -> None:
    path = tmp_path / "file.jsonl"
    export_for(campaign, path, reader)
    lines = body_lines(path)
    for at in range(0, len(lines), 2):
        stored = [canonical(each) for each in json.loads(lines[at])["lines"]]
        begin = lines[at][: lines[at].index(b'"lines":[') + 9]
        inner = [begin + b",".join(stored[:cut] + stored[cut + 1 :]) + b"]}\n" for cut in range(len(stored))]
        for other in (
            [*lines[:at], *lines[at + 1 :]],
            [*lines[:at], lines[at], *lines[at:]],
            [*lines[:at], *lines[at : at + 2][::-1], *lines[at + 2 :]],
            *([*lines[:at], line, *lines[at + 1 :]] for line in inner),
        ):
            if other != lines:
                assert "FAILED" in same(javascript, with_body(path, other), plain=False)


@needs_node
@pytest.mark.parametrize("name", TAMPERINGS)
def test_of_everything_that_a_host_may_try_both_say_the_same(
    javascript: JavaScriptVerifier, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "file.jsonl"
    try:
        export_campaign(TAMPERINGS[name][0](), path)
    except HistoryDamaged:
        return
    same(javascript, path)


ODD = (-1, 0, 1, 2, 3, 7, 10**6, 2**40, "", "gm", "mira", "nobody", None, True, False, [], {}, [0], [-1], 1.5)
"""What is put in the place of each value, with all hashes made again."""


@needs_node
@pytest.mark.parametrize("part", range(4))
def test_of_forged_values_with_hashes_that_fit_both_say_the_same(
    javascript: JavaScriptVerifier, campaign: Campaign, tmp_path: Path, part: int
) -> None:
    path = tmp_path / "file.jsonl"
    first, *lines = full_export(campaign, path).splitlines(keepends=True)
    chance = Random(part)
    for _ in range(ROUNDS):
        said = [json.loads(line) for line in lines]
        for _ in range(chance.choice((1, 1, 2))):
            forge(chance, chance.choice(said)["lines"][:-1])
        try:
            head, forged = rechained(first, [canonical(each) + b"\n" for each in said])
        except (TypeError, ValueError):
            continue  # a value went where hashes have none: nobody can make one that fits
        path.write_bytes(head + b"".join(forged))
        (exit_code, words), found = verify(path), javascript.verify(path)
        if NO_ENTRY.search(words + found[1]):
            assert (exit_code, found[0]) == (1, 1), "values of other kinds than are meant are no entry"
        else:
            assert found == (exit_code, words)


def with_another_last_roll(campaign: Campaign, path: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    """An export of a campaign with its last roll changed, and hashes that fit."""
    first, *lines = full_export(campaign, path).splitlines(keepends=True)
    said = [json.loads(line) for line in lines]
    events = [fields for entry in said for name, fields in entry["lines"] if name.startswith("DiceRolled@")]
    change(events[-1])
    head, forged = rechained(first, [canonical(each) + b"\n" for each in said])
    path.write_bytes(head + b"".join(forged))
    return path


@needs_node
@pytest.mark.parametrize("die", [[], [20], None, 7, "", {}], ids=str)
def test_a_die_without_sides_or_a_face_is_none_for_both(
    javascript: JavaScriptVerifier, campaign: Campaign, tmp_path: Path, die: object
) -> None:
    path = with_another_last_roll(campaign, tmp_path / "file.jsonl", lambda roll: roll["dice"].__setitem__(0, die))
    assert "the dice cannot be followed: an entry lacks some of them" in same(javascript, path)


@needs_node
@needs_node
@pytest.mark.parametrize("place", [[], [False, 0, 1], [False, 0, 1, 0, 0], "", "four", {}, 0, 4, False], ids=str)
def test_a_place_of_other_than_four_parts_is_none_for_both(
    javascript: JavaScriptVerifier, campaign: Campaign, tmp_path: Path, place: object
) -> None:
    def move(roll: dict[str, Any]) -> None:
        roll["sources"][0][3] = place

    path = with_another_last_roll(campaign, tmp_path / "file.jsonl", move)
    assert "the dice cannot be followed: nothing says where some of them come from" in same(javascript, path)


ROUNDS = int(os.environ.get("ROLLBOOK_ROUNDS", "60"))
"""How many forgeries there are in each part; more by hand."""


def forge(chance: Random, stored: list[list[Any]]) -> None:
    """Change, add, remove or move a value of an entry: of its envelopes, or of an event."""
    fields = chance.choice([fields for _, fields in stored if isinstance(fields, dict)])
    key = chance.choice([*fields, *ENVELOPES])
    if chance.random() < 0.15:
        stored.insert(chance.randrange(len(stored) + 1), stored.pop(chance.randrange(2, len(stored) + 1) - 1))
    elif chance.random() < 0.15:
        fields.pop(key, None)
    elif isinstance(fields.get(key), list) and fields[key] and chance.random() < 0.7:
        fields[key][chance.randrange(len(fields[key]))] = chance.choice((*ODD, *fields[key]))
    elif isinstance(fields.get(key), int) and chance.random() < 0.5:
        fields[key] += chance.choice((-1, 1))
    else:
        fields[key] = chance.choice(ODD)


ENVELOPES = (
    "action",
    "revision",
    "restores",
    "public_number",
    "causation",
    "correction",
    "seat",
    "visibility",
    "actor",
)

NO_EXPORTS = {
    "empty": b"",
    "a line": b"\n",
    "an object": b"{}",
    "lists": b"[]\n[]\n",
    "no text": b"\xff\xfe",
    "a number": b'{"format":1,"check":""}\n',
    "null": b"null\n",
    "deep": b"[" * 100_000,
    "another format": b'{"format": "rollbook/export/9"}\n',
}


@needs_node
@pytest.mark.parametrize("name", NO_EXPORTS)
def test_what_is_no_export_is_told_apart_from_a_forgery_by_both(
    javascript: JavaScriptVerifier, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "file.jsonl"
    path.write_bytes(NO_EXPORTS[name])
    assert same(javascript, path).startswith("Nothing was checked: ")


@needs_node
def test_nonsense_in_the_place_of_an_entry_is_said_alike(
    javascript: JavaScriptVerifier, campaign: Campaign, tmp_path: Path
) -> None:
    path = tmp_path / "file.jsonl"
    first, second, *rest = full_export(campaign, path).splitlines(keepends=True)
    nonsense = [*NONSENSE, b'{"lines":[]}\n', second[:-40]]
    changed = [(b'"hash":"', b'"hash":"zz'), (b'"at":', b'"ad":'), (b'"lines":[', b'"lines":[ '), (b"]}\n", b"]} \n")]
    for line in (*nonsense, *(second.replace(was, now) for was, now in changed), second[:-1]):
        path.write_bytes(b"".join([first, line, *rest]))
        assert "FAILED    after 0 good entries" in same(javascript, path, plain=False)
    path.write_bytes(b"".join([first.replace(b"entries", b"entrees"), second, *rest]))
    assert "the first line was changed" in same(javascript, path)


@needs_node
def test_a_page_is_given_the_answer_in_parts(
    javascript: JavaScriptVerifier, campaign: Campaign, tmp_path: Path
) -> None:
    path = tmp_path / "file.jsonl"
    full_export(campaign, path)
    answer = javascript.answer(path)
    assert (answer["exit"], answer["chain"]["verdict"], answer["dice"]["verdict"]) == (0, "VERIFIED", "UNPROVEN")
    assert answer["chain"]["entries"] == len(body_lines(path))
    assert answer["chain"]["receipt"] == receipt_of(campaign.id, campaign.head.shown, None).code
    assert set(answer["dice"]) == {"verdict", "proven", "findings", "notes"}
    other = with_body(path, body_lines(path)[:-1])
    answer = javascript.answer(other)
    assert (answer["exit"], answer["chain"]["verdict"], answer["dice"]) == (1, "FAILED", None)
    assert answer["chain"]["fault"] == "the file does not end as it says"


@needs_node
def test_it_is_a_command_of_node_with_the_exit_codes_of_the_other(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl"
    full_export(campaign, path)
    code = receipt_of(campaign.id, campaign.head.shown, None).code
    for words in ((path,), (path, code), (path, code[:11]), (tmp_path / "none",), (tmp_path,)):
        said = run_node(*map(str, words))
        assert (said.returncode, said.stdout, said.stderr) == (*verify(*words), "")
    for words, exit_code in (((), 2), (("-h",), 0)):
        said = run_node(*words)
        assert (said.returncode, said.stderr, "Exit codes: 0" in said.stdout) == (exit_code, "", True)


def run_node(*words: str) -> subprocess.CompletedProcess[str]:
    run = [needed("node"), str(SCRIPT), *words]
    return subprocess.run(run, capture_output=True, text=True, check=False, timeout=60, encoding="utf-8")


PROVING = HERE.parent / "docs" / "proving.md"
WIDTH = 120


def test_no_script_is_longer_than_the_page_about_proving_says_and_no_line_is_wide() -> None:
    rows = re.findall(r"\| `(\w+\.js)` \| at most (\d+) \|", PROVING.read_text(encoding="utf-8"))
    assert [name for name, _ in rows] == [script.name for script in reversed(SCRIPTS)]
    for script, (_, most) in zip(reversed(SCRIPTS), rows, strict=True):
        lines = script.read_text(encoding="utf-8").splitlines()
        assert len(lines) <= int(most)
        assert [line for line in lines if len(line) > WIDTH] == []


def test_each_script_needs_nothing_but_a_page_and_the_scripts_before_it() -> None:
    before: list[str] = []
    for script in SCRIPTS:
        page, command = script.read_text(encoding="utf-8").split("\n})();\n")
        asked = re.findall(r': require\("\./([\w.]+)"\);', page)
        assert asked == before
        page = re.sub(r': require\("[\w./]+"\);', "", page)
        assert not re.search(r"\brequire|\bprocess\b|\bdocument\b|\bwindow\b|\bimport\b|\bfetch\b|\beval\b", page)
        assert re.findall(r'require\("(\w+)"\)', command) == ["fs"] * (script == SCRIPT)
        assert script.parent == VERIFIER_SCRIPT.parent
        before.append(script.name)


def test_no_script_ends_the_element_of_a_page_that_carries_it() -> None:
    assert [script.name for script in SCRIPTS if re.search("</script|<!--", script.read_text(encoding="utf-8"))] == []


@needs_node
def test_it_is_a_command_wherever_its_scripts_lie_together(campaign: Campaign, tmp_path: Path) -> None:
    for script in SCRIPTS:
        shutil.copyfile(script, tmp_path / script.name)
    path = tmp_path / "file.jsonl"
    full_export(campaign, path)
    run = [needed("node"), "verify_rollbook.js", "file.jsonl"]
    said = subprocess.run(run, capture_output=True, text=True, check=False, timeout=60, cwd=tmp_path, encoding="utf-8")
    assert (said.returncode, said.stdout, said.stderr) == (*verify(path), "")
