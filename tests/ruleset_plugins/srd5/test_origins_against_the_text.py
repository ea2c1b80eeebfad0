"""Species, backgrounds and feats are in the catalogue as the rules' text has them."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from rollbook.rulesets.srd5 import catalogue
from tests.support import srd5_characters as text_of
from tests.support import srd5_unread as unread
from tests.support.srd5_text import TEXTS, effects_of, plain, raw

pytestmark = pytest.mark.skipif(not TEXTS.exists(), reason="the rules' own text is not at hand")
SPECIES = {entry["name"]: entry for entry in raw("species.json")}
BACKGROUNDS = {entry["name"]: entry for entry in raw("backgrounds.json")}
FEATS = {entry["name"]: entry for entry in raw("feats.json")}


@pytest.fixture(scope="module")
def origins() -> dict[str, str]:
    return text_of.sections(plain((TEXTS / "Character-Origins.md").read_text(encoding="utf-8")), "####")


@pytest.fixture(scope="module")
def feats() -> dict[str, str]:
    return text_of.sections(plain((TEXTS / "Feats.md").read_text(encoding="utf-8")), "###")


def wrong(data: dict[str, Any], text: dict[str, str]) -> list[Any]:
    return [
        (name, *each)
        for name, body in text.items()
        for each in text_of.differences(data[name], body, unread.ORIGINS.get(name, {}))
    ]


def trait_texts(body: str) -> dict[str, str]:
    """The traits of a species. The tiefling's table comes after another trait than its own."""
    found = text_of.benefits(body)
    if "Fiendish Legacy" in found:
        own, mark, table = found["Otherworldly Presence"].partition("##### ")
        found |= {"Otherworldly Presence": own, "Fiendish Legacy": found["Fiendish Legacy"] + mark + table}
    return found


@pytest.mark.parametrize("name", SPECIES)
def test_every_trait_of_a_species_says_what_its_text_says(origins: dict[str, str], name: str) -> None:
    text = trait_texts(origins[name])
    data = {trait["name"]: trait for trait in SPECIES[name]["traits"]}
    assert data.keys() == text.keys()
    assert wrong(data, text) == []


@pytest.mark.parametrize("name", SPECIES)
def test_every_species_has_its_size_and_speed(origins: dict[str, str], name: str) -> None:
    size = re.search(r"\*\*Size:\*\* (.*)", origins[name])
    speed = re.search(r"\*\*Speed:\*\* (\d+) feet", origins[name])
    assert size
    assert speed
    entry = SPECIES[name]
    assert entry["speed"] == int(speed[1])
    assert entry["size"] == re.findall(r"small|medium", re.sub(r"chosen.*", "", size[1].lower()))
    heights = [[int(low), int(high)] for low, high in re.findall(r"(\d+)-(\d+) feet", size[1])]
    assert [entry["height"], *([entry["small"]] if "small" in entry else [])] == heights
    assert "Creature Type:** Humanoid" in origins[name]
    assert catalogue.species()[entry["key"]].kind == "humanoid"


@pytest.mark.parametrize("name", BACKGROUNDS)
def test_every_background_is_as_its_text_says(origins: dict[str, str], name: str) -> None:
    entry = BACKGROUNDS[name]
    lines = dict(re.findall(r"^\*\*(.+?):\*\* (.+)$", origins[name], re.MULTILINE))
    assert entry["abilities"] == text_of.abilities_in(lines["Ability Scores"])
    feat = re.match(r"([A-Z][a-z]+(?: [A-Z][a-z]+)?)(?: \((\w+)\))?", lines["Feat"])
    assert feat
    assert (entry["feat"], entry.get("feat_choice", "")) == (feat[1], (feat[2] or "").lower())
    assert entry["skills"] == text_of.listed(lines["Skill Proficiencies"])
    assert entry["tool"] in lines["Tool Proficiency"]
    kits = text_of.kits(re.sub(r"Parchment \((\d+) sheets\)", r"\1 Parchment", lines["Equipment"]))
    assert kits == [(sum(entry["items"].values()), entry["gold"]), (0, 50)]


@pytest.mark.parametrize("name", FEATS)
def test_every_feat_says_what_its_text_says(feats: dict[str, str], name: str) -> None:
    entry = {key: value for key, value in FEATS[name].items() if key != "key"}
    assert wrong({name: entry}, {name: feats[name]}) == []
    named = [each for each in text_of.benefits(feats[name]) if each not in ("Repeatable", "Spell Change")]
    lists = {"Spell List": entry["benefits"][0].get("parts", [{}])[0].get("parts", [])}
    ours = [each["name"] for benefit in entry["benefits"] for each in lists.get(benefit["name"], [benefit])]
    assert ours == (named or [name])


@pytest.mark.parametrize("name", FEATS)
def test_every_feat_has_what_it_requires(feats: dict[str, str], name: str) -> None:
    head = re.search(r"^\*(\w[\w ]+) Feat(?: \(Prerequisite: (.*)\))?\*$", feats[name], re.MULTILINE)
    assert head
    entry, needs = FEATS[name], head[2] or ""
    level, scores = re.search(r"Level (\d+)\+", needs), re.search(r"(\w+) or (\w+) (\d+)\+", needs)
    feature = re.search(r"([A-Z][\w ]+?) Feature", needs)
    assert entry["category"] == head[1].lower()
    assert entry.get("level", 0) == int(level[1] if level else 0)
    assert entry.get("needs", "") == (feature[1] if feature else "")
    own = text_of.abilities_in(scores[0]) if scores else []
    assert entry.get("minimum", {}) == {ability: int(scores[3]) for ability in own if scores}
    assert entry.get("repeatable", False) == ("Repeatable" in feats[name])


def test_there_is_no_other_species_background_or_feat(origins: dict[str, str], feats: dict[str, str]) -> None:
    kinds = ("Creature Type:**", "Ability Scores:**")
    listed = [{name for name, body in origins.items() if kind in body} for kind in kinds]
    assert listed == [SPECIES.keys(), BACKGROUNDS.keys()]
    assert {name for name, body in feats.items() if re.search(r"^\*.+ Feat", body, re.MULTILINE)} == FEATS.keys()


def test_every_spell_and_item_that_is_named_is_in_the_catalogue() -> None:
    spells = {spell.name for spell in catalogue.spells().values()}
    items = {item.name for item in catalogue.equipment().values()} | {"its tool"}
    sources = [raw(f"{name}.json") for name in ("classes", "species", "feats")]
    named = {
        cast["spell"] for effect in effects_of(sources) for cast in effect.get("spells", []) if isinstance(cast, dict)
    }
    assert named <= spells
    kits = [kit.items for each in catalogue.classes().values() for kit in each.starting]
    kits += [background.items for background in catalogue.backgrounds().values()]
    assert {item for kit in kits for item in kit} <= items
    assert {each.feat for each in catalogue.backgrounds().values()} <= FEATS.keys()
    assert {each.boon for each in catalogue.classes().values()} <= FEATS.keys()
    assert {
        spell for each in catalogue.classes().values() if each.casting for spell in each.casting.suggested
    } <= spells


@pytest.mark.parametrize(
    ("name", "trait", "old", "new"),
    [("Dwarf", "Darkvision", "120", "60"), ("Goliath", "Giant Ancestry", '"1d10"', '"1d8"')],
)
def test_a_changed_number_is_noticed(origins: dict[str, str], name: str, trait: str, old: str, new: str) -> None:
    data = json.dumps({each["name"]: each for each in SPECIES[name]["traits"]}[trait])
    assert old in data
    assert wrong({trait: json.loads(data.replace(old, new, 1))}, {trait: trait_texts(origins[name])[trait]})
