"""``rollbook stats`` tells what fell, to the GM and to each player what is theirs, and never passes a verdict."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.processes import ROOT, run
from tests.support.terminal import CommandResult, RunRollbook

VERDICTS = ("cheat", "suspic", "fraud", "dishonest", "liar", "lying", "fake", "guilty", "manipulat")


def watch(typed: int, *, loaded: float = 0.0, seed: int = 2) -> Iterator[str]:
    """Two sessions: Mira types her dice, Jo rolls from the stream, and something lies behind the screen."""
    chance = random.Random(seed)
    yield from ('campaign "The Watch" storytoken', "take-seat Ana --role gm", "take-seat Mira", "take-seat Jo")
    yield "open-session First"
    for name, seat in (("Robin", "Mira"), ("Kit", "Jo")):
        sheet = "--heritage human --roles fighting,noble,science --scores 13,18,14,12,15,17"
        yield f"join {name} --id {name.lower()} --seat {seat} {sheet} ! 5"
    for session in range(2):
        if session:
            yield from ("close-session", "open-session Second")
        yield "scene The gate"
        for _ in range(typed // 2):
            face = chance.randint(11, 20) if chance.random() < loaded else chance.randint(1, 20)
            yield f"roll 1d20+2 --who robin --purpose watch --seat Mira ! {face}"
        for _ in range(20):
            yield "roll 2d20kh1 --who kit --purpose watch --seat Jo"
        yield "roll 1d100 --purpose doom --secret"


@pytest.fixture
def play(rollbook: RunRollbook, home: Path):
    def play_(*lines: str) -> RunRollbook:
        script = home / "watch.session"
        script.write_text("\n".join(lines), encoding="utf-8")
        done = rollbook(f"play {script}")
        assert done.code == 0, done.err
        return rollbook

    return play_


def accuses_nobody(answer: CommandResult) -> None:
    said = answer.out.casefold()
    assert not [word for word in VERDICTS if word in said]


def test_the_page_tells_faces_luck_and_what_can_be_said_of_typed_dice(play) -> None:
    answer = play(*watch(40))("stats")
    assert answer.code == 0
    assert "The Watch  84 rolls: 42 from the stream, 42 typed in" in answer.out
    assert "From the committed stream" in answer.out
    assert "80 d20  mean" in answer.out
    assert re.search(r"Mira +40 typed in  ", answer.out)
    assert re.search(r"Jo +40 stream  ", answer.out)
    assert "Too few to say anything (below 200): Ana 2 d6; Mira 40 d20" in answer.out
    accuses_nobody(answer)


def test_below_thirty_rolls_nothing_is_said_of_luck(play) -> None:
    answer = play(*watch(20))("stats --json").data
    said = {group["name"]: (group["luck"]["said"], group["luck"]["z"]) for group in answer["groups"]}
    assert said["Mira"] == ("too few to say anything", None)
    assert said["Jo"][1] is not None


def test_dice_that_fall_high_are_told_with_what_to_do_and_without_a_verdict(play) -> None:
    answer = play(*watch(240, loaded=0.45))("stats --details")
    assert re.search(r"Mira, 240 d20 typed in: mean 1[123]\.\d \(fair dice: 10\.1 to 10\.9 in two of three", answer.out)
    assert re.search(
        r"It leans high: at most 1 honest record in [\w ,]+ ever looks this uneven \(e = [\w ,]+\)", answer.out
    )
    assert "A worn die does the same. Swap the die, or roll the next session from the stream." in answer.out
    assert "The same face twice running: " in answer.out
    assert "Runs above and below the middle: " in answer.out
    accuses_nobody(answer)


def test_dice_that_fall_evenly_are_said_to_show_nothing_uneven(play) -> None:
    answer = play(*watch(200))("stats")
    assert re.search(r"Mira, 200 d20 typed in: mean .*; nothing uneven shows", answer.out)
    assert "worn die" not in answer.out
    assert "silence proves nothing" in answer.out


def test_a_player_sees_his_own_and_nothing_of_others_or_behind_the_screen(play) -> None:
    rollbook = play(*watch(40), "roll 1d20 --who kit --seat Jo --secret")
    own = rollbook("stats --seat jo")
    assert (own.code, "Mira" in own.out, "typed" in own.out, "d100" in own.out) == (0, False, False, False)
    assert "The Watch · Jo  40 rolls" in own.out
    data = rollbook("stats --seat jo --json").data
    assert {group["key"] for group in data["groups"]} == {"kit"}
    assert (data["typed"], data["selectivity"], data["rolls"]) == ([], [], 40)
    assert rollbook("stats --json").data["rolls"] == 85
    assert "2 d100" in rollbook("stats --seat Ana").out


def test_what_a_player_does_not_see_of_the_screen_is_not_counted_either(play) -> None:
    rollbook = play(*watch(40))
    before = rollbook("stats --seat jo").out
    rollbook("do roll 3d20 --secret")
    rollbook("do roll 3d20 --who kit --seat Jo --secret")
    assert rollbook("stats --seat jo").out == before


@pytest.mark.parametrize(
    ("by", "names"),
    [
        ("seat", {"Mira", "Jo", "Ana"}),
        ("character", {"Robin", "Kit", "Ana"}),
        ("session", {"session 1", "session 2"}),
        ("kind", {"watch", "doom", "hit points"}),
    ],
)
def test_rolls_are_told_apart_by_seat_character_session_or_kind(play, by: str, names: set[str]) -> None:
    found = {group["name"] for group in play(*watch(40))(f"stats --by {by} --json").data["groups"]}
    assert len(found & names) >= 2
    assert len(found) == len(names)


def test_the_filter_of_the_log_and_a_name_narrow_it_down(play) -> None:
    rollbook = play(*watch(40))
    assert rollbook("stats session=2 verb=roll --json").data["rolls"] == 41
    assert rollbook("stats --who rob verb=roll --json").data["rolls"] == 40
    assert "prove nothing" in rollbook("stats session=2").out
    assert rollbook("stats who=nobody-here").code in (0, 3)
    assert rollbook("stats sceen=3").code == 2
    assert rollbook("stats --seat nobody").code == 3
    assert rollbook("stats --who nobody").code == 3
    assert "No dice fit" in rollbook("stats session=9").out


def test_what_was_undone_is_listed_apart_and_does_not_count(play) -> None:
    rollbook = play(*watch(40))
    last = [line["action"] for line in rollbook("log who=robin verb=roll --json").lines][-6:]
    rollbook(f"undo {' '.join(map(str, last))} --why 'another scene' --yes")
    answer = rollbook("stats")
    assert "6 rolls undone" in answer.out
    assert re.search(r"Ana set aside 6 rolls that had been seen: mean rank 0\.\d\d", answer.out)
    assert "A mistake is noticed sooner on a roll that hurts" in answer.out
    assert re.search(r"Mira +34 typed in  ", answer.out)
    accuses_nobody(answer)
    assert "set aside" not in rollbook("stats --seat mira").out


def test_an_empty_campaign_says_so(rollbook: RunRollbook) -> None:
    rollbook("new Empty --ruleset storytoken")
    assert "No dice have fallen yet" in rollbook("stats").out


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_at_a_terminal_of_eighty_columns_there_are_pictures_and_no_name_has_a_colour_of_its_own(play) -> None:
    pty = pytest.importorskip("pty")
    play(*watch(240, loaded=0.45))
    code = (
        "import os, pty, sys\n"
        "os.environ.update(COLUMNS='80', TERM='xterm-256color', PAGER='')\n"
        "sys.exit(pty.spawn([sys.executable, '-m', 'rollbook', 'stats']))"
    )
    assert pty
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False, timeout=60
    )
    plain = [re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", line).rstrip() for line in done.stdout.splitlines()]
    assert max(map(len, plain)) <= 80
    assert any("████" in line for line in plain)
    assert any("┊" in line and "●" in line for line in plain)
    assert any(line.startswith("  Session by session ") for line in plain)
    colours = {re.search(r"\x1b\[(\d+)m(Mira|Jo|Ana) *\x1b", line) for line in done.stdout.splitlines()} - {None}
    assert {found[1] for found in colours if found} == {"35"}


def test_in_a_pipe_there_are_numbers_and_neither_bars_nor_colours(play) -> None:
    play(*watch(60))
    done = run("stats")
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert not re.search("[█▏▕●]", done.stdout)
    assert all(line == line.rstrip() for line in done.stdout.splitlines())
    assert len(re.findall(r"^ +\d+ +\d+$", done.stdout, re.MULTILINE)) >= 20
