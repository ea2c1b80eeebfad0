"""A game whose rules look at dice in every way there is, and forecasts of it."""

from __future__ import annotations

import itertools
from typing import Any

import attrs

from rollbook.domain.forecast.chances import Forecast
from rollbook.domain.forecast.search import forecast
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.action import intent_of, parameters
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.plugin import Action, Ruleset, Sheet, Table, character, characters, choice, dice, events, flag, number
from rollbook.rulesets.storytoken import RULESET as STORYTOKEN
from rollbook.rulesets.storytoken.character.creation import BringIn, Join
from rollbook.testing.scenarios import scenario
from tests.support.enumeration import check_forecast, every_result
from tests.support.toy import TOY


class Look(Action, verb="look"):
    """One roll, and one way to look at it."""

    roll: str = dice("what")
    way: str = choice(
        "how",
        (
            "compare", "key", "index", "text", "dice", "doubles", "first", "type", "half", "float", "count", "more dice",
            "refuse", "again", "bits", "range", "both", "truth", "evolve", "rank", "nothing", "exactly int",
        ),
    )  # fmt: skip

    def resolve(self, table: Table) -> None:
        rolled = table.roll(self.roll, roller="robin", purpose="look", natural=True)
        outcome, success = getattr(self, f"_{self.way.replace(' ', '_')}")(table, rolled)
        table.record(
            events.CheckResolved(
                character="robin", check=self.way, total=rolled.total, target=0, success=success, outcome=outcome
            )
        )
        table.record(events.DamageTaken(character="guard", amount=rolled.total * 2 - 1, dealt=rolled.total))

    def _compare(self, _: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        return ("hit" if rolled.natural != 1 and (rolled.total >= 5 or rolled.natural == 4) else "miss"), True

    def _key(self, _: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        return {1: "fumble", 6: "critical"}.get(rolled.natural, "plain"), rolled.total > 3

    def _index(self, _: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        return "abcdefghijklmnopqrstuvwxyz"[rolled.total % 26], False

    def _text(self, _: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        return f"{rolled.total:02d} {rolled.natural!s} {rolled.total!r}", False

    def _dice(self, _: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        return " ".join(str(die.face) for die in rolled.dice if die.kept), rolled.total > 4

    def _doubles(self, _: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        high = rolled.total >= 6
        faces = [die.face for die in rolled.dice]
        return ("high " if high else "") + ("doubles" if len(set(faces)) < len(faces) else "none"), high

    def _first(self, _: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        return f"{rolled.dice[0].face > 3} {len(rolled.dice)}", rolled.total == 7

    def _type(self, _: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        match rolled.total:
            case 3 | 4:
                return "few", True
            case int(total) if total > 4:
                return "many", isinstance(rolled.natural, int)
        return "none", False

    def _half(self, table: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        half = max(1, min(4, (rolled.total + 1) // 2)) - 1
        table.record(events.HitPointsRestored(character="robin", amount=half))
        return ("much" if abs(-half) % 3 == 2 else "little"), half > 2

    def _float(self, _: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        return ("more" if rolled.total / 2 > 1.5 else "less"), rolled.total == 4.0

    def _count(self, _: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        return "".join("x" for _ in range(rolled.total)), sum([rolled.total, 1]) in (3, 5)

    def _more_dice(self, table: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        more = table.roll("(@many)d2", roller="robin", purpose="more", many=rolled.natural).total
        return "", more + rolled.total >= 8

    def _refuse(self, table: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        if rolled.total < 3:
            table.refuse(f"{rolled.total} is not enough.")
        return "", True

    def _again(self, table: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        best = max(rolled.total, table.roll("1d6", roller="robin", purpose="again").total)
        worst = min(table.roll("1d4", roller="robin", purpose="again").total, rolled.natural)
        return ("ahead" if best > worst + 2 else "behind"), best == worst

    def _bits(self, _: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        return str(rolled.total.bit_length()), bool(rolled.total & 1)

    def _range(self, _: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        return str(divmod(rolled.total, 3)), 3 <= rolled.total < 6 or rolled.total**2 == 64

    def _both(self, table: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        other = table.roll("1d8", roller="guard", purpose="both")
        ranked = sorted([(rolled.total, "robin"), (other.total, "guard")], reverse=True)
        return ranked[0][1], rolled.total + other.total > 9

    def _truth(self, _: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        return ("some" if rolled.total - 3 else "none"), not rolled.total - 4

    def _evolve(self, table: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        again = attrs.evolve(rolled, purpose="told again")
        table.record(again)
        return ("same" if again.dice == rolled.dice else "other"), again.total > 4

    def _rank(self, table: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        others = [table.roll("1d3", roller=name, purpose="rank").total for name in "ab"]
        return "".join(name for _, name in sorted(zip([rolled.total, *others], "rab", strict=True))), True

    def _nothing(self, _: Table, __: events.DiceRolled) -> tuple[str, bool]:
        return "", False

    def _exactly_int(self, _: Table, rolled: events.DiceRolled) -> tuple[str, bool]:
        if type(rolled.total) is not int:
            raise TypeError("not a plain number")
        return "", rolled.total > 3


class Storm(Action, verb="storm"):
    """A blast that all save against: half of it if they make it."""

    who: tuple[str, ...] = characters("whom it strikes")
    roll: str = dice("how hard", default="8d6")

    def resolve(self, table: Table) -> None:
        blast = table.roll(self.roll, roller="", purpose="storm").total
        for name in self.who:
            saved = table.roll("1d20+2", roller=name, purpose="save", natural=True).total >= 15
            table.record(events.CheckResolved(character=name, check="save", total=0, target=15, success=saved))
            dealt = blast // 2 if saved else blast
            table.record(events.DamageTaken(character=name, amount=dealt, dealt=dealt))
            if table.character(name).lost >= 20:
                table.record(events.ConditionBegan(character=name, condition="down"))


class Tie(Action, verb="tie"):
    """Both roll until one is ahead."""

    sides: int = number("of the die", default=6, minimum=2)
    ahead: int = number("what the one adds", default=0)
    named: bool = flag("every roll is for something of its own")

    def resolve(self, table: Table) -> None:
        one = other = 0
        for purpose in (f"tie {count}" if self.named else "tie" for count in itertools.count()):
            one = table.roll(f"1d{self.sides}", roller="robin", purpose=purpose).total + self.ahead
            other = table.roll(f"1d{self.sides}", roller="guard", purpose=purpose).total
            if one != other:
                break
        table.record(events.CheckResolved(character="robin", check="tie", total=one, target=other, success=one > other))


class Ghost(Action, verb="ghost"):
    """A character who may not be there."""

    who: str = character("who")

    def resolve(self, table: Table) -> None:
        table.roll("1d6", roller="", purpose="ghost")
        table.character(self.who)


class Crash(Action, verb="crash"):
    """A rule that goes wrong."""

    def resolve(self, table: Table) -> None:
        table.record(events.TimePassed(seconds=6 // (table.roll("1d6", roller="", purpose="crash").total - 6)))


BONES = Ruleset(
    key="bones",
    title="Bones",
    version="1",
    summary="A game that looks.",
    actions=(Look, Storm, Tie, Ghost, Crash),
    sheet=lambda who, _: Sheet(character=who.id, name=who.name, title="", values=(), words=()),
)


BOOK = Rulebook({"bones": BONES, "toy": TOY, "storytoken": STORYTOKEN})


WAYS = next(parameter.choices for parameter in parameters(Look) if parameter.name == "way")


def bones(*names: str) -> CampaignState:
    joined = [events.CharacterJoined(character=name, name=name.title()) for name in names or ("robin", "guard")]
    return scenario(BONES).given(*joined).before


def toys(skill: int = 2, lost: int = 0) -> CampaignState:
    people = ("robin", "guard")
    joined = [events.CharacterJoined(character=name, name=name.title()) for name in people]
    strong = [events.StatChanged(character=name, stat="max_hp", amount=8) for name in people]
    skilled = events.StatChanged(character="robin", stat="skill", amount=skill)
    hurt = events.DamageTaken(character="guard", amount=lost, dealt=lost)
    return scenario(TOY).given(*joined, *strong, skilled, hurt).before


def sherwood(**rules: Any) -> CampaignState:
    return (
        scenario(STORYTOKEN, **rules)
        .given(
            BringIn(who="robin-hood", id="robin"),
            BringIn(who="count-dracula", id="dracula", kind="npc"),
            Join(name="Guard", id="guard", kind="monster", ac=13, hp=9),
            Join(name="Deputy", id="deputy", kind="monster", ac=18, hp=20),
        )
        .before
    )


def seen(campaign: CampaignState, action: Action) -> Forecast:
    return forecast(BOOK, campaign, intent_of(action))


def agrees(campaign: CampaignState, action: Action, *, dice: int = 99) -> Forecast:
    """The forecast of an action, checked against playing it with all dice."""
    found = seen(campaign, action)
    check_forecast(found, list(every_result(BOOK, campaign, intent_of(action), dice=dice)))
    return found
