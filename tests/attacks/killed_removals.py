"""Programs that are killed while they remove words, delete a campaign or copy a store: no word is left where none may be."""

from __future__ import annotations

import os
import random
import sys
from collections import Counter
from functools import cache
from pathlib import Path

from rollbook.adapters.cli.app import main
from rollbook.adapters.doctor import Places, examine
from rollbook.adapters.local_files.paths import read_model_path
from rollbook.adapters.local_files.seeds import SeedKeeper
from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.adapters.storage.read_model.model import SQLiteReadModel
from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.adapters.wiring import book_of
from rollbook.application.book import Book
from rollbook.application.keeping.deleting import delete_campaign, stone_of
from rollbook.application.ports.clock import microseconds
from rollbook.application.redaction import redact
from rollbook.application.registry import RulesetRegistry
from rollbook.domain.events import NoteWritten
from rollbook.domain.history.redaction import is_without_words, redactable
from tests.attacks.killing import NOTE, WORDS, at_home, command, files_with_words, in_a_process, killed, problems


def played(folder: Path) -> Book:
    """The book that the command line opens in that folder."""
    store = folder / "rollbook.db"
    return book_of(
        SQLiteEventStore(store), SQLiteReadModel(read_model_path(store)), SeedKeeper(folder / "seeds"), _registry()
    )


@cache
def _registry() -> RulesetRegistry:
    """The rulesets that are installed, looked up once."""
    return discover()


def with_notes(folder: Path, chance: random.Random) -> int:
    """A store with words in it: a note, often amended, on timelines, in the prompt's lines, early or late. Returns its action."""
    with played(folder) as book:
        campaign = book.new("Sherwood", "storytoken")
        campaign.do("take-seat", {"seat": "Ana", "role": "gm"})
        for number in range(chance.randrange(12)):
            campaign.do("scene", title=f"scene {number} " + "x" * chance.randrange(60))
        campaign.do("note", text=NOTE * chance.choice((1, 1, 40)))
        action = campaign.head.actions
        if chance.random() < 0.5:
            campaign.corrections.amend(action, {"text": f"once more {NOTE}"}, reason="better").apply()
        for number in range(chance.randrange(40)):
            campaign.do("scene", title=f"later {number}")
        campaign.session.project()
        return action


def prepared(folder: Path, chance: random.Random) -> int:
    """The same with the lines of the prompt and a timeline on which the campaign was played again."""
    action = with_notes(folder, chance)
    at_home(folder)
    from rollbook.adapters.local_files.paths import prompt_lines  # noqa: PLC0415 - its folder is the one of this moment
    from rollbook.adapters.local_files.prompt_lines import KeptLine, add_line  # noqa: PLC0415

    lines = prompt_lines(folder / "rollbook.db", "sherwood")
    add_line(lines, KeptLine(f'note "{NOTE}"', (action,)))
    add_line(lines, KeptLine(f"log --search '{NOTE}'"))
    if chance.random() < 0.3 and command(folder, "rerun", "--ruleset", "storytoken"):
        raise AssertionError("the campaign was not played again")
    return action


def kill_a_removal(folder: Path, chance: random.Random) -> Counter[str]:
    """Kill ``redact`` somewhere, open the store again, and look into every file."""
    action = prepared(folder, chance)
    assert files_with_words(folder)

    def remove(pipe: int) -> None:
        at_home(folder)
        with played(folder) as book:
            campaign = book.campaign("sherwood")
            campaign.session.history.load()
            os.write(pipe, b"!")
            redact(book, campaign, action, why="a private matter")
            os.write(pipe, b".")

    said = killed(*in_a_process(remove), chance.uniform(0, _typical(chance)))
    found = Counter(rounds=1, finished=said.endswith(b"."))
    assert command(folder, chance.choice(("log", "campaigns", "timelines", "sheet"))) in (0, 2, 3)
    is_removed = _is_removed(folder, action)
    found["in the history"] = is_removed
    if is_removed and (left := files_with_words(folder)):
        found["words left"] += 1
        sys.stderr.write(f"words left after opening again: {left}\n")
    if command(folder, "redact", str(action), "--why", "a private matter", "--yes"):
        found["not repeatable"] += 1
    if left := files_with_words(folder):
        found["words left"] += 1
        sys.stderr.write(f"words left after redact was said again: {left}\n")
    with played(folder) as book:
        found["damaged"] += bool(problems(book))
    return found


def _typical(chance: random.Random) -> float:
    """Most removals take this long; some are killed early and some late."""
    return chance.choice((0.01, 0.05, 0.1, 0.3))


def _is_removed(folder: Path, action: int) -> bool:
    with played(folder) as book:
        history = book.campaign("sherwood").history
        numbers = redactable(history, action)
        kept = [e.text for number in numbers for e in history.entry(number).events if isinstance(e, NoteWritten)]
        assert is_without_words(history, numbers) or all(WORDS.decode() in text for text in kept), "half of it"
        return is_without_words(history, numbers)


def kill_a_deletion(folder: Path, chance: random.Random) -> Counter[str]:
    """Kill ``delete-campaign`` somewhere: the campaign is whole, or nothing of it is anywhere."""
    prepared(folder, chance)

    def remove(pipe: int) -> None:
        at_home(folder)
        with played(folder) as book:
            stone = stone_of(book, "sherwood")
            os.write(pipe, b"!")
            delete_campaign(book, stone)
            os.write(pipe, b".")

    said = killed(*in_a_process(remove), chance.uniform(0, _typical(chance)))
    found = Counter(rounds=1, finished=said.endswith(b"."))
    assert command(folder, "campaigns") == 0
    with played(folder) as book:
        is_there = book.campaigns() != ()
        found["damaged"] += is_there and bool(problems(book))
    found["in the history"] = not is_there
    found["words left"] += not is_there and bool(files_with_words(folder))
    if is_there:
        found["not repeatable"] += command(folder, "delete-campaign", "sherwood", "--yes") != 0
        found["words left"] += bool(files_with_words(folder))
    return found


# Copies.

COPYING = (
    ("backup", "copies/copy.db"),
    ("backup", "copies/before.db", "--overwrite"),
    ("export", "copies/copy.jsonl"),
    ("restore", "copies/before.db"),
    ("move", "copies/copy.db"),
)
"""What writes a copy of a store or of a campaign."""


def kill_a_copy(folder: Path, chance: random.Random) -> Counter[str]:
    """Kill what copies a store: what is left is named, and goes with the words; whole copies that hold them are named then."""
    action = prepared(folder, chance)
    (folder / "copies").mkdir()
    assert command(folder, "backup", str(folder / "copies" / "before.db")) == 0
    what, file, *options = chance.choice(COPYING)

    def copy(pipe: int) -> None:
        at_home(folder)
        os.write(pipe, b"!")
        main(["--store", str(folder / "rollbook.db"), what, str(folder / file), *options])
        os.write(pipe, b".")

    said = killed(*in_a_process(copy), chance.uniform(0, _typical(chance)))
    left = [path for path in folder.rglob(".*.unfinished*") if path.suffix == ".unfinished"]
    found = Counter({"rounds": 1, "finished": said.endswith(b"."), "left over": bool(left)})
    found["not named"] = not all(str(path) in _examined(folder) for path in left)
    at_home(folder)
    with played(folder) as book:
        found["damaged"] = bool(problems(book))
        campaign = book.campaign("sherwood")
        gone = campaign.session.moved_away() is not None
        named = (
            delete_campaign(book, stone_of(book, "sherwood")).backups
            if gone
            else redact(book, campaign, action, why="a private matter").backups
        )
    for path in {*named, *map(str, [folder / "copies" / "copy.jsonl", *([folder / "copies" / "copy.db"] * gone)])}:
        Path(path).unlink(missing_ok=True)
    if still := files_with_words(folder):
        found["words left"] += 1
        sys.stderr.write(f"words left after {what}: {still}\n")
    return found


def _examined(folder: Path) -> str:
    """What the doctor says is left over."""
    state = folder / "state" / "rollbook"
    places = Places(
        store=folder / "rollbook.db", seeds=folder / "seeds", caches=folder / "cache", state=state, current=folder
    )
    return "".join(finding.says for finding in examine(places, microseconds) if finding.about == "left over")
