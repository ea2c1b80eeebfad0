"""A long campaign of storytoken as it lies in a store: shots, checks and saves whose dice come from a session's stream."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from rollbook.adapters.wiring import open_book
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.history.head import Head
from rollbook.application.lines.verb_line import parse, read_parameters, split_words
from rollbook.application.playing.dice_factory import DiceFactory
from rollbook.domain.base.errors import Refused
from rollbook.domain.dice.recorded import RecordedDice
from rollbook.domain.dice.supply import DiceSupply, NoDice
from rollbook.domain.entries import Entry, EntryKind
from rollbook.domain.history.history import History
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.action import build, intent_of
from rollbook.domain.state.campaign_state import CampaignState

CAMPAIGN = "long"
PEOPLE = 12
"""Characters, if nothing else is asked for: one half heroes, the other foes."""
BATCH = 1_000
"""Actions of a session."""


def stored_story(path: Path, events: int, people: int = PEOPLE) -> None:
    """A store with a campaign of about so many events, in sessions that are over and whose seeds are revealed."""
    with _opened(path, create=True) as book:
        campaign = book.new(CAMPAIGN, "storytoken")
        for each in range(people // 2):
            _take(campaign, f"bring-in robin-hood --id hero-{each}")
        for each in range(people // 2):
            _take(campaign, f"join 'Foe {each}' --id foe-{each} --kind npc --hp 40 --ac 15 --stats to_hit=4")
    chance, many = random.Random(5), 0
    while many < events:
        many += _session(path, chance, people)


def _session(path: Path, chance: random.Random, people: int) -> int:
    """One session more, in a scene of its own. Returns how many events it added."""
    with _opened(path) as book:
        campaign = book.campaign(CAMPAIGN)
        _take(campaign, "open-session")
        _take(campaign, "scene 'the long road'")
        head = campaign.head
        dice = DiceFactory(book.seeds, None, campaign.session.history.load).supply(head, "", None)
        batch = list(islice(_played(book.rulebook, head, dice, chance, people), BATCH))
        campaign.session.log.write(head, batch)
    with _opened(path) as book:
        campaign = book.campaign(CAMPAIGN)
        _take(campaign, "close-session")
        campaign.session.project()  # as every command does: who opens it next finds its head
    return sum(len(entry.events) for entry in batch)


def _opened(path: Path, *, create: bool = False) -> Book:
    return open_book(path, path.with_name(f"{path.stem}.seeds"), create=create)


def story(path: Path) -> Campaign:
    """The campaign that is in a store, opened for the first time."""
    return _opened(path).campaign(CAMPAIGN)


def resolve(history: History, rulebook: Rulebook) -> CampaignState:
    """Every action once, with its own dice, as the rules of its moment have it."""
    state = CampaignState()
    for _, entry in history.outcomes():
        assert entry is not None
        ruleset = None if state.name else rulebook.rulesets[entry.ruleset]
        dice = RecordedDice((entry.events,), NoDice())
        state = rulebook.play(state, entry.full_intent, dice, seat=entry.seat, ruleset=ruleset).campaign
    return state


def _take(campaign: Campaign, line: str) -> None:
    verb, *said = split_words(line)
    action = campaign.session.rulebook.verb(campaign.state, verb)
    campaign.do(verb, read_parameters(action, parse(action, said).given, campaign.state))


def _played(rulebook: Rulebook, head: Head, dice: DiceSupply, chance: random.Random, people: int) -> Iterator[Entry]:
    """Actions without end, each on the state after the one before."""
    state, action = head.state, head.actions
    while True:
        hero, foe = f"hero-{chance.randrange(people // 2)}", f"foe-{chance.randrange(people // 2)}"
        deeds = (f"attack {hero} {foe} longbow --distance 40", f"check {hero} dex --topic stealth", f"save {foe} con")
        line = chance.choice(deeds)
        while True:
            try:
                entry, state = _entry(rulebook, state, action + 1, line, dice)
                break
            except Refused:
                line = f"adjust {foe} hp {state.characters[foe].lost} 'another one takes the place'"
        action += 1
        yield entry


def _entry(
    rulebook: Rulebook, state: CampaignState, action: int, line: str, dice: DiceSupply
) -> tuple[Entry, CampaignState]:
    verb, *said = split_words(line)
    kind = rulebook.verb(state, verb)
    intent = intent_of(build(kind, read_parameters(kind, parse(kind, said).given, state)))
    played = rulebook.play(state, intent, dice)
    entry = Entry(
        EntryKind.TAKEN,
        action=action,
        events=played.events,
        intent=intent,
        actor=played.actor,
        ruleset=state.ruleset,
        version=rulebook.version(state),
        reads=played.reads,
    )
    return entry, played.campaign
