"""What was garbled once: flat amounts, differences of sentences, states said twice, dice by seats where there is one."""

from __future__ import annotations

from rollbook.adapters.presentation.plain_text import value_change, with_minus_signs


def test_a_flat_amount_is_an_amount(table) -> None:
    assert "[]" not in table("do harm guard 3").out
    line = table("log -n 1").out
    assert "−3 HP" in line and "=" not in line


def test_of_a_sentence_the_words_that_changed_are_shown() -> None:
    before = "+3 to locks, traps, forgery and lies; once a day a rally."
    after = "+4 to locks, traps, forgery and lies; twice a day a rally."
    assert value_change(before, after) == "+3 → +4, once → twice"
    assert value_change("Sees well.", "Sees well. Flies.") == "+ Flies."


def test_of_a_list_what_came_and_what_went_is_shown() -> None:
    assert value_change("longbow, leather jerkin", "longbow, chain") == "− leather jerkin, + chain"
    assert value_change("3 of 18", "18 of 18") == "3 of 18 → 18 of 18"


def test_a_level_is_told_without_garble(table) -> None:
    out = table("do award robin 2000 --why x").out + table("diff 8 last robin").out
    assert "+1 → +2" in out or "level" in out.casefold()
    assert "− +" not in out and "+ +" not in out


def test_a_state_is_said_once_in_the_table_of_the_party(table) -> None:
    table("do harm guard 30")
    (guard,) = (line for line in table("sheet").out.splitlines() if line.startswith("Guard"))
    words = [word.strip(" ,").casefold() for word in guard.split("·")]
    assert len({*words}) == len(words), guard


def test_where_one_seat_rolled_everything_luck_goes_by_character(rollbook) -> None:
    rollbook("new T --ruleset storytoken")
    rollbook("do take-seat Ana --role gm")
    rollbook("do open-session x")
    for name in ("Wolf", "Bear"):
        rollbook(f"do join {name} --kind npc --hp 9 --ac 12")
        rollbook(f"do check {name} dex --dice 4")
    assert "by character" in rollbook("stats").out
    rollbook("do take-seat Mira")
    rollbook("do roll 1d20 --dice 3 --seat Mira")
    assert "by seat" in rollbook("stats").out


def test_hyphens_stay_where_they_are_no_minus_signs() -> None:
    for kept in ("2026-11-20", "26-40", "1d6-1", "half-elf", "/tmp/-3", "s1-2", "--at -x"):
        assert with_minus_signs(kept) == kept
    assert with_minus_signs("-3 HP (-2) and -1") == "−3 HP (−2) and −1"
