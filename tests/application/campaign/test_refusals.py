"""What fails says so in a sentence and leaves no trace."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.domain.base.errors import NotFound, Refused, RollbookError
from rollbook.domain.dice.supply import DiceNeeded
from rollbook.domain.entries import SecondThought
from tests.support.campaigns import begin_campaign, every_change

FAILURES: list[tuple[str, Callable[[Campaign], object], type[RollbookError]]] = [
    ("no verb", lambda c: c.do("atack", {"attacker": "robin"}), NotFound),
    ("no parameter", lambda c: c.do("attack", {"attacker": "robin"}), Refused),
    ("another parameter", lambda c: c.do("gain-token", {"who": "robin", "why": "so"}), Refused),
    ("nobody", lambda c: c.do("attack", {"attacker": "robin", "target": "nobody"}), NotFound),
    ("no seat", lambda c: c.do("gain-token", {"who": "robin"}, seat="nobody"), NotFound),
    ("another's character", lambda c: c.do("spend-token", {"who": "guard"}, seat="mira"), Refused),
    ("a spectator", lambda c: c.do("gain-token", {"who": "robin"}, seat="watcher"), Refused),
    ("the gm's verb", lambda c: c.do("doom", seat="mira"), Refused),
    ("after some events", lambda c: c.do("join", {"name": "Tuck", "stats": {"a": 1, "b": "x"}}), Refused),
    ("signs", lambda c: c.do("join", {"name": "Tuck", "stats": ("a=1",)}), Refused),
    ("a number without end", lambda c: c.do("join", {"name": "Tuck", "stats": {"a": 10**5000}}), Refused),
    ("too large", lambda c: c.do("adjust", {"who": "robin", "what": "x", "by": 10**20, "reason": "?"}), Refused),
    ("not hurt, after nothing", lambda c: c.do("heal", {"who": "robin"}), Refused),
    ("no doom", lambda c: c.do("doom"), Refused),
    ("too few dice", lambda c: c.do("attack", {"attacker": "robin", "target": "guard"}, dice=(20,)), Refused),
    ("too many dice", lambda c: c.do("bet", {"who": "robin", "dice": 1}, dice=(2, 2)), Refused),
    ("a wrong die", lambda c: c.do("bet", {"who": "robin", "dice": 2}, dice=(2, 7)), Refused),
    ("bad notation", lambda c: c.do("roll", {"expression": "1d6 +"}), Refused),
    ("a second session", lambda c: c.do("open-session"), Refused),
    ("half a letter", lambda c: c.do("scene", {"title": "a \ud800"}), Refused),
    ("no words", lambda c: c.do("note", {"text": "hush", "to": "nobody"}), Refused),
    ("final", lambda c: c.corrections.undo(1, reason="so"), Refused),
    ("never was", lambda c: c.corrections.undo(999, reason="so"), NotFound),
    ("a word for a number", lambda c: c.corrections.undo("3", reason="so"), NotFound),
    ("a list for a number", lambda c: c.corrections.undo([3, 4], reason="so"), NotFound),
    ("a word to redo", lambda c: c.corrections.redo("3"), NotFound),
    ("a word to redo together", lambda c: c.corrections.redo_together("3"), NotFound),
    ("a word to amend", lambda c: c.corrections.amend("3", {"dice": 3}), NotFound),
    ("a revision of two", lambda c: c.corrections.redo(2, 3, revision=1), Refused),
    ("no second thought", lambda c: c.corrections.record_second_thought(SecondThought(kind="prayer")), Refused),
    ("no token left", lambda c: c.do("spend-token", {"who": "guard"}), Refused),
    ("no such revision", lambda c: c.corrections.redo(2, revision=7), NotFound),
    ("no dice for it", lambda c: c.corrections.amend(9, {"dice": 3}, reason="so"), DiceNeeded),
]


@pytest.mark.parametrize(("what", "attempt", "error"), FAILURES, ids=[what for what, _, _ in FAILURES])
def test_what_fails_says_a_sentence_and_leaves_every_byte_as_it_was(
    what: str, attempt: Callable[[Campaign], object], error: type[RollbookError], book: Book
) -> None:
    campaign = begin_campaign(book)
    campaign.do("bet", {"who": "robin", "dice": 1})
    before, head, seeds = every_change(book), campaign.head, sorted(book.seeds.folder.iterdir())
    with pytest.raises(error) as failure:
        attempt(campaign)
    assert len(str(failure.value).split()) > 3
    assert every_change(book) == before
    assert campaign.head == head == campaign.session.log.scan()
    assert sorted(book.seeds.folder.iterdir()) == seeds


def test_entropy_comes_before_the_first_die(book: Book) -> None:
    campaign = begin_campaign(book)
    campaign.do("entropy", {"text": "6 2 5"}, seat="mira")
    campaign.do("bet", {"who": "robin", "dice": 1})
    with pytest.raises(Refused, match="nothing more can be mixed"):
        campaign.do("entropy", {"text": "6 2 6"}, seat="mira")
    campaign.corrections.undo(campaign.head.actions, reason="so").apply()
    with pytest.raises(Refused, match="nothing more can be mixed"):
        campaign.do("entropy", {"text": "6 2 6"}, seat="mira")
