"""Attacks: to hit, damage, and the rest of a felling blow (R0.23, R0.36–R0.38, R0.58–R0.61, R0.165).

An attack is one d20 against the target's armour class. A natural 1 misses, a natural 20 hits and does the most that the
weapon can; both look at the die that was kept, and only attacks know them (QG.3, Q0.8).
"""

from functools import partial

import attrs

from rollbook.kit import d20, require, verbs, vocabulary
from rollbook.plugin import CampaignState, Character, DiceStep, Record, Role, Table, param
from rollbook.rulesets.storytoken.body import conditions, harm, hit_points
from rollbook.rulesets.storytoken.character import heritage_powers, roles
from rollbook.rulesets.storytoken.fight import arms, turns
from rollbook.rulesets.storytoken.fight.arms import HIDDEN, armour_class
from rollbook.rulesets.storytoken.fight.movement import place_of
from rollbook.rulesets.storytoken.magic.spells import SHOCKED
from rollbook.rulesets.storytoken.settings import Settings
from rollbook.rulesets.storytoken.tasks import checks, task_rolls


@attrs.frozen
class Blow(Record):
    """A blow: its attacker, target and weapon, and the place of the target."""

    attacker: Character
    target: Character
    weapon: arms.Weapon
    place: arms.Place


class Attack(task_rolls.TaskAction, verb="attack"):
    """Strike one target: 1d20 + ability + bonuses against its armour class, then the weapon's damage (R0.36)."""

    sentence = "strikes at {target}[ with {weapon:the}]"
    handles = verbs.attacks()
    typed_dice = (
        DiceStep(
            tests={"the d20 to hit": "to hit"},
            effects={"the weapon's damage": "damage", **hit_points.AWAKENING},
            whose=hit_points.OF_SPIRITS,
        ),
        SHOCKED,
    )

    attacker: str = param.character("who strikes", actor=True)
    target: str = param.character("who is struck at")
    weapon: str = param.gear(
        "with what: a weapon held, a class of weapons, unarmed or bite",
        choices=arms.WEAPON_WORDS,
        fits=arms.weapon_names,
    )
    distance: int = param.number(  # a player's to say where the GM has not, as nobody has a square: see ``distances``
        "how far away the target is; left out, what the GM has said, or near",
        default=0,
        minimum=0,
        maximum=arms.FARTHEST,
        unit="feet",
        gm_only=False,
    )
    band: str = param.choice(  # as the distance
        "or in which band, too far for feet", arms.BEYOND_FEET, default="", gm_only=False
    )
    damage_bonus: tuple[str, ...] = param.names("further bonuses to damage, as '+2 poison'", default=(), gm_only=True)
    unaware: tuple[str, ...] = param.choices(task_rolls.UNAWARE_HELP, task_rolls.UNAWARE, default=(), gm_only=False)
    informed: bool = param.flag(task_rolls.INFORMED_HELP, gm_only=False)
    cover: bool = param.flag("the target has partial cover", gm_only=False)
    carry_to: tuple[str, ...] = param.characters(
        "who takes the rest of a felling blow (Fighting)", default=(), gm_only=False
    )
    carry_distance: int = param.number(  # as the distance
        "how far away the farthest of them is, if the GM has not said",
        default=0,
        minimum=0,
        maximum=arms.FARTHEST,
        unit="feet",
        gm_only=False,
    )
    grappled: bool = param.flag("the GM rules that a vampire's bite feeds on the target", gm_only=True)
    tags: tuple[str, ...] = param.names(
        "what sort of damage it is: fire, silver, holy …", default=(), gm_only=True, of=vocabulary.DAMAGE
    )
    out_of_turn: bool = param.flag("the GM rules that it needs no turn", gm_only=True)

    check_available = verbs.available_if(partial(turns.take_action, attack=True))

    def check_taken(self, campaign: CampaignState, role: Role) -> None:
        """Refuse a player's weapon that the attacker does not hold, other than bare hands and a bite of theirs."""
        arms.ARMS.check_taken(campaign, role, self.attacker, self.weapon)

    def resolve(self, table: Table) -> None:
        attacker = turns.take_action(table, self.attacker, out_of_turn=self.out_of_turn, attack=True)
        target = require.living(table, self.target)
        weapon = arms.wield(attacker, self.weapon)
        place = self._check(table, attacker, target, weapon)
        conditions.end(table, attacker.id, HIDDEN)
        with task_rolls.TaskRolls(table) as rolls:
            blow = Blow(attacker, target, weapon, place)
            roll = self._roll_to_hit(table, rolls, blow)
            goal = armour_class(target, Settings.of(table), cover=self.cover)
            hits, outcome = d20.attack_outcome(roll.natural, reaches=roll.total >= goal)
            d20.record_roll(table, "attack", roll, goal, success=hits, outcome=outcome, against=target.id)
            if hits:
                self._harm(table, rolls, blow, roll)

    def _check(self, table: Table, attacker: Character, target: Character, weapon: arms.Weapon) -> arms.Place:
        """The place of the target. Refused for a target that cannot be struck at, or out of the weapon's reach."""
        require.other_targets(table, attacker, target.id)
        if target.has(conditions.DORMANT):
            table.refuse(f"{target.name} has no body to strike at until {target.name} awakens.", "target")
        hit_points.check_touches(table, attacker, "")
        if weapon.item not in (arms.UNARMED, arms.BITE):
            checks.check_thing(table, attacker, weapon.item, weapon.tags)
        place = self._check_range(table, attacker, target, weapon)
        task_rolls.check_unaware(table, self.unaware, target)
        if self.carry_to and not any(role.carries_over for role in roles.roles_of(attacker)):
            table.refuse(
                f"{attacker.name} has no role whose blows go on, as Fighting has. Leave out --carry-to.", "carry_to"
            )
        if self.grappled and weapon.item != arms.BITE:
            table.refuse("--grappled says that a bite feeds; it goes with the weapon bite only.", "grappled")
        if self.grappled and not heritage_powers.has_blood(target):
            table.refuse(
                f"{target.name} has no living blood to feed on. Leave out --grappled, and it is a bite like any.",
                "target",
            )
        return place

    def _check_range(self, table: Table, attacker: Character, target: Character, weapon: arms.Weapon) -> arms.Place:
        """The place of the target. Refused out of range, also for those the blow would go on to (R0.88, R0.165)."""
        if self.band and self.distance:
            table.refuse(
                "Say how far away the target is with --distance in feet or with --band, not with both.", "distance"
            )
        claimed = arms.Place(self.distance, self.band)
        place = place_of(table, attacker, target, claimed, "band" if self.band else "distance")
        reach = f"{attacker.name}'s {weapon.item} reaches {weapon.said_reach}"
        if not weapon.reaches(place):
            away = f"in the band {place.band}" if place.band else f"{place.feet} feet away"
            table.refuse(
                f"{target.name} is {away}, and {reach}. Move closer, or name a weapon that reaches farther.", "target"
            )
        farther = arms.Place(self.carry_distance)
        beyond = (place_of(table, attacker, table.character(name), farther, "carry_distance") for name in self.carry_to)
        for there in (farther, *beyond):
            if not weapon.reaches(there):
                away = f"in the band {there.band}" if there.band else f"{there.feet} feet away"
                table.refuse(f"The blow goes on to nobody {away}: {reach}.", "carry_to")
        return place

    def _roll_to_hit(self, table: Table, rolls: task_rolls.TaskRolls, blow: Blow) -> d20.RollResult:
        attacker, target, weapon, place = blow.attacker, blow.target, blow.weapon, blow.place
        settings = Settings.of(table)
        ease = conditions.ease_against(target)
        if weapon.is_strained(place):
            ease += d20.Advantage(disadvantage=("outermost range",))
        terms = [
            *arms.extra_terms(attacker, "to_hit", settings),
            *task_rolls.unaware_terms(table, attacker, self.unaware, damage=False),
        ]
        if self.informed:
            terms.append(task_rolls.informed_term(table, attacker, target.id))
        terms.extend(d20.bonuses(table, self.bonus))
        is_unarmed = weapon.item == arms.UNARMED and not weapon.is_ranged(place)
        kinds = ("attack", "unarmed") if is_unarmed else ("attack",)
        ability = arms.weapon_ability(attacker, weapon, place, settings)
        return self.roll_task(rolls, attacker, ability, *kinds, purpose="to hit", terms=terms, ease=ease)

    def _roll_damage(self, table: Table, blow: Blow, roll: d20.RollResult) -> int:
        """The weapon's dice and its terms; on a natural 20 the dice count their maximum (R0.38, Q0.9)."""
        settings = Settings.of(table)
        terms = (
            *arms.attack_terms(blow.attacker, blow.weapon, settings, "damage", blow.place),
            *task_rolls.unaware_terms(table, blow.attacker, self.unaware, damage=True),
            *d20.bonuses(table, self.damage_bonus),
        )
        if roll.natural == 20:
            total = arms.most_damage(blow.weapon) + sum([term.amount for term in terms])
        else:
            expression = d20.notation(arms.damage_dice(blow.weapon, settings), terms)
            total = table.roll(expression, roller=blow.attacker.id, purpose="damage").total
        return max(total, settings.min_damage_on_hit)

    def _harm(self, table: Table, rolls: task_rolls.TaskRolls, blow: Blow, roll: d20.RollResult) -> None:
        dealt = self._roll_damage(table, blow, roll)
        settings, source, name = Settings.of(table), blow.attacker.id, blow.target.id
        tags = tuple(dict.fromkeys((*blow.weapon.tags, *self.tags)))
        used = harm.felling(blow.target, dealt, tags, settings) if self.carry_to else 0
        carries = 0 < used < dealt
        suffered = harm.hurt(table, name, dealt, tags=tags, source=source, stop_at_zero=carries, blow=True, rolls=rolls)
        bleeds = heritage_powers.has_blood(blow.target) and any(blow.target.has(state) for state in conditions.VICTIMS)
        if self.grappled or (blow.weapon.item == arms.BITE and bleeds):  # what a bite feeds on (R0.157)
            heritage_powers.feed(table, blow.attacker, settings.half(suffered))
        if carries:
            self._carry_on(table, rolls, blow, roll.total, rest=dealt - used, tags=tags)

    def _carry_on(
        self, table: Table, rolls: task_rolls.TaskRolls, blow: Blow, total: int, *, rest: int, tags: tuple[str, ...]
    ) -> None:
        """The rest of the damage goes to the next target that the roll hits, until one does not fall (R0.165, Q0.54)."""
        settings, struck = Settings.of(table), {blow.attacker.id, blow.target.id}
        for name in self.carry_to:
            further = require.living(table, name)
            if name in struck or rest <= 0 or total < armour_class(further, settings):
                return
            struck.add(name)
            used, source = harm.felling(further, rest, tags, settings), blow.attacker.id
            harm.hurt(table, name, rest, tags=tags, source=source, stop_at_zero=used > 0, blow=True, rolls=rolls)
            rest = rest - used if used else 0
