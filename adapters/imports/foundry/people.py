"""People of a Foundry world, and the characters who act there: ids and names that are the same in every import.

A character who has only appeared in messages for the GM is hidden; the first public message reveals them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import attrs

from rollbook.adapters.imports.course import seat_name
from rollbook.adapters.imports.foundry.actors import kind_of
from rollbook.adapters.imports.foundry.values import Fields, fields, inside, name, whole
from rollbook.domain.base.records import Changeable, Record
from rollbook.domain.events import CharacterKind, Role

GAMEMASTER, ASSISTANT, OWNER = 4, 3, 3
STRANGER = "Somebody"
NOBODY = "nobody"
"""The id of the GM of a world that names no people."""


@attrs.frozen
class Person(Record):
    """A person at the table: the name of their seat, and their role."""

    seat: str
    role: Role

    @property
    def is_gm(self) -> bool:
        return self.role is Role.GM


@attrs.define
class Persona(Changeable):
    """A character who acts: the key that is the same in every import, and the id, once the character has joined."""

    key: str
    called: str
    kind: CharacterKind
    seat: str = ""
    actor: Fields = attrs.field(factory=dict)
    id: str = ""
    is_hidden: bool = False


class Table:
    """The people of a world. Authors of messages who no longer have an account get a seat too."""

    def __init__(self, users: Iterable[Fields], messages: Iterable[Fields], known: Mapping[str, Person]) -> None:
        self.people: dict[str, Person] = dict(known)
        listed = {str(user.get("_id")): user for user in users}
        authors = Counter(author_of(message) for message in messages)
        gms = {key for key, user in listed.items() if (whole(user.get("role")) or 0) >= ASSISTANT}
        gms = gms or {self._likely_gm(messages, authors)}
        ordered = sorted(listed, key=lambda key: (key not in gms, -(whole(listed[key].get("role")) or 0)))
        for key in [*ordered, *(author for author in authors if author not in listed)]:
            if key not in self.people:
                role = Role.GM if key in gms else Role.PLAYER
                self.people[key] = Person(self._free(name(listed.get(key, {}).get("name"), STRANGER)), role)
        if not self.people:
            self.people[NOBODY] = Person("GM", Role.GM)
        self.characters = {
            str(user["character"]): key for key, user in listed.items() if isinstance(user.get("character"), str)
        }
        self.names = {name(user.get("name")) for user in listed.values()}

    def _likely_gm(self, messages: Iterable[Fields], authors: Counter[str]) -> str:
        """The likely GM if no account is a GM's: the person who got most whispers, else who wrote most messages."""
        to = Counter(key for message in messages for key in whispered_to(message) if key != author_of(message))
        most = to.most_common(1) or authors.most_common(1)
        return most[0][0] if most else ""

    def _free(self, called: str) -> str:
        taken = {person.seat.casefold() for person in self.people.values()}
        stem = seat_name(called)
        found, number = stem, 1
        while found.casefold() in taken:
            number += 1
            found = f"{stem} {number}"
        return found

    @property
    def gm(self) -> Person:
        """The first GM."""
        people = [*self.people.values()]
        return next((person for person in people if person.is_gm), people[0])

    def author(self, message: Fields) -> Person:
        """The author of a message, the GM if not known."""
        return self.people.get(author_of(message), self.gm)

    def audience(self, message: Fields) -> tuple[str, ...]:
        """The readers of a message: empty for everybody, else "gm" or the seats of players, without the author's own.

        The GM reads every message. A whisper to unknown people is the GM's.
        """
        to = whispered_to(message)
        if not to:
            return ("gm",) if message.get("blind") is True else ()
        author = author_of(message)
        players = [self.people[key].seat for key in to if key in self.people and not self.people[key].is_gm]
        others = [
            seat for seat in dict.fromkeys(players) if author not in self.people or seat != self.people[author].seat
        ]
        if others:
            return tuple(others)
        is_own = author in to and author in self.people and not self.people[author].is_gm
        is_gms = any(key in self.people and self.people[key].is_gm for key in to)
        return (self.people[author].seat,) if is_own and not is_gms and not message.get("blind") else ("gm",)


def author_of(message: Fields) -> str:
    """The id of a message's author: ``author`` since version 12, ``user`` before."""
    found = message.get("author") or message.get("user") or ""
    return str(fields(found).get("_id", found) if isinstance(found, dict) else found)


def whispered_to(message: Fields) -> tuple[str, ...]:
    """The ids of the people whom a message is whispered to; empty if it is for everybody."""
    to = message.get("whisper")
    found = to if isinstance(to, list) else [to] if isinstance(to, str) and to else []
    return tuple(str(fields(key).get("_id", key) if isinstance(key, dict) else key) for key in found)


class Cast:
    """The characters of a world."""

    def __init__(self, actors: Iterable[Fields], messages: Iterable[Fields], table: Table) -> None:
        self.actors = {str(actor.get("_id")): actor for actor in actors}
        self._table = table
        self._personas: dict[str, Persona] = {}
        self._speaks = Counter((_actor(message), author_of(message)) for message in messages)

    def player_characters(self) -> list[Persona]:
        """The characters of players, in the order of the world's own list."""
        found = (self._of_actor(key, "") for key in self.actors)
        return [each for each in found if each.kind is CharacterKind.PLAYER_CHARACTER and each.seat]

    def everybody(self) -> list[Persona]:
        """All characters met so far, and those of players."""
        self.player_characters()
        return [*self._personas.values()]

    def speaker(self, message: Fields, *, is_needed: bool) -> Persona | None:
        """The character who acts in a message, None if a person speaks. ``is_needed``: an alias alone suffices."""
        key, alias = _actor(message), name(inside(message, "speaker", "alias"))
        if key:
            return self._of_actor(key, alias)
        if not is_needed or not alias or alias in self._table.names:
            return None
        return self._persona(f"alias {alias}", alias, CharacterKind.NPC, "", {})

    def _of_actor(self, key: str, alias: str) -> Persona:
        actor = self.actors.get(key, {})
        seat = self._seat(key)
        kind = kind_of(actor) if actor else CharacterKind.NPC
        if seat and kind is CharacterKind.NPC:
            kind = CharacterKind.PLAYER_CHARACTER
        called = name(actor.get("name")) or alias or STRANGER
        if kind is CharacterKind.PLAYER_CHARACTER:
            return self._persona(f"actor {key}", called, kind, seat, actor)
        return self._persona(f"actor {key} {alias or called}", alias or called, kind, "", actor)

    def _persona(self, key: str, called: str, kind: CharacterKind, seat: str, actor: Fields) -> Persona:
        if key not in self._personas:
            self._personas[key] = Persona(key, called, kind, seat, actor)
        return self._personas[key]

    def _seat(self, key: str) -> str:
        """The seat of an actor: its user's, else that of its only owning player, else of its most frequent speaker."""
        people = self._table.people
        players = {user for user, person in people.items() if not person.is_gm}
        if (own := self._table.characters.get(key)) in players:
            return people[own].seat
        actor = self.actors.get(key, {})
        owned = fields(actor.get("ownership")) or fields(actor.get("permission"))
        owners = [user for user in players if (whole(owned.get(user)) or 0) >= OWNER]
        if len(owners) == 1:
            return people[owners[0]].seat
        if actor and kind_of(actor) is not CharacterKind.PLAYER_CHARACTER:
            return ""
        spoken = [(many, user) for (who, user), many in self._speaks.items() if who == key and user in players]
        return people[max(spoken)[1]].seat if spoken else ""


def _actor(message: Fields) -> str:
    found = inside(fields(message.get("speaker")), "actor")
    return found if isinstance(found, str) else ""
