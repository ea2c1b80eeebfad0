"""What if, at the terminal: fork, play on, compare, run again by other rules, and have canon choose as the timeline did."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.terminal import Terminal

SHERWOOD = Path(__file__).resolve().parents[3] / "examples" / "sherwood.session"


@pytest.fixture
def of_canon(stored) -> Callable[[], list[tuple[Any, ...]]]:
    """Everything in the event store that is canon's."""
    return lambda: [row for row in stored() if not any("~" in str(cell) for cell in row[:2])]


def numbers(lines: list[dict[str, Any]], key: str = "action") -> list[int]:
    return [line[key] for line in lines]


# Forking, and playing on it.


def test_a_fork_says_what_it_is_and_how_to_play_on_it(table, of_canon) -> None:
    before = of_canon()
    answer = table("fork --at '#7' --why 'what if he had not shot?'")
    assert answer.code == 0
    assert answer.out.splitlines() == [
        "test-table~1 leaves test-table after @7 (#7) and plays by storytoken 3.",
        "Play on it:  rollbook -c test-table~1 do VERB …   or   rollbook -c test-table~1 play",
        "Compare it:  rollbook compare 1",
        "Canon stays as it is, and test-table is what you go on with where nothing is named.",
    ]
    assert of_canon() == before
    (line,) = table("timelines --json").lines
    assert (line["timeline"], line["number"], line["parent"], line["entry"]) == ("test-table~1", 1, "test-table", 7)
    assert (line["entries"], line["moved_on"], line["why"]) == (0, 2, "what if he had not shot?")
    shown = table("timelines").out
    assert "leaves test-table after @7" in shown
    assert "0 entries here, 2 more on test-table   what if he had not shot?" in shown


def test_the_list_of_timelines_leaves_nothing_out_in_a_narrow_terminal(table, monkeypatch) -> None:
    table("fork --at '#7' --why 'what if he had not shot?'")
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    shown = " ".join(table("timelines").out.split())
    assert "what if he had not shot?" in shown
    assert "←" in table("campaigns").out


def test_every_command_works_on_a_timeline_and_none_makes_it_the_one_used_last(table, of_canon, home) -> None:
    before = of_canon()
    table("fork")
    shot = table("-c test-table~1 do attack robin guard longbow --distance 40 --seat Mira --json").data
    assert (shot["campaign"], shot["action"]) == ("test-table~1", 10)
    assert table("-c ~1 sheet guard --json").code == 0
    assert numbers(table("-c ~1 log --json").lines) == list(range(1, 11))
    assert "the attack" not in table("-c ~1 why guard hp").err
    assert table("-c ~1 undo 10 --why 'not so' --yes").code == 0
    assert table("-c ~1 amend 8 distance=60 --why 'further away' --yes").code == 0
    assert table("-c ~1 odds attack robin guard longbow --distance 40 --seat Mira").code == 0
    assert table("-c ~1 xp").code == 0
    assert table("-c ~1 log verb=attack --json").lines[0]["verb"] == "attack"
    assert table("-c ~1 undo --where 'verb=note' --why 'nobody said so' --yes").code == 0
    audit = table("-c ~1 audit --json").data
    assert {a["question"]: a["verdict"] for a in audit["answers"]}["chain"] == "VERIFIED"
    assert table(f"-c ~1 export {home}/whole.jsonl").code == 0
    assert of_canon() == before
    assert [line["campaign"] for line in table("campaigns --json").lines] == ["test-table"]
    assert table("log --json").lines[-1]["campaign"] == "test-table"
    assert table(f"import {home}/whole.jsonl").code == 1
    taken = table(f"import {home}/whole.jsonl --as Elsewhere")
    assert "checked and taken in" in taken.out


def test_a_script_may_be_played_on_a_timeline(table, home) -> None:
    table("fork")
    script = home / "more.session"
    script.write_text("note so it went on\nattack robin guard longbow --distance 40 --seat Mira ! 15 3\n")
    assert table(f"-c test-table~1 play {script}").code == 0
    assert len(table("-c ~1 log --json").lines) == 11
    assert len(table("log --json").lines) == 9


def test_the_read_model_rebuilt_knows_nothing_of_timelines(table, home) -> None:
    table("fork")
    table("-c ~1 do note 'only here'")
    assert table("rebuild").code == 0
    connection = sqlite3.connect(home / "books" / "rollbook.read.db")
    try:
        rows = connection.execute("SELECT DISTINCT campaign FROM session_log").fetchall()
    finally:
        connection.close()
    assert rows == [("test-table",)]


def test_a_fork_may_play_by_other_rules_or_house_rules(table) -> None:
    made = table("fork --ruleset powers --set crit_fail_margin=10 --json").data
    assert (made["ruleset"], made["settings"]["crit_fail_margin"], made["entries"]) == ("powers", 10, 1)
    other = table("fork --set round_seconds=10 --json").data
    assert (other["ruleset"], other["settings"]["round_seconds"]) == ("storytoken", 10)
    assert table("campaigns --json").lines[0]["ruleset"] == "storytoken"
    assert "by powers" in table("compare 1 --all").out


def test_house_rules_may_change_on_canon_too(table) -> None:
    assert table("do house-rules round_seconds=10,assign=yes").code != 0
    answer = table("do house-rules round_seconds=10 --why 'it was too quick'")
    assert answer.code == 0
    assert "by storytoken 3" in answer.out
    assert "no setting of storytoken called 'round_second'" in table("do house-rules round_second=10").err
    assert "written key=value" in table("do house-rules round_seconds").err
    assert table("do house-rules round_seconds=8 --seat Mira").code == 4
    assert table("undo --why 'back to six' --yes").code == 0


def test_a_timeline_leaves_as_known_then_or_as_corrected_since(table) -> None:
    table("amend 6 hp=30 --why sturdier --yes")
    table("fork --at 8")
    assert "of 18" in table("-c test-table~1 sheet guard").out
    assert table("fork --at 7 --as-corrected").code == 0
    assert "30 of 30" in table("-c test-table~2 sheet guard").out
    assert {line["action"] for line in table("-c test-table~2 log --undone --json").lines} == {8, 9}
    assert table("-c test-table~2 audit").code == 0
    assert table("fork --at @7").code == 0
    assert table("fork --at s1").code == 0


def test_a_fork_that_cannot_be_is_said_and_leaves_nothing(table, stored) -> None:
    before = stored()
    assert "There is no entry @99" in table("fork --at @99").err
    assert "There is no action #99" in table("fork --at '#99'").err
    assert table("fork --at soon").code == 2
    assert table("fork --ruleset powrs").code == 3
    assert table("fork --set odd=1").code == 4
    assert table("fork --set odd").code == 2
    assert "has no timelines yet" in table("compare").err
    assert "has no timelines yet" in table("timelines").out
    assert table("-c test-table~1 log").code == 3
    assert "no timeline called 'test-table~3'" in table("take-over 3 --preview").err
    assert table("diff ~1").code == 3
    assert stored() == before


# Comparing.


def test_the_report_sets_the_same_choices_side_by_side(table) -> None:
    table("fork --at '#7'")
    table("-c ~1 do attack robin guard longbow --distance 200 --seat Mira --dice 14,13,4")
    table("-c ~1 do note 'The guard shouts.'")
    table("-c ~1 do give robin rope")
    table("do note 'and runs'")
    report = table("compare --json").data
    (difference,) = report["differences"]
    assert (difference["canon"]["action"], difference["here"]["params"]["distance"]) == (8, 200)
    assert [one["verb"] for one in report["only_canon"]] == ["note"]
    assert [one["verb"] for one in report["only_here"]] == ["give"]
    assert report["same"] == 1
    shown = table("compare 1").out
    assert "test-table~1 against test-table, since @7 (#7)" in shown
    assert "with distance=200" in shown
    assert "Only on test-table~1" in shown
    assert table("-c ~1 compare").out == shown == table("compare test-table~1").out


def test_it_says_who_lives_and_who_dies(table) -> None:
    table("fork")
    table("do attack robin guard longbow --distance 40 --seat Mira --dice 19,6")
    table("do adjust guard hp -40 --reason 'a fall'")
    statuses = {
        status["character"]: (status["canon"], status["here"]) for status in table("compare --json").data["statuses"]
    }
    assert statuses["guard"][0] in ("dead", "down")
    assert statuses["guard"][1] == "alive"
    assert "Lives and deaths" in table("compare").out


def test_a_difference_between_timelines_on_the_sheets(table) -> None:
    table("fork --at '#7'")
    lines = table("diff ~1 guard --json").lines
    assert [(one["label"], one["before"], one["after"]) for one in lines[:1]] == [
        ("Hit points", "18 of 18", "10 of 18")
    ]
    assert table("diff ~1:7 ~0:7 --json").lines == []
    assert "test-table~1 as known at #5 → test-table~1 now" in table("diff ~1:5 ~1").out
    assert "is not a moment" in table("diff ~1:x").err


def test_nothing_to_compare_is_said_too(table) -> None:
    table("fork")
    assert table("compare").out.splitlines() == [
        "test-table~1 against test-table, since @9 (#9)",
        "Nothing came out the same.",
    ]


# Once more by other rules.


def test_a_rerun_reports_at_once_and_can_be_played_on(table, of_canon) -> None:
    before = of_canon()
    same = table("rerun --ruleset storytoken --json").data
    assert (same["differences"], same["meaningless"], same["changes"], same["same"]) == ([], [], [], 9)
    answer = table("rerun --ruleset powers --why 'the other book'")
    assert answer.code == 0
    assert (
        "test-table~2 against test-table, every action again, by powers 2\n9 of 9 actions could be played by powers 2."
        in answer.out
    )
    assert "comes over as by adopt from storytoken" in answer.out
    assert "every action of test-table again" in table("timelines").out
    assert table("-c ~2 do note 'on it goes'").code == 0
    assert table("-c ~2 do attack robin guard").code == 0
    assert of_canon() == before
    assert "only the rules are others" in table("take-over 2 --preview").err


def test_rules_that_are_not_here_are_said(table, stored) -> None:
    before = stored()
    assert "Version 9 of storytoken is not installed; version 3 is." in table("rerun --ruleset storytoken@9").err
    assert "Did you mean storytoken?" in table("rerun --ruleset storytokn").err
    assert table("rerun").code == 2
    assert "no setting of powers" in table("rerun --ruleset powers --set odd=1").err
    assert stored() == before


# Having canon choose as the timeline did.


@pytest.fixture
def split(table):
    """A timeline on which Robin shot from further away, nobody shouted, and he was given a rope; canon made a note more."""
    table("fork --at '#7'")
    table("-c ~1 do attack robin guard longbow --distance 60 --seat Mira --dice 3,4")
    table("-c ~1 do give robin rope")
    return table


def test_it_is_only_looked_at_until_somebody_agrees(split, of_canon) -> None:
    before = of_canon()
    shown = split("take-over 1 --preview")
    assert "change #8 Robin Hood strikes at Guard with the longbow   distance=60" in shown.out
    assert "undo #9" in shown.out
    assert "do Ana gives Robin Hood rope" in shown.out
    assert shown.out.endswith("Nothing was recorded.\n")
    assert split("take-over 1").code == 2
    assert split("take-over 1 --yes").code == 2
    kept = split("take-over 1 --preview --keep-later --json").data
    assert [one["what"] for one in kept["asked"]] == ["change", "do"]
    assert of_canon() == before


def test_canon_makes_the_choices_with_its_own_dice(split) -> None:
    answer = split("take-over 1 --yes --why 'so it was'")
    assert answer.code == 0
    assert "test-table has chosen as test-table~1 did, with its own dice" in answer.out
    log = {line["action"]: line for line in split("log --json").lines}
    assert log[8]["reason"] == "so it was"
    assert "14" in log[8]["dice"]
    assert log[9]["status"] == "undone"
    assert [(log[number]["verb"], log[number]["campaign"]) for number in (10, 11)] == [
        ("draw-for", "test-table"),
        ("give", "test-table"),
    ]
    assert split("take-over 1 --preview --json").data["asked"] == []
    assert "as far as it can be asked" in split("take-over 1 --yes --why x").out
    assert {a["question"]: a["verdict"] for a in split("audit --json").data["answers"]}["chain"] == "VERIFIED"
    assert all("fork" not in str(line) for line in split("log --all --json").lines)


def test_a_take_over_is_undone_by_one_command_and_redone_by_another(split) -> None:
    before = [split(f"sheet {who}").out for who in ("robin", "guard")]
    taken = split("take-over 1 --yes --why 'so it was'")
    assert "To undo all of it: rollbook undo --correction" in taken.out
    after = [split(f"sheet {who}").out for who in ("robin", "guard")]
    assert after != before
    shown = split("undo --correction --why 'it was not' --yes --json")
    assert shown.effects == {8: "redone", 9: "redone", 11: "undone"}
    assert [split(f"sheet {who}").out for who in ("robin", "guard")] == before
    assert split("undo --correction --why 'it was' --yes").code == 0
    assert [split(f"sheet {who}").out for who in ("robin", "guard")] == after
    assert {a["question"]: a["verdict"] for a in split("audit --json").data["answers"]}["chain"] == "VERIFIED"


def test_a_take_over_that_only_adds_is_undone_by_the_numbers_that_it_names(table) -> None:
    table("fork")
    table("-c ~1 do give robin rope")
    table("-c ~1 do give robin lantern")
    taken = table("take-over 1 --yes --why 'so it was'")
    assert "To undo the 2 actions that it added: rollbook undo 10-11" in taken.out
    assert table("undo 10-11 --yes --why 'it was not' --json").effects == {10: "undone", 11: "undone"}


def test_a_new_action_that_is_refused_is_named(table) -> None:
    table("fork")
    table("-c ~1 do give robin rope")
    table("-c ~1 do drop robin rope")
    table("-c ~1 do attack robin guard longbow --distance 40 --seat Mira --dice 14,4")
    table("-c ~1 do note 'never reached'")
    table("do close-session")
    answer = table("take-over 1 --yes --why 'so it was'")
    assert answer.code == 4
    assert "Refused: attack (#12 on the timeline): No session is open" in answer.out
    assert "What is above was recorded, and stays; nothing after it was tried." in answer.out
    verbs = [line["verb"] for line in table("log --json").lines]
    assert verbs[-2:] == ["give", "drop"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_at_a_terminal_it_asks_for_every_choice(split) -> None:
    terminal = Terminal.running("take-over", "1")
    terminal.answer("Take this over? [y/N]", "n")
    terminal.answer("Take this over? [y/N]", "y")
    terminal.answer("Take this over? [y/N]", "n")
    terminal.answer("Why:", "nobody shouted")
    terminal.answer("Apply? [y/N]", "y")
    terminal.until("has chosen as")
    assert terminal.ended() == 0
    log = {line["action"]: line for line in split("log --json").lines}
    assert {number: (line["revision"], line["status"]) for number, line in log.items() if number > 7} == {
        8: (1, "counts"),
        9: (1, "undone"),
    }


# A session that a table could have had.


def test_the_session_at_sherwood_goes_another_way(rollbook, of_canon) -> None:
    assert rollbook(f"play {SHERWOOD}").code == 0
    before = of_canon()
    assert rollbook("fork --at '#19' --why 'what if Robin had shot at the guard?'").code == 0
    shot = "-c sherwood~1 do attack robin-hood guard longbow --distance 120 --seat Mira --dice 17,5,4 --json"
    assert rollbook(shot).data["success"] == 1
    rollbook("-c sherwood~1 do end-turn --next guard --seat Mira")
    report = rollbook("compare --json").data
    assert report["forked"]["action"] == 19
    attack = next(one for one in report["differences"] if one["canon"]["action"] == 20)
    assert attack["here"]["params"]["target"] == "guard"
    again = rollbook("rerun --ruleset storytoken --json").data
    assert (again["differences"], again["meaningless"], again["statuses"]) == ([], [], [])
    assert rollbook("rerun --ruleset russell").code == 0
    assert of_canon() == before
    assert "VERIFIED" in rollbook("audit").out


def test_the_page_can_be_typed_as_it_is_shown(rollbook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SHERWOOD.parents[1])
    page = (SHERWOOD.parents[1] / "docs" / "timelines.md").read_text(encoding="utf-8")
    typed = page.partition("```sh\n")[2].partition("```")[0].splitlines()
    said = {}
    for line in typed:
        answer = rollbook(line.removeprefix("rollbook "))
        assert answer.code == 0, answer.err
        said[line] = answer.out
    shown = [block.partition("\n```")[0] for block in page.split("```\n")[1:]]
    fork, report = said[typed[1]], said["rollbook compare"]
    assert fork.strip() in page
    lines = [line for block in shown for line in block.splitlines() if block.startswith("sherwood~1 against")]
    certain = [line for line in lines if " over " not in line and "…" not in line and line != "```"]
    assert len(certain) > 8
    for line in certain:
        assert line in report
    for line in said["rollbook take-over 1 --preview"].splitlines()[:9]:
        assert line in page
    again = rollbook("rerun --ruleset storytoken").out
    assert again in page
