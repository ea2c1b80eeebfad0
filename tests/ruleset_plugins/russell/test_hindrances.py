"""Load, weariness and darkness bear on the rolls of every verb, and the sheet can tell of any state."""

from __future__ import annotations

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollbook.plugin import CharacterKind, Condition, Gear, events
from rollbook.rulesets.russell import RULESET
from rollbook.rulesets.russell.character.creation import Join
from rollbook.rulesets.russell.character.skills import Check
from rollbook.rulesets.russell.delve.exploration import Explore
from rollbook.rulesets.russell.delve.fire import Smother
from rollbook.rulesets.russell.delve.lighting import Light, Place
from rollbook.rulesets.russell.fight.attack import Attack
from rollbook.rulesets.russell.fight.encounter import BeginEncounter, EndEncounter
from rollbook.rulesets.russell.fight.rolls import Save
from rollbook.rulesets.russell.settings import Settings
from rollbook.rulesets.russell.sheet import values, words
from rollbook.testing.scenarios import like, rule, with_dice
from tests.support.russell import TURN, has_gear, in_condition, party

DARKNESS = Place(light="dark")
STRIKE = Attack(attacker="ida", target="goblin", weapon="melee")
SNEAK = Check(who="bram", skill="stealth")


@rule("R3.62", "R3.94")
def test_blows_in_the_dark_have_double_disadvantage() -> None:
    party().given(DARKNESS).when(STRIKE).rolling(19, 16).then(
        like(events.DiceRolled, purpose="to hit", total=16 + 1 + 6 - 4), like(events.CheckResolved, success=False)
    )


@rule("R3.62")
def test_skills_are_not_even_tried_in_the_dark() -> None:
    party().given(DARKNESS).when(SNEAK).refused("Bram is in the dark, where no skill can be tried")


@rule("R3.63")
def test_a_hireling_does_nothing_in_the_dark_without_morale_but_strike_a_light() -> None:
    game = party().given(DARKNESS, in_condition("goblin", "on fire"), has_gear("wat", "torch"))
    game.when(Smother(who="wat", burning="goblin")).refused("Wat is in the dark and loses their head")
    game.when(Light(who="wat", item="torch")).then(
        like(events.ConditionEnded, character="wat", condition="in the dark")
    )


@rule("R3.64", "Q3.38")
@pytest.mark.parametrize(("setting", "dice", "total"), [("advantage", (3, 18), 3), ("net", (3, 8), 8)])
def test_listening_in_the_dark(setting, dice, total) -> None:
    game = party(dark_listen=setting).given(DARKNESS, Explore())
    game.when(Save(who="ida", attribute="wis", listen=True)).rolling(*dice).then(
        like(events.CheckResolved, total=total, success=True)
    )


@rule("R3.38", "Q3.38")
def test_weariness_still_counts_against_a_listener() -> None:
    game = party().given(DARKNESS, Explore(), in_condition("ida", "wearied"))
    game.when(Save(who="ida", attribute="wis", listen=True)).rolling(10).then(like(events.CheckResolved, total=10))


@rule("R3.65", "R3.66")
def test_blows_in_dim_light_have_disadvantage() -> None:
    party().given(Place(light="dim")).when(STRIKE).rolling(19, 12).then(
        like(events.DiceRolled, purpose="to hit", total=12 + 1 + 6)
    )


@rule("R3.65", "Q3.39")
def test_stealth_in_dim_light_has_advantage() -> None:
    party().given(Place(light="dim")).when(SNEAK).rolling(2, 6).then(like(events.CheckResolved, total=6, success=True))


@rule("R3.65", "Q3.57", "R3.94", "Q3.52")
def test_wearied_and_in_dim_light_is_double() -> None:
    search = Check(who="bram", skill="searching")
    game = party().given(Place(light="dim"), in_condition("bram", "wearied"))
    game.when(search).rolling(6, 6).then(like(events.CheckResolved, total=2, success=False))


@rule("R3.36")
def test_the_overloaded_sneak_badly() -> None:
    party().given(has_gear("bram", "rope", 10)).when(SNEAK).rolling(6, 2).then(
        like(events.CheckResolved, total=2, success=False)
    )


@rule("R3.52", "Q3.54")
@pytest.mark.parametrize(("setting", "dice"), [(True, (2,)), (False, ())])
def test_a_fight_in_a_dangerous_place_was_a_turn_with_its_die(setting, dice) -> None:
    game = party(exploration_roll_after_combat=setting).given(Place(light="lit", dangerous=True))
    fight = game.given(with_dice(BeginEncounter(participants=("ida", "goblin")), 5, 1))
    over = fight.when(EndEncounter()).rolling(*dice).then(events.TimePassed(seconds=TURN))
    assert len(over.events(events.DiceRolled)) == len(dice)


@rule("Q3.54")
def test_a_fight_in_a_safe_place_has_no_die() -> None:
    fight = party().given(with_dice(BeginEncounter(participants=("ida", "goblin")), 5, 1))
    fight.when(EndEncounter()).never(events.DiceRolled)


@rule("R3.62")
def test_a_newcomer_stands_where_the_party_does() -> None:
    joined = party().given(DARKNESS).when(Join(name="Nell", kind="hireling", hp=4))
    assert joined.character("nell").has("in the dark")
    assert not party().when(Join(name="Nell", kind="hireling", hp=4)).character("nell").conditions


def test_every_verb_is_a_word_and_says_what_it_does() -> None:
    verbs = [action.verb for action in RULESET.actions]
    assert len(set(verbs)) == len(verbs) == 60
    assert all((action.__doc__ or "").strip().endswith((".", ")", ").")) for action in RULESET.actions)


ODD_NAMES = st.sampled_from(
    [
        "torch",
        "lantern",
        "waterskin",
        "gold",
        "carrying a burning torch",
        "apart",
        "in the dark",
        "wearied",
        "on fire",
        "¾",
        "",
        ":",
    ]
)
ODD_NUMBERS = st.integers(-(10**12), 10**12)


@given(
    kind=st.sampled_from(tuple(CharacterKind)),
    stats=st.dictionaries(st.sampled_from(["str", "cha", "movement", "morale", "hit_dice"]), ODD_NUMBERS),
    pools=st.dictionaries(
        st.sampled_from(["tired", "burnt:lantern", "used up:waterskin", "ongoing:spell", "ongoing:"]), ODD_NUMBERS
    ),
    gear=st.dictionaries(
        ODD_NAMES,
        st.builds(
            Gear,
            count=st.integers(-(10**6), 10**6),
            use=st.sampled_from(
                ["", "light:lantern", "usage:d20", "usage:²", "treasure:999999999999999", "large:0", "::"]
            ).map(lambda text: tuple(text.split(":"))),
        ),
    ),
    conditions=st.lists(ODD_NAMES),
    traits=st.dictionaries(ODD_NAMES, st.sampled_from(["hireling", "employer", "pay", "reaction", "dim sight", ""])),
)
def test_the_sheet_of_any_state_can_be_written_and_its_terms_add_up(
    kind, stats, pools, gear, conditions, traits
) -> None:
    who = attrs.evolve(
        party().character("ida"),
        kind=kind,
        stats=stats,
        pools=pools,
        gear=gear,
        conditions={
            name: Condition(name=name, since=0, detail="no such shade", data={"alight": name, "shade": "odd"})
            for name in conditions
        },
        traits=traits,
        sealed=False,
    )
    for settings in (Settings(), Settings(rounding="ceil", coin_ratio=1)):
        for value in values(who, settings):
            assert value.amount == sum(term.amount for term in value.terms), value
        assert all(isinstance(text, str) for line in words(who, settings) for text in line)
