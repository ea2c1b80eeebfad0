"""What is newly named has a name that a table can print; what an old history holds stays as it is."""

from __future__ import annotations

import unicodedata
from datetime import UTC

import pytest

from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.history.head import Decision, Head
from rollbook.application.lines.verb_line import LineError, read_value
from rollbook.domain.actions.joining import Join
from rollbook.domain.base.errors import Refused, RollbookError
from rollbook.domain.base.letters import id_of
from rollbook.domain.dice.supply import NoDice
from rollbook.domain.entries import Entry, EntryKind, Intent
from rollbook.domain.events import CharacterJoined
from rollbook.domain.rules.action import intent_of, user_parameters
from rollbook.domain.rules.value_checks import LONGEST
from rollbook.domain.state.lookup import find_character
from rollbook.projections.filters import read

BROKEN = "Wolf\nof the north"
UNPRINTABLE = ("x" * (LONGEST + 1), BROKEN, "Wolf\x1b[2J", "Wolf\tof the north", "Wolf\u202e")
PRINTABLE = ("x" * LONGEST, "Jürgen von der Lippe", "شیر\u200cها", "Robin\u00a0Hood", "👩\u200d🚀 Ada")


@pytest.mark.parametrize("name", UNPRINTABLE)
@pytest.mark.parametrize(
    ("verb", "said"),
    [("join", "name"), ("scene", "title"), ("open-session", "title"), ("take-seat", "seat"), ("roll", "purpose")],
)
def test_nothing_is_called_what_a_table_cannot_print(campaign: Campaign, verb: str, said: str, name: str) -> None:
    more = {"id": "wolf"} if verb == "join" else {"expression": "1d6"} if verb == "roll" else {}
    before = campaign.head.entry
    with pytest.raises(Refused, match=rf"^{said} (has at most 80 characters|is on one line)"):
        campaign.do(verb, {said: name, **more})
    assert campaign.head.entry == before


def test_a_thing_and_a_number_on_the_sheet_have_short_names(campaign: Campaign) -> None:
    for verb, params in (
        ("give", {"who": "robin", "item": "x" * 81}),
        ("give", {"who": "robin", "item": "rope", "use": ("rope", "a\nb")}),
        ("join", {"name": "Wolf", "stats": {"a\nb": 2}}),
    ):
        with pytest.raises(Refused, match="at most 80 characters|on one line"):
            campaign.do(verb, params)


@pytest.mark.parametrize("name", UNPRINTABLE)
def test_no_campaign_is_called_so(book: Book, name: str) -> None:
    with pytest.raises(RollbookError, match="^A campaign's name (has at most 80 characters|is on one line)"):
        book.new(name, "toy")


@pytest.mark.parametrize("name", PRINTABLE)
def test_names_of_all_languages_are_taken(campaign: Campaign, name: str) -> None:
    campaign.do("join", {"name": name, "id": "newcomer"})
    assert campaign.state.characters["newcomer"].name == name


def test_words_that_are_no_name_may_go_on_over_many_lines(campaign: Campaign) -> None:
    campaign.do("note", {"text": "The road\nthrough Sherwood " * 20})


def test_what_is_typed_is_refused_before_anything_else_is_asked(campaign: Campaign) -> None:
    name = next(each for each in user_parameters(Join) if each.name == "name")
    with pytest.raises(LineError, match="^name has at most 80 characters, and this one has 81: 'xxx"):
        read_value(name, "x" * 81, campaign.state)


def test_an_old_history_with_such_a_name_loads_and_is_played_again(campaign: Campaign) -> None:
    action = Join(name=BROKEN, id="wolf")
    played = campaign.session.rulebook.play(campaign.state, intent_of(action), NoDice(), action=action)

    def as_it_was(head: Head) -> Decision:
        entry = Entry(EntryKind.TAKEN, head.actions + 1, played.events, intent=intent_of(action), reads=played.reads)
        return Decision(
            (entry._replace(ruleset=head.state.ruleset, version=campaign.session.rulebook.version(head.state)),)
        )

    wolf = campaign.session.append(as_it_was)[-1].action
    campaign.session.read_again()
    assert campaign.state.characters["wolf"].name == BROKEN
    campaign.corrections.undo(wolf, reason="not yet").apply()
    campaign.corrections.redo(wolf, reason="now").apply()
    assert campaign.state.characters["wolf"].name == BROKEN
    assert [str(answer.verdict) for answer in campaign.audit()][2] == "VERIFIED"


@pytest.mark.parametrize(
    ("name", "id_"),
    [
        ("मीरा", "मीरा"),
        ("ไม้", "ไม้"),
        ("שָׁלוֹם", "שָׁלוֹם"),
        ("İpek", "ipek"),
        ("Zoe\u0308 Straße", "zoë-strasse"),
        ("🐉", "dragon"),
        ("🐉 Smaug", "smaug"),
        ("☂️ Bob", "bob"),
    ],
)
def test_an_id_keeps_the_letters_of_every_script(campaign: Campaign, name: str, id_: str) -> None:
    joined = campaign.do("join", {"name": name})
    assert joined.intent.params["id"] == id_ == id_of(id_)
    assert campaign.state.characters[id_].name == unicodedata.normalize("NFC", name)
    assert find_character(campaign.state, name.upper()) == id_
    assert find_character(campaign.state, unicodedata.normalize("NFD", name)) == id_


def test_two_names_of_one_lossy_id_are_two_names(campaign: Campaign) -> None:
    for name in ("मीरा", "मोर", "Robin-Hood", "Robin Hood", "Zoë", "Zoe"):
        campaign.do("join", {"name": name})
    called = {who.id: who.name for who in campaign.state.characters.values()}
    assert called["मीरा"] == "मीरा"
    assert called["मोर"] == "मोर"
    assert (called["robin-hood"], called["robin-hood-2"]) == ("Robin-Hood", "Robin Hood")
    assert (called["zoë"], called["zoe"]) == ("Zoë", "Zoe")


def test_composed_and_decomposed_are_one_name(campaign: Campaign) -> None:
    for name in ("Zoë", "Zoe\u0308", "ZOË"):
        campaign.do("join", {"name": name})
    names = [who.name for who in campaign.state.characters.values()]
    assert names[-3:] == ["Zoë", "Zoë 2", "ZOË 3"]
    campaign.do("take-seat", {"seat": "Zoe\u0308"})
    with pytest.raises(Refused, match="Zoë already has a seat"):
        campaign.do("take-seat", {"seat": "Zoë"})


@pytest.mark.parametrize("sought", ["STRASSE", "straße", "Mühle", "Mu\u0308hle", "MÜHLE", "İPEK", "ipek", "मोर"])
def test_a_search_folds_as_filters_do(campaign: Campaign, sought: str) -> None:
    campaign.do("scene", {"title": "Straße zur Mühle, İpek und मोर"})
    campaign.do("scene", {"title": "मीरा"})
    campaign.session.project()
    found = campaign.read_model.log(campaign.id, search=sought)
    assert [line.what for line in found] == [
        line.what for line in campaign.read_model.log(campaign.id, where=read(sought, zone=lambda: UTC))
    ]
    assert len(found) == 1


def test_what_was_recorded_with_an_older_id_goes_on_under_it(campaign: Campaign) -> None:
    older = campaign.session.rulebook.play(campaign.state, Intent(verb="join", params={"name": "मीरा"}), NoDice())
    assert older.events[0] == CharacterJoined(character="म-र", name="मीरा")
    assert find_character(older.campaign, "मीरा") == "म-र"
    assert find_character(older.campaign, "म-र") == "म-र"


def test_a_card_from_somebody_who_has_no_seat_is_raised_and_nothing_is_refused_afterwards(campaign: Campaign) -> None:
    before = campaign.head.entry
    assert campaign.do("x-card", seat="a stranger").number == before + 1
