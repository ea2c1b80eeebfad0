"""A spell takes a slot, a turn and what it is made of; its numbers are those of its caster."""

from __future__ import annotations

import pytest

from rollbook.adapters.wiring import open_book
from rollbook.application.lines.short_forms import ShortForms, written
from rollbook.application.lines.verb_line import split_words
from rollbook.plugin import events
from rollbook.rulesets.srd5.catalogue.kinds import Area
from rollbook.rulesets.srd5.character.joining import Join
from rollbook.rulesets.srd5.magic import spells
from rollbook.rulesets.srd5.magic.aims import reaches
from rollbook.rulesets.srd5.tasks.checks import Check
from rollbook.testing.scenarios import like, rule
from tests.support.srd5 import (
    cast,
    caster,
    condition,
    end_turn,
    fight,
    fighter,
    hp,
    monster,
    post,
    rolled,
    table,
    with_any_dice,
)

CHECK, HURT = events.CheckResolved, events.DamageTaken
SPENT = events.PoolGained


def scene(**more):
    settings = {key: more.pop(key) for key in ("edition",) if key in more}
    return table(caster(**more), post(), fighter(), **settings)


@rule("R5.218", "R5.219", "R5.10", "R5.327")
def test_dc_and_attack_follow_from_ability_and_proficiency() -> None:
    played = scene(level=5).when(cast("fireball", "post")).rolling(13, 1, 1, 1, 1, 1, 1, 1, 1)
    played.then(like(CHECK, target=15, success=False), like(HURT, amount=8, tags=("fire",)))
    missed = scene(level=5).when(cast("ray-of-frost", "post")).rolling(1, 1, 1)
    assert rolled(missed)[0] == "1d20 + 7[spell attack]"


@rule("R5.235", "R5.237")
def test_a_spell_takes_the_lowest_slot_that_fits_and_grows_with_a_higher_one() -> None:
    low = scene(level=5).when(cast("burning-hands", "post")).rolling(20, 3, 3, 3)
    low.then(like(SPENT, pool="slots spent:1", amount=1), like(HURT, amount=4))
    high = scene(level=5).when(cast("burning-hands", "post", slot=3)).rolling(1, 3, 3, 3, 3, 3)
    high.then(like(SPENT, pool="slots spent:3"), like(HURT, amount=15))
    scene(level=5).when(cast("fireball", "post", slot=2)).refused("slot of level 3 or higher")
    spent = scene(level=5).given(SPENT(holder="mira", pool="slots spent:3", amount=2))
    spent.when(cast("fireball", "post")).refused("no slot of level 3 left", "Slots left: 1, 2")


@rule("R5.236")
@pytest.mark.parametrize(("level", "dice"), [(1, "1d8"), (5, "2d8"), (11, "3d8"), (17, "4d8")])
def test_a_cantrip_takes_no_slot_and_grows_with_the_level(level, dice) -> None:
    played = scene(level=level).when(cast("ray-of-frost", "post")).rolling(19, *([1] * int(dice[0])))
    assert rolled(played)[1] == dice
    played.never(SPENT)


@rule("R5.236", "R5.237")
def test_beams_are_as_many_attacks_and_all_are_rolled_first() -> None:
    blast = scene(class_name="warlock", level=5).when(cast("eldritch-blast", "post", "kara")).rolling(19, 19, 4, 5)
    blast.then(like(HURT, character="post", amount=4), like(HURT, character="kara", amount=5))
    rays = scene(level=5).when(cast("scorching-ray", "post", slot=3)).rolling(2, 2, 2, 2)
    assert len(rolled(rays)) == 4


@rule("R5.230", "R5.487")
def test_pact_slots_are_all_of_one_level() -> None:
    scene(class_name="warlock", level=5).when(cast("hex", "post")).then(like(SPENT, pool="pact slots spent"))
    empty = scene(class_name="warlock", level=5).given(SPENT(holder="mira", pool="pact slots spent", amount=2))
    empty.when(cast("hex", "post")).refused("no slot of level 1 left", "none")


@rule("R5.229")
def test_levels_of_several_casting_classes_count_together_and_those_of_paladins_half() -> None:
    both = scene(level=3).given(
        events.TraitGained(character="mira", trait="paladin", kind="class"),
        events.StatChanged(character="mira", stat="levels_in_paladin", amount=3),
    )
    assert spells.table_of(both.character("mira")) == (4, 3, 2)
    assert spells.table_of(scene(class_name="paladin", level=2).character("mira")) == (2,)


@rule("R5.184", "R5.171", "R5.241")
def test_a_ritual_takes_no_slot_and_long_castings_take_the_action_of_each_turn() -> None:
    scene().when(cast("alarm", ritual=True)).never(SPENT)
    scene().when(cast("fireball", "post", ritual=True)).refused("no ritual")
    fought = fight(table(caster(), post()), "mira", "post").when(cast("alarm"))
    fought.then(like(events.ConditionBegan, condition="concentrating")).never(SPENT, events.PowerUsed)
    again = end_turn(end_turn(fought.go_on())).when(cast("alarm"))
    again.then(like(events.ConditionBegan, detail="casting Alarm, 8 turns more"))


@rule("R5.239")
def test_a_turn_has_one_slot_and_in_2014_a_cantrip_beside_a_bonus_action_spell() -> None:
    cleric = {"class_name": "cleric", "level": 5}
    fought = fight(table(caster(**cleric), post()), "mira", "post").when(cast("shield-of-faith", "mira")).go_on()
    fought.when(cast("bless", "mira")).refused("a turn has one")
    with_any_dice(fought, cast("sacred-flame", "post"), 1)
    old = fight(table(caster(**cleric), post(), edition="2014"), "mira", "post")
    old = old.when(cast("shield-of-faith", "mira")).go_on()
    old.when(cast("bless", "mira")).refused("only a cantrip")


@rule("R5.170", "R5.27", "R5.240")
def test_a_spell_takes_its_action_bonus_action_or_reaction() -> None:
    fought = fight(table(caster("cleric"), post(), fighter()), "post", "mira", "kara")
    fought.when(cast("bless", "kara")).refused("Post's turn")
    wizard = fight(table(caster(), post()), "post", "mira").when(cast("shield"))
    wizard.then(like(events.ConditionBegan, condition="reaction used"))
    assert wizard.sheet("mira").amount("ac") == 17


@rule("R5.234", "R5.106")
def test_nobody_casts_in_armour_without_training() -> None:
    scene(armour="plate").when(cast("shield")).refused("no training with the armour")


@rule("R5.243")
def test_the_silenced_and_those_without_a_hand_lack_a_component() -> None:
    scene().given(condition("mira", "silenced")).when(cast("shield")).refused("cannot speak")
    scene().given(condition("mira", "hands full")).when(cast("shield")).refused("no hand free")
    silent = with_any_dice(scene(class_name="cleric"), cast("silence", "mira"), 1).go_on()
    silent.when(cast("bless", "mira")).refused("cannot speak")


@rule("R5.244", "Q5.34")
def test_costly_material_must_be_there_and_is_spent_where_the_spell_says_so() -> None:
    priest = scene(class_name="cleric").given(condition("kara", "dead"))
    priest.when(cast("revivify", "kara")).refused("diamond worth 300 gp", "give mira")
    rich = priest.given(events.GearGained(character="mira", item="diamond", count=2))
    rich.when(cast("revivify", "kara")).then(
        like(events.GearLost, item="diamond"), like(events.ConditionEnded, condition="dead")
    )


@rule("R5.232", "R5.233", "R5.238")
def test_what_is_prepared_counts_where_it_is_on_record() -> None:
    scene(level=3).when(cast("cure-wounds", "kara")).refused("does not have Cure Wounds prepared")
    listed = scene(level=3).given(events.TraitGained(character="mira", trait="shield", kind="wizard prepared"))
    listed.when(cast("burning-hands", "post")).refused("does not have Burning Hands prepared")
    listed.when(cast("shield")).then(SPENT)
    allowed = cast("cure-wounds", "mira", allowed=("unprepared",))
    with_any_dice(scene(level=3), allowed, 1).then(SPENT)
    life = scene(class_name="cleric", level=3).given(
        events.TraitGained(character="mira", trait="bane", kind="prepared")
    )
    life.when(cast("bless", "kara")).then(SPENT)


@rule("R5.238")
def test_a_spell_that_does_not_exist_names_the_nearest() -> None:
    scene().when(cast("firebal1", "post")).refused("Fireball")
    with_any_dice(scene(), cast("firebal", "post"), 1).then(like(events.PowerUsed, power="fireball"))


@rule("R5.242", "R5.246", "R5.247", "R5.248")
def test_targets_are_within_range_not_behind_total_cover_and_as_many_as_the_spell_takes() -> None:
    far = table(caster(at=("0", "0")), post(at=("30", "0")))
    far.when(cast("ray-of-frost", "post")).refused("150 feet away", "reaches 60")
    scene().when(cast("ray-of-frost", "post", cover="total")).refused("total cover")
    scene().when(cast("ray-of-frost", "post", "kara")).refused("takes one target")
    scene().when(cast("ray-of-frost")).refused("needs a target")
    undead = table(caster(), monster("Skeleton"))
    undead.when(cast("hold-person", "skeleton")).then(SPENT).never(CHECK)


@rule("R5.308")
def test_a_stat_block_casts_at_will_or_so_often_a_day_with_its_own_numbers() -> None:
    mage = table(Join(name="Mira", kind="monster", block="mage"), post())
    burning = cast("fireball", "post")
    first = with_any_dice(mage, burning, 1)
    first.then(like(SPENT, pool="used:fireball"), like(CHECK, target=14))
    second = with_any_dice(first.go_on(), burning, 1).go_on()
    second.when(burning).refused("as often as a day allows")


@rule("R5.236", "R5.249")
def test_a_scroll_is_used_up_and_brings_its_own_dc() -> None:
    held = events.GearGained(character="mira", item="Spell Scroll (Fireball)")
    scene(level=1).when(cast("fireball", "post", scroll=True)).refused("has no scroll")
    read = with_any_dice(scene(level=1).given(held), cast("fireball", "post", scroll=True), 10)
    read.then(like(events.GearLost, item="Spell Scroll (Fireball)"), like(CHECK, target=13), like(CHECK, target=15))
    failed = with_any_dice(scene(level=1).given(held), cast("fireball", "post", scroll=True), 1)
    failed.then(events.GearLost).never(HURT)


@rule("R5.88")
def test_healing_spells_have_the_dice_of_their_edition() -> None:
    hurt = events.DamageTaken(character="kara", amount=10, dealt=10)
    new = scene(class_name="cleric", level=1).given(hurt).when(cast("healing-word", "kara")).rolling(1, 1)
    assert hp(new, "kara") == 8
    old = scene(class_name="cleric", level=1, edition="2014").given(hurt).when(cast("healing-word", "kara")).rolling(1)
    assert hp(old, "kara") == 7


@rule("R5.51")
def test_areas_catch_those_on_their_squares() -> None:
    sphere, cone = Area(shape="sphere", feet=20), Area(shape="cone", feet=15)
    assert reaches(sphere, (0, 0, 0), (5, 0, 0), (9, 4, 0), 0)
    assert not reaches(sphere, (0, 0, 0), (5, 0, 0), (10, 0, 0), 0)
    assert reaches(cone, (0, 0, 0), (3, 0, 0), (3, 1, 0), 0)
    assert not reaches(cone, (0, 0, 0), (3, 0, 0), (1, 1, 0), 0)
    line = Area(shape="line", feet=60, width=5)
    assert reaches(line, (0, 0, 0), (3, 3, 0), (6, 6, 0), 0)
    assert not reaches(line, (0, 0, 0), (3, 3, 0), (6, 5, 0), 0)
    placed = table(caster(at=("0", "0")), post(at=("8", "0")), fighter(at=("20", "0")))
    played = with_any_dice(placed, cast("fireball", at=("9", "0")), 1)
    assert [event.character for event in played.events(HURT)] == ["post"]


@rule("R5.170")
@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("ca fireb og", "cast mira fireball --target ogre"),
        ("ca sleep og", "cast mira sleep --target ogre"),
        ("ca light", "cast mira light"),
    ],
)
def test_a_spell_at_one_target_takes_twelve_keys_at_the_prompt(tmp_path, line, meant) -> None:
    with open_book(tmp_path / "rollbook.db", tmp_path / "seeds", create=True) as book:
        campaign = book.new("The Ford", "srd5", {})
        for said in (
            "take-seat Ana --role gm",
            "open-session One",
            "join Mira --class-name sorcerer --level 9 --scores 8,14,14,10,12,18",
            "join Ogre",
            "begin-encounter mira,ogre ! 20 3",
        ):
            campaign.say(said)
        assert written(ShortForms().expand(campaign, split_words(line))) == meant
        assert len(line) + 1 <= 12
        hit = campaign.say("cast mira fire bolt ogre ! 19 3 3")
        assert "Ogre" in hit.text


@rule("R5.182")
def test_a_readied_spell_is_spent_at_once_and_let_go_by_the_reaction() -> None:
    ready = fight(scene(), "mira", "post").when(cast("fireball", "post", ready=True))
    ready.then(like(SPENT, pool="slots spent:3"), like(events.ConditionBegan, detail="Fireball, readied")).never(HURT)
    other = end_turn(ready.go_on())
    let_go = with_any_dice(other, cast("fireball", "post"), 1)
    let_go.then(like(events.ConditionBegan, condition="reaction used"), HURT).never(SPENT)


@rule("R5.117")
def test_the_charmed_cast_nothing_harmful_at_who_charmed_them() -> None:
    charmed = scene().given(condition("mira", "charmed", source="post"))
    charmed.when(cast("ray-of-frost", "post")).refused("charmed")


@rule("R5.218", "R5.219", "R5.235")
def test_the_sheet_shows_dc_attack_and_the_slots_that_are_left() -> None:
    shown = scene(level=5).given(SPENT(holder="mira", pool="slots spent:3", amount=1)).sheet("mira")
    assert (shown.amount("spell_dc"), shown.amount("spell_attack")) == (15, 7)
    assert [shown.amount(f"slots_{level}") for level in (1, 2, 3)] == [4, 3, 1]


@rule("R5.250")
def test_a_spell_that_goes_on_is_recognised_by_arcana_against_fifteen() -> None:
    known = scene().given(cast("mage-armor", "mira"))
    known.when(Check(who="mira", skill="arcana", dc="15")).rolling(11).then(like(CHECK, target=15, success=True))


@rule("R5.230")
def test_pact_slots_cast_what_other_classes_know_and_the_other_way_round() -> None:
    both = scene(class_name="cleric", level=1).given(
        events.TraitGained(character="mira", trait="warlock", kind="class"),
        events.StatChanged(character="mira", stat="levels_in_warlock", amount=3),
        SPENT(holder="mira", pool="slots spent:1", amount=2),
    )
    both.when(cast("bless", "kara")).then(like(SPENT, pool="pact slots spent"))
    full = scene(class_name="cleric", level=1).given(
        events.TraitGained(character="mira", trait="warlock", kind="class"),
        events.StatChanged(character="mira", stat="levels_in_warlock", amount=3),
    )
    full.when(cast("hex", "post")).then(like(SPENT, pool="slots spent:1"))
    full.when(cast("hex", "post", slot=2)).then(like(SPENT, pool="pact slots spent"))
    with_any_dice(full, cast("burning-hands", "post", slot=2, allowed=("unprepared",)), 1).then(
        like(SPENT, pool="pact slots spent")
    )


@rule("R5.235")
def test_a_slot_that_a_feature_makes_is_one_spent_less() -> None:
    made = scene(level=1).given(events.PoolSpent(holder="mira", pool="slots spent:1", amount=1))
    assert spells.left(made.character("mira"), 1) == 3
