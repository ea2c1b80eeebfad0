"""A session of sixty lines, in full and in short forms: the same history, for some half of the keys."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rollbook.adapters.wiring import open_book
from rollbook.application.campaign import Campaign
from rollbook.application.lines.short_forms import ShortForms, without_program, written
from rollbook.application.lines.verb_line import split_words
from rollbook.domain.entries import Intent
from rollbook.domain.rules.action import user_parameters

FOLDER = Path(__file__).parent / "sixty_lines"
DOCS = Path(__file__).parents[3] / "docs" / "prompt.md"


def lines_of(name: str) -> list[str]:
    return (FOLDER / name).read_text(encoding="utf-8").splitlines()


def keys(lines: list[str]) -> int:
    """Every character, and Enter after each line."""
    return sum(len(line) + 1 for line in lines)


@pytest.fixture
def played(tmp_path: Path) -> Callable[[str, bool], list[tuple[object, ...]]]:
    """What is stored of a session: who did what, with which dice and why."""

    def play(name: str, short: bool) -> list[tuple[object, ...]]:
        with open_book(tmp_path / f"{name}.db", tmp_path / name, create=True) as book:
            campaign = book.new("Sixty lines", "storytoken", {})
            forms = ShortForms()
            for line in lines_of(name):
                campaign.say(in_full(campaign, forms, line) if short else line)
            entries = campaign.history.entries
            return [(each.kind, each.seat, said_by_people(campaign, each.intent), each.reason) for each in entries]

    return play


def in_full(campaign: Campaign, forms: ShortForms, line: str) -> str:
    campaign.refresh()
    return written(forms.expand(campaign, without_program(split_words(line))))


def said_by_people(campaign: Campaign, intent: Intent | None) -> str:
    """An intent without what the engine fills in, which differs from one store to the next."""
    if intent is None or not intent.verb:
        return ""
    typed = {each.name for each in user_parameters(campaign.session.rulebook.verb(campaign.state, intent.verb))}
    return str((intent.verb, {name: value for name, value in intent.params.items() if name in typed}))


def test_short_forms_store_what_full_lines_store(played) -> None:
    full, short = played("long.session", False), played("short.session", True)
    assert len(full) == 57
    for one, other in zip(full, short, strict=True):
        assert one == other


def test_questions_are_the_same_too(tmp_path: Path) -> None:
    with open_book(tmp_path / "a.db", tmp_path / "a", create=True) as book:
        campaign = book.new("Sixty lines", "storytoken", {})
        for line in lines_of("long.session")[:7]:
            campaign.say(line)
        forms = ShortForms()
        assert [in_full(campaign, forms, line) for line in ("lo verb=attack", "sh ro", "w hol hp", "au")] == [
            "log verb=attack",
            "sheet robin-hood",
            "why sherlock-holmes hp",
            "audit",
        ]


def test_the_page_says_how_many_keys_it_takes() -> None:
    full, short = lines_of("long.session"), lines_of("short.session")
    assert (len(full), len(short)) == (60, 60)
    said = f"{keys(full):,} keys in full and {keys(short):,} in short forms"
    assert said in " ".join(DOCS.read_text(encoding="utf-8").split())
    assert keys(short) <= 0.62 * keys(full)
    fight = slice(18, 42)
    said = f"the fight alone {keys(full[fight]):,} and {keys(short[fight]):,}"
    assert said in " ".join(DOCS.read_text(encoding="utf-8").split())
    assert keys(short[fight]) <= 0.43 * keys(full[fight])
