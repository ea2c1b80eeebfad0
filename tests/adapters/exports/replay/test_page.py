"""The page of a replay as a file: one, whole, small, for its reader alone; and the verifier in Python takes it as it is."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings

from rollbook.application.campaign import Campaign
from rollbook.domain.base.errors import RollbookError
from tests.support.campaigns import begin_campaign, memory_book
from tests.support.example_sessions import EXAMPLE_SESSIONS, EXAMPLES, played_example
from tests.support.exports import export_for, verify, without_hashes
from tests.support.replay_pages import frames_of, part_of, replay_file, with_another_die, with_part
from tests.support.secret_tables import ARRIVALS, ROLL, SECRET_ROLL, Step, do, played, two_tables
from tests.support.terminal import RunRollbook

BASE, AN_EVENT = 190_000, 140
"""The most bytes of a page, and for each event."""


@pytest.mark.parametrize("name", EXAMPLE_SESSIONS)
def test_it_is_small_and_both_readers_pages_verify(name: str, tmp_path: Path) -> None:
    campaign = played_example(name, tmp_path)
    many = sum(len(entry.events) for entry in campaign.history.entries)
    for seat in (None, ""):
        path = replay_file(campaign, tmp_path / f"{name}.html", seat)
        assert path.stat().st_size <= BASE + AN_EVENT * many
        assert verify(path)[0] == 0


def test_the_verifier_says_of_a_page_what_it_says_of_the_reader_s_export(sherwood: Campaign, tmp_path: Path) -> None:
    for seat in (None, "", "Mira"):
        page, lines = replay_file(sherwood, tmp_path / "page.html", seat), tmp_path / "lines.jsonl"
        export_for(sherwood, lines, seat)
        assert verify(page) == verify(lines)
        assert part_of(page, "chain") == lines.read_bytes()


def test_the_verifier_in_python_finds_a_changed_die(page_file: Path) -> None:
    forged = with_part(page_file, "chain", with_another_die)
    code, said = verify(forged)
    assert code == 1
    assert "FAILED    after 18 good entries: the next one was changed" in said


def test_a_page_without_a_chain_is_not_checked(sherwood: Campaign, tmp_path: Path) -> None:
    path = replay_file(sherwood, tmp_path / "nobody.html", "", pseudonyms=True)
    assert verify(path)[0] == 2
    assert "Mira" not in path.read_text(encoding="utf-8")
    assert b"Mira" not in part_of(path, "frames") + part_of(path, "chain")


def test_a_page_names_its_one_style_sheet_and_its_one_script_and_allows_nothing_else(page_file: Path) -> None:
    text = page_file.read_text(encoding="utf-8")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    rules = dict(rule.strip().split(" ", 1) for rule in policy[1].replace("&#x27;", "'").split(";"))
    assert rules["default-src"] == "'none'"
    for tag, rule in (("style", "style-src"), ("script", "script-src")):
        (inside,) = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        assert rules[rule] == f"'sha256-{b64encode(sha256(inside.encode()).digest()).decode()}'"
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)
    assert " style=" not in text


def test_a_page_for_the_table_has_nothing_of_what_is_hidden(tmp_path: Path) -> None:
    campaign = begin_campaign(memory_book(tmp_path))
    campaign.do("note", {"text": "the duke did it", "to": "gm"})
    campaign.do("adjust", {"who": "robin", "what": "hp", "by": -2, "reason": "fell"}, secret=True)
    campaign.do("note", {"text": "heard by all"})
    campaign.session.project()
    path = replay_file(campaign, tmp_path / "table.html", "")
    said = part_of(path, "frames") + part_of(path, "chain")
    assert b"duke" not in said
    assert b"fell" not in said
    assert b"heard by all" in said
    assert [step["no"] for step in frames_of(path)["steps"]] == list(range(1, len(frames_of(path)["steps"]) + 1))
    assert b"duke" in part_of(replay_file(campaign, tmp_path / "gm.html"), "frames")


@given(two_tables())
@example(([ROLL], [SECRET_ROLL, ROLL]))
@example(([ROLL, ROLL], [*ARRIVALS, ROLL, SECRET_ROLL, ROLL]))
@settings(max_examples=15, deadline=None)
def test_what_is_hidden_makes_no_difference_to_a_page(tables: tuple[list[Step], list[Step]]) -> None:
    with TemporaryDirectory() as folder:
        one, other = (played([*steps, do("close-session")], f"{folder}/{at}") for at, steps in enumerate(tables))
        for seat in ("mira", ""):
            path = Path(folder) / "page.html"
            some, others = (
                (frames_of(page), without_hashes(part_of(page, "chain")))
                for page in (replay_file(campaign, path, seat) for campaign in (one, other))
            )
            assert some == others


def test_nothing_of_somebody_else_s_is_overwritten(sherwood: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "mine.html"
    path.write_text("<!doctype html><p>mine")
    with pytest.raises(RollbookError, match=r"mine\.html"):
        replay_file(sherwood, path)
    assert path.read_text() == "<!doctype html><p>mine"


def test_html_is_a_replay_for_the_table_where_nobody_says_otherwise(rollbook: RunRollbook, home: Path) -> None:
    assert rollbook(f"play {EXAMPLES / 'night-ferry.session'}").code == 0
    answer = rollbook(f"export {home / 'ferry.html'}")
    assert answer.code == 0, answer.err
    assert "It is for the table. With all that is secret: --for gm" in answer.out
    assert f"python3 {home / 'verify_rollbook.py'} {home / 'ferry.html'}" in answer.out
    assert "<bdi>for the table</bdi>" in (home / "ferry.html").read_text(encoding="utf-8")
    assert rollbook(f"export {home / 'ferry.html'}").code == 1
    assert rollbook(f"export {home / 'ferry.html'} --overwrite --for gm --where verb=attack").code == 0
    drawn = frames_of(home / "ferry.html")
    assert {step["verb"] for step in drawn["steps"] if "of" not in step} == {"attack"}
    assert len(drawn["steps"]) < part_of(home / "ferry.html", "chain").count(b"\n") - 1
    assert verify(home / "ferry.html")[0] == 0
