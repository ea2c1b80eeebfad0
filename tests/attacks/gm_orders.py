"""A GM who changes nothing of the program and may do everything else, in any order, makes no face likelier than the audit says.

By hand: ``python -m tests.attacks.gm_orders --orders 20000 --first 1`` plays random orders of 8 to 14 commands. Each has a seed
that says all of it: what fails is played again with ``--first SEED --orders 1``. ``--tree 6`` plays all orders of up to six
commands, with a die of so many ``--sides``. Exit code 1 if a face is likelier than the audit says.

**The GM** knows all seeds, so every die as soon as the lines are said that are mixed into it, and chooses the next command by
them: open and close sessions, mix in a line, ask the player for one, seat other GMs and players, have a seat leave and come back
with the other role, roll the attack by the hand of any of these, roll for something else, undo, redo, grant, fork, put back an
older copy. The player is honest, and nobody can foresee a line of theirs. All who sat there as players when the session was
opened count as honest: a GM with a friend among them can choose that friend's line, and no audit knows (docs/dice.md).

**A try** is a die that the GM could have for the attack: a cell, which is a session, the lines in it and a place. The last attack
that counts in the end is looked at. If its session has level 1, and it is not listed as of a seat that could be chosen, each face
has at most the chance ``1 - (1 - 1/sides) ** tries``, where ``tries`` are the cells that leave no more on record
(``Record.tries``). With nothing else on record that is exactly ``1 / sides``. Of other attacks nothing is promised, nor of one
behind the screen: that has dice of its own, and a GM who looks ahead can choose between the two.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import attrs

from tests.attacks.gm_record import Reading, read
from tests.attacks.gm_table import PLAYER, Command, Commands, GMTable
from tests.attacks.gm_tree import Tree, said

SHORTEST, LONGEST = 8, 14
LIKELY = ("attack",) * 5 + ("ask",) * 5 + ("open",) * 4 + ("close", "undo", "redo", "grant", "restore", "backup")
MEMORY = Path("/dev/shm")
"""Where there is memory that can be used as a disk, for the stores of the tables."""
A_LINE_EVERY = 500


@attrs.frozen
class Order:
    """A random order, and the attack with the most tries in proportion: how many the GM ``had``, and what was on record."""

    seed: int
    path: Commands
    commands: int
    refused: int
    attacks: int
    had: int
    worst: Reading | None

    @property
    def is_over(self) -> bool:
        """Whether the GM had more tries than there are on record."""
        return self.worst is not None and self.had > self.worst.record.tries


@attrs.define
class _Course:
    """A random order as it is played: what the GM could have had until now."""

    chance: random.Random
    folder: Path
    had: list[Reading] = attrs.field(factory=list)
    refused: int = 0
    tried: int = 0
    most: tuple[float, int, Reading | None] = (0.0, 0, None)

    def note(self, reading: Reading | None) -> None:
        """An attack that could be the last word: every cell that the GM could have had without more on record is a try."""
        if reading is None or not reading.is_promised:
            return
        self.had.append(reading)
        cells = len({one.cell for one in self.had if reading.record.covers(one.record)})
        self.most = max(self.most, (cells / reading.record.tries, cells, reading), key=lambda found: found[:2])

    def look(self, table: GMTable) -> None:
        """What an attack would show now, by the hand of everybody who could roll it."""
        session = table.campaign.state.session
        if session is None or not session.entropy or not session.is_open:
            return
        for hand in table.hands():
            self.tried += 1
            tried = table.branch(self.folder / str(self.tried))
            if tried.do(("attack", hand)):
                self.note(read(tried.campaign))
            tried.close()

    def step(self, table: GMTable) -> None:
        """A random command that is not refused."""
        for _ in range(30):
            if table.do(self._command(table)):
                self.note(read(table.campaign))
                return
            self.refused += 1

    def _command(self, table: GMTable) -> Command:
        known = list(table.commands())
        known += [("undo", "2"), ("undo", "3"), ("redo", "1"), ("redo", "2")]
        known += [("backup",), ("restore",)] if table.in_files else []
        what = self.chance.choice((*LIKELY, *(command[0] for command in known)))
        if what == "ask":
            return ("line", PLAYER)
        return self.chance.choice([command for command in known if command[0] == what] or known)


@attrs.define
class Beginnings:
    """Tables at which nothing has been done yet, in a folder: each is made once, and copied for every order."""

    folder: Path
    _made: dict[tuple[int, bool], GMTable] = attrs.field(factory=dict)

    def table(self, folder: Path, sides: int, *, is_open: bool, in_files: bool) -> GMTable:
        if in_files:
            return GMTable.begun(folder, sides, is_open=is_open, in_files=True)
        if (sides, is_open) not in self._made:
            made = GMTable.begun(self.folder / f"{sides} {is_open}", sides, is_open=is_open)
            self._made[sides, is_open] = made
        return self._made[sides, is_open].branch(folder)


def play(seed: int, folder: Path, beginnings: Beginnings) -> Order:
    """Play the random order of a seed. An order in ten is in files, where older copies can be put back."""
    chance = random.Random(seed)
    folder.mkdir()
    course = _Course(chance, folder)
    is_open, in_files, sides = chance.random() < 0.5, chance.random() < 0.1, chance.choice((2, 4))
    table = beginnings.table(folder / "table", sides, is_open=is_open, in_files=in_files)
    for _ in range(chance.randint(SHORTEST, LONGEST)):
        course.look(table)
        course.step(table)
    table.close()
    _, had, worst = course.most
    return Order(seed, table.path, len(table.path), course.refused, len(course.had), had, worst)


def say(words: str) -> None:
    """A line of the answer, at once."""
    print(words, flush=True)  # noqa: T201 - its answer


def random_orders(first: int, orders: int, folder: Path) -> list[Order]:
    """Play so many in a folder; says how far it is. Returns those in which the GM had more tries than there are on record."""
    began, over, tries = time.monotonic(), [], Counter[str]()
    commands = attacks = 0
    beginnings = Beginnings(folder)
    for many, seed in enumerate(range(first, first + orders), 1):
        order = play(seed, folder / str(seed), beginnings)
        shutil.rmtree(folder / str(seed))
        commands += order.commands
        attacks += order.attacks
        if order.worst is not None:
            tries[f"{order.had} of {order.worst.record.tries}"] += 1
        if order.is_over:
            over.append(order)
            say(f"seed {seed}: {order.had} tries, {order.worst}: {said(order.path)}")
        if many % A_LINE_EVERY == 0 or many == orders:
            took = time.monotonic() - began
            say(
                f"{many:,} orders (up to {seed}), {commands:,} commands, {attacks:,} attacks, {len(over)} over, {took:,.0f} s"
            )
    say("tries had, of those on record: " + ", ".join(f"{what}: {count:,}" for what, count in sorted(tries.items())))
    return over


def report(tree: Tree) -> str:
    """What a tree came to: how much was played, the chance for each record, and what the list alone does not name."""
    best = tree.whole.best()
    by_length = ", ".join(f"{many:,}" for _, many in sorted(tree.by_length.items()))
    played = f"{sum(tree.by_length.values()):,} orders of up to {tree.commands} commands ({by_length})"
    seen = f"{tree.refused:,} refused, {tree.attacks:,} attacks, {len(tree.faces):,} cells, {tree.seconds:,.0f} s"
    lines = [f"d{tree.sides}, {played}, {seen}"]
    for record, found in best.items():
        if found.cells and all(
            best[less].cells < found.cells for less in best if less != record and record.covers(less)
        ):
            chance, most = tree.chance(found.cells), tree.chance(record.tries)
            verdict = "TOO LIKELY" if found.cells > record.tries else "at most"
            lines.append(
                f"  {record.mixes} more mixes and {record.rolls} more rolls on record: {found.cells} tries, "
                f"{chance:.4f}, {verdict} {most:.4f}"
            )
    for best_ in tree.over().values():
        lines += [f"  {said(path)}" for path in best_.course]
        break
    for kinds, gap in sorted(tree.gaps.items(), key=lambda item: len(item[1].shortest)):
        lines.append(
            f"  beside the list ({', '.join(sorted(kinds)) or 'nothing on record'}): {gap.had} tries and {gap.named} named, "
            f"in {gap.orders:,} orders, the shortest: {said(gap.shortest)}"
        )
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Play what is asked for. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.attacks.gm_orders", description=__doc__)
    parser.add_argument("--orders", type=int, default=200, help="how many random orders")
    parser.add_argument("--first", type=int, default=1, help="the seed of the first one")
    parser.add_argument("--tree", type=int, default=0, help="all orders of up to so many commands instead")
    parser.add_argument("--sides", type=int, default=2)
    parser.add_argument("--open", action="store_true", help="begin the tree with an open session")
    asked = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        if not asked.tree:
            return int(bool(random_orders(asked.first, asked.orders, Path(folder))))
        tree = Tree(Path(folder), asked.sides, asked.tree, is_open=asked.open)
        tree.grow()
    say(report(tree))
    return int(bool(tree.over()))


if __name__ == "__main__":
    sys.exit(main())
