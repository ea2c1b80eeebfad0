"""Every page of the table in the browser, with an identity that asks for it, in the middle of a fight."""

from __future__ import annotations

from tests.support.web import GM, MIRA, SPECTATOR

PAGES = {
    "table-gm": (GM, "/c/sherwood"),
    "table-player": (MIRA, "/c/sherwood"),
    "table-spectator": (SPECTATOR, "/c/sherwood"),
    "log-found": (GM, "/c/sherwood/log?q=who%3Drobin"),
    "log-wrong": (GM, "/c/sherwood/log?q=whom%3Drobin"),
    "act-form": (MIRA, "/c/sherwood/do/move"),
    "act-odds": (GM, "/c/sherwood/do/attack?attacker=robin-hood&target=guard&weapon=longbow&out_of_turn=yes"),
    "act-gm": (GM, "/c/sherwood/do/cast"),
    "act": (MIRA, "/c/sherwood/act"),
    "card": (GM, "/c/sherwood/card/20"),
    "screen": (SPECTATOR, "/c/sherwood/screen"),
    "first-sheet": (MIRA, "/c/sherwood/sheets"),
    "sheet": (MIRA, "/c/sherwood/sheet/robin-hood"),
    "sheet-of-a-foe": (MIRA, "/c/sherwood/sheet/sheriff"),
    "why": (MIRA, "/c/sherwood/why/robin-hood/ac"),
    "replay": (GM, "/c/sherwood/replay"),
    "replay-from": (MIRA, "/c/sherwood/replay?at=20#@20"),
    "charts": (GM, "/c/sherwood/charts/robin-hood"),
    "act-as-a-foe": (GM, "/c/sherwood/do/attack?roll.as=sheriff"),
    "act-join": (GM, "/c/sherwood/do/join"),
    "newcomer": (GM, "/c/sherwood/join?name=Will&kind=pc"),
    "undo": (GM, "/c/sherwood/undo/24"),
    "amend": (GM, "/c/sherwood/amend/20"),
    "redo": (GM, "/c/sherwood/redo/22"),
    "undo-correction": (GM, "/c/sherwood/undo-correction/42"),
    "override": (GM, "/c/sherwood/override/20"),
    "join": (GM, "/join/no-such-token"),
    "adjust": (GM, "/c/sherwood/adjust/20"),
    "think-again": (MIRA, "/c/sherwood/think-again/36"),
    "rewind": (GM, "/c/sherwood/x-card/rewind"),
    "room": (GM, "/c/sherwood/gm"),
    "seats": (GM, "/c/sherwood/gm/seats"),
    "secrets": (GM, "/c/sherwood/gm/secrets"),
    "reveal": (GM, "/c/sherwood/gm/reveal/38"),
    "adopt": (GM, "/c/sherwood/gm/adopt"),
    "timelines": (GM, "/c/sherwood/gm/timelines"),
    "audit": (GM, "/c/sherwood/gm/audit"),
    "keep": (GM, "/c/sherwood/gm/keep"),
    "handouts": (GM, "/c/sherwood/handouts"),
    "handouts-for-a-player": (MIRA, "/c/sherwood/handouts"),
    "no-board": (MIRA, "/c/sherwood/board"),
    "board": (GM, "/c/carrow-bridge/board"),
    "board-planned": (GM, "/c/carrow-bridge/board?who=sill&to=9,1"),
    "bridge": (GM, "/c/carrow-bridge"),
    "lobby": (GM, "/"),
    "lobby-new": (GM, "/new?ruleset=storytoken"),
    "nowhere": (GM, "/c/sherwood/nowhere"),
}

REFUSED = ("404", "409", "422")
"""Words of browsers on pages that answer with such a status, which is no fault of theirs."""
