"""Newcomers come in numbers, each under a name and an id of their own, and nothing of it shows who is hidden."""

from __future__ import annotations

import pytest

from rollbook.application.campaign import Campaign
from rollbook.application.history.head import Decision, Head
from rollbook.application.visibility.seat_campaign import as_seen
from rollbook.domain.actions.joining import Join
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import Refused
from rollbook.domain.dice.supply import NoDice
from rollbook.domain.entries import Entry, EntryKind, Intent
from rollbook.domain.rules.action import intent_of


def called(campaign: Campaign) -> dict[str, str]:
    """Names by id of those who came in after the cast."""
    return {
        who.id: who.name for who in campaign.state.characters.values() if who.id not in ("robin", "marian", "guard")
    }


def test_one_action_brings_in_as_many_as_are_counted(campaign: Campaign) -> None:
    entry = campaign.do("join", name="wolf", kind="monster", count=4, stats={"max_hp": 5})
    assert called(campaign) == {"wolf-1": "wolf 1", "wolf-2": "wolf 2", "wolf-3": "wolf 3", "wolf-4": "wolf 4"}
    assert {campaign.state.characters[who].stats["max_hp"] for who in called(campaign)} == {5}
    assert entry.intent.params["count"] == 4


def test_a_second_one_of_a_name_gets_the_next_number(campaign: Campaign) -> None:
    for _ in range(3):
        campaign.do("join", name="Wolf")
    campaign.do("join", name="wolf", count=2)
    assert called(campaign) == {
        "wolf": "Wolf",
        "wolf-2": "Wolf 2",
        "wolf-3": "Wolf 3",
        "wolf-4": "wolf 4",
        "wolf-5": "wolf 5",
    }


def test_a_number_that_was_typed_is_counted_on(campaign: Campaign) -> None:
    campaign.do("join", name="Wolf 7")
    campaign.do("join", name="Wolf 7")
    campaign.do("join", name="Wolf")
    assert called(campaign) == {"wolf-7": "Wolf 7", "wolf-8": "Wolf 8", "wolf-9": "Wolf 9"}


def test_those_who_have_gone_keep_their_numbers(campaign: Campaign) -> None:
    campaign.do("join", name="wolf", count=2)
    campaign.do("leave", who="wolf-2")
    campaign.do("join", name="wolf")
    assert "wolf-3" in called(campaign)


def test_an_id_that_is_given_is_taken_or_refused(campaign: Campaign) -> None:
    campaign.do("join", name="Guard", id="second")
    with pytest.raises(Refused, match="already a character called 'second'"):
        campaign.do("join", name="Guard", id="second")
    campaign.do("join", name="Captain", id="c", count=2)
    assert called(campaign) == {"second": "Guard", "c-1": "Captain 1", "c-2": "Captain 2"}


def test_what_the_others_are_called_stays_when_the_first_is_undone(campaign: Campaign) -> None:
    first = campaign.do("join", name="wolf", stats={"max_hp": 9}).action
    campaign.do("join", name="wolf", stats={"max_hp": 9})
    campaign.do("attack", attacker="wolf-2", target="guard")
    campaign.corrections.undo(first, reason="only one").apply()
    assert called(campaign) == {"wolf-2": "wolf 2"}
    assert all(answer.verdict is Verdict.VERIFIED for answer in campaign.audit()[::2])


def test_an_intent_without_a_count_means_one_as_it_always_did(campaign: Campaign) -> None:
    """Of a history from before there were counts: the intent has none, and the name is as it is."""
    campaign.do("join", name="wolf", count=2)
    said = {
        name: value for name, value in intent_of(Join(name="wolf")).params.items() if name not in ("count", "first")
    }
    old = Intent(verb="join", params=said)
    played = campaign.session.rulebook.play(campaign.state, old, NoDice())

    def as_it_was(head: Head) -> Decision:
        entry = Entry(EntryKind.TAKEN, head.actions + 1, played.events, intent=old, reads=played.reads)
        return Decision(
            (entry._replace(ruleset=head.state.ruleset, version=campaign.session.rulebook.version(head.state)),)
        )

    campaign.session.append(as_it_was)
    assert called(campaign) == {"wolf-1": "wolf 1", "wolf-2": "wolf 2", "wolf": "wolf"}
    assert campaign.audit()[2].verdict is Verdict.VERIFIED


# Who is hidden.


def test_an_open_newcomer_is_called_as_if_nobody_hidden_had_the_name(campaign: Campaign) -> None:
    campaign.do("join", name="Captain", kind="npc", secret=True)
    campaign.do("join", name="Captain", kind="npc")
    campaign.do("join", name="Captain", kind="npc")
    seen = as_seen(campaign, "mira").state.characters
    assert {"captain", "captain-2"} <= seen.keys()
    assert not any(who.hidden for who in seen.values())
    hidden = [who for who in campaign.state.characters.values() if who.hidden]
    assert [(who.id, who.name) for who in hidden] == [("hidden-captain", "Captain")]


def test_a_hidden_newcomer_is_numbered_among_everybody(campaign: Campaign) -> None:
    campaign.do("join", name="wolf", count=2)
    campaign.do("join", name="wolf", count=2, secret=True)
    campaign.do("join", name="wolf")
    assert called(campaign) == {
        "wolf-1": "wolf 1",
        "wolf-2": "wolf 2",
        "hidden-wolf-3": "wolf 3",
        "hidden-wolf-4": "wolf 4",
        "wolf-3": "wolf 3",
    }


def test_what_an_open_one_does_is_open_though_a_hidden_one_has_the_name(campaign: Campaign) -> None:
    campaign.do("join", name="Captain", kind="npc", secret=True)
    joined = campaign.do("join", name="Captain", kind="npc", stats={"max_hp": 9})
    struck = campaign.do("attack", attacker="captain", target="guard")
    unseen = campaign.do("note", text="he waits", about="hidden-captain")
    assert (joined.visibility, struck.visibility, unseen.visibility) == ("", "", "gm")
    assert (joined.hidden_events, struck.hidden_events) == ((), ())


def test_somebody_concealed_keeps_the_name_that_the_table_has_heard(campaign: Campaign) -> None:
    campaign.do("join", name="Captain", kind="npc")
    campaign.do("conceal", who="captain")
    campaign.do("join", name="Captain", kind="npc")
    assert "captain-2" in called(campaign)


def test_a_hidden_one_who_comes_into_the_open_is_told_from_the_other(campaign: Campaign) -> None:
    campaign.do("join", name="Captain", kind="npc", secret=True)
    campaign.do("join", name="Captain", kind="npc")
    assert campaign.sheet("captain").name == "Captain"
    campaign.do("reveal", who="hidden-captain")
    assert campaign.sheet("captain").name == "Captain (captain)"
    assert campaign.sheet("hidden-captain").name == "Captain (hidden-captain)"


# Equal names.


def test_a_name_alone_means_the_one_whom_the_table_knows(campaign: Campaign) -> None:
    campaign.do("join", name="Red Captain", kind="npc", secret=True)
    assert campaign.character_id("Red Captain") == campaign.character_id("red-captain") == "hidden-red-captain"
    campaign.do("join", name="Red Captain", kind="npc", id="rc")
    assert campaign.character_id("Red Captain") == campaign.character_id("red-captain") == "rc"


def test_two_of_one_name_are_told_apart_in_log_and_sheets(campaign: Campaign) -> None:
    campaign.do("join", name="Wolf", id="grey", stats={"max_hp": 9, "skill": 2})
    campaign.do("join", name="Wolf", id="black", stats={"max_hp": 9, "skill": 2})
    campaign.do("attack", attacker="grey", target="black")
    campaign.session.project()
    line = campaign.read_model.log(campaign.id)[-1]
    assert line.who == "Wolf (grey)"
    assert "Wolf (black)" in line.what
    assert [campaign.sheet(who).name for who in ("grey", "black", "robin")] == ["Wolf (grey)", "Wolf (black)", "Robin"]
