"""Verbs for characters and their sheets: coming and going, things, traits, numbers changed by ruling, and lending.

A lent NPC goes back at the end of the scene or of the session (R0.2).
"""

from collections.abc import Mapping

from rollbook.domain import events
from rollbook.domain.base.letters import composed
from rollbook.domain.events import CharacterKind, ParameterValue
from rollbook.domain.rules.action import Action
from rollbook.domain.rules.parameters import character, choice, flag, label, number, seat, use, words
from rollbook.domain.rules.sheet_rulings import Adjustment, adjust, changed
from rollbook.domain.rules.spelling import STAT, TRAIT, TRAIT_KIND
from rollbook.domain.rules.table import Table
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.domain.state.lookup import gear_called


class Leave(Action, verb="leave", gm_only=True):
    """A character goes out of play; the sheet and the history stay."""

    sentence = "{who} leaves[ ({reason})]"

    who: str = character("who goes")
    reason: str = words("why", default="")

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        if not who.present:
            table.refuse(f"{who.name} has already left.", parameter="who")
        table.record(events.CharacterLeft(character=who.id, reason=self.reason))


class Rename(Action, verb="rename", gm_only=True):
    """Call a character otherwise from now on; in commands the id stays what it is."""

    sentence = "renames {who}"

    who: str = character("who has another name now")
    name: str = label("the new name")

    def settled(self, campaign: CampaignState, *, secret: bool) -> Mapping[str, ParameterValue]:  # noqa: ARG002
        """The name in its composed form."""
        return {"name": composed(self.name)}

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        if not self.name.strip():
            table.refuse("A character needs a name.", parameter="name")
        if self.name == who.name:
            table.refuse(f"{who.name} is called that already.", parameter="name")
        table.record(events.CharacterRenamed(character=who.id, name=self.name))


class Give(Action, verb="give", gm_only=True):
    """Give a character things."""

    sentence = "gives {who} {item:many}"

    who: str = character("who gets them")
    item: str = label("what")
    count: int = number("how many", default=1, minimum=1, maximum=1_000_000)
    use: tuple[str, ...] = use("what the ruleset takes it for, for example weapon:light", default=())

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        table.record(events.GearGained(character=who.id, item=self.item, count=self.count, use=self.use))


class Drop(Action, verb="drop"):
    """Take things from a character: lost, used up, sold."""

    sentence = "drops {item:many}"

    who: str = character("who loses them", actor=True)
    item: str = words(
        "what", fits=lambda who: (item for item, held in who.gear.items() if held.count > 0), gm_only=False
    )
    count: int = number("how many", default=1, minimum=1, maximum=1_000_000, gm_only=False)

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        item = gear_called(who, self.item)
        held = who.gear.get(item)
        if held is None or held.count < self.count:
            table.refuse(
                f"{who.name} does not have {self.count} of {self.item!r}, but {held.count if held else 0}.",
                parameter="item",
            )
        table.record(events.GearLost(character=who.id, item=item, count=self.count))


class ChangeTrait(Action, verb="trait", gm_only=True):
    """Give a character a trait, or take it away, by ruling."""

    sentence = "takes {trait:key} from the sheet of {who}{lose:if}|puts {trait:key} on the sheet of {who}"

    who: str = character("whose sheet")
    trait: str = label("which trait", of=TRAIT)
    kind: str = label("what sort of trait, for example role or heritage", default="", of=TRAIT_KIND)
    lose: bool = flag("take it away")

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        if self.lose == (self.trait not in who.traits):
            table.refuse(
                f"{who.name} {'does not have' if self.lose else 'already has'} the trait {self.trait}.",
                parameter="trait",
            )
        change = events.TraitLost if self.lose else events.TraitGained
        table.record(change(character=who.id, trait=self.trait, kind=self.kind or who.traits.get(self.trait, "")))
        changed(table, who)


class Adjust(Action, verb="adjust", gm_only=True):
    """Change hit points, a number on the sheet, experience or a level by ruling, with a reason (QG.8)."""

    sentence = "adjusts {what:key} of {who}"

    who: str = character("whose sheet")
    what: str = label("hp, level, xp, a number on the sheet, or pool:NAME", of=STAT)
    by: int = number("how much, for example 3 or -2")
    reason: str = words("why")

    def resolve(self, table: Table) -> None:
        adjust(table, Adjustment(who=self.who, what=self.what, by=self.by, why=self.reason))


GM = "gm"
"""The name of the GM's seat where one is named."""

LENT = "lent"
"""Condition of a lent character; its data say ``until`` when, and the number of the ``seat`` to return to, 0 the GM."""

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
        """Settle ``until`` when the action is taken: a loan on record without it is for good."""
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
    """Give characters who were lent until one of these ``ends`` back to the seat that they came from."""
    for who in table.in_any_scene() if SESSION in ends else table.characters():
        lent = who.conditions.get(LENT)
        if lent is not None and lent.data.get("until") in ends:
            owner = next((seat.name for seat in table.seats.values() if 0 < seat.number == lent.data.get("seat")), "")
            table.record(
                events.ConditionEnded(character=who.id, condition=LENT),
                events.ControlPassed(character=who.id, seat=owner),
            )
