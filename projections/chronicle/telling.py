"""Narrative of a campaign, session by session and scene by scene, in the order of play as it counts today.

Undone actions are left out, and corrected ones have their new outcome: the text before is in an appendix of its own.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, tzinfo
from itertools import accumulate, groupby, islice
from typing import Any

import attrs

from rollbook.domain import events
from rollbook.domain.base.progress import told
from rollbook.domain.entries import Entry
from rollbook.domain.rulebook import Rulebook
from rollbook.projections.chronicle.actions import Deed
from rollbook.projections.chronicle.model import Chapter, Heading, Kind, Paragraph, Part, Sentence, day
from rollbook.projections.chronicle.prose import QUOTED, prose
from rollbook.projections.context import Context
from rollbook.projections.log_lines import NO_RULES, Teller
from rollbook.projections.outcomes import GOES_ON

MOST = 6
"""Most sentences of a paragraph outside a fight."""


BACKSTAGE = frozenset(
    (
        *("start-campaign", "take-seat", "leave-seat", "open-session", "close-session", "scene", "agree", "time-zone"),
        *("meanwhile", "cut-to"),
        *("sheet", "draw-for", "grant-dice", "reveal-screen"),
    )
)
"""Verbs about seats, beginnings of parts and sources of dice: they are on the title page and in the headings."""

SCENES = (events.SceneFramed, events.SceneResumed)
"""Events with which a chapter begins."""


@attrs.frozen(kw_only=True)
class Telling:
    """Narrative of the wanted ``deeds``, with ``names`` of characters who join later too, as the ``rulebook`` words them.

    Days are in a ``zone``. The other deeds are followed for what they changed: a level, the title of a session.
    """

    deeds: tuple[Deed, ...]
    names: Mapping[str, str]
    rulebook: Rulebook = NO_RULES
    zone: tzinfo = UTC

    def parts(self) -> Iterator[Part]:
        """The sessions, one after the other."""
        context, writing, title = Context(names=dict(self.names)), _Writing(), ""
        for deed in told(self.deeds, lambda: len(self.deeds)):
            context.follow(deed.outcome)
            title = _session_title(deed, title)
            if not _is_staged(deed):
                writing.pass_over(deed)
                continue
            if writing.part is None or writing.part.number != deed.session:
                yield from writing.end()
                begun = day(deed.outcome.at, self.zone)
                writing.part = Part(number=deed.session, title=title, date=begun, chapters=())
            writing.add(deed, Teller(context.shown_names, self.rulebook, seats=context.seats))
        yield from writing.end()

    def contents(self) -> Iterator[Heading]:
        """The titles of the parts and of the scenes in them."""
        titles = accumulate(self.deeds, lambda title, deed: _session_title(deed, title), initial="")
        staged = (each for each in zip(self.deeds, islice(titles, 1, None), strict=True) if _is_staged(each[0]))
        for number, some in groupby(staged, lambda each: each[0].session):
            (first, title), *rest = some
            happened = (event for deed in (first, *(deed for deed, _ in rest)) for event in deed.events)
            scenes = tuple(event.title for event in happened if isinstance(event, SCENES))
            yield Heading(number=number, title=title, date=day(first.outcome.at, self.zone), chapters=scenes)


def _is_staged(deed: Deed) -> bool:
    """True if a part has the action: a seat taken before the first session is only on the title page."""
    return deed.wanted and (bool(deed.session) or deed.outcome.intent.verb not in BACKSTAGE)


def _session_title(deed: Deed, before: str) -> str:
    """The title of the session from this action on; "" if it is only its date."""
    for event in deed.events:
        if isinstance(event, events.SessionOpened):
            return "" if _DATE.fullmatch(event.title) else event.title
    return before


class _Writing:
    """The part being written: its chapters so far, and the paragraphs of the current chapter."""

    def __init__(self) -> None:
        self.part: Part | None = None
        self._chapters: list[Chapter] = []
        self._title = ""
        self._paragraphs: list[Paragraph] = []
        self._sentences: list[Sentence] = []
        self._round = 0
        self._fights = False
        self._waiting: dict[str, tuple[int, bool]] = {}
        self._levels = Counter[str]()

    def end(self) -> Iterator[Part]:
        """Yield the part that was begun, whole."""
        self._end_chapter()
        if self.part is not None:
            yield attrs.evolve(self.part, chapters=tuple(self._chapters))
        self._chapters, self._title = [], ""

    def pass_over(self, deed: Deed) -> None:
        """Follow an action that is not written."""
        for event in deed.events:
            if isinstance(event, events.LevelGained):
                self._levels[event.character] += event.levels

    def add(self, deed: Deed, teller: Teller) -> None:
        """Add an action and its outcome; an undone one adds nothing."""
        for event in deed.events:
            self._mark(event, deed, teller.names)
        if deed.counts and deed.outcome.intent.verb not in BACKSTAGE:
            self._say(deed, teller)
        for event in deed.events:
            self._stand_out(event, deed, teller.names)

    def _mark(self, event: events.Event, deed: Deed, names: Mapping[str, str]) -> None:
        if isinstance(event, SCENES):
            self._end_chapter()
            self._title = event.title
            if isinstance(event, events.SceneResumed):
                self._round, self._fights = self._waiting.pop(event.title, (0, False))
        elif isinstance(event, events.SceneSetAside):
            self._waiting[self._title] = self._round, self._fights
            self._round, self._fights = 0, False
        elif isinstance(event, events.EncounterBegan):
            self._stand(Kind.FIGHT, event.title or "A fight")
            self._round, self._fights = 0, True
        elif isinstance(event, events.RoundBegan):
            order = next((each for each in deed.outcome.events if isinstance(each, events.TurnOrderSet)), None)
            self._round += 1
            self._stand(Kind.ROUND, f"Round {self._round}", detail=_order(order, names))
        elif isinstance(event, events.EncounterEnded):
            self._fights = False

    def _say(self, deed: Deed, teller: Teller) -> None:
        entry = deed.outcome
        said = prose(entry, teller)
        sentence = Sentence(
            number=deed.number, text=said.text, dice=said.dice, success=said.success, secret=_readers(entry, teller)
        )
        quoted = _quotations(entry)
        if not quoted:
            self._sentences += [sentence] if sentence.text else []
            is_turn = any(isinstance(event, events.TurnBegan) for event in entry.events)
            if is_turn or (not self._fights and len(self._sentences) >= MOST):
                self._end_paragraph()
        for text in quoted:
            words = attrs.evolve(sentence, text=text, dice=(), success=0)
            self._stand(Kind.QUOTE, sentences=(words,), by=teller.person(entry.seat))
        for shown in _pictures(entry):
            known = attrs.evolve(sentence, text="", dice=(), success=0)
            self._stand(Kind.PICTURE, shown.alt or _title(entry), picture=shown.digest, sentences=(known,))
        for fallen in said.fallen:
            self._stand(Kind.FALL, fallen)

    def _stand_out(self, event: events.Event, deed: Deed, names: Mapping[str, str]) -> None:
        if isinstance(event, events.LevelGained):
            self._levels[event.character] += event.levels
            joins = any(isinstance(each, events.CharacterJoined) for each in deed.outcome.events)
            if not joins and deed.outcome.intent.verb not in BACKSTAGE:
                verb = "rises" if event.levels > 0 else "falls back"
                who = names.get(event.character, event.character)
                self._stand(Kind.LEVEL, f"{who} {verb} to level {self._levels[event.character]}")
        elif isinstance(event, events.XCardRaised):
            self._stand(Kind.X_CARD, "The X-card is raised, and the scene pauses.")
        elif isinstance(event, events.XCardAnswered):
            said = GOES_ON.get(event.how, "the table goes on")
            self._stand(Kind.X_CARD, f"{said[:1].upper()}{said[1:]}.")

    def _stand(self, kind: Kind, heading: str = "", **more: Any) -> None:
        """Add a paragraph of its own; the answer to an X-card right before it goes into the same one."""
        self._end_paragraph()
        last = self._paragraphs[-1] if self._paragraphs else None
        if last is not None and last.kind is kind is Kind.X_CARD:
            heading = f"{self._paragraphs.pop().heading} {heading}"
        self._paragraphs.append(Paragraph(kind=kind, heading=heading, **more))

    def _end_paragraph(self) -> None:
        if self._sentences:
            self._paragraphs.append(Paragraph(kind=Kind.PROSE, sentences=tuple(self._sentences)))
            self._sentences = []

    def _end_chapter(self) -> None:
        """End the chapter, without empty rounds at its end."""
        self._end_paragraph()
        while self._paragraphs and self._paragraphs[-1].kind is Kind.ROUND:
            self._paragraphs.pop()
        if self._paragraphs or self._title:
            self._chapters.append(Chapter(title=self._title, paragraphs=tuple(self._paragraphs)))
        self._paragraphs = []


def _order(order: events.TurnOrderSet | None, names: Mapping[str, str]) -> str:
    """``19 Robin Hood, 14 Count Dracula``; names alone where there are no numbers."""
    if order is None:
        return ""
    who = [names.get(each, each) for each in order.order]
    scores = [f"{score} " for score in order.scores] if len(order.scores) == len(who) else [""] * len(who)
    return ", ".join(f"{score}{name}" for score, name in zip(scores, who, strict=True))


_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def _readers(entry: Entry, teller: Teller) -> str:
    if not entry.visibility:
        return ""
    return "for the GM alone" if entry.visibility == "gm" else f"for {teller.person(entry.visibility)} alone"


def _quotations(entry: Entry) -> list[str]:
    """The words of notes; for a redacted note, a remark that its words were removed."""
    if entry.intent.verb not in QUOTED:
        return []
    notes = (event for event in entry.events if isinstance(event, events.NoteWritten))
    return [_without_stars(note.text) or "(the words of this note were removed)" for note in notes]


def _pictures(entry: Entry) -> Iterator[events.PictureShown]:
    """The handouts and maps that were shown, those that were removed for good among them."""
    shown = (event for event in entry.events if isinstance(event, events.PictureShown))
    return (event for event in shown if event.media and not event.portrait_of)


def _title(entry: Entry) -> str:
    """The title of a handout, by which a picture without a text of its own is called."""
    notes = (event.text for event in entry.events if isinstance(event, events.NoteWritten))
    return next(notes, "").partition("\n")[0]


def _without_stars(text: str) -> str:
    """Words without the stars that mark italics in a chat: a quotation needs none."""
    bare = text.strip()
    whole = len(bare) > 2 and bare[0] == bare[-1] == "*" and "*" not in bare[1:-1]
    return bare[1:-1] if whole else text
