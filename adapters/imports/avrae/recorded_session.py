"""The course of a recording that is imported as it stands: each update becomes one action, by the causes on record."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import ClassVar

from rollbook.adapters.imports import ImportedAction, Known
from rollbook.adapters.imports.avrae.actions import ImportedDeed, automation_action, manual_action, plain_action
from rollbook.adapters.imports.avrae.automation import AutomationWalk
from rollbook.adapters.imports.avrae.commands import BOT, VERBS, answers, is_answer, is_prompt, thing_used
from rollbook.adapters.imports.avrae.ledger import Ledger, Tracked, dice_rolled
from rollbook.adapters.imports.avrae.lines import RECORDING, Malformed, RecordedLine, Recording, broken, text
from rollbook.adapters.imports.avrae.rolls import RecordedRoll, find_rolls, read_roll
from rollbook.adapters.imports.avrae.settling import Turns, settled
from rollbook.adapters.imports.avrae.state import Combatant, Recorded, read_state
from rollbook.adapters.imports.course import Course
from rollbook.domain import events
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.progress import told
from rollbook.domain.events import Event, Role, Scalar

NEARBY = 16
"""Number of lines within which the bot gives the initiative of a combatant who joins."""


class RecordedSession:
    """A recording while it is imported. ``known`` is the campaign that it continues, if made from recordings."""

    ruleset = ""
    settings: ClassVar[Mapping[str, Scalar]] = {}

    def __init__(self, path: Path, recording: Recording, name: str, known: Known) -> None:
        lines = recording.lines
        self._path = path
        self.name = name
        self._identity = recording.digest[:32]
        self._key, earlier = recording.key, [key for key in known.places if key.startswith(RECORDING)]
        self.known = known if earlier else Known(zone=known.zone)
        self.is_here = self._key in earlier
        combat = self._key.rpartition(" ")[0]
        if not self.is_here and any(key.rpartition(" ")[0] == combat for key in earlier):
            raise RollbookError(
                "This is another recording of a combat that is in the campaign already. Import it under another name, with --as. "
                "Nothing was imported."
            )
        self.explained = 0
        self.corrected = 0
        self.warnings: list[str] = []
        self._lines = lines
        self._places = {line.number: place for place, line in enumerate(lines)}
        self._answers = answers(lines)
        self._commands = [line for line in lines if line.kind == "command"]
        self._of_thread: defaultdict[int, list[RecordedLine]] = defaultdict(list)
        for line in self._commands:
            self._of_thread[line.thread].append(line)
        self._typed = {line.thread for line in lines if line.kind not in ("message", "button_press")}
        self._buttons: dict[int, RecordedLine] = {}
        self._waiting: list[RecordedLine] = []
        self._done: set[int] = set()
        self._asked_back = False
        self._began: RecordedLine | None = None
        self._read_answers: set[int] = set()
        began = [line for line in self._commands if line.command == "init begin"] or self._commands
        people = [line for line in lines if line.kind == "message" and not line.is_bot]
        leader = next((line.author for line in (*began, *people)), "")
        gms = (seat for seat, sitting in self.known.state.seats.items() if sitting.role is Role.GM)
        self._course = Course(self.known, next(gms, leader))
        self._ledger = self._accounts({str(line.data.get("author_id")): line.author for line in lines})
        self._turns = Turns()

    def _accounts(self, seats: dict[str, str]) -> Ledger:
        return Ledger(self._course, seats)

    def by_line(self) -> Iterator[tuple[int, tuple[ImportedAction, ...]]]:
        """The actions that are known when a line is reached, by its number; 0: before the first.

        No actions if the recording was imported before.

        Raises RollbookError for a malformed line.
        """
        if self.is_here:
            return
        yield 0, self._opening()
        for line in told(self._lines, lambda: len(self._lines)):
            try:
                yield line.number, tuple(self._line(line))
            except Malformed as failure:
                raise broken(self._path, line.number, str(failure)) from failure
        yield self._lines[-1].number, self._closing()

    def _opening(self) -> tuple[ImportedAction, ...]:
        """Begin the campaign, if it is a new one, and the session of this recording."""
        at, course = self._lines[0].at, self._course
        title = f"{datetime.fromtimestamp(at // 1_000_000, self.known.zone):%Y-%m-%d}" if at else self.name
        began = tuple(course.open(title, at, key=self._key))
        if self.known.entries:
            return began
        started = events.CampaignStarted(name=self.name, identity=self._identity)
        sits = self._ledger.sit(course.gm)
        return (course.act("start-campaign", {"name": self.name}, at, [started, *sits]), *began)

    def _closing(self) -> tuple[ImportedAction, ...]:
        """End the session; a combat without an end on record stays unfinished."""
        self._warn_of_unfinished()
        self._course.last = self._lines[-1].at
        return tuple(self._course.close())

    def _line(self, line: RecordedLine) -> Iterator[ImportedAction]:
        """The actions that are known when a line is reached."""
        match line.kind:
            case "message":
                yield from self._message(line)
            case "combat_start":
                yield from self._begin(line)
            case "combat_end":
                yield from self._pending(line, only=False)
                self._began = None
                yield self._bare("end-encounter", "init end", line, events.EncounterEnded())
            case "button_press":
                self._buttons[line.thread] = line
            case "automation_run":
                self._waiting.append(line)
            case "combat_state_update":
                if self._began is None:
                    yield from self._begin(line)
                yield from self._update(line)
            case "command" if line.number not in self._done:
                yield from self._command(line)

    def _begin(self, line: RecordedLine) -> Iterator[ImportedAction]:
        """Begin a combat, or one found under way; warn if the previous one has no end on record."""
        self._warn_of_unfinished()
        self._began = line
        self._turns = Turns()
        yield self._bare("begin-encounter", "init begin", line, events.EncounterBegan())

    def _warn_of_unfinished(self) -> None:
        if self._began is not None:
            self.warnings.append(f"Line {self._began.number}: the combat that begins here has no end on record.")

    def _bare(self, verb: str, command: str, line: RecordedLine, event: Event) -> ImportedAction:
        typed = next((each for each in self._commands if each.number > line.number and each.command == command), None)
        return self._action(ImportedDeed(verb, events=[event]), typed.author if typed else self._course.gm, line.at)

    def _actions(self, deed: ImportedDeed, seat: str, at: int) -> Iterator[ImportedAction]:
        yield self._action(deed, seat, at)

    def _action(self, deed: ImportedDeed, seat: str, at: int) -> ImportedAction:
        sits = self._ledger.sit(seat)
        return ImportedAction(deed.verb, deed.params, seat, at, (*sits, *deed.events), deed.actor)

    def _message(self, line: RecordedLine) -> Iterator[ImportedAction]:
        """Record a message as a note, unless it is a command that was carried out or an answer to the bot."""
        if line.is_bot and line.author == BOT:
            self._asked_back = is_prompt(line)
            return
        answered, self._asked_back = self._asked_back and is_answer(line), False
        if answered or line.thread in self._typed or not line.content.strip():
            return
        sits = self._ledger.sit(line.author, is_bot=line.is_bot)
        note = events.NoteWritten(text=line.content)
        yield ImportedAction("note", {"text": line.content}, line.author, line.at, (*sits, note))

    def _command(self, line: RecordedLine) -> Iterator[ImportedAction]:
        """The action of a command without an update: its effects are in the bot's answer alone."""
        if late := tuple(self._pending(line, only=True)):
            yield from late
            return
        answer = self._answers.get(line.number)
        deed = manual_action(self._ledger, line, answer, None) or plain_action(self._ledger, line, answer)
        if deed is not None and deed.events:
            yield from self._actions(deed, line.author, line.at)

    def _pending(self, line: RecordedLine, *, only: bool) -> Iterator[ImportedAction]:
        """Actions of automations that still wait for their update: of this line's thread ``only``, or of all others."""
        for run in [run for run in self._waiting if (run.thread == line.thread) is only]:
            self._waiting.remove(run)
            if (command := self._typed_in(run.thread, line.number)) is not None:
                self._done.add(command.number)
            yield from self._actions(self._ran(run, line.number), self._seat(run.thread, line.number), run.at)

    def _typed_in(self, thread: int, after: int) -> RecordedLine | None:
        """The command of a thread. One message may hold several: the next one after a line, else the last."""
        found = self._of_thread.get(thread, [])
        return next((line for line in found if line.number > after), found[-1] if found else None)

    def _seat(self, thread: int, after: int) -> str:
        line = self._typed_in(thread, after) or self._buttons.get(thread)
        return line.author if line is not None else ""

    def _ran(self, run: RecordedLine, after: int) -> ImportedDeed:
        command = self._typed_in(run.thread, after)
        button = self._buttons.get(run.thread)
        label = text(button.data, "button_label", "") if button is not None else ""
        answer = self._answers.get(command.number) if command is not None else None
        deed, walk = automation_action(self._ledger, run.whole, command, answer, label)
        unknown = (f"it has a step {kind!r} that the import does not know" for kind in walk.strange)
        unread = (f"the roll {shown[:80]!r} was not understood" for shown in walk.unread)
        self.warnings += [f"Line {run.number}: {what}." for what in (*unknown, *unread)]
        return self._followed(deed, walk, run, after)

    def _followed(self, deed: ImportedDeed, walk: AutomationWalk, run: RecordedLine, after: int) -> ImportedDeed:  # noqa: ARG002
        return deed

    def _update(self, line: RecordedLine) -> Iterator[ImportedAction]:
        recorded = read_state(line.whole)
        yield from self._pending(line, only=False)
        yield from self._updated(recorded, line)

    def _updated(self, recorded: Recorded, line: RecordedLine) -> Iterator[ImportedAction]:
        """The one action of an update, and its corrections."""
        deed, command = self._commanded(line)
        seat = self._seat(line.thread, line.number)
        arrived = [*self._arrivals(recorded, seat, line)]
        deed = self._what_was_done(deed, recorded, command, line)
        deed.events[:0] = arrived
        deed.events += self._settled(recorded, line, command)
        deed.events += self._moved(recorded, command)
        if deed.events:
            yield self._action(deed, seat, line.at)
        yield from self._corrections(recorded, line)

    def _commanded(self, line: RecordedLine) -> tuple[ImportedDeed, RecordedLine | None]:
        """An empty deed by the command of an update, and that command."""
        command = self._typed_in(line.thread, line.number)
        if command is None:
            return ImportedDeed("update"), None
        self._done.add(command.number)
        verb = VERBS.get(command.command, command.command.replace(" ", "-"))
        return ImportedDeed(verb, {"typed": command.content}), command

    def _moved(self, recorded: Recorded, command: RecordedLine | None) -> Iterator[Event]:
        """Events of the turn order until this moment."""
        still_here = {one.key for one in recorded.combatants}
        leaving = [key for key, _ in self._ledger.present if key not in still_here]
        return self._turns.move(recorded, self._ledger, command.command if command else "", moved_out=leaving)

    def _arrivals(self, recorded: Recorded, seat: str, line: RecordedLine) -> Iterator[Event]:
        for one in recorded.combatants:
            who = self._ledger.of_key(one.key)
            if who is None:
                who, joined = self._ledger.arrive(one, seat)
                yield from joined
                yield from dice_rolled(who.id, "initiative", self._initiative(one.name, line))
            if who.hp is None:
                yield from who.first_seen(one)

    def _initiative(self, name: str, line: RecordedLine) -> RecordedRoll | None:
        """The initiative roll of a combatant who joins; the bot gives it right after the update."""
        place = self._places[line.number]
        for near in self._lines[place : place + NEARBY]:
            if near.kind != "message" or near.author != BOT:
                continue
            for reply in near.replies:
                if reply.title == f"{name} makes an Initiative check!":
                    return next(iter(find_rolls(reply.description)), None)
            for said in near.content.splitlines():
                if said.startswith(f"{name} was added to combat with initiative "):
                    return read_roll(said.partition(" with initiative ")[2].rstrip("."))
        return None

    def _what_was_done(
        self, deed: ImportedDeed, recorded: Recorded, command: RecordedLine | None, line: RecordedLine
    ) -> ImportedDeed:
        """The action that caused this update: automations, or a typed command."""
        runs = [self._ran(run, line.number) for run in self._waiting if run.thread == line.thread]
        self._waiting.clear()
        if runs:
            first, *others = runs
            first.events += [event for other in others for event in other.events]
            first.plays += [play for other in others for play in other.plays]
            return first
        if command is None:
            return deed
        if (by_hand := manual_action(self._ledger, command, self._answers.get(command.number), recorded)) is not None:
            return by_hand
        if command.command.endswith("cast"):
            return self._cast_without_rules(command) or deed
        return deed

    def _cast_without_rules(self, command: RecordedLine) -> ImportedDeed | None:
        who = self._ledger.named(command.caster)
        if who is None:
            return None
        answer = self._answers.get(command.number)
        reply = answer.replies[0] if answer is not None and answer.replies else None
        spell = thing_used(reply, who.name, command.command, command.content)
        used = events.PowerUsed(character=who.id, power=spell)
        return ImportedDeed(
            "cast", {"caster": who.id, "target": "", "spell": spell, "typed": command.content}, [used], who.id
        )

    def _settled(self, recorded: Recorded, line: RecordedLine, command: RecordedLine | None) -> Iterator[Event]:
        """Events for new names, and for values that the causes leave open and the record or the bot's answers give."""
        said = [near for near in self._answers_near(line) if near.number not in self._read_answers]
        self._read_answers |= {near.number for near in said}
        button = self._buttons.get(line.thread)
        typed = command.command if command is not None else text(button.data, "button_label", "") if button else ""
        for one in recorded.combatants:
            if (who := self._ledger.of_key(one.key)) is not None:
                yield from who.renamed(one.name)
                yield from settled(who, one, said, typed)
        for one in recorded.combatants:
            if (who := self._ledger.of_key(one.key)) is not None:
                yield from self._condition_changes(who, one)

    def _answers_near(self, line: RecordedLine) -> Iterator[RecordedLine]:
        """The bot's messages between the updates before and after this one: it answers after it has stored."""
        place = self._places[line.number]
        before = itertools.takewhile(lambda near: near.kind != line.kind, reversed(self._lines[:place]))
        after = itertools.takewhile(lambda near: near.kind != line.kind, self._lines[place + 1 : place + 1 + NEARBY])
        yield from (near for near in (*before, *after) if near.kind == "message" and near.author == BOT)

    def _condition_changes(self, who: Tracked, one: Combatant) -> Iterator[Event]:
        effects = {effect.name: effect for effect in one.effects}
        for name in who.conditions:
            if name not in effects:
                yield events.ConditionEnded(character=who.id, condition=name)
        for name, effect in effects.items():
            if name not in who.conditions:
                origin = self._ledger.of_key(effect.origin)
                source = origin.id if origin is not None else ""
                yield events.ConditionBegan(character=who.id, condition=name, source=source, detail=effect.detail)
        who.conditions = tuple(effects)

    def _corrections(self, recorded: Recorded, line: RecordedLine) -> Iterator[ImportedAction]:
        for one in recorded.combatants:
            who = self._ledger.of_key(one.key)
            if who is None or one.hp is None:
                continue
            changed, who.recorded = who.recorded not in (None, one.hp), one.hp
            if who.agrees(one):
                self.explained += changed
                continue
            self.corrected += 1
            by = one.hp - (who.hp or 0)
            yield ImportedAction("correction", {"who": who.id, "by": by}, "", line.at, tuple(who.correct(one)), who.id)
