"""Two fights at once: status, prompt, recap and help say which one is meant, and what waits meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.adapters.cli.prompt import prompt_text
from rollbook.adapters.wiring import open_book
from rollbook.application.lines.sayable_now import sayable_now
from rollbook.domain.base.errors import Refused
from rollbook.projections.status import status_of
from tests.support.terminal import RunRollbook

CAVE, ROOF = "Meanwhile  The cave · round 1 · Robin Hood's turn", "The roof"
SPLIT = (
    "do scene 'The cave'",
    "do begin-encounter robin,guard --dice 15,4",
    "do meanwhile 'The roof'",
    "do join Spy --kind npc --hp 9 --ac 12 --secret",
    "do join Wolf --kind monster --hp 9 --ac 12",
)
AMBUSH = "do begin-encounter wolf --dice 9"


@pytest.fixture
def split(table: RunRollbook) -> RunRollbook:
    """Robin and a guard fight in the cave, which waits; on the roof are a wolf and a hidden spy."""
    for line in SPLIT:
        done = table(line)
        assert done.code == 0, done.err
    return table


def test_what_waits_is_said_beside_the_scene_and_beside_the_fight(split: RunRollbook) -> None:
    free = split("status").out
    assert free.startswith("The roof · ")
    assert CAVE in free
    assert "Guard" not in free
    split(AMBUSH)
    fight = split("status").out
    assert fight.splitlines()[0] == "Round 1 · Wolf's turn"
    assert CAVE in fight
    assert CAVE in split("recap").out
    split("do cut-to cave")
    assert split("status").out.splitlines()[0] == "Round 1 · Robin Hood's turn"
    assert "Meanwhile  The roof · round 1 · Wolf's turn" in split("status").out


def test_a_fight_of_hidden_people_elsewhere_is_nobodys_but_the_gms(split: RunRollbook) -> None:
    split("do begin-encounter spy --dice 9")
    split("do cut-to cave")
    assert "Meanwhile  The roof · round 1 · Spy's turn" in split("status").out
    for reader in ("player:mira", "table"):
        shown = split(f"status --for {reader}").out
        assert "spy" not in shown.casefold()
        assert [line.rstrip() for line in shown.splitlines() if line.startswith("Meanwhile")] == ["Meanwhile  The roof"]


def test_prompt_and_help_name_the_scene_and_the_way_to_the_other(split: RunRollbook, home: Path) -> None:
    split(AMBUSH)
    with open_book(home / "books" / "rollbook.db", home / "seeds") as book:
        campaign = book.campaign("test-table")
        assert prompt_text("Test", campaign.state) == "Test · The roof · round 1 · Wolf> "
        assert "cut-to" in {verb.verb for verb in sayable_now(campaign, {})}
        assert "cut-to" not in {verb.verb for verb in sayable_now(campaign, {}, seat="Mira")}
        with pytest.raises(Refused, match="Robin Hood is in the fight in The cave, which waits.*cut-to robin"):
            campaign.say("attack robin guard longbow --distance 40")
        with pytest.raises(Refused, match="Guard is in the fight in The cave"):
            campaign.say("attack wolf guard bite --out-of-turn", seat="Ana")
        campaign.say("end-encounter")
        assert prompt_text("Test", campaign.state) == "Test · The roof> "
        campaign.say("cut-to robin")
        campaign.say("end-encounter")
        campaign.say("scene Home")
        assert prompt_text("Test", campaign.state) == "Test> "
        assert status_of(campaign.state, campaign.session.rulebook).elsewhere == ()
        with pytest.raises(Refused, match="No scene waits"):
            campaign.do("cut-to", scene="roof")
