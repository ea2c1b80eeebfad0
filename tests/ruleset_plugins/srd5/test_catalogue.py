"""Every entry of the catalogue is read into its types, agrees with the schema beside it, and refers to what is there.

What is unknown or of another type is refused with the place and the name.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError

from rollbook.kit import catalogues, data, sides, squares
from rollbook.plugin import RulesetBroken, slug
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.catalogue import Effect, kinds
from rollbook.rulesets.srd5.character import abilities, classes, features
from rollbook.rulesets.srd5.fight import actions, damage, dying, places
from rollbook.rulesets.srd5.growth.uses import by_level
from rollbook.rulesets.srd5.magic import spells
from rollbook.rulesets.srd5.monsters import stat_blocks, uses
from rollbook.rulesets.srd5.sheet import KINDS
from tests.support import srd5_schema as schema
from tests.support import srd5_vocabulary as vocabulary
from tests.support.srd5 import fighter, table
from tests.support.srd5_text import effects_of, raw

FILES = [
    ("spells.json", kinds.Spell, 339),
    ("monsters.json", kinds.Monster, 330),
    ("equipment.json", kinds.Item, 247),
    ("masteries.json", kinds.Mastery, 8),
    ("magic_items.json", kinds.MagicItem, 341),
    ("classes.json", kinds.CharacterClass, 12),
    ("species.json", kinds.Species, 9),
    ("backgrounds.json", kinds.Background, 4),
    ("feats.json", kinds.Feat, 17),
    ("advancement.json", kinds.Advancement, 20),
    ("creation.json", kinds.Creation, 1),
    ("challenges.json", kinds.Challenge, 34),
    ("rarities.json", kinds.Rarity, 6),
    ("scrolls.json", kinds.ScrollLevel, 10),
    ("hazards.json", kinds.Hazard, 40),
]


@pytest.mark.parametrize(("file", "kind", "count"), FILES)
def test_every_entry_is_read(file: str, kind: type[Any], count: int) -> None:
    entries = (
        getattr(catalogue, file.removesuffix(".json"))()
        if file != "creation.json"
        else {"creation": catalogue.creation()}
    )
    assert len(entries) == count
    assert [entry["key"] for entry in raw(file)] == list(entries)


TABLES = (kinds.Advancement, kinds.Creation, kinds.Challenge, kinds.Rarity, kinds.ScrollLevel)


@pytest.mark.parametrize("file", [file for file, kind, _ in FILES if kind not in TABLES])
def test_entries_are_in_the_order_of_their_keys(file: str) -> None:
    keys = [entry["key"] for entry in raw(file)]
    assert keys == sorted(keys)


def test_the_files_are_read_once() -> None:
    assert catalogue.spells() is catalogue.spells()
    assert catalogue.monsters() is catalogue.monsters()
    assert catalogue.equipment() is catalogue.equipment()
    assert catalogue.masteries() is catalogue.masteries()
    assert catalogue.magic_items() is catalogue.magic_items()
    assert catalogue.classes() is catalogue.classes()
    assert catalogue.species() is catalogue.species()
    assert catalogue.backgrounds() is catalogue.backgrounds()
    assert catalogue.feats() is catalogue.feats()
    assert catalogue.advancement() is catalogue.advancement()
    assert catalogue.creation() is catalogue.creation()
    assert catalogue.challenges() is catalogue.challenges()
    assert catalogue.rarities() is catalogue.rarities()
    assert catalogue.scrolls() is catalogue.scrolls()
    assert catalogue.hazards() is catalogue.hazards()


@pytest.mark.parametrize("name", schema.FILES)
def test_every_entry_agrees_with_the_schema(name: str) -> None:
    written = json.loads((schema.DATA / f"{name}.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(written)
    entries = raw(f"{name}.json")
    assert entries
    assert [fault.json_path for fault in Draft202012Validator(written).iter_errors(entries)] == []


AGAIN = "write it again: python -m tests.support.srd5_schema"


@pytest.mark.parametrize("name", schema.FILES)
def test_the_schema_is_that_of_the_types(name: str) -> None:
    assert (schema.DATA / f"{name}.schema.json").read_text(encoding="utf-8") == schema.text(schema.FILES[name]), AGAIN


def test_the_stub_is_that_of_the_types() -> None:
    assert schema.STUB.read_text(encoding="utf-8") == schema.stub(), AGAIN


def test_every_kind_of_effect_is_used() -> None:
    used = {effect["kind"] for file, _, _ in FILES for effect in effects_of(raw(file))}
    used -= {entry["kind"] for entry in raw("monsters.json")} - Effect.KINDS.keys()
    assert used == Effect.KINDS.keys()


def test_every_list_of_words_belongs_to_a_field() -> None:
    names = {name for kind in (*Effect.KINDS.values(), *_parts()) for name in schema.hints(kind)}
    assert {field.rpartition(".")[2] for field in vocabulary.words()} <= names


def _parts() -> list[type[Any]]:
    return [kind for kind in vars(kinds).values() if isinstance(kind, type) and hasattr(kind, "__attrs_attrs__")]


# References.


def test_every_spell_that_is_named_is_in_the_catalogue() -> None:
    names = {spell.name for spell in catalogue.spells().values()}
    named: set[str] = set()
    for effect in effects_of([*raw("spells.json"), *raw("monsters.json")]):
        if effect["kind"] == "spellcasting":
            lists = [effect.get("at_will", []), *effect.get("per_day", {}).values()]
            named |= {cast["spell"] for each in lists for cast in each}
        if effect["kind"] == "cast":
            named |= {cast["spell"] for cast in (*effect["spells"], *effect.get("replacing", []))}
        named |= {*effect.get("ended_by", []), *effect.get("revived_by", [])}
    for each in catalogue.spells().values():
        named |= set(each.ended_by)
    assert named <= names


def test_every_stat_block_that_is_summoned_is_in_the_catalogue() -> None:
    names = {monster.name for monster in catalogue.monsters().values()}
    summons = [
        effect for effect in effects_of([*raw("spells.json"), *raw("monsters.json")]) if effect["kind"] == "summon"
    ]
    named = {name for effect in summons for name in effect.get("blocks", [])}
    named |= {name for effect in summons for level in effect.get("at", {}).values() for name in level}
    assert named <= names


def test_every_feature_that_another_one_uses_is_in_the_same_stat_block() -> None:
    missing = []
    for entry in raw("monsters.json"):
        names = {feature.name for feature in catalogue.monsters()[entry["key"]].features}
        used = [name for effect in effects_of(entry.get("actions", [])) for name in _uses(effect)]
        used += [name for effect in effects_of(entry.get("legendary_actions", [])) for name in _uses(effect)]
        missing += [(entry["key"], name) for name in used if name not in names]
    assert missing == []


def _uses(effect: dict[str, Any]) -> list[str]:
    if effect["kind"] == "use":
        return list(effect["names"])
    if effect["kind"] != "multiattack":
        return []
    steps = [*effect["make"], *(step for way in effect.get("alternatives", []) for step in way)]
    by = effect.get("replace", {}).get("by", [])
    return [name for step in steps for name in step["of"]] + [each["name"] for each in by]


# What is refused.


def _first_effect(entry: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = entry["effects"][0]
    return found


REFUSED: list[tuple[Callable[[dict[str, Any]], object], str]] = [
    (lambda spell: spell.update(colour="red"), "there is no field colour."),
    (lambda spell: spell.pop("school"), "Object missing required field `school`."),
    (lambda spell: spell.update(level="3"), "Expected `int`, got `str` in the field level."),
    (lambda spell: spell.update(level=True), "Expected `int`, got `bool` in the field level."),
    (lambda spell: spell.update(effects={}), "Expected `array`, got `object` in the field effects."),
    (lambda spell: spell.update(area=20), r"Expected `object \| null`, got `int` in the field area."),
    (lambda spell: _first_effect(spell).update(kind="boom"), r"no kind 'boom' of Effect in the field effects\[0\]."),
    (lambda spell: _first_effect(spell).pop("kind"), r"no kind None of Effect in the field effects\[0\]."),
    (lambda spell: _first_effect(spell).update(abiliti="dex"), "there is no field abiliti."),
    (lambda spell: _harm(spell).update(amoun="1"), "there is no field amoun."),
]


def _harm(spell: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = _first_effect(spell)["fail"][0]
    return found


def _fireball(change: Callable[[dict[str, Any]], object]) -> list[dict[str, Any]]:
    spell = next(entry for entry in raw("spells.json") if entry["key"] == "fireball")
    change(spell)
    return [spell]


@pytest.mark.parametrize(("change", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_what_is_wrong_is_refused_by_its_place_and_name(
    change: Callable[[dict[str, Any]], object], message: str
) -> None:
    with pytest.raises(RulesetBroken, match=f"spells.json, row 1: .*{message}"):
        data.parse("spells.json", json.dumps(_fireball(change)), kinds.Spell)


WRONG_WORDS: list[tuple[Callable[[dict[str, Any]], object], str]] = [
    (lambda spell: spell.update(duration="a while"), "$[0].duration"),
    (lambda spell: spell.update(classes=["tailor"]), "$[0].classes[0]"),
    (lambda spell: _harm(spell).update(types=["warm"]), "$[0].effects[0].fail[0].types[0]"),
    (lambda spell: _harm(spell).update(dice="many"), "$[0].effects[0].fail[0].dice"),
]


@pytest.mark.parametrize(("change", "place"), WRONG_WORDS, ids=[place for _, place in WRONG_WORDS])
def test_a_word_that_nobody_knows_is_found_by_the_schema(
    change: Callable[[dict[str, Any]], object], place: str
) -> None:
    faults = Draft202012Validator(schema.schema(kinds.Spell)).iter_errors(_fireball(change))
    assert place in {deepest.json_path for fault in faults for deepest in _with_causes(fault)}


def _with_causes(fault: ValidationError) -> Iterator[ValidationError]:
    yield fault
    for cause in fault.context:
        yield from _with_causes(cause)


def test_a_key_that_comes_twice_is_refused() -> None:
    twice = [entry for entry in raw("spells.json") if entry["key"] == "fireball"] * 2
    with pytest.raises(RulesetBroken, match="spells.json has the key fireball more than once."):
        data.parse("spells.json", json.dumps(twice), kinds.Spell)


# Names as they are typed.


ROWS = [
    *(catalogue.spells, catalogue.monsters, catalogue.equipment, catalogue.magic_items, catalogue.classes),
    *(catalogue.species, catalogue.backgrounds, catalogue.feats, catalogue.hazards),
]


@pytest.mark.parametrize("rows", ROWS)
def test_a_name_that_is_typed_whole_is_found_although_it_is_a_part_of_others(
    rows: Callable[[], Mapping[str, Any]],
) -> None:
    for key, row in rows().items():
        assert {catalogues.meant(rows, typed) for typed in (key, row.name, row.name.upper(), slug(row.name))} == {key}


@pytest.mark.parametrize("rows", ROWS)
def test_a_beginning_of_one_name_comes_before_a_part_of_others(rows: Callable[[], Mapping[str, Any]]) -> None:
    turned = {slug(" ".join(reversed(row.name.split(", ")))): key for key, row in rows().items()}
    names = {slug(row.name) for row in rows().values()} | {*rows(), *turned}
    for key in rows():
        for begun in {slug(key[:cut]) for cut in range(1, len(key))} - names:
            others = {name for name in names if name.startswith(begun)} - {key, slug(rows()[key].name)}
            others -= {name for name, meant in turned.items() if meant == key}
            if not others:
                assert catalogues.meant(rows, begun) == key


@pytest.mark.parametrize(
    ("rows", "typed", "meant"),
    [
        (catalogue.equipment, "plate", "plate-armor"),
        (catalogue.equipment, "leather", ""),
        (catalogue.equipment, "chain", "chain"),
        (catalogue.equipment, "axe", ""),
        (catalogue.equipment, "chain mail", "chain-mail"),
        (catalogue.equipment, "great-axe", ""),
        (catalogue.equipment, "", ""),
        (catalogue.equipment, "potion of healing", "potion-of-healing"),
        (catalogue.magic_items, "Potion of Healing", "potion-of-healing"),
        (catalogue.magic_items, "armor, +1", "armor-plus-1"),
        (catalogue.spells, "firebal", "fireball"),
        (catalogue.spells, "fire", ""),
        (catalogue.spells, "hunter's", "hunters-mark"),
        (catalogue.monsters, "winter", "winter-wolf"),
        (catalogue.monsters, "wolf", "wolf"),
        (catalogue.monsters, "goblin", ""),
        (catalogue.feats, "grapp", "grappler"),
    ],
)
def test_what_is_typed_means_one_entry_or_none(rows: Callable[[], Mapping[str, Any]], typed: str, meant: str) -> None:
    assert catalogues.meant(rows, typed) == meant


@pytest.mark.parametrize(("typed", "worn"), [("plate", 18), ("leather", 13), ("chain mail", 16), ("half plate", 17)])
def test_newcomers_wear_what_begins_as_it_is_typed(typed: str, worn: int) -> None:
    assert table(fighter(armour=typed)).sheet("kara").amount("ac") == worn


# Features.


def test_a_class_has_its_features_up_to_a_level() -> None:
    names = classes.features("barbarian", 3)
    assert names[:3] == ("Rage", "Unarmored Defense", "Weapon Mastery")
    assert {"Primal Knowledge", "Frenzy"} <= {*names}
    assert "Fast Movement" not in names


def test_a_number_grows_with_the_level_of_the_class() -> None:
    assert [_spark("divine spark", level) for level in (1, 2, 12, 13, 20)] == [None, "1d8", "2d8", "3d8", "4d8"]
    assert _spark("within", 20) == 30
    assert _spark("nothing", 20) is None
    assert catalogue.classes()["cleric"].features[2].called("Second Wind") is None


def _spark(name: str, level: int) -> object:
    spark = catalogue.classes()["cleric"].features[2].called("divine spark")
    assert spark is not None
    return by_level(features.Owned("class:cleric:Divine Spark", spark, level, "cleric"), name, None)


@pytest.mark.parametrize(
    "grown", [{"3": 1, "7": 2, "18": 3}, {"18": 3, "7": 2, "3": 1}, {"7": 2, "what": 9, "18": 3, "3": 1}]
)
def test_a_number_grows_by_its_levels_in_whatever_order_they_are_written(grown: dict[str, int]) -> None:
    trait = kinds.Trait(name="Lore", numbers={"many": grown})
    grown_to = [by_level(features.Owned("feat:lore:Lore", trait, at, "lore"), "many") for at in (2, 3, 17, 18)]
    assert grown_to == [0, 1, 2, 3]


def test_every_feature_names_its_rule() -> None:
    rules = {row["rule"] for row in raw("rules.json")}
    classes, species, feats = catalogue.classes().values(), catalogue.species().values(), catalogue.feats().values()
    traits = [each for row in classes for each in (*row.features, *row.subclass.features, *row.options)]
    traits += [each for row in species for each in row.traits] + [each for row in feats for each in row.benefits]
    assert {each.rule for each in traits} <= rules


@pytest.mark.parametrize(
    ("origin", "name"),
    [
        ("class:fighter:Second Wind", "Second Wind"),
        ("class:cleric:turn undead", "Turn Undead"),
        ("class:sorcerer:Quickened Spell", "Quickened Spell"),
        ("species:goliath:Hill's Tumble", "Hill's Tumble"),
        ("feat:alert:Initiative Swap", "Initiative Swap"),
        ("magic:staff-of-power:Retributive Strike", "Retributive Strike"),
    ],
)
def test_a_feature_is_found_by_its_origin(origin: str, name: str) -> None:
    found = catalogue.trait_of(origin)
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize("origin", ["class:tailor:Hem", "class:fighter:Hem", "guild:fighter:Hem", "fighter", ""])
def test_an_origin_that_is_not_there_has_no_feature(origin: str) -> None:
    assert catalogue.trait_of(origin) is None


def test_every_kind_of_trait_that_the_rules_record_is_known_and_some_are_on_the_sheet() -> None:
    recorded = {
        *(features.FEAT, features.STYLE, features.OPTION, features.METAMAGIC, features.INVOCATION, features.ATTUNED),
        *(features.SPECIES, features.BACKGROUND, features.LAND, classes.CLASS, classes.SUBCLASS, *damage.HOW),
        *(abilities.SKILL, abilities.EXPERTISE, abilities.SAVE, abilities.WEAPONS),
        *(abilities.ARMOUR, abilities.LANGUAGE, abilities.TOOL, abilities.MASTERY),
        *(spells.CANTRIP, spells.PREPARED, spells.ALWAYS, spells.KNOWN, stat_blocks.BLOCK, stat_blocks.KIND),
        *(uses.LAIR, uses.COUNTED, dying.DYING, actions.ATTITUDE, sides.SIDE, squares.SQUARE, places.SIZE),
    }
    assert recorded == set(KINDS)
    assert KINDS["feat"].label == "Feats" and not KINDS["land"].label
