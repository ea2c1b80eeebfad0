"""Every numbered rule that needs a test has one that proves it, and no mark can say so falsely.

The numbers, tags and titles of a game's rules stand in its ``data/rules.json``. A mark counts on a test that pytest collects,
does not skip, and that asserts something (see ``proofs``).
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from rollbook.domain.actions import SHARED_VERBS
from rollbook.domain.rules.action import parameters
from rollbook.domain.rules.ruleset import Ruleset, settings_fields
from tests.support.assertions import ModuleSource
from tests.support.proofs import (
    ROOT,
    RULESETS,
    TAGS,
    Proof,
    Rule,
    proofs_in,
    proofs_of,
    pytest_runtest_call,
    rules_of,
    rulings_of,
    run_pytest,
    unknown_marks,
    unproved_rules,
)

pytestmark = pytest.mark.process  # which tests prove what is collected in a process, once for all
SHARED = ROOT.parent / "shared" / "rules"
"""Where the rules themselves lie, if they are at hand: they are not part of this repository."""

LONGEST_TITLE = 70
COPIED = 6
"""So many words in a row are no longer our own."""

FROM_BOOKS = {"srd5": ("srd-5.2.1", "srd-5.1")}
"""Games whose rules were numbered by us, with the folders of the texts from which they are."""

each_ruleset = pytest.mark.parametrize("key", RULESETS)
each_numbered_game = pytest.mark.parametrize("key", [key for key in RULESETS if key not in FROM_BOOKS])
with_the_rules = pytest.mark.skipif(not (SHARED / "rules.md").exists(), reason="the rules' own text is not at hand")


def ruleset(key: str) -> Ruleset:
    found = importlib.import_module(f"rollbook.rulesets.{key}").RULESET
    assert isinstance(found, Ruleset)
    return found


# What there is.


@each_ruleset
def test_the_ruleset_is_there(key: str) -> None:
    assert ruleset(key).key == key


@each_ruleset
def test_rules_are_numbered_without_a_gap_and_tagged_with_known_letters(key: str) -> None:
    rules = rules_of(key)
    group = RULESETS.index(key)
    assert [rule.rule for rule in rules] == [f"R{group}.{number}" for number in range(1, len(rules) + 1)]
    for rule in rules:
        assert set(rule.letters) <= set(TAGS), rule
        assert len(set(rule.letters)) == len(rule.letters), rule
        assert 0 < len(rule.title) <= LONGEST_TITLE, rule


@with_the_rules
@each_numbered_game
def test_numbers_and_tags_are_those_of_the_rules(key: str) -> None:
    printed = dict(printed_rules((SHARED / "rules.md").read_text(encoding="utf-8")))
    group = f"R{RULESETS.index(key)}."
    ours = {rule.rule: set(rule.letters) for rule in rules_of(key)}
    assert ours == {number: tags for number, tags in printed.items() if number.startswith(group)}


@with_the_rules
@each_ruleset
def test_no_title_is_copied_from_the_rules(key: str) -> None:
    texts = [SHARED / "rules.md", SHARED / "rulings.md", *sorted((SHARED / "sources").glob("*"))]
    texts = [text for each in FROM_BOOKS[key] for text in (SHARED / each).rglob("*.md")] if key in FROM_BOOKS else texts
    copied = {run for text in texts for run in runs(text.read_text(encoding="utf-8"))}
    titles = [each.title for each in (*rules_of(key), *rulings_of(key))] + [each.reason for each in rulings_of(key)]
    assert [title for title in titles if copied & set(runs(title))] == []


@with_the_rules
@each_numbered_game
def test_the_starred_rulings_are_all_there_under_the_names_of_their_settings(key: str) -> None:
    printed = starred((SHARED / "rulings.md").read_text(encoding="utf-8"))
    group = f"Q{RULESETS.index(key)}."
    ours: dict[str, set[str]] = {}
    for ruling in rulings_of(key):
        ours.setdefault(ruling.ruling, set()).update({ruling.setting} - {""})
    theirs = {number: settings for number, settings in printed.items() if number.startswith(group)}
    assert {number: ours[number] if theirs.get(number) else set() for number in ours} == theirs, (
        "(unnamed ones are ours to name)"
    )


def printed_rules(text: str) -> list[tuple[str, set[str]]]:
    """The numbers of the rules with the letters in brackets; a range of numbers has the letters for each."""
    found = []
    for match in re.finditer(r"^- \*\*R(\d)\.(\d+)(?:–R\d\.(\d+))?\*\* (.*)$", text, re.MULTILINE):
        group, first, last, rest = match.groups()
        letters = {letter for tags in re.findall(r"\[([DESCN,/]+)\]", rest) for letter in re.split("[,/]", tags)}
        found += [(f"R{group}.{number}", letters) for number in range(int(first), int(last or first) + 1)]
    return found


def starred(text: str) -> dict[str, set[str]]:
    """The rulings with a star, each with the settings that it names: ``key = default`` in the ruling or below its table."""
    found = {}
    for part in re.split(r"^- \*\*(?=Q)", text, flags=re.MULTILINE)[1:]:
        number, _, rest = part.partition("**")
        if "★" in rest:
            named = re.findall(r"`([a-z][a-z0-9_]+)( = [^`]*)?`", rest)
            found[number] = {name for name, default in named if default or "_" in name}
    return found


def runs(text: str) -> list[tuple[str, ...]]:
    words = re.findall(r"\w+", text.casefold())
    return [tuple(words[at : at + COPIED]) for at in range(len(words) - COPIED + 1)]


# What is proved.


@each_ruleset
def test_every_rule_that_needs_a_test_has_one(key: str) -> None:
    missing = unproved_rules(rules_of(key), proofs_of(key))
    titles = {rule.rule: rule.title for rule in rules_of(key)}
    listed = "".join(f"\n  {number}  {titles[number]}" for number in missing)
    assert not missing, f"{len(missing)} rules of {key} have no test that proves them:{listed}"


@each_ruleset
def test_every_marked_test_can_prove_something(key: str) -> None:
    assert [f"{proof.file}::{proof.test} {proof.fault}" for proof in proofs_of(key) if proof.fault] == []


@each_ruleset
def test_every_mark_names_a_rule_of_the_game(key: str) -> None:
    assert unknown_marks((rule.rule for rule in rules_of(key)), proofs_of(key)) == []


@with_the_rules
@each_ruleset
def test_every_mark_of_a_ruling_names_one_that_there_is(key: str) -> None:
    printed = set(
        re.findall(r"^- \*\*(Q[G0-9]\.\d+)\*\*", (SHARED / "rulings.md").read_text(encoding="utf-8"), re.MULTILINE)
    )
    printed |= {ruling.ruling for ruling in rulings_of(key)} if key in FROM_BOOKS else set()
    marks = {number for proof in proofs_of(key) for number in proof.numbers if not number.startswith("R")}
    assert sorted(marks - printed) == []


@each_ruleset
def test_every_starred_ruling_is_a_setting_that_tests_play_with(key: str) -> None:
    settings = {setting.name: setting for setting in settings_fields(ruleset(key))}
    missing = []
    for ruling in rulings_of(key):
        tests = [proof for proof in proofs_of(key) if ruling.ruling in proof.numbers and not proof.fault]
        if not tests:
            missing.append(f"{ruling.ruling} ({ruling.title}) has no test")
        if not ruling.setting:
            continue
        if ruling.setting not in settings:
            missing.append(f"{ruling.ruling} has no setting {ruling.setting}")
        elif ruling.ruling not in settings[ruling.setting].help:
            missing.append(f"the setting {ruling.setting} does not say that it settles {ruling.ruling}")
        elif not any(ruling.setting in proof.words for proof in tests):
            missing.append(f"no test of {ruling.ruling} plays with {ruling.setting}")
    assert missing == []


@pytest.mark.parametrize("key", FROM_BOOKS)
def test_every_ruling_says_why(key: str) -> None:
    assert [ruling.ruling for ruling in rulings_of(key) if not ruling.reason] == []


@pytest.mark.parametrize("key", FROM_BOOKS)
def test_every_rule_says_where_it_stands_and_what_is_left_to_the_gm_how_it_is_said(key: str) -> None:
    assert [rule.rule for rule in rules_of(key) if not rule.source] == []
    assert [rule.rule for rule in rules_of(key) if not (rule.needs_a_test or rule.gm)] == []


@pytest.mark.parametrize("key", FROM_BOOKS)
def test_what_the_gm_says_is_said_by_verbs_and_options_that_there_are(key: str) -> None:
    verbs = {**SHARED_VERBS, **{verb.verb: verb for verb in ruleset(key).actions}}
    for rule in rules_of(key):
        for said in rule.gm:
            verb, *rest = said.split()
            options = {f"--{each.option}" for each in parameters(verbs[verb])}
            assert {word for word in rest if word.startswith("--")} <= options, (rule.rule, said)


# That none of this can be fooled.

HEAD = "import pytest\nfrom rollbook.testing.scenarios import rule\n\n"
RULES = (Rule("R9.1", "D,E", "One"), Rule("R9.2", "S", "Two"), Rule("R9.3", "N", "Three"))
FINE = '@rule("R9.1")\ndef test_one():\n    assert len("one") == 3\n\n'


MADE_UP = {
    "fine": FINE,
    "idle": '@rule("R9.1", "R9.2")\ndef test_one():\n    len("one")\n    assert True\n',
    "uncollected": (
        '@rule("R9.1")\ndef proves_one():\n    assert len("one") == 3\n\n'
        'class Shelf:\n    @rule("R9.1")\n    def test_one(self):\n        assert len("one") == 3\n\n'
        'class TestTwo:\n    @rule("R9.2")\n    def test_two(self):\n        assert len("two") == 3\n'
    ),
    "skipped": "".join(
        f'@pytest.mark.{mark}\n@rule("R9.1")\ndef test_{number}():\n    assert len("one") == 3\n\n'
        for number, mark in enumerate(('skip("later")', 'skipif(True, reason="later")', "xfail"))
    ),
    "broken": f"import nothing_like_this\n{FINE}",
    "misnumbered": FINE.replace('"R9.1"', '"R9.1", "R9.9", "Q9.1"'),
    "unreached": (
        '@rule("R9.1")\ndef test_none():\n    for number in []:\n        assert number == 3\n\n'
        '@rule("R9.2")\ndef test_some():\n    for number in [3]:\n        assert number == 3\n\n'
        "def test_unmarked():\n    pass\n"
    ),
}
"""Modules of tests, of which most are faulty in one way."""


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with these modules."""
    folder = tmp_path_factory.mktemp("shelf")
    for name, source in MADE_UP.items():
        (folder / f"test_{name}.py").write_text(HEAD + source, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def made_up(shelf: Path) -> dict[str, tuple[Proof, ...]]:
    """What each of the modules proves."""
    proofs = proofs_in(shelf)
    return {name: tuple(proof for proof in proofs if proof.file == f"test_{name}.py") for name in MADE_UP}


def faults(proofs: Iterable[Proof]) -> dict[str, str]:
    return {proof.test: proof.fault for proof in proofs}


def test_a_rule_without_a_test_is_missing_unless_it_is_only_to_be_read(made_up) -> None:
    assert unproved_rules(RULES, made_up["fine"]) == ["R9.2"]


def test_a_test_without_assertions_proves_nothing(made_up) -> None:
    assert faults(made_up["idle"]) == {"test_one": "asserts nothing"}
    assert unproved_rules(RULES, made_up["idle"]) == ["R9.1", "R9.2"]


def test_a_mark_on_what_pytest_does_not_collect_counts_for_nothing(made_up) -> None:
    assert faults(made_up["uncollected"]) == {"TestTwo.test_two": ""}
    assert unproved_rules(RULES, made_up["uncollected"]) == ["R9.1"]


def test_a_mark_on_a_test_that_is_skipped_counts_for_nothing(made_up) -> None:
    assert faults(made_up["skipped"]) == dict.fromkeys(("test_0", "test_1", "test_2"), "is skipped")
    assert unproved_rules(RULES, made_up["skipped"]) == ["R9.1", "R9.2"]


def test_a_module_that_cannot_be_imported_proves_nothing_and_hides_nothing(made_up) -> None:
    assert made_up["broken"] == ()
    assert faults(made_up["fine"]) == {"test_one": ""}


def test_a_mark_with_a_number_that_there_is_not_is_found(made_up) -> None:
    unknown = unknown_marks([rule.rule for rule in RULES], made_up["misnumbered"])
    assert unknown == ["test_misnumbered.py::test_one R9.9"]


@pytest.mark.parametrize(
    ("body", "asserts"),
    [
        ("with pytest.raises(ValueError): int('x')", True),
        ("scenario.when('x').then('y')", True),
        ("scenario.when('x').then()", False),
        ("scenario.when('x').never(3)", True),
        ("scenario.when('x').refused()", True),
        ("scenario.when('x').rolling(3)", False),
        ("assert 'x', 'y'", False),
        ("assert ('x' == 'y', 'never false')", False),
        ("checks('x')", True),
        ("checks_by_another('x')", True),
        ("does_not('x')", False),
        ("unheard_of('x')", False),
    ],
)
def test_what_counts_as_an_assertion(body: str, *, asserts: bool) -> None:
    source = (
        "def checks(what):\n    assert what\n\n"
        "def checks_by_another(what):\n    checks(what)\n\n"
        "def does_not(what):\n    does_not(what)\n\n"
        f"def test_one():\n    {body}\n"
    )
    assert ModuleSource(source).asserts("test_one") is asserts


def test_a_marked_test_that_never_reaches_its_assertion_fails_when_it_runs(shelf: Path, made_up) -> None:
    assert faults(made_up["unreached"]) == {"test_none": "", "test_some": ""}
    ran = run_pytest(shelf / "test_unreached.py", "-v")
    assert "says that it proves R9.1, but it has asserted nothing" in ran.stdout
    assert "1 failed, 2 passed" in ran.stdout


def test_every_run_of_these_tests_looks_for_assertions(request: pytest.FixtureRequest) -> None:
    hooks = request.config.hook.pytest_runtest_call.get_hookimpls()
    assert pytest_runtest_call in [hook.function for hook in hooks]


def test_words_in_a_row_are_counted_whatever_stands_between_them() -> None:
    assert runs("One, two – three: FOUR five six seven.")[0] == ("one", "two", "three", "four", "five", "six")
    assert runs("one two three four five") == []


def test_tags_and_settings_are_read_as_they_are_printed() -> None:
    rules = "- **R8.1–R8.2** [S,E] x\n- **R8.3** [S] y (L3) [N for effects]\n- **R8.4** [N/E] z\n"
    assert printed_rules(rules) == [("R8.1", {"S", "E"}), ("R8.2", {"S", "E"}), ("R8.3", {"S"}), ("R8.4", {"N", "E"})]
    rulings = (
        "- **Q8.1** [gap] ★ one → `a_b = 3 (4)`, `c_d`, `plain`\n- **Q8.2** [gap] two `e_f = 1`\n- **Q8.3** ★★ none\n"
    )
    assert starred(rulings) == {"Q8.1": {"a_b", "c_d"}, "Q8.3": set()}
