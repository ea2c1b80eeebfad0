"""A replay on the screen: the place in it, the board, and the log up to there; in a pipe, a line or two a step."""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from itertools import zip_longest

import attrs
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.screen import Screen
from rich.segment import Segment, Segments
from rich.style import Style
from rich.text import Text as DrawnText

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.drawing import drawn_blocks, grid_of
from rollbook.adapters.cli.replay_player import HELP, SHORT, SPEEDS, Player
from rollbook.adapters.line_commands.json import json_shape, plain
from rollbook.adapters.line_commands.styled import Text
from rollbook.adapters.line_commands.views.board import blocks
from rollbook.adapters.line_commands.views.log import action_number, log_text
from rollbook.adapters.presentation.plain_text import printable
from rollbook.application.replays import Replay
from rollbook.domain.base.number_words import counted
from rollbook.projections.replay import Course, Difference, Step
from rollbook.projections.replay.steps import people
from rollbook.projections.session_log import LogLine
from rollbook.projections.status import Status

BESIDE = 100
"""Fewest columns for the log beside the board; with fewer it stands below."""
BETWEEN = " │ "
LEAST_LOG = 3
"""Share of the lines for the log below the board: at least one in so many."""
ASKED = {"g": "Go to #action or @entry: ", "/": "Filter (docs/filters.md): "}

Lines = list[list[Segment]]
HERE = Style(bold=True, color="green")
KEPT = 256
"""Most lines of the log that are kept as they were drawn."""

json_shape(
    Step,
    *("line", "marks", "then", "counted", "correction", "is_taken"),
    entry=lambda step: step.number,
    at=lambda step: step.at,
    round=lambda step: step.round,
    turn=lambda step: step.turn,
    corrected=lambda step: None if step.corrected == step.then else step.corrected,
)


@attrs.frozen
class Ruler:
    """A ruler of a replay, with the places of scenes and of corrections."""

    scenes: Sequence[int]
    corrections: Sequence[int]

    def drawn(self, place: int, last: int, width: int) -> Text:
        """The ruler as a line with the place on it."""

        def at(each: int) -> int:
            return round(each / max(last, 1) * (width - 1))

        letters = ["─"] * width
        for each in self.scenes:
            letters[at(each)] = "┴"
        for each in self.corrections:
            letters[at(each)] = "✎"
        here = at(place)
        before, after = "".join(letters[:here]), "".join(letters[here + 1 :])
        return Text.assemble((before, "dim"), ("●", "bold cyan"), (after, "dim"))


class ReplayScreen:
    """A replay as large as the terminal. Drawn lines of the log are kept, as most of them are shown again."""

    def __init__(self, console: Console, player: Player, ruler: Ruler, title: str) -> None:
        self._console = console
        self._player = player
        self._ruler = ruler
        self._title = title
        self._lines: OrderedDict[tuple[LogLine, int], Lines] = OrderedDict()
        self._numbers = len(f"#{player.replay.line(len(player.replay) - 1).action}")

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        player = self._player
        width, height = console.size
        step = player.replay.step(player.place)
        head = [title(player, step, self._title, width), where(player, step, width).drawn()]
        head.append(self._ruler.drawn(player.place, len(player.replay) - 1, width).drawn())
        room = max(height - len(head) - 1, 1)
        keys = ((Text(key, "bold"), Text(does)) for key, does in HELP)
        body = self._rendered(grid_of(keys), width) if player.shows_help else self._body(step, width, room)
        lines = [*(self._line(text, width) for text in head), *body[:room]]
        lines += [[Segment(" ")]] * (height - 1 - len(lines))
        lines.append(self._line(foot(player, width).drawn(), width))
        shown = [part for at, line in enumerate(lines[:height]) for part in (*([Segment.line()] if at else []), *line)]
        yield Screen(Segments(shown))

    def _rendered(self, drawing: RenderableType, width: int) -> Lines:
        return self._console.render_lines(drawing, self._console.options.update(width=width, height=None))

    def _line(self, text: DrawnText, width: int) -> list[Segment]:
        """A text as one line, cut where the screen ends."""
        text.truncate(width, overflow="ellipsis")
        return self._rendered(text, width)[0]

    def _body(self, step: Step, width: int, room: int) -> Lines:
        """The board and the log, beside each other or one above the other."""
        if width < BESIDE:
            board = self._board(step, width)
            kept = board[: max(room - room // LEAST_LOG - 1, 1)]
            more = len(board) - len(kept)
            rule = f"── {counted(more, 'more line')} " if more else ""
            return [*kept, [Segment(f"{rule:─<{width}}")], *self._log(width, room - len(kept) - 1)]
        left = (width - len(BETWEEN)) // 2
        board, log = self._board(step, left), self._log(width - left - len(BETWEEN), room)
        return [
            [*Segment.adjust_line_length(one or [], left), Segment(BETWEEN), *(other or [])]
            for one, other in zip_longest(board[:room], log)
        ]

    def _board(self, step: Step, width: int) -> Lines:
        """The board of a step; at a correction, its changes stand above it."""
        lines: Lines = []
        if self._player.course is Course.THEN and step.correction:
            for text in sides(self._player.replay.sides(self._player.place), step.line.reason):
                lines += self._rendered(text, width)
            lines += [[Segment(" ")]]
        return lines + self._rendered(drawn_blocks(blocks(step.status(self._player.course))), width)

    def _log(self, width: int, room: int) -> Lines:
        """The lines of the log up to the place, the last one at the bottom, as many as there is room for."""
        player = self._player
        lines: Lines = []
        place: int | None = player.place
        while place is not None and len(lines) < room:
            line = player.replay.shown(place, player.place, player.course)
            mark = Segment("▶ ", HERE) if place == player.place else Segment("  ")
            (first, *others) = self._drawn(line, width - len("▶ "))
            lines = [[mark, *first], *([Segment("  "), *other] for other in others), *lines]
            place = player.replay.neighbour(place, -1, player.course)
        return lines[-room:] if room > 0 else []

    def _drawn(self, line: LogLine, width: int) -> Lines:
        """A line of the log, with its number before it, wrapped beside that."""
        if (line, width) not in self._lines:
            beside = max(width - self._numbers - 1, 1)
            said = self._rendered(_said(line, width), beside)
            number = Text(f"{action_number(line).plain:>{self._numbers}} ", "cyan")
            before = [*number.drawn().render(self._console, end="")]
            blank = Segment(" " * (self._numbers + 1))
            self._lines[line, width] = [[*(before if not at else [blank]), *each] for at, each in enumerate(said)]
            if len(self._lines) > KEPT:
                self._lines.popitem(last=False)
        return self._lines[line, width]


def title(player: Player, step: Step, called: str, width: int) -> DrawnText:
    """The title of the replay, with session, scene and course."""
    line = step.line
    scene = f" · {printable(line.scene)}" if line.scene else ""
    course = Text(player.course.value, "reverse" if player.course is Course.CORRECTED else "bold")
    left = Text.assemble((f"{printable(called)} · session {line.session}", "bold cyan"), (scene, "cyan")).drawn()
    left.truncate(max(width - course.cell_len - 1, 8), overflow="ellipsis", pad=True)
    return DrawnText.assemble(left, " ", course.drawn())


def where(player: Player, step: Step, width: int) -> Text:
    """The place, the time, and how it plays."""
    line = step.line
    pace = "even pace" if player.every else "pace of the session"
    speed = f"{SPEEDS[player.speed]:g}×"
    symbol = "▶" if player.is_playing else "⏸"
    moment = player.replay.zone.time(line.at)
    parts = [f"#{line.action} @{line.entry}", moment, f"{player.place + 1} of {len(player.replay)}"]
    if step.marks:
        parts.append(", ".join(f"{mark.kind} {printable(mark.text)}".rstrip() for mark in step.marks))
    left = f"{symbol} {speed} {pace}"
    if cell_len(left) + cell_len(" · ".join(parts)) + 3 > width:
        left, parts[1] = f"{symbol} {speed}", moment[11:16]
    return Text.assemble((left, "bold"), (" · " + " · ".join(parts), "dim"))


def sides(changed: Sequence[Difference], reason: str) -> Iterator[Text]:
    """The changes of a correction, both sides of each."""
    why = f": {printable(reason)}" if reason else ""
    yield Text(f"✎ A correction{why}", "bold yellow")
    if not changed:
        yield Text("  Nothing on the board is otherwise.", "dim")
    for each in changed:
        whose = f"{printable(each.label)}, " if each.label else ""
        before, after = printable(each.before), printable(each.after)
        yield Text.assemble(f"  {whose}{printable(each.what)}: ", (before, "dim strike"), " → ", (after, "bold"))


def _said(line: LogLine, width: int) -> Text:
    who = Text(f"{printable(line.who)}  " if line.who else "", "magenta")
    return Text.assemble(who, log_text(line, {}, briefly=True, width=width))


def foot(player: Player, width: int) -> Text:
    """The last line: a question, a remark on the last key, or the keys for which there is room."""
    if player.asking:
        return Text.assemble((ASKED[player.asking], "bold"), printable(player.typed), ("█", "dim"))
    if player.said:
        return Text(printable(player.said), "yellow")
    text = Text()
    for key, does in SHORT:
        more = Text.assemble("  " if text else "", (key, "bold"), " ", (does, "dim"))
        if text.cell_len + more.cell_len > width:
            break
        text.append(more)
    return text


def print_steps(cli: CliContext, replay: Replay, course: Course) -> None:
    """Print a line for each step, the board in brief where it has changed, and both sides of each correction."""
    said, corrected = "", 0
    place: int | None = 0 if replay.is_moment(0, course) else replay.neighbour(0, 1, course)
    while place is not None:
        step = replay.step(place)
        if cli.json:
            cli.data({**plain(step), "changed": plain(replay.sides(place))})
        else:
            line = replay.shown(place, place, course)
            when = (replay.zone.time(line.at), "dim")
            cli.print(Text.assemble(when, "  ", action_number(line), "  ", _said(line, 0)))
            if step.correction and step.correction != corrected:
                cli.print(*(Text(f"    {text.plain}") for text in sides(replay.sides(place), step.line.reason)))
            corrected = step.correction
            before, said = said, _briefly(step.status(course))
            if said and said != before:
                cli.print(f"    {said}")
        place = replay.neighbour(place, 1, course)


def _briefly(status: Status) -> str:
    """The fight in a line: the round, whose turn it is, and all hit points."""
    if status.fight is None:
        return ""
    names = {each.character: each.label for each in people(status)}
    turn = f"{names[status.fight.current]}’s turn" if status.fight.current in names else "between turns"
    fighters = (f"{each.label} {_hit_points(each.left, each.most)}" for each in status.fight.fighters)
    return printable(f"Round {status.fight.round}, {turn}: {', '.join(fighters)}")


def _hit_points(left: int | None, most: int | None) -> str:
    return "" if left is None else f"{left} of {most}" if most is not None else f"{left}"
