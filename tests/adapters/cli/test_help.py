"""``rollbook help``: the pages of the documentation, in the terminal."""

from __future__ import annotations

import sys

import pytest

from rollbook.adapters.cli.app import COMMANDS
from rollbook.adapters.cli.topics import TOPICS, page_of
from tests.support.terminal import ROOT, Terminal


def test_every_page_for_people_is_a_topic_and_every_topic_a_page(rollbook) -> None:
    assert set(TOPICS) == {path.stem for path in (ROOT / "docs").glob("*.md")} - {"index"}
    assert not set(TOPICS) & set(COMMANDS) - {"odds", "replay", "stats", "timelines"}
    listed = rollbook("help").out
    assert all(f"{topic} " in listed for topic in TOPICS)


@pytest.mark.parametrize("topic", TOPICS)
def test_a_page_is_shown_as_it_is_written_where_it_goes_into_a_pipe(rollbook, topic: str) -> None:
    assert rollbook(f"help {topic}").out.strip() == page_of(topic).strip()


def test_the_name_of_a_command_shows_its_options_and_a_misspelt_topic_what_is_near(rollbook) -> None:
    assert "Usage: rollbook undo" in rollbook("help undo").out
    answer = rollbook("help dicce")
    assert (answer.code, "Did you mean dice?" in answer.err) == (3, True)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_at_a_terminal_a_page_is_set_without_its_marks() -> None:
    terminal = Terminal.running("help", "safety", columns=80)
    shown = terminal.until("X-card")
    assert "##" not in shown
    assert terminal.ended() == 0


def test_the_help_of_a_verb_says_in_which_order_its_dice_are_typed(rollbook) -> None:
    """QG.5: from the order that the verb itself declares."""
    rollbook("new Woods --ruleset storytoken")
    told = " ".join(rollbook("do attack --help").out.split())
    assert "Typed dice: the d20 to hit, then the weapon's damage, then the hours" in told
    assert "Typed dice" not in rollbook("do take-seat --help").out
    verbs = {verb["verb"]: verb["typed_dice"] for verb in rollbook("verbs --json").lines}
    assert verbs["influence"] == "the d20 of the influence"
    assert verbs["note"] == ""
