"""A correction is shown before it is made, and made only when somebody says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Stored = Callable[[], list[tuple[Any, ...]]]


def test_undo_shows_what_it_undoes_and_what_the_sheets_become(table) -> None:
    answer = table('undo 8 --why "wrong target" --yes')
    assert answer.code == 0
    assert "Undone" in answer.out
    assert "#8" in answer.out
    assert "Guard  Hit points" in answer.out
    assert "→ 18 of 18" in answer.out


def test_undo_without_a_number_undoes_the_last_action(table) -> None:
    assert table("undo --why oops --yes --json").data["consequences"][0]["action"] == 9
    assert table("undo last --why oops --yes --json").data["consequences"][0]["action"] == 8
    assert table("undo '#7' 6 --why oops --yes").code == 0


def test_undo_takes_ranges_and_leaves_out_what_cannot_be_undone(table) -> None:
    assert [*table("undo 7-9 --why x --preview --json").effects] == [7, 8, 9]
    assert [*table("undo '#7-#8' 9 --why x --preview --json").effects] == [7, 8, 9]
    assert 4 not in table("undo 3-7 --why x --preview --json").effects
    table("undo 8 --why x --yes")
    assert [*table("undo 8-9 --why x --preview --json").effects] == [9]
    assert table("undo 4-4 --why x --preview").code == 4
    for words in ("9-7", "7-", "-9", "@7", "7..x"):
        assert table(f"undo {words} --why x --preview").code == 2


def test_a_preview_records_nothing(table, stored: Stored) -> None:
    before = stored()
    answer = table("undo 8 --preview --json")
    assert (answer.code, answer.data["applied"], answer.data["consequences"][0]["effect"]) == (0, False, "undone")
    assert "Nothing was recorded" in table("amend 8 distance=10 --preview").out
    assert stored() == before


def test_without_a_person_to_ask_yes_must_be_said(table, stored: Stored) -> None:
    before = stored()
    for words in ("undo 8 --why x", "undo 8 --why x --json", "redo 8", "amend 8 distance=10 --why x"):
        answer = table(words)
        assert (answer.code, "--yes" in answer.err) == (2, True)
    assert table("undo 8 --yes").code == 2
    assert stored() == before


def test_a_correction_needs_its_reason_unless_it_is_only_shown(table, stored: Stored) -> None:
    before = stored()
    for words in ("undo 8 --yes", "amend 8 distance=10 --yes", "override 8 --dice 3 --yes"):
        answer = table(words)
        assert (answer.code, "A correction needs its reason: add --why TEXT." in answer.err) == (2, True)
    assert "Add --yes and --why TEXT to make the correction" in table("undo 8").err
    assert "Add --yes to make the correction" in table("undo 8 --why x").err
    assert table("undo 8 --preview").code == 0
    assert stored() == before
    for command in ("undo", "amend", "override"):
        assert "Needed unless --preview is given" in " ".join(table(f"{command} --help").out.split())


def test_a_number_that_does_not_exist_is_refused_before_anything_is_asked(table) -> None:
    for words in ("redo 99", "redo 99 --yes", "undo 99", "undo 99 --yes", "amend 99 hp=3", "override 99 --dice 3"):
        answer = table(words)
        assert (answer.code, "There is no action #99; the last one is #9." in answer.err) == (3, True), words


def test_redo_takes_several_numbers_and_ranges(table) -> None:
    table("undo 7-9 --why x --yes")
    assert [*table("redo 7-9 --preview --json").effects] == [7, 8, 9]
    assert [*table("redo 7 '#9' --preview --json").effects] == [7, 9]
    assert [*table("redo 7 --together --preview --json").effects] == [7, 8, 9]
    assert table("redo 8 9 --revision 1 --preview").code == 2
    assert table("redo 5-6 --preview").code == 3
    assert table("redo @7 --preview").code == 2
    assert [*table("redo 7 8-9 --yes --json").effects] == [7, 8, 9]


def test_redo_makes_an_action_count_again(table) -> None:
    table("undo 8 --why x --yes")
    answer = table("redo 8 --yes --json")
    assert answer.data["consequences"][0]["effect"] == "redone"
    table("undo 8 --why x --yes")
    assert table("redo last --yes").code == 0
    assert table("redo last --yes").code == 3
    assert table("redo 8 --yes").code == 4


def test_amend_changes_a_parameter_by_the_verbs_own_types(table) -> None:
    answer = table("amend 6 ac=19 --why 'he wore mail' --yes --json")
    effects = {one["action"]: one for one in answer.data["consequences"]}
    assert (effects[6]["effect"], effects[8]["effect"]) == ("amended", "changed")
    assert (effects[8]["before"]["success"], effects[8]["after"]["success"]) == (1, -1)
    assert {change["label"] for change in answer.data["changes"]} >= {"Hit points", "Armour class"}


def test_stand_leaves_later_actions_as_they_are(table) -> None:
    answer = table("amend 6 ac=19 --why mail --yes --stand --json")
    assert [one["action"] for one in answer.data["consequences"]] == [6]


def test_what_is_no_longer_possible_is_undone_or_kept(table) -> None:
    orphan = table("undo 7 --why 'no bow' --preview --json").data["consequences"][1]
    assert (orphan["action"], orphan["effect"]) == (8, "orphaned")
    assert "longbow" in orphan["reason"]
    kept = table("undo 7 --why 'no bow' --orphans keep --yes --json").data
    assert [one["action"] for one in kept["consequences"]] == [7, 8]
    assert "guard" not in {change["character"] for change in kept["changes"]}


def test_real_dice_are_typed_again(table) -> None:
    answer = table("amend 8 --retype 2 --why 'a 2, not a 14' --yes --json")
    assert answer.data["consequences"][0]["after"]["success"] == -1


def test_dice_that_were_never_rolled_are_typed_or_drawn(table, stored: Stored) -> None:
    table("do attack robin guard longbow ! 2")
    before = stored()
    needed = table("amend 6 ac=5 --why x --preview")
    assert (needed.code, "--dice" in needed.err) == (4, True)
    assert stored() == before
    assert table("amend 6 ac=5 --why x --dice 3 --preview").code == 0
    assert table("amend 6 ac=5 --why x --yes").code == 0
    assert table("log --all --json --search draw").code == 0


def test_a_reroll_is_the_rules_own_second_thought(table) -> None:
    table("do attack robin guard longbow --seat Mira ! 2")
    answer = table("reroll --by robin --keep best --dice 14,3")
    assert answer.code == 0, answer.err
    assert "✓ −1 token" in answer.out
    assert "Story tokens 2 → 1" in answer.out
    table("do roll 1d6")
    assert table("reroll --by robin").code == 4
    assert table("reroll --by nobody").code == 3
    assert table("reroll --kind luck").code == 3


def test_bad_corrections_change_nothing(table, stored: Stored) -> None:
    before = stored()
    for words, code in {
        "undo 99 --why x --yes": 3,
        "undo 4 --why x --yes": 4,
        "undo eight --why x --yes": 2,
        "undo 0 --why x --yes": 2,
        "redo 99 --yes": 3,
        "amend 8 --why x --yes": 2,
        "amend 8 distance --why x --yes": 2,
        "amend 8 distance=far --why x --yes": 2,
        "amend 8 distance=-1 --why x --yes": 2,
        "amend 8 reach=3 --why x --yes": 3,
        "amend 8 target=nobody --why x --yes": 3,
        "amend 8 distance=9000 --why x --yes": 4,
        "amend 8 --retype 99 --why x --yes": 4,
        "amend 8 --retype x --why x --yes": 4,
        "undo 8 --why x --yes --seat Nobody": 3,
        "undo 8 --why x --yes --orphans eat": 2,
    }.items():
        answer = table(words)
        assert answer.code == code, (words, answer)
        assert len(answer.err.splitlines()) <= 3, answer.err
        assert "Traceback" not in answer.err
    assert stored() == before


def test_players_correct_what_they_did_themselves_and_nothing_else(table) -> None:
    table("do award robin 10")
    refused = table("undo 10 --yes --why x --seat Mira")
    assert refused.code == 4
    assert "Mira can correct what Mira did, and action #10 was not that. Ask the GM." in refused.err
    assert table("amend 6 hp=20 --yes --why x --seat Mira").code == 4
    assert table("undo 8 --yes --why 'too far' --seat Mira").code == 0


def test_the_last_action_that_can_be_undone_is_meant(table) -> None:
    table("do x-card")
    answer = table("undo --yes --why 'the last thing that can be'")
    assert answer.code == 0
    assert "#9" in answer.out


def test_an_applied_correction_says_what_its_preview_said(table) -> None:
    preview = table("undo 5 --why wrong --preview").out.splitlines()
    applied = table("undo 5 --why wrong --yes").out.splitlines()
    assert applied[:-1] == preview[:-1]
    assert "undone too" in "\n".join(preview)


def test_what_is_the_gms_alone_is_marked_in_a_preview_too(table) -> None:
    table("do note 'the butler did it' --secret")
    assert "[gm only]" in table("undo 10 --why x --preview").out


def test_the_last_of_a_players_seat_is_what_that_seat_did_last(table) -> None:
    table("do award robin 10")
    assert [*table("undo --yes --why x --seat Mira --json").effects] == [8]
    table("undo 10 --yes --why x")
    assert [*table("redo --yes --seat Mira --json").effects] == [8]
    assert "Nothing is undone at the moment" in table("redo --yes --seat Mira").err
    assert [*table("redo --yes --json").effects] == [10]
