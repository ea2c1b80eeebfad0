"""Story tokens, the GM's complication points, and devil's bargains (R0.93, R0.94, R0.101, R0.103)."""

from rollbook.kit import fields, open_choices, verbs
from rollbook.plugin import Action, Character, CharacterKind, Table, events, param
from rollbook.rulesets.storytoken.body import conditions
from rollbook.rulesets.storytoken.settings import Settings

TOKEN = "token"  # noqa: S105 - a story token, not a secret
COMPLICATION = "complication"
AT_SESSION_START = 2


def held(who: Character) -> int:
    """The tokens that a character holds."""
    return who.pools.get(TOKEN, 0)


def session_opened(table: Table) -> None:
    """Every player character's tokens become two, whatever the cap (R0.93, Q0.35, Q0.36)."""
    for who in table.player_characters(in_any_scene=True):
        deal(table, who)


def deal_to_newcomer(table: Table, name: str) -> None:
    """Deal the tokens of the session to a player character who joins while it is open."""
    who = table.character(name)
    if who.kind is CharacterKind.PLAYER_CHARACTER and table.session is not None and table.session.is_open:
        deal(table, who)


def deal(table: Table, who: Character) -> None:
    """Deal a character's tokens for a session."""
    if held(who) >= AT_SESSION_START and Settings.of(table).token_session_start == "raise_to_2":  # noqa: S105 - the same
        return
    table.record(events.PoolBecame(holder=who.id, pool=TOKEN, amount=AT_SESSION_START, reason="the session begins"))


def check_room(table: Table, who: Character) -> None:
    """Refuse a gain at the cap, before anything happens that would earn it (Q0.35, Q0.37)."""
    if held(who) >= who.level and Settings.of(table).token_cap == "level":  # noqa: S105 - the same
        why = f"{who.name} holds {held(who)}, and level {who.level} allows gaining up to {who.level}"
        table.refuse(f"{who.name} cannot gain a story token: {why}. Spend one first; nothing has happened yet.")


def gain(table: Table, who: Character, reason: str) -> None:
    """Record a token gained."""
    table.record(events.PoolGained(holder=who.id, pool=TOKEN, amount=1, reason=reason))


def pay(table: Table, spender: str, reason: str) -> None:
    """Pay one token of a character, or one complication point of the GM ("")."""
    if not spender and table.gm_pools.get(COMPLICATION, 0) < 1:
        table.refuse(
            "The GM holds no complication points. Two come in when a player tempts fate, and they never expire."
        )
    elif spender and held(able_to_spend(table, spender)) < 1:
        who = table.character(spender).name
        table.refuse(
            f"{who} cannot spend a story token: {who} holds none. One is gained by owning a setback, taking a devil's "
            f"bargain or tempting fate; the GM spends complication points instead."
        )
    table.record(events.PoolSpent(holder=spender, pool=TOKEN if spender else COMPLICATION, amount=1, reason=reason))


def able_to_spend(table: Table, name: str) -> Character:
    """A character who can spend a token. Refused for the unconscious, for whom others may spend one (Q0.44)."""
    who = table.character(name)
    if not who.present:
        table.refuse(f"{who.name} has left the campaign and sees nothing to spend a story token on.")
    for state in (conditions.DEAD, conditions.UNCONSCIOUS):
        if who.has(state):
            table.refuse(f"{who.name} is {state} and cannot spend a story token. Somebody who is awake may spend one.")
    return who


def tempt(table: Table, who: Character, reason: str) -> None:
    """Gain and spend a token in one step, whatever the cap; the GM gets two complication points (R0.102, Q0.41)."""
    able_to_spend(table, who.id)
    gain(table, who, "tempts fate")
    table.record(
        events.PoolGained(holder="", pool=COMPLICATION, amount=2, reason=f"{who.name} tempts fate"),
        events.PoolSpent(holder=who.id, pool=TOKEN, amount=1, reason=reason),
    )


BARGAIN = "bargain"
"""The open choice of a character who is offered a bargain; its field is the ``COMPLICATION``."""

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
                f"{who.name} has still to answer another bargain: bargain {who.id} {ACCEPT} or {REFUSE}", "who"
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

    check_available = verbs.available_if(lambda table, who: _check_offered(table, table.character(who)))

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
    """Settle an answer: a token, refused at the cap (Q0.37), or nothing (Q0.43)."""
    if answer == REFUSE:
        table.record(events.NoteWritten(text=f"{who.name} refuses a devil's bargain: {complication}", about=who.id))
        return
    check_room(table, who)
    gain(table, who, f"takes a devil's bargain: {complication}")


def choose(table: Table, who: Character, _choice: str, picked: str) -> None:
    """The effect of the verb choose: ``who`` is the character with the choice still open."""
    settle(table, who, picked, _offered(who))
