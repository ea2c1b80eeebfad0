"""The state of a campaign at one moment: sealed values that a fold makes out of events.

State is neutral: stats, pools, traits and conditions are plain strings that a ruleset gives meaning; it opens without one.
"""

from collections.abc import Callable, Mapping
from typing import cast

import attrs

from rollbook.domain.base.identifiers import CharacterId, SeatName
from rollbook.domain.base.records import Record, field_values
from rollbook.domain.base.seat_words import NO_NAME, is_word_of_chance
from rollbook.domain.dice.stream import mix_code
from rollbook.domain.events import CharacterKind, Data, Option, Role, Scalar
from rollbook.domain.state.encounters import Encounter, WaitingScene
from rollbook.domain.state.sealing import NOTHING, Sealable, while_unsealed


@attrs.frozen(kw_only=True)
class Seat(Record):
    """A person at the table; ``number`` is the seat's number in the dice stream.

    ``name`` is the one that the seat was taken by, under which everything is stored. ``called`` is a name given since.
    """

    name: SeatName
    role: Role
    number: int
    present: bool = True
    called: str = ""

    @property
    def shown(self) -> str:
        """The name that people use for the person; of one whose name was removed, that it was."""
        return self.called or (NO_NAME if is_word_of_chance(self.name) else self.name)


@attrs.frozen(kw_only=True)
class Session(Record):
    """A session, its dice commitments (hexadecimal) and the lines that were mixed in, with seat numbers."""

    number: int
    title: str = ""
    identity: str = ""
    scheme: str = ""
    commit_table: str = ""
    commit_screen: str = ""
    entropy: tuple[tuple[int, str], ...] = ()
    is_open: bool = True

    @property
    def mix_code(self) -> str:
        """The code of what has been mixed into its dice, "" as long as nobody has mixed in a line."""
        return mix_code((self.commit_table, self.commit_screen), self.entropy) if self.entropy else ""


@attrs.frozen(kw_only=True)
class Condition(Record):
    """A condition that a character is in. ``since`` and ``until`` are clock seconds; until 0: until it is ended."""

    name: str
    since: int
    until: int = 0
    source: str = ""
    detail: str = ""
    data: Data = NOTHING


@attrs.frozen(kw_only=True)
class OpenChoice(Record):
    """A decision that is open, with what the rules need to know when it is made (``data``)."""

    options: tuple[Option, ...] = ()
    data: Data = NOTHING

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that may be picked, as they are typed and stored."""
        return tuple(option.key for option in self.options)

    def option(self, key: str) -> Option | None:
        """The option with this key, if there is one."""
        return next((option for option in self.options if option.key == key), None)


@attrs.frozen(kw_only=True)
class Stretch(Record):
    """A stretch of one activity: ``seconds`` of, say, "rest".

    Once it is ``interrupted``, more of the same activity begins a new stretch.
    """

    activity: str
    seconds: int
    interrupted: bool = False


@attrs.frozen(kw_only=True)
class Gear(Record):
    """Things of one sort; ``use`` is what the ruleset takes them for."""

    count: int
    use: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class Usage(Record):
    """Uses of a limited power: their number, and the clock second of the last one."""

    count: int
    last: int


@attrs.frozen(kw_only=True)
class StoredSheet(Record):
    """A sheet of another game that lies aside, down to what things were taken for (``uses``) and how much experience there was.

    ``since`` is what has changed in the games that were played in the meantime.
    """

    level: int
    experience: int
    lost: int
    stats: Mapping[str, int]
    traits: Mapping[str, str]
    pools: Mapping[str, int]
    conditions: Mapping[str, Condition]
    trait_data: Mapping[str, Data]
    choices: Mapping[str, OpenChoice]
    chosen: Mapping[str, str]
    usages: Mapping[str, Usage]
    uses: Mapping[str, tuple[str, ...]]
    since: Mapping[str, int]


@attrs.define(kw_only=True, on_setattr=while_unsealed)
class Character(Sealable):
    """A character: anyone with a sheet. ``lost`` is hit points lost so far; what the maximum is, the ruleset derives.

    ``aside`` are the sheets of games that the campaign played before, by ruleset; ``arrival_baseline`` is
    what the game of now made of the character on coming in. A ``hidden`` one is known to the GM alone. One ``elsewhere``
    takes part in a fight that waits in another scene.
    """

    id: CharacterId
    name: str
    kind: CharacterKind = CharacterKind.PLAYER_CHARACTER
    seat: SeatName = ""
    present: bool = True
    lost: int = 0
    experience: int = 0
    level: int = 0
    stats: Mapping[str, int] = NOTHING
    traits: Mapping[str, str] = NOTHING
    gear: Mapping[str, Gear] = NOTHING
    pools: Mapping[str, int] = NOTHING
    conditions: Mapping[str, Condition] = NOTHING
    trait_data: Mapping[str, Data] = NOTHING
    choices: Mapping[str, OpenChoice] = NOTHING
    chosen: Mapping[str, str] = NOTHING
    usages: Mapping[str, Usage] = NOTHING
    position: tuple[int, int, int] = (0, 0, 0)
    aside: Mapping[str, StoredSheet] = NOTHING
    arrival_baseline: Mapping[str, int] = NOTHING
    hidden: bool = False
    elsewhere: bool = False
    sealed: bool = attrs.field(default=False, eq=False, repr=False)

    @property
    def who(self) -> tuple[str, str, SeatName, bool, bool, bool]:
        """The character's identity: all that seldom changes."""
        return self.name, self.kind, self.seat, self.present, self.hidden, self.elsewhere

    @property
    def is_here(self) -> bool:
        """True if the character is in play, and in no fight that waits in another scene."""
        return self.present and not self.elsewhere

    def has(self, condition: str) -> bool:
        """True if the character is in this condition."""
        return condition in self.conditions

    def has_lost(self, amount: int) -> bool:
        """True if so many hit points are lost, or more.

        A rule that asks this instead of how many comes out the same on both courses of a correction if the answers are the same.
        """
        return self.lost >= amount

    def traits_of(self, kind: str) -> tuple[str, ...]:
        """The traits of one kind, in the order in which they were gained."""
        return by_kind(self.traits).get(kind, ())


def by_kind(traits: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Traits by their kinds, those of each in the order in which they were gained."""
    found: dict[str, tuple[str, ...]] = {}
    for trait, kind in traits.items():
        found[kind] = (*found.get(kind, ()), trait)
    return found


@attrs.frozen(kw_only=True)
class BoardMap(Record):
    """The picture under the squares of the board, with the fields of ``PictureShown``."""

    digest: str
    media: str
    width: int
    height: int
    alt: str
    across: int
    west: int
    south: int

    @property
    def high(self) -> float:
        """Its height on the board, in tenths of a square."""
        return self.across * self.height / max(1, self.width)


@attrs.define(kw_only=True, on_setattr=while_unsealed)
class CampaignState(Sealable):
    """A whole campaign at one moment. ``clock`` is seconds since it began; ``pools`` are the GM's own.

    ``scene`` is the title of the scene at hand, ``scene_number`` its number, and ``scenes`` how many have begun. Those that
    wait are ``elsewhere``, the last one set aside at the end, each with its fight: ``encounter`` is the fight at hand.

    ``package`` is the distribution that brings the ruleset; ``former`` are the settings of rulesets played before.
    ``agreed`` is how the table deals with dice, and its time zone: by the matter, and "matter/seat" where it is about one seat.
    ``pictures`` are the media types of those that were shown, by digest, ``portraits`` the digests of those of characters.
    ``board_map`` is the picture under the squares of the board, None for none.
    """

    name: str = ""
    identity: str = ""
    ruleset: str = ""
    version: str = ""
    package: str = ""
    settings: Mapping[str, Scalar] = NOTHING
    former: Mapping[str, Mapping[str, Scalar]] = NOTHING
    seats: Mapping[SeatName, Seat] = NOTHING
    session: Session | None = None
    scene: str = ""
    scenes: int = 0
    scene_number: int = 0
    elsewhere: tuple[WaitingScene, ...] = ()
    paused: bool = False
    clock: int = 0
    stretch: Stretch | None = None
    pools: Mapping[str, int] = NOTHING
    characters: Mapping[CharacterId, Character] = NOTHING
    encounter: Encounter | None = None
    dice_requests: Mapping[str, int] = NOTHING
    agreed: Mapping[str, str] = NOTHING
    pictures: Mapping[str, str] = NOTHING
    portraits: Mapping[CharacterId, str] = NOTHING
    board_map: BoardMap | None = None
    sealed: bool = attrs.field(default=True, eq=False, repr=False)

    def next_repeat(self, roller: str, purpose: str, occasion: str) -> int:
        """The lowest number of a request for dice that is free in this stretch of play: undone ones are free again."""
        taken = self.dice_requests.get(request_name(roller, purpose, occasion), 0)
        return (~taken & (taken + 1)).bit_length() - 1

    @property
    def people(self) -> tuple[str, ...]:
        """The names of those who have or had a seat, as people call them."""
        return tuple(seat.shown for seat in self.seats.values())

    @property
    def names_of_seats(self) -> Mapping[SeatName, str]:
        """The same by the names that the seats are stored under."""
        return {name: seat.shown for name, seat in self.seats.items()}

    def is_gm(self, seat: SeatName) -> bool:
        """True if the GM's seat acts, or no particular seat."""
        sitting = self.seats.get(seat)
        return sitting is None or sitting.role is Role.GM

    def waiting_scene(self, number: int) -> WaitingScene | None:
        """The scene of this number, if it waits."""
        return next((scene for scene in self.elsewhere if scene.number == number), None)

    def present(self) -> tuple[CharacterId, ...]:
        """The characters in play who are in no fight elsewhere, in the order of arrival."""
        return tuple([name for name, who in self.characters.items() if who.is_here])

    def with_conditions(self) -> tuple[CharacterId, ...]:
        """Those of them who are in any condition."""
        return tuple([name for name, who in self.characters.items() if who.conditions and who.present])

    def fights_unseen(self) -> bool:
        """True if there is a fight at hand, and all who take part are hidden."""
        order = self.encounter.order if self.encounter is not None else ()
        known = (self.characters.get(name) for name in order)
        return bool(order) and all(who is not None and who.hidden for who in known)

    def part(self, key: str) -> object:
        """One part of the state, by the key under which ``Table`` and ``Draft`` note that it was read or changed.

        ``@robin`` is a character; ``@*`` who there is at all, ``present`` who of them is in play and not elsewhere, and
        ``with_conditions`` who of those in play is in any condition, in the order of arrival; the other keys are the names of
        fields. A name after a dot is a part of that part: a field, or an entry of a mapping (``@robin.pools``,
        ``@robin.pools.tokens``, ``settings.hard``). ``@robin.who`` is that there is such a character, and who it is;
        ``@robin.lost.14`` is whether the number is 14 or more.
        What is not there is None. The scene is known by its number too: two scenes may have the same title.
        """
        if key[0] == "@" and (who := self.characters.get(key[1:])) is not None:
            return who  # most are asked for as a whole
        whole, _, inner = key.partition(".")
        if whole == "@*":
            return tuple(self.characters)
        if whole in GROUPS:
            return GROUPS[whole](self)
        if whole == "scene":
            return self.scene, self.scenes, self.scene_number
        part = self.characters.get(whole[1:]) if whole.startswith("@") else getattr(self, whole)
        return inside(part, inner)


MAPPINGS = frozenset(field.name for field in attrs.fields(CampaignState) if field.default is NOTHING)
"""The parts that are mappings."""

PRESENT, WITH_CONDITIONS = "present", "with_conditions"
GROUPS: Mapping[str, Callable[[CampaignState], tuple[CharacterId, ...]]] = {
    PRESENT: CampaignState.present,
    WITH_CONDITIONS: CampaignState.with_conditions,
}
"""Parts of a campaign that say which characters are in some state: they follow from the characters."""


def request_name(roller: str, purpose: str, occasion: str) -> str:
    """The name under which requests for dice are counted."""
    return f"{occasion}|{roller}|{purpose}"


def inside(part: object, key: str) -> object:
    """A part of a part, None if it is not there. The rest of a key that names an entry of a mapping is one name, dots and all."""
    if part is None or not key:
        return part
    if isinstance(part, int):
        return _reaches(part, key)
    if isinstance(part, Mapping):
        return part.get(key)
    name, _, inner = key.partition(".")
    found: object = getattr(part, name, None)
    return inside(found, inner)


def _reaches(number: int, key: str) -> object:
    """True if a number is that of the key or more. Of a key that is none, which no action notes, it is the number itself."""
    try:
        return number >= int(key)
    except ValueError:
        return number


EMPTY = CampaignState()
"""A campaign in which nothing has happened yet."""


SHEET_DEPENDENCIES = ("clock", "settings", "ruleset", "encounter")
"""The parts of a campaign that any sheet may read, besides the character itself."""


def equal_in_order(one: object, other: object) -> bool:
    """True if two parts of a campaign are the same, down to the order in which things were gained: rules may go by it."""
    if one is other:
        return True
    if one != other:
        return False
    if one.__class__ in _WITHOUT_ORDER:
        return True
    if isinstance(one, Sealable):
        pairs = zip(field_values(one), field_values(other), strict=True)
        return all(equal_in_order(mine, yours) for mine, yours in pairs if mine is not yours)
    return tuple(one) == tuple(cast("Mapping[str, object]", other)) if isinstance(one, Mapping) else True


_WITHOUT_ORDER = frozenset((int, str, bool, tuple, type(None)))
"""Values that are the same if they are equal: most of what is compared is one of these."""
