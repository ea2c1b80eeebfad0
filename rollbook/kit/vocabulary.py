"""The words that the rules of most games compare: their subjects, and the words that games have in common.

A parameter names the subject of its words with ``of=vocabulary.DAMAGE``, and the ``vocabulary`` of a ruleset has the
words. Another spelling of one of them means the same word.
"""

from collections.abc import Callable, Iterable, Mapping

from rollbook.domain.rules.spelling import CHARACTER, CONDITION, DAMAGE, STAT, TRAIT, TRAIT_KIND, USE
from rollbook.domain.rules.vocabulary import Unknown, Vocabulary, Words
from rollbook.domain.state.campaign_state import Character
from rollbook.kit import ability_scores, conditions, equipment

__all__ = [
    "CHARACTER",
    "CONDITION",
    "DAMAGE",
    "GROUP",
    "POWER",
    "QUEST",
    "RANGE",
    "SCORES",
    "SIDE",
    "SKILL",
    "STAT",
    "TARGET",
    "TASK",
    "THING",
    "TRAIT",
    "TRAIT_KIND",
    "USE",
    "Unknown",
    "Vocabulary",
    "Words",
    "coined",
    "of_game",
]

TARGET, SKILL, SIDE, RANGE, POWER, SCORES = "target", "skill", "side", "range", "power", "scores"
GROUP, TASK, QUEST, THING = "group", "task", "quest", "thing"
"""Subjects of several games, besides those that every game has."""

DAMAGES = ("fire", "cold", "acid", "lightning", "poison", "magic", "silver", "holy", "sunlight")
"""Sorts of damage that most tables speak of (QG.11)."""

CONDITIONS = (
    *(conditions.UNCONSCIOUS, conditions.DEAD, conditions.PRONE, conditions.STUNNED, conditions.HELPLESS),
    *(conditions.BLEEDING, conditions.STABLE, conditions.SURPRISED, conditions.ARRIVING),
)
STATS = (
    *("hp", "level", "xp", "pool", "ac", "save", "speed", "initiative", "damage", "to_hit"),
    *("max_hp", equipment.ARMOUR_CLASS),
)
"""Numbers of sheets that people type in most games."""

USES = (equipment.ARMOUR, equipment.SHIELD, equipment.WEAPON)


def coined(bears: Callable[[Character], Iterable[str]], known: tuple[str, ...] = ()) -> Words:
    """Words that people coin, such as names of groups and tasks: those that a character ``bears`` are known."""
    return Words(known=known, bears=bears, unknown=Unknown.COINED)


def of_game(
    *,
    uses: Iterable[str],
    conditions: Iterable[str] = (),
    damages: Iterable[str] = (),
    traits: Iterable[str] = (),
    kinds: Iterable[str] = (),
    stats: Iterable[str] = (),
    ladder: Iterable[str] = (),
    use_fault: Callable[[tuple[str, ...]], str] = lambda _: "",
    more: Mapping[str, Words] | None = None,
) -> Vocabulary:
    """The vocabulary of a game: its own words beside those that games have in common, and ``more`` subjects.

    ``use_fault`` says what is wrong with the words of a use that are known; "" for nothing.
    """
    all_damages = tuple(dict.fromkeys((*DAMAGES, *damages)))
    return {
        CONDITION: Words(known=(*CONDITIONS, *conditions), unknown=Unknown.MISTAKE),
        DAMAGE: Words(known=all_damages),
        USE: Words(known=(*USES, *uses, *all_damages), unknown=Unknown.MISTAKE, fault=use_fault),
        TRAIT: Words(known=tuple(traits)),
        TRAIT_KIND: Words(known=tuple(kinds)),
        STAT: Words(known=(*STATS, *stats)),
        TARGET: Words(known=tuple(ladder)),
        SCORES: Words(known=(ability_scores.ROLLED,), unknown=Unknown.COINED),
        THING: coined(lambda who: who.gear),
        **(more or {}),
    }
