"""``rollbook replay`` at a real terminal of several sizes, in a pipe and as JSON, for whom it may be seen."""

from __future__ import annotations

import json
import re
import sys

import pytest

from rollbook.projections.pictures.cells import cells
from tests.support.processes import ROOT
from tests.support.terminal import ESCAPES, RunRollbook, Terminal

needs_terminal = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
HOME, LEAVES = "\x1b[H", "\x1b[?1049l"
RIGHT, DOWN = "\x1b[C", "\x1b[B"


@pytest.fixture
def sherwood(rollbook: RunRollbook) -> RunRollbook:
    """A session of storytoken, taken in."""
    assert rollbook(f"import {ROOT}/tests/campaigns/sherwood.2.jsonl").code == 0
    return rollbook


def frames(screen: Terminal, *upto: str) -> str:
    """What is drawn up to some words, one after the other, without colours."""
    return ESCAPES.sub("", "".join(screen.until(words) for words in upto).replace(HOME, "\n"))


def widest(drawn: str) -> int:
    return max(cells(line) for line in drawn.replace("\r", "\n").split("\n"))


@needs_terminal
def test_keys_go_through_the_session_at_a_terminal(sherwood: RunRollbook) -> None:
    screen = Terminal.running("replay", "--paused", columns=110)
    assert "session 1 begins: The Silver Arrow" in frames(screen, "1 of 43", "space")
    screen.press(RIGHT)
    screen.until("2 of 43")
    screen.press("g")
    screen.until("Go to")
    screen.press("#31\r")
    frame = frames(screen, "#31 @", "space")
    assert "Sherlock Holmes's turn" in frame and "21 of 40" in frame
    screen.press("/")
    screen.until("Filter")
    screen.press("kind=DamageTaken target=guard\r")
    screen.until("#36 @")
    screen.press("C")
    frame = frames(screen, "#22 @", "space")
    assert "A correction: out of reach" in frame
    assert "Robin Hood, hit points: 30 of 36 → 36 of 36" in frame
    screen.press("v")
    screen.until("as corrected")
    screen.press("?")
    screen.until("to the next entry that fits a filter")
    screen.press("q")
    screen.until(LEAVES)
    assert screen.ended() == 0


@needs_terminal
def test_it_plays_by_itself_and_ends_with_an_interrupt(sherwood: RunRollbook) -> None:
    screen = Terminal.running("replay", "--every", "0.1", columns=80)
    assert widest(frames(screen, "4 of 43", "space")) <= 80
    screen.press(" ")
    screen.until("⏸")
    screen.press("\x03")
    screen.until(LEAVES)
    assert screen.ended() == 0


@needs_terminal
def test_a_narrow_window_has_the_log_below_the_board_and_a_larger_one_beside_it(sherwood: RunRollbook) -> None:
    screen = Terminal.running("replay", "20-40", "--paused", columns=40, rows=20)
    screen.until("1 of 23")
    screen.press(DOWN)
    frame = frames(screen, "#21 @", "space")
    assert widest(frame) <= 40
    assert "│" not in frame
    screen.resize(120, rows=30)
    screen.until(HOME)
    frame = frames(screen, "#21 @", "space")
    assert "│" in frame and "Guard's turn" in frame
    screen.resize(12, rows=4)
    screen.until(HOME)
    screen.press("q")
    assert screen.ended() == 0


def test_in_a_pipe_every_step_is_printed_at_once(sherwood: RunRollbook) -> None:
    said = sherwood("replay 18-31").out.split("\n")
    assert [line for line in said if "Robin Hood, hit points: 30 of 36 → 36 of 36" in line]
    numbers = [int(found[1]) for line in said if (found := re.search(r"^\S+ \S+ UTC  #(\d+) ", line))]
    assert numbers == [*range(18, 30), 22, 30, 31]
    assert "    Round 1, Guard’s turn: Robin Hood 30 of 36" in "\n".join(said)


def test_as_corrected_the_mistake_is_left_out(sherwood: RunRollbook) -> None:
    said = sherwood("replay 18-31 --as-corrected").out
    assert "#22" not in said
    assert "30 of 36" not in said


def test_programs_get_an_object_a_step(sherwood: RunRollbook) -> None:
    steps = [json.loads(line) for line in sherwood("replay 18-31 --json").out.splitlines()]
    assert [step["line"]["action"] for step in steps] == [*range(18, 30), 22, 30, 31]
    undone = steps[12]
    assert undone["marks"] == [{"kind": "correction", "text": "out of reach: he was 120 feet away"}]
    assert undone["changed"][0] | {"character": "robin-hood"} == {
        "character": "robin-hood",
        "label": "Robin Hood",
        "what": "hit points",
        "before": "30 of 36",
        "after": "36 of 36",
    }
    differing = [step["line"]["action"] for step in steps if step["corrected"] is not None]
    assert differing and 22 in differing


def test_a_session_is_from_where_it_opens_to_where_the_next_one_does(table: RunRollbook) -> None:
    for line in ("do note one", "do close-session", "do open-session", "do note two", "undo last --yes --why so"):
        assert table(line).code == 0
    last = [step["line"]["verb"] for step in table("replay --json").lines]
    assert last == ["open-session", "note", "undo"]
    first = [step["line"]["verb"] for step in table("replay --session 1 --json").lines]
    assert first[0] == "open-session" and first[-1] == "close-session"
    unknown = table("replay --session 9")
    assert unknown.code == 3 and "session" in unknown.err


def test_nobody_watches_what_is_hidden(table: RunRollbook) -> None:
    for line in (
        "do join Spy --kind npc --hp 9 --ac 12 --secret",
        "do begin-encounter robin,guard --title 'The ambush' --dice 15,4",
        "do join-encounter spy --secret",
        "do harm spy 2 --secret",
        "do harm guard 3",
        "do note 'psst, Robin alone' --to Mira",
    ):
        assert table(line).code == 0
    assert "Spy" in table("replay").out
    seen = table("replay --for table")
    assert seen.code == 0 and "Guard" in seen.out
    assert "spy" not in seen.out.casefold() and "psst" not in seen.out
    mine = table("replay --for player:mira --json").out
    assert "psst" in mine and "spy" not in mine.casefold()


def test_a_range_that_is_none_is_said(sherwood: RunRollbook) -> None:
    assert sherwood("replay never").code == 2
    assert sherwood("replay 12-40 --session 1").code == 2
    assert sherwood("replay 900-").code == 3


def test_before_anything_has_happened_there_is_nothing_to_watch(rollbook: RunRollbook) -> None:
    rollbook("new Empty --ruleset storytoken")
    assert rollbook("replay").code == 0
