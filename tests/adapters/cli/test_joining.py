"""``rollbook join``: all at once by flags, or question by question at a terminal; what stays open is chosen later."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from rollbook.adapters.local_files import paths
from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.domain.rules.action import parameters
from tests.support.terminal import Terminal

GAMES = [ruleset for key, ruleset in discover().rulesets.items() if discover().origins[key].startswith("rollbook ")]


def test_by_flags_it_is_the_verb_of_the_game(table) -> None:
    flags = "--heritage demigod --roles thieving,noble --scores 11,15,12,14,13,16"
    answer = table(f"join Marian {flags} ! 4")
    assert answer.code == 0, answer.err
    assert "Still open: heritage-ability (str, dex, con, int, wis, cha)" in answer.out
    assert "rollbook do choose marian heritage-ability …" in answer.out
    assert "heritage-ability" in table("sheet marian").out
    assert table("do choose marian heritage-ability dex").code == 0
    assert "Still open" not in table("sheet marian").out


def test_without_words_and_without_a_terminal_it_says_what_it_needs(table) -> None:
    answer = table("join")
    assert answer.code == 2
    assert "join also needs: name" in answer.err
    assert table("join --help").code == 0


@pytest.mark.parametrize("ruleset", GAMES, ids=lambda ruleset: ruleset.key)
def test_what_is_asked_are_parameters_of_the_verb(ruleset) -> None:
    join = ruleset.verb("join")
    known = {parameter.name: parameter for parameter in parameters(join)}
    assert set(join.questions) == {"pc", "npc", "monster", "hireling", "thing"}
    for asked in join.questions.values():
        assert set(asked) <= set(known)
        assert len(set(asked)) == len(asked)
        assert all(name in asked for name, parameter in known.items() if parameter.required and name != "name")


PTY = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
MIRA = {
    "name": "Mira Vale",
    "kind": "pc",
    "heritage": "demigod",
    "ability": "",
    "roles": "fighting,noble",
    "scores": "11,15,12,14,13,16",
    "level": "",
    "hit_dice": "5",
    "armour": "",
    "weapon": "",
    "id": "",
    "seat": "Mira",
}


def answer_all(terminal: Terminal, answers: dict[str, str]) -> None:
    for question, said in answers.items():
        terminal.answer(f"  {question}", said)


@PTY
def test_each_question_is_asked_once_and_the_newcomer_is_shown(table) -> None:
    """What cannot be left out comes first, an answer is refused where it is given, and the sheet is at the end."""
    terminal = Terminal.running("join")
    terminal.answer("  name", "Mira Vale")
    terminal.answer("  kind", "")
    terminal.answer("  heritage", "")
    terminal.until("Mira Vale needs one heritage")
    terminal.answer("  heritage", "xyzzy")
    terminal.until("heritage called 'xyzzy'")
    terminal.answer("  heritage", "demigod")
    terminal.answer("  ability", "")
    terminal.answer("  roles", "fighting")
    terminal.until("has 2 roles, and 1 were named")
    terminal.answer("  roles", "fighting,noble")
    terminal.answer("  scores", "11,15")
    terminal.until("Scores are 6 numbers")
    terminal.answer("  scores", "11,15,12,14,13,16")
    answer_all(terminal, {"level": "", "hit_dice": "5,5"})
    terminal.until("Level 1 has 1 hit dice")
    answer_all(terminal, {"hit_dice": "5", "armour": "", "weapon": "", "id": "robin"})
    terminal.until("There is already a character called 'robin'")
    answer_all(terminal, {"id": "", "seat": "Tom"})
    terminal.until("Nobody called Tom sits at this table. Seats: Ana, Mira")
    terminal.answer("  seat", "Mira")
    terminal.until("Still open: heritage-ability")
    terminal.answer("heritage-ability, or later", "dex")
    terminal.until("chooses dex")
    terminal.until("Mira Vale")
    terminal.until("Hit points")
    assert terminal.ended() == 0
    assert "Open" not in " ".join(table("sheet mira-vale --json").data["words"])


@PTY
def test_missing_dice_are_counted_and_a_session_is_offered_for_them(table) -> None:
    """R0.108: six times 3d6 and a hit die are nineteen dice."""
    table("do close-session")
    terminal = Terminal.running("join")
    answer_all(terminal, {**MIRA, "scores": "", "hit_dice": ""})
    terminal.until("This takes 19 dice: 6 × 3d6 for Mira Vale’s ability 1 to 6, 1d6 for Mira Vale’s hit dice.")
    terminal.answer("No session is open. Open one, so that they can be drawn?", "y")
    terminal.until("session 2 begins")
    terminal.answer("Real dice, in this order", "3,3")
    terminal.until("2 dice were typed, and next comes a d6 for Mira Vale’s ability 1; 16 more after it")
    terminal.answer("Real dice, in this order", "")
    terminal.answer("heritage-ability, or later", "later")
    terminal.until("Hit points")
    assert terminal.ended() == 0


@PTY
def test_what_was_answered_before_ctrl_c_is_there_next_time(table) -> None:
    terminal = Terminal.running("join")
    answer_all(terminal, dict(list(MIRA.items())[:5]))
    terminal.until("  scores")
    time.sleep(1)  # until the line is being read
    terminal.press("\x03")
    terminal.until("What you answered is kept")
    terminal.ended()
    assert "mira-vale" not in table("sheet --json").out
    (kept,) = paths.join_answers(Path(), "").parent.iterdir()
    assert kept.stat().st_mode & 0o777 == 0o600
    terminal = Terminal.running("join")
    terminal.until("Last time you answered: name Mira Vale, kind pc, heritage demigod, roles fighting,noble.")
    terminal.answer("Go on with that?", "y")
    answer_all(terminal, dict(list(MIRA.items())[5:]))
    terminal.answer("heritage-ability, or later", "later")
    terminal.until("Hit points")
    assert terminal.ended() == 0
    assert not kept.exists()


@PTY
def test_at_the_prompt_the_word_alone_asks(table) -> None:
    terminal = Terminal.running("play")
    terminal.answer("> ", "join")
    answer_all(terminal, {"name": "Wolf", "kind": "monster", "hp": "", "level": ""})
    terminal.until("needs hit points")
    answer_all(
        terminal, {"hp": "7", "level": "", "ac": "12", "armour": "", "weapon": "", "speed": "", "stats": "", "id": ""}
    )
    terminal.until("7 of 7")
    terminal.answer("> ", "quit")
    assert terminal.ended() == 0


@PTY
def test_a_hero_of_srd5_is_made_in_the_order_of_its_own_procedure(rollbook) -> None:
    """R5.208 to R5.217: class, background, species, scores and what the background raises, things."""
    assert rollbook("new 'Salt Road' --ruleset srd5").code == 0
    terminal = Terminal.running("join")
    answer_all(terminal, {"name": "Bryn", "kind": "", "class_name": "Barbarian", "level": "", "background": "soldeir"})
    terminal.until("Did you mean Soldier")
    answer_all(terminal, {"background": "Soldier", "species": "Goliath", "method": "array", "scores": ""})
    answer_all(terminal, {"increases": "str=2,con=1", "skills": "", "equipment": "a", "armour": "", "weapons": ""})
    answer_all(terminal, {"id": "", "seat": ""})
    terminal.until("Still open: giant-ancestry-1")
    terminal.answer("giant-ancestry-1, or later", "hill's tumble")
    terminal.until("chooses hill's tumble")
    for choice in ("soldier-tool-1", "mastery-1", "barbarian-skill-1", "language-1"):
        terminal.answer(f"{choice}, or later", "later")
    terminal.until("Hit points")
    assert terminal.ended() == 0
    sheet = rollbook("sheet bryn --json").data
    assert next(each for each in sheet["values"] if each["key"] == "str")["amount"] == 17
