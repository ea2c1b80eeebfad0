"""Bad input gets a sentence and an exit code, and changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

BAD = {
    "frobnicate": (2, "There is no command 'frobnicate'"),
    "lgo": (2, "Did you mean log?"),
    "--frob log": (2, "No such option"),
    "log --frob": (2, "No such option"),
    "log --session x": (2, "not a valid integer"),
    "log -c nowhere": (3, "no campaign called 'nowhere'"),
    "do atack robin guard longbow": (3, "Did you mean attack"),
    "do attack": (2, "also needs: attacker, target, weapon"),
    "do attack robin": (2, "also needs: target, weapon"),
    "do attack robin guard longbow extra": (2, "no place for 'extra'"),
    "do attack robin guard longbow --distnce 3": (2, "Did you mean distance"),
    "do attack robin guard longbow --distance": (2, "--distance needs a value"),
    "do attack robin guard longbow --distance near": (2, "distance is a whole number"),
    "do attack robin guard longbow --distance -4": (2, "at least 0"),
    "do attack nobody guard longbow": (3, "no character called 'nobody'"),
    "do attack robin guard bazooka": (3, "no weapon of Robin Hood's called 'bazooka'"),
    "do attack robin robin longbow": (4, "cannot attack"),
    "do attack robin guard longbow --distance 99999": (4, "reaches 330"),
    "do attack robin guard longbow --dice 21,4": (4, "21 is not a face of a d20"),
    "do attack robin guard longbow --dice 14": (4, "next comes a d6 for Robin Hood’s damage"),
    "do attack robin guard longbow ! 14 4 4": (4, "left over"),
    "do attack robin guard longbow ! x": (4, "not the face of a die"),
    "do attack robin guard longbow --dice 3 ! 3": (2, "typed twice"),
    "do attack robin guard longbow --seat Nobody": (3, "no seat called 'Nobody'"),
    "do attack guard robin unarmed --seat Mira": (4, "Mira cannot act"),
    "do award robin 5 --seat Mira": (4, "Only the GM"),
    "do award robin 0": (2, "at least 1"),
    "do check robin luck": (2, "ability is one of"),
    "do roll 2d": (4, ""),
    "do roll 99999d6": (4, ""),
    "do open-session": (4, "still open"),
    "do take-seat Mira": (4, "already has a seat"),
    "do after-x-card resume": (4, "No X-card"),
    "do join Guard --id guard --kind npc --hp 3": (4, "already a character called"),
    "do note": (2, "also needs: text"),
    "do note hello --to Nobody": (4, "Nobody called Nobody"),
    "do leave-seat Nobody": (4, "Nobody called Nobody"),
}


@pytest.mark.parametrize(("words", "said"), BAD.items(), ids=list(BAD))
def test_a_sentence_a_code_and_no_change(
    table, stored: Callable[[], list[tuple[Any, ...]]], words: str, said: tuple[int, str]
) -> None:
    before = stored()
    answer = table(words)
    code, sentence = said
    assert answer.code == code
    assert sentence in answer.err
    assert answer.out == ""
    assert "Traceback" not in answer.err
    assert "Usage:" not in answer.err
    assert stored() == before


@pytest.mark.parametrize(("words", "said"), BAD.items(), ids=list(BAD))
def test_the_same_as_json(table, words: str, said: tuple[int, str]) -> None:
    answer = table(f"--json {words}")
    assert answer.code == said[0]
    assert said[1] in answer.error["message"]
    assert answer.error["code"] == {2: "usage", 3: "not_found", 4: "refused"}[answer.code]
    assert isinstance(answer.error["near"], list)


def test_near_names_are_given_to_programs(table) -> None:
    assert table("--json do atack").error["near"][0] == "attack"


def test_nothing_at_all_is_a_request_for_help(rollbook) -> None:
    answer = rollbook("")
    assert (answer.code, answer.err) == (0, "")
    assert "rollbook demo" in answer.out


def test_help_and_version_are_no_errors(rollbook) -> None:
    assert rollbook("--help").code == 0
    assert rollbook("--version").out.startswith("rollbook ")
    for command in ("demo", "new", "play", "sheet", "log", "xp", "undo", "redo", "amend", "reroll", "audit", "import"):
        assert rollbook(f"{command} --help").code == 0, command


def test_letters_that_move_the_cursor_are_not_shown(table) -> None:
    table("do note 'a\x1b[31mred\x07'")
    assert "\x1b" not in table("log -n 1").out


def test_help_as_a_command_lists_the_pages_and_says_where_the_rest_is(rollbook) -> None:
    answer = rollbook("help")
    assert answer.code == 0
    assert "rollbook COMMAND --help" in answer.out
    assert "goes after do: rollbook do zzz. See: rollbook --help" in rollbook("zzz").err


def test_what_is_no_number_of_an_action_is_explained(table) -> None:
    for words in ("reveal @3", "undo @3 --preview"):
        assert "the number of an action, such as 12, or a range, such as 12-40" in table(words).err
