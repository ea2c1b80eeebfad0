"""Ability scores, levels and proficiencies, and the numbers that follow from them (R5.1–R5.3, R5.20–R5.26).

On record: the scores are the stats ``str`` to ``cha`` (10 where one is missing). The level is the engine's own. A stat
``proficiency`` is added to the bonus. Magic items and what lies on somebody change a score for as long as they are worn or last.
A skill is a trait of the kind "skill" or "expertise", a tool of "tool", a further save ``"wis save"`` of "save", weapons
("simple", "martial", or a weapon's key) of "weapon training", armour ("light" …, "shield") of "armour training". What a class
teaches by itself (saves, weapons, armour) is not on record: it follows from the classes. A stat named like a skill
(``sleight_of_hand``) or save (``save_dex``) is added to it.
"""

from collections.abc import Mapping
from functools import lru_cache

from rollbook.kit import ability_scores, data, stat_entry
from rollbook.kit.remembering import remembered
from rollbook.plugin import ABILITIES, Character, Table, Term, events, not_found
from rollbook.rulesets.srd5.catalogue import Item, kinds
from rollbook.rulesets.srd5.character import classes, features
from rollbook.rulesets.srd5.effects.lasting import laid
from rollbook.rulesets.srd5.monsters.stat_blocks import block_of

__all__ = ["ABILITIES", "modifier", "modifier_term", "proficiency_bonus", "proficiency_term", "score"]

USUAL = 10


@remembered
def _changed(who: Character) -> Mapping[str, int]:
    """The scores that effects set or raise: never lower than they are, never above what the effect allows."""
    found: dict[str, int] = {}
    worn = (effect for own, effect in features.known(who).standing if own.origin.startswith("magic:"))
    for effect in (each for each in (*worn, *(held.effect for held in laid(who))) if each.kind == "ability"):
        now = found.get(effect.ability, who.stats.get(effect.ability, USUAL))
        raised = now + int(effect.by or 0)
        found[effect.ability] = max(now, effect.becomes or min(raised, effect.most or raised))
    return found


def score(who: Character, ability: str) -> int:
    """A score, 1 to 30 (R5.1)."""
    changed = _changed(who)
    return changed[ability] if ability in changed else who.stats.get(ability, USUAL)


def modifier(who: Character, ability: str) -> int:
    """The modifier of an ability (R5.2)."""
    return (score(who, ability) - USUAL) // 2


def modifier_term(who: Character, ability: str) -> Term:
    """An ability's modifier as a summand."""
    return ability_scores.modifier_term(ability, modifier(who, ability), "R5.2")


@remembered
def proficiency_bonus(who: Character) -> int:
    """The proficiency bonus, by level or as the stat block has it (R5.20)."""
    block = block_of(who)
    usual = block.proficiency if block is not None and not who.level else 2 + max(who.level - 1, 0) // 4
    return usual + who.stats.get("proficiency", 0)


def proficiency_term(who: Character, *, times: int = 1, label: str = "proficiency") -> Term:
    """The proficiency bonus as a summand, doubled for expertise (R5.20, R5.138)."""
    return _term(proficiency_bonus(who) * times, label if times == 1 else "expertise")


@lru_cache(maxsize=256)
def _term(amount: int, label: str) -> Term:
    return Term(amount, label, "R5.20", "level")


MASTERY = "mastery"
"""The kind of a trait that is a weapon whose mastery a character uses; the trait is the weapon's key."""

SKILL, EXPERTISE, TOOL, SAVE, LANGUAGE = "skill", "expertise", "tool", "save", "language"
WEAPONS, ARMOUR = "weapon training", "armour training"


MARTIAL = "martial"
SKILLS = data.by_key(__package__, "skills.json", kinds.Skill)


def learn(table: Table, name: str, kind: str, *keys: str) -> None:
    """Record what somebody learns, of one of these kinds."""
    for key in keys:
        table.record(events.TraitGained(character=name, trait=key, kind=kind))


def stat_of(key: str) -> str:
    """The stat that is added to a skill."""
    return key.replace(" ", "_").replace("'", "")


def skill_key(typed: str) -> str:
    """A skill as the data spells it. Raises NotFound with the nearest."""
    key = typed.casefold().replace("-", " ").replace("_", " ").strip()
    if key not in SKILLS:
        raise not_found("skill", typed, SKILLS)
    return key


def skill_terms(who: Character, key: str, ability: str = "") -> tuple[Term, ...]:
    """The terms of a check with a skill, by its usual ability or another (R5.22, R5.23)."""
    ability = ability or SKILLS[key].ability
    terms: tuple[Term, ...] = (modifier_term(who, ability), *stat_entry.terms(who, stat_of(key)))
    block = block_of(who)
    if block is not None and key in block.skills:
        more = block.skills[key] - block.abilities[SKILLS[key].ability].modifier
        return (*terms, Term(more, "stat block", "R5.23", f"trait.{block.key}"))
    kind = who.traits.get(key, "")
    if kind in (SKILL, EXPERTISE):
        return (*terms, proficiency_term(who, times=2 if kind == EXPERTISE else 1))
    return (*terms, *half_terms(who))


def half_terms(who: Character) -> tuple[Term, ...]:
    """Half the bonus where a feature gives it to what one is not proficient in (R5.21)."""
    if features.has(who, "Jack of All Trades"):
        return (Term(proficiency_bonus(who) // 2, "Jack of All Trades", "R5.21", "level"),)
    return ()


def is_save_proficient(who: Character, ability: str) -> bool:
    """True if the first class, or something else, teaches a save (R5.24)."""
    if who.traits.get(f"{ability} save") == SAVE:
        return True
    first = next(iter(classes.classes_of(who)), None)
    return first is not None and ability in first[0].saves


def save_terms(who: Character, ability: str) -> tuple[Term, ...]:
    """The terms of a saving throw (R5.7, R5.24)."""
    terms: tuple[Term, ...] = (modifier_term(who, ability), *stat_entry.terms(who, f"save_{ability}"))
    block = block_of(who)
    if block is not None and ability in block.abilities:
        row = block.abilities[ability]
        more = row.save - row.modifier
        return (*terms, Term(more, "stat block", "R5.24", f"trait.{block.key}")) if more else terms
    return (*terms, proficiency_term(who)) if is_save_proficient(who, ability) else terms


@remembered
def _training(who: Character) -> dict[str, frozenset[str]]:
    """The weapons and the armour that a character knows; the first class teaches more than later ones."""
    found: dict[str, set[str]] = {kind: set(who.traits_of(kind)) for kind in (WEAPONS, ARMOUR)}
    for place, (row, _) in enumerate(classes.classes_of(who)):
        teaches = row.multiclass if place else row
        if teaches is not None:
            found[WEAPONS].update(each for each in teaches.weapons if each != MARTIAL or not row.martial_only)
            found[ARMOUR].update(teaches.armour)
    return {kind: frozenset(known) for kind, known in found.items()}


def is_weapon_proficient(who: Character, item: Item, used_as: kinds.Weapon | None = None) -> bool:
    """True if a weapon adds the proficiency bonus; those of stat blocks and of the classless do (R5.25, Q5.7)."""
    weapon = used_as or item.weapon
    if weapon is None:
        return False
    known = _training(who)[WEAPONS]
    if weapon.training in known or item.key in known:
        return True
    first = next(iter(classes.classes_of(who)), None)
    some = first[0].martial_only if first is not None and weapon.training == MARTIAL else ()
    return first is None or any(getattr(weapon, each) for each in some)


def is_armour_trained(who: Character, training: str) -> bool:
    """True if a character knows how to wear such armour; the classless do (R5.106, R5.107, Q5.7)."""
    return training in _training(who)[ARMOUR] or not any(classes.classes_of(who))
