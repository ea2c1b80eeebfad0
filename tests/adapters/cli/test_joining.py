"""``rollbook join``: all at once by flags, or question by question at a terminal; what stays open is chosen later."""

from __future__ import annotations

import sys

import pytest

from adapters.registry import discover
from domain.action import parameters
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


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_at_a_terminal_it_asks_until_the_rules_agree_and_then_for_what_is_open(table) -> None:
    answers = {
        "name": "Mira Vale",
        "kind": "pc",
        "id": "",
        "seat": "Mira",
        "scores": "11,15,12,14,13,16",
        "order": "",
        "heritage": "demigod",
        "ability": "",
        "roles": "fighting",
        "level": "",
        "armour": "",
        "weapon": "",
        "hit_dice": "",
    }
    terminal = Terminal.running("join")
    for question, said in answers.items():
        terminal.answer(f"  {question}", said)
    terminal.answer("Real dice", "")
    terminal.until("has 2 roles, and 1 were named")
    for question in answers:
        terminal.answer(f"  {question}", {"roles": "fighting,noble", "hit_dice": "5"}.get(question, ""))
    terminal.answer("Real dice", "")
    terminal.until("Still open: heritage-ability")
    terminal.answer("heritage-ability, or later", "dex")
    terminal.until("chooses dex")
    assert terminal.ended() == 0
    sheet = table("sheet mira-vale --json").data
    assert "Open" not in " ".join(sheet["words"])
