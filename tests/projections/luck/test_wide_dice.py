"""Dice with more sides than memory has room to count."""

from rollbook.projections.luck.report import FaceSeries
from rollbook.projections.luck.throws import Origin


def test_a_die_with_two_thousand_million_sides_is_counted_by_the_faces_that_fell() -> None:
    faces = FaceSeries(Origin.IMPORTED, 2_147_483_647, (5, 2_147_483_647, 6))
    rows = faces.rows
    assert sum(many for _, many, _ in rows) == 3
    assert rows[0][1] + rows[-1][1] == 3
