"""The route table: the pages of every area."""

from rollbook.adapters.web import acting, board, gm, lobby, replay, sheets
from rollbook.adapters.web.corrections import pages as corrections
from rollbook.adapters.web.lobby import joining
from rollbook.adapters.web.pages.page import Page
from rollbook.adapters.web.table import pages as table

PAGES: tuple[Page, ...] = (
    *(*table.PAGES, *acting.PAGES, *corrections.PAGES),
    *(*gm.PAGES, *sheets.PAGES, *board.PAGES, *replay.PAGES, *lobby.PAGES, *joining.PAGES),
)
"""In this order they are looked through; those that are asked for most come first."""
