"""Writes docs/rulesets/KEY.md, and beside the tests of a ruleset the list of its rules with those that prove them.

``python -m tests.support.ruleset_pages [KEY ...]``
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterable, Iterator, Sequence

from rollbook.adapters.presentation.house_rules import answers_to, what_holds
from rollbook.domain.rules.action import Action, parameters
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.rules.ruleset import Ruleset, settings_fields
from tests.support.proofs import ROOT, RULESETS, TAGS, proofs_of, rules_of, rulings_of

COMMAND = "python -m tests.support.ruleset_pages"
DOCS = ROOT / "docs" / "rulesets"
TESTS = ROOT / "tests" / "ruleset_plugins"
LIST, TURN = "RULES.md", "turn.md"
MOST_TESTS = 3
"""So many tests are named for a rule; the others are counted."""


def page_of(key: str) -> str:
    """The whole page of one ruleset, as Markdown."""
    module = importlib.import_module(f"rollbook.rulesets.{key}")
    game: Ruleset = module.RULESET
    parts = [
        [f"# {game.title}"],
        _introduction(game, module.__doc__ or ""),
        ["## A turn", "", _turn(key)],
        ["## What you say", "", *_said_by_the_gm(key)] if any(rule.gm for rule in rules_of(key)) else [],
        ["## House rules", "", *_house_rules(key, game)],
        ["## After a roll", "", *_second_thoughts(game)] if game.second_thoughts else [],
        ["## Verbs", "", "Every verb explains its options with `rollbook do VERB --help`.", "", *_verbs(game)],
        ["## Open to argument", "", *_rulings(key, game)],
        ["## How it is proved", "", _where_rules_are(key)],
        ["## Notice", "", "\n\n".join(game.notice.splitlines())] if game.notice else [],
    ]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _introduction(game: Ruleset, docstring: str) -> list[str]:
    said = " ".join(docstring.split()).removeprefix(f"{game.key}: ")
    return [
        f"*{said[:1].upper()}{said[1:]}*",
        "",
        game.summary,
        "",
        "```sh",
        f'rollbook new "My campaign" --ruleset {game.key}',
        "```",
    ]


def _turn(key: str) -> str:
    """An example to type, with what it shows, which a test types."""
    return (TESTS / key / TURN).read_text(encoding="utf-8").strip()


def _verbs(game: Ruleset) -> list[str]:
    rows = [[_call(verb), f"{first_sentence(verb)}{_restrictions(verb)}", _options(verb)] for verb in game.actions]
    return markdown_table(("verb", "what it does", "options"), rows)


def _call(verb: type[Action]) -> str:
    needed = [parameter.name.upper() for parameter in parameters(verb) if parameter.required and not parameter.hidden]
    return f"`{' '.join((verb.verb, *needed))}`"


def _options(verb: type[Action]) -> str:
    free = [parameter for parameter in parameters(verb) if not parameter.required and not parameter.hidden]
    rulings = [] if verb.gm_only else [parameter for parameter in free if parameter.gm_only]
    said = [" ".join(f"`--{each.option}`" for each in free if each not in rulings)]
    said += ["*the GM says* " + " ".join(f"`--{each.option}`" for each in rulings)] if rulings else []
    return "; ".join(part for part in said if part)


def first_sentence(verb: type[Action]) -> str:
    """The first sentence of a verb's docstring."""
    return re.split(r"(?<=[.!?])\s", " ".join((verb.__doc__ or "").split()), maxsplit=1)[0]


def _restrictions(verb: type[Action]) -> str:
    return " *(the GM's)*" if verb.gm_only else ""


def _second_thoughts(game: Ruleset) -> list[str]:
    rows = [[f"`{kind}`", said] for kind, said in game.second_thoughts.items()]
    return markdown_table(("after the roll", "what it does"), rows)


def _house_rules(key: str, game: Ruleset) -> list[str]:
    settings = settings_fields(game)
    if not settings:
        return ["There are none."]
    open_ones = {ruling.setting or _setting_for(ruling.ruling, game) for ruling in rulings_of(key)}
    rows = [
        [f"`{one.name}`{' ★' if one.name in open_ones else ''}", what_holds(one, one.default), _others(one)]
        for one in settings
    ]
    example = f"`rollbook new … --set {settings[0].name}={shown(settings[0].default)}`"
    star = "★ settles something that [readers argue about](#open-to-argument)."
    said = (
        f"Chosen when a campaign begins, {example}, and kept with it; changed with `house-rules`, or on the web in the GM's "
        f"room. {star}"
    )
    return [said, "", *markdown_table(("setting", "usually", "or"), rows)]


def shown(value: object) -> str:
    """A setting's value as it is typed."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _others(setting: Parameter) -> str:
    if setting.want is ParameterType.NUMBER:
        low = "" if setting.minimum is None else f" from {setting.minimum}"
        high = "" if setting.maximum is None else f" to {setting.maximum}"
        return f"any number{low}{high}"
    others = [value for value, _ in answers_to(setting) if value != shown(setting.default)]
    if not setting.means:
        return " ".join(f"`{value}`" for value in others) or "any text"
    return "<br>".join(f"`{value}`: {what_holds(setting, value)}" for value in others)


def _where_rules_are(key: str) -> str:
    rules = rules_of(key)
    proved = sum(rule.needs_a_test for rule in rules)
    there = f"{TESTS.relative_to(ROOT).as_posix()}/{key}/{LIST}"
    return (
        f"R{RULESETS.index(key)}.1 to {rules[-1].rule}, {proved} of them with a test: `{there}`, as this page "
        f"written by `{COMMAND} {key}`."
    )


def _said_by_the_gm(key: str) -> list[str]:
    rows = [[rule.rule, rule.title, ", ".join(f"`{each}`" for each in rule.gm)] for rule in rules_of(key) if rule.gm]
    said = "What the rules leave to somebody at the table, and how it is said. Anything else is a `ruling`."
    return [said, "", *markdown_table(("rule", "what it is about", "said by"), rows)]


def list_of(key: str) -> str:
    """The rules of a ruleset with the tests that prove them, and the rulings, as Markdown."""
    game: Ruleset = importlib.import_module(f"rollbook.rulesets.{key}").RULESET
    page = f"docs/rulesets/{key}.md"
    parts = [
        [f"# {game.title}: rules and their tests"],
        [f"For [{page}](../../../{page}), written with it by `{COMMAND} {key}`."],
        _rules(key),
        ["## Open to argument", "", *_proved_rulings(key, game)],
    ]
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _rules(key: str) -> list[str]:
    rules = rules_of(key)
    rows = [[rule.rule, rule.title, rule.tags.replace(",", " "), _proofs_cell(key, rule.rule)] for rule in rules]
    if any(rule.source for rule in rules):
        rows = [[*row[:2], rule.source, *row[2:]] for row, rule in zip(rows, rules, strict=True)]
    head = ("rule", "what it is about", *(("where it stands",) if rules[0].source else ()), "", "proved by")
    legend = " · ".join(f"**{letter}** {meaning}" for letter, meaning in TAGS.items())
    return [f"{legend}.", "", *markdown_table(head, rows)]


def _rulings(key: str, game: Ruleset) -> list[str]:
    rows = []
    for one in rulings_of(key):
        setting = one.setting or _setting_for(one.ruling, game)
        rows.append([one.ruling, one.title, *([one.reason] if one.reason else []), f"`{setting}`" if setting else ""])
    reasons = ("because",) if len(rows[0]) > len(("ruling", "title", "setting")) else ()
    return markdown_table(("ruling", "what was in doubt", *reasons, "setting"), rows)


def _proved_rulings(key: str, game: Ruleset) -> list[str]:
    rows = [
        [one.ruling, one.title, _proofs_cell(key, one.ruling, one.setting or _setting_for(one.ruling, game))]
        for one in rulings_of(key)
    ]
    return markdown_table(("ruling", "what was in doubt", "proved by"), rows)


def _setting_for(ruling: str, game: Ruleset) -> str:
    """The setting that says that it settles a ruling, "" if none does."""
    return next((setting.name for setting in settings_fields(game) if f"({ruling})" in setting.help), "")


def _proofs_cell(key: str, number: str, setting: str = "") -> str:
    """The tests that prove a rule: those that are about little else, and if there are more, how many."""
    found = [proof for proof in proofs_of(key) if number in proof.numbers and not proof.fault]
    if setting:
        found = [proof for proof in found if setting in proof.words]
    shown = sorted(found, key=lambda proof: len(proof.numbers))[:MOST_TESTS]
    named = [f"`{proof.file}::{proof.test}`" for proof in found if proof in shown]
    return "<br>".join([*named, f"and {len(found) - len(shown)} more"] if len(found) > len(shown) else named)


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table in Markdown."""
    return [_row(head), _row(["---"] * len(head)), *map(_row, rows)]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def importable(keys: Iterable[str]) -> Iterator[str]:
    """Those of the rulesets that are there and can be imported; of the others it is said why not."""
    for key in keys:
        try:
            importlib.import_module(f"rollbook.rulesets.{key}").RULESET  # noqa: B018 - that it is there is all we ask
        except (ImportError, AttributeError) as reason:
            sys.stderr.write(f"no page for {key}: {reason}\n")
        else:
            yield key


def main(keys: Sequence[str]) -> None:
    """Write the pages of these rulesets, of all that are there if none is named."""
    DOCS.mkdir(parents=True, exist_ok=True)
    for key in keys or tuple(importable(RULESETS)):
        for file, text in ((DOCS / f"{key}.md", page_of(key)), (TESTS / key / LIST, list_of(key))):
            file.write_text(text, encoding="utf-8")
            sys.stdout.write(f"{file.relative_to(ROOT)}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
