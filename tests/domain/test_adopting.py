"""A campaign that changes its rules: what crosses is converted, the rest waits, and coming back gives back the same sheet."""

from __future__ import annotations

from collections.abc import Mapping

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollbook.domain.actions.adopting import Adopt
from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.dice.supply import NoDice
from rollbook.domain.events import (
    CharacterJoined,
    ConditionBegan,
    ConditionEnded,
    DamageTaken,
    EncounterBegan,
    Event,
    ExperienceAwarded,
    GearGained,
    LevelGained,
    PoolGained,
    PoolSpent,
    RulesetAdopted,
    Scalar,
    StatChanged,
    TraitGained,
)
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.action import intent_of
from rollbook.domain.rules.crossing import Crossing, Passport, hit_points_left, set_aside
from rollbook.domain.rules.ruleset import Ruleset
from rollbook.domain.rules.settings import setting
from rollbook.domain.rules.sheet import Sheet, Value
from rollbook.domain.rules.table import Table
from rollbook.domain.state.campaign_state import EMPTY, CampaignState, Character
from rollbook.domain.state.fold import fold


@attrs.frozen(kw_only=True)
class HouseRules:
    grim: bool = setting(default=False, text="everybody has half the hit points")


# Scores, sinks below zero, has luck up to 5, levels at 100 points each; "prone" is called flat.


def most_high(who: Character, campaign: CampaignState) -> int:
    most = who.stats.get("toughness", 0) + 2 * who.level
    return max(1, most // 2 if campaign.settings.get("grim") else most)


def describe_high(who: Character, campaign: CampaignState) -> Passport:
    most = most_high(who, campaign)
    return Passport(
        max_hp=most,
        dies_at=-most,
        level=who.level,
        modifiers={"str": (who.stats.get("str", 10) - 10) // 2},
        luck=who.pools.get("luck", 0),
        conditions=tuple(
            {"flat": "prone", "dead": "dead"}[name] for name in who.conditions if name in ("flat", "dead")
        ),
    )


def arrive_high(table: Table, name: str, passport: Passport) -> None:
    table.record(StatChanged(character=name, stat="toughness", amount=passport.max_hp))
    level_high(table, name)


def level_high(table: Table, name: str) -> None:
    who = table.character(name)
    due = who.experience // 100 - who.level
    if due > 0:
        table.record(LevelGained(character=name, levels=due))


def set_high(table: Table, name: str, ability: str, modifier: int) -> None:
    change = 10 + 2 * modifier - table.character(name).stats.get(ability, 0)
    table.record(StatChanged(character=name, stat=ability, amount=change))


def settle_high(table: Table, before: Character) -> None:
    who = table.character(before.id)
    if who.lost >= 2 * most_high(who, table.campaign):
        table.record(ConditionBegan(character=who.id, condition="dead"))


# Modifiers only, stops at zero, one point of grit at most, no levels.


def describe_low(who: Character, campaign: CampaignState) -> Passport:
    return Passport(
        max_hp=max(who.stats.get("health", 0), 1),
        modifiers={"str": min(who.stats.get("might", 0), 3)},
        luck=who.pools.get("grit", 0),
        conditions=tuple(name for name in who.conditions if name in ("prone", "dead", "stunned")),
    )


def arrive_low(table: Table, name: str, passport: Passport) -> None:
    table.record(StatChanged(character=name, stat="health", amount=3))


def set_low(table: Table, name: str, ability: str, modifier: int) -> None:
    change = min(modifier, 3) - table.character(name).stats.get("might", 0)
    table.record(StatChanged(character=name, stat="might", amount=change))


def shown(who: Character, campaign: CampaignState) -> Sheet:
    numbers = {"level": who.level, "lost": who.lost, **who.stats, **who.pools}
    words = {**who.traits, **who.conditions, **who.choices, **{item: gear.use for item, gear in who.gear.items()}}
    return Sheet(
        character=who.id,
        name=who.name,
        values=tuple(Value(key, key, amount) for key, amount in numbers.items()),
        words=tuple((key, str(value)) for key, value in words.items()),
    )


HIGH = Ruleset(
    key="high",
    title="High",
    version="1",
    summary="",
    actions=(),
    sheet=shown,
    settings=HouseRules,
    experience_awarded=level_high,
    character_changed=settle_high,
    crossing=Crossing(
        describe=describe_high,
        arrive=arrive_high,
        set_modifier=set_high,
        luck="luck",
        luck_cap=lambda who, campaign: 5,
        conditions={"prone": "flat", "dead": "dead"},
    ),
)
LOW = Ruleset(
    key="low",
    title="Low",
    version="7",
    summary="",
    actions=(),
    sheet=shown,
    crossing=Crossing(
        describe=describe_low,
        arrive=arrive_low,
        set_modifier=set_low,
        luck="grit",
        luck_cap=lambda who, campaign: 1,
        conditions={"prone": "prone", "dead": "dead", "stunned": "stunned"},
    ),
)
CLOSED = Ruleset(key="closed", title="Closed", version="1", summary="", actions=(), sheet=shown)
RULEBOOK = Rulebook({game.key: game for game in (HIGH, LOW, CLOSED)})

ROBIN = "robin"
BEGUN: tuple[Event, ...] = (
    RulesetAdopted(ruleset="high", version="1", settings={"grim": True}),
    CharacterJoined(character=ROBIN, name="Robin"),
    StatChanged(character=ROBIN, stat="str", amount=18),
    StatChanged(character=ROBIN, stat="toughness", amount=40),
    TraitGained(character=ROBIN, trait="archer", kind="role"),
    GearGained(character=ROBIN, item="longbow", use=("weapon", "far")),
    PoolGained(holder=ROBIN, pool="luck", amount=4),
    ExperienceAwarded(character=ROBIN, amount=250),
    LevelGained(character=ROBIN, levels=2),
)


def adopted(campaign: CampaignState, ruleset: str, **house: Scalar) -> CampaignState:
    """As the engine asks for it: with the house rules of the last time, unless others are named."""
    action = Adopt(ruleset=ruleset, settings=house or campaign.former.get(ruleset, {}))
    return RULEBOOK.play(campaign, intent_of(action), NoDice()).campaign


def robin(campaign: CampaignState) -> Character:
    return campaign.characters[ROBIN]


def sheet(campaign: CampaignState) -> Sheet:
    return RULEBOOK.sheet(robin(campaign), campaign)


def begun(*more: Event) -> CampaignState:
    return fold(EMPTY, (*BEGUN, *more))


def test_what_every_game_knows_is_converted() -> None:
    after = adopted(begun(DamageTaken(character=ROBIN, amount=11, dealt=11)), "low")
    who = robin(after)
    assert (after.ruleset, after.version, dict(after.settings)) == ("low", "7", {})
    assert dict(who.stats) == {"might": 3, "health": 3}
    assert who.lost == 2, "11 of 22 hit points left is 1 of 3"
    assert dict(who.pools) == {"grit": 1}
    assert who.experience == 250
    assert who.traits == {}
    assert who.gear["longbow"].use == ()


def test_what_has_no_counterpart_is_set_aside_and_said() -> None:
    before = begun(
        ConditionBegan(character=ROBIN, condition="flat"), ConditionBegan(character=ROBIN, condition="cursed")
    )
    assert HIGH.crossing is not None
    assert LOW.crossing is not None
    assert set_aside(robin(before), HIGH.crossing, LOW.crossing) == ("archer", "cursed", "toughness 40")
    after = adopted(before, "low")
    assert list(robin(after).conditions) == ["prone"]
    assert dict(robin(after).aside["high"].traits) == {"archer": "role"}


def test_going_and_coming_back_gives_the_same_sheet_and_the_same_house_rules() -> None:
    before = begun(
        DamageTaken(character=ROBIN, amount=30, dealt=30), ConditionBegan(character=ROBIN, condition="cursed")
    )
    after = adopted(adopted(before, "low"), "high")
    assert sheet(after) == sheet(before)
    assert dict(after.settings) == {"grim": True}
    assert robin(after).lost == 30


def test_house_rules_named_when_coming_back_count() -> None:
    after = adopted(adopted(begun(), "low"), "high", grim="no")
    assert dict(after.settings) == {"grim": False}


@pytest.mark.parametrize(
    ("meanwhile", "moved"),
    [
        ((DamageTaken(character=ROBIN, amount=2, dealt=2),), {"lost": 15}),
        ((DamageTaken(character=ROBIN, amount=3, dealt=3),), {"lost": 22}),
        ((PoolSpent(holder=ROBIN, pool="grit", amount=1),), {"luck": 3}),
        ((StatChanged(character=ROBIN, stat="might", amount=-2),), {"str": 14}),
        ((ExperienceAwarded(character=ROBIN, amount=150),), {"level": 4}),
        ((StatChanged(character=ROBIN, stat="health", amount=3),), {}),
    ],
)
def test_what_happened_meanwhile_comes_along_on_the_way_back(
    meanwhile: tuple[Event, ...], moved: Mapping[str, int]
) -> None:
    before = begun()
    after = adopted(fold(adopted(before, "low"), meanwhile), "high")
    changed = {
        value.key: value.amount
        for value, was in zip(sheet(after).values, sheet(before).values, strict=True)
        if value != was
    }
    assert changed == moved


def test_conditions_that_began_or_ended_meanwhile_do_so_on_the_way_back() -> None:
    there = adopted(begun(ConditionBegan(character=ROBIN, condition="flat")), "low")
    ended = fold(there, [ConditionEnded(character=ROBIN, condition="prone")])
    assert not robin(adopted(ended, "high")).conditions
    began = fold(adopted(begun(), "low"), [ConditionBegan(character=ROBIN, condition="prone")])
    assert list(robin(adopted(began, "high")).conditions) == ["flat"]


def test_what_happened_two_games_ago_comes_along_too() -> None:
    there = fold(adopted(begun(), "low"), [PoolSpent(holder=ROBIN, pool="grit", amount=1)])
    third = attrs.evolve(LOW, key="third")
    rules = Rulebook({**RULEBOOK.rulesets, "third": third})
    for key in ("third", "high"):
        there = rules.play(there, intent_of(Adopt(ruleset=key)), NoDice()).campaign
    assert robin(there).pools["luck"] == 3
    assert set(robin(there).aside) == {"low", "third"}


def test_the_dead_stay_dead() -> None:
    killed = begun(DamageTaken(character=ROBIN, amount=60, dealt=60), ConditionBegan(character=ROBIN, condition="dead"))
    there = adopted(killed, "low")
    assert robin(there).has("dead")
    assert robin(there).lost == 3
    assert robin(adopted(there, "high")).has("dead")


def test_somebody_who_joined_in_between_arrives_like_anybody_else() -> None:
    there = fold(adopted(begun(), "low"), [CharacterJoined(character="mira", name="Mira")])
    back = adopted(there, "high")
    assert back.characters["mira"].stats["str"] == 10
    assert "low" in back.characters["mira"].aside


def test_changing_rules_is_refused_where_it_makes_no_sense() -> None:
    with pytest.raises(Refused, match="already plays by high"):
        adopted(begun(), "high")
    with pytest.raises(Refused, match="End it first"):
        adopted(begun(EncounterBegan()), "low")
    with pytest.raises(Refused, match="closed does not say how characters cross"):
        adopted(begun(), "closed")
    with pytest.raises(NotFound, match="low"):
        adopted(begun(), "lo")
    with pytest.raises(Refused, match="no setting of low"):
        adopted(begun(), "low", grim="yes")


PASSPORTS = st.builds(Passport, max_hp=st.integers(1, 200), dies_at=st.integers(-100, 0))


@given(PASSPORTS, PASSPORTS, st.integers(0, 300))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_health_crosses_in_proportion(old: Passport, new: Passport, lost: int) -> None:
    left = old.max_hp - lost
    now = hit_points_left(old, lost, new)
    assert now <= new.max_hp
    assert (now > 0) == (left > 0), "who stands stands, who lies lies"
    assert now >= min(new.dies_at + 1, 0), "nobody dies of it"
    if lost == 0:
        assert now == new.max_hp
    if left > 0:
        assert hit_points_left(old, lost + 1, new) <= now or left == 1


MEANWHILE = st.lists(
    st.one_of(
        st.builds(DamageTaken, character=st.just(ROBIN), amount=st.integers(0, 70), dealt=st.just(0)),
        st.builds(
            PoolGained, holder=st.just(ROBIN), pool=st.sampled_from(["luck", "grit", "odd"]), amount=st.integers(0, 9)
        ),
        st.builds(
            StatChanged,
            character=st.just(ROBIN),
            stat=st.sampled_from(["str", "might", "odd"]),
            amount=st.integers(-9, 9),
        ),
        st.builds(ExperienceAwarded, character=st.just(ROBIN), amount=st.integers(0, 400)),
        st.builds(
            ConditionBegan, character=st.just(ROBIN), condition=st.sampled_from(["flat", "cursed", "dead", "prone"])
        ),
        st.builds(
            TraitGained, character=st.just(ROBIN), trait=st.sampled_from(["archer", "rogue"]), kind=st.just("role")
        ),
    ),
    max_size=8,
)


@given(MEANWHILE)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_there_and_back_is_the_same_sheet_whatever_came_before(before: list[Event]) -> None:
    campaign = fold(begun(), before)
    assert sheet(adopted(adopted(campaign, "low"), "high")) == sheet(campaign)


@given(MEANWHILE, MEANWHILE, st.lists(st.sampled_from(["high", "low"]), max_size=5))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_any_course_of_games_can_be_played(before: list[Event], between: list[Event], course: list[str]) -> None:
    campaign = fold(begun(), before)
    for key in course:
        if key != campaign.ruleset:
            campaign = fold(adopted(campaign, key), between)
    assert campaign.ruleset in ("high", "low")
    assert robin(campaign).experience >= 250
