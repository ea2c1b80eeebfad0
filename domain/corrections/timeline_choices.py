"""Comparison of the choices on two timelines: those that are the same, those made otherwise, and those that are new.

Choices are the actions that count, in the words of the table: verb and parameters, without what only the engine fills in.
Their outcomes are not compared.
"""

from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher

import attrs

from rollbook.domain.actions.adopting import Adopt
from rollbook.domain.base.identifiers import ActionNumber, CharacterId, EntryNumber
from rollbook.domain.base.records import Record
from rollbook.domain.corrections.changes import Amend, Change, Redo, Undo
from rollbook.domain.entries import Intent, RecordedEntry
from rollbook.domain.events import CharacterJoined, ParameterValue
from rollbook.domain.history.history import History
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.action import parameters

Key = tuple[str, tuple[tuple[str, ParameterValue], ...]]


@attrs.frozen
class Choice(Record):
    """An action that counts: the entry that counts for it, what was meant, and who acts or comes in ("" for nobody).

    ``is_final`` ones bind people outside the history.
    """

    action: ActionNumber
    entry: RecordedEntry
    intent: Intent
    actor: CharacterId = ""
    is_final: bool = False

    @property
    def key(self) -> Key:
        """A key that is equal for equal choices."""
        return self.intent.verb, tuple(sorted(self.intent.params.items()))

    @property
    def whose(self) -> tuple[str, str]:
        """The verb and the one who acts: two choices that share both are one decision, made in two ways."""
        return self.intent.verb, self.actor or self.entry.seat


@attrs.frozen
class Pair(Record):
    """A choice on the one timeline beside the one on the other that is the same, or was made instead of it."""

    canon: Choice | None
    timeline: Choice | None

    @property
    def is_same(self) -> bool:
        """True if both chose the same."""
        return self.canon is not None and self.timeline is not None and self.canon.key == self.timeline.key


def choices(history: History, rulebook: Rulebook, since: int = 0) -> tuple[Choice, ...]:
    """The choices that count after so many actions, in the order of play."""
    return tuple(
        _choice(rulebook, history, action, entry)
        for action, entry in history.outcomes_after(since)
        if entry is not None
    )


def _choice(rulebook: Rulebook, history: History, action: ActionNumber, entry: RecordedEntry) -> Choice:
    intent = history.intent_of(action)
    verb = rulebook.known_verb(entry.ruleset, intent.verb)
    known = parameters(verb) if verb else ()
    filled_in = {parameter.name for parameter in known if parameter.hidden and not parameter.by_program}
    meant = {name: value for name, value in intent.params.items() if name not in filled_in}
    newcomer = next((event.character for event in entry.events if isinstance(event, CharacterJoined)), "")
    is_final = verb is not None and verb.final
    return Choice(action, entry, attrs.evolve(intent, params=meant), entry.actor or newcomer, is_final)


def aligned(canon: Sequence[Choice], timeline: Sequence[Choice]) -> list[Pair]:
    """Choices side by side, in their order: the same ones first of all, then the same decisions made in other ways."""
    return list(_aligned(canon, timeline, lambda one: one.key, lambda one: one.whose))


def _aligned(
    canon: Sequence[Choice], timeline: Sequence[Choice], *looks: Callable[[Choice], tuple[object, ...]]
) -> Iterator[Pair]:
    """Pair choices that are equal by the first of ``looks``, between those by the next; the rest stay alone."""
    if not looks:
        yield from (Pair(choice, None) for choice in canon)
        yield from (Pair(None, choice) for choice in timeline)
        return
    matcher = SequenceMatcher(None, list(map(looks[0], canon)), list(map(looks[0], timeline)), autojunk=False)
    for tag, one, one_end, other, other_end in matcher.get_opcodes():
        here, there = canon[one:one_end], timeline[other:other_end]
        yield from map(Pair, here, there) if tag == "equal" else _aligned(here, there, *looks[1:])


def numbered(
    canon: Sequence[Choice], timeline: Sequence[Choice], of: Callable[[Choice], ActionNumber] = lambda one: one.action
) -> list[Pair]:
    """Choices side by side by their numbers, for a timeline that has one action for every action of canon.

    ``of`` gives the number on canon of a choice of the timeline, if it differs.
    """
    by_number = {of(one): one for one in timeline}
    pairs = [Pair(one, by_number.pop(one.action, None)) for one in canon]
    return [*pairs, *(Pair(None, one) for one in by_number.values())]


@attrs.frozen
class WantedChoice(Record):
    """One choice of a timeline that canon is asked to make too: a ``change`` of its own action, or a new action.

    ``number`` is canon's action; 0 for a new one.
    """

    number: int
    change: Change | None
    canon: Choice | None
    timeline: Choice | None


@attrs.frozen
class LeftAlone(Record):
    """A choice that canon is not asked to make, and why."""

    canon: Choice | None
    timeline: Choice | None
    why: str


@attrs.frozen
class MergePlan(Record):
    """The changes of canon's actions that are asked for, in order, then its new actions; and the choices that are left alone."""

    asked: tuple[WantedChoice, ...]
    left: tuple[LeftAlone, ...]

    @property
    def changes(self) -> dict[ActionNumber, Change]:
        return {one.number: one.change for one in self.asked if one.change is not None}

    @property
    def new_actions(self) -> tuple[Choice, ...]:
        """The new actions, at canon's end."""
        return tuple(one.timeline for one in self.asked if one.change is None and one.timeline is not None)


FINAL = "it bound the table to something outside the history"
INSERTED = "it was put into the past there, and can be put into canon's past too"
THOUGHT = "a second thought belongs to its moment"


def plan(
    canon: History, timeline: History, entry: EntryNumber, rulebook: Rulebook, *, keep_later: bool = False
) -> MergePlan:
    """The plan by which canon makes the choices of a timeline that was forked after its ``entry``.

    Of the actions before the fork only the timeline's own corrections are its choices. Canon's actions after the last
    choice that both made may be kept (``keep_later``), because the timeline was not played that far. Events are never
    copied.
    """
    last = actions_until(canon, entry)
    asked: list[WantedChoice | LeftAlone] = list(_corrected(canon, timeline, entry, rulebook, last))
    asked += _inserted(timeline, entry, rulebook)
    pairs = aligned(*(choices(history, rulebook, history.played_at(entry)) for history in (canon, timeline)))
    met = max((at for at, pair in enumerate(pairs) if pair.canon and pair.timeline), default=-1)
    for at, pair in enumerate(pairs):
        if not (keep_later and at > met and pair.timeline is None):
            asked += _wanted(pair)
    changes = [one for one in asked if isinstance(one, WantedChoice) and one.change is not None]
    new_actions = [one for one in asked if isinstance(one, WantedChoice) and one.change is None]
    return MergePlan((*changes, *new_actions), tuple(one for one in asked if isinstance(one, LeftAlone)))


def actions_until(history: History, entry: EntryNumber) -> int:
    """The number of actions that had been taken when an entry was the last one."""
    return history.actions_at(entry)


def _inserted(timeline: History, entry: EntryNumber, rulebook: Rulebook) -> Iterator[LeftAlone]:
    """The actions that the timeline put before the fork: canon is not asked for them."""
    found = (choice_of(timeline, action, rulebook) for action in timeline.inserted_since(entry))
    yield from (LeftAlone(None, choice, INSERTED) for choice in found if choice is not None)


def _corrected(
    canon: History, timeline: History, entry: EntryNumber, rulebook: Rulebook, last: int
) -> Iterator[WantedChoice | LeftAlone]:
    """The timeline's corrections of actions before the fork, unless canon has the same."""
    own = timeline.entries[entry:]
    touched = dict.fromkeys(each.action for each in own if not each.is_first and not each.causation)
    for action in sorted(action for action in touched if action <= last):
        here, there = (choice_of(history, action, rulebook) for history in (canon, timeline))
        if there is None and here is not None:
            yield _undo(here)
        elif there is not None and here is None:
            yield WantedChoice(action, Redo(), None, there)
            if _changed(canon.intent_of(action), there):
                yield LeftAlone(None, there, f"once #{action} is back on canon it can be changed there too")
        elif here is not None and there is not None and not Pair(here, there).is_same:
            yield _amend(here, there)
        elif here is not None and there is not None and here.intent.second_thoughts != there.intent.second_thoughts:
            yield LeftAlone(here, there, THOUGHT)


def _changed(meant: Intent, there: Choice) -> dict[str, ParameterValue]:
    """The parameters that have another value on the timeline."""
    return {name: value for name, value in there.intent.params.items() if meant.params.get(name) != value}


def choice_of(history: History, action: ActionNumber, rulebook: Rulebook) -> Choice | None:
    """The choice that was made in one action; None if it does not count."""
    entry = history.effective(action)
    return None if entry is None else _choice(rulebook, history, action, entry)


def _wanted(pair: Pair) -> list[WantedChoice | LeftAlone]:
    canon, timeline = pair.canon, pair.timeline
    if canon is not None and timeline is not None:
        if not pair.is_same and timeline.intent.verb == Adopt.verb:
            return [_undo(canon), WantedChoice(0, None, None, timeline)]
        if not pair.is_same:
            return [_amend(canon, timeline)]
        if canon.intent.second_thoughts != timeline.intent.second_thoughts:
            return [LeftAlone(canon, timeline, THOUGHT)]
        return []
    if canon is not None:
        return [_undo(canon)]
    assert timeline is not None
    if timeline.is_final:
        return [LeftAlone(None, timeline, FINAL)]
    left = [LeftAlone(None, timeline, THOUGHT)] if timeline.intent.second_thoughts else []
    return [WantedChoice(0, None, None, timeline), *left]


def _undo(canon: Choice) -> WantedChoice | LeftAlone:
    return LeftAlone(canon, None, FINAL) if canon.is_final else WantedChoice(canon.action, Undo(), canon, None)


def _amend(canon: Choice, timeline: Choice) -> WantedChoice | LeftAlone:
    if canon.is_final:
        return LeftAlone(canon, timeline, FINAL)
    return WantedChoice(canon.action, Amend(_changed(canon.intent, timeline)), canon, timeline)
