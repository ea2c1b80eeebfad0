"""Player of a replay: its place, course and speed, and what each key does."""

from collections.abc import Callable
from typing import Final

import attrs

from rollbook.application.replays import CORRECTIONS, SCENES, TURNS, Replay
from rollbook.domain.base.errors import RollbookError
from rollbook.projections.numbers import action_number, entry_number
from rollbook.projections.replay import Course
from rollbook.projections.session_log import SqlCondition

SPEEDS: Final = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
NORMAL: Final = SPEEDS.index(1.0)
LONGEST_GAP: Final = 6.0
"""Seconds: a longer pause of the session is played as so many."""
SHORTEST_GAP: Final = 0.25
"""Seconds at normal speed: a shorter pause is played as so many, too."""
EVERY: Final = 1.5
"""Seconds of a step at an even pace."""
HELP: Final = (
    ("space", "play or pause"),
    ("← →", "a step back or on"),
    ("↑ ↓", "to the turn before or after"),
    ("[ ]", "to the scene before or after; Page Up and Page Down do the same"),
    ("c C", "to the next correction, or the one before"),
    ("/", "to the next entry that fits a filter: target=robin kind=DamageTaken"),
    ("n N", "the next that fits, or the one before"),
    ("g", "to an action or an entry: #31, @47"),
    ("v", "as it was then, or as corrected"),
    ("+ −", "faster or slower"),
    ("p", "at the pace of the session, or an even one"),
    ("Home End", "to the beginning or the end"),
    ("q", "leave; Ctrl-C too"),
)
"""Keys, and what each of them does."""
SHORT: Final = (
    ("space", "play"),
    ("←→", "step"),
    ("q", "leave"),
    ("?", "keys"),
    ("↑↓", "turn"),
    ("[]", "scene"),
    ("c", "correction"),
    ("/", "filter"),
    ("n", "next"),
    ("g", "go to"),
    ("v", "corrected"),
    ("+−", "speed"),
    ("p", "pace"),
)
"""The same in a line, the most needed first: as many as there is room for."""


@attrs.define
class Player:
    """State of a replay that is watched. ``every`` is the even pace in seconds, 0 for the pace of the session.

    ``asking`` is "" or the key of a question whose answer is being ``typed``; ``said`` is a remark on the last key.
    """

    replay: Replay
    course: Course = Course.THEN
    every: float = 0.0
    is_playing: bool = True
    place: int = 0
    speed: int = NORMAL
    asking: str = ""
    typed: str = ""
    said: str = ""
    shows_help: bool = False
    has_left: bool = False
    wanted: SqlCondition | None = None
    filter: str = ""

    def __attrs_post_init__(self) -> None:
        if not self.replay.is_moment(self.place, self.course):
            self.place = self.replay.neighbour(self.place, 1, self.course) or self.place

    def seconds_left(self) -> float | None:
        """Seconds for which the present step is shown while it plays; None if it does not."""
        if not self.is_playing or self.asking:
            return None
        following = self.replay.neighbour(self.place, 1, self.course)
        if following is None:
            self.is_playing = False
            return None
        return self._gap(following) / SPEEDS[self.speed]

    def _gap(self, following: int) -> float:
        if self.every:
            return self.every
        seconds = (self.replay.line(following).at - self.replay.line(self.place).at) / 1_000_000
        return min(max(seconds, SHORTEST_GAP), LONGEST_GAP)

    def press(self, key: str) -> None:
        """Act on a key; an unknown key does nothing."""
        self.said = ""
        if self.asking:
            self._type(key)
        elif self.shows_help and key != "q":
            self.shows_help = False
        elif key in _KEYS:
            _KEYS[key](self)

    def ask(self, key: str) -> None:
        """Ask for what is to be typed."""
        self.asking, self.typed = key, ""

    def _type(self, key: str) -> None:
        if key == "enter":
            asked, self.asking = self.asking, ""
            if self.typed.strip():
                self._answer(asked, self.typed.strip())
        elif key == "escape":
            self.asking = ""
        elif key == "rub out":
            self.typed = self.typed[:-1]
        elif key == "space":
            self.typed += " "
        elif len(key) == 1 and key.isprintable():
            self.typed += key

    def _answer(self, asked: str, answer: str) -> None:
        try:
            if asked == "g":
                self._go_to(answer)
            else:
                self.wanted, self.filter = self.replay.meant(answer), answer
                self.fit(1)
        except RollbookError as fault:
            self.said = str(fault).partition("\n")[0]

    def _go_to(self, answer: str) -> None:
        action, entry = action_number(answer), entry_number(answer)
        if action is not None:
            place = self.replay.place_of_action(action)
        elif entry is not None:
            place = self.replay.place_of_entry(entry, f"@{entry}")
        else:
            self.said = f"{answer!r} is neither an action, such as #31, nor an entry, such as @47."
            return
        if not self.replay.is_moment(place, self.course):
            self.course = Course.THEN
            self.said = "It does not count any more, so this is as it was then."
        self.place = place

    def step(self, by: int) -> None:
        """Go to the moment after, or before."""
        self._move(self.replay.neighbour(self.place, by, self.course), "There is nothing more that way.")

    def fit(self, by: int) -> None:
        """Go to the next entry that fits the filter, or the one before; without a filter, ask for one."""
        if self.wanted is None:
            self.ask("/")
            return
        found = self.replay.fitting(self.place, by, self.wanted, self.course)
        self._move(found, f"Nothing {'after' if by > 0 else 'before'} this fits: {self.filter}")

    def jump(self, by: int, wanted: SqlCondition, what: str) -> None:
        """Go to the next entry of a sort, or the one before."""
        found = self.replay.fitting(self.place, by, wanted, self.course)
        self._move(found, f"There is no {what} {'after' if by > 0 else 'before'} this.")

    def correction(self, by: int) -> None:
        """Go to the next correction, or the one before, as it was then: as corrected there are none."""
        self.course = Course.THEN
        self.jump(by, CORRECTIONS, "correction")

    def _move(self, place: int | None, missing: str) -> None:
        if place is None:
            self.said = missing
        else:
            self.place = place

    def end(self, place: int, by: int) -> None:
        """Go to the first or the last place."""
        if not self.replay.is_moment(place, self.course):
            place = self.replay.neighbour(place, by, self.course) or self.place
        self.place = place

    def toggle(self) -> None:
        """Play or pause; at the end, play from the beginning."""
        self.is_playing = not self.is_playing
        if self.is_playing and self.replay.neighbour(self.place, 1, self.course) is None:
            self.end(0, 1)

    def other_course(self) -> None:
        """Change from one course to the other, at the same place of the story."""
        self.course = Course.CORRECTED if self.course is Course.THEN else Course.THEN
        if not self.replay.is_moment(self.place, self.course):
            back = self.replay.neighbour(self.place, -1, self.course)
            self.place = self.replay.neighbour(self.place, 1, self.course) or self.place if back is None else back

    def faster(self, by: int) -> None:
        """Play faster or slower."""
        self.speed = min(max(self.speed + by, 0), len(SPEEDS) - 1)

    def pace(self) -> None:
        """Change between the pace of the session and an even one."""
        self.every = 0.0 if self.every else EVERY

    def help(self) -> None:
        """Show what each key does."""
        self.shows_help = True

    def leave(self) -> None:
        """Leave the replay."""
        self.has_left = True


_KEYS: Final[dict[str, Callable[[Player], None]]] = {
    "space": Player.toggle,
    "right": lambda player: player.step(1),
    "left": lambda player: player.step(-1),
    "down": lambda player: player.jump(1, TURNS, "turn"),
    "up": lambda player: player.jump(-1, TURNS, "turn"),
    "page down": lambda player: player.jump(1, SCENES, "scene"),
    "page up": lambda player: player.jump(-1, SCENES, "scene"),
    "]": lambda player: player.jump(1, SCENES, "scene"),
    "[": lambda player: player.jump(-1, SCENES, "scene"),
    "c": lambda player: player.correction(1),
    "C": lambda player: player.correction(-1),
    "/": lambda player: player.ask("/"),
    "n": lambda player: player.fit(1),
    "N": lambda player: player.fit(-1),
    "g": lambda player: player.ask("g"),
    "#": lambda player: player.ask("g"),
    "home": lambda player: player.end(0, 1),
    "end": lambda player: player.end(len(player.replay) - 1, -1),
    "v": Player.other_course,
    "+": lambda player: player.faster(1),
    "=": lambda player: player.faster(1),
    "-": lambda player: player.faster(-1),
    "p": Player.pace,
    "?": Player.help,
    "h": Player.help,
    "q": Player.leave,
}
