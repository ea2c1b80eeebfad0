"""Acting: verbs as buttons and forms, a line to type, open choices, and the X-card."""

from rollbook.adapters.web.acting.choices import pick
from rollbook.adapters.web.acting.line import complete, say
from rollbook.adapters.web.acting.newcomers import ask
from rollbook.adapters.web.acting.panel import panel_of, whose_turn
from rollbook.adapters.web.acting.safety import go_on, raise_card, show_rewind
from rollbook.adapters.web.acting.seat_context import seat_context_of
from rollbook.adapters.web.acting.taking import count_odds, show_form, show_odds, show_panel, take
from rollbook.adapters.web.pages.page import EVERYBODY, GM_ONLY, SEATED, Page, Where

__all__ = ["PAGES", "panel_of", "seat_context_of", "whose_turn"]

PAGES = (
    Page(path="/c/{campaign}/act", handler=show_panel, roles=SEATED, panel="act"),
    Page(path="/c/{campaign}/do/{verb}", handler=show_form, roles=SEATED, panel="act"),
    Page(path="/c/{campaign}/do/{verb}", handler=take, method="POST", roles=SEATED),
    Page(path="/c/{campaign}/odds/{verb}", handler=show_odds, roles=SEATED),
    Page(path="/c/{campaign}/odds/{verb}/counted", handler=count_odds, roles=SEATED, where=Where.SLOW),
    Page(path="/c/{campaign}/join", handler=ask, roles=GM_ONLY),
    Page(path="/c/{campaign}/say", handler=say, method="POST", roles=SEATED),
    Page(path="/c/{campaign}/complete", handler=complete, roles=SEATED),
    Page(path="/c/{campaign}/choices", handler=pick, method="POST", roles=SEATED),
    Page(path="/c/{campaign}/x-card", handler=raise_card, method="POST", roles=EVERYBODY, at_once=True),
    Page(path="/c/{campaign}/x-card/answer", handler=go_on, method="POST", roles=GM_ONLY),
    Page(path="/c/{campaign}/x-card/rewind", handler=show_rewind, roles=GM_ONLY),
)
