"""The verbs of the toy, which read everything a rule can read."""

from __future__ import annotations

from rollbook.plugin import Action, Character, Table, character, characters, choice, events, flag, number

DOWN, TOKENS, DOOM = "down", "tokens", "doom"


SECOND_WIND_PAUSE = 600
"""Seconds between two uses of a second wind."""


def require_able(table: Table, name: str) -> Character:
    """A character who can act."""
    who = table.character(name)
    if who.has(DOWN):
        table.refuse(f"{who.name} is down and can do nothing. Heal {who.name} first.")
    return who


def update_down(table: Table, name: str) -> None:
    """Down at 0 hit points, up above."""
    who = table.character(name)
    is_out = who.lost >= who.stats.get("max_hp", 1)
    if is_out and not who.has(DOWN):
        table.record(events.ConditionBegan(character=name, condition=DOWN))
    elif who.has(DOWN) and not is_out:
        table.record(events.ConditionEnded(character=name, condition=DOWN))


class Attack(Action, verb="attack"):
    """1d20 + skill against 11; 1d6 or 1d8 damage."""

    attacker: str = character("who strikes", actor=True)
    target: str = character("whom")
    weapon: str = choice("with what", ("club", "sword"), default="club")

    def resolve(self, table: Table) -> None:
        attacker = require_able(table, self.attacker)
        target = table.character(self.target)
        if target.has(DOWN):
            table.refuse(f"{target.name} is down already. Choose somebody who stands.")
        skill = attacker.stats.get("skill", 0)
        rolled = table.roll("1d20 + @skill[skill]", roller=attacker.id, purpose="to hit", natural=True, skill=skill)
        for _ in table.second_thoughts("reroll"):
            rolled = self.again(table, skill)
        hit = rolled.total >= 11
        table.record(
            events.CheckResolved(
                character=attacker.id, check="attack", total=rolled.total, target=11, success=hit, against=target.id
            )
        )
        if not hit:
            return
        sides = 8 if self.weapon == "sword" else 6
        dealt = table.roll(f"1d{sides}", roller=attacker.id, purpose="damage").total
        if rolled.natural == 20 and table.settings.crits:
            dealt += table.roll(f"1d{sides}", roller=attacker.id, purpose="damage").total
        table.record(events.DamageTaken(character=target.id, amount=dealt, dealt=dealt, source=attacker.id))
        update_down(table, target.id)

    def again(self, table: Table, skill: int) -> events.DiceRolled:
        if table.character(self.attacker).pools.get(TOKENS, 0) < 1:
            table.refuse(f"{self.attacker} holds no token to roll again with.")
        table.record(events.PoolSpent(holder=self.attacker, pool=TOKENS, amount=1, reason="reroll"))
        return table.roll(
            "1d20 + @skill[skill]", roller=self.attacker, purpose="to hit again", natural=True, skill=skill
        )


class Heal(Action, verb="heal", by_any_seat=True):
    """Some points back."""

    who: str = character("who is healed")
    dice: int = number("how many d4", default=1, minimum=1, maximum=4)

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        if who.lost <= 0:
            table.refuse(f"{who.name} is not hurt.")
        back = min(who.lost, table.roll(f"{self.dice}d4", roller=who.id, purpose="heal").total)
        table.record(events.HitPointsRestored(character=who.id, amount=back))
        update_down(table, who.id)


class GainToken(Action, verb="gain-token", by_any_seat=True):
    """One more."""

    who: str = character("who gains it")

    def resolve(self, table: Table) -> None:
        table.record(events.PoolGained(holder=table.character(self.who).id, pool=TOKENS, amount=1))


class SpendToken(Action, verb="spend-token"):
    """One fewer, for a point of skill; the GM's doom rises."""

    who: str = character("who spends it", actor=True)

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        if who.pools.get(TOKENS, 0) < 1:
            table.refuse(f"{who.name} cannot spend a token: there is none. Gain one first.")
        table.record(
            events.PoolSpent(holder=who.id, pool=TOKENS, amount=1),
            events.StatChanged(character=who.id, stat="skill", amount=1),
            events.PoolGained(holder="", pool=DOOM, amount=1),
        )


class SpendDoom(Action, verb="doom", gm_only=True):
    """The GM's own pool hurts everybody who stands, in the order of their arrival."""

    def resolve(self, table: Table) -> None:
        if table.gm_pools.get(DOOM, 0) < 1:
            table.refuse("There is no doom yet.")
        table.record(events.PoolSpent(holder="", pool=DOOM, amount=1))
        for who in table.characters():
            if not who.has(DOWN):
                table.record(events.DamageTaken(character=who.id, amount=1, dealt=1))
                update_down(table, who.id)


class SecondWind(Action, verb="second-wind"):
    """A limited power: once in ten minutes."""

    who: str = character("who breathes", actor=True)

    def resolve(self, table: Table) -> None:
        who = require_able(table, self.who)
        used = who.usages.get("second wind")
        if used is not None and table.clock - used.last < SECOND_WIND_PAUSE:
            table.refuse(
                f"{who.name} is out of breath for another {SECOND_WIND_PAUSE - table.clock + used.last} seconds."
            )
        table.record(events.PowerUsed(character=who.id, power="second wind"))
        if who.lost > 0:
            table.record(events.HitPointsRestored(character=who.id, amount=1))


class LookUp(Action, verb="look-up", by_any_seat=True):
    """Look at the clock: the same action has another outcome at another hour."""

    def resolve(self, table: Table) -> None:
        hour = table.clock // 3600 % 24
        table.record(events.NoteWritten(text="the sun" if hour < 12 else "the moon"))


class Worry(Action, verb="worry"):
    """Look at a character that the first one names, so that what is read depends on what is read."""

    who: str = character("who worries", actor=True)

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        loved = "marian" if "loyal" in who.traits else "guard"
        worried = table.knows(loved) and table.character(loved).lost > 3
        table.record(events.CheckResolved(character=who.id, check="worry", total=0, target=0, success=not worried))


class Recite(Action, verb="recite"):
    """All traits, in the order in which they were gained."""

    who: str = character("who speaks", actor=True)

    def resolve(self, table: Table) -> None:
        table.record(events.NoteWritten(text=", ".join(table.character(self.who).traits), about=self.who))


class Hide(Action, verb="hide"):
    """A roll behind the screen; nobody is told."""

    who: str = character("who hides", actor=True)

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        rolled = table.roll("2d20kh1", roller=who.id, purpose="hide", secret=True)
        if rolled.total >= 10:
            table.record(events.ConditionBegan(character=who.id, condition="hidden", until=table.clock + 60))


class Bet(Action, verb="bet"):
    """So many d6, and all below the stake are lost."""

    who: str = character("who bets", actor=True)
    dice: int = number("how many d6", minimum=1, maximum=5)

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        rolled = table.roll(f"{self.dice}d6", roller=who.id, purpose="bet")
        table.record(events.PoolGained(holder=who.id, pool="coins", amount=rolled.total - 3 * self.dice))


class Fight(Action, verb="fight", gm_only=True):
    """An encounter with everybody named, in that order."""

    who: tuple[str, ...] = characters("who takes part")

    def resolve(self, table: Table) -> None:
        if table.encounter is not None:
            table.refuse("There is a fight already.")
        table.record(
            events.EncounterBegan(title="a brawl"),
            events.TurnOrderSet(order=tuple(table.character(name).id for name in self.who)),
            events.RoundBegan(),
        )


class NextTurn(Action, verb="next-turn", gm_only=True):
    """Those who have not acted, from the top."""

    def resolve(self, table: Table) -> None:
        encounter = table.encounter
        if encounter is None:
            table.refuse("Nobody fights.")
        if encounter.current:
            table.record(events.TurnEnded(character=encounter.current))
        now = table.encounter
        assert now is not None
        if not now.waiting():
            table.record(events.RoundEnded(), events.RoundBegan())
        now = table.encounter
        assert now is not None
        if now.waiting():
            table.record(events.TurnBegan(character=now.waiting()[0]))


class Sprint(Action, verb="sprint"):
    """Only in one's own turn, and once."""

    who: str = character("who runs", actor=True)
    up: bool = flag("up instead of east")

    def resolve(self, table: Table) -> None:
        encounter = table.encounter
        if encounter is None or encounter.current != self.who:
            table.refuse(f"It is not {self.who}'s turn.")
        if encounter.spent.get("sprint"):
            table.refuse(f"{self.who} has run already.")
        moved = {"up": 30} if self.up else {"east": 30}
        table.record(
            events.Moved(character=self.who, cost=30, **moved), events.TurnSpent(character=self.who, what="sprint")
        )


class Peace(Action, verb="peace", gm_only=True):
    """The fight is over."""

    def resolve(self, table: Table) -> None:
        if table.encounter is None:
            table.refuse("Nobody fights.")
        table.record(events.EncounterEnded())
