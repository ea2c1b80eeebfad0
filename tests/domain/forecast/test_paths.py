"""Results that no rule tells apart are one path, and chains without an end are cut where hardly anything is left."""

from __future__ import annotations

from fractions import Fraction

from rollbook.domain.dice.odds import chance, distribution
from rollbook.domain.rules.action import intent_of
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.plugin import Action
from rollbook.rulesets.storytoken.fight.encounter import BeginEncounter
from rollbook.rulesets.storytoken.tasks.checks import Oppose
from tests.support.bones import BOOK, Look, Storm, Tie, bones, seen, sherwood
from tests.support.enumeration import every_result, totals_of, totals_of_forecast


def test_results_that_no_rule_tells_apart_are_one_path() -> None:
    assert seen(bones(), Look(roll="1d20", way="compare")).paths <= 5
    assert seen(bones(), Look(roll="8d6", way="nothing")).paths == 1


def test_many_targets_of_one_blast_are_counted_out() -> None:
    people = tuple(f"guard{at}" for at in range(7))
    found = seen(bones(*people), Storm(who=people))
    assert len(found.stories) == 2**7
    assert sum(story.chance for story in found.stories) == 1
    assert {check.success for check in found.checks} == {chance("1d20+2", 15)}
    blast, saves = distribution("8d6"), chance("1d20+2", 15)
    for name in people:
        assert found.chance_of(name, "down") == saves * blast.at_least(40) + (1 - saves) * blast.at_least(20)
        assert found.amount(name, "damage").mean == sum(
            part * (saves * (total // 2) + (1 - saves) * total) for total, part in blast.items()
        )


def test_a_tie_that_is_rolled_again_for_ever_leaves_exact_shares() -> None:
    found = seen(bones(), Tie(sides=20))
    assert [check.success for check in found.checks] == [Fraction(1, 2)]
    assert 0 < found.not_followed < Fraction(1, 100_000)
    assert [check.success for check in seen(bones(), Tie(sides=2, named=True)).checks] == [Fraction(1, 2)]
    ahead = seen(bones(), Tie(sides=6, ahead=1))
    assert [check.success for check in ahead.checks] == [Fraction(21, 31)]


def test_opposed_rolls_of_a_real_game() -> None:
    found = seen(sherwood(), Oppose(who="guard", ability="dex", opponent="deputy", opponent_ability="dex"))
    assert [(check.success, check.made) for check in found.checks] == [(Fraction(1, 2), 1)]
    uneven = seen(sherwood(), Oppose(who="robin", ability="dex", opponent="deputy", opponent_ability="dex"))
    assert (uneven.not_followed, len(uneven.stories)) == (0, 2)


def test_initiative_says_who_begins() -> None:
    found = seen(sherwood(), BeginEncounter(participants=("robin", "guard")))
    assert sum(found.first.values()) == 1
    assert found.first["robin"] > found.first["guard"]
    three = seen(sherwood(), BeginEncounter(participants=("robin", "guard", "deputy")))
    assert sum(three.first.values()) == 1


def test_an_exploding_die_is_cut_where_hardly_anything_is_left() -> None:
    found = seen(bones(), Look(roll="2d6x", way="compare"))
    assert 0 < found.not_followed < Fraction(1, 10**6)
    assert sum(story.chance for story in found.stories) == 1
    rough = agrees_roughly(bones(), Look(roll="1d6x", way="key"), dice=7)
    assert rough < 1e-5
    assert agrees_roughly(bones(), Look(roll="1d6x", way="first"), dice=7) < 1e-5
    assert agrees_roughly(bones(), Look(roll="1d4rr=1", way="compare"), dice=9) < 1e-5


def agrees_roughly(campaign: CampaignState, action: Action, *, dice: int) -> float:
    """How far the chances of the stories lie from those of all faces up to so many dice."""
    wanted = totals_of(list(every_result(BOOK, campaign, intent_of(action), dice=dice))).stories
    has = totals_of_forecast(seen(campaign, action)).stories
    return max(float(abs(has[story] - wanted[story])) for story in {*has, *wanted} if wanted[story] > 1e-4)
