"""Values for corrections: the changes that can be asked of a history, and the proposal that a preview returns."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Self

import attrs

from rollbook.domain.actions.joining import with_kept_id
from rollbook.domain.actions.speech import Speech
from rollbook.domain.base.errors import Refused
from rollbook.domain.base.identifiers import ActionNumber, SeatName
from rollbook.domain.base.records import Record
from rollbook.domain.corrections.sheet_changes import SheetChange
from rollbook.domain.dice.record import PHYSICAL
from rollbook.domain.dice.recorded import OrdinalKey, rolls_by_ordinal, sourced
from rollbook.domain.dice.supply import DiceSupply, NoDice
from rollbook.domain.entries import WORDS, Entry, EntryKind, Intent, RecordedEntry, SecondThought
from rollbook.domain.events import ParameterValue
from rollbook.domain.rules.sheet_rulings import Adjustment
from rollbook.domain.state.campaign_state import CampaignState

Faces = Mapping[tuple[OrdinalKey, int], list[tuple[int, bool]]]
"""The faces of each roll by the sides of its dice, in the order in which they fell, and whether each was typed."""

SALT = WORDS[1]


@attrs.frozen
class Difference(Record):
    """A parameter, or a die by its purpose and sides (``attack d20``), before and after; None for what was not said."""

    name: str
    before: ParameterValue | None
    after: ParameterValue | None


def differences(before: Entry, after: Entry) -> tuple[Difference, ...]:
    """The differences between the requests for two outcomes: parameters, then the faces of dice that were changed."""
    return (*_parameters(before, after), *_dice(_faces(before), _faces(after)))


def unused_faces(before: Entry, after: Entry) -> tuple[int, ...]:
    """The faces typed for one outcome of an action that its other outcome does not use."""
    now = _faces(after)
    return tuple(
        face
        for which, faces in _faces(before).items()
        for face, is_typed in faces[len(now.get(which, ())) :]
        if is_typed
    )


def _parameters(before: Entry, after: Entry) -> Iterator[Difference]:
    named = before.full_intent.params, after.full_intent.params
    had, has = (with_kept_id(params, before.events) for params in named)
    for name in dict.fromkeys(key for params in named for key in params):
        was, now = had.get(name), has.get(name)
        if was != now and name != SALT:
            yield Difference(name, was, now)


def _dice(before: Faces, after: Faces) -> Iterator[Difference]:
    for which, faces in before.items():
        (_, purpose, _), sides = which
        for (was, _), (now, _) in zip(faces, after.get(which, ()), strict=False):
            if was != now:
                yield Difference(f"{purpose} d{sides}", was, now)


def _faces(outcome: Entry) -> Faces:
    found: dict[tuple[OrdinalKey, int], list[tuple[int, bool]]] = defaultdict(list)
    for key, roll in rolls_by_ordinal(outcome.events):
        for die, source in sourced(roll):
            found[key, die.sides].append((die.face, source.kind == PHYSICAL))
    return found


class Change(Record):
    """A change that is asked of one action."""


@attrs.frozen
class Undo(Change):
    """The action shall not count any more."""


@attrs.frozen
class Redo(Change):
    """The action shall count again, as it came out before it was undone or as ``revision`` had it.

    With ``if_possible`` it stays undone if the rules refuse it: it comes along with another that is redone.
    """

    revision: int = 0
    if_possible: bool = False


@attrs.frozen
class Amend(Change):
    """Play the action with some parameters changed, or with other faces of the real dice that were typed in.

    ``adjustments`` are played in the action too, after those that it has; ``unadjusted`` takes those away first.
    """

    params: Mapping[str, ParameterValue] = attrs.field(factory=dict)
    typed: tuple[int, ...] = ()
    adjustments: tuple[Adjustment, ...] = ()
    unadjusted: bool = False

    @property
    def only_adjusts(self) -> bool:
        """True if the change only adds adjustments, so that the action itself need not be played again."""
        return bool(self.adjustments) and not (self.params or self.typed or self.unadjusted)


@attrs.frozen
class Override(Amend):
    """Put other faces in the place of dice that came from the stream: ``faces``, from the action's ``first`` such die on."""

    faces: tuple[int, ...] = ()
    first: int = 1


@attrs.frozen(kw_only=True)
class Insert(Change):
    """The action, which has no number yet, shall be played just ``before`` another one: by the GM's ``seat``, as ``intent`` says.

    ``typed`` are faces of real dice for it alone.
    """

    before: ActionNumber
    intent: Intent
    seat: SeatName = ""
    secret: bool = False
    typed: tuple[int, ...] = ()


@attrs.frozen
class ThinkAgain(Change):
    """Play the action with one more second thought, on record."""

    thought: SecondThought


def change_begins(action: ActionNumber, change: Change) -> ActionNumber:
    """The action that is there already from which on a change of an action may change what was played."""
    return change.before if isinstance(change, Insert) else action


class Effect(StrEnum):
    """The effect of a correction on an action."""

    INSERTED = "inserted"
    UNDONE = "undone"
    REDONE = "redone"
    STAYS_UNDONE = "stays_undone"
    AMENDED = "amended"
    CHANGED = "changed"
    ORPHANED = "orphaned"
    RESTS = "rests"
    DRIFTED = "drifted"


UNDECIDED = (Effect.ORPHANED, Effect.RESTS)
"""The effects for which the corrector decides, one action at a time, whether it is undone too."""


@attrs.frozen
class Consequence(Record):
    """One action that does not stay as it is: what it came to before and after, and why if the rules now refuse it.

    ``left`` are the faces that are not used of those that were typed for it now; None if none were typed.
    """

    action: ActionNumber
    effect: Effect
    before: RecordedEntry | None
    after: Entry | None
    reason: str = ""
    left: tuple[int, ...] | None = None

    @property
    def differences(self) -> tuple[Difference, ...]:
        """The changes in the action itself, if it was amended; none for an action that only follows."""
        if self.before is None or self.after is None or self.effect not in (Effect.AMENDED, Effect.REDONE):
            return ()
        return differences(self.before, self.after)

    @property
    def unused_faces(self) -> tuple[int, ...]:
        """The faces typed for the action that its new outcome does not use."""
        if self.left is not None:
            return self.left
        if self.before is None or self.after is None or not self.after.is_outcome:
            return ()
        return unused_faces(self.before, self.after)

    @property
    def is_amended_to_what_it_is(self) -> bool:
        """True if the action was amended, yet both it and its outcome are the same as before."""
        was, now = self.before, self.after
        if self.effect is not Effect.AMENDED or was is None or now is None:
            return False
        return (
            was.intent.second_thoughts == now.intent.second_thoughts
            and was.events == now.events
            and not self.differences
        )

    @property
    def is_kept(self) -> bool:
        """True if it is an orphan that is kept as a ruling, or an imported action that is left although it rests on another."""
        return self.effect in UNDECIDED and self.after is not None and self.after.kind is EntryKind.REVISED


@attrs.frozen
class Proposal(Record):
    """A correction that has not been made: everything it would append, and what it would change.

    ``base`` is the entry it was made on. ``resolved`` counts the later actions that were played again, and ``same`` names
    those of them that came out the same; ``skipped`` counts those that read nothing changed. ``speeches`` say who speaks in each.
    """

    base: int
    entries: tuple[Entry, ...]
    consequences: tuple[Consequence, ...]
    changes: tuple[SheetChange, ...]
    after: CampaignState
    resolved: int = 0
    skipped: int = 0
    same: tuple[int, ...] = ()
    speeches: tuple[Speech, ...] = ()

    def check_changes_something(self) -> None:
        """Raise Refused if all that was asked for is amendments of actions to what they are."""
        unchanged = [f"#{one.action}" for one in self.consequences if one.is_amended_to_what_it_is]
        if unchanged and len(unchanged) == len(self.consequences):
            raise Refused(f"{' and '.join(unchanged)} would stay just what it is, so there is nothing to amend.")

    def because(self, reason: str) -> Self:
        """The same correction with a reason that was given after the preview; entries that have a reason keep theirs.

        An adjustment or an override plays its reason, so they are previewed with it.
        """
        return attrs.evolve(self, entries=tuple(each._replace(reason=each.reason or reason) for each in self.entries))

    def of(self, *effects: Effect) -> tuple[Consequence, ...]:
        """The consequences that are one of these effects."""
        return tuple(consequence for consequence in self.consequences if consequence.effect in effects)


class Orphans(StrEnum):
    """The ways to deal with actions that the rules now refuse."""

    UNDO = "undo"
    KEEP = "keep"


@attrs.frozen(kw_only=True)
class Correction(Record):
    """A correction that is asked for: the changes, and how they are made.

    ``stand`` leaves all later actions as they are recorded. ``orphans`` is what becomes of orphans, unless ``effects`` says
    otherwise of a single one, by its number. ``dice`` gives dice that were never rolled.
    """

    changes: Mapping[ActionNumber, Change]
    seat: str = ""
    reason: str = ""
    stand: bool = False
    orphans: Orphans = Orphans.UNDO
    effects: Mapping[ActionNumber, Orphans] = attrs.field(factory=dict)
    dice: DiceSupply = attrs.field(factory=NoDice)


@attrs.frozen(kw_only=True)
class CorrectionOptions(Record):
    """Options of a correction, whatever it changes.

    ``seat`` corrects (None: the GM). ``stand``, ``orphans`` and ``effects`` (by action) are those of a
    ``Correction``. ``dice`` are typed faces for dice that were never rolled; with ``draw`` such dice are drawn from the
    open session, and with neither they raise DiceNeeded. ``command`` is an idempotency key: a correction that was made
    already is not made again.
    """

    seat: str | None = None
    reason: str = ""
    stand: bool = False
    orphans: Orphans = Orphans.UNDO
    effects: Mapping[ActionNumber, Orphans] = attrs.field(factory=dict)
    dice: tuple[int, ...] | None = None
    draw: bool = False
    command: str = ""
