"""Sentences become paragraphs: a turn of a fight each, and outside fights as many as read well together."""

from collections.abc import Mapping

import attrs

from rollbook.domain import events
from rollbook.domain.entries import Entry
from rollbook.projections.chronicle.model import Kind, Paragraph, Sentence

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
