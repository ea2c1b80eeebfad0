"""The verb act: what a stat block does, by the name of the feature (R5.301, R5.304–R5.311).

Attacks are made as by ``attack``; everything else is carried out as effects. An action costs the action, unless it is a
part of a multiattack that was begun; a bonus action, a reaction and a legendary action cost theirs, a trait nothing.
"""

import difflib
from collections.abc import Mapping
from functools import partial

from rollbook.kit import require
from rollbook.plugin import CampaignState, Character, Table, events, not_found, param, slug
from rollbook.rulesets.srd5 import words_of
from rollbook.rulesets.srd5.catalogue import Feature, Monster
from rollbook.rulesets.srd5.fight import armour, dying, turns
from rollbook.rulesets.srd5.fight.actions import TurnAction
from rollbook.rulesets.srd5.monsters import actions, features, uses
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
        what, targets = words_of.split_off(campaign, self.what, partial(feature_called, block))
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
        if features.needs_target(block, feature) and not self.targets:
            table.refuse(f"Whom does {feature.name} aim at? act {who.id} {feature.name!r} NAME,NAME", "targets")
        targets = tuple(require.living(table, name).id for name in self.targets)
        features.check_fit(table, feature, targets)
        self.pay(table, who, block, feature)
        with TestRolls(table) as rolls:
            chosen = tuple(word.casefold() for word in (self.spell, *self.chosen) if word)
            cause = features.cause_of(table, rolls, who, feature).with_(chosen=chosen, cover=self.cover)
            features.use(cause, feature, targets or (who.id,))

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
