"""What can be done with a card: the links on it, by who asks."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from adapters.web.askers import Asker
from adapters.web.cards import Card, CardKind
from domain.events import Role
from domain.records import Record


@attrs.frozen(kw_only=True)
class Tool(Record):
    """A link on a card. ``in_dialog``: with a script it opens as a dialog on the table."""

    label: str
    path: str
    icon: str = ""
    in_dialog: bool = True


def tools_of(card: Card, campaign: str, asker: Asker, *, everything: bool = False) -> tuple[Tool, ...]:
    """What the asker can do with a card; ``everything`` has what is seldom wanted, too. A player corrects their own alone."""
    here = f"/c/{campaign}"
    return (*_correcting(card, here, asker, everything=everything), *_watching(card, here, everything=everything))


def _correcting(card: Card, here: str, asker: Asker, *, everything: bool) -> Iterator[Tool]:
    if card.kind is CardKind.CORRECTION or asker.role is Role.SPECTATOR:
        return
    if not asker.is_gm and card.seat != asker.seat:
        return
    if asker.is_gm and card.sees == "gm":
        yield Tool(label="Reveal", path=f"{here}/gm/reveal/{card.action}", icon="see")
    if card.is_undone:
        yield Tool(label="Redo", path=f"{here}/redo/{card.action}", icon="redo")
        return
    if card.is_final:
        return
    yield Tool(label="Undo", path=f"{here}/undo/{card.action}", icon="undo")
    yield Tool(label="Amend", path=f"{here}/amend/{card.action}", icon="pen")
    if everything and asker.is_gm:
        yield Tool(label="Adjust", path=f"{here}/adjust/{card.action}")
    if everything:
        yield Tool(label="Second thoughts", path=f"{here}/think-again/{card.action}")


def _watching(card: Card, here: str, *, everything: bool) -> Iterator[Tool]:
    if everything:
        yield Tool(
            label="Watch from here", path=f"{here}/replay?at={card.entry}#@{card.entry}", icon="play", in_dialog=False
        )
