"""A devil's bargain: the GM offers a complication from a flaw, and the player takes it for a token or not (R0.101)."""

from rollbook.kit import fields, open_choices
from rollbook.plugin import Action, Character, Table, events, param
from rollbook.rulesets.storytoken.story.tokens import check_room, gain

BARGAIN, COMPLICATION = "bargain", "complication"
"""The open choice of one to whom a bargain is offered, and its field."""

ACCEPT, REFUSE = "accept", "refuse"


class OfferBargain(Action, verb="offer-bargain", gm_only=True):
    """Offer a devil's bargain: a complication that comes from a flaw, for a story token (R0.101)."""

    sentence = "offers {who} a devil’s bargain[: {complication}]"

    who: str = param.character("to whom it is offered")
    complication: str = param.words("what goes wrong if it is taken")

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        if BARGAIN in who.choices:
            table.refuse(
                f"{who.name} has still to answer another bargain: bargain {who.id} {ACCEPT} or {REFUSE}",
                parameter="who",
            )
        check_room(table, who)
        data = {COMPLICATION: self.complication}
        open_choices.offer(table, who.id, BARGAIN, (ACCEPT, REFUSE), reason=self.complication, data=data)


class Bargain(Action, verb="bargain"):
    """Answer a devil's bargain: the complication that the GM has offered is taken for a token, or refused (R0.101)."""

    sentence = "answers the devil’s bargain[: {answer:key}]"

    who: str = param.character("to whom it was offered", actor=True)
    answer: str = param.choice("what the player says", (ACCEPT, REFUSE))
    complication: str = param.words("what the GM offers, if it was not offered before", default="", gm_only=True)

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        _check_offered(table, table.character(who))

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        if not self.complication:
            _check_offered(table, who)
        if not self.complication:
            table.record(events.ChoiceMade(character=who.id, choice=BARGAIN, picked=self.answer))
        settle(table, who, self.answer, self.complication or _offered(who))


def _check_offered(table: Table, who: Character) -> None:
    if BARGAIN not in who.choices:
        table.refuse(f"{who.name} has been offered no bargain. The GM offers one: offer-bargain {who.id} WORDS")


def _offered(who: Character) -> str:
    return fields.text(open_choices.data_of(who, BARGAIN), COMPLICATION)


def settle(table: Table, who: Character, answer: str, complication: str) -> None:
    """What comes of an answer: a token, refused at the cap (Q0.37), or nothing (Q0.43)."""
    if answer == REFUSE:
        table.record(events.NoteWritten(text=f"{who.name} refuses a devil's bargain: {complication}", about=who.id))
        return
    check_room(table, who)
    gain(table, who, f"takes a devil's bargain: {complication}")


def choose(table: Table, who: Character, _choice: str, picked: str) -> None:
    """The effect of the verb choose: ``who`` is the character with the choice still open."""
    settle(table, who, picked, _offered(who))
