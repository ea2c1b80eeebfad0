"""What can be done with a card: the links on it, by who asks."""

from collections.abc import Iterator

import attrs

from rollbook.adapters.web.corrections.requests import ADJUST, AMEND, OVERRIDE, REDO, REVERSE, REVISION, UNDO
from rollbook.adapters.web.corrections.second_thoughts import Thinkable
from rollbook.adapters.web.seats.identity import Identity
from rollbook.adapters.web.table.cards import Card, CardKind
from rollbook.domain.base.records import Record
from rollbook.domain.events import Role


@attrs.frozen(kw_only=True)
class Tool(Record):
    """A link on a card. ``in_dialog``: with a script it opens as a dialog on the table. ``is_small``: its icon says it."""

    label: str
    path: str
    icon: str = ""
    in_dialog: bool = True
    is_small: bool = False


def tools_of(
    card: Card, campaign: str, identity: Identity, *, everything: bool = False, thinks: Thinkable | None = None
) -> tuple[Tool, ...]:
    """What the requester can do with a card; ``everything`` has what is seldom wanted, too. A player corrects their own alone.

    ``thinks`` is the action that second thoughts may be had about, and what they are called.
    """
    here = f"/c/{campaign}"
    thinking = _thinking(card, here, thinks)
    correcting = _correcting(card, here, identity, everything=everything)
    return (*correcting, *thinking, *_watching(card, here, everything=everything))


def _thinking(card: Card, here: str, thinks: Thinkable | None) -> Iterator[Tool]:
    """A second thought about the last roll: who has one with a character of their own need not have rolled it."""
    if thinks is not None and card.action == thinks.action and card.kind is not CardKind.CORRECTION:
        yield Tool(label=thinks.label, path=f"{here}/think-again/{card.action}")


def _correcting(card: Card, here: str, identity: Identity, *, everything: bool) -> Iterator[Tool]:
    if identity.role is Role.SPECTATOR or not (identity.is_gm or card.seat == identity.seat):
        return
    if card.kind is CardKind.CORRECTION:
        yield Tool(label="Undo", path=f"{here}/{REVERSE}/{card.entry}", icon="undo")
        return
    if identity.is_gm and card.sees == "gm":
        yield Tool(label="Reveal", path=f"{here}/gm/reveal/{card.action}", icon="see")
    if card.is_undone and (identity.is_gm or card.undone_by == identity.seat):
        yield Tool(label="Redo", path=f"{here}/{REDO}/{card.action}", icon="redo")
    if card.is_undone or card.is_final:
        return
    yield Tool(label="Undo", path=f"{here}/{UNDO}/{card.action}", icon="undo")
    yield Tool(label="Amend", path=f"{here}/{AMEND}/{card.action}", icon="pen")
    if identity.is_gm:
        yield Tool(label="Adjust", path=f"{here}/{ADJUST}/{card.action}")
    if everything:
        yield from _seldom(card, here, identity)


def _seldom(card: Card, here: str, identity: Identity) -> Iterator[Tool]:
    """What the card alone has, and not its line in the log."""
    if identity.is_gm and any(die.origin != "typed" for roll in card.now.rolls for die in roll.dice):
        yield Tool(label="Override dice", path=f"{here}/{OVERRIDE}/{card.action}")
    for was in card.before:
        label = f"Count outcome {was.revision} again"
        yield Tool(label=label, path=f"{here}/{REDO}/{card.action}?{REVISION}={was.revision}", icon="redo")


def _watching(card: Card, here: str, *, everything: bool) -> Iterator[Tool]:
    watched = f"{here}/replay?at={card.entry}#@{card.entry}"
    yield Tool(label="Watch from here", path=watched, icon="play", in_dialog=False, is_small=not everything)
    if not everything and card.kind is not CardKind.CORRECTION:
        yield Tool(label="More", path=f"{here}/card/{card.action}", icon="more", is_small=True)
