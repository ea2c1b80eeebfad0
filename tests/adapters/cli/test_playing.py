"""Actions are taken as the table would say them, one by one or from a script."""

from __future__ import annotations

from pathlib import Path


def test_an_action_is_told_with_its_dice_and_what_it_did(table) -> None:
    answer = table("do attack rob gua longbow --distance 40 --seat mira --dice 14,4")
    assert answer.code == 0
    assert (
        "#10  Robin Hood  strikes at Guard with the longbow   ✓ 18 against 12: hit; Guard −8 HP   1d20[14] ✎ +3 DEX"
        in answer.out
    )
    assert "✓" in answer.out
    assert "Guard: Hit points" in answer.out


def test_dice_may_stand_after_an_exclamation_mark(table) -> None:
    answer = table("do --json attack robin guard longbow ! 2")
    assert (answer.code, answer.data["success"], answer.data["seat"]) == (0, -1, "Ana")
    assert [event["event"] for event in answer.data["events"]] == ["DiceRolled", "CheckResolved"]


def test_json_may_be_asked_for_anywhere(table) -> None:
    for words in ("--json do roll 1d6", "do --json roll 1d6", "do roll 1d6 --json"):
        assert table(words).data["verb"] == "roll"


def test_words_left_over_belong_to_the_text_at_the_end(table) -> None:
    assert "The road through Sherwood" in table("do scene The road through Sherwood").out
    assert table("do --json award robin 10 for the ambush").data["events"][0]["reason"] == "for the ambush"


def test_a_number_below_zero_is_no_option(table) -> None:
    answer = table('do --json adjust guard hp -3 "fell down"')
    assert answer.code == 0
    assert any(event.get("amount") == -3 for event in answer.data["events"])


def test_an_option_may_be_cut_short_where_it_is_clear(table) -> None:
    assert table("do attack robin guard longbow --dist 40 ! 2").code == 0
    assert table("do attack robin guard longbow --dis 40 ! 2").code == 2


def test_a_verb_has_help_made_from_its_types(table) -> None:
    answer = table("do attack --help")
    assert answer.code == 0
    said = " ".join(answer.out.split())
    for words in (
        "ATTACKER TARGET WEAPON",
        "--distance NUMBER",
        "how far away the target is; left out, what the GM has said, or near (in feet)",
        "--carry-to",
    ):
        assert words in said


def test_help_says_in_which_order_real_dice_are_typed(table) -> None:
    """QG.5: the d20 comes before what it does."""
    said = " ".join(table("do attack --help").out.split())
    assert "in the order in which the rules ask for them, a d20 before what it does" in said
    assert table("do attack robin guard longbow --distance 40 ! 14 4").code == 0


def test_help_of_do_lists_the_verbs_of_the_campaign(table) -> None:
    out = table("do --help").out
    assert "Verbs of storytoken" in out
    assert "attack" in out
    assert "Verbs of every game" in out
    assert "start-campaign" not in out
    assert "draw-for" not in out


def test_help_of_do_without_a_store_says_how_to_begin(rollbook) -> None:
    answer = rollbook("do --help")
    assert answer.code == 0
    assert "rollbook demo" in answer.out


def test_the_engines_own_verbs_cannot_be_typed(table) -> None:
    assert table("do draw-for").code == 3
    assert table("do start-campaign Again").code == 3


def test_the_campaign_may_be_named_after_the_verb(table) -> None:
    table("new Other --ruleset storytoken")
    assert table("do note here -c test-table --json").data["campaign"] == "test-table"
    assert table("do note there --json").data["campaign"] == "test-table"
    assert table("do --json -c other note there").data["campaign"] == "other"


def test_a_secret_action_is_the_gms(table) -> None:
    assert table("do --json roll 1d20 --secret").data["visibility"] == "gm"


def test_nobody_learns_who_raised_the_x_card(table, home: Path, stored) -> None:
    before = len(stored())
    answer = table("do x-card --seat Mira --json")
    assert answer.code == 0
    assert "seat" not in answer.data
    assert "Mira" not in answer.out
    rows = stored()[before:]
    assert rows
    assert not any("Mira" in str(row) for row in rows)
    assert "Mira" not in (home / "state" / "rollbook" / "last.json").read_text(encoding="utf-8")
    assert "seat" not in table("log -n 1 --json").data
    assert table("do x-card --why Mira").code == 2
    assert table("do x-card --secret").code == 2


def test_a_session_opens_with_a_code_and_closes_with_a_receipt(table) -> None:
    assert "Receipt: test-table @10 " in table("do close-session").out
    assert "The dice are committed: " in table("do open-session Second").out


# Scripts.


def script(home: Path, text: str) -> str:
    path = home / "some.session"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_script_needs_no_store(rollbook, home: Path) -> None:
    answer = rollbook("play " + script(home, 'campaign "One Shot" storytoken\n# nothing\n\nnote Hello # said\n'))
    assert answer.code == 0
    assert "Hello" in answer.out
    assert "said" not in answer.out
    assert rollbook("campaigns --json").data["campaign"] == "one-shot"


def test_an_error_names_its_line_and_keeps_what_was_played(rollbook, home: Path) -> None:
    text = 'campaign "One Shot" storytoken\nnote Hello\n\nfrobnicate robin\nnote never\n'
    answer = rollbook("play " + script(home, text))
    assert answer.code == 3
    assert answer.err.startswith("Line 4: There is no verb called 'frobnicate'.")
    assert len(rollbook("log --json").lines) == 2


def test_a_refusal_in_a_script_keeps_its_exit_code(rollbook, home: Path) -> None:
    text = 'campaign "One Shot" storytoken\nroll 1d6\n'
    answer = rollbook("--json play " + script(home, text))
    assert (answer.code, answer.error["code"]) == (4, "refused")
    assert answer.error["message"].startswith("Line 2: No session is open")


def test_the_same_script_again_wants_another_name(table, home: Path) -> None:
    again = table(f"play {home / 'small.session'}")
    assert again.code == 1
    assert "--as NAME" in again.err
    assert table(f"play {home / 'small.session'} --as 'Second Table'").code == 0
    assert [line["campaign"] for line in table("campaigns --json").lines] == ["test-table", "second-table"]


def test_a_script_corrects_and_shows_the_preview(table, home: Path) -> None:
    text = 'undo 8 --why "wrong target"\nredo 8\namend 8 --why "a 3" ! 3\namend 8 distance=300 --why "far off" ! 3 2\n'
    answer = table("play " + script(home, text))
    assert answer.code == 0, answer.err
    assert "Undone" in answer.out
    assert "Redone" in answer.out
    assert "Changed" in answer.out


def test_a_script_that_needs_a_reason_says_so(table, home: Path) -> None:
    answer = table("play " + script(home, "undo 8\n"))
    assert (answer.code, "--why" in answer.err) == (2, True)


def test_a_script_may_go_on_with_the_campaign_of_today(table, home: Path) -> None:
    assert table("play " + script(home, "note More\nsheet robin\nlog -n 1\n")).code == 0
    assert table("play --as X " + script(home, "note More\n")).code == 2


def test_unfit_scripts(rollbook, home: Path) -> None:
    assert rollbook("play nowhere.session").code == 3
    assert rollbook("play " + script(home, "")).code == 1
    assert rollbook("play " + script(home, "# only this\n")).code == 1
    assert rollbook("play " + script(home, "campaign\n")).code == 2
    assert rollbook("play " + script(home, 'campaign "Open\n')).code == 2
    assert rollbook("play " + script(home, "campaign X nothing\n")).code == 3
    (home / "some.session").write_bytes(b"\xff\xfe\x00")
    assert rollbook(f"play {home / 'some.session'}").code == 1


def test_a_second_campaign_line_is_refused(rollbook, home: Path) -> None:
    answer = rollbook("play " + script(home, "campaign A storytoken\ncampaign B storytoken\n"))
    assert (answer.code, answer.err[:6]) == (2, "Line 2")


def test_what_a_table_wants_at_the_prompt_is_there(rollbook, home: Path) -> None:
    (home / "all.session").write_text(
        """campaign "The Mill" storytoken
take-seat Ana --role gm
open-session
join Spy --kind npc --hp 9 --ac 13 --secret
roll 1d1000000
override 5 --dice 3 --why "it was cocked"
fork --at "#4" --why "what if nobody had rolled?"
timelines
compare
take-over 1 --why "nobody did"
reveal spy
note "my own affair"
redact 7 --why private --yes
receipt
""",
        encoding="utf-8",
    )
    answer = rollbook(f"play {home / 'all.session'}")
    assert answer.code == 0, answer.err
    shown = (
        "Overridden.",
        "leaves the-mill",
        "Only on the-mill",
        "has chosen as the-mill~1 did",
        "comes into the open",
    )
    assert [part for part in shown if part not in answer.out] == []
    assert "my own affair" not in rollbook("log").out
    assert answer.out.splitlines()[-1] == rollbook("receipt").out.strip()
