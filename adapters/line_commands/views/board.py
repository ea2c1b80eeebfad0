"""The board: a fight at a glance, or the scene and the characters in it."""

from collections import Counter
from collections.abc import Iterable, Sequence

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.json import json_shape, merged
from rollbook.adapters.line_commands.styled import GAP, Block, Rows, Text, columns_of, cut_to
from rollbook.adapters.presentation.plain_text import printable
from rollbook.domain.base.number_words import counted
from rollbook.projections.status import CharacterStatus, FightStatus, Status, Turn, WaitingStatus

LONGEST_NAME = 26
LONGEST_PLACE = 24
"""Widest name and place, in terminal columns; a longer name ends in an ellipsis, a longer place wraps."""

MARKS = {Turn.NOW: Text("▶", "bold green"), Turn.ACTED: Text("✓", "dim")}
STOPPED = "The X-card is on the table. The GM goes on with: x-card --resume, or --skip, --adjust, --rewind"
NOBODY = "Nobody is in play yet. Bring somebody in: rollbook do join --help"

json_shape(
    Status,
    *(
        "campaign",
        "session",
        "session_title",
        "session_open",
        "mixed",
        "scene",
        "clock",
        "paused",
        "fight",
        "elsewhere",
        "characters",
        "choices",
        "faults",
    ),
    lines=lambda status: dict(status.lines),
)


def status_json(status: Status) -> dict[str, object]:
    """JSON of a status."""
    return merged(status)


HP, WHERE, HELD, CONDITIONS = 2, 4, 6, 7
"""Positions of columns in a row."""
COMFORTABLE, ROOM = 80, 26
"""Columns of a usual terminal, and those of them to leave for conditions."""


def show_status(context: CommandContext, status: Status) -> None:
    """Print the status of a campaign. In a pipe every row is one line."""
    context.print_blocks(blocks(status))


def blocks(status: Status) -> list[Block]:
    """The blocks of the board, from top to bottom: turn or scene, characters, what else counts, and the place."""
    fight = status.fight
    people = fight.fighters if fight else _here(status)
    more = [*_lines(status)]
    if fight:
        more.append(("Fight", " · ".join(filter(None, (fight.title, status.scene, _when(status))))))
    below: list[Block] = [GAP, _labelled(more)] if more else []
    return [
        *opening(status),
        GAP,
        _people(people) if people else Text(NOBODY),
        *below,
        *(Text(printable(fault), "yellow") for fault in status.faults),
    ]


def opening(status: Status) -> list[Block]:
    """The first blocks of the board: the X-card if it is raised, and the round and whose turn it is, or the scene."""
    stopped: list[Block] = [Text(STOPPED, "bold red"), GAP] if status.paused else []
    rows = [("Meanwhile", _waiting(scene)) for scene in status.elsewhere]
    meanwhile: list[Block] = [_labelled(rows)] if rows else []
    if status.fight:
        return [*stopped, *_turn_lines(status.fight), *meanwhile]
    where = (printable(status.scene or status.campaign), "bold yellow")
    return [*stopped, Text.assemble(where, (f" · {_when(status)}", "dim")), *meanwhile]


def _here(status: Status) -> tuple[CharacterStatus, ...]:
    """The characters outside a fight, without those in a fight elsewhere."""
    away = {who for scene in status.elsewhere for who in scene.fighters}
    return tuple(who for who in status.characters if who.character not in away)


def _waiting(scene: WaitingStatus) -> str:
    """A scene that waits: ``The cellar · round 2 · Ann's turn``."""
    whose = f"{_short(scene.whose)}'s turn" if scene.whose else "between turns"
    return " · ".join((scene.name, *((f"round {scene.round}", whose) if scene.round else ())))


def _turn_lines(fight: FightStatus) -> list[Block]:
    names = {each.character: _short(each.label) for each in fight.fighters}
    whose = f"{names[fight.current]}'s turn" if fight.current else "between turns"
    rows = [("Next", one_of([names[who] for who in fight.next]) or "a new round")]
    if fight.left is not None:
        rows.insert(0, ("Left", ", ".join(fight.left) or "nothing"))
    return [Text.assemble((f"Round {fight.round}", "bold yellow"), " · ", (whose, "bold")), _labelled(rows)]


def one_of(names: Sequence[str]) -> str:
    """``A``, ``A or B``, ``A, B or C``."""
    *before, last = names or ("",)
    return f"{', '.join(before)} or {last}" if before else last


def _labelled(rows: Iterable[tuple[str, str]]) -> Rows:
    return Rows([(Text(printable(label), "dim"), Text(printable(text))) for label, text in rows], widest=(0,))


def _people(people: Sequence[CharacterStatus]) -> Rows:
    """A row for each character, without the columns that are empty in every row.

    Resources have a column of their own if that leaves enough room for conditions, else they stand behind those.
    """
    rows = [_row(who) for who in people]
    if sum(max(row[place].cell_len for row in rows) + 2 for place in range(CONDITIONS)) > COMFORTABLE - ROOM:
        joined = (Text(", ", "dim").join(text for text in (row[CONDITIONS], row[HELD]) if text) for row in rows)
        rows = [(*row[:HELD], Text(), last) for row, last in zip(rows, joined, strict=True)]
    used = [place for place in range(len(rows[0])) if any(row[place].plain.strip() for row in rows)]
    right = tuple(at for at, place in enumerate(used) if place == HP)
    widest = tuple(LONGEST_PLACE if place == WHERE else 0 for place in used[:-1])
    return Rows([[row[place] for place in used] for row in rows], right, widest)


def _row(who: CharacterStatus) -> tuple[Text, ...]:
    down = who.left is not None and who.left <= 0
    name = Text(_short(who.label), "bold magenta" if who.turn is Turn.NOW else "dim magenta" if down else "magenta")
    mark = MARKS.get(who.turn, Text(" "))
    hp = Text(printable(who.hp), _health(who))
    armour = Text("" if who.armour_class is None else f"AC {who.armour_class}", "dim")
    where, away, held = (printable(text) for text in (who.where, who.away, ", ".join(who.resources)))
    return mark, name, hp, armour, Text(where), Text(away, "dim"), Text(held, "dim"), _conditions(who)


def _short(label: str) -> str:
    text = printable(label)
    return text if columns_of(text) <= LONGEST_NAME else f"{cut_to(text, LONGEST_NAME - 1).rstrip()}…"


def _health(who: CharacterStatus) -> str:
    if who.left is None or not who.most:
        return "bold"
    return "bold red" if who.left <= 0 else "bold yellow" if who.left * 2 <= who.most else "bold"


def _conditions(who: CharacterStatus) -> Text:
    said = [("hidden", "bold red")] if who.is_hidden else []
    for each in who.conditions:
        about = ", ".join(dict.fromkeys(filter(None, (each.detail, each.left))))
        said.append((printable(f"{each.name} ({about})" if about else each.name), "yellow"))
    return Text(", ", "dim").join(Text(text, style) for text, style in said)


def _lines(status: Status) -> Iterable[tuple[str, str]]:
    yield from status.lines
    if status.mixed:
        yield "Dice", f"mixed to {status.mixed}"
    for who, many in Counter((choice.label, choice.character) for choice in status.choices).items():
        label, character = who
        yield "Open", f"{label} has {counted(many, 'choice')} (choose {character})"


def _when(status: Status) -> str:
    """The session, and the campaign's clock: ``day 2, 00:20``."""
    session = f"session {status.session}" if status.session_open else "no session is open"
    day, second = divmod(status.clock, 86_400)
    shown = f"{second // 3_600:02}:{second % 3_600 // 60:02}" + (f":{second % 60:02}" if second % 60 else "")
    return f"{session} · day {day + 1}, {shown}"
