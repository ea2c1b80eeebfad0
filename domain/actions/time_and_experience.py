"""Verbs for passing time and for awarding experience."""

from collections.abc import Mapping

from rollbook.domain import events
from rollbook.domain.dice.steps import ANY, DiceStep
from rollbook.domain.events import ParameterValue
from rollbook.domain.rules.action import Action
from rollbook.domain.rules.parameters import characters, choice, flag, number, words
from rollbook.domain.rules.sheet_rulings import award
from rollbook.domain.rules.table import Table
from rollbook.domain.state.campaign_state import CampaignState, Character

SECONDS = {"seconds": 1, "rounds": 0, "minutes": 60, "hours": 3_600, "days": 86_400}
"""Seconds in each unit of ``pass-time``; a round is as long as the ruleset's settings say."""


REST = "rest"
"""The activity of those who rest."""

PARTY = "party"
"""Name that stands for all who rest: player characters, hirelings, and other characters played from a seat."""


def advance(table: Table, seconds: int, *, rest: bool = False, who: tuple[str, ...] = ()) -> None:
    """Let time pass: the clock moves on, and the ruleset applies the effects of time, which do not interrupt a rest.

    ``who`` rests, by id, or as ``PARTY``; none named means all. The ruleset asks ``rests`` about each.
    """
    before, activity = table.clock, ""
    if rest:  # that of other people is another one, so that nobody goes on with their rest
        activity = REST if who in ((), (PARTY,)) else f"{REST} {','.join(sorted(who))}"
    table.record(events.TimePassed(seconds=seconds, activity=activity))
    if table.ruleset is not None:
        table.resting = who
        table.ruleset.time_passed(table, before, rest=rest)
        table.resting = ()
    if rest and table.stretch is None:
        table.record(events.TimePassed(seconds=0, activity=activity))


def is_rest(activity: str) -> bool:
    """True if an activity is a rest."""
    return activity.split(" ", 1)[0] == REST


def rests(table: Table, who: Character) -> bool:
    """True if a character is among those who rest while time passes."""
    named = table.resting
    party = (events.CharacterKind.PLAYER_CHARACTER, events.CharacterKind.HIRELING)
    return not named or who.id in named or (PARTY in named and (who.kind in party or bool(who.seat)))


PASSING = (DiceStep(each="character whom time does something to", effects={"the dice of that": ANY}),)
"""The dice of verbs in which time passes: what falls then is the ruleset's."""


class PassTime(Action, verb="pass-time", gm_only=True):
    """Let time pass in the world: rests heal, conditions run out, hunger bites."""

    sentence = "lets time pass[ for a rest{rest:if}]"

    typed_dice = PASSING

    amount: int = number("how many", minimum=1, maximum=1_000_000)
    unit: str = choice("of what", tuple(SECONDS))
    rest: bool = flag("they rest meanwhile: the party, or those whom --who names")
    who: tuple[str, ...] = characters(
        "who rests: names, and party for player characters, hirelings and everybody else with a seat", default=()
    )

    def settled(self, campaign: CampaignState, *, secret: bool) -> Mapping[str, ParameterValue]:  # noqa: ARG002
        """Those who rest, if none are named. In entries without them, all characters rested, foes too."""
        return {"who": (PARTY,)} if self.rest and not self.who else {}

    def resolve(self, table: Table) -> None:
        """Move the clock on, then let the ruleset apply the effects of time."""
        for name in self.who:
            if name != PARTY:
                table.character(name)
        if self.who and not self.rest:
            table.refuse(
                "Say with --rest that they rest; without it, time passes for everybody alike.", parameter="rest"
            )
        length = SECONDS[self.unit]
        if self.unit == "rounds":
            length = table.ruleset.round_seconds(table) if table.ruleset is not None else 0
            if not length:
                table.refuse(
                    "This game does not say how long a round is: name the time in seconds or minutes.", parameter="unit"
                )
        advance(table, self.amount * length, rest=self.rest, who=self.who)


class AwardExperience(Action, verb="award", gm_only=True):
    """Award experience points; the ruleset says whether a level is due."""

    sentence = "awards experience to {who:the}[ ({reason})]"

    typed_dice = (DiceStep(each="character who rises", effects={"the dice of each new level": ANY}),)

    who: tuple[str, ...] = characters("who earned them: names, or party for every player character")
    amount: int = number("points for each of them", minimum=1, maximum=1_000_000_000)
    reason: str = words("for what", default="")

    def resolve(self, table: Table) -> None:
        named = (
            [who.id for who in table.player_characters(in_any_scene=True)] if self.who == ("party",) else list(self.who)
        )
        if not named:
            table.refuse("There is nobody in the party to award experience to.")
        for name in named:
            award(table, table.character(name), self.amount, self.reason)
