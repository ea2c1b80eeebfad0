"""A page says of every kind of event what the log says of it, from the same bytes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import attrs
import pytest

from rollbook.application.encoding.codec import CODEC
from rollbook.domain import events
from rollbook.domain.actions import SHARED
from rollbook.domain.entries import Entry, EntryKind, Intent
from rollbook.domain.events import Event
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.sentences import sentence_of
from rollbook.projections.context import Context
from rollbook.projections.log_lines import CONDITIONS, Teller, condition_words
from rollbook.projections.outcomes import SAID
from rollbook.rulesets.srd5 import RULESET
from tests.support.golden_logs import every_event
from tests.support.pages import Opened, needs_chromium

pytestmark = needs_chromium

RULES = Rulebook({"srd5": RULESET})
NAMES = {"robin": "Robin", "marian": "Marian", "wolf": "Wolf (wolf)"}
DESCRIBE = """([entries, names]) => entries.map(([isOutcome, envelope, events, words]) => {
  const parts = events.map(([name, fields]) => [name.split("@")[0], fields]);
  const one = { entry: { envelope, events: parts }, isOutcome };
  const { who, what, text, ok } = rollbookSentences.describe(one, new Map(Object.entries(names)), new Map(), words);
  return [who, what, text, ok];
})"""


def _about(event: Event, who: str) -> Event:
    """The same of somebody else."""
    named = [name for name in ("character", "holder", "roller", "against") if hasattr(event, name)]
    return attrs.evolve(event, **dict.fromkeys(named, who))


def _entries() -> list[Entry]:
    """Every kind of event alone, of people with and without a name, and some that go together."""
    happened = every_event()
    checks = [event for event in happened if isinstance(event, events.CheckResolved)]
    crossing = [event for event in happened if isinstance(event, events.RulesetAdopted | events.SheetSetAside)]
    empty = [kind() for kind in (events.EncounterBegan, events.RoundBegan)]
    small = [
        *(events.TimePassed(seconds=each) for each in (0, 1, 60, 7_200, 1_209_600)),
        *(events.GearGained(character="robin", item="rope", count=each) for each in (0, 1, 1_200)),
        events.HitPointsCorrected(character="robin", amount=-4, reason="so"),
        events.LevelGained(character="robin", levels=-1),
        events.EntriesRevealed(entries=(4,)),
        events.XCardAnswered(how="rewind"),
        events.PictureShown(digest="5e", media="image/png", alt="a mill"),
        *(
            events.PictureShown(digest="5e", media="image/png", on_board=True, across=9, alt=alt)
            for alt in ("", "a mill")
        ),
        *(events.PictureShown(media=media, on_board=on) for media in ("", "image/png") for on in (False, True)),
        *(kind(character="marian", condition="bless") for kind in CONDITIONS),
        events.TableAgreed(matter="dice", value="either", seat="mira"),
    ]
    several = [_about(checks[0], "robin"), _about(checks[0], "marian")]
    alone = [(event,) for event in (*happened, *empty, *small)]
    named = [(_about(event, "robin"),) for event in happened]
    return [
        _entry(events_, actor=actor, kind=kind)
        for events_ in (*alone, *named, tuple(several), (*several, *small), tuple(crossing), ())
        for actor in ("", "robin", "nobody")
        for kind in (EntryKind.TAKEN, EntryKind.UNDONE)
    ]


def _entry(happened: tuple[Event, ...], actor: str, kind: EntryKind) -> Entry:
    verb = "end-the-turn" if kind is EntryKind.TAKEN else ""
    return Entry(
        kind=kind, action=1, events=happened, seat="Ana", actor=actor, intent=Intent(verb=verb), ruleset="srd5"
    )


def _as_read(entry: Entry) -> list[Any]:
    envelope = {"seat": entry.seat, "actor": entry.actor, "intent": {"verb": entry.intent.verb}}
    return [
        entry.is_outcome,
        envelope,
        [json.loads(CODEC.encode(event)) for event in entry.events],
        {"how": RULES.words(entry), "are": condition_words(entry, RULES)},
    ]


def test_every_kind_of_event_is_said_as_the_log_says_it(opened: Opened, page_file: Path) -> None:
    page = opened(page_file)
    page.wait_for_selector("html[data-ready]")
    entries = _entries()
    said = page.evaluate(DESCRIBE, [list(map(_as_read, entries)), NAMES])
    texts = [Teller(NAMES, RULES).text(entry) for entry in entries]
    assert said == [[text.who, text.what, text.result, text.success] for text in texts]
    assert set(page.evaluate("() => rollbookSentences.kinds")) == {kind.__name__ for kind in SAID}


@pytest.mark.parametrize("names", [{"a": "Wolf", "b": "wolf", "c": "Straße", "d": "STRASSE"}, {"a": "Wolf"}, {}])
def test_names_that_several_have_are_told_apart_by_their_ids(
    opened: Opened, page_file: Path, names: dict[str, str]
) -> None:
    page = opened(page_file)
    page.wait_for_selector("html[data-ready]")
    shown = page.evaluate("(names) => [...rollbookSentences.toldApart(new Map(Object.entries(names)))]", names)
    assert dict(shown) == Context(names=names).shown_names


def test_a_page_knows_the_words_of_the_verbs_that_every_game_has(opened: Opened, page_file: Path) -> None:
    page = opened(page_file)
    page.wait_for_selector("html[data-ready]")
    assert page.evaluate("() => rollbookActs.EVERY_GAMES") == {verb.verb: sentence_of(verb) for verb in SHARED}
