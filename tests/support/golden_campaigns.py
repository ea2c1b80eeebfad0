"""The golden campaigns and the states they fold to: ``python -m tests.support.golden_campaigns`` records what is missing."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from rollbook.adapters.imports.jsonl import import_campaign
from rollbook.adapters.local_files.seeds import SeedKeeper
from rollbook.adapters.storage.read_model.model import SQLiteReadModel
from rollbook.adapters.wiring import book_of
from rollbook.application.book import Book
from rollbook.domain.state.campaign_state import CampaignState
from tests.support.games import GameTable
from tests.support.memory_store import MemoryEventStore
from tests.support.processes import run

NEWEST = 2
"""The number of the last recordings of the examples; others come when their rules have another version."""
EXAMPLES = Path(__file__).parents[2] / "examples"
FOLDER = Path(__file__).parents[1] / "campaigns"
GOLDEN_CAMPAIGNS = tuple(path for path in sorted(FOLDER.glob("*.jsonl")) if path.read_bytes().startswith(b'{"format"'))

RECORDED = tuple(path.name.split(".")[0] for path in GOLDEN_CAMPAIGNS if path.stem.endswith(f".{NEWEST}"))
"""The examples of which there is a recording of today."""

OLDER_RULES: dict[str, tuple[str, ...]] = {
    "sherwood.1": (
        "#9 bring-in would come out differently: gear gained",
        "#29 end-turn would come out differently: the same in another order",
        "#41 bargain would be refused now: --complication is a ruling",
    ),
    "carrow-bridge.1": (
        "#7 join would come out differently: trait gained",
        *(f"#{action} end-turn would come out differently: the same in another order" for action in (29, 39, 50)),
    ),
    "night-ferry.1": (
        "#14 check would be refused",
        "#15 check would be refused",
        *("#24 attack would be refused",) * 2,
        "#26 attack would be refused",
        "#32 attack would be refused",
        "#24 attack would be refused",
        "#32 attack would be refused",
    ),
    "sallow-lock.1": (
        "#24 attack would be refused",
        "#33 end-turn would come out differently: the same in another order",
        "#41 save would be refused",
    ),
    "drowned-chapel.1": (
        "#15 hire would be refused now: --personality is a ruling",
        "#23 join would come out differently: condition began",
        "#24 join would come out differently: condition began",
        "#27 begin-encounter would come out differently: condition began",
        "#28 attack would",
        "#30 attack would be refused now: --melee is a ruling",
        "#33 attack would",
        "#34 attack would",
        "#35 end-turn would come out differently: the same in another order",
        "#44 pocket-change would come out differently: trait gained",
    ),
}
"""Campaigns that an older version of their rules decided, and how the audit begins to name each action that drifts."""

BY_TODAYS_RULES = tuple(path for path in GOLDEN_CAMPAIGNS if path.stem not in OLDER_RULES)


def imported_book(path: Path, folder: Path) -> Book:
    """A book in memory with an exported campaign in it."""
    book = book_of(MemoryEventStore(), SQLiteReadModel(), SeedKeeper(folder / "seeds"))
    import_campaign(book, path)
    return book


def golden_table(path: Path, folder: Path) -> GameTable:
    """A recorded campaign at a table where every die is known."""
    book = imported_book(path, folder)
    campaign = book.campaign(book.campaigns()[0])
    return GameTable.of(campaign.session.rulebook, campaign.history.entries)


def folded_state(state: CampaignState) -> dict[str, Any]:
    """The state as JSON values: everything that was known of it when the first campaigns were recorded."""
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
                "conditions": {
                    name: [held.since, held.until, held.detail, dict(held.data)]
                    for name, held in who.conditions.items()
                },
                "choices": {name: list(choice.keys) for name, choice in who.choices.items()},
                "chosen": dict(who.chosen),
                "usages": {power: [usage.count, usage.last] for power, usage in who.usages.items()},
                "position": list(who.position),
            }
            for who in state.characters.values()
        },
    }


def expected_file(path: Path) -> Path:
    """The file with the state that a campaign folds to."""
    return FOLDER / "folded" / f"{path.stem}.json"


def record_example(script: Path, target: Path) -> None:
    """Play a script of ``examples/`` with dice of a new stream, and export the campaign."""
    with tempfile.TemporaryDirectory() as folder:
        paths = {"ROLLBOOK_STORE": f"{folder}/rollbook.db", "XDG_STATE_HOME": f"{folder}/state"}
        for words in (["play", str(script)], ["export", str(target)]):
            run(*words, **paths).check_returncode()
    target.with_name("verify_rollbook.py").unlink(missing_ok=True)


def main() -> None:
    """Record what is not recorded yet."""
    for script in sorted(EXAMPLES.glob("*.session")):
        target = FOLDER / f"{script.stem}.{NEWEST}.jsonl"
        if not target.exists():
            record_example(script, target)
    for path in sorted(FOLDER.glob("*.jsonl")):
        if not path.read_bytes().startswith(b'{"format"'):
            continue
        target = expected_file(path)
        if not target.exists():
            book = imported_book(path, FOLDER)
            state = book.campaign(book.campaigns()[0]).state
            target.parent.mkdir(exist_ok=True)
            text = json.dumps(folded_state(state), indent=1, ensure_ascii=False, sort_keys=True)
            target.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
