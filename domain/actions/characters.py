"""Who is there and what is on the sheet: coming and going, things, traits, and numbers changed by ruling."""

from domain import events
from domain.action import Action
from domain.actions.scenes import GM
from domain.adjustments import Adjustment, adjust, changed
from domain.lookup import gear_called
from domain.parameters import character, flag, label, number, seat, use, words
from domain.table import Table


class Leave(Action, verb="leave", gm_only=True):
    """A character goes out of play; the sheet and the history stay."""

    sentence = "lets {who} leave"

    who: str = character("who goes")
    reason: str = words("why", default="")

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        if not who.present:
            table.refuse(f"{who.name} has already left.")
        table.record(events.CharacterLeft(character=who.id, reason=self.reason))


class Lend(Action, verb="lend", gm_only=True):
    """Let another seat play a character, for a scene or for good (R0.2)."""

    sentence = "lends {who} to {to}|takes {who} back"

    who: str = character("who is lent")
    to: str = seat("who plays the character from now on; gm takes it back", default=GM)

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        if self.to != GM and self.to not in table.seats:
            table.refuse(f"Nobody called {self.to} sits at this table.")
        table.record(events.ControlPassed(character=who.id, seat="" if self.to == GM else self.to))


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
            table.refuse(f"{who.name} does not have {self.count} of {self.item!r}, but {held.count if held else 0}.")
        table.record(events.GearLost(character=who.id, item=item, count=self.count))


class ChangeTrait(Action, verb="trait", gm_only=True):
    """Give a character a trait, or take it away, by ruling."""

    sentence = "takes {trait:key} from the sheet of {who}{lose:if}|puts {trait:key} on the sheet of {who}"

    who: str = character("whose sheet")
    trait: str = label("which trait")
    kind: str = label("what sort of trait, for example role or heritage", default="")
    lose: bool = flag("take it away")

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        if self.lose == (self.trait not in who.traits):
            table.refuse(f"{who.name} {'does not have' if self.lose else 'already has'} the trait {self.trait}.")
        change = events.TraitLost if self.lose else events.TraitGained
        table.record(change(character=who.id, trait=self.trait, kind=self.kind or who.traits.get(self.trait, "")))
        changed(table, who)


class Adjust(Action, verb="adjust", gm_only=True):
    """Change hit points, a number on the sheet, experience or a level by ruling, with a reason (QG.8)."""

    sentence = "adjusts {what:key} of {who}"

    who: str = character("whose sheet")
    what: str = label("hp, level, xp, a number on the sheet, or pool:NAME")
    by: int = number("how much, for example 3 or -2")
    reason: str = words("why")

    def resolve(self, table: Table) -> None:
        adjust(table, Adjustment(who=self.who, what=self.what, by=self.by, why=self.reason))
