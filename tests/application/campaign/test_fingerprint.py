"""The rules that decided an action are known byte for byte: where they are today's, nothing can have drifted."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path

import attrs
import pytest

from rollbook.adapters.plugins import fingerprint as sources
from rollbook.adapters.plugins.fingerprint import DIGITS, fingerprint, package_of, stamp
from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.adapters.storage.read_model.model import SQLiteReadModel
from rollbook.adapters.wiring import book_of
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.encoding.codec import CODEC
from rollbook.application.history.entry_log import EntryLog
from rollbook.application.registry import RulesetRegistry
from rollbook.domain.audit.answers import Answer, Verdict
from rollbook.domain.corrections.changes import CorrectionOptions, Effect
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.ruleset import Ruleset
from rollbook.domain.rules.table import Table
from tests.support.audits import audit_chain
from tests.support.campaigns import KnownSeeds, begin_campaign, campaign_over, ticking_clock
from tests.support.memory_store import MemoryEventStore
from tests.support.toy import TOY
from tests.support.toy_verbs import Worry

ONE, OTHER = "1" * DIGITS, "2" * DIGITS


class CalmWorry(Worry):
    """Other rules under the same version."""

    def resolve(self, table: Table) -> None:
        table.record()


def calmer() -> Ruleset:
    return attrs.evolve(TOY, actions=tuple(CalmWorry if verb is Worry else verb for verb in TOY.actions))


class Shelf:
    """One store, opened by programs with rules of different fingerprints."""

    def __init__(self, folder: Path) -> None:
        self.store = MemoryEventStore()
        self.folder = folder
        self.clock = ticking_clock()

    def book(self, known: str, ruleset: Ruleset = TOY) -> Book:
        fingerprints: Mapping[str, str] = {"toy": known, "": known} if known else {}
        registry = RulesetRegistry({"toy": ruleset}, fingerprints=fingerprints)
        return book_of(self.store, SQLiteReadModel(), KnownSeeds(self.folder / "seeds"), registry, self.clock)


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path)


def worried(campaign: Campaign) -> tuple[int, int]:
    """A wound, and a worry that depends on it."""
    wound = campaign.do("adjust", {"who": "guard", "what": "hp", "by": -4, "reason": "fell"}).action
    return wound, campaign.do("worry", who="robin").action


@pytest.fixture
def plays(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The verbs that are played from here on."""
    seen: list[str] = []
    play = Rulebook.play

    def counted(self: Rulebook, campaign: object, intent: object, *rest: object, **more: object) -> object:
        seen.append(intent.verb)  # type: ignore[attr-defined]
        return play(self, campaign, intent, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Rulebook, "play", counted)
    return seen


# What is recorded.


def test_it_is_recorded_where_it_changes(shelf: Shelf) -> None:
    campaign = begin_campaign(shelf.book(ONE))
    campaign.do("gain-token", who="robin")
    assert [entry.fingerprint for entry in campaign.history.entries if entry.fingerprint] == [ONE]
    again = shelf.book(OTHER).campaign("sherwood")
    again.do("gain-token", who="robin")
    again.do("gain-token", who="robin")
    history = again.history
    assert [entry.fingerprint for entry in history.entries if entry.fingerprint] == [ONE, OTHER]
    outcomes = [history.latest_outcome(action) for action in (1, history.actions)]
    assert [history.fingerprint_of(outcome) for outcome in outcomes] == [ONE, OTHER]
    unknown = shelf.book("").campaign("sherwood")
    last = unknown.do("gain-token", who="robin")
    assert unknown.history.fingerprint_of(last) == ""


def test_it_is_only_computed_when_something_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    computed: list[str] = []
    monkeypatch.setattr(
        "rollbook.adapters.plugins.installed_rulesets.fingerprint",
        lambda module, _loaded: computed.append(module) or ONE,
    )
    book = book_of(MemoryEventStore(), SQLiteReadModel(), KnownSeeds(tmp_path), discover(), ticking_clock())
    campaign = book.new("Sherwood", "storytoken")
    assert computed == ["rollbook.rulesets.storytoken"]
    campaign.do("bring-in", who="robin-hood")
    assert computed == ["rollbook.rulesets.storytoken"], "once in a process"
    reader = book_of(book.store, SQLiteReadModel(), KnownSeeds(tmp_path), discover(), ticking_clock()).campaign(
        "sherwood"
    )
    assert reader.sheet("robin").name
    reader.session.project()
    reader.audit()
    assert computed == ["rollbook.rulesets.storytoken"], "reading needs none"


# What is computed.


def computed(module: str, loaded: int) -> str:
    """The fingerprint as a process works it out that has asked for nothing yet."""
    stamp.cache_clear()
    return fingerprint.__wrapped__(module, loaded)


def computed_now(module: str) -> str:
    """The fingerprint of rules that are loaded at this moment."""
    return computed(module, time.time_ns() + 10**9)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A game of another distribution, with data and a package inside."""
    monkeypatch.syspath_prepend(tmp_path)
    package = tmp_path / "a_game_of_bytes"
    (package / "data").mkdir(parents=True)
    (package / "inside").mkdir()
    (package / "__init__.py").write_text("RULESET = 1\n")
    (package / "inside" / "__init__.py").write_text("")
    (package / "data" / "weapons.json").write_text("[]")
    yield package
    for name in [name for name in sys.modules if name.startswith("a_game_of_bytes")]:
        del sys.modules[name]


def test_it_covers_the_ruleset_and_its_data(package: Path) -> None:
    seen = [computed_now("a_game_of_bytes")]
    assert len(seen[0]) == DIGITS
    (package / "__pycache__").mkdir()
    (package / "__pycache__" / "x.pyc").write_bytes(b"compiled")
    assert computed_now("a_game_of_bytes") == seen[0], "what is compiled follows from the sources"
    for change in (
        lambda: (package / "data" / "weapons.json").write_text("[1]"),
        lambda: (package / "__init__.py").write_text("RULESET = 2\n"),
        lambda: (package / "more.py").write_text("MORE = 1\n"),
    ):
        change()
        seen.append(computed_now("a_game_of_bytes"))
    assert len(set(seen)) == len(seen)
    (package / "more.py").rename(package / "other.py")
    assert computed_now("a_game_of_bytes") == seen[-1], "where a module lies decides nothing"
    assert computed_now("a_game_of_bytes.other") == seen[-1], "a module stands for its package"


def test_an_entry_point_in_a_package_inside_stands_for_the_whole_distribution(package: Path) -> None:
    before = computed_now("a_game_of_bytes.inside")
    assert before == computed_now("a_game_of_bytes")
    (package / "data" / "weapons.json").write_text("[1]")
    assert computed_now("a_game_of_bytes.inside") not in ("", before)


def test_a_stamp_and_a_fingerprint_look_at_the_files_once(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks, look = [], sources._stamp
    monkeypatch.setattr(sources, "_stamp", lambda *asked: looks.append(asked) or look(*asked))
    loaded = time.time_ns() + 10**9
    assert computed("a_game_of_bytes", loaded)
    many = len(looks)
    assert stamp("a_game_of_bytes", loaded)
    assert len(looks) == many


def test_our_own_games_are_packages_of_their_own() -> None:
    assert (
        package_of("rollbook.rulesets.russell")
        == package_of("rollbook.rulesets.russell.fight")
        == "rollbook.rulesets.russell"
    )
    assert package_of("mousehole.rules.game") == "mousehole"


def test_a_file_that_changed_since_it_was_loaded_leaves_it_unknown(package: Path) -> None:
    loaded = time.time_ns() + 10**9
    assert computed("a_game_of_bytes", loaded)
    later = loaded / 10**9 + 10
    os.utime(package / "data" / "weapons.json", (later, later))
    assert computed("a_game_of_bytes", loaded) == ""
    assert computed("a_game_of_bytes", loaded + 20 * 10**9), "a process that begins after the change"


def test_a_file_put_back_with_an_old_date_is_a_change_too(package: Path) -> None:
    loaded = time.time_ns() - 10**9
    os.utime(package / "__init__.py", (0, 0))
    assert computed("a_game_of_bytes", loaded) == ""


def test_a_module_whose_file_is_gone_leaves_it_unknown(package: Path) -> None:
    import_module("a_game_of_bytes.inside")
    assert computed_now("a_game_of_bytes")
    (package / "inside" / "__init__.py").unlink()
    assert computed_now("a_game_of_bytes") == ""


def test_it_covers_the_domain_and_the_kit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = computed_now("")
    assert ours == computed_now("")
    for name in ("rollbook.domain", "rollbook.kit", "rollbook.plugin"):
        folder = tmp_path / name
        (folder / "kit").mkdir(parents=True)
        for path in (folder / "__init__.py", folder / "kit" / "__init__.py"):
            path.write_text("")
        with monkeypatch.context() as patched:
            spec = attrs.make_class("Spec", ["submodule_search_locations"])([str(folder)])
            found = sources.find_spec
            patched.setattr(sources, "find_spec", lambda asked, n=name, f=found, s=spec: s if asked == n else f(asked))
            patched.setattr(sources, "STARTED", time.time_ns() + 10**9)
            patched.setattr(sources, "_check_complete", lambda *_: None)
            assert computed_now("") not in ("", ours), name


def test_rules_whose_source_is_nowhere_have_none() -> None:
    assert fingerprint("no_module_of_this_name") == ""


def test_installed_games_have_different_ones() -> None:
    registry = discover()
    known = [registry.fingerprints[key] for key in ("", "storytoken", "powers")]
    assert len({*known}) == 3
    assert all(len(each) == DIGITS for each in known)


# What a correction makes of it.


def test_rules_that_are_todays_are_not_tried_twice(shelf: Shelf, plays: list[str]) -> None:
    campaign = begin_campaign(shelf.book(ONE))
    wound, worry = worried(campaign)
    plays.clear()
    made = campaign.corrections.undo(wound, reason="did not")
    assert [each.action for each in made.of(Effect.CHANGED)] == [worry]
    assert plays.count("worry") == 1


@pytest.mark.parametrize(("then", "now"), [("", ""), (ONE, OTHER), (ONE, ""), ("", ONE)])
def test_rules_that_are_unknown_or_others_are_played_twice(shelf: Shelf, plays: list[str], then: str, now: str) -> None:
    wound, worry = worried(begin_campaign(shelf.book(then)))
    plays.clear()
    made = shelf.book(now).campaign("sherwood").corrections.undo(wound, reason="did not")
    assert [each.action for each in made.of(Effect.CHANGED)] == [worry]
    assert plays.count("worry") == 2


def test_drift_under_the_same_version_is_found_by_another_fingerprint(shelf: Shelf) -> None:
    wound, worry = worried(begin_campaign(shelf.book(ONE)))
    campaign = shelf.book(OTHER, calmer()).campaign("sherwood")
    made = campaign.corrections.undo(wound, reason="did not")
    assert [each.action for each in made.of(Effect.DRIFTED)] == [worry]


def test_what_a_correction_left_standing_is_played_twice_and_stays(shelf: Shelf, plays: list[str]) -> None:
    campaign = begin_campaign(shelf.book(ONE))
    first = campaign.do("adjust", {"who": "guard", "what": "hp", "by": -1, "reason": "fell"}).action
    wound, worry = worried(campaign)
    before = campaign.history.latest_outcome(worry)
    stand = CorrectionOptions(stand=True)
    (undone,) = campaign.corrections.undo(wound, reason="did not", options=stand).apply()
    assert undone.stand
    plays.clear()
    made = campaign.corrections.undo(first, reason="did not either")
    assert [each.action for each in made.of(Effect.DRIFTED)] == [worry], "it does not follow from what is recorded"
    assert plays.count("worry") == 2
    assert all(entry.stand for entry in made.apply())
    assert campaign.history.latest_outcome(worry) == before


def test_it_is_in_no_players_file(shelf: Shelf) -> None:
    campaign = begin_campaign(shelf.book(ONE))
    for stored in campaign.session.log.stored():
        public, *_ = stored.data.split(b"\n")
        assert ONE.encode() not in public
    assert ONE.encode() in next(campaign.session.log.stored()).data.split(b"\n")[1]


def test_the_fingerprint_of_the_rules_is_stored_where_it_changes(book: Book) -> None:
    campaign = begin_campaign(book)
    known = ["aa"]
    log = EntryLog(
        book.store, campaign.id, ticking_clock(), fingerprint=lambda state: known[0] if state.ruleset else "?"
    )
    again = campaign_over(log, book.rulebook, book.seeds, SQLiteReadModel())
    numbers = []
    for known[0] in ("", "aa", "aa", "bb", "", ""):
        numbers.append(again.do("gain-token", {"who": "robin"}))
    assert [entry.fingerprint for entry in numbers] == ["", "aa", "", "bb", "-", ""]
    assert [again.history.fingerprint_of(entry) for entry in numbers] == ["", "aa", "aa", "bb", "", ""]
    assert again.history.fingerprint == again.head.fingerprint == log.scan().fingerprint == ""
    known[0] = "bb"
    again.corrections.undo(numbers[1].action, reason="x").apply()
    assert again.history.fingerprint == log.scan().fingerprint == "bb"
    assert again.history.fingerprint_of(numbers[1]) == "aa"
    assert again.audit()[0].verdict is Verdict.VERIFIED


# What an audit makes of it.


def outcomes_of(shelf: Shelf, installed: str, ruleset: Ruleset) -> Answer:
    """The third answer about a worry, where these rules are installed."""
    _, _, rules = shelf.book(installed, ruleset).campaign("sherwood").audit()
    return rules


def test_rules_that_changed_under_their_version_leave_a_difference_unproven_and_are_named(shelf: Shelf) -> None:
    worried(begin_campaign(shelf.book(ONE)))
    rules = outcomes_of(shelf, OTHER, calmer())
    assert rules.verdict is Verdict.UNPROVEN
    assert rules.is_good
    (remark,) = (each for each in rules.remarks if "fingerprint" in each)
    assert "1 outcome of toy 1 would come out differently" in remark
    assert ONE in remark and OTHER in remark
    assert any("worry would come out differently" in finding.text for finding in rules.findings)


def test_rules_that_changed_and_decide_the_same_prove_what_they_proved(shelf: Shelf) -> None:
    worried(begin_campaign(shelf.book(ONE)))
    rules = outcomes_of(shelf, OTHER, TOY)
    assert rules.verdict is Verdict.VERIFIED
    assert not any("fingerprint" in each for each in rules.remarks)


@pytest.mark.parametrize(("then", "now"), [(ONE, ONE), ("", ""), ("", ONE), (ONE, "")])
def test_a_difference_under_rules_that_are_not_known_to_be_others_is_a_failure(
    shelf: Shelf, then: str, now: str
) -> None:
    worried(begin_campaign(shelf.book(then)))
    assert outcomes_of(shelf, now, calmer()).verdict is Verdict.FAILED


def test_what_was_played_on_by_the_rules_that_are_installed_is_contradicted_all_the_same(shelf: Shelf) -> None:
    worried(begin_campaign(shelf.book(ONE)))
    again = shelf.book(OTHER, calmer()).campaign("sherwood")
    again.do("worry", who="robin")
    assert outcomes_of(shelf, OTHER, calmer()).verdict is Verdict.UNPROVEN
    assert outcomes_of(shelf, OTHER, TOY).verdict is Verdict.FAILED, "the second worry is by the rules of today"


def test_a_fingerprint_is_bound_by_the_chain_and_no_forger_changes_it_unseen(shelf: Shelf) -> None:
    campaign = begin_campaign(shelf.book(ONE))
    worried(campaign)
    forged = [
        stored._replace(data=stored.data.replace(ONE.encode(), OTHER.encode()))
        for stored in campaign.session.log.stored()
    ]
    assert audit_chain(forged, CODEC.read).verdict is Verdict.FAILED
