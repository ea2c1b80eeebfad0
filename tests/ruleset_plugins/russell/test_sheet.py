"""The sheet derives from any state, and every number is the sum of its terms."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rollbook.domain.state.campaign_state import CampaignState, Character, Condition, Gear, OpenChoice
from rollbook.domain.state.fold import fold
from rollbook.plugin import CharacterKind, events
from rollbook.rulesets.russell import RULESET
from rollbook.rulesets.russell.character.creation import Join
from rollbook.rulesets.russell.delve.lighting import Light, Place
from rollbook.rulesets.russell.fight.hit_points import Harm
from rollbook.rulesets.russell.sheet import sheet
from rollbook.testing.scenarios import rule, scenario

NUMBERS = st.integers(min_value=-(10**6), max_value=10**6)
STATS = st.sampled_from(
    (
        *("str", "con", "dex", "int", "wis", "cha", "movement", "weapon_skill", "shooting_skill", "attacks"),
        *("hit_dice", "armour_class", "initiative", "save", "morale", "rolled_hp", "con_hp", "max_hp", "damage"),
        *("rank:stealth", "nonsense", "to_hit"),
    )
)
TRAITS = st.sampled_from(("sellsword A", "sellsword Z", "delver B", "wizard A", "stealth", "D", "", "dim sight"))
FIELDS = st.sampled_from(("class", "hp", "ws", "alight", "lit", "shared", "round", "range_to", "busy", "odd"))
TRAIT_KINDS = st.sampled_from(("template", "primary", "skill", "role", "group", "", "hireling", "reaction"))
USES = st.sampled_from(
    (
        "",
        "weapon",
        "weapon:",
        "weapon:melee:2d6",
        "weapon:plasma",
        "armour:plate",
        "armour:x",
        "shield",
        "large:99",
        ":::",
    )
).map(lambda text: tuple(text.split(":")))
ITEMS = st.sampled_from(("sword", "torch", "silver", "lantern", "plate", "a gem", "", "ration"))
CONDITIONS = st.sampled_from(
    (
        "wounded",
        "dead",
        "pressing",
        "defending",
        "wearied",
        "in the dark",
        "burning torch",
        "owed a free attack on x",
        "odd",
    )
)
POOLS = st.sampled_from(("tired", "marks:stealth", "burnt:lantern", "usage:oil", "odd", "bleeding"))


def anybody() -> st.SearchStrategy[Character]:
    gear = st.dictionaries(ITEMS, st.builds(Gear, count=st.integers(-3, 5_000), use=USES), max_size=5)
    data = st.dictionaries(FIELDS, st.one_of(st.booleans(), NUMBERS, ITEMS, st.tuples(ITEMS)), max_size=4)
    conditions = st.lists(st.tuples(CONDITIONS, st.text(max_size=5), data), max_size=4).map(
        lambda found: {name: Condition(name=name, since=0, detail=detail, data=of) for name, detail, of in found}
    )
    return st.builds(
        Character,
        id=st.just("x"),
        name=st.just("X"),
        kind=st.sampled_from(CharacterKind),
        lost=NUMBERS,
        experience=NUMBERS,
        level=st.integers(-5, 2_000),
        stats=st.dictionaries(STATS, NUMBERS, max_size=8),
        traits=st.dictionaries(TRAITS, TRAIT_KINDS, max_size=5),
        trait_data=st.dictionaries(TRAITS, data, max_size=2),
        gear=gear,
        pools=st.dictionaries(POOLS, NUMBERS, max_size=4),
        conditions=conditions,
        chosen=st.dictionaries(st.just("primary-class"), st.sampled_from(("delver", "wizard")), max_size=1),
        choices=st.dictionaries(
            st.just("template-1"), st.just(OpenChoice(options=(events.Option(key="delver A"),))), max_size=1
        ),
    )


@given(who=anybody())
def test_any_state_has_a_sheet_whose_terms_add_up(who: Character) -> None:
    for value in sheet(who, CampaignState()).values:
        if value.terms:
            assert value.amount == sum(term.amount for term in value.terms), value


@given(
    recorded=st.lists(st.builds(events.StatChanged, character=st.just("rat"), stat=STATS, amount=NUMBERS), max_size=6)
)
def test_a_sheet_derives_whatever_is_recorded(recorded: list[events.Event]) -> None:
    game = scenario(RULESET).given(Join(name="Rat", kind="monster", hp=3))
    assert sheet(fold(game.before, recorded).characters["rat"], game.before).amount("max_hp") >= 1


@rule("R3.84", "R3.77", "R3.3")
def test_every_number_says_where_it_comes_from(dungeon) -> None:
    found = dungeon().sheet("aldo")
    assert [(term.amount, term.label, term.rule) for term in found.value("ac").terms] == [
        (5, "chain", "R3.84"),
        (-1, "shield", "R3.84"),
    ]
    assert [(term.amount, term.label) for term in found.value("to_hit").terms] == [(1, "level"), (1, "Drilled")]
    assert str(found.value("damage")) == "1d6 + 2"
    assert str(found.value("hp")) == "6 of 6"


def test_what_the_journey_knows_stands_on_the_sheet_too(dungeon) -> None:
    dark = dungeon().given(
        events.GearGained(character="cora", item="torch", count=2),
        events.GearGained(character="cora", item="silver", count=30),
        Place(light="dark"),
        Light(who="cora", item="torch"),
    )
    found = dark.sheet("cora")
    assert [found.amount(key) for key in ("slots_used", "slots", "tired", "silver")] == [1, 10, 0, 30]
    assert "torch" in str(dict(found.words))
    assert "wounded" in dict(dungeon().when(Harm(who="cora", amount="9")).rolling(6).sheet("cora").words)["Status"]


def test_open_choices_and_conditions_are_told(dungeon) -> None:
    words = dict(
        dungeon()
        .given(events.ConditionBegan(character="cora", condition="in downtime", detail="busy"))
        .sheet("cora")
        .words
    )
    assert (
        words["Open choices"]
        == "template-1: sellsword A (Drilled), delver A (Jack of Trades), hedge-mage A (Three Charms)"
    )
    assert words["Conditions"] == "in downtime (busy)"
