"""The rules of each game say what somebody may do now: outside a fight, in their own turn and in another's."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.rules.action import actors_in, is_the_gms
from tests.support.casts import CastCampaign, book_of_games
from tests.support.games import INSTALLED_RULESETS

OUTSIDE, OWN_TURN, ANOTHERS = "outside a fight", "in their own turn", "in another's turn"

FREE = {
    "storytoken": {"choose", "end-turn", "save", "spend-token", "tempt-fate"},
    "luckpoint": {"choose", "end-turn", "save"},
    "powers": {"check", "end-turn", "use-power"},
    "russell": {"choose", "end-turn", "save", "clip", "drop-behind", "hand-over", "hold", "light", "loot", "pick-up"}
    | {"practise", "share-light", "use-up", "block"},
    "grid": {"choose", "end-turn", "save"},
    "srd5": {"check", "choose", "drop", "end-turn", "hold-breath", "level-up", "opportunity", "save", "use"},
}
"""Verbs that need no turn of one's own, as far as the actor alone shows it."""

IN_A_FIGHT = {"end-turn", "block"}


@pytest.fixture(params=INSTALLED_RULESETS)
def cast(request: pytest.FixtureRequest, tmp_path: Path) -> CastCampaign:
    """Two characters of a game, outside a fight."""
    return CastCampaign(request.param, book_of_games(tmp_path))


def people(cast: CastCampaign) -> list[str]:
    return [cast.who(cast.hero), cast.who(cast.foe)]


def said(cast: CastCampaign, who: str) -> dict[str, str]:
    """The reason against each verb that a player could take."""
    campaign = cast.campaign
    ruleset = campaign.session.rulebook.ruleset_of(campaign.state)
    assert ruleset is not None
    known = campaign.session.rulebook.available(campaign.state, who)
    return {verb.verb: known[verb.verb] for verb in ruleset.actions if not is_the_gms(verb)}


def may(cast: CastCampaign, who: str) -> set[str]:
    return {verb for verb, reason in said(cast, who).items() if not reason}


def in_a_fight(cast: CastCampaign) -> tuple[str, str]:
    """A fight of the two: whose turn it is, and the other."""
    cast.take(f"begin-encounter {','.join(people(cast))}")
    encounter = cast.campaign.state.encounter
    assert encounter is not None
    current = encounter.current
    return current, next(who for who in people(cast) if who != current)


def test_outside_a_fight_no_turn_ends_and_one_may_attack(cast: CastCampaign) -> None:
    hero = people(cast)[0]
    against = said(cast, hero)
    assert not against["attack"]
    assert against["end-turn"].startswith("No encounter is being fought.")
    assert not may(cast, hero) & IN_A_FIGHT


def test_in_anothers_turn_nothing_can_be_done_that_takes_a_turn(cast: CastCampaign) -> None:
    current, other = in_a_fight(cast)
    assert "attack" in may(cast, current)
    free = may(cast, other)
    assert free <= FREE[cast.campaign.state.ruleset], free
    assert cast.campaign.state.characters[current].name in said(cast, other)["attack"]


def test_what_is_called_impossible_is_refused_in_the_same_words(cast: CastCampaign) -> None:
    _, other = in_a_fight(cast)
    against = said(cast, other)["attack"]
    target = next(who for who in people(cast) if who != other)
    weapon = {"storytoken": "light", "luckpoint": "unarmed", "russell": "melee"}.get(cast.campaign.state.ruleset, "")
    with pytest.raises(Refused) as refused:
        cast.take(f"attack {other} {target} {weapon}")
    assert str(refused.value) == against


def test_nobody_acts_who_is_dead(cast: CastCampaign) -> None:
    hero = people(cast)[0]
    cast.take(f"harm {hero} 500")
    if not cast.campaign.state.characters[hero].has("dead"):
        cast.take(f"harm {hero} 500")
    ruleset = cast.campaign.session.rulebook.ruleset_of(cast.campaign.state)
    assert ruleset is not None
    against = said(cast, hero)
    assert against["attack"]
    with_actor = {verb.verb for verb in ruleset.actions if actors_in(verb)}
    assert {"attack", "check"} & with_actor <= {verb for verb, reason in against.items() if reason}


def test_a_player_does_not_act_for_others(cast: CastCampaign) -> None:
    hero, foe = people(cast)
    cast.take("take-seat mira")
    cast.take(f"lend {hero} --to mira")
    campaign = cast.campaign
    own = campaign.session.rulebook.available(campaign.state, hero, seat="mira")
    others = campaign.session.rulebook.available(campaign.state, foe, seat="mira")
    assert not own["attack"]
    assert "mira cannot act for them" in others["attack"]
    assert "begin-encounter" not in own
    assert "begin-encounter" in campaign.session.rulebook.available(campaign.state, hero)


def test_who_is_nobody_is_not_found(cast: CastCampaign) -> None:
    with pytest.raises(NotFound):
        cast.campaign.session.rulebook.available(cast.campaign.state, "nobody")
