"""What a golden evening folds to, in the state's own neutral words: ``python -m tests.campaigns.folded`` records new ones.

What stands in ``folded/`` is never recorded anew: an evening that has been played folds to the same state for ever.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from adapters.book import Book
from adapters.event_store import MemoryEventStore
from adapters.imports.jsonl import import_campaign
from adapters.read_model import ReadModel
from adapters.seeds import SeedKeeper
from domain.campaign import Campaign

HERE = Path(__file__).parent
EVENINGS = tuple(path for path in sorted(HERE.glob("*.jsonl")) if path.read_bytes().startswith(b'{"format"'))


def opened(path: Path, folder: Path) -> Book:
    """A book in memory with an exported evening in it."""
    book = Book(MemoryEventStore(), ReadModel(), SeedKeeper(folder / "seeds"))
    import_campaign(book, path)
    return book


def folded(state: Campaign) -> dict[str, Any]:
    """The state in plain words: everything that was known of it when the first evenings were recorded."""
    return {
        "ruleset": state.ruleset,
        "settings": {
            name: list(value) if isinstance(value, tuple) else value for name, value in state.settings.items()
        },
        "clock": state.clock,
        "scene": state.scene,
        "pools": dict(state.pools),
        "seats": {name: seat.role for name, seat in state.seats.items()},
        "characters": {
            who.id: {
                "name": who.name,
                "kind": who.kind,
                "seat": who.seat,
                "present": who.present,
                "lost": who.lost,
                "experience": who.experience,
                "level": who.level,
                "stats": dict(who.stats),
                "traits": dict(who.traits),
                "gear": {item: [gear.count, gear.use] for item, gear in who.gear.items()},
                "pools": dict(who.pools),
                "conditions": {name: [held.since, held.until, held.detail] for name, held in who.conditions.items()},
                "choices": {choice: list(options) for choice, options in who.choices.items()},
                "chosen": dict(who.chosen),
                "usages": {power: [usage.count, usage.last] for power, usage in who.usages.items()},
                "position": list(who.position),
            }
            for who in state.characters.values()
        },
    }


def record_of(path: Path) -> Path:
    """Where it stands what an evening folds to."""
    return HERE / "folded" / f"{path.stem}.json"


def main() -> None:
    """Record what is not recorded yet."""
    for path in EVENINGS:
        target = record_of(path)
        if not target.exists():
            book = opened(path, HERE)
            state = book.campaign(book.campaigns()[0]).state
            target.parent.mkdir(exist_ok=True)
            text = json.dumps(folded(state), indent=1, ensure_ascii=False, sort_keys=True)
            target.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
