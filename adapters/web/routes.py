"""The route table: the pages of every area."""

from adapters.web import acting, board, gm, gm_seats, joining, lobby, replay, sheets, table
from adapters.web.corrections import pages as corrections
from adapters.web.pages import Page

PAGES: tuple[Page, ...] = (
    *(*table.PAGES, *acting.PAGES, *corrections.PAGES),
    *(*gm.PAGES, *gm_seats.PAGES, *sheets.PAGES, *board.PAGES, *replay.PAGES, *lobby.PAGES, *joining.PAGES),
)
"""In this order they are looked through; those that are asked for most come first."""
