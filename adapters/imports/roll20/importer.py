"""Importer of Roll20's chat archive, saved from the browser, as the actions of a campaign.

The page is what one person saw: it says who wrote, and when, only where that changes, and it names the reader in each
whisper. People speak as characters. Those who were once marked as the GM are the GM, and so is every name that this
person's account has used.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import attrs

from rollbook.adapters.imports import Imported, Known, nothing_known
from rollbook.adapters.imports.bounded import MIB, OUTCOME, Source, opened
from rollbook.adapters.imports.chats.importer import import_chat
from rollbook.adapters.imports.chats.markup import Element, elements, fragment
from rollbook.adapters.imports.chats.messages import BOUNDS, GM, UNREAD, Chat, Clock, Message, hours, lines_of
from rollbook.adapters.imports.chats.rolls import ASKS, ChatRoll, chat_roll, purpose_of
from rollbook.adapters.imports.course import GAP, Remarks
from rollbook.adapters.imports.foundry.values import name, words
from rollbook.domain.base.errors import RollbookError

__all__ = ["read_roll20", "recognises"]

PAGE = attrs.evolve(BOUNDS, line=8 * MIB)
"""Bounds of a saved page: its messages may all stand in one line."""
LOOKED_AT = attrs.evolve(PAGE, size=16 * MIB, lines=100_000)
"""Bounds of the part in which a page shows that it is one."""
LONGEST_TITLE = 20_000
SIGNS = (b"data-messageid=", b'class="message rollresult', b'id="textchat', b'class="message general')
STAMP = re.compile(
    r"(?:(?P<month>[A-Z][a-z]+) (?P<day>[0-9]{1,2}), (?P<year>[0-9]{4}) )?"
    r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2}) ?(?P<half>[AP]M)?"
)
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
WHISPER = re.compile(r"^\((?P<way>to|from) (?P<whom>.{1,120}?)\)$|^(?P<who>.{1,120}?) \(to GM\)$", re.IGNORECASE)
IS_GM = re.compile(r"\s*\(GM\)$")
TITLE = re.compile(r"Rolling (?P<roll>.{1,4000}?) = (?P<shown>.*)$", re.DOTALL)
ELSEWHERE = re.compile(r"^-?[0-9]+ \[(?P<roll>[^\]]*d[0-9][^\]]*)\]$")
"""A roll that another page made: Roll20 was given its total, with the formula as a label."""
YOU = "you"
"""The key of the person who saved the page."""
UNSAID = frozenset(("by", "tstamp", "avatar", "spacer", "formula", "rolled", "flyout"))
HIDDEN = frozenset(("private", "whisper", "gmrollresult"))


def read_roll20(path: Path, name: str = "", known: Callable[[str], Known] = nothing_known) -> Imported:
    """Import a chat archive as a campaign, or its new messages into a campaign that was made from it.

    Raises NotFound, or RollbookError for a file that is no chat archive.
    """
    return import_chat(path, name, known, _read, PAGE)


def recognises(path: Path) -> bool:
    """True if a file seems to be a saved page with Roll20's chat."""
    try:
        with opened(path, OUTCOME, LOOKED_AT) as source:
            return any(sign in line for _, line in source.lines() for sign in SIGNS)
    except RollbookError:
        return False


def _is_message(one: Element) -> bool:
    return one.tag == "div" and "message" in one.classes


def _read(source: Source, clock: Clock) -> Chat:
    archive = _Archive(source, clock)
    said = [archive.heard(one) for one in elements(source, lines_of(source), _is_message)]
    if not said:
        raise RollbookError(f"{source.path}, line 1: this is no page with a chat of Roll20's. {OUTCOME}")
    return archive.chat(said)


@attrs.frozen
class _Heard:
    """A message, the name of its writer, the time, and the person whom it is whispered to or from."""

    element: Element
    called: str
    at: int
    is_own: bool
    player: str
    way: str = ""
    whom: str = ""


class _Archive:
    """A page while its messages are read."""

    def __init__(self, source: Source, clock: Clock) -> None:
        self._source = source
        self._clock = clock
        self._spoke, self._was_open = ("", "", ""), True
        self._at = 0
        self._day: tuple[int, int, int] | None = None
        self._gms: set[str] = set()
        self._names: set[str] = set()
        self._has_no_day = False
        self._unread = Remarks()

    def heard(self, one: Element) -> _Heard:
        """A message with the name and the time that still hold when it does not say them itself."""
        if stamp := one.first("tstamp"):
            self._at = self._moment(stamp.text()) or self._at
        by, is_open = one.first("by"), HIDDEN.isdisjoint(one.classes)
        shown = by.text().strip().removesuffix(":").strip() if by is not None else ""
        if "emote" in one.classes:
            text = one.text(UNSAID)
            called = max((known for known in self._names if text.startswith(known)), key=len, default="")
            spoke = (called, "", "")
        elif shown or not {"desc", "system"}.isdisjoint(one.classes):
            spoke = self._spoken(shown)
            self._spoke, self._was_open = (spoke, is_open) if shown else (self._spoke, self._was_open)
        else:
            spoke = self._spoke if is_open or not self._was_open else ("", "", "")  # a secret of nobody knows whom
        called, way, whom = spoke
        if way and is_open and not shown:
            way = whom = ""  # what follows a whisper, and is none
        is_own = YOU in one.classes or (way == "to" and not called)
        return _Heard(one, called, self._at, is_own, one.given.get("data-playerid", ""), way, whom)

    def _spoken(self, shown: str) -> tuple[str, str, str]:
        """The writer's name as the page shows it, and the way of a whisper with the other one's name."""
        whisper = WHISPER.match(shown)
        if whisper is None:
            return self._name(shown) if shown else "", "", ""
        if whisper["who"]:
            return self._name(whisper["who"]), "to", GM
        whom = GM if whisper["whom"].casefold() == GM else self._name(whisper["whom"])
        way = whisper["way"].casefold()
        return whom if way == "from" and whom != GM else "", way, whom

    def _name(self, shown: str) -> str:
        """A name without the mark of the GM, which is noted."""
        bare = name(IS_GM.sub("", shown), "Somebody")
        self._names.add(bare)
        if bare != name(shown) or shown.casefold() == GM:
            self._gms.add(bare)
        return bare

    def _moment(self, shown: str) -> int:
        """A time. One without a day is of the day before it while the session lasts, else of the day of the saved page."""
        found = STAMP.fullmatch(shown.strip())
        if found is None:
            return 0
        hour, minute = hours(found["hour"], found["half"] or ""), int(found["minute"])
        if found["month"]:
            self._day = (int(found["year"]), _month(found["month"]), int(found["day"]))
            return self._clock.at(*self._day, hour, minute)
        same = self._clock.at(*self._day, hour, minute) if self._day else 0
        if not self._at <= same <= self._at + GAP:
            saved = self._clock.saved
            self._day, self._has_no_day = (saved.year, saved.month, saved.day), True
        return self._clock.at(*self._day, hour, minute) if self._day else 0

    def chat(self, heard: list[_Heard]) -> Chat:
        """The whole chat. A name is a person, and several are one if they share an account."""
        accounts: defaultdict[str, dict[str, None]] = defaultdict(dict)
        for one in heard:
            for account in filter(None, (YOU if one.is_own else "", one.player)):
                accounts[account].update(dict.fromkeys(filter(None, (one.called,))))
        same = {called: next(iter(names)) for names in accounts.values() for called in names}
        for names in accounts.values():
            self._gms |= names.keys() if not self._gms.isdisjoint(names) else set()
        owners = accounts[YOU]
        owner = next(iter(owners), "")
        lead = next((one.called for one in heard if one.called in self._gms), "")
        messages = tuple(self._message(one, "" if owner in self._gms else owner) for one in heard)
        people = {one.called: one.called for one in heard if one.called} | {
            m.to: m.to for m in messages if m.to not in ("", GM)
        }
        gms = dict.fromkeys(self._gms, lead)
        plays = {m.actor: m.person for m in messages if m.actor and m.person and m.person not in gms}
        day = f"{self._clock.saved:%Y-%m-%d}"
        noted = (f"Times without a day are taken as of the day on which the page was saved, {day}.",)
        return Chat(
            messages=messages, people=people, gm=lead, same={**same, **gms}, plays=plays, unread=self._unread,
            said=noted if self._has_no_day else (),
        )  # fmt: skip

    def _message(self, one: _Heard, owner: str) -> Message:
        element, person = one.element, one.called or (owner if one.is_own else "")
        rolls = [*self._rolls(element)]
        text = element.text(UNSAID)
        purpose = next((purpose_of(said) for said in (_template(element), text) if purpose_of(said)), "roll")
        acts = element.first("sheet-charname")
        actor = (name(acts.text()) if acts else "") or ("" if person in self._gms or not person else person)
        return Message(
            line=element.line,
            id=element.given.get("data-messageid") or f"{one.at} {person} {element.text()}",
            at=one.at,
            person="" if person in self._gms else person,
            actor=actor,
            rolls=tuple(attrs.evolve(roll, purpose=purpose) for roll in rolls),
            words="" if rolls and "rollresult" in element.classes else words(text),
            to=self._to(one, person, owner),
        )

    def _to(self, one: _Heard, person: str, owner: str) -> str:
        """The reader of a message: the GM's own secrets are the GM's, and a whisper between two others is for its reader."""
        if not one.way and HIDDEN.isdisjoint(one.element.classes):
            return ""
        reader = ""
        if one.way == "from":
            reader = owner or ("" if person in self._gms else person)
        elif one.way == "to":
            reader = "" if one.whom in self._gms else one.whom
        return reader or GM

    def _rolls(self, element: Element) -> Iterator[ChatRoll]:
        if "rollresult" in element.classes or "gmrollresult" in element.classes:
            yield from self._thrown(element)
        for one in element.elements():
            title = one.given.get("original-title") or one.given.get("title") or ""
            if "inlinerollresult" in one.classes:
                yield from self._inline(one, title)

    def _thrown(self, element: Element) -> Iterator[ChatRoll]:
        """The roll of ``/roll``, with its dice one by one."""
        asked, total = element.first("formula"), element.first("rolled")
        said = asked.text().removeprefix("rolling").strip() if asked is not None else ""
        number = _number(total.text() if total is not None else "")
        if number is None:
            self._unread.add(UNREAD, f"line {element.line}, {said or element.text()}")
            return
        dice = [one for one in element.elements() if "diceroll" in one.classes]
        faces = [_number(face.text()) for one in dice if (face := one.first("didroll")) is not None]
        yield _roll(
            said, number, faces, [n for n, one in enumerate(dice) if any("drop" in kind for kind in one.classes)]
        )

    def _inline(self, one: Element, title: str) -> Iterator[ChatRoll]:
        """A roll within words, whose title says how it came about. A sum without dice is none."""
        shown = fragment(self._source, one.line, title[:LONGEST_TITLE])
        found, number = TITLE.search(shown.text().replace("\n", " ")), _number(one.text())
        if found is None or number is None:
            if found is None or ASKS.search(found["roll"]):
                self._unread.add(UNREAD, f"line {one.line}, {shown.text() or one.text()}")
            return
        dice = [die for die in shown.elements() if "basicdiceroll" in die.classes]
        lost = [n for n, die in enumerate(dice) if any("drop" in kind for kind in die.classes)]
        if elsewhere := ELSEWHERE.match(found["roll"]):
            faces = re.findall(r"[0-9]+", "".join(re.findall(r"\([^)]*\)", found["shown"])))
            yield _roll(elsewhere["roll"], number, [*map(int, faces)], [])
        elif ASKS.search(found["roll"]) or dice:
            yield _roll(found["roll"], number, [_number(die.text()) for die in dice], lost)


def _roll(formula: str, total: int, faces: list[int | None], lost: list[int]) -> ChatRoll:
    known = [face for face in faces if face is not None]
    return chat_roll(formula, total, known if len(known) == len(faces) else (), lost)


def _month(called: str) -> int:
    """The number of a month; 0 for no month."""
    return MONTHS.index(called) + 1 if called in MONTHS else 0


def _number(shown: str) -> int | None:
    found = re.fullmatch(r"[-−]?[0-9]{1,9}(?:\.0+)?", shown.strip())
    return int(found[0].replace("−", "-").partition(".")[0]) if found else None


def _template(element: Element) -> str:
    """The name of a sheet's template, as it says what a roll is for."""
    kinds = (kind for one in element.elements() for kind in one.classes if kind.startswith("sheet-rolltemplate-"))
    return {"atk": "attack", "atkdmg": "attack", "dmg": "damage"}.get(next(kinds, "").rpartition("-")[2], "")
