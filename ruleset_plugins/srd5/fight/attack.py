"""The verb attack: to hit, critical hits, damage (R5.9–R5.14, R5.59–R5.68, R5.78–R5.89, R5.108).

``Blow`` is one attack on one target; ``roll_to_hit`` decides it, ``harm`` does its damage. ``EXTRA`` are further
parts of the damage (sneak attack, smites), ``AFTER_HIT`` and ``AFTER_MISS`` what follows (masteries): functions of
the blow.
"""

import re
from collections.abc import Callable, Iterable, Mapping

import attrs

from rollbook.kit import conditions, d20, formulas, require, turn_order, verbs
from rollbook.kit.remembering import remembered
from rollbook.plugin import CampaignState, Character, DiceStep, Record, Table, Term, events, param, slug
from rollbook.rulesets.srd5.catalogue.kinds import Attack as AttackEffect
from rollbook.rulesets.srd5.character import features
from rollbook.rulesets.srd5.effects.carrying_out import Cause, at_cantrip_level, carry_out
from rollbook.rulesets.srd5.fight import armour, damage, dying, places, states, turns, weapons
from rollbook.rulesets.srd5.fight.attack_edges import HIDDEN, Aim, AimedAction, check_may_target, of_aim
from rollbook.rulesets.srd5.fight.weapons import Damage, Strike
from rollbook.rulesets.srd5.monsters import actions
from rollbook.rulesets.srd5.tasks.d20_tests import ATTACK, THROWN, Test, TestAction, TestRolls, spend_next

CRITICAL_HITS = "critical hits"
"""A trait of the kind immunity: a critical hit on its bearer is a plain one."""


@attrs.define(kw_only=True)
class Landed(Record):
    """The result of an attack roll."""

    hits: bool = False
    critical: bool = False
    net: int = 0

    @property
    def advantage(self) -> bool:
        """True if the roll had advantage."""
        return self.net > 0


@attrs.define
class Blow(Record):
    """One attack on one target: with what, from where, by which verb, and in the end how it ``landed``."""

    table: Table
    rolls: TestRolls
    attacker: Character
    target: Character
    strike: Strike
    aim: Aim
    knock_out: bool = False
    is_opportunity: bool = False
    landed: Landed | None = None
    said: "Attack | None" = None

    @property
    def is_critical(self) -> bool:
        """True if the dice of the damage are rolled twice."""
        return self.landed is not None and self.landed.critical

    @property
    def how(self) -> dict[str, bool]:
        """The way in which its damage is dealt, as ``damage.deal`` and ``Cause`` name it."""
        return {"critical": self.is_critical, "knock_out": self.knock_out, "under_water": self.aim.under_water}


EXTRA: list[Callable[[Blow], Iterable[Damage]]] = []
LESS: list[Callable[[Blow], Iterable[tuple[str, int]]]] = []
TWICE: list[Callable[[Blow], bool]] = []
"""Functions for dice that are taken off the damage, with the least that is left, and for weapon dice rolled twice."""
CHECKS: list[Callable[[Blow], object]] = []
AFTER_HIT: list[Callable[[Blow, int], object]] = []
AFTER_MISS: list[Callable[[Blow], object]] = []
BEFORE: list[Callable[[Blow], bool]] = []
DIVERTED: list[Callable[[Blow], bool]] = []
"""Functions that stop an attack before the roll, or take a hit on themselves."""
EXTRA_ATTACK: list[Callable[[Table, Character, Strike], Strike]] = []
"""The way to pay for the extra attack of a light weapon, which gives the strike back as it then is."""

UNSEEN = "", "attacker", "target", "both"
STEALTHY = "stealth-attack"
"""A feature that leaves who was hidden so: the GM says where the turn ends without cover (R5.468)."""

ALWAYS_HITS = 20
CRITICAL_FACES = (("Superior Critical", 18), ("Improved Critical", 19))


def critical_from(who: Character, strike: Strike) -> int:
    """The lowest face that is a critical hit, if it hits: only a 20 always does (R5.13, Q5.13)."""
    return ALWAYS_HITS if strike.is_spell else _critical_from(who)


@remembered
def _critical_from(who: Character) -> int:
    return next((face for feature, face in CRITICAL_FACES if features.has(who, feature)), ALWAYS_HITS)


def roll_to_hit(blow: Blow, *, ease: d20.Advantage = d20.NO_ADVANTAGE, extra: tuple[Term, ...] = ()) -> Landed:
    """Roll 1d20 against armour class: a 20 always hits, a 1 never (R5.9, R5.13, R5.14)."""
    table, strike, target, aim = blow.table, blow.strike, blow.target, blow.aim
    for stops in BEFORE:
        if stops(blow):
            return Landed()
    test = Test(
        who=blow.attacker,
        kind=ATTACK,
        ability=strike.ability,
        against=target,
        form=weapons.MELEE if aim.melee else weapons.RANGED,
        near=aim.is_near,
        weapon=not strike.is_spell,
        sight=not aim.unseen_target,
        versus=(*(("opportunity",) if blow.is_opportunity else ()), *((THROWN,) if is_thrown(blow) else ())),
    )
    ease += of_aim(table, blow.attacker, target, strike, aim)
    roll = blow.rolls.test(test, (*strike.terms, *extra), purpose="attack", ease=ease)
    spend_next(table, test)
    goal = armour.armour_class(target, cover=armour.cover_of(table, target, aim.cover))
    hits = roll.natural == ALWAYS_HITS or (roll.natural != 1 and roll.total >= goal)
    crit = hits and roll.natural >= critical_from(blow.attacker, strike)
    crit = crit or (hits and aim.is_near and any(row.critical for row, _ in states.states_of(target)))
    crit = crit and not _takes_it_plainly(target)
    outcome = "critical hit" if crit else "hit" if hits else "miss"
    if hits and any(takes(blow) for takes in DIVERTED):
        hits, outcome = False, "hits something else"
    d20.record_roll(table, "attack", roll, goal, success=hits, outcome=outcome, against=target.id)
    return Landed(hits=hits, critical=hits and crit, net=roll.net)


def _takes_it_plainly(target: Character) -> bool:
    """True for whom a critical hit is a plain one."""
    immune = target.traits.get(CRITICAL_HITS) == damage.IMMUNITY
    return immune or bool(features.specials(target, "critical becomes hit"))


def is_thrown(blow: Blow) -> bool:
    """True for a melee weapon that leaves the hand, which is no ranged weapon."""
    weapon = blow.strike.weapon
    return weapon is not None and not blow.aim.melee and weapon.row.form == weapons.MELEE


def roll_spell(cause: Cause, effect: AttackEffect, target: str) -> Landed:
    """Roll a spell's or a thing's attack against one target (R5.219)."""
    table, melee = cause.table, effect.form == weapons.MELEE
    attacker, foe = table.character(cause.source), table.character(target)
    bonus = effect.bonus if isinstance(effect.bonus, int) and effect.bonus else cause.attack
    terms = (Term(bonus, "spell attack" if cause.is_magic else cause.name, "R5.219"),)
    strike = Strike(name=cause.name, terms=terms, range=effect.range, long=effect.long, is_spell=cause.is_magic)
    apart = places.distance(attacker, foe)
    feet = cause.distance or apart or (5 if melee else 30)
    aim = Aim(distance=feet, melee=melee, cover=cause.cover, measured=apart is not None)
    blow = Blow(table, cause.rolls, attacker, foe, strike, aim)
    return roll_to_hit(blow, ease=cause.ease, extra=cause.bonus)


def harm(blow: Blow) -> int:
    """Roll the damage of a hit, deal it, and do the rest of the hit (R5.78–R5.80). Returns what got through."""
    parts = [*blow.strike.parts, *_said_parts(blow), *(part for extra in EXTRA for part in extra(blow))]
    through = 0
    if parts:
        rolled = [(_roll_part(blow, part), part.type) for part in parts]
        if any(twice(blow) for twice in TWICE):
            rolled[0] = (max(rolled[0][0], _roll_part(blow, parts[0])), parts[0].type)
        for dice, least in (each for lessened in LESS for each in lessened(blow)):
            off = blow.table.roll(dice, roller=blow.attacker.id, purpose="damage").total
            rolled[0] = (max(rolled[0][0] - off, least), parts[0].type)
        through = damage.deal(blow.table, blow.target.id, rolled, source=blow.attacker.id, **blow.how)
    return through + _bring_about(blow, "hit")


def _bring_about(blow: Blow, case: str) -> int:
    """Do what a strike does in a case: ``hit``, ``miss``, ``always``. Returns the damage of it that got through."""
    effects = getattr(blow.strike, case)
    if not effects:
        return 0
    cause = cause_of(blow)
    carry_out(cause, effects, (blow.target.id,), f"{blow.strike.path}/{case}")
    return cause.dealt.get(blow.target.id, 0)


_MORE = re.compile(r"(?P<dice>[0-9]{1,3}(?:d[0-9]{1,4})?)\s*(?P<type>.*)", re.DOTALL)


def _said_parts(blow: Blow) -> Iterable[Damage]:
    """Further damage that the GM rules, ``1d6 necrotic``: of the weapon's own type, if none is said."""
    for text in blow.said.more if blow.said is not None else ():
        found = _MORE.fullmatch(text.strip().casefold())
        if found is None:
            blow.table.refuse(f"Further damage is dice and a type, as in '1d6 necrotic', not {text!r}.", "more")
        yield Damage(dice=found["dice"], type=found["type"] or blow.strike.type)


def _roll_part(blow: Blow, part: Damage) -> int:
    dice = formulas.doubled(part.dice) if blow.is_critical else part.dice
    if "d" not in dice:
        return max(int(dice) + sum(term.amount for term in part.terms), 0)
    return max(blow.table.roll(d20.notation(dice, part.terms), roller=blow.attacker.id, purpose="damage").total, 0)


def cause_of(blow: Blow, *, origin: str = "", name: str = "") -> Cause:
    """The cause of what an attack brings about besides its own damage."""
    origin, name, landed = origin or blow.strike.origin, name or blow.strike.name, blow.landed
    cause = Cause(table=blow.table, rolls=blow.rolls, source=blow.attacker.id, origin=origin, name=name)
    advantage = landed is not None and landed.advantage
    return cause.with_(advantage=advantage, weapon_type=blow.strike.type, **blow.how)


def strike(blow: Blow, *, ease: d20.Advantage = d20.NO_ADVANTAGE, extra: tuple[Term, ...] = ()) -> Landed:
    """Make an attack from the roll to all that follows from it."""
    for check in CHECKS if blow.said is not None and blow.said.features else ():
        check(blow)
    landed = blow.landed = roll_to_hit(blow, ease=ease, extra=extra)
    if blow.attacker.has(HIDDEN) and not (blow.said is not None and STEALTHY in map(slug, blow.said.features)):
        conditions.end(blow.table, blow.attacker.id, HIDDEN)
    if landed.hits:
        through = harm(blow)
        for after in AFTER_HIT:
            after(blow, through)
    else:
        _bring_about(blow, "miss")
        for missed in AFTER_MISS:
            missed(blow)
    _bring_about(blow, "always")
    return landed


ATTACK_DICE = DiceStep(tests={"the d20 to hit": "attack"}, effects={"the damage": "damage"})


class StrikeAction(TestAction):
    """A verb that strikes with a weapon, to be derived from."""

    typed_dice = (ATTACK_DICE, *dying.AFTER_HARM)

    attacker: str = param.character("who attacks", actor=True)
    target: str = param.character("who is attacked", usual=places.foes_of)
    weapon: str = param.gear(
        "a weapon, an attack of the stat block, or unarmed",
        default="",
        fits=weapons.weapon_names,
        after=("with",),
        gm_only=False,
    )
    knock_out: bool = param.flag("a blow that would bring them to 0 knocks them out", gm_only=False)


class Attack(StrikeAction, AimedAction, verb="attack"):
    """Attack a target with a weapon, an attack of the stat block, or bare hands: 1d20 against armour class (R5.59)."""

    sentence = "strikes at {target}[ with {weapon:the}]"
    handles = verbs.attacks()

    unseen: str = param.choice("who is unseen by the other", UNSEEN, default="", gm_only=False)
    pressed: bool = param.flag("an enemy beside the attacker spoils a shot", gm_only=False)
    two_handed: bool = param.flag("a versatile weapon in both hands", gm_only=False)
    thrown: bool = param.flag("it is thrown, although the target is near", gm_only=False)
    improvised: bool = param.flag("against its design, as a bow that is swung: 1d4, without proficiency", gm_only=False)
    ability: str = param.choice("the ability, where there is a choice", ("", "str", "dex"), default="", gm_only=False)
    under_water: bool = param.flag("under water", gm_only=False)
    extra: bool = param.flag("the extra attack with another light weapon, as a bonus action or by Nick", gm_only=False)
    second: str = param.character("the second creature, with Cleave", default="", gm_only=False)
    plain: bool = param.flag("without the weapon's mastery", gm_only=False)
    readied: bool = param.flag("it was readied, and is done with the reaction", gm_only=False)
    ally: bool = param.flag("an ally of the attacker is beside the target, if no squares say so", gm_only=False)
    features: tuple[str, ...] = param.names("features that go into it", default=(), gm_only=False, of="feature")
    more: tuple[str, ...] = param.names("further damage of a hit, as '1d6 necrotic'", default=(), gm_only=True)

    check_available = verbs.available_if(turns.check_may_attack)

    def settled(self, campaign: CampaignState, *, secret: bool) -> Mapping[str, events.ParameterValue]:  # noqa: ARG002
        """The weapon that was meant, where none is named."""
        return {} if self.weapon or self.attacker not in campaign.characters else {"weapon": self._usual(campaign)}

    def _usual(self, campaign: CampaignState) -> str:
        """The attack of who names none: of a stat block the next that reaches the target, or the weapon in hand."""
        who, fight = campaign.characters[self.attacker], campaign.encounter
        target = campaign.characters.get(self.target, who)
        feet = places.distance(who, target) or self.distance
        made = turn_order.spent_on(fight, turns.ATTACK) if fight is not None and fight.current == who.id else ()
        return actions.usual(who, feet, made) or weapons.usual(who, after=made if self.extra else ()).item

    def resolve(self, table: Table) -> None:
        target = require.living(table, self.target)
        attacker = turns.check_able(table, self.attacker)
        require.other_targets(table, attacker, target.id)
        cost = turns.REACTION if self.readied else self.cost
        found = strike_named(table, attacker, self.weapon or self._usual(table.campaign), self)
        if self.readied and not attacker.has(turns.READIED):
            table.refuse(f"{attacker.name} has readied nothing. First: ready {attacker.id} WHAT WHEN", "readied")
        if self.extra and not self.out_of_turn:
            found = EXTRA_ATTACK[0](table, attacker, found)
        else:
            turns.pay_attack(table, attacker, found.name, cost, out_of_turn=self.out_of_turn)
            turns.check_loaded(table, attacker, found)
        aim = self.aim(table, attacker, target, found)
        check_may_target(table, attacker, target, aim)
        if found.weapon is not None and not aim.melee:
            weapons.use_up(table, attacker, found.weapon, thrown=found.weapon.row.thrown)
        bonuses = d20.bonuses(table, self.bonus)
        with TestRolls(table, self.spared) as rolls:
            attacker, knock_out = table.character(attacker.id), self.knock_out and aim.melee
            blow = Blow(table, rolls, attacker, target, found, aim, knock_out=knock_out, said=self)
            strike(blow, ease=self.ease, extra=bonuses)

    def aim(self, table: Table, attacker: Character, target: Character, found: Strike) -> Aim:
        """The distance and what is between the two. Refused out of reach and range (R5.65, R5.67)."""
        measured = places.distance(attacker, target)
        apart = measured if measured is not None else self.distance
        melee = bool(found.reach) and not self.thrown and (apart or 0) <= found.reach
        if not melee and (apart or 0) > found.farthest:
            where = f"{target.name} is {apart} feet away"
            far = f"{found.farthest} feet" if found.range else f"{found.reach} feet in melee"
            table.refuse(f"{where}, and {attacker.name}'s {found.name} reaches {far}.", "target")
        return Aim(
            distance=apart or (5 if melee else found.range and min(found.range, 30)),
            melee=melee,
            cover=self.cover,
            unseen_attacker=self.unseen in ("attacker", "both"),
            unseen_target=self.unseen in ("target", "both"),
            pressed=self.pressed,
            under_water=self.under_water,
            measured=measured is not None,
        )


def strike_named(table: Table, who: Character, name: str, said: Attack | None = None) -> Strike:
    """The strike that somebody means: one of the stat block, a weapon, used as it is made for or not, or bare hands."""
    natural = actions.strike_of(who, name)
    if natural is not None:
        return natural
    weapon = weapons.find(table, who, name) if name else weapons.usual(who)
    if said is None:
        return weapons.strike_with(who, weapon)
    weapons.check_hands(table, who, weapon, both=said.two_handed)
    if said.improvised or (said.thrown and weapon.row.form == weapons.MELEE and not weapon.row.thrown):
        weapon = weapons.Weapon(weapon.item, weapons.IMPROVISED, weapons.IMPROVISED_ROW)
    return weapons.strike_with(who, weapon, ability=said.ability, two_handed=said.two_handed)


def cantrip_count(effect: AttackEffect, level: int, slot: int) -> int:
    """The number of attack rolls of a spell (R5.237)."""
    if effect.cantrip:
        return int(at_cantrip_level(str(effect.count or 1), tuple(map(str, effect.cantrip)), level))
    return int(max(effect.count, 1) + effect.slot * slot)
