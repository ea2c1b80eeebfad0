"""Making characters, and the three published ones (R0.108–R0.111, R0.192–R0.195, Q0.12, Q0.16, Q0.56)."""

from collections.abc import Mapping
from typing import ClassVar

from rollbook.kit import ability_scores, data, equipment, levels, stat_entry, verbs, vocabulary
from rollbook.plugin import ABILITIES, DiceStep, Table, enter, events, param
from rollbook.rulesets.storytoken.body import hit_points
from rollbook.rulesets.storytoken.character import abilities, experience, heritages
from rollbook.rulesets.storytoken.character.levels import check_heritage_ability, offer_pick, picks_up_to, take_heritage
from rollbook.rulesets.storytoken.character.roles import ROLE, ROLES
from rollbook.rulesets.storytoken.fight import arms, turns
from rollbook.rulesets.storytoken.settings import Settings
from rollbook.rulesets.storytoken.story.tokens import deal_to_newcomer


class Join(verbs.JoinAction):
    """Make a character: six times 3d6, a heritage, two roles, level 1; or a monster with the numbers that it needs."""

    typed_dice = (
        DiceStep(each="newcomer", effects={"3d6 for each ability": "ability *", "the d6s of hit points": "hit dice"}),
    )

    stat_block: ClassVar[Mapping[str, str]] = {
        **verbs.JoinAction.stat_block,
        "scores": "scores",
        "stats.to_hit": "attack",
    }
    questions: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "pc": (
            *("heritage", "ability", "roles", "scores", "order"),
            *("level", "hit_dice", "armour", "weapon", "id", "seat"),
        ),
        **dict.fromkeys(
            ("npc", "monster", "hireling"), ("hp", "level", "ac", "armour", "weapon", "speed", "stats", "id")
        ),
        "thing": ("hp", "ac", "id"),
    }

    scores: tuple[str, ...] = param.names(
        "STR, DEX, CON, INT, WIS and CHA, or roll; not given, player characters roll and others are average",
        default=(),
        of=vocabulary.SCORES,
    )
    order: tuple[str, ...] = param.choices("which abilities the six rolls go to, if allowed", ABILITIES, default=())
    heritage: str = param.choice("their heritage", tuple(heritages.HERITAGES), default="")
    ability: str = param.choice("the one ability of a demigod, superhuman, vampire or werebeast", ABILITIES, default="")
    roles: tuple[str, ...] = param.choices("their roles: two, three for humans", tuple(ROLES), default=())
    level: int = param.number(
        "the level they start at; player characters start at 1", default=0, minimum=0, maximum=experience.HIGHEST
    )
    hit_dice: tuple[str, ...] = param.names("hit dice that were rolled before, one number a level", default=())
    armour: str = param.choice("what they wear", tuple(arms.ARMOURS), default="none")
    weapon: str = param.choice("what they fight with", ("", *arms.CLASSES), default="")
    hp: int = param.number(
        "hit points as entered, instead of hit dice", default=0, minimum=0, maximum=100_000, several=verbs.HP_EACH
    )
    ac: int = param.number("armour class as entered, for monsters", default=0, minimum=0, maximum=100)
    speed: int = param.number(
        "feet per round as entered, for monsters", default=0, minimum=0, maximum=10_000, unit="feet"
    )
    stats: Mapping[str, int] = param.amounts(
        "further numbers on the sheet, as to_hit=4 or damage=1; the dice of damage are the weapon's",
        default={},
        of=vocabulary.STAT,
    )

    def arrived(self, table: Table, who: str) -> None:
        """Deal tokens to a latecomer, too."""
        deal_to_newcomer(table, who)

    def resolve(self, table: Table) -> None:
        """Abilities, heritage, roles, level and hit points, in the order of the rulebook."""
        self._check(table)
        numbers = {equipment.ARMOUR_CLASS: self.ac, turns.SPEED_BASE: self.speed} | stat_entry.checked_stats(
            table, self.stats
        )
        wanted = min(self._level, experience.LAST_DIE)
        typed = self.hit_dice
        dice = levels.parse_hit_dice(table, typed, wanted, level=self._level) if typed else ()
        who = self.enter(table)
        self._score(table, who)
        if self.heritage:
            take_heritage(table, who, self.heritage, ability=self.ability)
        for role in self.roles:
            table.record(events.TraitGained(character=who, trait=role, kind=ROLE))
        equipment.outfit(table, who, armours=arms.ARMOURS, armour=self.armour, weapons=arms.CLASSES, weapon=self.weapon)
        self._start_at_level(table, who, sum(dice))
        stat_entry.add(table, who, numbers)
        if self.hp:
            missing = self.hp - hit_points.derived_hp(table.character(who), Settings.of(table))
            table.record(events.StatChanged(character=who, stat=hit_points.MAX_HP, amount=missing, reason="as entered"))
        deal_to_newcomer(table, who)

    @property
    def _level(self) -> int:
        return self.level or int(self.is_player_character)

    def _check(self, table: Table) -> None:
        if len(set(self.roles)) < len(self.roles):
            table.refuse(f"{self.name} cannot take the same role twice. Name different roles.", "roles")
        if self.is_player_character and not self.heritage:
            table.refuse(
                f"{self.name} needs one heritage: --heritage with one of {', '.join(heritages.HERITAGES)}.", "heritage"
            )
        if self.ability and not self.heritage:
            table.refuse(
                "--ability goes with a heritage that chooses one: demigod, superhuman, vampire or werebeast.", "ability"
            )
        if self.ability:
            check_heritage_ability(table, self.heritage, self.ability)
        fault = ""
        if self.order and Settings.of(table).assign != "free":
            fault = "At this table the six rolls go to STR, DEX, CON, INT, WIS, CHA in order (assign = in_order)."
        elif self.order and len(set(self.order)) < len(ABILITIES):
            fault = "The order names every ability once: str, dex, con, int, wis and cha as the rolls fall."
        if fault:
            table.refuse(fault, "order")
        if self.is_player_character:
            self._check_roles(table)
        if not self._level and not self.hp:
            table.refuse(
                f"{self.name} needs hit points: --hp NUMBER, or a --level whose hit dice are rolled.",
                "hp",
                instead="level",
            )

    def _check_roles(self, table: Table) -> None:
        wanted = 2 + heritages.HERITAGES[self.heritage].extra_roles
        if len(self.roles) != wanted:
            heritage, many = heritages.HERITAGES[self.heritage].name.lower(), len(self.roles)
            table.refuse(
                f"A new {heritage} has {wanted} roles, and {many} were named. More come with the picks of levels 4, 8, 12 …",
                "roles",
            )

    def _score(self, table: Table, who: str) -> None:
        """3d6 for each ability, in order (R0.108, Q0.47)."""
        if not self.scores and not self.is_player_character:
            return
        found = ability_scores.given_or_rolled(
            table, who, self.scores, ABILITIES, order=self.order, dice="3d6", what="ability"
        )
        for ability, score in found.items():
            table.record(events.StatChanged(character=who, stat=ability, amount=score, reason="creation"))

    def _start_at_level(self, table: Table, who: str, typed: int) -> None:
        """A higher start has the experience of its level, and every pick open (R0.111, Q0.79)."""
        if not self._level:
            return
        levels.begin_at(table, who, self._level, experience.row(self._level).experience)
        for level in picks_up_to(self._level):
            offer_pick(table, who, level)
        if self.hp:
            return
        total = typed or table.roll(f"{min(self._level, experience.LAST_DIE)}d6", roller=who, purpose="hit dice").total
        table.record(events.StatChanged(character=who, stat=hit_points.HIT_DICE, amount=total, reason="creation"))


class Published(data.Row):
    """A printed sheet: scores from STR to CHA, and the numbers that must follow from them."""

    name: str
    title: str
    rule: str
    level: int
    heritage: str
    scores: tuple[int, ...]
    armour_class: int
    hit_points: int
    speed: int
    roles: tuple[str, ...]
    gear: tuple[equipment.PrintedItem, ...]

    def hit_dice(self, settings: Settings) -> tuple[int, ...]:
        """Dice, as many as the level has, that give the printed hit points under these house rules (Q0.16)."""
        con = abilities.modifier(self.scores[ABILITIES.index("con")])
        counted = hit_points.con_levels(self.level, settings)
        total = self.hit_points - con * counted - experience.flat_hit_points(self.level, settings)
        count = min(self.level, experience.LAST_DIE)
        each, more = divmod(total, count)
        return (each + 1,) * more + (each,) * (count - more)


PUBLISHED = data.by_key(__package__, "published.json", Published)


def _enter_published(table: Table, sheet: Published, newcomer: verbs.Newcomer) -> None:
    name, key = newcomer.name or sheet.name, newcomer.id or ("" if newcomer.name else sheet.key)
    who = enter(table, name=name, id=key, kind=newcomer.kind, seat=newcomer.seat)
    for ability, score in zip(ABILITIES, sheet.scores, strict=True):
        table.record(events.StatChanged(character=who, stat=ability, amount=score, reason=sheet.rule))
    take_heritage(table, who, sheet.heritage)
    for role in sheet.roles:
        table.record(events.TraitGained(character=who, trait=role, kind=ROLE))
    equipment.give(table, who, ((thing.item, thing.use) for thing in sheet.gear))
    levels.begin_at(table, who, sheet.level, experience.row(sheet.level).experience)
    for place, face in enumerate(sheet.hit_dice(Settings.of(table)), 1):
        stat_entry.add(table, who, {hit_points.HIT_DICE: face}, reason=f"hit die {place}")
    table.record(events.StatChanged(character=who, stat=turns.SPEED_BASE, amount=sheet.speed, reason=sheet.rule))
    deal_to_newcomer(table, who)


BringIn = verbs.bring_in_verb(
    PUBLISHED,
    _enter_published,
    help="Bring in one of the published characters: Sherlock Holmes, Robin Hood or Count Dracula.",
)
