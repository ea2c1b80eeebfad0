"""Whatever looks at a past moment shows it as it was known then, or with --as-corrected as corrected since."""

from __future__ import annotations

import pytest


@pytest.fixture
def corrected(table):
    """#8, the attack, is undone in @10; then #10 is a note, and in @12 the attack is amended and counts as a miss."""
    table("undo 8 --why 'not yet' --yes")
    table("do award robin 300")
    table("redo 8 --yes")
    assert table("amend 8 --retype 2 --why 'a two' --yes").code == 0
    return table


def lines(answer) -> dict[int, tuple[str, int]]:
    assert answer.code == 0, answer.err
    return {line["action"]: (line["status"], line["success"]) for line in answer.lines}


def test_the_log_is_shown_as_it_was_known_then(corrected) -> None:
    assert lines(corrected("log --at 8 --json"))[8] == ("counts", 1)
    assert lines(corrected("log --at @10 --json"))[8] == ("undone", 1)
    assert lines(corrected("log --at 10 --json"))[8] == ("undone", 1)
    assert lines(corrected("log --at @12 --json"))[8] == ("counts", 1)
    assert lines(corrected("log --json"))[8] == ("counts", -1)
    assert max(lines(corrected("log --at '#8' --json"))) == 8


def test_the_log_is_shown_as_corrected_since(corrected) -> None:
    found = lines(corrected("log --at 8 --as-corrected --json"))
    assert found[8] == ("counts", -1)
    assert max(found) == 8
    assert lines(corrected("log --at 8 --as-known --json")) == lines(corrected("log --at 8 --json"))


def test_filters_and_search_go_with_a_moment(corrected) -> None:
    assert set(lines(corrected("log --at @10 --undone --json"))) == {8}
    assert set(lines(corrected("log who=robin verb=attack --at 8 --json"))) == {8}
    assert set(lines(corrected("log --search attack --at 8 --json"))) == {8}
    assert corrected("log 12-40 --at 8").out == "Nothing in the log fits.\n"
    assert "undone by Ana: not yet" in corrected("log --at @10").out


def test_experience_statistics_and_odds_know_moments(corrected) -> None:
    assert corrected("xp --at 9 --json").out == corrected("xp robin --at '#9' --json").out
    assert "300" in corrected("xp robin --at 10").out
    assert "300" not in corrected("xp robin --at 9").out
    rolls = [
        corrected(f"stats {at} --json").data["rolls"]
        for at in ("--at 7", "--at 8", "--at @10", "--at 8 --as-corrected")
    ]
    assert rolls[1] == rolls[0] + 2
    assert rolls[2] == rolls[0]
    assert rolls[3] == rolls[0] + 1
    assert corrected("odds --at 3 attack robin guard longbow").code == 3
    assert corrected("odds --at 7 attack robin guard longbow --json").data["checks"]


def test_the_log_of_a_timeline_is_asked_for_from_canon(corrected) -> None:
    corrected("fork --at 8")
    assert max(lines(corrected("log --at '~1' --json"))) == 8
    assert max(lines(corrected("log --at '~1:5' --json"))) == 5


@pytest.mark.parametrize("command", ["log", "xp", "stats", "sheet", "why robin hp", "fork", "odds note x"])
def test_every_command_with_a_moment_says_what_is_none(corrected, command: str) -> None:
    first, _, rest = command.partition(" ")
    assert corrected(f"{first} --at 99 {rest}").code == 3
    wrong = corrected(f"{first} --at yesterday {rest}")
    assert wrong.code == 2
    assert "'yesterday' is not a moment" in wrong.err
