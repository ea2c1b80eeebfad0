"""Any importer may say by which verbs of a game its actions are played; here of the toy, by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rollbook.adapters.imports import Imported, ImportedAction
from rollbook.adapters.imports.playing import record_play
from rollbook.application.campaign import Campaign
from rollbook.application.playing.recorded_play import (
    OTHER_CHECK,
    OTHER_DICE,
    OTHER_POINTS,
    OTHER_TURN,
    REFUSED,
    Expected,
    Play,
    Tally,
)
from rollbook.domain import events
from rollbook.domain.base.errors import NotFound, RollbookError
from rollbook.domain.events import Role
from tests.support.campaigns import memory_book

TOLD = (events.DamageTaken(character="guard", amount=2, dealt=2),)


def began() -> list[ImportedAction]:
    """A campaign with two seats, Robin, who is mira's, and a guard."""
    seats = [
        events.SeatTaken(seat="Ana", role=Role.GM, number=0),
        events.SeatTaken(seat="mira", role=Role.PLAYER, number=1),
    ]
    people = [
        events.CharacterJoined(character="robin", name="Robin", seat="mira"),
        events.CharacterJoined(character="guard", name="Guard"),
        *(events.StatChanged(character=who, stat="max_hp", amount=10) for who in ("robin", "guard")),
    ]
    started = events.CampaignStarted(name="Oak", identity="a" * 32)
    return [ImportedAction("start-campaign", {}, "Ana", 5, (started, *seats, *people))]


def attack(**more: Any) -> Play:
    params = {"attacker": "robin", "target": "guard"}
    return Play(**{"kind": "attack", "verb": "attack", "params": params, "dice": (15, 4), **more})


def played(folder: Path, *plays: Play, seat: str = "mira") -> tuple[Campaign, Tally]:
    actions = [ImportedAction("tale", {}, seat, 7, TOLD, "robin", play=play) for play in plays]
    imported = Imported("Oak", (*began(), *actions), 0, 0, (), ruleset="toy", settings={"crits": False})
    return record_play(memory_book(folder), imported)


def test_what_comes_to_the_record_is_an_action_as_any_other(tmp_path: Path) -> None:
    campaign, tally = played(tmp_path, attack(expected=Expected(successes=(True,), lost={"guard": 4})))
    entry = campaign.history.entry(2)
    assert (entry.provenance, entry.seat, entry.at, entry.reason) == ("played", "mira", 7, "")
    assert (campaign.state.ruleset, campaign.state.settings["crits"], tally.agreed) == ("toy", False, {"attack": 1})
    campaign.corrections.undo(entry.action, reason="a dream").apply()
    assert campaign.state.characters["guard"].lost == 0


@pytest.mark.parametrize(
    ("play", "why"),
    [
        (attack(expected=Expected(successes=(False,))), OTHER_CHECK),
        (attack(expected=Expected(lost={"guard": 2})), OTHER_POINTS),
        (attack(expected=Expected(pools={"robin": {"tokens": 3}})), OTHER_POINTS),
        (attack(expected=Expected(turn="guard", round=1)), OTHER_TURN),
        (attack(dice=(15,)), OTHER_DICE),
        (attack(dice=(15, 4, 4)), OTHER_DICE),
        (attack(dice=(15, 7)), OTHER_DICE),
        (attack(verb="juggle"), REFUSED),
        (attack(params={"attacker": "robin"}), REFUSED),
        (attack(lacks="nobody saw it"), "nobody saw it"),
    ],
)
def test_what_does_not_stands_as_recorded_with_the_reason(tmp_path: Path, play: Play, why: str) -> None:
    campaign, tally = played(tmp_path, play)
    entry = campaign.history.entry(2)
    assert (entry.provenance, entry.events, entry.reason) == ("imported", TOLD, f"as recorded: {why}")
    assert tally.standing == {("attack", why): 1}
    assert [*tally.sentences()][1:] == [f"As recorded: attack 1, because {why}."]
    assert tally.told()["as_recorded"] == [{"kind": "attack", "why": why, "count": 1}]


def test_the_first_way_that_comes_to_it_counts_then_what_is_to_be_played_instead(tmp_path: Path) -> None:
    eight = Expected(lost={"guard": 8})
    clubs = ({"weapon": "club"}, {"weapon": "sword"})
    campaign, tally = played(tmp_path, attack(dice=(15, 8), ways=clubs, expected=eight))
    assert campaign.history.entry(2).intent.params["weapon"] == "sword"
    heal = Play(kind="healing", verb="heal", params={"who": "guard", "amount": 0})
    _, tally = played(tmp_path, attack(dice=(1,), expected=eight, instead=attack(kind="other")), heal)
    assert tally.agreed["other"] == 1


def test_a_seat_may_what_it_may_and_the_gm_rules_the_rest(tmp_path: Path) -> None:
    guards = {"attacker": "guard", "target": "robin"}
    campaign, _ = played(tmp_path, attack(params=guards))
    assert campaign.history.entry(2).seat == "Ana"


def test_an_unknown_game_or_an_empty_record_is_refused(tmp_path: Path) -> None:
    book = memory_book(tmp_path)
    with pytest.raises(NotFound, match="ruleset"):
        record_play(book, Imported("Oak", tuple(began()), 0, 0, (), ruleset="chess"))
    with pytest.raises(RollbookError, match="nothing in it"):
        record_play(book, Imported("Oak", (), 0, 0, (), ruleset="toy"))
    assert book.campaigns() == ()
