"""A table becomes a campaign by a map of its columns: whole or not at all, and each row once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rollbook.adapters.imports.recording import known_of, record_import
from rollbook.adapters.imports.tables.columns import MEANINGS
from rollbook.adapters.imports.tables.importer import read_table
from rollbook.application.book import Book
from rollbook.application.visibility.seat_campaign import as_seen
from rollbook.domain import events
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import NotFound, RollbookError
from rollbook.domain.events import DiceRolled, Role
from rollbook.projections.luck import gather, report

PAGE = Path(__file__).parents[3] / "docs" / "importing.md"


def example(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


def take_in(book: Book, folder: Path, table: str, columns: str, name: str = "old") -> tuple[str, ...]:
    (folder / "rolls.csv").write_text(table, encoding="utf-8")
    (folder / "columns.toml").write_text(columns, encoding="utf-8")
    known = lambda campaign: known_of(book, campaign)  # noqa: E731
    imported = read_table(folder / "rolls.csv", name, known=known, columns=folder / "columns.toml")
    record_import(book, imported, name)
    return (*imported.found, *imported.warnings)


def rolls_of(book: Book) -> list[DiceRolled]:
    return [
        event
        for entry in book.campaign("old").session.log.entries()
        for event in entry.events
        if isinstance(event, DiceRolled)
    ]


def test_the_example_of_the_page_is_read_as_it_says(book: Book, tmp_path: Path) -> None:
    assert take_in(book, tmp_path, example("csv"), example("toml")) == ("3 rows with 2 rolls.",)
    campaign = book.campaign("old")
    state = campaign.state
    assert {name: seat.role for name, seat in state.seats.items()} == {"Sam": Role.GM, "Mira": Role.PLAYER}
    assert (state.characters["robin"].seat, state.characters["robin"].experience) == ("Mira", 300)
    assert state.characters["guard"].lost == 9
    shot, harm = rolls_of(book)
    assert (shot.total, shot.natural, [die.face for die in shot.dice], shot.roller) == (19, 14, [14], "robin")
    assert harm.total == 9
    found = [event for entry in campaign.session.log.entries() for event in entry.events]
    (check,) = [event for event in found if isinstance(event, events.CheckResolved)]
    assert (check.target, check.success, check.against) == (15, True, "guard")
    assert campaign.audit()[0].verdict is Verdict.VERIFIED
    assert report(gather(campaign.history)).rolls == 2


def test_the_page_names_every_meaning_of_a_column() -> None:
    rows = PAGE.read_text(encoding="utf-8").partition("| meaning |")[2]
    assert {
        word for row in re.findall(r"^\| (`.*?) \|", rows, re.MULTILINE) for word in re.findall(r"`(\w+)`", row)
    } == set(MEANINGS)


def test_a_longer_table_adds_what_is_new_and_a_changed_row_is_named(book: Book, tmp_path: Path) -> None:
    columns = '[columns]\nroll = "Roll"\ntotal = "Total"\n'
    take_in(book, tmp_path, "Roll,Total\n1d20,5\n1d20,5\n", columns)
    assert take_in(book, tmp_path, "Roll,Total\n1d20,5\n1d20,5\n", columns) == ("Nothing is new: every row was here.",)
    assert take_in(book, tmp_path, "Roll,Total\n1d20,5\n1d20,5\n1d20,5\n1d6,3\n", columns) == (
        "2 new rows with 2 rolls.",
    )
    assert [rolled.total for rolled in rolls_of(book)] == [5, 5, 5, 3]
    found, changed = take_in(book, tmp_path, "Roll,Total\n1d20,5\n1d20,5\n1d20,5\n1d6,4\n", columns)
    assert found == "1 new row with 1 roll."
    assert changed.startswith("Changed in the table since, or gone from it, and kept: #")
    assert book.campaign("old").audit()[0].verdict is Verdict.VERIFIED


def test_every_row_that_cannot_be_read_is_named_with_its_line_and_nothing_is_imported(
    book: Book, tmp_path: Path
) -> None:
    table = (
        "When,Who,Roll,Total,Damage\n2024-01-01,Robin,1d20,7,\n,,,,\nsometime,Robin,1d20,7,\n,Robin,1d20,lots,\n"
        ",,1d20,3,4\n,Robin,,,\n,Robin,,,-4\n"
    )
    columns = '[columns]\nwhen = "When"\ncharacter = "Who"\nroll = "Roll"\ntotal = "Total"\ndamage = "Damage"\n'
    with pytest.raises(RollbookError) as refused:
        take_in(book, tmp_path, table, columns)
    said = str(refused.value)
    for line, why in (
        (4, "'sometime', and not a time"),
        (5, "'lots', and not a whole number"),
        (6, "to whom"),
        (7, "none of"),
        (8, "from 0"),
    ):
        assert re.search(rf"line {line}: [^;]*{why}", said), said
    assert "line 2" not in said
    assert book.campaigns() == ()


def test_dice_that_do_not_give_the_total_leave_it_as_it_was_recorded(book: Book, tmp_path: Path) -> None:
    columns = '[columns]\nroll = "Roll"\ntotal = "Total"\ndice = "Dice"\n'
    table = 'Roll,Total,Dice\n2d20kh1+2,18,"16, 4"\n2d6,12,"1, 2"\n"d20 + STR",9,\n,17,\n3d6,,"1, 2, 3"\n'
    take_in(book, tmp_path, table, columns)
    assert [(r.expression, r.total, len(r.dice)) for r in rolls_of(book)] == [
        ("2d20kh1 + 2", 18, 2), ("2d6", 12, 0), ("d20 + STR", 9, 0), ("?", 17, 0), ("3d6", 6, 3),
    ]  # fmt: skip
    assert [die.kept for die in rolls_of(book)[0].dice] == [True, False]


def test_what_is_secret_is_the_gms_and_so_is_who_was_never_seen(book: Book, tmp_path: Path) -> None:
    columns = 'gm = "Sam"\n[columns]\nseat = "S"\ncharacter = "W"\nroll = "R"\ntotal = "T"\nsecret = "X"\n'
    table = "S,W,R,T,X\nSam,Assassin,1d20,15,yes\nMira,Robin,1d20,4,\n"
    take_in(book, tmp_path, table, columns)
    seen = as_seen(book.campaign("old"), "Mira")
    assert [throw.roll.total for throw in gather(seen.history).counting] == [4]
    assert [*seen.state.characters] == ["robin"]
    take_in(book, tmp_path, f"{table}Sam,Assassin,1d20,11,\n", columns)
    seen = as_seen(book.campaign("old"), "Mira")
    assert [throw.roll.total for throw in gather(seen.history).counting] == [4, 11]
    assert seen.state.characters["hidden-assassin"].name == "Assassin"


def test_semicolons_other_encodings_and_other_times_are_read(book: Book, tmp_path: Path) -> None:
    (tmp_path / "rolls.csv").write_bytes("Wann;Wer;Wurf;Summe\n1.3.2024 20:15;Bärbel;2d6;1 007\n".encode("cp1252"))
    (tmp_path / "columns.toml").write_text(
        'encoding = "cp1252"\ntime = "%d.%m.%Y %H:%M"\n'
        '[columns]\nwhen = "Wann"\ncharacter = "Wer"\nroll = "Wurf"\ntotal = "Summe"\n'
    )
    record_import(book, read_table(tmp_path / "rolls.csv", "old", columns=tmp_path / "columns.toml"))
    (rolled,) = rolls_of(book)
    assert (rolled.total, rolled.roller) == (1007, "bärbel")
    assert book.campaign("old").state.session.title == "2024-03-01"


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        ("[columns]\nrol = 'Roll'", "no meaning called 'rol'"),
        ("[columns]\nwhen = 'When'", "nothing to take in"),
        ("[colums]\nroll = 'Roll'", "no entry called 'colums'"),
        ("[columns]\nroll = 'Rolls'", "no column called 'Rolls'"),
        ("[columns]\nroll = 3", "holds lines such as"),
        ("columns = [", "not written as TOML"),
        ("delimiter = ';;'\n[columns]\nroll = 'Roll'", "one character"),
        ("unknown = 'x'\n[columns]\nroll = 'Roll'", "a list of words"),
        ("[columns]\nroll = 'Roll'\n[naturals]\nNat20 = 'x'", "holds lines such as Nat20 = 20"),
        ("encoding = 'klingon'\n[columns]\nroll = 'Roll'", "no encoding called"),
    ],
)
def test_a_faulty_map_is_refused_in_one_sentence(book: Book, tmp_path: Path, columns: str, why: str) -> None:
    with pytest.raises(RollbookError, match=why):
        take_in(book, tmp_path, "Roll,Total\n1d20,4\n", columns)


def test_without_a_map_it_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(RollbookError, match=r"--map columns\.toml"):
        read_table(tmp_path / "rolls.csv")
    (tmp_path / "c.toml").write_text("[columns]\nroll = 'Roll'")
    with pytest.raises(NotFound):
        read_table(tmp_path / "rolls.csv", columns=tmp_path / "c.toml")


# What other programs write.

NATURAL = '[columns]\ncharacter = "W"\nroll = "R"\ntotal = "T"\nnatural = "N"\n'


@pytest.mark.parametrize(
    ("row", "expression", "total", "dice", "flat"),
    [
        ("Robin,,22,19", "1d20 + 3", 22, [(20, 19)], [3]),
        ("Robin,,19,19", "1d20", 19, [(20, 19)], []),
        ("Robin,,2,4", "1d20 - 2", 2, [(20, 4)], [-2]),
        ("Robin,1d8,7,4", "1d8 + 3", 7, [(8, 4)], [3]),
        ("Robin,perception,22,19", "1d20 + 3", 22, [(20, 19)], [3]),
        ("Robin,,,12", "1d20", 12, [(20, 12)], []),
    ],
)
def test_a_natural_beside_a_total_is_the_die_and_the_rest_the_modifier(
    book: Book, tmp_path: Path, row: str, expression: str, total: int, dice: list[tuple[int, int]], flat: list[int]
) -> None:
    take_in(book, tmp_path, f"W,R,T,N\n{row}\n", NATURAL)
    (rolled,) = rolls_of(book)
    assert (rolled.expression, rolled.total) == (expression, total)
    assert [(die.sides, die.face) for die in rolled.dice] == dice
    assert [one.amount for one in rolled.flat] == flat
    assert rolled.natural == (dice[0][1] if dice[0][0] == 20 else 0)
    assert report(gather(book.campaign("old").history)).rolls == 1


def test_a_natural_that_no_die_shows_is_named(book: Book, tmp_path: Path) -> None:
    with pytest.raises(RollbookError, match="natural is 21, and a d20 has no such face"):
        take_in(book, tmp_path, "W,R,T,N\nRobin,,22,21\n", NATURAL)


def test_words_for_what_nobody_knows_and_for_naturals_are_said_in_the_map(book: Book, tmp_path: Path) -> None:
    columns = f'unknown = ["Unknown", "?"]\n{NATURAL}[naturals]\nNat20 = 20\nNat1 = 1\n'
    take_in(book, tmp_path, "W,R,T,N\nRobin,,Nat20,20\nRobin,,nat1,?\nunknown,1d20,unknown,12\n", columns)
    assert [(rolled.total, rolled.natural) for rolled in rolls_of(book)] == [(20, 20), (1, 1), (12, 12)]


def test_rows_that_cannot_be_read_stay_out_if_that_is_asked_for_and_are_named(tmp_path: Path) -> None:
    (tmp_path / "rolls.csv").write_text("R,T\n1d20,4\n1d20,lots\n" + "1d20,more\n" * 30)
    (tmp_path / "columns.toml").write_text('[columns]\nroll = "R"\ntotal = "T"\n')
    imported = read_table(tmp_path / "rolls.csv", columns=tmp_path / "columns.toml", skip_unreadable=True)
    assert imported.found == ("1 row with 1 roll.",)
    (said,) = imported.warnings
    assert said.startswith(
        "31 rows could not be read and stayed out: line 3: total is 'lots', and not a whole number; line 4"
    )
    assert said.endswith("And 11 more.")
    (tmp_path / "rolls.csv").write_text("R,T\n1d20,lots\n")
    with pytest.raises(RollbookError, match="'lots'"):
        read_table(tmp_path / "rolls.csv", columns=tmp_path / "columns.toml", skip_unreadable=True)


def test_a_table_without_headings_is_read_by_the_names_of_the_map(book: Book, tmp_path: Path) -> None:
    columns = 'headings = ["id", "Player", "roll", "-"]\n[columns]\nseat = "Player"\n'
    table = "7,Mira,1d10 (4),x\n8,Mira,1d20 (8)|1d4 (4),x\n9,Sam,2d6+1 (3 4) = 8,x\n"
    assert take_in(book, tmp_path, table, columns) == ("3 rows with 4 rolls.",)
    assert [(rolled.expression, rolled.total, [die.face for die in rolled.dice]) for rolled in rolls_of(book)] == [
        ("1d10", 4, [4]), ("1d20", 8, [8]), ("1d4", 4, [4]), ("2d6 + 1", 8, [3, 4]),
    ]  # fmt: skip
    assert take_in(book, tmp_path, table, columns) == ("Nothing is new: every row was here.",)


def test_blanks_around_a_heading_are_no_part_of_it(book: Book, tmp_path: Path) -> None:
    take_in(book, tmp_path, "Roll , Total\n1d20,4\n", '[columns]\nroll = " Roll"\ntotal = "Total "\n')
    assert [rolled.total for rolled in rolls_of(book)] == [4]
