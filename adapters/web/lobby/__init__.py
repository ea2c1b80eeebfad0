"""The lobby: the campaigns that somebody sits in; for the host all of the store, a new one, and one out of a file."""

from rollbook.adapters.web.lobby.arriving import begin_import, show_import
from rollbook.adapters.web.lobby.campaigns import show_campaigns
from rollbook.adapters.web.lobby.starting import show_games, start
from rollbook.adapters.web.pages.page import GM_ONLY, Page

PAGES = (
    Page(path="/", handler=show_campaigns),
    Page(path="/new", handler=show_games, roles=GM_ONLY, is_host_only=True),
    Page(path="/new", handler=start, method="POST", roles=GM_ONLY, is_host_only=True),
    Page(path="/import", handler=begin_import, method="POST", roles=GM_ONLY, is_host_only=True),
    Page(path="/import/{job}", handler=show_import, roles=GM_ONLY, is_host_only=True),
)
