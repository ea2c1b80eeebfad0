"""Every question has an answer for people and one for programs."""

from __future__ import annotations


def test_the_sheets_of_everybody(table) -> None:
    out = table("sheet").out
    assert "Robin Hood" in out
    assert "Guard" in out
    assert [sheet["character"] for sheet in table("sheet --json").lines] == ["robin", "guard"]


def test_one_sheet(table) -> None:
    assert "DEX 18 (+3)" in table("sheet rob").out
    assert table("sheet robin --json").data["name"] == "Robin Hood"


def test_a_value_says_where_it_comes_from(table) -> None:
    answer = table("why robin 'to hit'")
    assert answer.code == 0
    assert "DEX" in answer.out
    assert "← #5 join: +18" in answer.out
    assert "gained fighting" in answer.out
    data = table("why robin to_hit --json").data
    made = {"action": 5, "verb": "join", "what": "gained fighting", "session": 1, "seat": "Ana"}
    assert made in data["terms"][1]["actions"]


def test_lost_hit_points_name_the_blow(table) -> None:
    assert "← #8 attack: −" in table("why guard hp").out


def test_the_past_as_it_was_known_and_as_it_is_corrected(table) -> None:
    table("amend 6 hp=30 --why sturdier --yes")
    assert "18 of 18" in table("sheet guard --at 7").out
    assert "30 of 30" in table("sheet guard --at 7 --as-corrected").out
    assert "of 30" in table("sheet guard").out
    assert table("sheet guard --at 999").code == 3
    assert table("sheet guard --at 3").code == 3
    assert "18 of 18" in table("sheet guard --at #7 --as-known").out
    assert "18 of 18  " not in table("sheet guard --at last --as-corrected").out
    assert "18 of 18" in table("sheet guard --at @7").out
    assert "30 of 30" in table("sheet guard --at @7 --as-corrected").out
    assert table("sheet guard --at @99").code == 3
    for moment in ("soon", "7-9", "@", "#"):
        assert table(f"sheet guard --at {moment}").code == 2
    assert table("sheet --why hp").code == 2
    assert table("why guard charm").code == 3


def test_the_log_strikes_through_what_was_undone(table) -> None:
    table('undo 8 --why "wrong target" --yes')
    line = next(line for line in table("log").out.splitlines() if line.strip().startswith("#8"))
    assert "↩ undone by Ana: wrong target" in line
    everything = table("log --all").out
    assert "undone by Ana" in everything
    assert len(table("log --all --json").lines) == 10
    assert len(table("log --json").lines) == 9


def test_the_log_can_be_searched_and_cut(table) -> None:
    assert [line["action"] for line in table("log --search shouts --json").lines] == [9]
    assert len(table("log -n 2").out.splitlines()) == 2
    assert "Nothing in the log fits" in table("log --session 7").out
    assert table("log --search '\"' ").code == 0


def test_experience_has_a_line_for_each_character(table) -> None:
    table("do award robin 500 for the ambush ! 1")
    table("do award robin 500 for the ambush")
    out = table("xp").out
    assert "Robin Hood" in out
    assert "500 XP" in out
    assert "█" in out
    assert table("xp robin --json").lines[-1]["xp"] == 500
    assert table("xp nobody").code == 3


def test_no_experience_yet(rollbook) -> None:
    rollbook("new Empty --ruleset storytoken")
    assert "Nobody has earned" in rollbook("xp").out
    assert "Nobody is in play" in rollbook("sheet").out


def test_verbs_in_two_groups_and_one_in_full(table) -> None:
    out = table("verbs").out
    places = [out.index(words) for words in ("Verbs of Story Token", "attack ATTACKER TARGET", "Verbs of every game")]
    assert places == sorted(places)
    assert "--distance NUMBER" in table("verbs attack").out
    assert table("verbs attack --json").data["parameters"][0]["name"] == "attacker"
    assert table("verbs frob").code == 3


def test_rulesets_with_their_house_rules(rollbook) -> None:
    assert "storytoken" in rollbook("rulesets").out
    assert "round_seconds" in rollbook("rulesets storytoken").out
    assert rollbook("rulesets storytoken --json").data["settings"][0]["name"] == "rounding"
    assert any(line.get("ruleset") == "storytoken" for line in rollbook("rulesets --json").lines)
    assert rollbook("rulesets chess").code == 3


def test_the_audit_answers_three_questions(table) -> None:
    answer = table("audit")
    assert answer.code == 0
    assert [line.split()[0] for line in answer.out.splitlines()[:1]] == ["chain"]
    for words in ("VERIFIED", "UNPROVEN", "receipt"):
        assert words in answer.out
    table("do roll 1d6")
    table("do close-session")
    assert {one["verdict"] for one in table("audit --json").data["answers"]} == {"VERIFIED"}


def test_why_at_an_earlier_moment(table) -> None:
    table("do adjust guard hp -5 fell")
    assert "#10 adjust" in table("why guard hp").out
    before = table("why guard hp --at 9")
    assert "#10 adjust" not in before.out
    assert "as known at #9" in before.out
    assert table("why guard hp --at 99").code == 3


def test_a_number_by_its_terms_as_known_then_and_as_corrected_since(table) -> None:
    table("do adjust guard hp -5 fell")
    table("undo 8 --why 'wrong target' --yes")
    known, corrected = table("why guard hp --at 9"), table("why guard hp --at 9 --as-corrected")
    assert ("#8 attack" in known.out, "as known at #9" in known.out) == (True, True)
    assert ("#8 attack" in corrected.out, "after #9, as corrected since" in corrected.out) == (False, True)
    assert "#10 adjust" not in corrected.out
    assert "#10 adjust" in table("why guard hp --at last --as-corrected").out


def test_a_difference_as_known_then_and_as_corrected_since(table) -> None:
    table("undo 8 --why 'wrong target' --yes")
    assert "Hit points" in table("diff 7 9 guard").out
    answer = table("diff 7 9 guard --as-corrected").out.splitlines()
    assert answer == ["after #7, as corrected since → after #9, as corrected since", "  Nothing differs."]
    assert table("diff @7 @9 guard").out.splitlines()[0] == "as known at @7 → as known at @9"
    assert "Hit points" in table("diff @9 @10 guard").out
    assert table("diff s1 guard").out.splitlines()[-1] == "  Nothing differs."


def test_numbers_in_a_filter_are_actions_and_entries(table) -> None:
    def found(words: str) -> list[int]:
        return [line["action"] for line in table(f"log {words} --json").lines]

    assert found("8") == found("#8") == found("number=8") == [8]
    assert found("6-8") == found("number=#6-#8") == [6, 7, 8]
    assert found("@7") == found("entry=@7") == [7]
    assert found("after=@7 before=9") == [8]
    assert table("log entry=7").code == 2
    assert "@" in table("log --all").out.splitlines()[0]


def test_what_differs_between_two_moments(table) -> None:
    table("do adjust guard hp -5 fell")
    answer = table("diff 9")
    assert "as known at #9 → now" in answer.out
    assert "Guard" in answer.out
    assert table("diff 9 10 robin").out.splitlines()[-1] == "  Nothing differs."
    assert table("diff #9 #10 guard").out.splitlines()[1:] == answer.out.splitlines()[1:]
    assert {line["label"] for line in table("diff 9 --json").lines} >= {"Hit points"}
    assert "end of session 1" in table("diff 9 s1").out
    assert any(line.split()[-1] == "joins" for line in table("diff 2").out.splitlines())
    assert any(line.endswith("is not there") for line in table("diff now 2").out.splitlines())
    assert "Armour class" in table("diff 2 robin").out
    assert table("diff 9 s4").code == 3
    assert table("diff yesterday").code == 2
    assert table("diff 999").code == 3


def test_the_log_filtered_and_what_was_corrected_by_whom(table) -> None:
    assert [line["action"] for line in table("log verb=attack target=guard --json").lines] == [8]
    assert table("log sceen=1").code == 2
    assert "Did you mean scene?" in table("log sceen=1").err
    table('undo 8 --why "wrong target" --yes')
    assert [line["action"] for line in table("log --undone --json").lines] == [8]
    corrections = table("log --corrections").out
    assert "#8" in corrections
    assert "undone   wrong target" in corrections
    assert table("log --undone --corrections").code == 2
    assert table("log who=nobody").out.startswith("Nothing in the log fits. There is no character called 'nobody'.")
    assert (
        table("log verb=atack").out
        == "Nothing in the log fits. There is no verb called 'atack'. Did you mean attack?\n"
    )
    assert table("log verb=attack session=9").out == "Nothing in the log fits.\n"
    assert "Did you mean attack?" in table("undo --where verb=atack --preview").err


def test_undo_by_a_filter_is_previewed_and_leaves_out_what_is_final(table) -> None:
    preview = table('undo --where "verb=attack" --why "not this way" --preview')
    assert "#8" in preview.out
    assert table('undo --where "verb=open-session" --why no --preview').code == 3
    assert table('undo 8 --where "verb=attack" --why no --yes').code == 2
    assert table('undo --where "verb=swim" --why no --yes').code == 3
    table('undo --where "verb=attack" --why "not this way" --yes')
    assert [line["action"] for line in table("log --undone --json").lines] == [8]
