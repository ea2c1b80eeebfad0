"""The board as a terminal has it: never wider than that; and the few words of it that stand in the prompt."""

from collections.abc import Sequence

import attrs
from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table

from rollbook.adapters.cli.drawing.columns import columns
from rollbook.adapters.line_commands.styled import Block, Rows
from rollbook.adapters.line_commands.views.board import blocks
from rollbook.adapters.presentation.plain_text import as_written, printable
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.domain.state.lookup import shown_names
from rollbook.projections.status import Status

NARROW = 60
"""In fewer columns a row of people is broken in two."""
LABELLED = 2
"""The columns of a label and its text."""
LONGEST_IN_PROMPT = 24


def drawn(status: Status) -> RenderableType:
    """How a campaign stands, for a terminal: never wider than it, wrapped between words."""
    return drawn_blocks(blocks(status))


def drawn_blocks(shown: Sequence[Block]) -> RenderableType:
    """Texts and rows, one below the other, wrapped between words."""
    return Group(*(_Fitted(block) if isinstance(block, Rows) else block for block in shown))


@attrs.frozen
class _Fitted:
    """Columns where there is room for them; in a narrow window the last cell of a row goes below it."""

    rows: Rows

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        is_narrow = options.max_width < NARROW and len(self.rows.cells[0]) > LABELLED
        yield columns(self.rows.cells, options.max_width, self.rows.right) if is_narrow else _grid(self.rows)


def _grid(rows: Rows) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for place in range(len(rows.cells[0])):
        widest = rows.widest[place] if place < len(rows.widest) else 0
        fixed = place < len(rows.widest) and not widest
        justify = "right" if place in rows.right else "left"
        table.add_column(justify=justify, no_wrap=fixed, overflow="fold", max_width=widest or None)  # type: ignore[arg-type]
    for cells in rows.cells:
        table.add_row(*cells)
    return table


def prompt_text(campaign: str, state: CampaignState) -> str:
    """What stands before the cursor: the campaign and, in a fight, the round and whose turn it is."""
    encounter, campaign = state.encounter, as_written(campaign).replace("\n", " ")
    if encounter is None:
        return f"{campaign}> "
    names = shown_names(who for who in state.characters.values() if who.present)
    whose = printable(names.get(encounter.current, "")).replace("\n", " ") or "nobody's turn"
    parts = [_cut(campaign), f"round {encounter.round}", _cut(whose)]
    return f"{' · '.join(parts)}> "


def _cut(text: str) -> str:
    return text if cell_len(text) <= LONGEST_IN_PROMPT else set_cell_size(text, LONGEST_IN_PROMPT - 1).rstrip() + "…"
