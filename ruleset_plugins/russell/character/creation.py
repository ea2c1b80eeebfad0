"""Making characters: attributes, level, templates; or a stat line for monsters and NPCs (R3.96, R3.97, Q3.2, Q3.48)."""

from collections.abc import Mapping
from typing import Any, ClassVar

from rollbook.kit import ability_scores, equipment, levels, newcomers, stat_entry, verbs, vocabulary
from rollbook.plugin import CharacterKind, DiceStep, Table, events, param
from rollbook.rulesets.russell.character import attributes, experience, stat_line
from rollbook.rulesets.russell.character.templates import CLASSES, LAST_TEMPLATE_LEVEL, offer_template
from rollbook.rulesets.russell.delve import encumbrance, light
from rollbook.rulesets.russell.fight import hit_points
from rollbook.rulesets.russell.fight.arms import ARMOURS, KINDS
from rollbook.rulesets.russell.fight.encounter import GROUP
from rollbook.rulesets.russell.settings import house

CARRIED = tuple(key for key, kind in KINDS.items() if kind.meaning and key != "torch")


class Join(verbs.JoinAction):
    """Make a character: six times 3d6, a level and a template; or a monster with its stat line."""

    typed_dice = (
        DiceStep(
            each="newcomer",
            effects={"3d6 for each attribute": "attribute *", "the d6s of hit points": "hit die|hit dice"},
        ),
    )

    stat_block: ClassVar[Mapping[str, str]] = {"hp": "hp", "scores": "scores:str con dex int wis cha"}
    questions: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "pc": ("id", "seat", "scores", "order", "templates", "armour", "shield", "weapon", "hit_dice"),
        "hireling": ("id", "hp", "scores", "armour", "weapon"),
        **dict.fromkeys(("npc", "monster", "thing"), ("id", "profile", "like", "group", "hp", "armour", "weapon")),
    }

    scores: tuple[str, ...] = param.names(
        "STR, CON, DEX, INT, WIS and CHA, or roll; left out, player characters roll and others are average",
        default=(),
        of=vocabulary.SCORES,
    )
    order: tuple[str, ...] = param.choices(
        "which attributes the six rolls go to, if the table allows it", attributes.ATTRIBUTES, default=()
    )
    level: int = param.number(
        "the level they start at, instead of hit dice; player characters start at 1",
        default=0,
        minimum=0,
        maximum=experience.FARTHEST,
    )
    templates: tuple[str, ...] = param.choices(
        "the class whose next template each of the first four levels takes; others stay open",
        tuple(CLASSES),
        default=(),
    )
    hit_dice: tuple[str, ...] = param.names("hit dice already rolled, one number a level", default=())
    armour: str = param.choice("what they wear", tuple(ARMOURS), default="none")
    shield: bool = param.flag("they have a shield")
    weapon: str = param.choice("what they fight with", ("", *CARRIED), default="")
    profile: str = param.words("a monster's stat line, as in 'Mv 9 WS 3 Att 2 HD 3 AC 5 I 1 Sv 12 Mrl 9'", default="")
    like: str = param.label("somebody whose stat line and hit points they share, or a row of a bestiary", default="")
    group: str = param.label("a group that rolls initiative as one", default="", of=vocabulary.GROUP)
    hp: int = param.number(
        "hit points as entered, instead of hit dice", default=0, minimum=0, maximum=100_000, several=verbs.HP_EACH
    )
    hp_by: str = param.choice(
        "how a monster's hit dice become hit points, if not by the setting (R3.97)", ("", *stat_line.HP_BY), default=""
    )
    stats: Mapping[str, int] = param.amounts(
        "further numbers on the sheet, as surprise=3 or damage=1; the dice of damage are the weapon's",
        default={},
        of=vocabulary.STAT,
    )

    reads_like = True

    def with_speed(self, speed: int) -> Mapping[str, Any]:
        """Feet in a Round are twice the Movement (Q3.25)."""
        stats = {stat: amount for stat, amount in self.stats.items() if stat != newcomers.SPEED}
        return {"stats": {**stats, encumbrance.MOVEMENT: speed // encumbrance.FEET_IN_A_ROUND}}

    def arrived(self, table: Table, who: str) -> None:  # noqa: ARG002 - light is everybody's
        """Settle light for newcomers too, where it is dark."""
        light.settle_darkness(table)

    def resolve(self, table: Table) -> None:
        numbers = stat_entry.checked_stats(table, self.stats)
        line = stat_line.read_stat_line(table, self.profile)
        self._check(table, line)
        who = self.enter(table)
        self._score(table, who)
        equipment.outfit(
            table, who, armours=ARMOURS, armour=self.armour, weapons=KINDS, weapon=self.weapon, shield=self.shield
        )
        if self.group:
            table.record(events.TraitGained(character=who, trait=self.group, kind=GROUP))
        if self._is_levelled:
            self._start_at_level(table, who)
        else:
            self._take_profile(table, who, line)
        for stat, amount in numbers.items():
            _enter(table, who, stat, amount)
        if self.hp:
            self._set_hp(table, who)
        light.settle_darkness(table)

    @property
    def _is_levelled(self) -> bool:
        return self.is_player_character or self.level > 0

    def _check(self, table: Table, line: dict[str, int]) -> None:
        if self._is_levelled and (line or self.like):
            table.refuse(
                f"{self.name} has levels, so a stat line does not fit. Give either --level or --profile.",
                "profile",
                instead="level",
            )
        if self.hit_dice and not self._is_levelled:
            table.refuse(
                "Rolled hit dice go with --level; a monster's are in its stat line: --profile 'HD 3'.", "hit_dice"
            )
        if self.order and house(table).attr_gen == "3d6_in_order":
            table.refuse(
                "At this table the six rolls go to the attributes in order (attr_gen = 3d6_in_order).", "order"
            )
        elif self.order and len(set(self.order)) < len(attributes.ATTRIBUTES):
            table.refuse(f"The order names every attribute once: {', '.join(attributes.ATTRIBUTES)}.", "order")
        if len(self.templates) > min(self._level(table), LAST_TEMPLATE_LEVEL):
            level = self._level(table)
            table.refuse(
                f"{self.name} starts at level {level}; templates come one for each of levels 1 to 4.", "templates"
            )
        if self.like:
            table.character(self.like)
        self._dice_given(table)

    def _level(self, table: Table) -> int:
        if self.level or not self.is_player_character:
            return self.level
        return 0 if house(table).level_zero else 1

    def _score(self, table: Table, who: str) -> None:
        """3d6 for each, or as the table rolls (Q3.48); others than player characters are average (R3.96)."""
        if not self.scores and not self.is_player_character:
            return
        dice = "4d6kh3" if house(table).attr_gen == "4d6_arranged" else "3d6"
        found = ability_scores.given_or_rolled(
            table, who, self.scores, attributes.ATTRIBUTES, order=self.order, dice=dice, what="attribute"
        )
        for attribute, score in found.items():
            _enter(table, who, attribute, score, reason="creation")

    def _start_at_level(self, table: Table, who: str) -> None:
        """A die and Constitution for each level, a template for each of the first four; level 1 is free (Q3.2, Q3.6)."""
        level, given = self._level(table), self._dice_given(table)
        if level > 1:
            points = experience.experience_for(level)
            table.record(events.ExperienceAwarded(character=who, amount=points, reason=f"starts at level {level}"))
        for each in range(1, min(level, experience.LAST_DIE) + 1):
            die = given[each - 1] if given else table.roll("1d6", roller=who, purpose="hit die").total
            hit_points.gained(table, who, die, attributes.bonus(table.character(who), "con"), reason=f"level {each}")
        if level:
            table.record(events.LevelGained(character=who, levels=level))
        for each in range(1, min(level, LAST_TEMPLATE_LEVEL) + 1):
            wanted = self.templates[each - 1] if each <= len(self.templates) else ""
            offer_template(table, who, each, wanted)

    def _dice_given(self, table: Table) -> tuple[int, ...]:
        wanted = min(self._level(table), experience.LAST_DIE)
        if not self.hit_dice:
            return ()
        return levels.parse_hit_dice(table, self.hit_dice, wanted, level=self._level(table))

    def _take_profile(self, table: Table, who: str, line: dict[str, int]) -> None:
        """The stat line; one hit die by default, and none for things (R3.96)."""
        numbers = dict(line)
        if self.like:
            pattern = table.character(self.like).stats
            shared = {stat: amount for stat, amount in pattern.items() if stat not in attributes.ATTRIBUTES}
            numbers = shared | numbers
        elif self.kind != CharacterKind.THING:
            numbers.setdefault(stat_line.HIT_DICE, 1)
        for stat, amount in numbers.items():
            _enter(table, who, stat, amount)
        if not self.hp and not self.like and numbers.get(stat_line.HIT_DICE):
            by = self.hp_by or house(table).monster_hp
            rolled = stat_line.roll_hit_points(table, who, numbers[stat_line.HIT_DICE], by=by)
            _enter(table, who, hit_points.ROLLED, rolled, reason="creation")

    def _set_hp(self, table: Table, who: str) -> None:
        found = table.character(who)
        bare = hit_points.max_hp(found) if found.stats.get(hit_points.ROLLED) or found.level else 0
        bare = bare or found.stats.get(stat_line.HIT_DICE_MORE, 0)
        _enter(table, who, hit_points.MAX_HP, self.hp - bare)


def _enter(table: Table, who: str, stat: str, amount: int, *, reason: str = "as entered") -> None:
    """A number on the sheet. 0 is entered too: a stat line's 0 is not the same as no number."""
    table.record(events.StatChanged(character=who, stat=stat, amount=amount, reason=reason))
