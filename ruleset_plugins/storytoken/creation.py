"""Making characters: dice, heritage, roles, level, and quick monsters with a few numbers (R0.108–R0.111)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import attrs

from ruleset_plugins import (
    ABILITIES,
    ARMOUR,
    WEAPON,
    Action,
    Kind,
    Table,
    add_numbers,
    begin_at_level,
    choice,
    choices,
    enter,
    entered,
    events,
    hit_dice_typed,
    in_order,
    names,
    number,
    outfit,
    rolled_scores,
    seat,
    words,
)
from ruleset_plugins.storytoken.armour import ARMOUR_CLASS, ARMOURS
from ruleset_plugins.storytoken.choices import be_born
from ruleset_plugins.storytoken.experience import HIGHEST, LAST_DIE, row
from ruleset_plugins.storytoken.heritages import HERITAGES
from ruleset_plugins.storytoken.hit_points import HIT_DICE, MAX_HP, derived_hp
from ruleset_plugins.storytoken.levels import offer_pick, picks_up_to
from ruleset_plugins.storytoken.roles import ROLE, ROLES
from ruleset_plugins.storytoken.settings import house
from ruleset_plugins.storytoken.speed import SPEED_BASE
from ruleset_plugins.storytoken.tokens import deal_to_newcomer
from ruleset_plugins.storytoken.weapons import CLASSES

ROLLED = "roll"


@attrs.frozen(kw_only=True)
class Join(Action):
    """Make a character: six times 3d6, a heritage, two roles, level 1; or a monster with the numbers that it needs."""

    verb: ClassVar[str] = "join"
    gm_only: ClassVar[bool] = True
    questions: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "pc": (
            "id",
            "seat",
            "scores",
            "order",
            "heritage",
            "ability",
            "roles",
            "level",
            "armour",
            "weapon",
            "hit_dice",
        ),
        **dict.fromkeys(
            ("npc", "monster", "hireling"), ("id", "hp", "ac", "level", "armour", "weapon", "speed", "stats")
        ),
        "thing": ("id", "hp", "ac"),
    }

    name: str = words("the character's name")
    id: str = words("what the character is called in commands", default="")
    kind: str = choice("what sort of somebody", tuple(Kind), default=Kind.PLAYER_CHARACTER.value)
    seat: str = seat("who plays the character", default="")
    scores: tuple[str, ...] = names(
        "STR, DEX, CON, INT, WIS and CHA, or roll; not given, player characters roll and others are average", default=()
    )
    order: tuple[str, ...] = choices(
        "which abilities the six rolls go to, where the table lets one choose", ABILITIES, default=()
    )
    heritage: str = choice("what they are by birth", tuple(HERITAGES), default="")
    ability: str = choice("the one ability of a demigod, superhuman, vampire or werebeast", ABILITIES, default="")
    roles: tuple[str, ...] = choices("what they do: two roles, three for humans", tuple(ROLES), default=())
    level: int = number("the level they start at; player characters start at 1", default=0, minimum=0, maximum=HIGHEST)
    hit_dice: tuple[str, ...] = names("hit dice that were rolled before, one number a level", default=())
    armour: str = choice("what they wear", tuple(ARMOURS), default="none")
    weapon: str = choice("what they fight with", ("", *CLASSES), default="")
    hp: int = number("hit points as entered, instead of hit dice", default=0, minimum=0, maximum=100_000)
    ac: int = number("armour class as entered, for monsters", default=0, minimum=0, maximum=100)
    speed: int = number("feet per round as entered, for monsters", default=0, minimum=0, maximum=10_000, unit="feet")
    stats: tuple[str, ...] = names("further numbers on the sheet, as to_hit=4 or damage=1", default=())

    def resolve(self, table: Table) -> None:
        """Abilities, heritage, roles, level and hit points, in the order of the rulebook."""
        self._check(table)
        who = enter(table, name=self.name, id=self.id, kind=self.kind, seat=self.seat)
        self._score(table, who)
        self._be_born(table, who)
        for role in self.roles:
            table.record(events.TraitGained(character=who, trait=role, kind=ROLE))
        self._equip(table, who)
        self._start_at_level(table, who)
        self._enter_numbers(table, who)
        deal_to_newcomer(table, who)

    @property
    def _is_player_character(self) -> bool:
        return self.kind == Kind.PLAYER_CHARACTER

    @property
    def _level(self) -> int:
        return self.level or int(self._is_player_character)

    def _check(self, table: Table) -> None:
        if len(set(self.roles)) < len(self.roles):
            table.refuse(f"{self.name} cannot take the same role twice. Name different roles.")
        if self._is_player_character:
            self._check_traits(table)
        if self.order and house(table).assign != "free":
            table.refuse(
                "At this table the six rolls go to STR, DEX, CON, INT, WIS and CHA in order (assign = in_order)."
            )
        if self.order and len(set(self.order)) < len(ABILITIES):
            table.refuse("The order names every ability once: str, dex, con, int, wis and cha as the rolls fall.")
        self._check_numbers(table)
        if not self._level and not self.hp:
            table.refuse(f"{self.name} needs hit points: --hp NUMBER, or a --level whose hit dice are rolled.")

    def _check_traits(self, table: Table) -> None:
        if not self.heritage:
            table.refuse(f"{self.name} needs one heritage: --heritage with one of {', '.join(HERITAGES)}.")
        wanted = 2 + HERITAGES[self.heritage].extra_roles
        if len(self.roles) != wanted:
            table.refuse(
                f"A new {HERITAGES[self.heritage].name.lower()} has {wanted} roles, and {len(self.roles)} were named. "
                f"Further roles come with the picks of levels 4, 8, 12 …"
            )

    def _score(self, table: Table, who: str) -> None:
        """3d6 for each ability, in order (R0.108, Q0.47)."""
        if self.scores and self.scores != (ROLLED,):
            found = self._given_scores(table)
        elif self.scores or self._is_player_character:
            found = rolled_scores(table, who, "3d6", self.order or ABILITIES, what="ability")
        else:
            return
        for ability in ABILITIES:
            table.record(events.StatChanged(character=who, stat=ability, amount=found[ability], reason="creation"))

    def _given_scores(self, table: Table) -> dict[str, int]:
        return in_order(table, self.scores, ABILITIES, what="Scores")

    def _be_born(self, table: Table, who: str) -> None:
        if not self.heritage:
            if self.ability:
                table.refuse(
                    "--ability goes with a heritage that chooses one: demigod, superhuman, vampire, werebeast."
                )
            return
        be_born(table, who, self.heritage, ability=self.ability)

    def _equip(self, table: Table, who: str) -> None:
        worn = ARMOURS[self.armour].name if self.armour != "none" else ""
        held = CLASSES[self.weapon].name if self.weapon else ""
        outfit(table, who, ((worn, f"{ARMOUR}:{self.armour}"), (held, f"{WEAPON}:{self.weapon}")))

    def _start_at_level(self, table: Table, who: str) -> None:
        """A higher start has the experience of its level, and every pick open (R0.111, Q0.79)."""
        if not self._level:
            return
        start_at_level(table, who, self._level)
        for level in picks_up_to(self._level):
            offer_pick(table, who, level)
        if self.hp:
            return
        dice = min(self._level, LAST_DIE)
        total = sum(self._given_dice(table, dice)) if self.hit_dice else 0
        total = total or table.roll(f"{dice}d6", roller=who, purpose="hit dice").total
        table.record(events.StatChanged(character=who, stat=HIT_DICE, amount=total, reason="creation"))

    def _given_dice(self, table: Table, wanted: int) -> tuple[int, ...]:
        return hit_dice_typed(table, self.hit_dice, wanted, level=self._level)

    def _check_numbers(self, table: Table) -> None:
        """Everything that was typed as numbers, before any die is rolled."""
        entered(table, self.stats)
        if self.scores and self.scores != (ROLLED,):
            self._given_scores(table)
        if self.hit_dice:
            self._given_dice(table, min(self._level, LAST_DIE))

    def _enter_numbers(self, table: Table, who: str) -> None:
        add_numbers(table, who, {ARMOUR_CLASS: self.ac, SPEED_BASE: self.speed} | entered(table, self.stats))
        if self.hp:
            missing = self.hp - derived_hp(table.character(who), house(table))
            table.record(events.StatChanged(character=who, stat=MAX_HP, amount=missing, reason="as entered"))


def start_at_level(table: Table, who: str, level: int) -> None:
    """Level and the experience that belongs to it."""
    begin_at_level(table, who, level, row(level).experience)
