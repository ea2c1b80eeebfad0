"""Attacks: aiming, then a d20, Weapon or Shooting Skill and the foe's armour class make 20 or more (R3.76–R3.81, R3.85)."""

from __future__ import annotations

import attrs

from rollbook.kit import conditions, d20, open_choices, require, verbs, vocabulary
from rollbook.plugin import CampaignState, Character, DiceStep, Record, Role, Table, param
from rollbook.rulesets.russell.delve import fire, lanterns, light, lighting
from rollbook.rulesets.russell.fight import arms, criticals, hit_points, movement, rolls, turns, wounds
from rollbook.rulesets.russell.settings import house

TARGET = 20
"""The total that every attack must reach (R3.77)."""


class Attack(verbs.RollAction, verb="attack"):
    """Strike or shoot at somebody: 1d20 + skill + the foe's armour class, and 20 or more hits (R3.77)."""

    sentence = "strikes at {target}[ with {weapon:the}]"
    handles = verbs.attacks()
    typed_dice = (
        DiceStep(
            tests={"the d20 to hit": "to hit", "a die for who else is hit, if a shot strays": "who is hit"},
            effects={"the damage": "damage", "a d6 for what a torch ignites": "ignite"},
        ),
        wounds.WOUNDING,
        wounds.STUNNING,
    )

    attacker: str = param.character("who strikes", actor=True)
    target: str = param.character("the target")
    weapon: str = param.gear(
        "with what: a weapon held or a kind of weapon", choices=tuple(arms.KINDS), fits=arms.weapon_names
    )
    charge: bool = param.flag("run at an open foe, with room to get moving: Advantage (R3.85)", gm_only=False)
    press: bool = param.flag("Advantage, but armour class is 4 worse until the next turn (R3.87)", gm_only=False)
    free: bool = param.flag(
        "a free attack that a foe's fumble, failed stunt or coming near allows (R3.79, R3.86)", gm_only=False
    )
    melee: tuple[str, ...] = param.characters(
        "allies who fight the target hand to hand during a shot; left out, those engaged", default=(), gm_only=True
    )
    on_20: str = param.choice(
        "what a natural 20 does; left open if left out, or if it does not apply (Q3.27)",
        ("", *criticals.EFFECTS),
        default="",
        gm_only=False,
    )
    fumble: str = param.choice(
        "what a natural 1 brings, if not the usual (Q3.26)", ("", *criticals.FUMBLES), default="", gm_only=True
    )
    spare: bool = param.flag("leave a foe helpless who would fall dead (Q3.11)", gm_only=False)
    to_wound: bool = param.flag("wound with bare hands instead of knocking out (R3.81)", gm_only=False)
    wound: str = param.words("a Wound in the GM's words, instead of the chart's (R3.16)", default="", gm_only=True)
    brings: tuple[str, ...] = param.choices("what that Wound brings", wounds.DOWN, default=(), gm_only=True)
    range: str = param.words(
        "the range, if the GM rules that it differs from what was played", default="", gm_only=True, of=vocabulary.RANGE
    )
    damage: str = param.dice("other dice than the weapon's, for special attacks (R3.98)", default="", gm_only=True)
    bonus: tuple[str, ...] = param.names("further bonuses to hit, as '+2 high ground'", default=(), gm_only=True)
    damage_bonus: tuple[str, ...] = param.names("further bonuses to damage, as '+1 silver'", default=(), gm_only=True)
    tags: tuple[str, ...] = param.names(
        "what sort of damage it is: fire, silver …", default=(), gm_only=True, of=vocabulary.DAMAGE
    )
    out_of_turn: bool = param.flag("the GM rules that it needs no turn", gm_only=True)

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        is_owed_one = conditions.with_data(table.character(who), turns.FREE_ATTACK)
        _check_critical(table, (turns.can_act if is_owed_one else turns.take_attack)(table, who))

    def check_taken(self, campaign: CampaignState, role: Role) -> None:
        """Refuse a player's weapon that the attacker does not hold, other than natural ones."""
        arms.ARMS.check_taken(campaign, role, self.attacker, self.weapon)

    def resolve(self, table: Table) -> None:
        if self.free:
            attacker = turns.take_free_attack(table, self.attacker, self.target)
        else:
            attacker = turns.take_attack(table, self.attacker, out_of_turn=self.out_of_turn)
        target = require.living(table, self.target)
        _check_critical(table, attacker)
        self._check_rulings(table, target)
        require.other_targets(table, attacker, target.id)
        blow = aim(table, attacker, target, self.weapon, charge=self.charge, ruled=self.range)
        melee = self._melee(table, blow)
        if not blow.is_ranged:
            movement.came_near(table, attacker.id, target.id)
        if self.press:
            conditions.begin(table, attacker.id, arms.PRESSING, again=True)
        if target.has(conditions.HELPLESS):  # No roll: the blow hits and deals a Wound (R3.91, Q3.53).
            d20.record_check(table, attacker.id, "attack", 0, 0, success=True, outcome="helpless", against=target.id)
            hit_points.strike_helpless(table, target.id, self._manner(blow))
        else:
            self._strike(table, blow, melee)

    def _check_rulings(self, table: Table, target: Character) -> None:
        hit_points.check_described(table, self.wound, self.brings)
        if self.spare and hit_points.takes_wounds(target, house(table)):
            table.refuse(
                f"{target.name} is wounded at 0 hit points and does not fall dead, so --spare is wasted. Leave it out.",
                "spare",
            )

    def _melee(self, table: Table, blow: Blow) -> tuple[str, ...]:
        """A shot endangers the allies named, or else those engaged with the target (R3.80)."""
        if self.melee and not blow.is_ranged:
            table.refuse(
                "--melee names allies whom a stray shot may hit; a blow hand to hand endangers nobody else.", "melee"
            )
        return criticals.endangered(table, blow.attacker, blow.target, self.melee) if blow.is_ranged else ()

    def _strike(self, table: Table, blow: Blow, melee: tuple[str, ...]) -> None:
        striker = blow.attacker
        skill = arms.shooting_term(striker) if blow.is_ranged else arms.weapon_term(striker, house(table))
        manner = tuple(word for word, chosen in (("charge", self.charge), ("press", self.press)) if chosen)
        ease = self.ease + d20.Advantage(advantage=manner) + wounds.prey_ease(blow.target)
        terms = (skill, *d20.bonuses(table, self.bonus), arms.target_term(blow.target))
        roll = rolls.roll_test(table, blow.attacker, terms, kind="attack", purpose="to hit", ease=ease)
        blow = attrs.evolve(blow, natural=roll.natural)
        hits, outcome = d20.attack_outcome(roll.natural, reaches=roll.total >= TARGET)
        against = blow.target.id
        d20.record_check(
            table, striker.id, "attack", roll.total, TARGET, success=hits, outcome=outcome, against=against
        )
        if hits:
            self._harm(table, blow)
        elif melee and roll.natural <= criticals.ASTRAY:
            self._go_astray(table, blow, melee)
        elif roll.natural == 1:
            usual = criticals.MISFORTUNE if blow.is_ranged else criticals.FREE
            criticals.fumble(table, blow.attacker.id, blow.target.id, self.fumble or usual)

    def _harm(self, table: Table, blow: Blow) -> None:
        """Damage; on a natural 20 twice as much, or an effect as well (R3.78, Q3.27)."""
        dealt = self._roll_damage(table, blow)
        striker = blow.attacker.id  # a torch that hits ignites on the 1 of a d6 of its own (Q3.51)
        ignites = blow.weapon.kind.ignites and table.roll("1d6", roller=striker, purpose="ignite").total == 1
        before = table.character(blow.target.id)
        hit_points.hurt(table, blow.target.id, dealt, self._manner(blow))
        lanterns.lantern_struck(table, blow.target.id, blow.natural)
        if ignites:
            fire.set_alight(table, blow.target.id, source=striker)
        if blow.natural == 20:
            critical = criticals.offer_critical(table, blow.attacker.id, before, dealt, self._manner(blow))
            attacker = table.character(blow.attacker.id)
            if critical and attacker.choices[critical].option(self.on_20) is not None:
                open_choices.choose(table, attacker, critical, self.on_20)
                criticals.settle_critical(table, attacker, critical, self.on_20)

    def _roll_damage(self, table: Table, blow: Blow) -> int:
        terms = (*arms.damage_terms(blow.attacker, blow.weapon, blow.band), *d20.bonuses(table, self.damage_bonus))
        expression = d20.notation(self.damage or blow.weapon.dice, terms)
        total = table.roll(expression, roller=blow.attacker.id, purpose="damage").total
        return max(total, house(table).min_damage_on_hit)

    def _manner(self, blow: Blow) -> hit_points.Manner:
        return hit_points.Manner(
            source=blow.attacker.id,
            tags=(hit_points.UNARMED, *self.tags) if blow.weapon.is_unarmed else self.tags,
            spare=self.spare,
            to_wound=self.to_wound,
            wound=self.wound,
            brings=self.brings,
        )

    def _go_astray(self, table: Table, blow: Blow, melee: tuple[str, ...]) -> None:
        """Hit another character in the melee with a missing die of 1 to 5, in any armour (R3.80, Q3.28, QG.6)."""
        struck = criticals.hit_instead(table, blow.attacker, melee, check="attack", natural=blow.natural)
        other = attrs.evolve(blow, target=table.character(struck), natural=0)
        hit_points.hurt(table, struck, self._roll_damage(table, other), self._manner(other))


@attrs.frozen
class Blow(Record):
    """A roll to hit: attacker, target, weapon, the number of bands between them, and the die."""

    attacker: Character
    target: Character
    weapon: arms.Weapon
    band: int
    natural: int = 0

    @property
    def is_ranged(self) -> bool:
        """Tell if it was shot or thrown."""
        return self.weapon.is_ranged(self.band)


def aim(table: Table, attacker: Character, target: Character, weapon: str, *, charge: bool, ruled: str) -> Blow:
    """Aim a blow. Refused beyond the weapon's reach, or by the light (R3.64, R3.66). ``ruled`` is the GM's range."""
    bands = house(table).ranges
    held = arms.wield(attacker, weapon)
    if held.kind.ignites:
        lighting.check_torch(table, attacker)
    lighting.check_hands(table, attacker, held)
    band = movement.band_number(table, ruled) if ruled else movement.range_between(table, attacker.id, target.id)
    if charge:
        _charge(table, attacker, target, band, is_ruled=bool(ruled))
        band = 0
    reach = movement.reached(bands, held.kind.reach)
    if band > reach:
        table.refuse(
            f"{target.name} is at {bands[band]} range, and {attacker.name}'s {held.item} reaches {bands[reach]}. "
            f"Move first: move {attacker.id} --to {bands[band - 1]} --foes {target.id}",
            table.parameter_of(target.id),
        )
    blow = Blow(attacker, target, held, band)
    if blow.is_ranged:
        if charge:
            table.refuse("A charge ends hand to hand, and this is a shot. Leave out --charge.", "charge")
        light.check_shot(table, attacker, target, bands[band], bands)
    return blow


def _charge(table: Table, attacker: Character, target: Character, band: int, *, is_ruled: bool) -> None:
    """Charge an open foe within a move, unengaged before and engaged after; the GM may rule that it works (R3.85)."""
    bands = house(table).ranges
    why = "" if is_ruled else _no_room(table, attacker, target, band)
    if why:
        table.refuse(
            f"{why} Leave out --charge; if there is room after all, the GM says so: --range {bands[min(1, len(bands) - 1)]}",
            "charge",
        )
    if band > 1:
        table.refuse(f"{target.name} is too far away to be charged; come to {bands[1]} range first.", "charge")
    movement.check_way(table, attacker)
    if band:
        movement.arrive_at(table, attacker.id, [target.id], 0)


def _no_room(table: Table, attacker: Character, target: Character, band: int) -> str:
    """The reason why the attacker cannot get moving, or the foe is not open; "" if there is none."""
    if table.encounter is None:
        return "" if require.is_gm(table) else "Outside a fight only the GM knows whether there is room to get moving."
    if band == 0:
        return f"{attacker.name} is engaged with {target.name} and has no room to get moving."
    if target.has(wounds.SCREENED):
        return f"{target.name} is screened and not open to a charge."
    near = [
        foe for foe in movement.opponents(table, attacker) if not movement.range_between(table, attacker.id, foe.id)
    ]
    held = next((foe for foe in near if not any(foe.has(state) for state in (*turns.KEPT_OUT, wounds.FLOORED))), None)
    return f"{attacker.name} is hand to hand with {held.name} and has no room to get moving." if held else ""


def _check_critical(table: Table, attacker: Character) -> None:
    """Refuse another blow before the effect of the last natural 20 is chosen."""
    critical = open_choices.first_of(attacker, criticals.CRITICAL)
    if critical:
        table.refuse(f"The last blow was a natural 20. Say first what it does: choose {attacker.id} {critical} …")
