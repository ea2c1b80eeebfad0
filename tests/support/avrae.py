"""Builds recordings of the shape that Avrae writes."""

from __future__ import annotations

import gzip
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs

Fields = dict[str, Any]


@attrs.define
class Recorder:
    """Writes a recording as the bot would."""

    lines: list[Fields] = attrs.field(factory=list)
    clock: float = 1_600_000_000.0
    thread: int = 100

    def add(self, kind: str, **fields: Any) -> Recorder:
        self.clock += 1
        self.lines.append({"combat_id": "c", "event_type": kind, "timestamp": self.clock, **fields})
        return self

    def says(self, author: str, content: str, *, bot: bool = False, embeds: tuple[Fields, ...] = ()) -> Recorder:
        self.thread += 1
        return self.add(
            "message", message_id=self.thread, author_id=author, author_name=author, author_bot=bot, content=content,
            embeds=list(embeds),
        )  # fmt: skip

    def answers(self, content: str = "", *, title: str = "", words: str = "", **fields: str) -> Recorder:
        shown = [{"name": name.replace("_", " "), "value": value} for name, value in fields.items()]
        embeds = ({"title": title, "description": words, "fields": shown},) if title else ()
        return self.says("Avrae", content, bot=True, embeds=embeds)

    def typed(self, name: str, content: str, *, author: str, thread: int, caster: str = "") -> Recorder:
        return self.add(
            "command", message_id=thread, author_id=author, author_name=author, content=content, command_name=name,
            caster={"name": caster} if caster else None, targets=None,
        )  # fmt: skip

    def did(
        self,
        name: str,
        content: str,
        state: tuple[int, int | None, list[Fields]] | None = None,
        *,
        author: str = "Ann",
        caster: str = "",
        result: Fields | None = None,
        targets: tuple[str, ...] = (),
        answer: Fields | None = None,
        listing: str | None = None,
    ) -> Recorder:
        """Records of a typed command: the words, what the rules did, the combat afterwards, the answer, the note."""
        self.says(author, content)
        thread = self.thread
        if result is not None:
            self.ran(thread, caster, result, targets)
        if state is not None:
            self.shows(thread, *state, listing=listing)
        if answer is not None:
            self.answers(**answer)
        return self.typed(name, content, author=author, thread=thread, caster=caster)

    def ran(self, thread: int, caster: str, result: Fields, targets: tuple[str, ...] = ()) -> Recorder:
        return self.add(
            "automation_run", interaction_id=thread, automation=[], automation_result=result,
            caster={"name": caster, "id": caster}, targets=list(targets),
        )  # fmt: skip

    def shows(
        self, thread: int, number: int, current: int | None, units: list[Fields], listing: str | None = None
    ) -> Recorder:
        data = {"round": number, "turn": 0, "current": current, "combatants": units}
        told = listing if listing is not None else "\n".join(_listing(units, current))
        return self.add("combat_state_update", probable_interaction_id=thread, data=data, human_readable=told)

    def text(self) -> bytes:
        return b"".join(json.dumps(line).encode() + b"\n" for line in self.lines)

    def write(self, path: Path) -> Path:
        path.write_bytes(gzip.compress(self.text()) if path.suffix == ".gz" else self.text())
        return path


def _listing(units: list[Fields], current: int | None) -> Iterator[str]:
    yield "```md"
    for place, unit in enumerate(units):
        lead = f"{'#' if place == current else ' '} {unit['init']:>2}: "
        if unit["type"] == "group":
            yield lead + unit["name"]
            yield from ("     - " + _numbers(one) for one in unit["combatants"])
        else:
            yield lead + _numbers(unit)
    yield "```"


def _numbers(one: Fields) -> str:
    hp, highest, temporary = one["shown"]
    if hp is None:
        return f"{one['name']} <Healthy>"
    return f"{one['name']} <{hp}/{highest} HP>" + (f" (+{temporary} temp)" if temporary else "")


def _combatant(
    name: str, hp: int | None, highest: int, *, sort: str, init: int, temp: int, key: str, **more: Any
) -> Fields:
    effects = [
        {"name": effect, "desc": None, "parent": {"combatant_id": origin} if origin else None, "effects": {}}
        for effect, origin in more.get("effects", {}).items()
    ]
    effects += [{"name": name, "desc": None, "effects": gives} for name, gives in more.get("gives", {}).items()]
    one: Fields = {"type": sort, "name": name, "id": key or name, "init": init, "effects": effects, "controller_id": 7}
    one["shown"] = (hp, highest, temp)
    if sort == "monster":
        one |= {"hp": hp, "max_hp": highest, "temp_hp": temp, "shown": (None, None, 0)}
    return one


def pc(
    name: str, hp: int | None, highest: int = 20, *, init: int = 10, temp: int = 0, key: str = "", **more: Any
) -> Fields:
    return _combatant(name, hp, highest, sort="player", init=init, temp=temp, key=key, **more)


def monster(
    name: str, hp: int | None, highest: int = 12, *, init: int = 5, temp: int = 0, key: str = "", **more: Any
) -> Fields:
    return _combatant(name, hp, highest, sort="monster", init=init, temp=temp, key=key, **more)


def root(*children: Fields, spell: bool = False) -> Fields:
    return {"type": "root", "children": list(children), "is_spell": spell}


def upon(target: str, *results: Fields) -> Fields:
    reached = {"type": "target_iteration", "target_id": target, "results": list(results)}
    return {"type": "target", "results": [reached]}


def attack(roll: str, armour: int, *children: Fields, hit: bool = True, crit: bool = False) -> Fields:
    return {
        "type": "attack", "ac": armour, "to_hit_roll": {"result": roll}, "did_hit": hit, "did_crit": crit,
        "children": list(children),
    }  # fmt: skip


def damage(amount: int, roll: str) -> Fields:
    return {"type": "damage", "damage": amount, "damage_roll": {"result": roll}}


class AvraeLog:
    """The words of a recording, for the tests."""

    Recorder = Recorder
    pc = staticmethod(pc)
    monster = staticmethod(monster)
    root = staticmethod(root)
    upon = staticmethod(upon)
    attack = staticmethod(attack)
    damage = staticmethod(damage)

    @staticmethod
    def fight() -> Recorder:
        """Ann leads, Ben plays Tessa, and a rat is there: round 1, Tessa's turn."""
        recorder = Recorder()
        recorder.says("Ben", "A noise in the cellar?")
        recorder.add("combat_start")
        recorder.did("init begin", "!i begin", (0, None, []))
        recorder.did(
            "init join", "!i join", (0, None, [pc("Tessa", 18)]), author="Ben", caster="Tessa",
            answer={"title": "Tessa makes an Initiative check!", "words": "1d20 (8) + 2 = `10`"},
        )  # fmt: skip
        both = [pc("Tessa", 18), monster("RA1", 12)]
        recorder.did(
            "init madd", "!i madd rat", (0, None, both),
            answer={"content": "RA1 was added to combat with initiative 1d20 (4) + 1 = `5`."},
        )  # fmt: skip
        return recorder.did("init next", "!i n", (1, 0, both))

    @staticmethod
    def over(recorder: Recorder) -> Recorder:
        recorder.says("Ann", "!i end")
        thread = recorder.thread
        recorder.answers("Are you sure you want to end combat?")
        recorder.says("Ann", "yes")
        recorder.add("combat_end")
        return recorder.typed("init end", "!i end", author="Ann", thread=thread)


def real_recordings() -> list[Path]:
    shared = os.environ.get("ROLLBOOK_SHARED") or Path(__file__).resolve().parents[3] / "shared"
    return sorted((Path(shared) / "data" / "actual-play").glob("*.jsonl.gz"))


Standing = tuple[str, int, int, int]
ROW = re.compile(r"^(?:[# ]\s*-?\d+: |\s+- )(.+?) <(-?\d+)/(-?\d+) HP>(?: \(\+(\d+) temp\))?", re.MULTILINE)


def updates(path: Path) -> dict[int, Any]:
    """The updates of a recording by the number of their line, read without the help of the import."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        records = {number: json.loads(line) for number, line in enumerate(lines, start=1)}
    return {number: record for number, record in records.items() if record["event_type"] == "combat_state_update"}


def everybody(units: list[Any]) -> Iterator[Any]:
    for unit in units:
        yield from unit["combatants"] if unit["type"] == "group" else (unit,)


def recorded(update: Any) -> list[Standing]:
    """Name, hit points, maximum and temporary hit points of everybody: listed, or else in the data."""
    listed = [(row[1], int(row[2]), int(row[3]), int(row[4] or 0)) for row in ROW.finditer(update["human_readable"])]
    names = [row[0] for row in listed]
    hidden = [one for one in everybody(update["data"].get("combatants", [])) if one["name"] not in names]
    assert all(one.get("hp") is not None for one in hidden), "somebody's hit points are nowhere to be seen"
    return sorted([*listed, *((one["name"], one["hp"], one["max_hp"], one["temp_hp"]) for one in hidden)])
