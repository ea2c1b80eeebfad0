"""Every command works on a store on a PostgreSQL server, or refuses in one sentence that says what to use instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.adapters.cli.app import COMMANDS
from rollbook.adapters.cli.errors import Exit
from tests.support.terminal import RunRollbook

BEGIN = """\
campaign "Test Table" storytoken round_seconds=6
take-seat Ana --role gm
take-seat Mira
open-session First
join "Robin Hood" --id robin --seat Mira --heritage human --roles fighting,noble,science --scores 13,18,14,12,15,17 ! 5
join Guard --kind npc --hp 18 --ac 12
give robin longbow --use weapon:medium-ranged
attack robin guard longbow --distance 40 --seat Mira ! 14 4
note The guard shouts.
"""
WORKING = (
    *("campaigns", "rulesets", "verbs", "help dice", "status", "sheet robin", "why robin ac", "diff 6 8", "log", "xp"),
    *("recap", "map"),
    *("odds attack robin guard longbow --distance 40", "pictures", "stats", "audit", "receipt", "rebuild", "bestiary"),
    *(
        "do note 'What is said here goes again.' --to gm",
        "redact 9 --yes --why safety",
        "join Wolf --kind npc --hp 5 --ac 11",
    ),
    *("undo 8 --yes --why slip", "redo 8 --yes --why right", "amend 9 text='The guard sings.' --yes --why wrong"),
    "insert 8 note Forgotten. --yes --why slip",
    *("override 8 --to 15 --yes --why 'it was 15'", "reveal 8", "seat-link Mira", "x-card", "x-card --resume"),
    *(
        "fork --at 5 --why 'What if?'",
        "timelines",
        "compare",
        "rerun",
        "take-over 1 --preview",
        "adopt russell --preview",
    ),
    *("export whole.jsonl", "import whole.jsonl --as Again", "store verify", "new Other --ruleset storytoken"),
    *("log -c other", "delete-campaign other --yes", "log -c other", "reroll", "demo", "doctor"),
    "host init Clara",
    *("token new sherwood Mira", "token list sherwood", "token revoke sherwood 1"),
    *("new-ruleset 'Salt and Smoke' salt", "completion bash"),
)
"""Said one after the other. Some say no, as they would on a file."""
ELSEWHERE = {"backup kept.db": "pg_dump", "restore kept.db": "pg_restore", "move gone.move": "rollbook store copy"}
"""What is for files alone, and what is said to use instead."""
ENDLESS = {"watch", "replay", "serve", "play"}
"""Go on until somebody ends them; ``play`` is called first, with a script."""


@pytest.fixture
def shared(rollbook: RunRollbook, home: Path, postgres_store: str, monkeypatch: pytest.MonkeyPatch) -> RunRollbook:
    """The small campaign on a server."""
    monkeypatch.setenv("ROLLBOOK_STORE", postgres_store)
    monkeypatch.setenv("ROLLBOOK_CACHE", str(home / "cache"))
    monkeypatch.setenv("ROLLBOOK_CAMPAIGN", "test-table")
    monkeypatch.chdir(home)
    script = home / "small.session"
    script.write_text(BEGIN, encoding="utf-8")
    assert rollbook(f"play {script}").code == 0
    return rollbook


def test_every_command_works_or_says_what_to_use_instead(shared: RunRollbook, postgres_store: str) -> None:
    password = postgres_store.partition("rollbook:")[2].partition("@")[0]
    assert password
    refused: list[str] = []
    for line in WORKING:
        answer = shared(line)
        said = answer.out + answer.err
        assert answer.code in {*Exit}, (line, said)
        assert "Traceback" not in said
        assert "went wrong inside" not in said, (line, said)
        assert password not in said
        assert "does not work" not in said, (line, said)
        if answer.code:
            refused.append(line)
            assert said.strip(), line
    assert len(refused) <= len(WORKING) // 3, refused
    for line, instead in ELSEWHERE.items():
        answer = shared(line)
        assert answer.code == Exit.ERROR
        assert answer.err.count("\n") == 1
        assert instead in answer.err
        assert "is on a server" in answer.err
        assert password not in answer.err
    assert shared("audit").code == 0
    said_here = {line.partition(" ")[0] for line in (*WORKING, *ELSEWHERE)}
    assert {*COMMANDS} - said_here == ENDLESS


def test_the_doctor_says_where_the_seeds_of_a_server_are_and_whether_the_key_is_theirs(
    shared: RunRollbook, postgres_store: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def found() -> dict[str, tuple[bool, str]]:
        lines = shared("doctor --json").lines
        assert postgres_store.partition("rollbook:")[2].partition("@")[0] not in str(lines)
        return {line["about"]: (line["well"], line["says"]) for line in lines}

    before = found()
    assert [about for about, (well, _) in before.items() if not well] == [], before
    assert before["seeds"][1].endswith("in the store's database, encrypted; their key is in ROLLBOOK_SEED_KEY")
    assert "1 campaign; audit them with: rollbook store verify" in before["store"][1]
    assert before["read model"][1].startswith(str(home / "cache")) and before["read model"][1].endswith("up to date")
    shared("log")
    (cache,) = (home / "cache").glob("*.read.db")
    cache.chmod(0o644)
    monkeypatch.setenv("ROLLBOOK_SEED_KEY", "A" * 43 + "=")
    after = found()
    assert {about for about, (well, _) in after.items() if not well} == {"permissions", "seeds"}
    assert "encrypted with another key than ROLLBOOK_SEED_KEY has" in after["seeds"][1]
    assert f"chmod 600 {cache}" in after["permissions"][1]
    monkeypatch.setenv("ROLLBOOK_STORE", postgres_store.replace("@127.0.0.1", "@127.0.0.2"))
    assert [about for about, (well, _) in found().items() if not well] == ["permissions", "store"]


def test_a_deleted_campaign_and_removed_words_are_said_to_stay_in_the_servers_files(shared: RunRollbook) -> None:
    number = shared("do note 'What is said here goes again.' --to gm --json").data["action"]
    answer = shared(f"redact {number} --yes --why safety")
    assert answer.code == 0
    assert "store vacuum" in answer.err and "rollbook_owner@" in answer.err
    assert "goes again" not in shared("log").out


@pytest.mark.parametrize("address", ["mysql://host/db", "sqlite:///rollbook.db", "https://example.org/rollbook.db"])
def test_an_address_of_something_else_is_no_file(rollbook: RunRollbook, home: Path, address: str) -> None:
    answer = rollbook(f"new Sherwood --ruleset storytoken --store {address}")
    assert answer.code == Exit.ERROR
    assert "postgresql://" in answer.err
    assert not list(home.rglob("*.db*"))
