"""``rollbook --debug`` shows the traceback behind a sentence, for authors of plug-ins; without it only the sentence is shown."""

from __future__ import annotations

import ast
import logging
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from psycopg import OperationalError

from rollbook.adapters.cli.debugging import SECRET_VARIABLES, debug_log
from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.domain.base.errors import note_failure
from tests.support.plugins import GOOD, Install, install, put_module
from tests.support.terminal import CommandResult, RunRollbook

__all__ = ["install"]

STUMBLING = GOOD.replace('table.refuse("Not now.")', 'raise LookupError("no such die")')
LEANING = GOOD.replace("return Sheet(", 'raise LookupError("no such die")\n    return Sheet(')


def of_a_verb(rollbook: RunRollbook, install: Install, _: Path) -> Callable[[str], CommandResult]:
    install("rollbook-stumble", "debug_verb", STUMBLING + "RULESET = made('stumbling')\n", stumbling=":RULESET")
    assert rollbook("new Sherwood --ruleset stumbling").code == 0
    return lambda options: rollbook(f"{options} do shout")


def of_a_line_of_a_script(rollbook: RunRollbook, install: Install, home: Path) -> Callable[[str], CommandResult]:
    install("rollbook-script", "debug_script", STUMBLING + "RULESET = made('scripted')\n", scripted=":RULESET")
    (home / "one.session").write_text("shout\n", encoding="utf-8")
    assert rollbook("new Sherwood --ruleset scripted").code == 0
    return lambda options: rollbook(f"{options} play {home / 'one.session'}")


def of_a_ruleset(rollbook: RunRollbook, install: Install, _: Path) -> Callable[[str], CommandResult]:
    install("rollbook-import", "debug_ruleset", "raise LookupError('no such die')", importing=":RULESET")
    return lambda options: rollbook(f"{options} new Sherwood --ruleset importing")


def of_a_contract(rollbook: RunRollbook, install: Install, _: Path) -> Callable[[str], CommandResult]:
    code = GOOD + (
        "class Odd:\n    @property\n    def __class__(self):\n        raise LookupError('no such die')\nRULESET = Odd()"
    )
    install("rollbook-contract", "debug_contract", code, contracting=":RULESET")
    return lambda options: rollbook(f"{options} new Sherwood --ruleset contracting")


def of_a_sheet(rollbook: RunRollbook, install: Install, _: Path) -> Callable[[str], CommandResult]:
    install("rollbook-sheet", "debug_sheet", LEANING + "RULESET = made('leaning')\n", leaning=":RULESET")
    assert rollbook("new Sherwood --ruleset leaning").code == 0
    assert rollbook("do join Robin").code == 0
    return lambda options: rollbook(f"{options} sheet robin")


def of_an_importer(rollbook: RunRollbook, _: Install, home: Path) -> Callable[[str], CommandResult]:
    put_module(home, "rollbook.importers", "diary", "debug_diary:read", "raise LookupError('no such die')")
    (home / "diary.txt").write_text("Dear diary", encoding="utf-8")
    return lambda options: rollbook(f"{options} import {home / 'diary.txt'} --from diary")


def of_an_exporter(rollbook: RunRollbook, _: Install, home: Path) -> Callable[[str], CommandResult]:
    code = "def write(request):\n    raise LookupError('no such die')\n"
    put_module(home, "rollbook.exporters", "story", "debug_story:write", code)
    assert rollbook("new Sherwood --ruleset storytoken").code == 0
    return lambda options: rollbook(f"{options} export {home / 'story.txt'} --to story")


FAILING = (of_a_verb, of_a_line_of_a_script, of_a_ruleset, of_a_contract, of_a_sheet, of_an_importer, of_an_exporter)


@pytest.mark.parametrize("failing", FAILING, ids=lambda failing: failing.__name__.replace("_", "-"))
def test_the_traceback_behind_a_sentence_is_shown_once_and_only_if_asked_for(
    failing: Callable[..., Callable[[str], CommandResult]],
    rollbook: RunRollbook,
    install: Install,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    call = failing(rollbook, install, home)
    plain, shown = call(""), call("--debug")
    assert "no such die" in plain.err and "Traceback" not in plain.err
    assert shown.err.count("Traceback (most recent call last)") >= 1
    assert shown.err.count("\nLookupError: no such die") == 1
    assert (shown.code, shown.out) == (plain.code, plain.out)
    assert [line for line in plain.err.splitlines() if line not in shown.err.splitlines()] == []
    assert "Traceback" not in call("").err
    monkeypatch.setenv("ROLLBOOK_DEBUG", "1")
    assert call("").err == shown.err


def test_what_the_rules_refuse_has_no_traceback(rollbook: RunRollbook) -> None:
    assert rollbook("new Sherwood --ruleset storytoken").code == 0
    refused = rollbook("--debug do attack nobody nobody longbow")
    assert refused.code != 0
    assert "Traceback" not in refused.err


def test_after_a_run_nothing_listens_any_more(rollbook: RunRollbook) -> None:
    rollbook("--debug rulesets")
    assert logging.getLogger("rollbook").handlers == []
    assert not logging.getLogger("rollbook").isEnabledFor(logging.DEBUG)


def test_a_script_hears_of_failures_through_logging(install: Install, caplog: pytest.LogCaptureFixture) -> None:
    install("rollbook-heard", "debug_heard", "raise LookupError('no such die')", hearing=":RULESET")
    with caplog.at_level(logging.DEBUG, "rollbook"):
        assert "hearing" not in discover().rulesets
    (record,) = [each for each in caplog.records if each.name == "rollbook.plugins"]
    assert record.exc_info
    assert isinstance(record.exc_info[1], LookupError)


SECRET = "sesame-and-more"


@pytest.mark.parametrize("variable", SECRET_VARIABLES)
def test_no_secret_gets_into_the_log(
    variable: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(variable, SECRET)
    addresses = f"postgresql://mira:{SECRET}2@host/db, http://here:7655/join/{SECRET}3, key {SECRET}"
    with debug_log():
        try:
            try:
                raise OperationalError(f"missing = after {SECRET[:8]} in the address")
            except OperationalError as fault:
                raise ValueError(addresses) from fault
        except ValueError as fault:
            note_failure("plugins", f"said: {addresses}", fault)
    shown = capsys.readouterr().err
    assert "ValueError" in shown and "OperationalError" in shown
    assert SECRET[:8] not in shown.replace('f"missing = after {SECRET[:8]} in the address"', "")


# Every place at which whatever is raised becomes a sentence.

ROOT = Path(__file__).parents[3]
FOLDERS = ("domain", "projections", "application", "adapters", "ruleset_plugins")
NOTING = frozenset(("note_failure", "note", "report"))
SILENT = {
    "adapters/cli/parameters.py": "while somebody presses Tab nothing is said",
    "adapters/exports/verify_rollbook.py": "it travels alone",
    "application/visibility/seat_campaign.py": "rules are tried on what a seat sees, and may fail there",
    "domain/forecast/search.py": "rules that fail are asked again, and what they raise then is not caught",
}
"""Files with a place where nothing is logged, and why."""


def broad_handlers(path: Path) -> Iterator[ast.ExceptHandler]:
    """The handlers of a file that catch any exception and raise none."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ExceptHandler) and node.type is not None:
            kinds = {name.id for name in ast.walk(node.type) if isinstance(name, ast.Name)}
            if "Exception" in kinds and not any(
                isinstance(each, ast.Raise) and each.cause is None for each in ast.walk(node)
            ):
                yield node


def is_noted(handler: ast.ExceptHandler) -> bool:
    calls = [each.func for each in ast.walk(handler) if isinstance(each, ast.Call)]
    return not NOTING.isdisjoint(call.id if isinstance(call, ast.Name) else "" for call in calls)


def test_every_place_that_turns_any_failure_into_a_sentence_logs_it() -> None:
    files = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
    found = {path.relative_to(ROOT).as_posix(): list(broad_handlers(path)) for path in sorted(files)}
    assert sum(map(len, found.values())) >= 12
    silent = {path for path, handlers in found.items() if not all(map(is_noted, handlers))}
    assert silent == SILENT.keys()
