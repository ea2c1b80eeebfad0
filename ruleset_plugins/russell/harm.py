"""Harm without an attack, saves against it, and what mends it (R3.3–R3.9, R3.11, R3.22)."""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import (
    Action,
    Ease,
    Table,
    bonuses,
    character,
    check_hurt,
    choice,
    dice,
    flag,
    living,
    names,
    roll_damage,
    roll_healing,
    words,
)
from ruleset_plugins.russell.injury import hurt, recover
from ruleset_plugins.russell.rolls import LISTEN, SAVES, save
from ruleset_plugins.russell.wounds import heal_wound, is_wounded


@attrs.frozen(kw_only=True)
class Save(Action):
    """Save: 1d20 at or under an attribute, or under Movement for athletics; monsters save with their Sv (R3.9, R3.11)."""

    verb: ClassVar[str] = "save"

    who: str = character("who saves", actor=True)
    attribute: str = choice(
        "with what: str against what cannot be dodged, dex against what can, con against poison and illness, int against "
        "spells, wis against horror, illusion and a foreign will, movement for athletics",
        SAVES,
    )
    against: str = words("what it is against", default="")
    listen: bool = flag("it is to listen, which somebody used to the dark does well (R3.64)")
    advantage: tuple[str, ...] = names("what makes it easier", default=())
    disadvantage: tuple[str, ...] = names("what makes it harder", default=())
    bonus: tuple[str, ...] = names("what raises the number to roll under, as '+2 braced'", default=())

    def resolve(self, table: Table) -> None:
        """Saves cost no action."""
        who = living(table, self.who)
        if self.listen and self.attribute != "wis":
            table.refuse("Listening is a save with wis.")
        raised = sum(term.amount for term in bonuses(table, self.bonus))
        ease = Ease(self.advantage, self.disadvantage)
        kind = LISTEN if self.listen else ""
        save(table, who, self.attribute, kind=kind, ease=ease, bonus=raised, against=self.against)


@attrs.frozen(kw_only=True)
class Harm(Action):
    """Somebody is hurt without an attack: a fall, a trap, fire."""

    verb: ClassVar[str] = "harm"
    gm_only: ClassVar[bool] = True

    who: str = character("who is hurt")
    amount: str = dice("how much, as a number or dice")
    source: str = words("what by", default="")
    tags: tuple[str, ...] = names("what sort of damage it is: fire, poison …", default=())
    wound: str = words("a Wound in the GM's words, as in 'a lost ear: stunned, bleeding' (R3.16)", default="")

    def resolve(self, table: Table) -> None:
        """The dice, and the damage."""
        who = living(table, self.who)
        dealt = roll_damage(table, who, self.amount)
        if dealt:
            hurt(table, who.id, dealt, tags=self.tags, source=self.source, wound=self.wound)


@attrs.frozen(kw_only=True)
class Heal(Action):
    """Care or magic gives hit points back, or closes a Wound at once (R3.20, R3.22)."""

    verb: ClassVar[str] = "heal"
    gm_only: ClassVar[bool] = True

    who: str = character("who is healed")
    amount: str = dice("how many hit points, as a number or dice; 0 for none")
    wound: bool = flag("close the Wound")
    source: str = words("what by", default="")

    def resolve(self, table: Table) -> None:
        """Never above the maximum (R3.20)."""
        who = living(table, self.who)
        if self.wound and not is_wounded(who):
            table.refuse(f"{who.name} has no Wound to close.")
        if self.wound:
            heal_wound(table, who.id)
        else:
            check_hurt(table, who)
        if self.amount != "0":
            recover(table, who.id, roll_healing(table, who, self.amount), tags=("care",), source=self.source)
