"""Currency is a count of a thing, ``give oona 35 gold``, and in srd5 coins of a purse; paying takes it away again."""

from __future__ import annotations

import pytest

from rollbook.application.campaign import Campaign
from rollbook.application.lines.short_forms import ShortForms, written
from rollbook.application.lines.verb_line import split_words
from rollbook.domain.base.errors import Refused


@pytest.fixture
def game(game: Campaign) -> Campaign:
    """The same with two characters in it."""
    hp = "9" if game.state.ruleset == "powers" else "--hp 9"
    for name in ("Oona", "Tam"):
        game.say(f"join {name} {hp} --kind npc")
    return game


def has(campaign: Campaign, coin: str, who: str = "oona") -> int:
    """Coins that somebody has, wherever the game keeps them."""
    oona = campaign.state.characters[who]
    return oona.pools.get(coin, 0) + (oona.gear[coin].count if coin in oona.gear else 0)


def test_coins_are_given_and_paid_by_their_number(game: Campaign) -> None:
    game.say("give oona 35 gold")
    game.say("give oona gold 5")
    assert has(game, "gold") == 40
    game.say("pay oona 15 gold")
    game.say("drop oona gold 5")
    assert has(game, "gold") == 20
    with pytest.raises(Refused):
        game.say("drop oona 500 gold")
    game.say("give oona,tam 3 silver")
    assert (has(game, "silver"), has(game, "silver", "tam")) == (3, 3)
    assert "20" in next(text for label, text in game.sheet("oona").words if "gold" in text)


def test_a_short_line_has_the_count_first_too(game: Campaign) -> None:
    full = written(ShortForms().expand(game, split_words("give oo 35 gold")))
    assert full == "give oona gold --count 35"
    game.say('give oona "potion 2" 3')
    assert game.state.characters["oona"].gear["potion 2"].count == 3


def test_in_fifth_edition_coins_are_one_purse_that_gives_change(game: Campaign) -> None:
    if game.state.ruleset != "srd5":
        return
    game.say("give oona 3 gp")
    game.say('give oona "gold pieces" 2')
    game.say("give oona 10 sp")
    assert (has(game, "gold"), has(game, "silver")) == (5, 10)
    game.say("pay oona 25 sp")
    assert (has(game, "gold"), has(game, "silver")) == (3, 5)
    game.say("buy oona torch 3")
    assert (has(game, "gold"), has(game, "silver"), has(game, "copper")) == (3, 4, 7)
    assert dict(game.sheet("oona").words)["Coins"] == "3 gold, 4 silver, 7 copper"


def test_a_thing_whose_name_begins_like_a_coin_is_a_thing(game: Campaign) -> None:
    game.say('give oona 2 "gold ring"')
    assert game.state.characters["oona"].gear["gold ring"].count == 2
    assert has(game, "gold") == 0
