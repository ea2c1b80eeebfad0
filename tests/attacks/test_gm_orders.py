"""A GM who changes nothing of the program makes no face likelier than the audit says: all short orders, and random long ones.

``python -m tests.attacks.gm_orders`` plays as many as one likes.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rollbook.domain.actions.sessions import AddEntropy
from rollbook.domain.audit.dice_session import SOLO, DiceSession
from tests.attacks.gm_orders import Beginnings, play, random_orders, report
from tests.attacks.gm_record import Record
from tests.attacks.gm_tree import Tree

ORDERS = int(os.environ.get("ROLLBOOK_GM_ORDERS", "0"))
"""As many random orders, instead of the few that take some seconds. All orders of six commands are then played, too."""


def grown(folder: Path, sides: int, commands: int, *, is_open: bool) -> Tree:
    tree = Tree(folder / f"d{sides}", sides, commands, is_open=is_open)
    tree.folder.mkdir()
    tree.grow()
    return tree


def check_promises(tree: Tree) -> None:
    """No record has more cells to choose from than it says, and an attack with nothing on record has its one."""
    assert tree.over() == {}, report(tree)
    assert tree.whole.best()[Record(0, 0)].cells == 1
    assert tree.chance(1) == 1 / tree.sides


def test_no_order_of_up_to_four_commands_makes_a_face_likelier_than_the_audit_says(tmp_path: Path) -> None:
    tree = grown(tmp_path, 4, 4, is_open=False)
    check_promises(tree)
    assert tree.whole.best()[Record(0, 1)].cells == 2  # a GM who looks ahead gets what the bound allows


def test_which_orders_there_are_and_how_many_cells_does_not_hang_on_the_die(tmp_path: Path) -> None:
    """So each longer tree is grown with one die."""
    two, four = (grown(tmp_path, sides, 3, is_open=True) for sides in (2, 4))
    assert (two.by_length, two.refused, two.attacks, two.gaps) == (
        four.by_length,
        four.refused,
        four.attacks,
        four.gaps,
    )
    assert {record: best.cells for record, best in two.whole.best().items()} == {
        record: best.cells for record, best in four.whole.best().items()
    }


@pytest.mark.slow
@pytest.mark.parametrize(("sides", "commands", "is_open"), [(2, 6 if ORDERS else 5, False), (4, 4, True)])
def test_no_order_of_up_to_five_commands_makes_a_face_likelier_than_the_audit_says(
    tmp_path: Path, sides: int, commands: int, *, is_open: bool
) -> None:
    check_promises(grown(tmp_path, sides, commands, is_open=is_open))


@pytest.mark.slow
def test_no_random_order_of_8_to_14_commands_gives_more_tries_than_are_on_record(tmp_path: Path) -> None:
    assert random_orders(1, ORDERS or 200, tmp_path) == []


def test_the_seed_of_an_order_says_all_of_it(tmp_path: Path) -> None:
    beginnings = Beginnings(tmp_path)
    for seed in (7, 8):
        assert play(seed, tmp_path / f"one {seed}", beginnings) == play(seed, tmp_path / f"other {seed}", beginnings)


def without_the_gate(patch: pytest.MonkeyPatch) -> None:
    """A fault: the GM may have the last word in the mix, and any line makes level 1."""

    def any_line(dice_session: DiceSession) -> str:
        return "level 1, table: players mixed in 1 line before the first roll" if dice_session.lines else SOLO

    patch.setattr(AddEntropy, "check_taken", lambda *_: None)
    patch.setattr("rollbook.domain.audit.dice_session._level", any_line)


def without_choices(patch: pytest.MonkeyPatch) -> None:
    """Another: rolls of seats that could be chosen for their dice are not listed."""
    patch.setattr("rollbook.domain.audit.dice_list.DiceList.choice", lambda *_: None)


@pytest.mark.parametrize("fault", [without_the_gate, without_choices])
def test_a_planted_fault_makes_a_face_likelier_than_its_record_says(
    fault: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fault(monkeypatch)  # type: ignore[operator]
    tree = grown(tmp_path, 2, 3, is_open=True)
    assert Record(0, 0) in tree.over(), report(tree)
