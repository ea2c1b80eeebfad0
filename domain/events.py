"""Everything that can be remembered: the closed vocabulary of a campaign's history.

An event is in the past tense and is a *change*: seven points lost, never "13 points left", because a history
that can be corrected adds its events up again. An event that sets a value exists only where the rule itself says
"becomes". Fields are integers, strings, tuples, mappings and enums of those; rulesets give the plain strings meaning and
never add a type. A class that has been stored keeps its shape: a new shape is a new schema version with an upcaster.
"""

import enum
from collections.abc import Mapping
from typing import TypeAlias

import attrs

from rollbook.domain.base.identifiers import ActionNumber, CharacterId, EntryNumber, SeatName, Whom, Word
from rollbook.domain.base.records import HoldsMapping, Record, quickly_made
from rollbook.domain.dice.record import Die, Flat, RequestKey, RollCount, Source, StreamPlace

Scalar: TypeAlias = bool | int | str | tuple[str, ...]
"""The values of a setting or a piece of data."""

ParameterValue: TypeAlias = bool | int | str | tuple[str | int | tuple[bool | int, ...], ...] | Mapping[str, Scalar]
"""The values of a parameter: also numbers, or scalars by name. Rows of numbers are filled in by the engine alone."""

Data: TypeAlias = Mapping[str, Scalar]
"""Data that a rule will read back, by name. Sentences (``detail``, ``reason``, labels) are only ever shown."""


class Role(enum.StrEnum):
    """The role of a seat at the table."""

    GM = "gm"
    PLAYER = "player"
    SPECTATOR = "spectator"


class CharacterKind(enum.StrEnum):
    """The sort of a character."""

    PLAYER_CHARACTER = "pc"
    NPC = "npc"
    MONSTER = "monster"
    HIRELING = "hireling"
    THING = "thing"


@attrs.frozen(kw_only=True)
class Event(Record):
    """An event of the history."""


@attrs.frozen(kw_only=True)
class _CharacterEvent(Event):
    """An event about one character."""

    character: CharacterId


@attrs.frozen(kw_only=True)
class _PoolEvent(Event):
    """An event about a pool. ``holder`` is a character, or "" for the GM's own."""

    holder: CharacterId
    pool: Word
    amount: int
    reason: str = ""


@attrs.frozen(kw_only=True)
class CampaignStarted(Event):
    """A campaign begins. ``identity`` is 16 random bytes in hexadecimal, so that no two campaigns share a history."""

    name: str
    identity: Word


@attrs.frozen(kw_only=True)
class RulesetAdopted(HoldsMapping, Event):
    """The campaign plays by ``ruleset`` from here on, with every setting written out: later defaults change nothing.

    ``package`` is the distribution that brought the ruleset, so that a campaign can name what it misses.
    """

    ruleset: Word
    version: Word
    settings: Mapping[str, Scalar] = attrs.field(factory=dict)
    package: Word = ""
    _held = "settings"


@attrs.frozen(kw_only=True)
class SeatTaken(Event):
    """A person sits down. ``number`` is the seat's number in the dice stream: 0 for the GM, then 1, 2, 3 and so on."""

    seat: SeatName
    role: Role
    number: int


@attrs.frozen(kw_only=True)
class SeatLeft(Event):
    """A person leaves the campaign; the seat's number is never given to anyone else."""

    seat: SeatName


@attrs.frozen(kw_only=True)
class SeatRenamed(Event):
    """A person is called otherwise from now on, as older histories have it: this name cannot be removed."""

    seat: SeatName
    name: SeatName


@attrs.frozen(kw_only=True)
class SeatNamed(Event):
    """A person is called ``name`` from now on; what is stored goes on under the name that the seat was taken by.

    Like the words of a note the name is stored here alone, with a ``salt`` (hexadecimal), so that it can be removed for good;
    one without a name was.
    """

    seat: SeatName
    name: SeatName
    salt: Word = ""


@attrs.frozen(kw_only=True)
class SessionOpened(Event):
    """A session begins. The two commitments bind the host to dice seeds that nobody has seen yet (hexadecimal).

    ``identity`` is made of the campaign's identity and the ``nonce``, so the commitments hold for this campaign alone.
    """

    session: int
    title: str = ""
    identity: Word = ""
    nonce: Word = ""
    scheme: Word = ""
    commit_table: Word = ""
    commit_screen: Word = ""


@attrs.frozen(kw_only=True)
class EntropyAdded(Event):
    """A player's line of text was mixed into the session's dice, after the commitment and before the first roll."""

    session: int
    number: int
    text: str


@attrs.frozen(kw_only=True)
class SessionClosed(Event):
    """A session ends. ``counts`` says how many open rolls of the stream each seat has used, on each timeline."""

    session: int
    counts: tuple[RollCount, ...] = ()


@attrs.frozen(kw_only=True)
class ScreenCounted(Event):
    """The secret rolls of each seat in a session were counted: recorded when their seed is revealed."""

    session: int
    counts: tuple[RollCount, ...] = ()


@attrs.frozen(kw_only=True)
class DiceRevealed(Event):
    """The seed of a session's dice is revealed (hexadecimal); ``screen`` is the GM's second, secret stream."""

    session: int
    seed: Word
    screen: bool = False


@attrs.frozen(kw_only=True)
class SceneFramed(Event):
    """A scene begins."""

    title: str


@attrs.frozen(kw_only=True)
class SceneSetAside(Event):
    """The scene at hand waits, with its fight and with the time there, until the table goes on with it."""


@attrs.frozen(kw_only=True)
class SceneResumed(Event):
    """The table goes on with a scene that waited, by its number; ``title`` is the scene's."""

    scene: int
    title: str = ""


@attrs.frozen(kw_only=True)
class SceneEnded(Event):
    """A scene that waited is over; its number is never given to another."""

    scene: int


@attrs.frozen(kw_only=True)
class NoteWritten(Event):
    """Words worth keeping; the entry's visibility says who may read them.

    They are stored here alone, so that they can be removed for good. ``salt`` (hexadecimal) keeps them from being guessed by
    the digest that stays; a note without words and salt is one whose words were removed.
    """

    text: str
    about: CharacterId = ""
    salt: Word = ""


@attrs.frozen(kw_only=True)
class PictureShown(Event):
    """A picture was shown: as a character's portrait, a handout, or a map; the entry's visibility says who may see it.

    Its bytes are beside the history in the store, under ``digest`` (SHA-256, hexadecimal). ``media`` is their type
    ("image/png"), ``width`` and ``height`` are pixels, and ``alt`` says in words what is on it. Like a note it can be
    removed for good; one without a digest was, or its character has no portrait any more, or the board no map.

    ``on_board``: it lies under the squares of the board, ``across`` tenths of a square wide, and its lower left corner is
    ``west`` and ``south`` tenths of a square away from that of the square 0,0, to the east and to the north.
    """

    portrait_of: CharacterId = ""
    digest: Word = ""
    media: Word = ""
    width: int = 0
    height: int = 0
    alt: str = ""
    salt: Word = ""
    on_board: bool = False
    across: int = 0
    west: int = 0
    south: int = 0


@attrs.frozen(kw_only=True)
class NoteRedacted(Event):
    """The words of a note were removed for good, from these entries; the picture of one, too."""

    action: ActionNumber
    why: str
    entries: tuple[EntryNumber, ...]


@attrs.frozen(kw_only=True)
class EntriesRevealed(Event):
    """Entries were revealed: what was hidden from the table in them is public from now on."""

    entries: tuple[EntryNumber, ...]


@attrs.frozen(kw_only=True)
class XCardRaised(Event):
    """The X-card was raised. There is nothing else to know (R0.4)."""


@attrs.frozen(kw_only=True)
class XCardAnswered(Event):
    """The table goes on after an X-card: ``how`` is "resume", "skip", "adjust" or "rewind" (Q0.80)."""

    how: Word


@attrs.frozen(kw_only=True)
class RulingMade(Event):
    """The GM decided beyond or against the rules, and said why."""

    reason: str
    about: CharacterId = ""


@attrs.frozen(kw_only=True)
class TimePassed(Event):
    """The campaign's clock moved on while the party was at ``activity``, say "rest"; "" is nothing in particular.

    Time spent on one activity in several goes is one stretch, unless something interrupts it: another activity, a new
    scene, a fight, or a character known to the table who moves, tries something, uses a power or is hurt. What time itself
    does to people interrupts nothing: after it, 0 ``seconds`` of the activity say that the stretch goes on.
    """

    seconds: int
    activity: Word = ""


@attrs.frozen(kw_only=True)
class CharacterJoined(_CharacterEvent):
    """A character enters the campaign, played from ``seat`` ("" is the GM's)."""

    name: Word
    kind: CharacterKind = CharacterKind.PLAYER_CHARACTER
    seat: SeatName = ""


@attrs.frozen(kw_only=True)
class CharacterRenamed(_CharacterEvent):
    """A character is called otherwise from now on; the id stays."""

    name: Word


@attrs.frozen(kw_only=True)
class CharacterLeft(_CharacterEvent):
    """A character is out of play; the sheet stays."""

    reason: str = ""


@attrs.frozen(kw_only=True)
class CharacterHidden(_CharacterEvent):
    """The table knows nothing of a character: whatever names them is the GM's alone."""


@attrs.frozen(kw_only=True)
class CharacterRevealed(_CharacterEvent):
    """A hidden character has come into the open."""


@attrs.frozen(kw_only=True)
class ControlPassed(_CharacterEvent):
    """A character is played from another seat from now on (R0.2)."""

    seat: SeatName


@attrs.frozen(kw_only=True)
class StatChanged(_CharacterEvent):
    """A number on the sheet rose or fell by ``amount``."""

    stat: Word
    amount: int
    reason: str = ""


@attrs.frozen(kw_only=True)
class TraitGained(HoldsMapping, _CharacterEvent):
    """A character has something it had not: a role, a heritage, a spell, an attitude; ``kind`` says which."""

    trait: Word
    kind: Word = ""
    data: Data = attrs.field(factory=dict)


@attrs.frozen(kw_only=True)
class TraitLost(_CharacterEvent):
    """A trait is gone."""

    trait: Word
    kind: Word = ""


@attrs.frozen(kw_only=True)
class GearGained(_CharacterEvent):
    """A character holds ``count`` more of ``item``; ``use`` is what the ruleset takes it for: "weapon", then more words."""

    item: Word
    count: int = 1
    use: tuple[Word, ...] = ()


@attrs.frozen(kw_only=True)
class GearLost(_CharacterEvent):
    """A character holds ``count`` fewer of ``item``."""

    item: Word
    count: int = 1


@attrs.frozen(kw_only=True)
class Moved(_CharacterEvent):
    """A character moved by so much (in the ruleset's unit: feet, metres or squares)."""

    east: int = 0
    north: int = 0
    up: int = 0
    cost: int = 0


@attrs.frozen(kw_only=True)
class SheetSetAside(HoldsMapping, _CharacterEvent):
    """A character's sheet was set aside: all that only ``ruleset`` understands, until the campaign plays by it again.

    ``since`` is what changed there since the character came in (see ``CharacterCrossed``): every sheet that lies aside
    already has to catch up with it one day.
    """

    ruleset: Word
    since: Mapping[str, int] = attrs.field(factory=dict)
    _held = "since"


@attrs.frozen(kw_only=True)
class SheetTakenUp(_CharacterEvent):
    """A sheet that was set aside is the character's again."""

    ruleset: Word


@attrs.frozen(kw_only=True)
class CharacterCrossed(HoldsMapping, _CharacterEvent):
    """A character has come into another game; ``measures`` are what it makes of them, to compare with when they leave."""

    measures: Mapping[str, int] = attrs.field(factory=dict)
    _held = "measures"


@quickly_made
@attrs.frozen(kw_only=True)
class DiceRolled(Event):
    """Dice fell. Every die with its sides, face and fate, every flat term with its label; see ``rollbook.domain.dice``.

    ``roller`` is a seat, or the id of a character. ``occasion`` is the session, scene and turn, the verb and its targets ("":
    unknown) and ``repeat`` counts the same rolls on it from 0: the same request after an undo meets the same dice. ``typed`` is
    the expression as it was asked for, where that is another. ``natural`` is the face of the die that the rule looks at (0:
    none). ``secret`` rolls come from the GM's own stream.
    """

    roller: SeatName
    purpose: str
    expression: str
    total: int
    dice: tuple[Die, ...] = ()
    flat: tuple[Flat, ...] = ()
    typed: str = ""
    natural: int = 0
    sources: tuple[Source, ...] = ()
    occasion: str = ""
    repeat: int = 0
    secret: bool = False

    @property
    def request(self) -> RequestKey:
        """The request that the dice answered."""
        return RequestKey(self.roller, self.purpose, self.occasion, self.repeat)


@attrs.frozen(kw_only=True)
class FreshDiceGranted(Event):
    """Undone rolls no longer wait for their request: it may be rolled again, because the GM says so.

    ``places`` are their places in the stream of the session.
    """

    session: int
    places: tuple[StreamPlace, ...]
    why: str


@attrs.frozen(kw_only=True)
class TableAgreed(Event):
    """The table settled how it deals with dice: ``matter`` is "dice" (of a ``seat``) or "overrides", ``value`` what holds.

    Of the matter "zone" the value is the time zone in which days and hours are read.
    """

    matter: Word
    value: Word
    seat: SeatName = ""


@quickly_made
@attrs.frozen(kw_only=True)
class CheckResolved(_CharacterEvent):
    """A roll met its target. ``outcome`` is the ruleset's word for it; ``success`` says which way it counts.

    ``against`` is who or what set the target: a defender, a hazard, "easy".
    """

    check: str
    total: int
    target: int
    success: bool
    outcome: Word = ""
    against: Whom = ""


@quickly_made
@attrs.frozen(kw_only=True)
class DamageTaken(_CharacterEvent):
    """A character lost hit points: ``amount`` is what the injury rules let through of ``dealt``."""

    amount: int
    dealt: int
    tags: tuple[Word, ...] = ()
    source: Whom = ""


@attrs.frozen(kw_only=True)
class HitPointsRestored(_CharacterEvent):
    """A character got ``amount`` hit points back."""

    amount: int
    tags: tuple[Word, ...] = ()
    source: Whom = ""


@attrs.frozen(kw_only=True)
class HitPointsCorrected(_CharacterEvent):
    """Hit points changed by ``amount`` without a cause that the rules know, for a stated reason."""

    amount: int
    reason: str


@attrs.frozen(kw_only=True)
class ConditionBegan(HoldsMapping, _CharacterEvent):
    """A character is in a condition. ``until`` is the clock (seconds) at which it ends by itself, 0: it does not.

    ``data`` is what the rules read back (strength, rounds, stage …); ``detail`` is shown and nothing more.
    """

    condition: Word
    source: Whom = ""
    detail: str = ""
    until: int = 0
    data: Data = attrs.field(factory=dict)


@attrs.frozen(kw_only=True)
class ConditionEnded(_CharacterEvent):
    """A condition is over."""

    condition: Word


@attrs.frozen(kw_only=True)
class PoolGained(_PoolEvent):
    """Tokens, luck, slots or points came in. ``holder`` is a character, or "" for the GM's own."""


@attrs.frozen(kw_only=True)
class PoolSpent(_PoolEvent):
    """Tokens, luck, slots or points went out."""


@attrs.frozen(kw_only=True)
class PoolBecame(_PoolEvent):
    """A pool was set, because the rule itself says "becomes" (two story tokens when a session opens, Q0.36)."""


@attrs.frozen(kw_only=True)
class PowerUsed(_CharacterEvent):
    """A power with a limited number of uses was used; ``target`` is whom it was used on."""

    power: Word
    target: Whom = ""


@attrs.frozen(kw_only=True)
class ExperienceAwarded(_CharacterEvent):
    """A character earned experience points."""

    amount: int
    reason: str = ""


@attrs.frozen(kw_only=True)
class LevelGained(_CharacterEvent):
    """A character rose by ``levels`` (below zero: a level was lost again)."""

    levels: int = 1


@attrs.frozen(kw_only=True)
class Option(HoldsMapping, Record):
    """One way to decide: ``key`` is what is typed and stored, ``label`` is shown beside it and nothing more."""

    key: Word
    label: str = ""
    data: Data = attrs.field(factory=dict)


@attrs.frozen(kw_only=True)
class ChoiceOffered(HoldsMapping, _CharacterEvent):
    """A decision is open that need not be made at once. ``data`` is what the rules need to know when it is made."""

    choice: Word
    options: tuple[Option, ...] = ()
    data: Data = attrs.field(factory=dict)
    reason: str = ""


@attrs.frozen(kw_only=True)
class ChoiceMade(_CharacterEvent):
    """An open decision was made."""

    choice: Word
    picked: Word


@attrs.frozen(kw_only=True)
class EncounterBegan(Event):
    """Time is counted in rounds from here on."""

    title: str = ""


@attrs.frozen(kw_only=True)
class EncounterEnded(Event):
    """The encounter is over."""


@attrs.frozen(kw_only=True)
class TurnOrderSet(Event):
    """The order of turns was set, best initiative first; ``scores`` are the numbers behind it."""

    order: tuple[CharacterId, ...]
    scores: tuple[int, ...] = ()


@attrs.frozen(kw_only=True)
class RoundBegan(Event):
    """A round begins: nobody has acted yet."""


@attrs.frozen(kw_only=True)
class RoundEnded(Event):
    """All characters who could act have acted."""


@attrs.frozen(kw_only=True)
class TurnBegan(_CharacterEvent):
    """It is a character's turn."""


@attrs.frozen(kw_only=True)
class TurnSpent(_CharacterEvent):
    """A part of the turn was used up: so many actions, or so much movement; below zero gives it back.

    ``about`` is whom or what it was spent on, where the rule asks that later (a power used, a foe attacked).
    """

    what: Word
    amount: int = 1
    about: Whom = ""


@attrs.frozen(kw_only=True)
class TurnEnded(_CharacterEvent):
    """A character's turn is over."""


REMOVABLE: Mapping[type[Event], tuple[str, ...]] = {
    NoteWritten: ("text", "salt"),
    PictureShown: ("digest", "alt", "salt"),
    SeatNamed: ("name", "salt"),
}
"""The only events that can be removed for good, with the fields that go."""


def vocabulary() -> tuple[type[Event], ...]:
    """Every class of event, in the order of this file."""
    found = (kind for kind in globals().values() if isinstance(kind, type) and issubclass(kind, Event))
    return tuple(kind for kind in found if kind not in (Event, _CharacterEvent, _PoolEvent))
