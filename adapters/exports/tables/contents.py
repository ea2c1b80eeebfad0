"""The tables of a campaign: the log, rolls with their dice, experience, characters with their sheets, events, sessions."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TypeAlias

import attrs

from rollbook.adapters.exports.exporter import ExportRequest
from rollbook.application.encoding.codec import CODEC
from rollbook.domain.base.identifiers import EntryNumber
from rollbook.domain.dice.record import STREAM
from rollbook.domain.events import DiceRolled, SessionClosed, SessionOpened
from rollbook.domain.rules.sheet import Term
from rollbook.projections.acts import subject_of
from rollbook.projections.session_log import LogLine
from rollbook.projections.utc import second

Cell: TypeAlias = str | int | None
Row: TypeAlias = tuple[Cell, ...]


@attrs.frozen
class Column:
    """A column: ``kind`` is str or int; ``words`` say what it holds, in which unit. ``of`` is the table that it points into."""

    name: str
    words: str
    kind: type = str
    of: str = ""


@attrs.frozen(eq=False)
class Contents:
    """Source of the rows of all tables."""

    request: ExportRequest

    @cached_property
    def lines(self) -> list[LogLine]:
        """The wanted lines of the log."""
        return self.request.lines()

    @cached_property
    def status(self) -> Mapping[EntryNumber, str]:
        """The status of the wanted entries: they count, were undone or replaced, or correct others."""
        return {line.entry: line.status for line in self.lines}


@attrs.frozen(kw_only=True)
class Table:
    """A table: ``facets`` are columns by which it is worth sorting things out, the first columns up to ``key`` its key."""

    name: str
    title: str
    words: str
    columns: tuple[Column, ...]
    rows: Callable[[Contents], Iterable[Row]]
    key: int = 1
    facets: tuple[str, ...] = ()


ENTRY = Column("entry", "The number of the entry in the history, @47.", int)
ACTION = Column("action", "The number of the action, #12.", int)
SESSION = Column("session", "The number of the session; 0: before the first.", int)
AT = Column("at_utc", "When, in UTC; empty: unknown.")
SCENE = Column("scene", "The title of the scene.")
STATUS = Column("status", "counts, undone, replaced by a later outcome, or a correction.")
CHARACTER = Column("character", "The id of the character.")
NAME = Column("name", "What the character is called.")


def _log(contents: Contents) -> Iterator[Row]:
    return (tuple(line.to_dict().values()) for line in contents.lines)


LOG = Table(
    name="log",
    title="Log",
    words="What happened, in the order in which it was recorded. What was undone stays and says so.",
    columns=(
        *(ENTRY, ACTION, Column("revision", "Which outcome of the action it is, counted from 1.", int)),
        *(SESSION, SCENE, AT, Column("seat", "The person who acted.")),
        *(Column("verb", "The kind of thing that was done."), Column("who", "Who acted.")),
        Column("what", "What was tried, against whom."),
        Column("dice", "The rolls as they were written, faces in brackets behind their dice; (4) did not count."),
        *(Column("result", "What came of it."), Column("success", "yes or no; empty: nothing was at stake.")),
        *(STATUS, Column("reason", "Why, in the words of who did it.")),
        Column("corrected_by", "The entry that took it out of effect.", int),
        Column("why", "The reason of that entry."),
        Column("provenance", "played, imported or ruling."),
        Column("visibility", "Empty: everybody sees it; gm, or a seat."),
    ),
    rows=_log,
    facets=("session", "verb", "who", "status"),
)


def rolls_of(contents: Contents) -> Iterator[tuple[int, DiceRolled, Row]]:
    """Every roll with its number in the export, and its row."""
    number = 0
    people = contents.request.people
    for entry, context in contents.request.in_context():
        seat, names = people.get(entry.seat, entry.seat), {**people, **context.shown_names}
        for roll in entry.events:
            if not isinstance(roll, DiceRolled):
                continue
            number += 1
            faces = " ".join(f"{die.face}" if die.kept else f"({die.face})" for die in roll.dice)
            sources = ", ".join(dict.fromkeys(source.kind for source in roll.sources)) or STREAM
            row: Row = (
                *(number, entry.number, entry.action, context.session, context.scene, second(entry.at), seat),
                *(names.get(roll.roller, roll.roller), roll.purpose, roll.typed or roll.expression),
                *(faces, roll.natural or None, roll.total, sources, "yes" if roll.secret else "no"),
                contents.status.get(entry.number, ""),
            )
            yield number, roll, row


ROLLS = Table(
    name="rolls",
    title="Rolls",
    words="Every roll of dice, with its faces and total.",
    columns=(
        *(Column("roll", "The number of the roll in this export.", int), ENTRY, ACTION, SESSION, SCENE, AT),
        Column("seat", "The person at whose action it was rolled."),
        Column("roller", "Who rolled: a character or a seat."),
        Column("purpose", "What it was rolled for."),
        Column("expression", "The dice as they were asked for, 2d6+3."),
        Column("faces", "The faces in the order in which they were drawn; those that do not count in brackets."),
        Column("natural", "The face of the die that the rule looks at.", int),
        Column("total", "What the dice and all numbers come to.", int),
        Column("source", "stream (drawn, provable), physical (typed in), override or imported."),
        *(Column("secret", "yes: rolled behind the screen."), STATUS),
    ),
    rows=lambda contents: (row for _, _, row in rolls_of(contents)),
    facets=("session", "roller", "purpose", "source", "status"),
)


def _dice(contents: Contents) -> Iterator[Row]:
    for number, roll, _ in rolls_of(contents):
        for place, die in enumerate(roll.dice, 1):
            yield number, place, die.sides, die.face, "yes" if die.kept else "no", die.why


DICE = Table(
    name="dice",
    title="Dice",
    words="Every single die of every roll.",
    columns=(
        Column("roll", "The roll that it belongs to.", int, "rolls"),
        Column("place", "Its place in the roll, counted from 1.", int),
        Column("sides", "How many sides it has.", int),
        Column("face", "The face that it shows, from 1.", int),
        Column("kept", "yes: it counts."),
        Column("why", "Why it does not count, or why it is there at all."),
    ),
    rows=_dice,
    key=2,
    facets=("sides", "face", "kept"),
)


def _xp(contents: Contents) -> Iterator[Row]:
    campaign, wanted = contents.request.campaign, contents.status
    earned, levels = Counter[str](), Counter[str]()
    for line in campaign.read_model.xp(campaign.id):
        earned[line.character] += line.xp
        levels[line.character] += line.levels
        if line.entry in wanted:
            yield (
                *(line.entry, line.part, line.action, line.session, second(line.at), line.character, line.name),
                *(line.xp, earned[line.character], line.levels, levels[line.character], line.reason),
            )


XP = Table(
    name="xp",
    title="Experience",
    words="Every award of experience and every level that counts, with the totals up to there.",
    columns=(
        *(ENTRY, Column("part", "Its place among the events of the entry, from 0.", int), ACTION, SESSION, AT),
        *(CHARACTER, NAME, Column("xp", "The experience points that were earned.", int)),
        Column("total_xp", "The character's experience points up to here.", int),
        Column("levels", "The levels that were gained.", int),
        Column("level", "The levels that were gained up to here.", int),
        Column("reason", "For what."),
    ),
    rows=_xp,
    key=2,
    facets=("session", "name"),
)


def _characters(contents: Contents) -> Iterator[Row]:
    campaign, people = contents.request.campaign, contents.request.people
    for who in campaign.state.characters.values():
        title = campaign.sheet(who.id).title
        present = "yes" if who.present else "no"
        seat = people.get(who.seat, who.seat)
        yield who.id, who.name, title, str(who.kind), seat, present, who.level, who.experience, who.lost


CHARACTERS = Table(
    name="characters",
    title="Characters",
    words="Everybody with a sheet, as they are at the end.",
    columns=(
        *(CHARACTER, NAME, Column("title", "What the ruleset calls such a character.")),
        Column("kind", "pc, npc, monster, hireling or thing."),
        Column("seat", "The person who plays the character."),
        *(Column("present", "yes: in play."), Column("level", "The level.", int)),
        *(Column("experience", "Experience points.", int), Column("hit_points_lost", "Hit points lost so far.", int)),
    ),
    rows=_characters,
    facets=("kind", "seat", "present"),
)


def _sheets(contents: Contents) -> Iterator[Row]:
    campaign = contents.request.campaign
    for who in campaign.state.characters.values():
        sheet = campaign.sheet(who.id)
        values = {value.key: value for value in sheet.values}
        for key, value in values.items():
            yield who.id, key, who.name, value.label, value.amount, str(value), "; ".join(map(_term, value.terms))
        for label, text in dict(sheet.words).items():
            yield who.id, f"words: {label}", who.name, label, None, text, ""


def _term(term: Term) -> str:
    return f"{term.amount:+d} {term.label}" + (f" ({term.rule})" if term.rule else "")


SHEETS = Table(
    name="sheets",
    title="Sheets",
    words="Every line of every sheet as it is at the end, with the terms that it is made of.",
    columns=(
        Column("character", "The id of the character.", of="characters"),
        Column("key", "The name of the line in the ruleset."),
        NAME,
        Column("label", "What the line is called."),
        Column("amount", "The number; empty: the line is words.", int),
        Column("shown", "How it is written."),
        Column("made_of", "The terms that add up to the number, with the rules that they come from."),
    ),
    rows=_sheets,
    key=2,
    facets=("name", "label"),
)


def _sessions(contents: Contents) -> Iterator[Row]:
    entries, opened, closed = Counter[int](), dict[int, tuple[str, str]](), dict[int, str]()
    for entry, context in contents.request.in_context():
        entries[context.session] += 1
        for event in entry.events:
            if isinstance(event, SessionOpened):
                opened[event.session] = event.title, second(entry.at)
            elif isinstance(event, SessionClosed):
                closed[event.session] = second(entry.at)
    for number, many in sorted(entries.items()):
        yield number, *opened.get(number, ("", "")), closed.get(number, ""), many


SESSIONS = Table(
    name="sessions",
    title="Sessions",
    words="The meetings of the group.",
    columns=(
        *(SESSION, Column("title", "What it is called."), Column("opened_utc", "When it was opened, in UTC.")),
        Column("closed_utc", "When it was closed, in UTC; empty: open."),
        Column("entries", "How many entries it has.", int),
    ),
    rows=_sessions,
)


def _events(contents: Contents) -> Iterator[Row]:
    for entry, context in contents.request.in_context():
        for part, event in enumerate(entry.events):
            _, data = json.loads(CODEC.encode(event))
            who = subject_of(event) or None
            held = json.dumps(data, ensure_ascii=False)
            place = (entry.number, part, entry.action, context.session)
            yield *place, type(event).__name__, who, held, contents.status[entry.number]


EVENTS = Table(
    name="events",
    title="Events",
    words="Every change, with its fields as JSON; the export json-schema says what they mean.",
    columns=(
        *(ENTRY, Column("part", "Its place among the events of the entry, from 0.", int), ACTION, SESSION),
        *(Column("kind", "The kind of event."), Column("character", "The id of the character it is about, if any.")),
        *(Column("data", "Its fields, as JSON."), STATUS),
    ),
    rows=_events,
    key=2,
    facets=("kind", "session", "character", "status"),
)

TABLES = (LOG, ROLLS, DICE, XP, CHARACTERS, SHEETS, SESSIONS, EVENTS)
