"""Verbs for secrets: characters who are hidden, and entries that are revealed."""

from rollbook.domain import events
from rollbook.domain.rules.action import Action
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import character, engine_parameter
from rollbook.domain.rules.table import Table


class Conceal(Action, verb="conceal", gm_only=True):
    """Hide a character: whatever names them from now on is the GM's alone, and their dice come from behind the screen."""

    sentence = "hides {who} from the table"

    who: str = character("who is hidden")

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        if who.hidden:
            table.refuse(f"{who.name} is hidden already.", parameter="who")
        if who.seat:
            table.refuse(f"{who.name} is played by {who.seat}, so the table knows them.", parameter="who")
        table.record(events.CharacterHidden(character=who.id))


class Reveal(Action, verb="reveal", gm_only=True, final=True):
    """Bring a hidden character into the open, or reveal what was hidden from the table."""

    sentence = "reveals {who}|reveals what was hidden"

    who: str = character("who comes into the open", default="")
    entries: tuple[int, ...] = engine_parameter(ParameterType.NUMBERS, "the entries that are revealed", default=())

    def resolve(self, table: Table) -> None:
        """Give up a secret: it is everybody's from now on, and what was seen cannot be unseen."""
        if self.who:
            who = table.character(self.who)
            if not who.hidden and not self.entries:
                table.refuse(f"{who.name} is not hidden.", parameter="who")
            if who.hidden:
                table.record(events.CharacterRevealed(character=who.id))
        elif not self.entries:
            table.refuse(
                "Say who comes into the open, or which actions are revealed: rollbook reveal 12 14", parameter="who"
            )
        if self.entries:
            table.record(events.EntriesRevealed(entries=self.entries))
