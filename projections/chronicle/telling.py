"""The telling: what happened, session by session and scene by scene, in the order of play as it counts today.

What was undone is not told, and what came out otherwise after a correction is told as it came out: what was written before is in
a chapter of its own.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, tzinfo

import attrs

from rollbook.domain import events
from rollbook.domain.base.progress import told
from rollbook.domain.entries import Entry
from rollbook.projections.acts import Words
from rollbook.projections.chronicle.actions import Deed
from rollbook.projections.chronicle.model import Chapter, Heading, Kind, Paragraph, Part, Sentence, day
from rollbook.projections.chronicle.prose import QUOTED, prose
from rollbook.projections.context import Context
from rollbook.projections.log_lines import NO_RULES, Teller
from rollbook.projections.outcomes import GOES_ON

MOST = 6
"""So many sentences outside a fight make a paragraph."""


class Paragraphs:
    """The paragraphs of a chapter as they are written."""

    def __init__(self) -> None:
        self._written: list[Paragraph] = []
        self._sentences: list[Sentence] = []
        self._round = 0
        self._fights = False

    def add(self, sentence: Sentence, entry: Entry) -> None:
        """One sentence; one without words is left out."""
        turn = any(isinstance(event, events.TurnBegan) for event in entry.events)
        if sentence.text:
            self._sentences.append(sentence)
        if turn or (not self._fights and len(self._sentences) >= MOST):
            self._close()

    def stand(self, paragraph: Paragraph) -> None:
        """A paragraph that stands by itself; an X-card that is answered at once is one with the answer."""
        self._close()
        if paragraph.kind is Kind.FIGHT:
            self._round, self._fights = 0, True
        last = self._written[-1] if self._written else None
        if last is not None and last.kind is paragraph.kind is Kind.X_CARD:
            self._written[-1] = attrs.evolve(last, heading=f"{last.heading} {paragraph.heading}")
        else:
            self._written.append(paragraph)

    def begin_round(self, order: events.TurnOrderSet | None, names: Mapping[str, str]) -> None:
        """The next round, with its order."""
        self._round += 1
        self.stand(Paragraph(kind=Kind.ROUND, heading=f"Round {self._round}", detail=_order(order, names)))

    def end_fight(self) -> None:
        """The fight is over."""
        self._fights = False

    def take(self) -> tuple[Paragraph, ...]:
        """All that was written, without a round at its end in which nothing happened; the next chapter begins empty."""
        self._close()
        written, self._written = self._written, []
        while written and written[-1].kind is Kind.ROUND:
            written.pop()
        return tuple(written)

    def _close(self) -> None:
        if self._sentences:
            self._written.append(Paragraph(kind=Kind.PROSE, sentences=tuple(self._sentences)))
            self._sentences = []


def _order(order: events.TurnOrderSet | None, names: Mapping[str, str]) -> str:
    """``19 Robin Hood, 14 Count Dracula``; names alone where there are no numbers."""
    if order is None:
        return ""
    who = [names.get(each, each) for each in order.order]
    scores = [f"{score} " for score in order.scores] if len(order.scores) == len(who) else [""] * len(who)
    return ", ".join(f"{score}{name}" for score, name in zip(scores, who, strict=True))


BACKSTAGE = frozenset(
    (
        *("start-campaign", "take-seat", "leave-seat", "open-session", "close-session", "scene", "agree", "time-zone"),
        *("sheet", "draw-for", "grant-dice", "reveal-screen"),
    )
)
"""Verbs that say who is there, where a part begins and where dice come from: they are on the title page, and in the headings."""


@attrs.frozen(kw_only=True)
class Telling:
    """What is said of those ``deeds`` that are wanted, with ``names`` for who was met only later and the ``words`` of verbs.

    Days are in a ``zone``. The other deeds are followed, because what they did is known: a level, the title of a session.
    """

    deeds: tuple[Deed, ...]
    names: Mapping[str, str]
    words: Words = NO_RULES.words
    zone: tzinfo = UTC

    def parts(self) -> Iterator[Part]:
        """The sessions, one after the other."""
        context, making = Context(names=dict(self.names)), _Making(self.zone)
        for deed in told(self.deeds, lambda: len(self.deeds)):
            context.follow(deed.outcome)
            if deed.wanted and is_staged(deed):
                yield from making.part_before(deed)
                making.add(deed, Teller(context.shown_names, self.words, seats=context.seats))
            else:
                making.pass_over(deed)
        yield from making.last()

    def contents(self) -> Iterator[Heading]:
        """The titles of the parts and of the scenes in them."""
        found: Heading | None = None
        title = ""
        for deed in self.deeds:
            title = _session_title(deed, title)
            if not (deed.wanted and is_staged(deed)):
                continue
            if found is None or deed.session != found.number:
                if found is not None:
                    yield found
                found = Heading(number=deed.session, title=title, date=day(deed.outcome.at, self.zone), chapters=())
            framed = [
                each.title for each in deed.outcome.events if deed.counts and isinstance(each, events.SceneFramed)
            ]
            found = attrs.evolve(found, chapters=(*found.chapters, *framed))
        if found is not None:
            yield found


def is_staged(deed: Deed) -> bool:
    """Whether an action belongs to a part: who sits down before the first session is on the title page alone."""
    return bool(deed.session) or deed.outcome.intent.verb not in BACKSTAGE


def _session_title(deed: Deed, before: str) -> str:
    """What the session is called from this action on; one that is called by its day has no title."""
    for event in deed.outcome.events if deed.counts else ():
        if isinstance(event, events.SessionOpened):
            return "" if _DATE.fullmatch(event.title) else event.title
    return before


class _Making:
    """The part that is being written, with its chapters so far."""

    def __init__(self, zone: tzinfo) -> None:
        self._zone = zone
        self._part: Part | None = None
        self._chapters: list[Chapter] = []
        self._session = ""
        self._title = ""
        self._paragraphs = Paragraphs()
        self._levels: dict[str, int] = {}

    def pass_over(self, deed: Deed) -> None:
        """An action of which nothing is written."""
        self._session = _session_title(deed, self._session)
        for event in deed.outcome.events if deed.counts else ():
            if isinstance(event, events.LevelGained):
                self._rise(event)

    def _rise(self, event: events.LevelGained) -> int:
        level = self._levels[event.character] = self._levels.get(event.character, 0) + event.levels
        return level

    def part_before(self, deed: Deed) -> Iterator[Part]:
        """The part that is over now that an action belongs to the next session."""
        if self._part is not None and self._part.number != deed.session:
            yield from self.last()
        self._session = _session_title(deed, self._session)
        if self._part is None:
            self._part = Part(
                number=deed.session, title=self._session, date=day(deed.outcome.at, self._zone), chapters=()
            )

    def last(self) -> Iterator[Part]:
        """The part that is being written, whole."""
        self._close_chapter()
        if self._part is not None:
            yield attrs.evolve(self._part, chapters=tuple(self._chapters))
        self._part, self._chapters, self._title = None, [], ""

    def _close_chapter(self) -> None:
        written = self._paragraphs.take()
        if written or self._title:
            self._chapters.append(Chapter(title=self._title, paragraphs=written))

    def add(self, deed: Deed, teller: Teller) -> None:
        """An action with all that came of it; nothing of one that was undone."""
        if not deed.counts:
            return
        for event in deed.outcome.events:
            self._mark(event, deed, teller.names)
        if deed.outcome.intent.verb not in BACKSTAGE:
            self._say(deed, teller)
        for event in deed.outcome.events:
            self._stand_out(event, deed, teller.names)

    def _mark(self, event: events.Event, deed: Deed, names: Mapping[str, str]) -> None:
        if isinstance(event, events.SceneFramed):
            self._close_chapter()
            self._title = event.title
        elif isinstance(event, events.EncounterBegan):
            self._paragraphs.stand(Paragraph(kind=Kind.FIGHT, heading=event.title or "A fight"))
        elif isinstance(event, events.RoundBegan):
            order = next((each for each in deed.outcome.events if isinstance(each, events.TurnOrderSet)), None)
            self._paragraphs.begin_round(order, names)
        elif isinstance(event, events.EncounterEnded):
            self._paragraphs.end_fight()

    def _say(self, deed: Deed, teller: Teller) -> None:
        entry = deed.outcome
        said = prose(entry, teller)
        sentence = Sentence(
            number=deed.number, text=said.text, dice=said.dice, success=said.success, secret=_readers(entry)
        )
        quoted = _quotations(entry)
        if not quoted:
            self._paragraphs.add(sentence, entry)
        for text in quoted:
            words = attrs.evolve(sentence, text=text, dice=(), success=0)
            self._paragraphs.stand(Paragraph(kind=Kind.QUOTE, sentences=(words,), by=entry.seat))
        for fallen in said.fallen:
            self._paragraphs.stand(Paragraph(kind=Kind.FALL, heading=fallen))

    def _stand_out(self, event: events.Event, deed: Deed, names: Mapping[str, str]) -> None:
        if isinstance(event, events.LevelGained):
            level = self._rise(event)
            joins = any(isinstance(each, events.CharacterJoined) for each in deed.outcome.events)
            if not joins and deed.outcome.intent.verb not in BACKSTAGE:
                verb = "rises" if event.levels > 0 else "falls back"
                who = names.get(event.character, event.character)
                self._paragraphs.stand(Paragraph(kind=Kind.LEVEL, heading=f"{who} {verb} to level {level}"))
        elif isinstance(event, events.XCardRaised):
            self._paragraphs.stand(Paragraph(kind=Kind.X_CARD, heading="The X-card is raised, and the scene pauses."))
        elif isinstance(event, events.XCardAnswered):
            said = GOES_ON.get(event.how, "the table goes on")
            self._paragraphs.stand(Paragraph(kind=Kind.X_CARD, heading=f"{said[:1].upper()}{said[1:]}."))


_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def _readers(entry: Entry) -> str:
    if not entry.visibility:
        return ""
    return "for the GM alone" if entry.visibility == "gm" else f"for {entry.visibility} alone"


def _quotations(entry: Entry) -> list[str]:
    """The words of notes; of a note whose words were removed, that they were."""
    if entry.intent.verb not in QUOTED:
        return []
    notes = (event for event in entry.events if isinstance(event, events.NoteWritten))
    return [_without_stars(note.text) or "(the words of this note were removed)" for note in notes]


def _without_stars(text: str) -> str:
    """Words without the stars by which a chat sets them in italics, as a quotation stands anyway."""
    bare = text.strip()
    whole = len(bare) > 2 and bare[0] == bare[-1] == "*" and "*" not in bare[1:-1]
    return bare[1:-1] if whole else text
