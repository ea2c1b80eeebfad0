"""A bestiary: rows of stat blocks for ``join --like``, from the user's file or from a game's own.

A row holds the options that would be typed after ``join``, by name: ``[storytoken.wolf]``, then ``hp = 9``. The
campaign stores the whole join, never the name of the row, so a file may change.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import NamedTuple, cast

from rollbook.adapters.bestiary.foreign_stat_blocks import is_named, options_of, read_stat_block, unused_line
from rollbook.adapters.imports.bounded import MIB, Bounds, read_text, toml_of
from rollbook.adapters.local_files import paths
from rollbook.adapters.local_files.own_files import added_to
from rollbook.application.lines.verb_line import LineError, read_value
from rollbook.domain.base.errors import NotFound, Refused, RollbookError, not_found
from rollbook.domain.events import ParameterValue
from rollbook.domain.rules.action import Action, user_parameters
from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.state.campaign_state import CampaignState, Character
from rollbook.domain.state.lookup import find_character, slug

FILE = "bestiary.toml"
NAME, HP = "name", "hp"
BOUNDS = Bounds(size=4 * MIB, line=MIB, lines=100_000)
OUTCOME = "No row of it was used."

_NUMBER = re.compile(r"(?<=\S)[ -]+[0-9]{1,6}$")


class Block(NamedTuple):
    """One row: its name, its file, and its value for each option."""

    name: str
    file: str
    options: Mapping[str, object]


def blocks(game: str, verb: type[Action]) -> dict[str, Block]:
    """The rows for a game, by slug: the user's own, then those that come with it. Raises RollbookError for a faulty file."""
    found: dict[str, Block] = {}
    for file, text in (*_own(), *_shipped(verb)):
        for name, options in _rows(file, text, game):
            found.setdefault(slug(name), Block(name, file, options))
    return found


def _own() -> Iterator[tuple[str, str]]:
    path = paths.bestiary_path()
    if path.exists():
        yield str(path), read_text(path, OUTCOME, BOUNDS)


def _shipped(verb: type[Action]) -> Iterator[tuple[str, str]]:
    """The file beside the other data of the game, if there is one."""
    package = verb.__module__.rpartition(".")[0]
    while package:
        file = resources.files(package).joinpath("data", FILE)
        if file.is_file():
            yield f"{package}/data/{FILE}", file.read_text(encoding="utf-8")
            return
        package = package.rpartition(".")[0]


def _rows(file: str, text: str, game: str) -> Iterator[tuple[str, Mapping[str, object]]]:
    rows = toml_of(text, file, OUTCOME).get(game, {})
    if not isinstance(rows, dict):
        raise RollbookError(f"{file}: {game} holds rows, as in [{game}.wolf], and here it is something else.")
    for name, options in rows.items():
        if not isinstance(options, dict):
            raise RollbookError(
                f"{file}: {name} is a row of options, as in [{game}.{name}], and here it is something else."
            )
        yield name, options


def expanded(
    state: CampaignState, verb: type[Action], given: Mapping[str, str], said: Callable[[str], None] = lambda _: None
) -> tuple[Mapping[str, str], dict[str, ParameterValue]]:
    """The values typed after ``join --like NAME``, completed from the character of that name, or else from a row.

    NAME may also be a file with another program's stat block (``stat_blocks``); ``said`` is given the sentence about
    values that the game cannot use. Raises NotFound for an unknown name, and RollbookError for a faulty row or file.
    """
    like = given[verb.pattern]
    known = {parameter.name: parameter for parameter in user_parameters(verb)}
    if is_named(like):
        block = _of_file(state, verb, Path(like).expanduser(), known, said)
    else:
        try:
            pattern = state.characters[find_character(state, like)]
            return given, {NAME: _NUMBER.sub("", pattern.name), **needed_of(verb, pattern)}
        except NotFound as nobody:
            block = _block(state, verb, like, nobody)
    taken = dict(_values(block, known, state))
    return {name: text for name, text in given.items() if name != verb.pattern}, {NAME: block.name, **taken}


def _of_file(
    state: CampaignState, verb: type[Action], path: Path, known: Mapping[str, Parameter], said: Callable[[str], None]
) -> Block:
    block = read_stat_block(path)
    takes = {option: meaning for option, meaning in verb.stat_block.items() if option.partition(".")[0] in known}
    units = {option: known[option].unit for option in takes if option in known}
    options, unused = options_of(block, takes, units)
    if unused:
        said(unused_line(block, state.ruleset or "A game without rules", unused))
    return Block(block.name, str(path), options)


def needed_of(verb: type[Action], pattern: Character) -> dict[str, ParameterValue]:
    """The hit points of a pattern, if the game requires them to be given."""
    wants = any(each.name == HP and each.required for each in user_parameters(verb))
    return {HP: max(pattern.stats.get("max_hp", 1), 1)} if wants else {}


def _block(state: CampaignState, verb: type[Action], like: str, nobody: NotFound) -> Block:
    rows = blocks(state.ruleset, verb)
    if slug(like) in rows:
        return rows[slug(like)]
    if nobody.near and not any(near in rows for near in nobody.near):
        raise nobody
    raise NotFound(
        f"Nobody called {like!r} was here, and no row of a bestiary is: {not_found('row', like, rows)}",
        not_found("row", like, rows).near,
    )


def _values(block: Block, known: Mapping[str, Parameter], state: CampaignState) -> Iterator[tuple[str, ParameterValue]]:
    for option, said in block.options.items():
        parameter = known.get(option.replace("-", "_"))
        if parameter is None:
            raise RollbookError(f"{block.file}: {block.name}: {not_found('option of join', option, known)}")
        try:
            yield parameter.name, _value(parameter, said, state)
        except RollbookError as reason:
            raise RollbookError(f"{block.file}: {block.name}: {reason}") from None


def _value(parameter: Parameter, said: object, state: CampaignState) -> ParameterValue:
    """The value of an option in a row. Raises Refused or LineError if it is none."""
    if isinstance(said, str):
        return read_value(parameter, said, state)
    is_list = isinstance(said, list) and parameter.want.nothing == ()
    value = cast("ParameterValue", tuple(map(str, cast("list[object]", said))) if is_list else said)
    try:
        parameter.check(value)
    except Refused as reason:
        raise LineError(str(reason)) from None
    return value


# Writing.


def written(game: str, numbers: Mapping[str, ParameterValue], name: str) -> str:
    """A character as a row of the file."""
    rows = (f"{option} = {_toml(said)}" for option, said in numbers.items() if said)
    return f"[{game}.{json.dumps(slug(name))}]\n" + "".join(f"{row}\n" for row in rows)


def _toml(said: ParameterValue) -> str:
    if isinstance(said, Mapping):
        return "{ " + ", ".join(f"{_quoted(name)} = {_toml(value)}" for name, value in said.items()) + " }"
    return str(said) if isinstance(said, int) else _quoted(str(said))


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def keep(file: Path, game: str, rows: Mapping[str, str]) -> None:
    """Add rows to the user's own file. Raises RollbookError for a name that a row there has, or if it cannot be written."""
    own = [name for path, text in _own() for name, _ in _rows(path, text, game)]
    twice = next((name for name in rows if slug(name) in map(slug, own)), None)
    if twice:
        raise RollbookError(
            f"There is a row {slug(twice)!r} for {game} in {file} already. Give another name with --as."
        )
    try:
        with added_to(file.resolve()) as open_file:
            open_file.write("".join(f"\n{row}" for row in rows.values()).encode())
    except OSError as fault:
        raise RollbookError(f"{file} cannot be written: {fault.strerror}.") from None
