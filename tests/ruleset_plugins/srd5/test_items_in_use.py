"""Things in use: what is drunk, thrown or spread, and magic items with charges, spells and curses."""

from __future__ import annotations

import pytest

from rollbook.domain.actions.time_and_experience import PassTime
from rollbook.plugin import NotFound, events, slug
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.fight.encounter import EndTurn
from rollbook.rulesets.srd5.growth.rests import Attune
from rollbook.rulesets.srd5.growth.using import Use
from rollbook.rulesets.srd5.magic.casting import Cast
from rollbook.rulesets.srd5.time.perils import Peril
from rollbook.testing.scenarios import Scenario, like, rule, with_dice
from tests.support.srd5 import again, cast, caster, condition, fight, fighter, hp, monster, post, swing, table

HURT, HEALED, LOST, CHECK = events.DamageTaken, events.HitPointsRestored, events.GearLost, events.CheckResolved
SPENT, BEGAN = events.TurnSpent, events.ConditionBegan


def holding(*items: str, who: str = "kara") -> Scenario:
    """Kara with these things, attuned to them, hurt by 6, and the post."""
    given = [events.GearGained(character=who, item=item) for item in items]
    attuned = [events.TraitGained(character=who, trait=item, kind="attuned") for item in items]
    return table().given(*given, *attuned, events.DamageTaken(character="kara", amount=6, dealt=6))


def use(thing: str, *targets: str, **more: object) -> Use:
    """A thing that Kara uses."""
    return Use(who="kara", feature=thing, targets=targets, **more)  # type: ignore[arg-type]


@rule("R5.530", "R5.275")
def test_a_potion_takes_a_bonus_action_and_is_used_up() -> None:
    scene = fight(holding("Potion of Healing"))
    drunk = scene.when(use("Potion of Healing")).rolling(2, 2)
    drunk.then(like(SPENT, what="bonus action"), like(HEALED, amount=6), like(LOST, item="Potion of Healing"))
    with pytest.raises(NotFound, match="Potion of Healing"):
        drunk.go_on().when(use("Potion of Healing")).then()


@rule("R5.530")
def test_a_potion_is_given_to_another_and_what_lasts_lies_on_them() -> None:
    scene = holding("Potion of Flying", "Potion of Giant Strength (hill)")
    given = scene.given(use("potion of flying", "post"), use("giant strength"))
    assert given.before.characters["post"].has("potion of flying")
    assert given.sheet("kara").amount("str") == 21


@rule("R5.530", "R5.538")
def test_a_potion_that_holds_a_spell_needs_no_concentration_where_it_says_so() -> None:
    kara = holding("Potion of Speed").given(use("Potion of Speed")).before.characters["kara"]
    assert kara.has("haste") and not kara.has("concentrating")


@rule("R5.275", "R5.82", "Q5.54")
@pytest.mark.parametrize(("thing", "amount", "kind"), [("Acid", 7, "acid"), ("Alchemist's Fire", 3, "fire")])
def test_what_is_thrown_takes_an_attack_and_a_save(thing: str, amount: int, kind: str) -> None:
    scene = fight(holding(thing))
    dice = (3, 4) if amount == 7 else (3,)
    thrown = again(scene).when(use(thing, "post")).rolling(2, *dice)
    thrown.then(like(SPENT, what="attack"), like(CHECK, target=12), like(HURT, amount=amount, tags=(kind,)), LOST)
    scene.when(use(thing, "post")).rolling(20).then(like(CHECK, success=True), LOST).never(HURT)


@rule("R5.275", "Q5.54")
def test_a_net_holds_whom_it_catches_unless_they_are_huge() -> None:
    holding("Net").when(use("Net", "post")).rolling(2).then(like(BEGAN, condition="restrained")).never(LOST)
    giant = table(fighter(), monster("Treant")).given(events.GearGained(character="kara", item="Net"))
    giant.when(use("Net", "treant")).never(BEGAN)


@rule("R5.275")
def test_oil_is_thrown_or_poured() -> None:
    holding("Oil").when(use("Oil", "post")).refused("throw", "pour")
    holding("Oil").when(use("Oil", "post", chosen=("throw",))).rolling(2).then(CHECK, LOST)


@rule("R5.275")
def test_what_is_thrown_goes_only_so_far() -> None:
    far = table(fighter(at=("0", "0")), post(at=("9", "0"))).given(events.GearGained(character="kara", item="Acid"))
    far.when(use("Acid", "post")).refused("20 feet")


@rule("R5.538", "R5.539")
def test_a_wand_casts_by_its_charges_at_its_own_numbers() -> None:
    scene = holding("Wand of Fireballs")
    burning = again(scene).when(cast("fireball", "post", caster="kara", slot=5)).rolling(2, *[1] * 10)
    burning.then(like(events.PoolGained, pool="charges spent:wand-of-fireballs", amount=3), like(CHECK, target=15))
    burning.never(like(events.PoolGained, pool="slots spent:5"))
    later = burning.go_on().when(PassTime(amount=1, unit="days")).rolling(4)
    later.then(like(events.PoolSpent, pool="charges spent:wand-of-fireballs", amount=3))
    empty = scene.given(events.PoolGained(holder="kara", pool="charges spent:wand-of-fireballs", amount=7))
    empty.when(cast("fireball", "post", caster="kara")).refused("0 charges left")


@rule("R5.538")
def test_a_spell_of_ones_own_goes_before_that_of_an_item_which_needs_no_components() -> None:
    wand = events.GearGained(character="mira", item="Wand of Magic Missiles")
    scene = table(caster(), post()).given(wand)
    own = again(scene).when(cast("magic-missile", "post")).rolling(1, 1, 1)
    own.then(like(events.PoolGained, pool="slots spent:1"))
    mute = holding("Wand of Magic Missiles").given(condition("kara", "silenced"))
    mute.when(cast("magic-missile", "post", caster="kara")).rolling(1, 1, 1).then(HURT)


@rule("R5.536")
def test_the_power_of_an_item_takes_an_action() -> None:
    scene = fight(holding("Wand of Secrets"))
    scene.when(use("search")).then(like(SPENT, what="action"))


@rule("R5.532", "R5.236")
def test_a_scroll_above_ones_level_takes_a_check_and_is_gone_either_way() -> None:
    scroll = events.GearGained(character="mira", item="Spell Scroll (Fireball)")
    scene = table(caster(level=1), post()).given(scroll)
    scene.when(cast("fireball", "post", scroll=True)).rolling(1).then(LOST, like(CHECK, target=13)).never(HURT)


@rule("R5.531")
def test_two_potions_that_are_mixed_may_burst() -> None:
    mixed = table().when(Peril(hazard="Potion Miscibility", targets=("kara",))).rolling(1, 1, 1, 1, 1)
    mixed.then(like(HURT, amount=4, tags=("force",)))
    table().when(Peril(hazard="Potion Miscibility", targets=("kara",))).rolling(50).never(HURT)


@rule("R5.534")
@pytest.mark.parametrize(
    ("class_name", "item", "fits"),
    [
        ("fighter", "Staff of Fire", False),
        ("wizard", "Staff of Fire", True),
        ("fighter", "Wand of Fireballs", False),
        ("cleric", "Wand of Fireballs", True),
    ],
)
def test_some_items_are_for_a_class_or_for_casters(class_name: str, item: str, fits: bool) -> None:
    scene = table(fighter(class_name=class_name)).given(events.GearGained(character="kara", item=item))
    attuned = scene.when(Attune(who="kara", item=item))
    attuned.then(events.TraitGained) if fits else attuned.refused("is for:")


@rule("R5.540", "R5.125")
def test_a_cursed_item_is_let_go_of_once_the_curse_is_broken() -> None:
    armour = events.GearGained(character="kara", item="Demon Armor")
    scene = table(fighter(), caster("cleric")).given(armour, Attune(who="kara", item="Demon Armor"))
    again(scene).when(Attune(who="kara", item="Demon Armor", ends=True)).refused("cursed")
    freed = scene.given(cast("remove-curse", "kara"))
    assert not freed.before.characters["kara"].traits_of("attuned")
    assert hp(freed, "kara") == 12


@rule("R5.275")
def test_a_turn_has_one_bonus_action_for_a_potion() -> None:
    scene = fight(holding("Potion of Healing", "Potion of Flying"))
    once = scene.given(with_dice(use("Potion of Healing"), 2, 2))
    once.when(use("Potion of Flying")).refused("bonus action")
    once.given(EndTurn(), EndTurn()).when(use("Potion of Flying")).then(BEGAN, LOST)


DICE_OF_CHARGES = ("necklace of fireballs", "luck blade", "dust of dryness", "sovereign glue", "universal solvent")


@rule("R5.538")
def test_charges_that_dice_say_are_rolled_once_when_the_first_is_spent() -> None:
    scene = holding("Necklace of Fireballs")
    thrown = scene.when(fireball()).rolling(1, 15, *(1,) * 8)
    thrown.then(like(events.PoolGained, pool="charges found:necklace-of-fireballs", amount=4), HURT)
    scene = thrown.go_on()
    for _ in range(3):
        scene = scene.when(fireball()).rolling(15, *(1,) * 8).go_on()
    scene.when(fireball()).refused("The Necklace of Fireballs has 0 charges left.")


def fireball() -> Cast:
    """A bead of the necklace thrown at the post."""
    return Cast(caster="kara", spell="fireball", targets=("post",))


@rule("R5.538")
def test_all_items_whose_charges_are_dice_spend_them() -> None:
    with_dice_of_charges = [row for row in catalogue.magic_items().values() if "d" in row.charges]
    assert {row.key for row in with_dice_of_charges} >= {slug(each) for each in DICE_OF_CHARGES}
    for row in catalogue.magic_items().values():
        spent = [each.charges for each in row.spells] + [each.spends.get("charges", 0) for each in row.powers]
        assert not row.charges or any(spent), row.key


@rule("R5.538")
@pytest.mark.parametrize("thing", ["Sovereign Glue", "Universal Solvent"])
def test_an_ounce_is_spent_by_each_use(thing: str) -> None:
    scene = holding(thing).when(use(thing)).rolling(1).go_on()
    scene.when(use(thing)).rolling().go_on().when(use(thing)).refused("0 charges left")


def nine_lives(**target: int) -> Scenario:
    """Kara, attuned to a longsword that steals lives, and the post."""
    sword = events.GearGained(character="kara", item="Nine Lives", use=("weapon", "longsword", "nine-lives-stealer"))
    attuned = events.TraitGained(character="kara", trait="Nine Lives", kind="attuned")
    return table(fighter(), post(**target)).given(sword, attuned)


@rule("R5.538")
def test_a_sword_that_steals_lives_loses_a_charge_with_each() -> None:
    struck = nine_lives().when(swing(weapon="nine lives")).rolling(20, 1, 1, 1, 1)
    found, spent = (f"charges {what}:nine-lives-stealer" for what in ("found", "spent"))
    struck.then(like(events.PoolGained, pool=found, amount=2), CHECK, BEGAN, like(events.PoolGained, pool=spent))
    saved = nine_lives().when(swing(weapon="nine lives")).rolling(20, 1, 1, 1, 20)
    saved.then(like(events.PoolGained, pool=found)).never(BEGAN)
    nine_lives(hp=200).when(swing(weapon="nine lives")).rolling(20, 1, 1).never(BEGAN)
    spent_up = [events.PoolGained(holder="kara", pool=pool, amount=2) for pool in (found, spent)]
    nine_lives().given(*spent_up).when(swing(weapon="nine lives")).rolling(20, 1, 1).never(BEGAN)
