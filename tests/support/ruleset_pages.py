"""Writes docs/rulesets/KEY.md: ``python -m tests.support.ruleset_pages [KEY ...]``."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from rollbook.domain.rules.action import Action, parameters
from rollbook.domain.rules.parameters import Parameter, ParameterType
from rollbook.domain.rules.ruleset import Ruleset, settings_fields
from tests.support.proofs import ROOT, RULESETS, TAGS, proofs_of, rules_of, rulings_of

COMMAND = "python -m tests.support.ruleset_pages"
DOCS = ROOT / "docs" / "rulesets"
TESTS = "tests/ruleset_plugins"
MOST_TESTS = 3
"""So many tests are named for a rule; the others are counted."""


def page_of(key: str) -> str:
    """The whole page of one ruleset, as Markdown."""
    module = importlib.import_module(f"rollbook.rulesets.{key}")
    game: Ruleset = module.RULESET
    parts = [
        [f"# {game.title}"],
        _introduction(game, module.__doc__ or ""),
        ["## Verbs", "", "Every verb explains its options with `rollbook do VERB --help`.", "", *_verbs(game)],
        ["## Second thoughts", "", *_second_thoughts(game)] if game.second_thoughts else [],
        ["## House rules", "", *_house_rules(key, game)],
        ["## Rules and their tests", "", *_rules(key)],
        ["## Open to argument", "", *_rulings(key, game)],
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
        "",
        f"This page is written by `{COMMAND} {game.key}` out of the ruleset itself, its `data/rules.json` and its tests.",
    ]


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
        [f"`{one.name}`{' ★' if one.name in open_ones else ''}", f"`{shown(one.default)}`", _others(one), one.help]
        for one in settings
    ]
    example = f"`rollbook new … --set {settings[0].name}={shown(settings[0].default)}`"
    star = "★ settles something that [readers argue about](#open-to-argument)."
    said = f"Chosen when a campaign begins, {example}, and kept with it. {star}"
    return [said, "", *markdown_table(("setting", "usually", "or", "what it decides"), rows)]


def shown(value: object) -> str:
    """A setting's value as it is typed."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _others(setting: Parameter) -> str:
    if setting.want is ParameterType.FLAG:
        return f"`{shown(not setting.default)}`"
    if setting.want is ParameterType.NUMBER:
        low = "" if setting.minimum is None else f" from {setting.minimum}"
        high = "" if setting.maximum is None else f" to {setting.maximum}"
        return f"any number{low}{high}"
    return " ".join(f"`{choice}`" for choice in setting.choices if choice != setting.default) or "any text"


def _rules(key: str) -> list[str]:
    rows = [
        [rule.rule, rule.title, rule.tags.replace(",", " "), _proofs_cell(key, rule.rule)] for rule in rules_of(key)
    ]
    legend = " · ".join(f"**{letter}** {meaning}" for letter, meaning in TAGS.items())
    place = f"The tests stand in [{TESTS}/{key}](../../{TESTS}/{key})."
    return [f"{legend}. {place}", "", *markdown_table(("rule", "what it is about", "", "proved by"), rows)]


def _rulings(key: str, game: Ruleset) -> list[str]:
    rows = []
    for one in rulings_of(key):
        setting = one.setting or _setting_for(one.ruling, game)
        rows.append([one.ruling, one.title, f"`{setting}`" if setting else "", _proofs_cell(key, one.ruling, setting)])
    return markdown_table(("ruling", "what was in doubt", "setting", "proved by"), rows)


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
        file = Path(DOCS / f"{key}.md")
        file.write_text(page_of(key), encoding="utf-8")
        sys.stdout.write(f"{file.relative_to(ROOT)}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
