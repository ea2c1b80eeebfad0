"""Scenes, notes and rulings, and what the table does not know yet."""

from collections.abc import Mapping

from rollbook.domain import events
from rollbook.domain.actions.characters import GM, SCENE, give_back
from rollbook.domain.base.letters import composed
from rollbook.domain.events import ParameterValue
from rollbook.domain.rules.action import Action
from rollbook.domain.rules.parameters import ParameterType, character, engine_parameter, label, words
from rollbook.domain.rules.spelling import READER
from rollbook.domain.rules.table import Table
from rollbook.domain.state.campaign_state import CampaignState


class FrameScene(Action, verb="scene", gm_only=True):
    """Begin a scene."""

    sentence = "sets a new scene"

    title: str = label("where and what")

    def resolve(self, table: Table) -> None:
        give_back(table, SCENE)
        table.record(events.SceneFramed(title=self.title))


class WriteNote(Action, verb="note", by_any_seat=True):
    """Write something down: for the table, for the GM alone, or for one seat."""

    sentence = "writes a note[ about {about}]"

    text: str = words("the words", gm_only=False)
    to: str = words("who may read it: table, gm or a seat's name", default="table", of=READER, gm_only=False)
    about: str = character("whom it is about", default="", gm_only=False)
    salt: str = engine_parameter(ParameterType.TEXT, "16 random bytes, in hexadecimal", default="")

    @property
    def visibility(self) -> str:
        """The reader, as its entry says it."""
        return "" if self.to == "table" else self.to

    def settled(self, campaign: CampaignState, *, secret: bool) -> Mapping[str, ParameterValue]:  # noqa: ARG002
        """The seat as its name is stored."""
        name = composed(self.to)
        return {"to": name} if self.to not in campaign.seats and name in campaign.seats else {}

    def resolve(self, table: Table) -> None:
        if self.to not in ("table", GM) and self.to not in table.seats:
            table.refuse(
                f"Nobody called {self.to} sits at this table; a note is to the table, the gm or a seat.", parameter="to"
            )
        if self.about:
            table.character(self.about)
        table.record(events.NoteWritten(text=self.text, about=self.about, salt=self.salt))


class Redact(Action, verb="redact", gm_only=True, final=True):
    """Remove the words of a note for good: a person's private words, a matter of safety. That it happened stays on record."""

    sentence = "removes the words of a note"

    action: int = engine_parameter(ParameterType.NUMBER, "the note's action")
    why: str = engine_parameter(ParameterType.TEXT, "the reason, without the words")
    entries: tuple[int, ...] = engine_parameter(ParameterType.NUMBERS, "the entries whose words go")

    def resolve(self, table: Table) -> None:
        table.record(events.NoteRedacted(action=self.action, why=self.why, entries=self.entries))


class MakeRuling(Action, verb="ruling", gm_only=True):
    """Decide beyond or against the rules, and say why."""

    sentence = "makes a ruling[ about {about}]"

    reason: str = words("what is ruled, and why")
    about: str = character("whom it is about", default="")

    def resolve(self, table: Table) -> None:
        if self.about:
            table.character(self.about)
        table.record(events.RulingMade(reason=self.reason, about=self.about))


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
        """Everybody may know it from now on, and what was seen cannot be unseen."""
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
