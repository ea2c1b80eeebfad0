"""Attacks, opportunity attacks and explosions: to hit, and damage (R1.18–R1.21, R1.26–R1.33, Q1.20)."""

from rollbook.kit import d20, require, verbs, vocabulary
from rollbook.plugin import Action, CampaignState, Character, DiceStep, Refused, Role, Table, param
from rollbook.rulesets.luckpoint import abilities, arms, checks, encounter, hit_points, luck, saves
from rollbook.rulesets.luckpoint.settings import HALF, Settings

FIGHTING = tuple(key for key in abilities.SKILLS if key != abilities.LOCATION)


class Attack(encounter.TaskAction, verb="attack"):
    """Strike one target: 1d20 and Maneuvers against its armour class, then the weapon's damage (R1.18)."""

    sentence = "strikes at {target}[ with {weapon:the}]"
    handles = verbs.attacks()
    typed_dice = (DiceStep(tests={"the d20 to hit": "to hit"}, effects={"the damage": "damage"}),)

    attacker: str = param.character("who strikes", actor=True)
    target: str = param.character("who is struck at")
    weapon: str = param.gear(
        "with what: a weapon held, a class of weapons, or unarmed", choices=arms.WEAPON_WORDS, fits=arms.aimed_weapons
    )
    skill: str = param.choice(
        "the skill; a power may name another one than Maneuvers", FIGHTING, default=abilities.MANEUVERS, gm_only=True
    )
    cover: str = param.choice(arms.COVER_HELP, tuple(arms.COVERS), default=arms.NO_COVER, gm_only=False)
    opportunity: bool = param.flag(
        "a reaction: the target leaves the reach of the attacker's melee weapon", gm_only=False
    )
    damage_bonus: tuple[str, ...] = param.names("further bonuses to damage, as '+2 poison'", default=(), gm_only=True)
    tags: tuple[str, ...] = param.names(
        "what sort of damage it is: fire, silver, holy …", default=(), gm_only=True, of=vocabulary.DAMAGE
    )

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        if not encounter.may_react(table, who):
            encounter.take_action(table, who)

    def check_taken(self, campaign: CampaignState, role: Role) -> None:
        """Refuse a player's weapon that the attacker does not hold, other than bare hands."""
        arms.ARMS.check_taken(campaign, role, self.attacker, self.weapon)

    def resolve(self, table: Table) -> None:
        target = require.living(table, self.target)
        weapon = arms.wield(table.character(self.attacker), self.weapon)
        self._check(table, target, weapon)
        attacker = (
            encounter.react(table, self.attacker, target) if self.opportunity else self.begin(table, self.attacker)
        )
        roll = self.roll(table, attacker, arms.to_hit_terms(attacker, self.skill), purpose="to hit")
        if self._lands(table, attacker, target, roll):
            tags = tuple(dict.fromkeys((*weapon.tags, *self.tags)))
            dealt = self._damage(table, attacker, weapon, roll)
            hit_points.hurt(table, target.id, dealt, tags=tags, source=attacker.id)

    def _check(self, table: Table, target: Character, weapon: arms.Weapon) -> None:
        attacker = table.character(self.attacker)
        require.other_targets(table, attacker, target.id)
        if arms.COVERS[self.cover].hides:
            table.refuse(
                f"{target.name} is behind total cover and cannot be attacked (R1.24). Move, or wait.", "target"
            )
        if weapon.kind.is_blast and weapon.kind.metres:
            table.refuse(
                f"Nobody aims an explosion at one target. Everybody near it saves: explosion {target.id}", "weapon"
            )
        if self.opportunity and weapon.kind.is_ranged:
            table.refuse(
                f"An opportunity attack needs a melee weapon or fists, and the {weapon.item} is neither.", "opportunity"
            )

    def _lands(self, table: Table, attacker: Character, target: Character, roll: d20.RollResult) -> bool:
        goal = arms.armour_class(target, cover=self.cover)
        hits, outcome = d20.attack_outcome(roll.natural, reaches=roll.total >= goal)
        if not abilities.can_succeed(attacker, self.skill):
            hits, outcome = False, abilities.UNTRAINED
        d20.record_roll(table, "attack", roll, goal, success=hits, outcome=outcome, against=target.id)
        return hits

    def _damage(self, table: Table, attacker: Character, weapon: arms.Weapon, roll: d20.RollResult) -> int:
        """The weapon's dice and all that is added; on a natural 20 the dice need no rolling (R1.19, Q1.17, QG.2)."""
        terms = (*arms.damage_terms(attacker, weapon, Settings.of(table)), *d20.bonuses(table, self.damage_bonus))
        if roll.natural == 20:
            total = weapon.kind.most + sum([term.amount for term in terms])
        else:
            total = table.roll(d20.notation(weapon.kind.dice, terms), roller=attacker.id, purpose="damage").total
        return max(total, Settings.of(table).min_damage_on_hit)


BLASTS = tuple(key for key, row in arms.CLASSES.items() if row.is_blast)
EXPLOSION = "explosion"


class Explode(Action, verb="explosion"):
    """Something blows up: everybody near it dodges with a Maneuvers save, for half of the damage (Q1.20)."""

    sentence = "sets off {name} near {targets}|sets off an explosion near {targets}"
    typed_dice = (
        DiceStep(tests={"the d20 of each who dodges": saves.SAVING_THROW}, effects={"the damage for all": "damage"}),
    )

    targets: tuple[str, ...] = param.characters("everybody near it: within 3 m (10 ft) of two sticks of dynamite")
    kind: str = param.choice("dynamite and the like, or a rocket", BLASTS, default=EXPLOSION, gm_only=True)
    attacker: str = param.character(
        "who sets it off, and holds it: it is their action; the GM may leave it out",
        default="",
        actor=True,
        gm_only=False,
    )
    name: str = param.label("what blows up", default="explosion", gm_only=False)
    advantage: tuple[str, ...] = param.names("what makes dodging easier for everybody", default=(), gm_only=True)
    disadvantage: tuple[str, ...] = param.names("what makes dodging harder for everybody", default=(), gm_only=True)
    lucky: tuple[str, ...] = param.characters(
        "who spends a luck point first, and is rid of that", default=(), gm_only=True
    )
    out_of_turn: bool = param.flag("the GM rules that it needs no turn", gm_only=True)

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        holder = table.character(who)
        if not require.is_gm(table) and not _holds(holder, EXPLOSION):
            table.refuse(_nothing_held(holder))
        encounter.take_action(table, who)

    def check_taken(self, campaign: CampaignState, role: Role) -> None:
        """Refuse to let a player set off what the attacker does not hold: that is for the GM (R1.30, R1.31)."""
        who = campaign.characters.get(self.attacker)
        if who is not None and role is not Role.GM and not _holds(who, self.kind):
            raise Refused(_nothing_held(who), parameter="attacker")

    def resolve(self, table: Table) -> None:
        self._check(table)
        if self.attacker:
            encounter.take_action(table, self.attacker, out_of_turn=self.out_of_turn)
        with luck.TaskRolls(table) as rolls:
            saved = {name: self._dodges(table, rolls, name) for name in self.targets}
        if all(saved.values()) and Settings.of(table).explosion_on_success != HALF:
            return
        roller = self.attacker or table.seat or self.targets[0]
        total = table.roll(arms.CLASSES[self.kind].dice, roller=roller, purpose="damage").total
        for name, made in saved.items():
            self._harm(table, name, total, saved=made)

    def _check(self, table: Table) -> None:
        if not self.targets:
            table.refuse(
                "Nobody is near, so nothing comes of it. Name everybody within reach of the explosion.", "targets"
            )
        require.distinct_living(table, self.targets)
        for name in self.lucky:
            if name not in self.targets:
                table.refuse(
                    f"{table.character(name).name} is not near the explosion. Name all who are as targets.", "targets"
                )

    def _dodges(self, table: Table, rolls: luck.TaskRolls, name: str) -> bool:
        who = table.character(name)
        ease = d20.Advantage(self.advantage, self.disadvantage)
        ease = luck.before_rolling(table, who, ease, luck=name in self.lucky)
        one = checks.Contestant(who=who, rating=abilities.MANEUVERS, purpose=saves.SAVING_THROW, ease=ease)
        return saves.save_against(table, rolls, one, Settings.of(table).explosion_save, against=self.name)

    def _harm(self, table: Table, name: str, total: int, *, saved: bool) -> None:
        """Deal all of the damage, or the part that a save lets through, which may be nothing (QG.2)."""
        settings = Settings.of(table)
        if not saved:
            dealt = max(total, settings.min_damage_on_hit)
        else:
            dealt = settings.half(total) if settings.explosion_on_success == HALF else 0
        if dealt:
            hit_points.hurt(table, name, dealt, tags=(self.kind,), source=self.attacker or self.name)


def _holds(who: Character, kind: str) -> bool:
    return any(weapon.kind is arms.CLASSES[kind] for weapon in arms.held_weapons(who))


def _nothing_held(who: Character) -> str:
    return f"{who.name} holds nothing that explodes, dynamite for example, so what blows up here is the GM's to say."
