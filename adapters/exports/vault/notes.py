"""The notes of a vault: their names and contents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

import attrs

from rollbook.adapters.exports.exporter import ExportRequest
from rollbook.adapters.exports.vault.gathered import Scene, Session, gather, worth_telling
from rollbook.adapters.exports.vault.markdown_syntax import (
    Day,
    Held,
    Link,
    Names,
    front_matter,
    plain,
    safe_name,
    section,
    table,
)
from rollbook.adapters.exports.vault.shown_pictures import ShownPictures
from rollbook.application.time_zones import zone_of
from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.rules.sheet import Sheet
from rollbook.domain.state.campaign_state import Character
from rollbook.projections.database import COUNTS
from rollbook.projections.pictures import Picture, pictures_of, svg
from rollbook.projections.session_log import LogLine
from rollbook.projections.xp_timeline import XpLine

SESSIONS, SCENES, PLACES, CHARACTERS, PICTURES = "Sessions", "Scenes", "Places", "Characters", "Pictures"
PORTRAITS = (".png", ".jpg", ".jpeg", ".gif", ".webp")
LARGEST_PORTRAIT = 20 * 1024 * 1024


@attrs.frozen
class Note:
    """A file of the vault, by its path in it."""

    path: PurePosixPath
    content: bytes


class Vault:
    """All notes of a campaign. ``taken`` are the names of the user's own notes in the same folder."""

    def __init__(self, request: ExportRequest, taken: Iterable[str] = ()) -> None:
        self._request = request
        self._campaign = request.campaign
        self._zone = zone_of(request.campaign.state)
        self._gathered = gathered = gather(request)
        names = Names(taken)
        self.title = self._campaign.state.name or self._campaign.id
        self._index = names.give(self.title, "campaign")
        self._characters = {who.id: names.give(who.name, who.id) for who in gathered.characters}
        self._sessions = {each.number: names.give(_session_title(each), "session") for each in gathered.sessions}
        self._places = {name: names.give(name, "place") for name in gathered.places}
        self._scenes = {
            (scene.session, scene.number): names.give(f"{scene.session}-{scene.number:02} {scene.title}", "scene")
            for scene in gathered.scenes
        }
        self._place_of = {
            (scene.session, scene.number): self._places[place]
            for place, scenes in gathered.places.items()
            for scene in scenes
        }
        self._names = names
        self._shown = ShownPictures(request, names, (line for session in gathered.sessions for line in session.lines))
        pictures = pictures_of(self._campaign.history, self._campaign.session.rulebook, request.wanted)
        self._drawn = [(picture, self._picture_name(picture)) for picture in pictures]

    def notes(self) -> Iterator[Note]:
        """Every note and picture, one after the other."""
        yield self._note("", self._index, self._index_text())
        for session in self._gathered.sessions:
            yield self._note(SESSIONS, self._sessions[session.number], self._session_text(session))
        for scene in self._gathered.scenes:
            yield self._note(SCENES, self._scenes[scene.session, scene.number], self._scene_text(scene))
        for place, scenes in self._gathered.places.items():
            yield self._note(PLACES, self._places[place], self._place_text(place, scenes))
        for who in self._gathered.characters:
            portrait = self._portrait(who)
            if portrait is not None:
                yield portrait
            yield self._note(CHARACTERS, self._characters[who.id], self._character_text(who, portrait))
        for name, data in self._shown.files():
            yield Note(PurePosixPath(PICTURES, name), data)
        for picture, name in self._drawn:
            yield Note(PurePosixPath(PICTURES, name), svg(picture).encode())

    def _note(self, folder: str, name: str, lines: Iterable[str]) -> Note:
        text = "\n".join(lines).rstrip("\n") + "\n"
        return Note(PurePosixPath(folder, f"{name}.md"), text.encode())

    # Links.

    def _character_links(self, ids: Iterable[CharacterId]) -> list[Link]:
        names = {who.id: who.name for who in self._gathered.characters}
        return [Link(self._characters[who], names[who]) for who in ids if who in names]

    def _session_links(self, numbers: Iterable[int]) -> list[Link]:
        return [Link(self._sessions[number]) for number in dict.fromkeys(numbers)]

    def _scene_links(self, scenes: Iterable[Scene]) -> list[Link]:
        return [self._scene_link(scene) for scene in scenes]

    def _scene_link(self, scene: Scene) -> Link:
        return Link(self._scenes[scene.session, scene.number], scene.title)

    # Pictures.

    def _picture_name(self, picture: Picture) -> str:
        session = f"{picture.session} " if picture.session else ""
        return f"{self._names.give(f'{self.title[:40]} {session}{picture.title}', picture.key or 'picture')}.svg"

    def _embedded(self, session: int) -> list[str]:
        """The pictures of a session, those of the whole campaign for 0."""
        found = ((picture, name) for picture, name in self._drawn if picture.session == session)
        return [line for picture, name in found for line in (f"![[{name}]]", plain(picture.said), "")]

    def _portrait(self, who: Character) -> Note | None:
        """A picture of a character out of the folder of pictures, by id or name, or else their portrait in the campaign."""
        folder = self._request.pictures
        wanted = {who.id.casefold(), who.name.casefold()}
        for path in sorted(folder.iterdir()) if folder is not None else ():
            if path.stem.casefold() in wanted and path.suffix.casefold() in PORTRAITS and path.is_file():
                if path.stat().st_size > LARGEST_PORTRAIT:
                    continue
                name = f"{self._characters[who.id]}{path.suffix.casefold()}"
                return Note(PurePosixPath(PICTURES, name), path.read_bytes())
        found = self._shown.face(self._campaign.state.portraits.get(who.id, ""), self._characters[who.id])
        return None if found is None else Note(PurePosixPath(PICTURES, found[0]), found[1])

    # Contents.

    def _head(self, kind: str, title: str, /, **fields: Held) -> str:
        """The front matter of a note, and its title."""
        return f"{front_matter({'type': kind, 'campaign': Link(self._index), **fields})}\n# {plain(title)}\n"

    def _index_text(self) -> Iterator[str]:
        gathered = self._gathered
        yield self._head(
            "campaign",
            self.title,
            campaign=None,
            ruleset=self._campaign.state.ruleset,
            reader=self._request.for_reader("gm", "table", "player:{}"),
            time_zone=self._zone.name,
            sessions=self._session_links(session.number for session in gathered.sessions if session.number),
            characters=self._character_links(who.id for who in gathered.characters),
        )
        yield from section(
            "Sessions", (f"- {link}" for link in self._session_links(s.number for s in gathered.sessions))
        )
        for kind in dict.fromkeys(who.kind for who in gathered.characters):
            of_kind = [who.id for who in gathered.characters if who.kind is kind]
            yield from section(_KINDS.get(kind, kind.value), (f"- {link}" for link in self._character_links(of_kind)))
        yield from section("Places", (f"- {Link(name, place)}" for place, name in self._places.items()))
        yield from section("In pictures", self._embedded(0))
        yield from section("Notice", (f"- {plain(line)}" for line in self._request.notices))

    def _session_text(self, session: Session) -> Iterator[str]:
        numbers = list(self._sessions)
        at = numbers.index(session.number)
        before, after = numbers[:at][-1:], numbers[at + 1 :][:1]
        scenes = [scene for scene in session.scenes if scene.number]
        xp = [line for line in self._gathered.xp if line.session == session.number]
        yield self._head(
            "session",
            _session_title(session),
            number=session.number,
            title=session.title,
            date=Day(self._zone.day(session.at)) if session.at else None,
            scenes=self._scene_links(scenes),
            characters=self._character_links(session.who()),
            xp=sum(line.xp for line in xp),
            before=Link(self._sessions[before[0]]) if before else None,
            after=Link(self._sessions[after[0]]) if after else None,
        )
        for scene in session.scenes:
            if scene.number:
                who = ", ".join(map(str, self._character_links(scene.who)))
                yield from (f"## {self._scene_link(scene)}", "", *([who] if who else []), "")
            else:
                yield from (*self._log(scene.lines), "")
        yield from section("Experience", (f"- {self._named(line.character, line.name)}: {_gain(line)}" for line in xp))
        yield from section("In pictures", self._embedded(session.number) if session.number else ())

    def _scene_text(self, scene: Scene) -> Iterator[str]:
        yield self._head(
            "scene",
            scene.title,
            session=Link(self._sessions[scene.session]),
            number=scene.number,
            title=scene.title,
            place=Link(self._place_of[scene.session, scene.number]),
            characters=self._character_links(scene.who),
        )
        yield f"{Link(self._sessions[scene.session])} · {Link(self._place_of[scene.session, scene.number])}\n"
        yield from self._log(scene.lines)

    def _place_text(self, place: str, scenes: list[Scene]) -> Iterator[str]:
        who = dict.fromkeys(who for scene in scenes for who in scene.who)
        yield self._head(
            "place",
            place,
            sessions=self._session_links(scene.session for scene in scenes),
            scenes=self._scene_links(scenes),
            characters=self._character_links(who),
        )
        yield from section("What happened here", map(self._scene_line, scenes))
        yield from section("Who was here", (f"- {link}" for link in self._character_links(who)))

    def _character_text(self, who: Character, portrait: Note | None) -> Iterator[str]:
        sheet = self._campaign.sheet(who.id)
        scenes = [scene for scene in self._gathered.scenes if who.id in scene.who]
        sessions = [session.number for session in self._gathered.sessions if who.id in session.who()]
        hit_points = sheet.value("hp")
        yield self._head(
            "character",
            who.name,
            id=who.id,
            kind=str(who.kind),
            seat=self._campaign.state.names_of_seats.get(who.seat, who.seat) or None,
            present=who.present,
            level=who.level,
            xp=who.experience,
            hp=hit_points.amount if hit_points else None,
            sessions=self._session_links(sessions),
            scenes=self._scene_links(scenes),
            aliases=[who.name] if who.name != self._characters[who.id] else None,
        )
        if portrait is not None:
            yield f"![[{portrait.path.name}]]\n"
        yield from _sheet_lines(sheet)
        xp = [line for line in self._gathered.xp if line.character == who.id]
        gains = (f"- {Link(self._sessions[line.session])}: {_gain(line)}" for line in xp)
        yield from section("Experience", gains)
        yield from section("Scenes", map(self._scene_line, scenes))

    # Lines.

    def _scene_line(self, scene: Scene) -> str:
        return f"- {self._scene_link(scene)}, {Link(self._sessions[scene.session])}"

    def _named(self, who: CharacterId, name: str) -> str:
        return str(next(iter(self._character_links([who])), "")) or plain(name)

    def _who_did(self, line: LogLine) -> str:
        """The subject of a line: a link for a character."""
        actor = self._gathered.actors.get(line.entry, "")
        known = self._campaign.state.characters.get(actor)
        return self._named(actor, line.who) if known is not None and known.name == line.who else plain(line.who)

    def _log(self, lines: Iterable[LogLine]) -> list[str]:
        told = worth_telling(lines)
        return [said for line in told for said in (f"- {self._line(line)}", *self._shown.embedded(line))]

    def _line(self, line: LogLine) -> str:
        mark = {1: "✓", -1: "✗"}.get(line.success, "")
        did = plain(line.sentence.removeprefix(line.who))
        who = self._who_did(line) + (" " if did[:1] not in ("", ":") else "")
        what = " ".join(filter(None, (f"**\\#{line.action}**", mark, who + did)))
        text = " · ".join(filter(None, (what, plain(line.dice))))
        if line.reason:
            text += f" ({plain(line.reason)})"
        if line.status != COUNTS:
            return f"~~{text}~~ *undone*" + (f": {plain(line.why)}" if line.why else "")
        return text


_KINDS = {"pc": "Player characters", "npc": "NPCs", "monster": "Monsters", "hireling": "Hirelings", "thing": "Things"}


def _session_title(session: Session) -> str:
    if not session.number:
        return "Before the first session"
    return safe_name(f"Session {session.number} {session.title}", f"Session {session.number}")


def _gain(line: XpLine) -> str:
    levels = f"{line.levels:+d} level{'' if abs(line.levels) == 1 else 's'}" if line.levels else ""
    return ", ".join(filter(None, (f"{line.xp:+d} XP" if line.xp else "", levels, plain(line.reason))))


def _sheet_lines(sheet: Sheet) -> Iterator[str]:
    rows = (
        (value.label, str(value), "; ".join(f"{term.amount:+d} {term.label}" for term in value.terms))
        for value in sheet.values
    )
    yield from section("Sheet", table(("", "", "made of"), rows))
    yield from (f"- **{plain(label)}:** {plain(text)}" for label, text in sheet.words)
    yield ""
