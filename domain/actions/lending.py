"""A character is lent to another seat, and goes back: an NPC at the end of the scene or of the session (R0.2)."""

from collections.abc import Mapping

from rollbook.domain import events
from rollbook.domain.events import CharacterKind, ParameterValue
from rollbook.domain.rules.action import Action
from rollbook.domain.rules.parameters import character, choice, seat
from rollbook.domain.rules.table import Table
from rollbook.domain.state.campaign_state import CampaignState

GM = "gm"
"""What the GM's seat is called where one is named."""

LENT = "lent"
"""The condition of somebody who goes back; its data say when (``until``) and to the ``seat`` of which number, 0 for the GM."""

SCENE, SESSION, FOR_GOOD = "scene", "session", "good"


class Lend(Action, verb="lend", gm_only=True):
    """Let another seat play a character, for a scene, for the session or for good (R0.2)."""

    sentence = "lends {who} to {to}|takes {who} back"

    who: str = character("who is lent")
    to: str = seat("who plays the character from now on; gm takes it back", default=GM)
    until: str = choice(
        "how long: to the end of the scene or the session, or for good; usually an NPC is lent for the scene, a player "
        "character for good",
        ("", SCENE, SESSION, FOR_GOOD),
        default="",
    )

    def settled(self, campaign: CampaignState, *, secret: bool) -> Mapping[str, ParameterValue]:  # noqa: ARG002
        """How long is settled when it is done: what is on record without it was lent for good."""
        who = campaign.characters.get(self.who)
        if self.until or self.to == GM or who is None or who.kind is CharacterKind.PLAYER_CHARACTER:
            return {}
        return {"until": SCENE}

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        if self.to != GM and self.to not in table.seats:
            table.refuse(f"Nobody called {self.to} sits at this table.", parameter="to")
        lent = who.conditions.get(LENT)
        owner = table.seats[who.seat].number if who.seat in table.seats else 0
        if lent is not None:
            table.record(events.ConditionEnded(character=who.id, condition=LENT))
        table.record(events.ControlPassed(character=who.id, seat="" if self.to == GM else self.to))
        if self.until in (SCENE, SESSION) and self.to != GM:
            data = {"until": self.until, "seat": lent.data["seat"] if lent is not None else owner}
            detail = f"for the {self.until}"
            table.record(events.ConditionBegan(character=who.id, condition=LENT, detail=detail, data=data))


def give_back(table: Table, *ends: str) -> None:
    """Those who were lent until one of these ``ends`` go back to the seat that they came from."""
    for who in table.characters():
        lent = who.conditions.get(LENT)
        if lent is not None and lent.data.get("until") in ends:
            owner = next((seat.name for seat in table.seats.values() if 0 < seat.number == lent.data.get("seat")), "")
            table.record(
                events.ConditionEnded(character=who.id, condition=LENT),
                events.ControlPassed(character=who.id, seat=owner),
            )
