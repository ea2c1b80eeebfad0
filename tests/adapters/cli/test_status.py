"""``rollbook status``: the fight at a glance, or the scene; for a seat no more than it may see."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.adapters.cli.prompt import prompt_text
from rollbook.adapters.line_commands.views.board import one_of
from rollbook.adapters.wiring import open_book
from rollbook.domain.base.errors import Refused
from rollbook.domain.state.campaign_state import EMPTY, CampaignState, Character
from rollbook.domain.state.encounters import Encounter
from tests.support.terminal import RunRollbook

FIGHT = (
    "do join Spy --kind npc --hp 9 --ac 12 --secret",
    "do begin-encounter robin,guard --title 'The ambush' --dice 15,4",
    "do join-encounter spy --secret",
)


@pytest.fixture
def fight(table: RunRollbook) -> RunRollbook:
    """Robin's turn; Guard waits, and a hidden Spy is there too."""
    for line in FIGHT:
        done = table(line)
        assert done.code == 0, done.err
    return table


def test_a_fight_is_shown_with_its_turn_and_what_is_left_of_it(fight: RunRollbook) -> None:
    text = fight("status").out
    assert text.splitlines()[0] == "Round 1 · Robin Hood's turn"
    assert "an action and" in text
    for words in ("▶  Robin Hood", "Guard", "10 of 18", "2 tokens", "The ambush"):
        assert words in text


def test_what_is_spent_is_not_left(fight: RunRollbook) -> None:
    fight("do attack robin guard longbow --distance 40 --dice 2")
    assert "an action" not in fight("status").out


def test_a_hidden_fighter_is_on_the_gms_board_alone(fight: RunRollbook) -> None:
    assert "Spy" in fight("status").out
    for reader in ("player:mira", "Mira", "table", "player:table"):
        shown = fight(f"status --for {reader}")
        assert (shown.code, "spy" in shown.out.casefold()) == (0, False)
        assert "Guard" in shown.out
    assert "Spy" in fight("status --for Ana").out


def test_a_seat_that_asks_sees_what_it_may_and_nobody_elses_board(fight: RunRollbook, home: Path) -> None:
    with open_book(home / "books" / "rollbook.db", home / "seeds") as book:
        campaign = book.campaign("test-table")
        asked = campaign.say("status", seat="Mira").text
        assert "spy" not in asked.casefold()
        assert campaign.say("status --for player:mira", seat="Mira").text == asked
        assert campaign.say("status --for mira", seat="Ana").text == asked
        assert "Spy" in campaign.say("status", seat="Ana").text
        with pytest.raises(Refused, match="This answer is for Mira"):
            campaign.say("status --for Ana", seat="Mira")


def test_to_a_player_it_makes_no_difference_that_somebody_is_hidden(table: RunRollbook) -> None:
    spy_joins, begins, spy_fights = FIGHT
    table(begins)
    before = table("status --for player:mira --json").out
    table(spy_joins)
    table(spy_fights)
    assert table("status --for player:mira --json").out == before


def test_a_turn_of_somebody_hidden_is_a_pause_between_turns_to_the_table(table: RunRollbook) -> None:
    for line in (
        "do begin-encounter robin,guard --dice 15,4",
        "do join Spy --kind npc --hp 9 --ac 12 --secret",
        "do join-encounter spy --secret",
        "do end-turn --next guard",
        "do end-turn --dice 3,4,18",
    ):
        done = table(line)
        assert done.code == 0, done.err
    assert table("status").out.splitlines()[0] == "Round 2 · Spy's turn"
    shown = table("status --for table")
    assert shown.out.splitlines()[:2] == ["Round 2 · between turns", "Next  Robin Hood or Guard"]
    assert "spy" not in shown.out.casefold()


def test_json_has_all_that_is_shown(fight: RunRollbook) -> None:
    data = fight("status --json").data
    assert (data["fight"]["round"], data["fight"]["current"], data["fight"]["next"]) == (1, "robin", ["guard"])
    robin = data["fight"]["fighters"][0]
    assert (robin["turn"], robin["left"], robin["most"], robin["resources"]) == ("now", 6, 6, ["2 tokens"])


def test_out_of_a_fight_it_is_the_scene_and_those_in_it(table: RunRollbook) -> None:
    table("do scene 'The road through Sherwood'")
    table("do pass-time 90 --unit minutes")
    lines = table("status").out.splitlines()
    assert lines[0] == "The road through Sherwood · session 1 · day 1, 01:30"
    assert any(line.split()[:2] == ["Robin", "Hood"] for line in lines)


def test_an_x_card_is_said_before_everything_else(table: RunRollbook) -> None:
    table("x-card")
    assert table("status").out.startswith("The X-card is on the table.")
    assert table("status --json").data["paused"] is True


def test_a_campaign_without_people_says_how_to_get_some(rollbook: RunRollbook) -> None:
    rollbook("new Nottingham --ruleset grid")
    shown = rollbook("status")
    assert (shown.code, "Nobody is in play yet" in shown.out) == (0, True)


def test_an_unknown_seat_is_said(table: RunRollbook) -> None:
    assert table("status --for player:nobody").code == 3


def test_a_name_of_eighty_letters_leaves_the_board_in_its_columns(
    table: RunRollbook, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("FORCE_COLOR", "1"), ("TERM", "dumb"), ("COLUMNS", "80")):
        monkeypatch.setenv(name, value)
    table(f"do join '{'Wolfgang ' * 8}' --id wolf --kind npc --hp 9 --ac 12")
    table("do begin-encounter robin,guard,wolf --dice 15,4,2")
    shown = table("status").out
    assert "Wolfgang Wolfgang Wolfgan…" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_the_prompt_says_whose_turn_it_is_and_stays_short() -> None:
    people = {id_: Character(id=id_, name=name) for id_, name in (("robin", "Robin"), ("long", "W" * 80))}
    state = CampaignState(characters=people, encounter=Encounter(round=2, order=("robin", "long"), current="robin"))
    assert prompt_text("silver-arrow", EMPTY) == "silver-arrow> "
    assert prompt_text("silver-arrow", state) == "silver-arrow · round 2 · Robin> "
    longest = CampaignState(characters=people, encounter=Encounter(round=12, order=("long",), current="long"))
    assert len(prompt_text("a-very-long-name-of-a-campaign-indeed", longest)) < 72
    between = CampaignState(characters=people, encounter=Encounter(round=2, order=("robin",)))
    assert prompt_text("silver-arrow", between) == "silver-arrow · round 2 · nobody's turn> "


def test_names_are_listed_as_one_says_them() -> None:
    assert [one_of(names) for names in ((), ("A",), ("A", "B"), ("A", "B", "C"))] == ["", "A", "A or B", "A, B or C"]
