"""Who may see what: hidden names, hidden events, and the file that a reader gets (docs/proving.md, A player's file)."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from rollbook.domain.actions import SHARED
from rollbook.domain.rules.action import parameters
from tests.oracle.fold import State
from tests.oracle.numbers import Shown
from tests.oracle.stored import NOTES, TAKEN, Entry, Event, tagged, words_said

NOT_SECRET = {
    *("adopt", "agree", "close-session", "cut-to", "entropy", "leave-seat", "meanwhile", "rename-seat"),
    *("open-session", "reveal", "reveal-screen", "scene", "take-seat", "time-zone"),
}
"""What settles something for everybody cannot be secret."""
SHARED_VERBS = {verb.verb: verb for verb in SHARED}
NEWCOMERS = {"join": ("name", "id"), "bring-in": ("who", "name", "id"), "rename": ("name",)}
"""What newcomers are to be called means nobody who is there."""


def plain(text: str) -> str:
    """A text without capitals, ways to write a letter, and blanks that make no difference."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


class Hidden:
    """Whom the table does not know, by id and by name, but for what is said of others whom it knows."""

    def __init__(self, states: Iterable[State], events: Iterable[Event] = ()) -> None:
        people = [who for state in states for who in state["characters"].values()]
        names = {who["id"]: who["name"] for who in people}
        events = list(events)
        names |= {one.says["character"]: one.says["name"] for one in events if one.name == "CharacterJoined"}
        hidden = {who["id"] for who in people if who["hidden"]}
        for event in events:
            if event.name == "CharacterHidden":
                hidden.add(event.says["character"])
            elif event.name == "CharacterRevealed":
                hidden.discard(event.says["character"])
        names |= {who: who for who in hidden if who not in names}
        said = {who: {plain(word) for word in (who, name)} - {""} for who, name in names.items()}
        self.open = set().union(*(words for who, words in said.items() if who not in hidden))
        self.words = set().union(*(words for who, words in said.items() if who in hidden)) - self.open

    def but(self, *said: Any) -> Hidden:
        """The others: nobody who is named in what was said."""
        found = Hidden([])
        found.open = self.open | self.words
        found.words = {word for word in self.words if not self.only(word).named_in(*said)}
        found.open -= found.words
        return found

    def only(self, word: str) -> Hidden:
        """One of the words, with all others known."""
        found = Hidden([])
        found.words, found.open = {word}, (self.open | self.words) - {word}
        return found

    def __bool__(self) -> bool:
        return bool(self.words)

    def named_in(self, *values: Any) -> bool:
        """Whether one of these values, or anything in them, names somebody hidden."""
        return bool(self.words) and any(self._is_named_in(plain(text)) for text in _texts(values))

    def _is_named_in(self, text: str) -> bool:
        at = 0 if any(word in text for word in self.words) else len(text)
        while at < len(text):
            found = max((word for word in self.open | self.words if _stands(word, text, at)), key=len, default="")
            if found in self.words:
                return True
            at += len(found) or 1
        return False


def _stands(word: str, text: str, at: int) -> bool:
    """Whether a word is in a text at a place, and is not a part of a longer one."""
    end = at + len(word)
    before, after = text[at - 1 : at], text[end : end + 1]
    return text.startswith(word, at) and not any(each and (each.isalnum() or each in "_-") for each in (before, after))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from _texts([*value, *value.values()])
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _texts(each)


class Said:
    """Who said an action: what a player says hides nothing, but for the ids of characters. ``seat`` "" is the GM's."""

    def __init__(self, verb: Any, seat: str, params: Mapping[str, Any]) -> None:
        known = parameters(verb) if verb else ()
        ids = {each.name for each in known if each.want in ("character", "characters") or each.names_people}
        self.seat = seat
        self.words = {name: value for name, value in params.items() if name not in ids} if seat else {}

    def intent_names(self, hidden: Hidden, params: Mapping[str, Any]) -> bool:
        return hidden.named_in(*(value for name, value in params.items() if name not in self.words))

    def reason_names(self, hidden: Hidden, reason: str) -> bool:
        return not self.seat and hidden.named_in(reason)

    def event_names(self, hidden: Hidden, says: Mapping[str, Any]) -> bool:
        """Whether an event names somebody whom the player has not named; characters whom it is about always count."""
        about = [says[name] for name in ("character", "holder", "order") if name in says]
        return self._others(hidden).named_in(says) or (bool(self.seat) and hidden.named_in(*about))

    def envelope_names(self, hidden: Hidden, public: Mapping[str, Any]) -> bool:
        others = self._others(hidden).but(public["reason"]) if self.seat else hidden
        return others.named_in(*public.values()) or self.intent_names(hidden, public["intent"]["params"])

    def _others(self, hidden: Hidden) -> Hidden:
        return hidden.but(self.seat, *self.words.values()) if self.seat and hidden else hidden


def role_of(state: State, seat: str) -> str:
    """What somebody does at the table; where nobody sits, it is as if the GM did."""
    return str(state["seats"][seat]["role"]) if seat in state["seats"] else "gm"


def hidden_events(
    public: Mapping[str, Any], events: Sequence[Event], hidden: Hidden, said: Said, *, has_secrets: bool
) -> list[int]:
    """What only the GM may see of an entry that is otherwise everybody's; -1 is the reason."""
    if public["visibility"]:
        return []
    found = [-1] if said.reason_names(hidden, public["reason"]) else []
    for place, event in enumerate(events):
        counts = event.name in ("EntriesRevealed", "NoteRedacted") or (
            event.name == "FreshDiceGranted" and any(place[0] for place in event.says["places"])
        )
        if is_secret_roll(event) or (counts and has_secrets) or said.event_names(hidden, event.says):
            found.append(place)
    return found


def is_secret_roll(event: Event) -> bool:
    return event.name == "DiceRolled" and bool(event.says["secret"])


class Sight:
    """What a seat may see of a history ("" is the table as such); ``now`` is the campaign as it has become."""

    def __init__(self, entries: Sequence[Entry], now: State, seat: str) -> None:
        self.entries, self.seat, self.hidden, self.now = entries, seat, Hidden([now]), now
        revealing = [event for entry in entries for event in entry.events if event.name == "EntriesRevealed"]
        self.revealed = {number for event in revealing for number in event.says["entries"]}

    def is_revealed(self, entry: Entry) -> bool:
        """What was revealed is everybody's, but for what names somebody who is hidden to this day."""
        if entry.number not in self.revealed:
            return False
        said = self._said(entry)
        if said.envelope_names(self.hidden, entry.public | {"intent": entry.intent}):
            return False
        return not any(said.event_names(self.hidden, event.says) for event in entry.events)

    def _said(self, entry: Entry) -> Said:
        """Who said an action by a verb of every game: the seat that took it. Of the rest nobody can tell whose words they are."""
        verb = SHARED_VERBS.get(entry.intent["verb"])
        if verb is None or entry.kind != TAKEN or role_of(self.now, entry.public["seat"]) == "gm":
            return Said(None, "", {})
        known = {each.name for each in parameters(verb)}
        params = {name: value for name, value in entry.intent["params"].items() if name in known}
        return Said(
            verb, entry.public["seat"], params | (words_said(entry.events) if entry.intent["verb"] in NOTES else {})
        )

    def sees(self, entry: Entry) -> bool:
        """What is the table's or the seat's own, and what the seat itself has whispered, unless dice of the GM's are in it."""
        mine = bool(self.seat) and entry.public["seat"] == self.seat and not any(map(is_secret_roll, entry.events))
        return entry.visibility in ("", self.seat) or mine or self.is_revealed(entry)

    def lines(self) -> Iterator[bytes]:
        """The lines of the seat's file after the first."""
        is_tied = False
        for entry in self.entries:
            if self.sees(entry):
                yield self._shown(entry, is_tied=is_tied)
            elif is_tied:
                yield _packed(left_out(entry))
            is_tied = bool(entry.visibility) and (is_tied or self.is_revealed(entry))

    def _shown(self, entry: Entry, *, is_tied: bool) -> bytes:
        said: dict[str, Any]
        lines = entry.lines[2:-1]
        if entry.hidden and self.is_revealed(entry):
            envelope = tagged("line", entry.lines[1]).hex()
            said = {"hidden_events": entry.hidden, "previous_hash": entry.previous_hash, "private_envelope": envelope}
        else:
            lines = [line for place, line in enumerate(lines) if place not in entry.hidden]
            follows = is_tied or not entry.public["previous_public_hash"]
            said = {"private": entry.half(public=False).hex()} if follows else {"kept": entry.kept.hex()}
        if entry.visibility:
            said["hash"] = entry.hash
        return _packed({**said, "lines": []})[:-3] + b",".join((entry.lines[0], *lines)) + b"]}\n"

    def file(self, campaign: str) -> bytes:
        """The whole file."""
        many = sum(map(self.sees, self.entries))
        said = {
            "format": "rollbook/shown/1",
            "campaign": campaign,
            "for": f"player:{self.seat}" if self.seat else "table",
        }
        return header({**said, "entries": many, "head": Shown(self.entries).hash}) + b"".join(self.lines())


def left_out(entry: Entry) -> dict[str, Any]:
    """What stands for an entry that is left out."""
    return {
        "is_public": not entry.visibility,
        "previous_public_hash": entry.public["previous_public_hash"],
        "private": entry.half(public=False).hex(),
        "public": entry.half(public=True).hex(),
    }


def whole_file(entries: Sequence[Entry], campaign: str) -> bytes:
    """The export of everything."""
    many = sum(len(entry.events) for entry in entries)
    said = {"format": "rollbook/export/1", "campaign": campaign, "entries": len(entries), "events": many}
    body = (b'{"entry":%d,"lines":[%s]}\n' % (each.number, b",".join(each.lines)) for each in entries)
    return header({**said, "head": entries[-1].hash}) + b"".join(body)


def header(said: Mapping[str, Any]) -> bytes:
    """The first line, with its check."""
    bare = json.dumps(said).encode()
    return bare[:-1] + b', "check": "%s"}\n' % sha256(bare).hexdigest()[:16].encode()


def _packed(said: Mapping[str, Any]) -> bytes:
    return json.dumps(said, separators=(",", ":")).encode() + b"\n"
