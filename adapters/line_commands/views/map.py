"""The squares in letters: a sign for each character, and what the signs mean."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.styled import Block, Rows, Text
from rollbook.adapters.presentation.plain_text import printable
from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.rules.board import Square, SquareMap, Stand
from rollbook.domain.rules.sides import Side
from rollbook.projections.replay.steps import people
from rollbook.projections.status import CharacterStatus, Status, Turn

CELL, MARGIN = 3, 1
"""The columns of a square on the screen, and the squares around those that matter."""
HIGHEST = 40
"""Most rows that are drawn, around who has the turn."""
NOTHING, SEVERAL = "·", "**"
STYLES = {Side.PARTY: "bold green", Side.FOES: "bold red", Side.NEITHER: "bold"}
NOBODY = "Nobody is on the map yet. Put somebody on a square: place WHO EAST NORTH"


def show_map(context: CommandContext, squares: SquareMap, status: Status) -> None:
    """Print the map as wide as the terminal, and a line for each character on it."""
    context.print_blocks(blocks(squares, status, context.width if context.is_terminal else 0))


def blocks(squares: SquareMap, status: Status, width: int = 0) -> list[Block]:
    """The map and its signs; of a map that is larger than the ``width`` (0: any) only the part around the turn."""
    shown = {who.character: who for who in people(status) if who.character in squares.stands}
    if not shown:
        return [Text(NOBODY)]
    stands = {who: squares.stands[who] for who in shown}
    signs = signs_of(shown.values())
    turn = next((who.character for who in shown.values() if who.turn is Turn.NOW), next(iter(shown)))
    middle = stands[turn].square
    most = max((width - CELL - 2) // CELL, 5) if width else HIGHEST
    columns = _span([stand.square[0] for stand in stands.values()], middle[0], most)
    rows = _span([stand.square[1] for stand in stands.values()], middle[1], HIGHEST)
    scale = f" · a square is {squares.scale}" if squares.scale else ""
    return [
        *_drawn(columns, rows, stands, signs),
        Text(f"north is up{scale}", "dim"),
        Rows([_meaning(who, stands[who.character], signs) for who in shown.values()]),
    ]


def signs_of(everybody: Iterable[CharacterStatus]) -> dict[CharacterId, str]:
    """A sign of at most two letters for each: the first of the name and its number, or the next letter that is free."""
    signs: dict[CharacterId, str] = {}
    for who in everybody:
        taken = set(signs.values())
        signs[who.character] = next(sign for sign in _tried(printable(who.label)) if sign not in taken)
    return signs


def _tried(name: str) -> Iterator[str]:
    letters = [letter for letter in name if letter.isalnum()] or ["?"]
    digits = "".join(letter for letter in name if letter.isdigit())
    if digits and len(digits) == 1:
        yield letters[0] + digits
    yield letters[0].upper()
    yield from (letters[0].upper() + letter.lower() for letter in letters[1:])
    yield from (f"{number:02}"[-2:] for number in count(1))


def _span(places: Sequence[int], middle: int, most: int) -> range:
    low, high = min(places) - MARGIN, max(places) + MARGIN
    if high - low >= most:
        low = max(low, min(middle - most // 2, high - most + 1))
        high = low + most - 1
    return range(low, high + 1)


def _drawn(
    columns: range, rows: range, stands: Mapping[CharacterId, Stand], signs: Mapping[CharacterId, str]
) -> Iterator[Text]:
    """The rows from the top down, each with its number, and below them the numbers of the columns."""
    on: dict[tuple[int, int], list[CharacterId]] = {}
    for who, stand in stands.items():
        on.setdefault(stand.square[:2], []).append(who)
    for north in reversed(rows):
        line = Text(f"{_number(north):>{CELL}} ", "dim")
        for east in columns:
            line.append(_cell(on.get((east, north), ()), stands, signs))
        yield line
    yield Text(" " * (CELL + 1) + "".join(_number(east).ljust(CELL) for east in columns).rstrip(), "dim")


def _cell(here: Sequence[CharacterId], stands: Mapping[CharacterId, Stand], signs: Mapping[CharacterId, str]) -> Text:
    if not here:
        return Text(NOTHING.ljust(CELL), "dim")
    standing = [who for who in here if not stands[who].is_down] or here
    if len(standing) > 1:
        return Text(SEVERAL.ljust(CELL), "bold")
    (who,) = standing
    return Text(signs[who].ljust(CELL), "dim" if stands[who].is_down else STYLES[stands[who].side])


def _number(place: int) -> str:
    """A coordinate in two columns: of one with more digits the last two."""
    text = f"{place}".replace("-", "−")
    return text if len(text) < CELL else text[-(CELL - 1) :]


def _meaning(who: CharacterStatus, stand: Stand, signs: Mapping[CharacterId, str]) -> tuple[Text, ...]:
    said = ["down"] if stand.is_down else []
    said += ["on turn"] if who.turn is Turn.NOW else []
    said += ["flanked"] if stand.flanked_by else []
    return (
        Text(signs[who.character], STYLES[stand.side]),
        Text(printable(who.label), "magenta"),
        Text(named(stand.square)),
        Text(", ".join(said), "dim"),
    )


def named(square: Square) -> str:
    """A square as it is typed, with its level where it has one: ``3,4`` or ``3,4,2``."""
    return ",".join(map(str, square if square[2] else square[:2])).replace("-", "−")
