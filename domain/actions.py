"""The verbs that every game has: seats and sessions, scenes and notes, rulings, time, experience, sheets, loose dice.

A ruleset may bring its own verb of the same name, which then takes its place (creating a character, say).
"""

from __future__ import annotations

import re
from typing import ClassVar

import attrs

from domain import events as facts
from domain.campaign import Character
from domain.errors import Refused
from domain.events import Kind, Role
from domain.history import DRAW
from domain.ruleset import chosen_settings
from domain.table import Table
from domain.verbs import (
    Action,
    Want,
    character,
    characters,
    choice,
    dice,
    flag,
    names,
    number,
    seat,
    supplied,
    words,
)

GM = "gm"
SCHEME = "rollbook/dice/1"
NUMBER = re.compile(r"[+-]?[0-9]{1,12}")
SECONDS = {"seconds": 1, "rounds": 0, "minutes": 60, "hours": 3_600, "days": 86_400}
"""How long the units of ``pass-time`` are; a round is as long as the ruleset's settings say."""


def slug(name: str) -> str:
    """The id that a name is typed by: lower case, words joined by hyphens (``Robin Hood`` → ``robin-hood``)."""
    kept = "".join(letter if letter.isalnum() else " " for letter in name.casefold())
    return "-".join(kept.split())


@attrs.frozen(kw_only=True)
class StartCampaign(Action):
    """Begin a campaign, by a ruleset and its house rules, all written out."""

    verb: ClassVar[str] = "start-campaign"
    gm_only: ClassVar[bool] = True
    final: ClassVar[bool] = True

    name: str = words("what the campaign is called")
    identity: str = supplied(Want.TEXT, "16 random bytes, in hexadecimal")
    ruleset: str = words("the ruleset's key", default="")
    version: str = supplied(Want.TEXT, "the ruleset's version", default="")
    settings: tuple[str, ...] = names("house rules, as key=value", default=())

    def resolve(self, table: Table) -> None:
        """The campaign's first facts."""
        table.record(facts.CampaignStarted(name=self.name, identity=self.identity))
        if not self.ruleset:
            return
        if table.ruleset is None:
            raise Refused(f"The ruleset {self.ruleset} is not installed.")
        chosen = dict(pair.partition("=")[::2] for pair in self.settings)
        table.record(
            facts.RulesetAdopted(
                ruleset=self.ruleset, version=self.version, settings=chosen_settings(table.ruleset, chosen)
            )
        )


@attrs.frozen(kw_only=True)
class TakeSeat(Action):
    """A person sits down at the table, as GM, player or spectator."""

    verb: ClassVar[str] = "take-seat"
    gm_only: ClassVar[bool] = True

    seat: str = words("the person's name")
    role: str = choice("what the person does", tuple(Role), default=Role.PLAYER.value)

    def resolve(self, table: Table) -> None:
        """The GM's seat is number 0, everybody else gets the next number."""
        taken = table.seats
        known = taken.get(self.seat)
        if known is not None and known.present:
            table.refuse(f"{self.seat} already has a seat, as {known.role}.")
        if not self.seat or self.seat != self.seat.strip():
            table.refuse("A seat needs a name without blanks around it.")
        numbers = {taken_seat.number for taken_seat in taken.values()}
        free = 0 if self.role == Role.GM and 0 not in numbers else max(numbers | {0}) + 1
        table.record(facts.SeatTaken(seat=self.seat, role=Role(self.role), number=known.number if known else free))


@attrs.frozen(kw_only=True)
class LeaveSeat(Action):
    """A person leaves the campaign; what they played stays."""

    verb: ClassVar[str] = "leave-seat"
    gm_only: ClassVar[bool] = True

    seat: str = seat("the person's name")

    def resolve(self, table: Table) -> None:
        """The seat is empty."""
        known = table.seats.get(self.seat)
        if known is None or not known.present:
            table.refuse(f"Nobody called {self.seat} sits at this table.")
        table.record(facts.SeatLeft(seat=self.seat))


@attrs.frozen(kw_only=True)
class OpenSession(Action):
    """Open an evening of play: the dice are committed to before anybody rolls one."""

    verb: ClassVar[str] = "open-session"
    gm_only: ClassVar[bool] = True
    final: ClassVar[bool] = True

    title: str = words("what the evening is called", default="")
    identity: str = supplied(Want.TEXT, "the session's 16 random bytes, in hexadecimal")
    commit_table: str = supplied(Want.TEXT, "the commitment to the open dice")
    commit_screen: str = supplied(Want.TEXT, "the commitment to the GM's secret dice")

    def resolve(self, table: Table) -> None:
        """A new session, if none is open; the ruleset may hand out what a session starts with."""
        last = table.session
        if last is not None and last.is_open:
            table.refuse(f"Session {last.number} is still open. Close it first: rollbook do close-session")
        table.record(
            facts.SessionOpened(
                session=last.number + 1 if last else 1,
                title=self.title,
                identity=self.identity,
                scheme=SCHEME,
                commit_table=self.commit_table,
                commit_screen=self.commit_screen,
            )
        )
        if table.ruleset is not None:
            table.ruleset.session_opened(table)


def _open_session(table: Table) -> int:
    session = table.session
    if session is None or not session.is_open:
        table.refuse("No session is open. Open one first: rollbook do open-session")
    return session.number


@attrs.frozen(kw_only=True)
class AddEntropy(Action):
    """Mix a line of a player's own into the evening's dice, before the first of them is rolled."""

    verb: ClassVar[str] = "entropy"
    final: ClassVar[bool] = True

    text: str = words("anything: a few rolls of real dice, a line from a song")

    def resolve(self, table: Table) -> None:
        """The line is bound to the seat's number."""
        session = _open_session(table)
        sitting = table.seats.get(table.seat)
        table.record(facts.EntropyAdded(session=session, number=sitting.number if sitting else 0, text=self.text))


@attrs.frozen(kw_only=True)
class CloseSession(Action):
    """Close the evening: the seed of the open dice is revealed, so that anybody can check them."""

    verb: ClassVar[str] = "close-session"
    gm_only: ClassVar[bool] = True
    final: ClassVar[bool] = True

    seed: str = supplied(Want.TEXT, "the seed of the open dice, in hexadecimal", default="")
    counts: tuple[str, ...] = supplied(Want.TEXTS, "how many rolls each seat has used", default=())

    def resolve(self, table: Table) -> None:
        """Reveal, count, close."""
        session = _open_session(table)
        if table.ruleset is not None:
            table.ruleset.session_closed(table)
        if self.seed:
            table.record(facts.DiceRevealed(session=session, seed=self.seed))
        pairs = (count.partition("=") for count in self.counts)
        table.record(facts.SessionClosed(session=session, counts={who: int(many) for who, _, many in pairs}))


@attrs.frozen(kw_only=True)
class RevealScreen(Action):
    """Lay open the seed of a past session's secret dice."""

    verb: ClassVar[str] = "reveal-screen"
    gm_only: ClassVar[bool] = True
    final: ClassVar[bool] = True

    session: int = number("the session's number", minimum=1)
    seed: str = supplied(Want.TEXT, "the seed of the secret dice, in hexadecimal")

    def resolve(self, table: Table) -> None:
        """Only after the session is closed."""
        last = table.session
        if last is None or self.session > last.number or (self.session == last.number and last.is_open):
            table.refuse(f"Session {self.session} is not closed, so its secret dice stay secret.")
        table.record(facts.DiceRevealed(session=self.session, seed=self.seed, screen=True))


@attrs.frozen(kw_only=True)
class FrameScene(Action):
    """Begin a scene."""

    verb: ClassVar[str] = "scene"
    gm_only: ClassVar[bool] = True

    title: str = words("where and what")

    def resolve(self, table: Table) -> None:
        """A new scene."""
        table.record(facts.SceneFramed(title=self.title))


@attrs.frozen(kw_only=True)
class WriteNote(Action):
    """Write something down: for the table, for the GM alone, or for one seat."""

    verb: ClassVar[str] = "note"

    text: str = words("the words")
    to: str = words("who may read it: table, gm or a seat's name", default="table")
    about: str = character("whom it is about", default="")

    @property
    def visibility(self) -> str:
        """Who may read it, as the header says it."""
        return "" if self.to == "table" else self.to

    def resolve(self, table: Table) -> None:
        """Words, and nothing else."""
        if self.to not in ("table", GM) and self.to not in table.seats:
            table.refuse(f"Nobody called {self.to} sits at this table; a note is to the table, the gm or a seat.")
        if self.about:
            table.character(self.about)
        table.record(facts.NoteWritten(text=self.text, about=self.about))


@attrs.frozen(kw_only=True)
class RaiseXCard(Action):
    """Stop, skip or change what is happening. No reason is asked and nobody learns who raised it (R0.4)."""

    verb: ClassVar[str] = "x-card"
    final: ClassVar[bool] = True
    anonymous: ClassVar[bool] = True

    def resolve(self, table: Table) -> None:
        """The scene is paused (Q0.80)."""
        table.record(facts.XCardRaised())


@attrs.frozen(kw_only=True)
class AnswerXCard(Action):
    """Go on after an X-card: resume the scene, skip it, or adjust it (Q0.80)."""

    verb: ClassVar[str] = "after-x-card"
    gm_only: ClassVar[bool] = True

    how: str = choice("how the table goes on", ("resume", "skip", "adjust"))

    def resolve(self, table: Table) -> None:
        """The pause is over."""
        if not table.is_paused:
            table.refuse("No X-card lies on the table.")
        table.record(facts.XCardAnswered(how=self.how))


@attrs.frozen(kw_only=True)
class MakeRuling(Action):
    """Decide beyond or against the rules, and say why."""

    verb: ClassVar[str] = "ruling"
    gm_only: ClassVar[bool] = True

    reason: str = words("what is ruled, and why")
    about: str = character("whom it is about", default="")

    def resolve(self, table: Table) -> None:
        """Always allowed, always on record."""
        if self.about:
            table.character(self.about)
        table.record(facts.RulingMade(reason=self.reason, about=self.about))


@attrs.frozen(kw_only=True)
class Adjust(Action):
    """Change hit points, a number or a pool by ruling, with a reason (QG.8)."""

    verb: ClassVar[str] = "adjust"
    gm_only: ClassVar[bool] = True

    who: str = character("whose sheet")
    what: str = words("hp, the name of a number on the sheet, or pool:NAME")
    by: int = number("how much, for example 3 or -2")
    reason: str = words("why")

    def resolve(self, table: Table) -> None:
        """A ruling and the change that it makes."""
        who = table.character(self.who)
        table.record(facts.RulingMade(reason=self.reason, about=who.id))
        kind, _, name = self.what.partition(":")
        if self.what == "hp":
            table.record(facts.HitPointsCorrected(character=who.id, amount=self.by, reason=self.reason))
        elif kind == "pool" and self.by >= 0:
            table.record(facts.PoolGained(holder=who.id, pool=name, amount=self.by, reason=self.reason))
        elif kind == "pool":
            table.record(facts.PoolSpent(holder=who.id, pool=name, amount=-self.by, reason=self.reason))
        else:
            table.record(facts.StatChanged(character=who.id, stat=self.what, amount=self.by, reason=self.reason))
        changed(table, who)


def changed(table: Table, before: Character) -> None:
    """Let the ruleset look at a character whose sheet changed, ``before`` being how it was: a death line may be crossed."""
    if table.ruleset is not None:
        table.ruleset.character_changed(table, before)


@attrs.frozen(kw_only=True)
class PassTime(Action):
    """Let time pass in the world: rests heal, conditions run out, hunger bites."""

    verb: ClassVar[str] = "pass-time"
    gm_only: ClassVar[bool] = True

    amount: int = number("how many", minimum=1, maximum=1_000_000)
    unit: str = choice("of what", tuple(SECONDS))
    rest: bool = flag("whether everybody rests meanwhile")

    def resolve(self, table: Table) -> None:
        """The clock moves on, then the ruleset does what time does."""
        length = SECONDS[self.unit]
        if self.unit == "rounds":
            length = getattr(table.settings, "round_seconds", 0) if table.ruleset is not None else 0
            if not length:
                table.refuse("This game does not say how long a round is: name the time in seconds or minutes.")
        before = table.clock
        table.record(facts.TimePassed(seconds=self.amount * length))
        if table.ruleset is not None:
            table.ruleset.time_passed(table, before, rest=self.rest)


@attrs.frozen(kw_only=True)
class AwardExperience(Action):
    """Award experience points; the ruleset says whether a level is due."""

    verb: ClassVar[str] = "award"
    gm_only: ClassVar[bool] = True

    who: tuple[str, ...] = characters("who earned them: names, or party for every player character")
    amount: int = number("points for each of them", minimum=1, maximum=1_000_000_000)
    reason: str = words("for what", default="")

    def resolve(self, table: Table) -> None:
        """Everybody named gets the whole amount."""
        named = [who.id for who in table.player_characters()] if self.who == ("party",) else list(self.who)
        if not named:
            table.refuse("There is nobody in the party to award experience to.")
        for name in named:
            who = table.character(name)
            table.record(facts.ExperienceAwarded(character=who.id, amount=self.amount, reason=self.reason))
            if table.ruleset is not None:
                table.ruleset.experience_awarded(table, who.id)


@attrs.frozen(kw_only=True)
class Join(Action):
    """Bring somebody into the campaign, with whatever numbers the sheet should carry."""

    verb: ClassVar[str] = "join"
    gm_only: ClassVar[bool] = True

    name: str = words("the character's name")
    id: str = words("what the character is called in commands", default="")
    kind: str = choice("what sort of somebody", tuple(Kind), default=Kind.PLAYER_CHARACTER.value)
    seat: str = seat("who plays the character", default="")
    stats: tuple[str, ...] = names("numbers on the sheet, as name=number", default=())

    def resolve(self, table: Table) -> None:
        """A newcomer."""
        who = enter(table, name=self.name, id=self.id, kind=self.kind, seat=self.seat)
        for pair in self.stats:
            stat, _, amount = pair.partition("=")
            if not NUMBER.fullmatch(amount):
                table.refuse(f"A number on the sheet is written name=number, of at most 12 digits, not {pair!r}.")
            table.record(facts.StatChanged(character=who, stat=stat, amount=int(amount)))


def enter(table: Table, *, name: str, id: str, kind: str, seat: str) -> str:
    """The first fact of everybody with a sheet. Refused if the id is taken or the seat empty. Returns the id."""
    who = id or slug(name)
    if not who:
        table.refuse("A character needs a name.")
    if slug(who) != who:
        table.refuse(f"{who!r} cannot be typed easily; call the character {slug(who)!r} in commands.")
    if table.knows(who):
        table.refuse(f"There is already somebody called {who!r}. Give the newcomer another --id.")
    if seat and seat not in table.seats:
        table.refuse(f"Nobody called {seat} sits at this table. First: rollbook do take-seat {seat}")
    table.record(facts.CharacterJoined(character=who, name=name, kind=Kind(kind), seat=seat))
    return who


@attrs.frozen(kw_only=True)
class Leave(Action):
    """A character goes out of play; the sheet and the history stay."""

    verb: ClassVar[str] = "leave"
    gm_only: ClassVar[bool] = True

    who: str = character("who goes")
    reason: str = words("why", default="")

    def resolve(self, table: Table) -> None:
        """Out of play."""
        who = table.character(self.who)
        if not who.present:
            table.refuse(f"{who.name} has already left.")
        table.record(facts.CharacterLeft(character=who.id, reason=self.reason))


@attrs.frozen(kw_only=True)
class Lend(Action):
    """Let another seat play a character, for a scene or for good (R0.2)."""

    verb: ClassVar[str] = "lend"
    gm_only: ClassVar[bool] = True

    who: str = character("who is lent")
    to: str = seat("who plays the character from now on; gm takes it back", default=GM)

    def resolve(self, table: Table) -> None:
        """Control passes."""
        who = table.character(self.who)
        if self.to != GM and self.to not in table.seats:
            table.refuse(f"Nobody called {self.to} sits at this table.")
        table.record(facts.ControlPassed(character=who.id, seat="" if self.to == GM else self.to))


@attrs.frozen(kw_only=True)
class Give(Action):
    """Give a character things."""

    verb: ClassVar[str] = "give"
    gm_only: ClassVar[bool] = True

    who: str = character("who gets them")
    item: str = words("what")
    count: int = number("how many", default=1, minimum=1, maximum=1_000_000)
    use: str = words("what the ruleset takes it for, for example weapon:light", default="")

    def resolve(self, table: Table) -> None:
        """More of it."""
        who = table.character(self.who)
        table.record(facts.GearGained(character=who.id, item=self.item, count=self.count, use=self.use))


@attrs.frozen(kw_only=True)
class Drop(Action):
    """Take things from a character: lost, used up, sold."""

    verb: ClassVar[str] = "drop"

    who: str = character("who loses them", actor=True)
    item: str = words("what")
    count: int = number("how many", default=1, minimum=1, maximum=1_000_000)

    def resolve(self, table: Table) -> None:
        """Fewer of it."""
        who = table.character(self.who)
        held = who.gear.get(self.item)
        if held is None or held.count < self.count:
            table.refuse(f"{who.name} does not have {self.count} of {self.item!r}, but {held.count if held else 0}.")
        table.record(facts.GearLost(character=who.id, item=self.item, count=self.count))


@attrs.frozen(kw_only=True)
class ChangeTrait(Action):
    """Give a character a trait, or take it away, by ruling."""

    verb: ClassVar[str] = "trait"
    gm_only: ClassVar[bool] = True

    who: str = character("whose sheet")
    trait: str = words("which trait")
    kind: str = words("what sort of trait, for example role or heritage", default="")
    lose: bool = flag("take it away")

    def resolve(self, table: Table) -> None:
        """One trait more or less."""
        who = table.character(self.who)
        if self.lose == (self.trait not in who.traits):
            table.refuse(f"{who.name} {'does not have' if self.lose else 'already has'} the trait {self.trait}.")
        change = facts.TraitLost if self.lose else facts.TraitGained
        table.record(change(character=who.id, trait=self.trait, kind=self.kind or who.traits.get(self.trait, "")))
        changed(table, who)


@attrs.frozen(kw_only=True)
class Roll(Action):
    """Roll loose dice, for whatever the table wants to know."""

    verb: ClassVar[str] = "roll"

    expression: str = dice("what to roll, for example 2d6+1")
    who: str = character("who rolls", default="", actor=True)
    purpose: str = words("for what", default="roll")

    def resolve(self, table: Table) -> None:
        """Dice, and no consequence."""
        if self.who:
            table.character(self.who)
        table.roll(self.expression, roller=self.who or table.seat, purpose=self.purpose)


@attrs.frozen(kw_only=True)
class DrawFor(Action):
    """Draw dice for a correction of an earlier action: once seen they are on record, whatever is decided then."""

    verb: ClassVar[str] = DRAW
    gm_only: ClassVar[bool] = True
    final: ClassVar[bool] = True

    action: int = supplied(Want.NUMBER, "the action that needs them")
    roller: str = supplied(Want.TEXT, "who rolls them there")
    purpose: str = supplied(Want.TEXT, "for what")
    ordinal: int = supplied(Want.NUMBER, "which of the rolls for that")
    sides: int = supplied(Want.NUMBER, "the die")

    def resolve(self, table: Table) -> None:
        """One die."""
        table.roll(f"1d{self.sides}", roller=self.roller, purpose=self.purpose)


SHARED: tuple[type[Action], ...] = (
    StartCampaign,
    TakeSeat,
    LeaveSeat,
    OpenSession,
    AddEntropy,
    CloseSession,
    RevealScreen,
    FrameScene,
    WriteNote,
    RaiseXCard,
    AnswerXCard,
    MakeRuling,
    Adjust,
    PassTime,
    AwardExperience,
    Join,
    Leave,
    Lend,
    Give,
    Drop,
    ChangeTrait,
    Roll,
    DrawFor,
)
"""The shared verbs, in the order in which help lists them."""
