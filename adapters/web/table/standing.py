"""The standing of the table on a page: the fighters in turn order or the characters in the scene, with hit points.

It is made of a ``Status``, which is made of a state; so an edition's standing has only what its reader may see.
"""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from weakref import WeakKeyDictionary

import attrs

from rollbook.application.lines.seat_view import DOWN
from rollbook.application.view import CampaignView
from rollbook.domain.base.records import Record
from rollbook.projections.context import FOES
from rollbook.projections.in_words import health
from rollbook.projections.status import CharacterStatus, Status, Statuses, Turn, time_left

_STATUSES: WeakKeyDictionary[CampaignView, Statuses] = WeakKeyDictionary()
"""The statuses of each edition: those who did not change between two moments are taken over."""

NO_PORTRAITS: Mapping[str, str] = MappingProxyType({})
NEXT, MAY_BE_NEXT = "next", "may be next"
"""The words for the next fighter, and for each of several of whom the table picks one."""

MANY = 6
"""Least number of fighters whose cards are small."""
LEAST, LEAST_OF_MANY = 3, 2
"""Least number of foes of one kind who stand together, among few fighters and among many."""

_NUMBERED = re.compile(r"(?P<kind>.*\S)\s+\d+")
_ARTICLE = re.compile(r"^(the|der|die|das)\s+", re.IGNORECASE)


@attrs.frozen(kw_only=True)
class FighterView(Record):
    """A character in play. ``share`` is the percentage of hit points left, None if there is no bar to draw.

    ``level`` is "" over a half, "half" or "low" (a quarter or less); ``points`` and ``words`` are the same in numbers
    and in words. If only words may be shown, ``points`` is "". ``when`` is the place in the round, in words.
    ``portrait`` is the address of a picture, "" for none.
    """

    status: CharacterStatus
    letters: str
    when: str
    share: float | None
    level: str
    points: str
    words: str
    portrait: str = ""

    @property
    def name(self) -> str:
        return self.status.label

    @property
    def turn(self) -> str:
        """The state of its turn: "now", "done", or "" while it waits or has none."""
        return {Turn.NOW: "now", Turn.ACTED: "done"}.get(self.status.turn, "")

    @property
    def is_foe(self) -> bool:
        """True if it is drawn as a foe: only the GM plays it."""
        return self.status.kind in FOES


@attrs.frozen(kw_only=True)
class Kin(Record):
    """Fighters in the strip: one alone, or several foes of one kind, ``name``, who stand together."""

    name: str
    members: tuple[FighterView, ...]

    @property
    def is_pack(self) -> bool:
        """True if several stand together."""
        return len(self.members) > 1

    @property
    def turn(self) -> str:
        """The state of their turns: "now" if one of them is on turn, "done" if all have acted."""
        turns = {each.turn for each in self.members}
        return "now" if "now" in turns else "done" if turns == {"done"} else ""

    @property
    def when(self) -> str:
        """The place in the round of who is on turn among them, or else of the first."""
        return next((each.when for each in self.members if each.turn == "now"), self.members[0].when)


@attrs.frozen(kw_only=True)
class StandingView(Record):
    """The standing of the table. ``heading`` is the fight or the scene; ``round`` is 0 outside a fight.

    ``whose`` turn it is and what is ``left`` of it are "" if unknown. ``fighters`` are in turn order, ``others`` in
    play beside the fight. ``lines`` are other counts, with the clock and the code of the session's dice.
    """

    status: Status
    heading: str
    scene: str
    session: str
    round: int
    whose: str
    left: str
    fighters: tuple[FighterView, ...]
    others: tuple[FighterView, ...]
    lines: tuple[tuple[str, str], ...]

    @property
    def is_compact(self) -> bool:
        """True if so many stand there that their cards are small."""
        return len(self.fighters) >= MANY

    @property
    def kin(self) -> tuple[Kin, ...]:
        """The fighters in turn order, foes of one kind where the first of them is."""
        packs: dict[str, list[FighterView]] = {}
        for who in self.fighters:
            packs.setdefault(_kind_of(who) or who.status.character, []).append(who)
        least = LEAST_OF_MANY if self.is_compact else LEAST
        found: list[Kin] = []
        for kind, members in packs.items():
            together = [members] if len(members) >= least else [[each] for each in members]
            found += [Kin(name=kind if len(some) > 1 else some[0].name, members=tuple(some)) for some in together]
        place = {who.status.character: at for at, who in enumerate(self.fighters)}
        return tuple(sorted(found, key=lambda each: place[each.members[0].status.character]))

    @property
    def from_turn(self) -> tuple[FighterView, ...]:
        """The fighters from the one on turn on: on a screen without scrolling the last ones may be below its edge."""
        at = next((place for place, who in enumerate(self.fighters) if who.turn == "now"), 0)
        return self.fighters[at:] + self.fighters[:at]


def status_now(edition: CampaignView) -> Status:
    """The status of an edition as it is now."""
    known = _STATUSES.get(edition)
    if known is None:
        known = _STATUSES[edition] = Statuses(edition.session.rulebook)
    return known.of(edition.state)


def standing(status: Status, portraits: Mapping[str, str] = NO_PORTRAITS) -> StandingView:
    """The standing of a status, with the addresses of ``portraits`` by character."""
    fight = status.fight
    everybody = [*(fight.fighters if fight else ()), *status.characters]
    letters = initials([who.label for who in everybody])
    following = NEXT if fight and len(fight.next) == 1 else MAY_BE_NEXT
    people = tuple(_fighter(who, letters[who.label], following, portraits.get(who.character, "")) for who in everybody)
    many = len(fight.fighters) if fight else len(people)
    away = frozenset(who for scene in status.elsewhere for who in scene.fighters)
    clock = (("Clock", time_left(status.clock)),) if status.clock else ()
    dice = (("Dice mixed to", status.mixed),) if status.mixed else ()
    return StandingView(
        status=status,
        heading=(fight.title or "The fight") if fight else status.scene or "Who is there",
        scene=status.scene if fight else "",
        session=_session(status),
        round=fight.round if fight else 0,
        whose=next((who.label for who in fight.fighters if who.character == fight.current), "") if fight else "",
        left=", ".join(fight.left) or "nothing" if fight and fight.left is not None else "",
        fighters=tuple(who for who in people[:many] if who.status.character not in away),
        others=(*people[many:], *(who for who in people[:many] if who.status.character in away)),
        lines=clock + status.lines + dice,
    )


def _kind_of(who: FighterView) -> str:
    """The kind of a foe who has a number, as Wolf of Wolf 2; "" for others."""
    found = _NUMBERED.fullmatch(who.name) if who.is_foe else None
    return found["kind"] if found else ""


def _session(status: Status) -> str:
    if not status.session:
        return ""
    title = f", {status.session_title}" if status.session_title else ""
    return f"session {status.session}{title}{'' if status.session_open else ', closed'}"


def _fighter(who: CharacterStatus, letters: str, following: str, portrait: str) -> FighterView:
    left, most = who.left, who.most
    share = max(0.0, min(100.0, 100 * left / most)) if left is not None and most else None
    points = "" if left is None else f"{left} of {most}" if most is not None else str(left)
    return FighterView(
        status=who,
        letters=letters,
        when=_when(who, following),
        share=None if share is None else round(share, 1),
        level="" if share is None or share > 50 else "half" if share > 25 else "low",
        points=points,
        words=health(left, most) or (who.hp if left is None else ""),
        portrait=portrait,
    )


def _when(who: CharacterStatus, following: str) -> str:
    if who.turn is Turn.NOW:
        return "on turn"
    if who.turn is Turn.NONE:
        return "hidden" if who.is_hidden else ""
    if who.turn is Turn.TO_COME and any(each.name in DOWN for each in (*who.conditions, *who.covered)):
        return "down"
    return following if who.is_next else who.turn.value


def initials(names: Sequence[str]) -> dict[str, str]:
    """Initials of each name, without its article: one letter, or two if several names begin alike."""
    bare = {name: _ARTICLE.sub("", name).strip() or "?" for name in names}
    ones = [short[0].upper() for short in bare.values()]
    return {
        name: _two_letters(short) if ones.count(short[0].upper()) > 1 else short[0].upper()
        for name, short in bare.items()
    }


def _two_letters(name: str) -> str:
    words = name.split()
    return (words[0][0] + words[-1][0]).upper() if len(words) > 1 else name[:2].capitalize()
