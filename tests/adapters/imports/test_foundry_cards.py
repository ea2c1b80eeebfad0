"""Dice that stand only in the HTML of a card are read where it is Foundry's own template of a roll, and else counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rollbook.adapters.imports.foundry.html import read_content
from rollbook.adapters.imports.foundry.importer import read_foundry
from rollbook.application.book import Book
from rollbook.domain import events
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.dice.record import Flat
from rollbook.domain.events import CharacterKind
from tests.support.foundry import BEGAN, HERO, WorldLog, all_events, die, plus, roll, rolls_of, take_in


def shown(formula: str, total: object, *handfuls: tuple[int, tuple[str, ...]], first: str = "total") -> str:
    """A roll in Foundry's own template; a die is written with its classes, as ``3 discarded``."""
    lists = "".join(
        f'<div class="dice"><header class="part-header"><span class="part-total">9</span></header><ol class="dice-rolls">'
        f"{''.join(_li(sides, one) for one in faces)}</ol></div>"
        for sides, faces in handfuls
    )
    tooltip = f'<div class="dice-tooltip"><section class="tooltip-part">{lists}</section></div>'
    sum_ = f'<h4 class="dice-total">{total}</h4>'
    parts = f"{sum_}{tooltip}" if first == "total" else f"{tooltip}{sum_}"
    return (
        f'<div class="dice-roll"><div class="dice-result"><div class="dice-formula">{formula}</div>{parts}</div></div>'
    )


def _li(sides: int, said: str) -> str:
    face, _, classes = said.partition(" ")
    return f'<li class="roll die d{sides} {classes}">{face}</li>'


def card(*rolls: str) -> str:
    """A card of midi-qol's with an attack and damage."""
    kinds = ("attack", "damage", "damage")
    inner = "".join(
        f'<div class="midi-qol-{kind}-roll"><div>{kind.title()}</div>{one}</div>'
        for kind, one in zip(kinds, rolls, strict=False)
    )
    return f'<div class="dnd5e chat-card item-card" data-item-id="x"><h3 class="item-name">Bow</h3>{inner}<p>It sings.</p></div>'


SHOWN = [
    ("1d20 + 4 + 2", 24, [(20, ("18",))], "1d20 + 4 + 2", [18], (Flat(4), Flat(2))),
    ("1d10[piercing] + 4", 6, [(10, ("2",))], "1d10 + 4", [2], (Flat(4),)),
    ("2d20kh + 5", 22, [(20, ("17", "3 discarded"))], "2d20kh1 + 5", [17, 3], (Flat(5),)),
    ("2d6x6", 16, [(6, ("6 exploded max", "6 exploded", "4"))], "2d6x=6", [6, 6, 4], ()),
    ("2d6r<3", 9, [(6, ("1 rerolled min", "5", "4"))], "2d6ro<=2", [1, 5, 4], ()),
    ("1d8[fire] + 2d6[cold] - 1", 14, [(8, ("5",)), (6, ("4", "6"))], "1d8 + 2d6 - 1", [5, 4, 6], (Flat(-1),)),
    ("3d10cs>=8", 2, [(10, ("8 success", "9 success", "1 failure"))], "3d10cs>=8", [8, 9, 1], ()),
    ("1d20 + 2 + 0.14", 16.14, [(20, ("14",))], "1d20 + 2 + 0.14", [14], (Flat(2, "and 0.14, so 16.14"),)),
    ("(1d6 + 2) * 2", 12, [(6, ("4",))], "(1d6 + 2) * 2", [4], ()),
]


@pytest.mark.parametrize("first", ["total", "dice"])
@pytest.mark.parametrize(("formula", "total", "dice", "expression", "faces", "flat"), SHOWN)
def test_a_roll_of_a_card_comes_in_with_its_dice(
    book: Book, tmp_path: Path, formula: str, total: float, dice: list[tuple[int, tuple[str, ...]]], expression: str,
    faces: list[int], flat: tuple[Flat, ...], first: str,
) -> None:  # fmt: skip
    world = WorldLog()
    world.say(content=card(shown(formula, total, *dice, first=first)), speaker={"actor": HERO, "alias": "Robin"})
    assert take_in(book, world.write(tmp_path / "world")) == ()
    (rolled,) = rolls_of(book)
    assert (rolled.expression, rolled.total, rolled.flat) == (expression, int(total), flat)
    assert [one.face for one in rolled.dice] == faces


def test_a_card_with_attack_and_damage_is_one_use_with_two_rolls_and_its_words(book: Book, tmp_path: Path) -> None:
    world = WorldLog()
    content = card(shown("1d20 + 6", 24, (20, ("18",))), shown("1d10 + 4", 6, (10, ("2",))))
    world.say(content=content, speaker={"actor": HERO, "alias": "Robin"})
    path = world.write(tmp_path / "world")
    assert read_foundry(path).found == (
        "1 message with 2 rolls; the total is as recorded in 2 of them.",
        "Of 2 dice on record 2 came in.",
        "2 rolls of these stood only in the words of 1 card.",
    )
    take_in(book, path)
    assert [(rolled.purpose, rolled.total) for rolled in rolls_of(book)] == [("attack", 24), ("damage", 6)]
    (note,) = [event.text for event in all_events(book) if isinstance(event, events.NoteWritten)]
    assert note == "Bow · Attack · Damage · It sings."


def test_a_roll_that_its_message_lists_is_not_read_from_the_card_again(book: Book, tmp_path: Path) -> None:
    world = WorldLog()
    listed = roll("1d20 + 6", 24, die(20, 18), *plus(6))
    world.roll(listed, content=card(shown("1d20 + 6", 24, (20, ("18",))), shown("1d10", 2, (10, ("2",)))))
    take_in(book, world.write(tmp_path / "world"))
    assert [rolled.total for rolled in rolls_of(book)] == [24, 2]


@pytest.mark.parametrize(
    "content",
    ['<div class="my-game"><span class="roll-value">17</span></div>', '<p>rolled</p><b class="die">4</b>',
     '<div class="result">12</div>'],
)  # fmt: skip
def test_cards_whose_dice_cannot_be_read_are_counted(content: str, tmp_path: Path) -> None:
    world = WorldLog()
    world.say(content=content)
    world.say(content="<p>It deals 2d6 damage.</p><button class='roll-damage'>2</button>")
    found = read_foundry(world.write(tmp_path / "world"))
    assert found.warnings == ("1 card with numbers of dice that could not be read, and came in as words.",)


def test_a_template_that_is_left_open_takes_no_words_away() -> None:
    content = read_content('<div class="dice-roll"><div class="dice-formula">1d6</div><p>words that follow</p>')
    assert content.words == "1d6\nwords that follow"
    assert content.shown == ()


# Remarks.


def test_remarks_are_one_sentence_for_each_reason_with_a_number_and_three_examples(tmp_path: Path) -> None:
    world = WorldLog()
    for _ in range(80):
        world.roll(roll("1d6 + " + "1 + " * 60, 9, die(6, 4)))
    world.roll(roll("1d6", 4, die(6, 4), {"class": "NewTerm"}))
    first, second = read_foundry(world.write(tmp_path / "world")).warnings
    assert first.startswith(
        "80 rolls: dice and numbers come to something else than was recorded, and the total was kept (mess"
    )
    assert first.endswith("; and 77 more).")
    assert first.count("message message") == 3
    assert second.startswith("1 roll: a part has a shape that this import does not know")
    assert max(map(len, (first, second))) < 500


# A world without messages.


def test_a_world_without_messages_brings_its_people_and_their_characters(book: Book, tmp_path: Path) -> None:
    world = WorldLog()
    path = world.write(tmp_path / "world")
    assert read_foundry(path).found == (
        "There are no messages in it; 3 users and 1 player character came in, of 2 actors.",
    )
    take_in(book, path)
    state = book.campaign("greenwood").state
    assert sorted(state.seats) == ["Anna", "Ben", "Gamemaster"]
    assert (state.characters["robin"].kind, state.characters["robin"].level) == (CharacterKind.PLAYER_CHARACTER, 3)
    world.roll(roll("1d20", 14, die(20, 14)))
    take_in(book, world.write(path))
    assert [rolled.total for rolled in rolls_of(book)] == [14]
    assert [*book.campaign("greenwood").state.characters] == ["robin"]
    take_in(book, path)
    assert len(rolls_of(book)) == 1


@pytest.mark.parametrize("lines", [[], [{"_id": "one", "user": "x", "timestamp": BEGAN, "content": "7"}]])
def test_a_file_whose_messages_were_all_deleted_is_refused_in_a_sentence_that_says_so(
    lines: list[dict[str, object]], tmp_path: Path
) -> None:
    path = tmp_path / "messages.db"
    gone = [{"_id": one["_id"], "$$deleted": True} for one in lines]
    path.write_text("".join(json.dumps(one) + "\n" for one in (*lines, *gone)))
    deleted = r" \(all 1 were deleted in Foundry\)" if lines else ""
    with pytest.raises(
        RollbookError, match=f"there are no messages in it{deleted}, and no users or characters beside it"
    ):
        read_foundry(path)


@pytest.mark.parametrize("kind", ["users", "actors"])
def test_users_or_actors_alone_are_a_world(kind: str, book: Book, tmp_path: Path) -> None:
    world = WorldLog()
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "messages.db").write_text("")
    (tmp_path / "data" / f"{kind}.db").write_text("".join(json.dumps(one) + "\n" for one in getattr(world, kind)))
    take_in(book, tmp_path)
    state = book.campaign("greenwood").state
    assert (len(state.seats), len(state.characters)) == ((3, 0) if kind == "users" else (1, 1))
