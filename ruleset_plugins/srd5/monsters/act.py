"""The verb act, and the features of stat blocks at work: attacks, multiattacks, spells, effects (R5.301, R5.304–R5.311).

Attacks are made as by ``attack``; everything else is carried out as effects. An action costs the action, unless it is a
part of a multiattack that was begun; a bonus action, a reaction and a legendary action cost theirs, a trait nothing.
"""

import difflib
from collections.abc import Iterator, Mapping
from functools import partial

from rollbook.kit import catalogues, require, turn_order
from rollbook.plugin import CampaignState, Character, Table, events, not_found, param, slug
from rollbook.rulesets.srd5.catalogue import Effect, Feature, Monster, kinds
from rollbook.rulesets.srd5.effects import rolls
from rollbook.rulesets.srd5.effects.carrying_out import Carry, Cause, Targets, carrier, carry_out, leave_to_gm, note
from rollbook.rulesets.srd5.effects.lasting import OF, effects_on
from rollbook.rulesets.srd5.fight import armour, dying, movement, states, turns
from rollbook.rulesets.srd5.fight.actions import GRANTED, TurnAction
from rollbook.rulesets.srd5.fight.attack import Attack
from rollbook.rulesets.srd5.magic import casting, spells
from rollbook.rulesets.srd5.monsters import actions, uses
from rollbook.rulesets.srd5.monsters.stat_blocks import block_of, feature_called, features_of
from rollbook.rulesets.srd5.tasks.d20_tests import TestRolls

COSTS = {"actions": turns.ACTION, "bonus_actions": turns.BONUS, "reactions": turns.REACTION, "traits": turns.FREE}
LEGENDARY = "legendary_actions"


def names_of(who: Character) -> tuple[str, ...]:
    """The names of all that a stat block has."""
    return tuple(each.name for each in features_of(who))


class Act(TurnAction, turns.PaidVerb, verb="act"):
    """Do what a stat block says, by its name, or something else: use a thing, draw, open, drink (R5.36, R5.205).

    ``--free`` is the one thing a turn that costs nothing.
    """

    sentence = "acts: {what}[ on {targets}]"
    typed_dice = (dying.dice_of("target"), *dying.AFTER_HARM)

    what: str = param.words("what is done: something of the stat block, or anything", fits=names_of, gm_only=False)
    free: bool = param.flag("the one thing a turn that costs nothing", gm_only=False)
    targets: tuple[str, ...] = param.characters("on whom: all who are in its area or range", default=(), gm_only=False)
    chosen: tuple[str, ...] = param.names("what is chosen where it leaves a choice", default=(), gm_only=False)
    spell: str = param.words("which spell, where it casts one of several", default="", gm_only=False)
    cover: str = param.choice("the targets' cover", tuple(armour.COVER), default="", gm_only=False)

    def settled(self, campaign: CampaignState, *, secret: bool) -> Mapping[str, events.ParameterValue]:  # noqa: ARG002
        """The feature and the targets of words that name both, as in ``act dragon "Fire Breath" kara,odo``."""
        who = campaign.characters.get(self.who)
        block = block_of(who) if who is not None else None
        if block is None or self.targets or feature_called(block, self.what) is not None:
            return {}
        what, targets = catalogues.split_off(campaign, self.what, partial(feature_called, block))
        return {"what": what, "targets": targets} if targets else {}

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        """Refuse those who have no stat block out of their turn: others have reactions and legendary actions."""
        if block_of(table.character(who)) is None:
            turns.own_turn(table, who)

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        block = block_of(who)
        feature = feature_called(block, self.what) if block is not None else None
        if block is None or feature is None:
            self._check_is_no_feature(table, names_of(who))
            if self.free:
                turns.handle(table, turns.own_turn(table, self.who), self.what)
            else:
                self.begin(table)
            return
        if needs_target(block, feature) and not self.targets:
            table.refuse(f"Whom does {feature.name} aim at? act {who.id} {feature.name!r} NAME,NAME", "targets")
        targets = tuple(require.living(table, name).id for name in self.targets)
        check_fit(table, feature, targets)
        self.pay(table, who, block, feature)
        with TestRolls(table) as rolls:
            chosen = tuple(word.casefold() for word in (self.spell, *self.chosen) if word)
            cause = cause_of(table, rolls, who, feature).with_(chosen=chosen, cover=self.cover)
            use(cause, feature, targets or (who.id,))

    def _check_is_no_feature(self, table: Table, known: tuple[str, ...]) -> None:
        """Raise NotFound for what is nearly the name of a feature; anything else is done in words."""
        if not self.what.strip():
            table.refuse("Say what is done, as in: act WHO 'drinks the potion'", "what")
        if difflib.get_close_matches(slug(self.what), map(slug, known), cutoff=0.7):
            raise not_found("feature of the stat block", self.what, known)

    def pay(self, table: Table, who: Character, block: Monster, feature: Feature) -> None:
        """Pay for a feature with its part of the turn and one of its uses (R5.307–R5.311)."""
        group = next(group for group in (*COSTS, LEGENDARY) if feature in getattr(block, group))
        strikes = actions.attack_in(feature) is not None
        if group != "traits":
            turns.check_able(table, who.id)
        if self.out_of_turn:
            pass
        elif group == LEGENDARY and not self.cost:
            uses.spend_legendary(table, who)
        elif group == "actions" and not self.cost and (strikes or actions.goes_on(who, feature.name, ())):
            for _ in self.targets if strikes else (feature,):
                turns.pay_attack(table, who, feature.name, "", out_of_turn=False)
        elif group != "traits" or self.cost:
            turns.take(table, who.id, self.cost or COSTS.get(group, turns.FREE))
        uses.spend(table, table.character(who.id), feature)


HEADS = "heads"
"""The pool that counts the heads of a hydra; the stat block says how many it begins with."""

ON_OTHERS = ("attack", "save", "multiattack")
BY_THEMSELVES = frozenset(("would drop to zero", "damaged"))
"""Moments that the rules watch and nobody can choose."""


def needs_target(block: Monster, feature: Feature) -> bool:
    """True for what does nothing without somebody to do it to; a spell may be cast on oneself."""
    if any(each.kind in ON_OTHERS for each in feature.effects):
        return True
    named = (name for each in feature.effects if isinstance(each, kinds.Use) for name in each.names)
    used = (feature_called(block, name) for name in named)
    return any(each is not None and each is not feature and needs_target(block, each) for each in used)


def check_fit(table: Table, feature: Feature, targets: Targets) -> None:
    """Refuse a save that is for none of the targets: too large, or not held as it must be; the willing are the GM's."""
    saves = [each for each in feature.effects if isinstance(each, kinds.Save) and "willing" not in each.having]
    for effect in saves if len(saves) == len(feature.effects) and targets else ():
        if not any(rolls.is_fit(table.character(name), effect) for name in targets):
            wants = filter(None, (f"{effect.size} at most" if effect.size else "", " or ".join(effect.having)))
            table.refuse(f"{feature.name} is for those who are {' and '.join(wants)}.", "targets")


def cause_of(table: Table, rolls: TestRolls, who: Character, feature: Feature) -> Cause:
    """The cause of what a feature of somebody's stat block does."""
    block = block_of(who)
    origin = f"monster:{block.key if block is not None else ''}:{feature.name}"
    return Cause(table=table, rolls=rolls, source=who.id, origin=origin, name=feature.name)


def within_reach(cause: Cause, targets: Targets) -> Targets:
    """The targets without those whom a success has made proof against this feature."""
    immune = {name: effects_on(cause.table.character(name), "immune") for name in targets}
    proof = {name for name, held in immune.items() for each in held if each.data.get(OF) == cause.origin}
    return tuple(name for name in targets if name not in proof)


def use(cause: Cause, feature: Feature, targets: Targets) -> None:
    """Do all that a feature does; one without effects is words for the GM."""
    if feature.words and not feature.effects:
        note(cause, f"{feature.name}: {feature.words}")
    carry_out(cause, feature.effects, within_reach(cause, targets), ways=OWN)


def when(cause: Cause, effect: kinds.When, targets: Targets, path: str) -> None:
    """Do now what waits for a moment that somebody chooses."""
    if set(effect.when) & BY_THEMSELVES:
        note(cause, f"{cause.name} happens by itself.")
    else:
        carry_out(cause, effect.do, targets, f"{path}/do")


def attack(cause: Cause, effect: Effect, targets: Targets, path: str) -> None:  # noqa: ARG001 - as Carry
    """Make the attack of a feature, which is paid for, against each target that still stands (R5.304)."""
    table, who = cause.table, cause.source
    for name in targets:
        if not table.character(name).has(states.DEAD) and not states.is_unable(table.character(who)):
            Attack(attacker=who, target=name, weapon=cause.name, cover=cause.cover, out_of_turn=True).resolve(table)


def use_other(cause: Cause, effect: kinds.Use, targets: Targets, path: str) -> None:
    """Use another feature of the stat block, or as many of several as it says, the chosen ones first."""
    if effect.given:
        leave_to_gm(cause, effect, targets, path)
        return
    for name in chosen_of(cause, effect.names, effect.choose or len(effect.names)):
        use_called(cause, name, targets)


def chosen_of(cause: Cause, named: tuple[str, ...], many: int) -> tuple[str, ...]:
    """As many of some names, those that were chosen before the others."""
    wanted = set(map(slug, cause.chosen))
    return tuple(sorted(named, key=lambda name: slug(name) not in wanted))[:many]


def use_called(cause: Cause, name: str, targets: Targets) -> None:
    """Use a feature of the source's stat block by its name."""
    block = block_of(cause.table.character(cause.source))
    feature = feature_called(block, name) if block is not None else None
    if block is not None and feature is not None:
        use(cause.with_(origin=f"monster:{block.key}:{feature.name}", name=feature.name), feature, targets)


def multiattack(cause: Cause, effect: kinds.Multiattack, targets: Targets, path: str) -> None:  # noqa: ARG001 - as Carry
    """Make all of a multiattack in one go: attacks are aimed at the targets in turn, the last takes what is left (R5.307)."""
    who, left = cause.table.character(cause.source), targets
    for step in _steps(cause, effect):
        within = cause.with_(chosen=(step.spell,)) if step.spell else cause
        for name in _named(cause, who, step):
            use_called(within, name, targets[:1] if step.use else left[:1])
            left = left if step.use else left[1:] or left


def _steps(cause: Cause, effect: kinds.Multiattack) -> tuple[kinds.Step, ...]:
    """The steps of a multiattack: those of the alternative that has what was chosen, if one has."""
    wanted = set(map(slug, cause.chosen))
    ways: list[tuple[kinds.Step, ...]] = [effect.make, *effect.alternatives]
    return next((way for way in ways if wanted & {slug(name) for step in way for name in step.of}), ways[0])


def _named(cause: Cause, who: Character, step: kinds.Step) -> Iterator[str]:
    """The attacks and uses of one step, by their names, the chosen ones as often as they were chosen."""
    if step.given:
        return
    count = step.count if isinstance(step.count, int) else max(who.pools.get(HEADS, 5), 1)
    known = {slug(name): name for name in step.of}
    wanted = [known[slug(name)] for name in cause.chosen if slug(name) in known][:count]
    yield from wanted
    yield from (step.of[0],) * (count - len(wanted))


def grant(cause: Cause, effect: kinds.Grant, targets: Targets, path: str) -> None:
    """Dash, disengage, dodge or hide as a feature allows: the chosen one, all, or the first."""
    for name in effect.to if effect.all else chosen_of(cause, effect.to, 1):
        if name in GRANTED:
            GRANTED[name](who=cause.source, out_of_turn=True).resolve(cause.table)
        else:
            leave_to_gm(cause, effect, targets, path)


OWN_WAYS = ("any", "toward enemy", "jump")


def move(cause: Cause, effect: kinds.Move, targets: Targets, path: str) -> None:
    """Give the feet that a feature lets its own monster move, in its turn; out of it a note says how to move."""
    table, who = cause.table, cause.table.character(cause.source)
    block = block_of(who)
    if effect.way not in OWN_WAYS or block is None:
        carrier(effect)(cause, effect, targets, path)
        return
    pace = getattr(block.speed, effect.mode, 0) if effect.mode else movement.speed(table, who)
    feet = effect.feet or int(pace * effect.own_speed)
    if turns.is_own_turn(table, who):
        turn_order.spend(table, who, turns.FEET, -feet)
    else:
        note(cause, f"{who.name} may move {feet} feet: move {who.id} --feet {feet} --out-of-turn")


def cast_of_the_list(cause: Cause, effect: kinds.Spellcasting, targets: Targets, path: str) -> None:  # noqa: ARG001 - as Carry
    """Cast a spell of the list, which names what is meant if it is not said. Raises NotFound for others (R5.308).

    A stat block has the materials that it needs (Q5.53).
    """
    rows = (effect.at_will, *effect.per_day.values())
    known = {slug(each.spell): each.spell for row in rows for each in row}
    if not cause.chosen:
        cause.table.refuse(f"Which spell? --spell NAME, of: {', '.join(known.values())}", "spell")
    typed, *chosen = cause.chosen
    spell = catalogues.pick("spell of this stat block", known, typed, shown=known.values())
    casting.Cast(
        caster=cause.source, spell=spell, targets=targets, choose=tuple(chosen), cover=cause.cover, out_of_turn=True
    ).resolve(cause.table)


def cast_outside_the_list(cause: Cause, effect: kinds.CastSpell, targets: Targets, path: str) -> None:  # noqa: ARG001 - as Carry
    """Cast the spells of a feature, or as many as it says; what it does not say of them is as in the list."""
    who = cause.table.character(cause.source)
    usual, wanted = spells.spellcasting_of(who) or kinds.Spellcasting(ability="cha"), set(map(slug, cause.chosen))
    found = sorted(effect.spells, key=lambda each: slug(each.spell) not in wanted)[: effect.choose or None]
    source = spells.Source(ability=effect.ability or usual.ability, dc=effect.dc or usual.dc, attack=usual.attack)
    for cast in found * (effect.times or 1):
        spell = spells.find(cast.spell)
        above = max((cast.level or spell.level) - spell.level, 0)
        within = casting.cause_of(cause.table, cause.rolls, who, spell, source, above)
        within = within.with_(chosen=cause.chosen, cover=cause.cover, duration=effect.lasts or within.duration)
        casting.release(within, spell, (cause.source,) if effect.on == "itself" else targets)


OWN: Mapping[str, Carry] = {
    "attack": attack,
    "use": use_other,
    "multiattack": multiattack,
    "grant": grant,
    "move": move,
    "when": when,
    "cast": cast_outside_the_list,
    "spellcasting": cast_of_the_list,
}
"""Effects that only a stat block has, or that its features do in a way of their own."""
