"""The course of a recording that is played by the rules of a game: each part of an update is an action of its own."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rollbook.adapters.imports import ImportedAction
from rollbook.adapters.imports.avrae.actions import ImportedDeed
from rollbook.adapters.imports.avrae.automation import AutomationWalk
from rollbook.adapters.imports.avrae.ledger import Ledger, dice_rolled
from rollbook.adapters.imports.avrae.lines import RecordedLine
from rollbook.adapters.imports.avrae.play import RULESET, SETTINGS, Plays
from rollbook.adapters.imports.avrae.play_steps import TEMPORARY, Author
from rollbook.adapters.imports.avrae.recorded_session import RecordedSession
from rollbook.adapters.imports.avrae.state import Combatant, Recorded
from rollbook.application.playing.recorded_play import Play
from rollbook.domain import events
from rollbook.domain.events import Event


class PlayedSession(RecordedSession):
    """A recording that is played. Nobody has less than 0 hit points in the game, so nobody has in its accounts."""

    ruleset = RULESET
    settings = SETTINGS

    def _accounts(self, seats: dict[str, str]) -> Ledger:
        ledger = Ledger(self._course, seats, temp_pool=TEMPORARY, stops=True)
        self._plays = Plays(ledger, self._course.gm)
        return ledger

    def _bare(self, verb: str, command: str, line: RecordedLine, event: Event) -> ImportedAction:
        made = super()._bare(verb, command, line, event)
        play = Play(kind="end of a fight", verb=verb) if isinstance(event, events.EncounterEnded) else None
        return attrs.evolve(made, play=play)

    def _actions(self, deed: ImportedDeed, seat: str, at: int) -> Iterator[ImportedAction]:
        """The action of a deed, and the verbs that follow it."""
        if typed := self._plays.typed(deed, seat, at):
            deed.events, deed.plays = [], typed
        if deed.events:
            yield self._action(deed, seat, at)
        else:
            yield from self._only(seat, at, self._ledger.sit(seat))
        yield from deed.plays

    def _only(self, seat: str, at: int, happened: list[Event], who: str = "") -> Iterator[ImportedAction]:
        """An action of events that no verb makes; none without events."""
        if happened:
            yield ImportedAction("update", {}, seat, at, tuple(happened), who)

    def _followed(self, deed: ImportedDeed, walk: AutomationWalk, run: RecordedLine, after: int) -> ImportedDeed:
        actor = self._ledger.of_id(deed.actor)
        if actor is not None:
            before, deed.events = deed.events[: len(deed.events) - len([*walk.events])], []
            thing = next((str(deed.params[role]) for role in ("weapon", "spell", "what") if role in deed.params), "")
            author = Author(self._seat(run.thread, after), run.at, deed.verb, deed.params, actor, thing)
            deed.plays = [*self._plays.run(author, before, walk, {"effects": run.whole.get("automation")})]
        return deed

    def _updated(self, recorded: Recorded, line: RecordedLine) -> Iterator[ImportedAction]:
        recorded, seat, at = recorded.at_least_zero(), self._seat(line.thread, line.number), line.at
        deed, command = self._commanded(line)
        yield from self._only(seat, at, self._ledger.sit(seat))
        for one in recorded.combatants:
            yield from self._arrives(one, seat, line)
        yield from self._actions(self._what_was_done(deed, recorded, command, line), seat, at)
        settled = [(event, self._plays.condition(seat, at, event)) for event in self._settled(recorded, line, command)]
        yield from self._only(seat, at, [event for event, play in settled if play is None])
        yield from (play for _, play in settled if play is not None)
        before = self._turns.round
        yield from self._plays.turn(seat, at, [*self._moved(recorded, command)], before, recorded.round)
        yield from self._corrections(recorded, line)
        for one in recorded.combatants:
            if (who := self._ledger.of_key(one.key)) is not None:
                yield from self._plays.numbers(who, one, at)

    def _arrives(self, one: Combatant, seat: str, line: RecordedLine) -> Iterator[ImportedAction]:
        """A combatant of whom the record shows something new: who joins, with the numbers, and what else was seen."""
        before = self._ledger.of_key(one.key)
        who, came = (before, []) if before is not None else self._ledger.arrive(one, seat)
        seen = [*who.first_seen(one)] if who.hp is None else []
        joined = [event for event in came if isinstance(event, events.CharacterJoined)]
        yield from self._only(seat, line.at, [event for event in came if event not in joined])
        if joined:
            maximum = [event for event in seen if isinstance(event, events.StatChanged)]
            seen = [event for event in seen if event not in maximum]
            yield self._plays.join(who, one, [*joined, *maximum], line.at)
        roll = self._initiative(one.name, line) if before is None else None
        yield from self._only(seat, line.at, [*seen, *dice_rolled(who.id, "initiative", roll)], who.id)
