"""Costs of previewing an amendment at the start of a long campaign: what is played again, and what is skipped."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import attrs

from benchmarks.games import Shaken
from benchmarks.measures import QUICK, Row, Scale, in_turn
from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.application.lines.verb_line import parse, read_parameters, split_words
from rollbook.domain.base.errors import Refused
from rollbook.domain.corrections.changes import Amend, Change, Correction, Proposal
from rollbook.domain.corrections.preview import preview
from rollbook.domain.dice.recorded import RecordedDice
from rollbook.domain.dice.supply import NoDice
from rollbook.domain.entries import Entry, EntryKind, Intent, recorded
from rollbook.domain.history.history import History
from rollbook.domain.rules.action import build, intent_of
from rollbook.domain.rules.sheet_rulings import Adjustment
from rollbook.domain.state.campaign_state import EMPTY, CampaignState

ACTIONS = 20_000
HEROES, FOES = 6, 6


def correcting(folder: Path, scale: Scale) -> Iterator[Row]:
    """An amendment at the start of 20,000 actions of storytoken, against resolving every one of them once.

    The usual case is a wound of one of twelve people; a number of one of them spreads, because shots that hit now hurt
    others; in the worst case every later action looks at a number that changed.
    """
    _ = folder
    story = Story()
    story.play(ACTIONS // 5 if scale is QUICK else ACTIONS)
    wound = Adjustment(who="hero-0", what="hp", by=-1)
    hero = attrs.evolve(wound, what="dex", by=2)
    everybody = tuple(attrs.evolve(hero, who=f"hero-{each}") for each in range(HEROES)) + tuple(
        attrs.evolve(hero, who=f"foe-{each}", what="to_hit") for each in range(FOES)
    )
    yield _row("a wound of one of twelve", story, Amend(adjustments=(wound,)), scale, bound=0.08)
    yield _row("a number of one of twelve", story, Amend(adjustments=(hero,)), scale, bound=0.7)
    yield _row("a number of everybody", story, Amend(adjustments=everybody), scale, bound=1.1)


def _row(what: str, story: Story, change: Change, scale: Scale, bound: float) -> Row:
    made: list[Proposal] = []
    ours, once = in_turn(scale.rounds, lambda: made.append(story.correct(change)), story.resolve)
    shown = made[0]
    share = shown.skipped / (shown.skipped + shown.resolved)
    rate = shown.resolved * len(ours) / sum(ours)
    return Row.of_times(
        f"amend the start of {story.history.actions:,} actions, {what}: {shown.resolved:,} played again "
        f"({rate:,.0f}/s), {share:.0%} skipped / resolving all {story.history.actions:,} once",
        ours,
        once,
        at_most=bound,
    )


class Story:
    """A long campaign of storytoken in memory: shots, checks and saves of a dozen people."""

    def __init__(self) -> None:
        self.rulebook = discover().rulebook()
        self.history = History()
        self.dice = Shaken()
        ruleset = self.rulebook.rulesets["storytoken"]
        params = {"name": "Long", "identity": "00" * 16, "ruleset": "storytoken", "version": ruleset.version}
        started = Intent(verb="start-campaign", params=params)
        played = self.rulebook.play(EMPTY, started, NoDice(), ruleset=ruleset)
        self._add(
            Entry(
                EntryKind.TAKEN,
                action=1,
                events=played.events,
                intent=started,
                ruleset="storytoken",
                version=ruleset.version,
                fingerprint=self.rulebook.fingerprint(played.campaign),
            )
        )
        for each in range(HEROES):
            self._say(f"bring-in robin-hood --id hero-{each}")
        for each in range(FOES):
            self._say(f"join 'Foe {each}' --id foe-{each} --kind npc --hp 40 --ac 15 --stats to_hit=4")
        self.start = self.history.actions + 1
        self._say("scene 'the long road'")

    def play(self, actions: int) -> None:
        """So many actions."""
        chance = random.Random(5)
        while self.history.actions < actions:
            hero, foe = f"hero-{chance.randrange(HEROES)}", f"foe-{chance.randrange(FOES)}"
            deeds = (
                f"attack {hero} {foe} longbow --distance 40",
                f"check {hero} dex --topic stealth",
                f"save {foe} con",
            )
            try:
                self._say(chance.choice(deeds))
            except Refused:
                self._say(f"adjust {foe} hp {self.history.state.characters[foe].lost} 'another one takes the place'")

    def correct(self, change: Change) -> Proposal:
        """The preview of a change of the first scene."""
        return preview(self.history, Correction(changes={self.start: change}, dice=Shaken()), self.rulebook)

    def resolve(self) -> CampaignState:
        """Every action once, with its own dice, and what its entry would say that it looked at: so is what is played again."""
        state = self.history.state_before(self.start)
        for _, entry in self.history.outcomes(self.start):
            assert entry is not None
            dice = RecordedDice((entry.events,), NoDice())
            played = self.rulebook.play(state, entry.intent, dice)
            assert isinstance(played.reads, tuple)
            state = played.campaign
        return state

    def _say(self, line: str) -> None:
        verb, *said = split_words(line)
        state = self.history.state
        action = self.rulebook.verb(state, verb)
        intent = intent_of(build(action, read_parameters(action, parse(action, said).given, state)))
        played = self.rulebook.play(state, intent, self.dice)
        self._add(
            Entry(
                EntryKind.TAKEN,
                action=self.history.actions + 1,
                events=played.events,
                intent=intent,
                ruleset=state.ruleset,
                version=self.rulebook.version(state),
                reads=played.reads,
            )
        )

    def _add(self, entry: Entry) -> None:
        self.history.add(recorded(entry, self.history.head + 1))
