"""What each key of a replay does: it goes to and fro, to turns, scenes, blows and corrections, on both courses."""

from __future__ import annotations

from itertools import pairwise

import pytest

from rollbook.adapters.cli.keys import keys_in
from rollbook.adapters.cli.replay_player import LONGEST_GAP, Player
from rollbook.adapters.storage.read_model.rows_of_entries import RowsOfEntries
from rollbook.application.replays import Replay
from rollbook.projections.replay import Course, Moments
from tests.support.pictures import RULEBOOK, golden


@pytest.fixture
def player() -> Player:
    """Sherwood from the first entry to the last, paused at the first."""
    history = golden("sherwood")
    log = RowsOfEntries("sherwood", history.entries)
    return Player(Replay("sherwood", Moments(history, RULEBOOK), log, 1, history.head), is_playing=False)


def at(player: Player) -> int:
    """The entry at which it stands."""
    return player.replay.numbers[player.place]


def type_in(player: Player, text: str) -> None:
    for key in keys_in(f"{text}\r"):
        player.press(key)


def test_keys_are_known_however_a_terminal_sends_them() -> None:
    sent = "\x1b[C\x1bOD\x1b[5~ /\x7f\r\x1b[1;5Cq\x1b"
    assert keys_in(sent) == ["right", "left", "page up", "space", "/", "rub out", "enter", "\x1b[1;5C", "q", "escape"]


def test_arrows_go_a_step_or_a_turn(player: Player) -> None:
    player.press("right")
    player.press("right")
    assert at(player) == 3
    player.press("left")
    assert at(player) == 2
    player.press("down")
    assert at(player) == 19
    player.press("down")
    assert at(player) == 21
    player.press("up")
    assert at(player) == 19


def test_brackets_go_from_scene_to_scene(player: Player) -> None:
    found = []
    for _ in range(4):
        player.press("]")
        found.append(player.replay.line(player.place).scene)
    assert found[:3] == ["", "The archery contest at Nottingham", "The road through Sherwood"]
    player.press("[")
    assert player.replay.line(player.place).scene == "The road through Sherwood"


def test_an_action_and_an_entry_are_jumped_to(player: Player) -> None:
    player.press("g")
    type_in(player, "#31")
    assert player.replay.line(player.place).action == 31
    player.press("#")
    type_in(player, "@30")
    assert at(player) == 30
    for missing in ("#999", "@999", "robin"):
        player.press("g")
        type_in(player, missing)
        assert player.said
        assert at(player) == 30


def test_the_next_blow_at_somebody_is_a_filter(player: Player) -> None:
    player.press("/")
    type_in(player, "target=guard kind=DamageTaken")
    found = [player.replay.line(player.place).action]
    for _ in range(2):
        player.press("n")
        found.append(player.replay.line(player.place).action)
    assert found == [24, 31, 36]
    player.press("N")
    assert player.replay.line(player.place).action == 31
    player.press("end")
    player.press("n")
    assert player.said.startswith("Nothing after this fits")
    player.press("/")
    type_in(player, "whom=guard")
    assert player.said.startswith("There is no field 'whom'")


def test_a_correction_is_a_moment_of_its_own_with_both_sides(player: Player) -> None:
    player.press("c")
    assert player.replay.line(player.place).verb == "undo"
    (change,) = player.replay.sides(player.place)
    assert (change.label, change.what, change.before, change.after) == (
        "Robin Hood",
        "hit points",
        "30 of 36",
        "36 of 36",
    )
    player.press("c")
    player.press("C")
    assert player.replay.line(player.place).verb == "undo"


def test_as_corrected_what_was_undone_never_happens(player: Player) -> None:
    player.press("v")
    assert player.course is Course.CORRECTED
    seen = [player.replay.line(player.place).action]
    while (following := player.replay.neighbour(player.place, 1, player.course)) is not None:
        player.press("right")
        assert player.place == following
        seen.append(player.replay.line(player.place).action)
    assert seen == sorted(set(seen))
    assert 22 not in seen
    player.press("g")
    type_in(player, "#22")
    assert player.course is Course.THEN


def test_a_line_is_struck_out_only_once_it_was_undone(player: Player) -> None:
    undone = player.replay.place_of_action(22)
    statuses = [player.replay.shown(undone, each, Course.THEN).status for each in (undone, undone + 1, undone + 12)]
    assert statuses == ["counts", "counts", "undone"]


def test_what_was_amended_is_shown_as_it_counts_today(player: Player) -> None:
    place = player.replay.place_of_action(36)
    then, today = (player.replay.shown(place, place, course) for course in (Course.THEN, Course.CORRECTED))
    assert "natural 1" in then.result
    assert "24 against 12: hit" in today.result


def test_it_plays_at_the_pace_of_the_session_or_an_even_one(player: Player) -> None:
    assert player.seconds_left() is None
    player.press("space")
    gap = player.seconds_left()
    assert gap is not None and 0 < gap <= LONGEST_GAP
    player.press("p")
    assert player.seconds_left() == 1.5
    player.press("+")
    assert player.seconds_left() == 0.75
    player.press("-")
    player.press("-")
    assert player.seconds_left() == 3
    player.press("end")
    assert player.seconds_left() is None
    assert not player.is_playing
    player.press("space")
    assert at(player) == 1


def test_a_long_pause_is_cut_short(player: Player) -> None:
    lines = [player.replay.line(place).at for place in range(len(player.replay))]
    gaps = [(later - earlier) / 1e6 for earlier, later in pairwise(lines)]
    player.press("space")
    for place, _ in enumerate(gaps):
        player.place = place
        left = player.seconds_left()
        assert left is not None and 0.25 <= left <= LONGEST_GAP


def test_questions_can_be_left_and_corrected(player: Player) -> None:
    player.press("g")
    for key in ("3", "9", "rub out", "1", "escape", "right"):
        player.press(key)
    assert (player.asking, at(player)) == ("", 2)


def test_q_leaves_and_any_key_closes_the_help(player: Player) -> None:
    player.press("?")
    player.press("right")
    assert (player.shows_help, at(player)) == (False, 1)
    player.press("q")
    assert player.has_left
