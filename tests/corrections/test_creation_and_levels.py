"""A wrong number at creation and a level too early are put right where they were made; nothing else is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.domain.corrections.changes import Effect
from tests.support.casts import CastCampaign, book_of_games
from tests.support.games import INSTALLED_RULESETS

LEVEL_UPS = {
    "storytoken": [["award marian 2000 ! 5"], ["award marian 8000 ! 2 6 1"]],
    "luckpoint": [["award rolf 200"], ["award rolf 900"]],
    "russell": [["award aldo 2500", "downtime aldo --weeks 2", "level-up aldo ! 5"]],
    "srd5": [
        ["award kara 300", "level-up kara"],
        ["award kara 2700", "level-up kara", "level-up kara", "level-up kara --roll ! 9"],
    ],
}
"""Lines by which somebody rises, in the games that have levels."""

WITHOUT_LEVELS = ("powers", "grid")
"""Games in which experience raises nobody."""

GAMES = pytest.mark.parametrize("key", INSTALLED_RULESETS)


@pytest.fixture
def table(key: str, tmp_path: Path) -> CastCampaign:
    return CastCampaign(key, book_of_games(tmp_path))


def test_every_game_of_ours_has_levels_or_has_none() -> None:
    assert sorted((*LEVEL_UPS, *WITHOUT_LEVELS)) == INSTALLED_RULESETS


@GAMES
def test_a_wrong_number_at_creation_is_put_right_where_it_was_made(table: CastCampaign) -> None:
    campaign, who = table.campaign, table.who(table.foe)
    table.take(f"adjust {who} hp -2 'fell'")
    hurt = table.lines(who)["hp"]
    hp = campaign.history.intent_of(table.foe).params["hp"]
    assert isinstance(hp, int)
    campaign.corrections.amend(table.foe, {"hp": hp + 5}, reason="misread").apply()
    assert table.lines(who)["hp"] == f"{hp + 3} of {hp + 5}"
    campaign.corrections.amend(table.foe, {"hp": hp}, reason="it was right").apply()
    assert table.lines(who)["hp"] == hurt == f"{hp - 2} of {hp}"


@pytest.mark.parametrize(("key", "lines"), [(key, lines) for key, ways in LEVEL_UPS.items() for lines in ways])
def test_a_level_is_undone_with_exactly_what_it_granted(
    table: CastCampaign, key: str, lines: list[str], tmp_path: Path
) -> None:
    """Something else is gained in between, and kept: the sheet is that of a campaign in which the level never came."""
    never = CastCampaign(key, book_of_games(tmp_path / "never"))
    who = table.who(table.hero)
    *before, last = lines
    for each in (table, never):
        for line in before:
            each.take(line)
    risen = table.take(last)
    assert campaign_level(table, who) > campaign_level(never, who)
    chosen = _choose_something(table, who, risen)
    for each in (table, never):
        each.take(f"give {who} rope")
        each.take(f"adjust {who} hp -1 'a scratch'")
    made = table.campaign.corrections.undo(risen, reason="too early")
    assert {one.action for one in made.of(Effect.ORPHANED)} == set(chosen)
    made.apply()
    assert table.lines(who) == never.lines(who)
    assert table.campaign.state.characters[who] == never.campaign.state.characters[who]


def campaign_level(table: CastCampaign, who: str) -> int:
    return table.campaign.state.characters[who].level


def _choose_something(table: CastCampaign, who: str, risen: int) -> list[int]:
    """The first choice that the level has opened is made, if it has opened one."""
    before = table.campaign.history.state_before(risen).characters[who].choices
    opened = [choice for choice in table.campaign.state.characters[who].choices if choice not in before]
    if not opened:
        return []
    picked = table.campaign.state.characters[who].choices[opened[0]].keys[0]
    return [table.take(f"choose {who} {opened[0]} '{picked}'")]


@pytest.mark.parametrize(("key", "amount", "kept"), [("storytoken", 1_999, 1), ("luckpoint", 99, 1)])
def test_where_experience_alone_raises_an_amended_award_takes_the_level_and_leaves_the_rest(
    table: CastCampaign, amount: int, kept: int
) -> None:
    campaign, who = table.campaign, table.who(table.hero)
    award = table.take(LEVEL_UPS[campaign.state.ruleset][0][0])
    assert campaign_level(table, who) == kept + 1
    campaign.corrections.amend(award, {"amount": amount}, reason="the hoard was smaller").apply()
    assert (campaign_level(table, who), campaign.state.characters[who].experience) == (kept, amount)


@pytest.mark.parametrize("key", WITHOUT_LEVELS)
def test_where_experience_raises_nobody_undoing_an_award_takes_the_experience_alone(table: CastCampaign) -> None:
    who = table.who(table.hero)
    before = table.campaign.state.characters[who]
    award = table.take(f"award {who} 3000")
    table.campaign.corrections.undo(award, reason="nothing was won").apply()
    assert table.campaign.state.characters[who] == before
