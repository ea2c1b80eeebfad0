"""A word that no verb has is answered by its sense; a verb with a command of the same name shows first what it would do."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rollbook.adapters.cli.app import COMMANDS, command_named
from rollbook.adapters.wiring import open_book
from rollbook.application.campaign import Campaign
from rollbook.application.lines.line_commands import COMMAND_FIRST, PROMPT_COMMANDS, X_CARD
from rollbook.application.lines.short_forms import ShortForms, written
from rollbook.application.lines.verb_line import LineError, split_words
from rollbook.application.verbs import verbs_of
from rollbook.domain.base.synonyms import _SENSES, SAME
from tests.support.games import INSTALLED_RULESETS
from tests.support.terminal import Terminal


def test_every_verb_that_is_offered_is_one_of_some_game(tmp_path: Path) -> None:
    known = {*PROMPT_COMMANDS}
    for key in INSTALLED_RULESETS:
        with open_book(tmp_path / f"{key}.db", tmp_path / key, create=True) as book:
            known |= set(verbs_of(book.new(key, key, {})))
    assert {verb for verbs in _SENSES.values() for verb in verbs.split()} <= known
    assert {line.split()[0] for lines in SAME.values() for line in lines} <= known


def test_a_verb_of_another_moment_says_which_moment_it_is(game: Campaign) -> None:
    def short(line: str) -> str:
        return written(ShortForms().expand(game, split_words(line)))

    with pytest.raises(LineError, match=r"^No fight is on, so there is no end-encounter.*begin-encounter WHO"):
        short("end-enc")
    hp = "10" if game.state.ruleset == "powers" else "--hp 10"
    for name in ("Ana", "Bo"):
        game.say(f"join {name} {hp} --kind npc")
    game.say("open-session")
    game.say("begin-encounter ana,bo" + (" --place" if game.state.ruleset == "grid" else ""))
    with pytest.raises(
        LineError, match=r"^A fight is on already, so there is no begin-encounter\. It ends with end-enc"
    ):
        short("be bo")


def test_whatever_the_shell_shows_first_the_prompt_shows_first(game: Campaign) -> None:
    both = set(verbs_of(game)) & set(COMMANDS) - {X_CARD}  # which is raised at once; --rewind is the command's already
    shown = {name for name in both if any(each.name == "preview_only" for each in command_named(name).params)}
    assert shown <= set(COMMAND_FIRST)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_another_game_is_shown_and_asked_about_at_the_prompt(table) -> None:
    terminal = Terminal.running("play", columns=80)
    terminal.answer("> ", "adopt powers --preview")
    terminal.shows("Set aside for the way back")
    terminal.answer("> ", "adopt powers")
    terminal.answer("Go over? [y/N]", "n")
    terminal.shows("Nothing was recorded")
    terminal.answer("> ", "adopt powers --yes")
    terminal.shows("The campaign plays by powers from here on")
    terminal.answer("> ", "quit")
    assert terminal.ended() == 0


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_help_knows_short_forms_and_every_verb_has_help(table) -> None:
    terminal = Terminal.running("play", columns=80)
    terminal.answer("> ", "harm --help")
    terminal.shows("Usage: harm WHO")
    terminal.answer("> ", "x-card --help")
    terminal.shows("--resume")
    terminal.answer("> ", "help at")
    terminal.shows("at = attack")
    terminal.answer("> ", "help zzz")
    terminal.shows("There is no verb called 'zzz'")
    terminal.answer("> ", "quit")
    assert terminal.ended() == 0
    assert table("log -n 1 --json").data["verb"] != "harm"
