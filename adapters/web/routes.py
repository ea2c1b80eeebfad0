"""The route table: every page with who may ask for it and what answers. In this order pages are looked through."""

from functools import partial

from rollbook.adapters.web.acting import line, newcomers, safety, taking
from rollbook.adapters.web.board import pages as board
from rollbook.adapters.web.corrections import pages as corrections
from rollbook.adapters.web.corrections import second_thoughts
from rollbook.adapters.web.corrections.requests import ADJUST, AMEND, OVERRIDE, REDO, REVERSE, UNDO
from rollbook.adapters.web.gm import adopting, keeping, room, seats, secrets, timelines
from rollbook.adapters.web.lobby import campaigns, starting
from rollbook.adapters.web.pages.page import EVERYBODY, GM_ONLY, SEATED, STRANGERS, Handler, Page
from rollbook.adapters.web.replay import pages as replay
from rollbook.adapters.web.sheets import pages as sheets
from rollbook.adapters.web.table import pages as table

AT = "/c/{campaign}"


def _read(path: str, handler: Handler, *, is_slow: bool = False, panel: str = "") -> Page:
    return Page(path=f"{AT}{path}", handler=handler, is_slow=is_slow, panel=panel)


def _seated(path: str, handler: Handler, method: str = "GET", *, is_slow: bool = False, panel: str = "") -> Page:
    return Page(path=f"{AT}{path}", handler=handler, method=method, roles=SEATED, is_slow=is_slow, panel=panel)


def _of_gm(path: str, handler: Handler, method: str = "GET") -> Page:
    return Page(path=f"{AT}{path}", handler=handler, method=method, roles=GM_ONLY)


def _of_host(path: str, handler: Handler, method: str = "GET") -> Page:
    return Page(path=path, handler=handler, method=method, roles=GM_ONLY, is_host_only=True)


def _of_strangers(path: str, handler: Handler, method: str = "GET") -> Page:
    return Page(path=path, handler=handler, method=method, roles=STRANGERS)


TABLE = (
    _of_gm("/foes", table.foes, "POST"),
    Page(path=f"{AT}/live", handler=table.live, shared=True),
    _read("", table.table_page),
    _read("/log", table.log),
    _read("/card/{number}", table.one_card),
    _read("/screen", table.screen),
)
ACTING = (
    _seated("/act", taking.show_panel, panel="act"),
    _seated("/do/{verb}", taking.show_form, panel="act"),
    _seated("/do/{verb}", taking.take, "POST"),
    _seated("/odds/{verb}", taking.show_odds),
    _seated("/odds/{verb}/counted", partial(taking.show_odds, is_last=True), is_slow=True),
    _of_gm("/join", newcomers.ask),
    _seated("/say", line.say, "POST"),
    _seated("/complete", line.complete),
    _seated("/choices", taking.pick, "POST"),
    Page(path=f"{AT}/x-card", handler=safety.raise_card, method="POST", roles=EVERYBODY, at_once=True),
    _of_gm("/x-card/answer", safety.go_on, "POST"),
    _of_gm("/x-card/rewind", safety.show_rewind),
)
CORRECTIONS = (
    *(_seated(f"/{kind}/{{action}}", partial(corrections.begin, kind)) for kind in (UNDO, REDO, REVERSE)),
    *(_seated(f"/{kind}/{{action}}", partial(corrections.send, kind), "POST") for kind in (UNDO, REDO, AMEND, REVERSE)),
    _seated(f"/{AMEND}/{{action}}", partial(corrections.form, AMEND)),
    *(_of_gm(f"/{kind}/{{action}}", partial(corrections.form, kind)) for kind in (ADJUST, OVERRIDE)),
    *(_of_gm(f"/{kind}/{{action}}", partial(corrections.send, kind), "POST") for kind in (ADJUST, OVERRIDE)),
    _seated("/think-again/{action}", second_thoughts.think_again),
    _seated("/think-again/{action}", second_thoughts.record_thought, "POST"),
    _seated("/preview/{job}", corrections.progress),
    _seated("/preview/{job}/leave", corrections.leave, "POST"),
    _seated("/requests", corrections.list_requests, panel="requests"),
    _of_gm("/request/{request}", corrections.look_at_request),
    _seated("/request/{request}/drop", corrections.drop_request, "POST"),
)
GM = (
    _of_gm("/gm", room.show_room),
    _of_gm("/gm/job/{job}", room.show_work),
    _of_gm("/gm/job/{job}/file", room.send_file),
    _of_gm("/gm/secrets", secrets.show_secrets),
    _of_gm("/gm/secrets", secrets.reveal, "POST"),
    _of_gm("/gm/reveal/{action}", secrets.reveal_action),
    _of_gm("/gm/redact", secrets.redact, "POST"),
    _of_gm("/gm/adopt", adopting.show_adoption),
    _of_gm("/gm/adopt", adopting.adopt, "POST"),
    _of_gm("/gm/timelines", timelines.show_timelines),
    _of_gm("/gm/timelines", timelines.fork, "POST"),
    _of_gm("/gm/rerun", timelines.rerun, "POST"),
    _of_gm("/gm/compare", timelines.compare, "POST"),
    _of_gm("/gm/audit", room.show_audit),
    _of_gm("/gm/audit", room.audit, "POST"),
    _of_gm("/gm/keep", keeping.show_keeping),
    _of_gm("/gm/export", keeping.export, "POST"),
    _of_host(f"{AT}/gm/backup", keeping.back_up, "POST"),
    _of_gm("/gm/seats", seats.show),
    _of_gm("/gm/seats", seats.make_seat, "POST"),
    _of_gm("/gm/seats/link", seats.make_link, "POST"),
    _of_gm("/gm/seats/revoke", seats.revoke, "POST"),
    _of_gm("/gm/seats/sit", seats.sit, "POST"),
)
WATCHING = (
    _read("/sheets", sheets.first_sheet, panel="sheet"),
    _read("/sheet/{who}", sheets.sheet_page, panel="sheet"),
    _read("/why/{who}/{key:path}", sheets.why_page, is_slow=True),
    _read("/charts/{who}", sheets.charts_page, is_slow=True),
    _read("/board", board.board_page),
    _read("/board/here", board.board_here, panel="board-now"),
    _read("/replay", replay.replay_page),
    _read("/replay/moments", replay.moments),
)
LOBBY = (
    Page(path="/", handler=campaigns.show_campaigns),
    _of_host("/new", starting.show_games),
    _of_host("/new", starting.start, "POST"),
    _of_host("/import", starting.begin_import, "POST"),
    _of_host("/import/{job}", starting.show_import),
    _of_strangers("/join/{token}", campaigns.ask),
    _of_strangers("/join/{token}", campaigns.sit_down, "POST"),
    _of_strangers("/leave", campaigns.get_up, "POST"),
)

PAGES: tuple[Page, ...] = (*TABLE, *ACTING, *CORRECTIONS, *GM, *WATCHING, *LOBBY)
"""Those that are asked for most come first."""
