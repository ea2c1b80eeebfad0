"""Pictures of rolls against fair dice: the luck of each roller, and the faces of the die that fell most."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Final

from rollbook.domain.base.identifiers import CharacterId, EntryNumber
from rollbook.domain.base.number_words import counted
from rollbook.domain.history.history import History
from rollbook.projections.luck import Luck, gather, report, wording
from rollbook.projections.luck.against_odds import FEWEST, TWO_OF_THREE
from rollbook.projections.luck.report import Report
from rollbook.projections.pictures.picture import Bar, Form, Kind, Picture, number, only

TABLE: Final = "At the table"


def pictures(history: History, wanted: Container[EntryNumber], names: Mapping[CharacterId, str]) -> list[Picture]:
    """The luck of each roller and, if enough dice have fallen, the faces of the most used size of die."""
    mine = gather(history).only(lambda throw: throw.entry in wanted)
    if not mine.counting:
        return []
    found = report(mine, by="character")
    sessions = {throw.session for throw in mine.counting}
    return [*_luck(found, sessions, names), *_faces(found, sessions)]


def _luck(found: Report, sessions: set[int], names: Mapping[CharacterId, str]) -> list[Picture]:
    groups = sorted((group for group in found.groups if group.luck.rolls), key=lambda group: -group.luck.rolls)
    if not groups:
        return []
    several = len({group.origin for group in groups}) > 1
    called = [
        (f"{names.get(group.key, group.key) or TABLE}{f' ({group.origin})' if several else ''}", group)
        for group in groups
    ]
    return [
        Picture(
            kind=Kind.DICE,
            title="What the dice did against what they should",
            said=(
                "The totals of each, in standard deviations from what fair dice give: two of three fair series lie in the "
                f"band. A hollow mark stands for fewer than {FEWEST} rolls, which say nothing yet."
            ),
            form=Form.GAUGES,
            unit="standard deviations",
            bars=tuple(_gauge(name, group.luck) for name, group in called),
            session=only(sessions),
            columns=("who", "rolls", "total", "expected", "fair from", "fair to"),
            rows=tuple(
                (
                    name,
                    group.luck.rolls,
                    group.luck.total,
                    *(round(each, 1) for each in (group.luck.mean, *group.luck.band)),
                )
                for name, group in called
            ),
        )
    ]


def _gauge(name: str, luck: Luck) -> Bar:
    """A gauge of the totals, faint if there are too few rolls to judge luck."""
    said = f"{number(luck.total)} in {counted(luck.rolls, 'roll')}, fair {number(round(luck.mean))}"
    low, high = -TWO_OF_THREE, TWO_OF_THREE
    return Bar(name=name, value=luck.z, said=said, low=low, high=high, is_faint=not luck.is_enough)


def _faces(found: Report, sessions: set[int]) -> list[Picture]:
    most = max(found.faces, key=lambda faces: len(faces.faces), default=None)
    if most is None or len(most.faces) < FEWEST:
        return []
    rows = most.rows
    low, high = rows[0][2]
    return [
        Picture(
            kind=Kind.DICE,
            key=f"{Kind.DICE}-faces",
            title=f"The faces of {wording.dice(most)}",
            said=f"How often each face fell. With fair dice, 19 of 20 bars end between {low:.0f} and {high:.0f}.",
            form=Form.BARS,
            unit="times",
            bars=tuple(
                Bar(name=name, value=many, said=str(many), low=low, high=high) for name, many, (low, high) in rows
            ),
            session=only(sessions),
            columns=("face", "fell", "fair from", "fair to"),
            rows=tuple((name, many, round(low, 1), round(high, 1)) for name, many, (low, high) in rows),
        )
    ]
