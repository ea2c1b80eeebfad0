"""Files of histories in which something was put into the past: both verifiers accept them, and find what was forged."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rollbook.adapters.exports.whole_file import export_campaign
from rollbook.adapters.imports.jsonl import import_campaign
from rollbook.application.campaign import Campaign
from rollbook.application.visibility.editions.edition import Edition
from rollbook.domain.actions.notes import WriteNote
from rollbook.domain.base.errors import HistoryDamaged
from rollbook.domain.corrections.changes import CorrectionOptions
from rollbook.domain.entries import EntryKind
from rollbook.domain.history.chain import PRIVATE, PUBLIC
from rollbook.domain.rules.action import Action, build
from tests.support.campaigns import begin_campaign, memory_book
from tests.support.exports import body_lines, export_for, full_export, rechained, verdicts, verify
from tests.support.formats import exported
from tests.support.javascript import JavaScriptVerifier, needs_node, same

GOLDEN = Path(__file__).parents[2] / "campaigns" / "forgotten.1.jsonl"
DRAW = CorrectionOptions(draw=True)


@pytest.fixture(scope="module")
def javascript() -> Iterator[JavaScriptVerifier]:
    verifier = JavaScriptVerifier()
    yield verifier
    verifier.close()


def verb(campaign: Campaign, name: str, **params: Any) -> Action:
    return build(campaign.session.rulebook.verb(campaign.state, name), params)


@pytest.fixture
def corrected(tmp_path: Path) -> Campaign:
    """A campaign with rolls, of which two were put before another one with dice that were drawn, and all its dice shown."""
    campaign = begin_campaign(memory_book(tmp_path))
    said = {"expression": "1d20", "who": "robin", "purpose": "luck"}
    rolled = [campaign.do("roll", said).action for _ in range(3)]
    campaign.do("note", text="for nobody", to="gm")
    luck = verb(campaign, "roll", **said)
    campaign.corrections.insert(rolled[1], luck, reason="so", options=DRAW).apply()
    campaign.corrections.insert(rolled[1], luck, reason="so", options=DRAW).apply()
    campaign.corrections.insert(rolled[0], WriteNote(text="unseen", to="gm"), reason="so").apply()
    campaign.do("roll", said)
    campaign.do("close-session")
    return campaign


def inserted(lines: list[bytes]) -> list[int]:
    return [at for at, line in enumerate(lines) if b'"lines":[["ActionInserted@1"' in line]


@needs_node
@pytest.mark.parametrize("reader", [None, "mira", ""])
def test_both_verifiers_accept_them(
    corrected: Campaign, tmp_path: Path, reader: str | None, javascript: JavaScriptVerifier
) -> None:
    path = tmp_path / "file.jsonl"
    export_for(corrected, path, reader)
    assert len(inserted(body_lines(path))) == (3 if reader is None else 2)
    assert verdicts(path)[0] == "VERIFIED", verify(path)[1]
    assert verdicts(path)[1] != "FAILED", verify(path)[1]
    same(javascript, path)


def test_the_audit_agrees(corrected: Campaign) -> None:
    chain, dice, rules = corrected.audit()
    assert [str(answer.verdict) for answer in (chain, dice, rules)] == ["VERIFIED"] * 3, (dice.findings, rules.findings)


def test_it_is_taken_in_again_byte_for_byte(corrected: Campaign, tmp_path: Path) -> None:
    first, again = tmp_path / "first.jsonl", tmp_path / "again.jsonl"
    export_campaign(corrected.session.log, first)
    book = memory_book(tmp_path / "elsewhere")
    import_campaign(book, first)
    export_campaign(book.campaign(corrected.id).session.log, again)
    assert again.read_bytes() == first.read_bytes()


@needs_node
def test_the_golden_campaign_is_accepted(javascript: JavaScriptVerifier) -> None:
    assert verdicts(GOLDEN) == ("VERIFIED", "VERIFIED")
    same(javascript, GOLDEN)


def _later(said: dict[str, Any]) -> None:
    said["lines"][PRIVATE][1]["before"] = said["lines"][PRIVATE][1]["action"]


def _nowhere(said: dict[str, Any]) -> None:
    del said["lines"][PRIVATE][1]["before"]


def _elsewhere_at_the_table(said: dict[str, Any]) -> None:
    said["lines"][PUBLIC][1]["public_before"] -= 1


def _untold(said: dict[str, Any]) -> None:
    del said["lines"][PUBLIC][1]["public_before"]


def _of_no_correction(said: dict[str, Any]) -> None:
    del said["lines"][PRIVATE][1]["correction"]


def _taken_now(said: dict[str, Any]) -> None:
    said["lines"][PUBLIC][0] = "ActionTaken@1"


FORGERIES = (_later, _nowhere, _elsewhere_at_the_table, _untold, _of_no_correction, _taken_now)


@needs_node
@pytest.mark.parametrize("forge", FORGERIES)
def test_a_forged_one_is_found_by_all(
    corrected: Campaign, tmp_path: Path, forge: Callable[[dict[str, Any]], None], javascript: JavaScriptVerifier
) -> None:
    path = tmp_path / "file.jsonl"
    full_export(corrected, path)
    first, *lines = path.read_bytes().splitlines(keepends=True)
    at = inserted(lines)[0]
    said = json.loads(lines[at])
    forge(said)
    lines[at] = json.dumps(said).encode() + b"\n"
    forged = tmp_path / "forged.jsonl"
    head, made = rechained(first, lines)
    forged.write_bytes(head + b"".join(made))
    assert verdicts(forged)[0] == "FAILED", verify(forged)[1]
    same(javascript, forged)
    with pytest.raises(HistoryDamaged):
        import_campaign(memory_book(tmp_path / "elsewhere"), forged)


@needs_node
def test_another_place_is_found_by_what_is_counted_from_it(
    corrected: Campaign, tmp_path: Path, javascript: JavaScriptVerifier
) -> None:
    """Before another act of the same fight the dice may be right, but rules say what came of it there."""
    path = tmp_path / "file.jsonl"
    full_export(corrected, path)
    first, *lines = path.read_bytes().splitlines(keepends=True)
    at = inserted(lines)[0]
    said = json.loads(lines[at])
    for envelope, name in ((PUBLIC, "public_before"), (PRIVATE, "before")):
        said["lines"][envelope][1][name] = 3
    lines[at] = json.dumps(said).encode() + b"\n"
    forged = tmp_path / "forged.jsonl"
    head, made = rechained(first, lines)
    forged.write_bytes(head + b"".join(made))
    same(javascript, forged)
    book = memory_book(tmp_path / "elsewhere")
    import_campaign(book, forged)
    assert str(book.campaign(corrected.id).audit()[2].verdict) == "FAILED"


@pytest.mark.parametrize("seat", [None, ""])
def test_cloud_events_say_before_which_action_it_was_inserted(
    corrected: Campaign, tmp_path: Path, seat: str | None
) -> None:
    exported(corrected, "cloudevents", tmp_path / "events.jsonl", seat)
    lines = [json.loads(line) for line in (tmp_path / "events.jsonl").read_text().splitlines()]
    entries = [each for each in lines if "verb" in each["data"].get("intent", {})]
    said = {each["action"]: each["data"]["before"] for each in entries if each["type"] == "rollbook.ActionInserted.v1"}
    seen = corrected if seat is None else Edition(corrected, seat)
    made = [entry for entry in seen.history.entries if entry.kind is EntryKind.INSERTED]
    assert said == {entry.action: entry.before for entry in made}
    assert said and all(said.values())
    assert {each["data"]["before"] for each in entries if each["type"] == "rollbook.ActionTaken.v1"} == {0}
