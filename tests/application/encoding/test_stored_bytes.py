"""What is stored of rolls, counts, places and parameters, byte for byte: these shapes stay for ever."""

from __future__ import annotations

import pytest

from rollbook.application.encoding.codec import CODEC
from rollbook.domain.actions.campaign import ChangeHouseRules, StartCampaign
from rollbook.domain.actions.joining import Join
from rollbook.domain.actions.sessions import CloseSession
from rollbook.domain.dice.record import Die, Flat, RollCount, Source, StreamPlace
from rollbook.domain.entries import Entry, EntryKind
from rollbook.domain.events import DiceRolled, FreshDiceGranted, SessionClosed
from rollbook.domain.history.chain import ROOT
from rollbook.domain.rules.action import Action, build, intent_of
from tests.support.codec_lines import envelopes_of, read_back


def test_a_roll_is_stored_in_just_these_bytes() -> None:
    roll = DiceRolled(
        roller="robin",
        purpose="to hit",
        expression="2d20kh1 + 3[DEX]",
        typed="1d20adv + @dex[DEX]",
        total=20,
        dice=(Die(20, 17), Die(20, 4, kept=False, why="dropped")),
        flat=(Flat(3, "DEX"),),
        natural=17,
        sources=(Source("stream", 1, 2, StreamPlace(screen=False, fork=0, seat=1, number=7)), Source("physical", 1)),
        occasion="s2.1r3t1|attack|guard,robin",
        repeat=1,
    )
    assert CODEC.encode(roll).decode() == (
        '["DiceRolled@1",{"dice":[[20,17,true,"",0,0,-1],[20,4,false,"dropped",0,0,-1]],"expression":"2d20kh1 + 3[DEX]",'
        '"flat":[[3,"DEX"]],"natural":17,"occasion":"s2.1r3t1|attack|guard,robin","purpose":"to hit","repeat":1,'
        '"roller":"robin","secret":false,"sources":[["stream",1,2,[false,0,1,7]],["physical",1,0,null]],"total":20,'
        '"typed":"1d20adv + @dex[DEX]"}]'
    )


def test_counts_of_rolls_and_places_are_stored_in_just_these_bytes() -> None:
    closed = SessionClosed(session=1, counts=(RollCount(screen=False, fork=0, seat=1, rolls=12),))
    assert CODEC.encode(closed) == b'["SessionClosed@1",{"counts":[[false,0,1,12]],"session":1}]'
    granted = FreshDiceGranted(session=1, places=(StreamPlace(screen=True, fork=2, seat=0, number=3),), why="so")
    assert CODEC.encode(granted) == b'["FreshDiceGranted@1",{"places":[[true,2,0,3]],"session":1,"why":"so"}]'


@pytest.mark.parametrize(
    ("action", "stored"),
    [
        (
            StartCampaign(name="A", identity="ab", ruleset="grid", settings={"dice": 3, "crit": False}),
            '{"identity":"ab","name":"A","names":"","package":"","ruleset":"grid","settings":{"crit":false,"dice":3},"version":"","zone":""}',
        ),
        (
            Join(name="Ash", kind="npc", stats={"skill": 2, "max_hp": 9}),
            '{"count":1,"first":0,"id":"","kind":"npc","name":"Ash","seat":"","stats":{"max_hp":9,"skill":2}}',
        ),
        (ChangeHouseRules(settings={"twf": "none"}), '{"settings":{"twf":"none"}}'),
        (
            CloseSession(seed="ab", counts=(RollCount(screen=False, fork=0, seat=1, rolls=12),)),
            '{"counts":[[false,0,1,12]],"seed":"ab"}',
        ),
    ],
    ids=lambda given: getattr(given, "verb", ""),
)
def test_parameters_are_stored_in_just_these_bytes(action: Action, stored: str) -> None:
    entry = Entry(EntryKind.TAKEN, 1, at=5, intent=intent_of(action))
    public = f'["ActionTaken@1",{{"at":5,"intent":{{"params":{stored},"verb":"{action.verb}"}}}}]'
    assert envelopes_of(entry).public.decode() == public
    read = read_back(entry._replace(hash=ROOT, previous_hash=ROOT)).intent
    assert (read, hash(read)) == (entry.intent, hash(entry.intent))
    again = build(type(action), read.params)
    assert (again, intent_of(again)) == (action, entry.intent), "and they make the same action again"
