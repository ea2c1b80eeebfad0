"""A player who happens to say the name of somebody hidden learns nothing by it: what players say stays what it is."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from pathlib import Path

import attrs
import pytest

from rollbook.application.campaign import Campaign
from rollbook.domain.base.errors import NotFound, RollbookError
from rollbook.domain.rules.action import Action
from rollbook.domain.rules.parameters import amounts, words
from rollbook.domain.rules.table import Table
from rollbook.kit import vocabulary
from rollbook.plugin import events
from tests.support.campaigns import begin_campaign, memory_book
from tests.support.example_sessions import EXAMPLE_SESSIONS
from tests.support.hidden_words import (
    OTHER,
    SAID,
    WORDS,
    answer,
    free_parameters,
    line_of,
    players_of,
    two_stores,
    views,
)
from tests.support.secret_tables import GAME

TAKEN = ("note text", "note to", "roll purpose", "entropy text", "drop item")
"""Words of players that every game has; ``note to`` and ``drop item`` mean what is there, so others are refused."""


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLE_SESSIONS)
def test_a_hidden_name_in_any_word_of_a_player_makes_no_difference(example: str, tmp_path: Path) -> None:
    stores = two_stores(example, tmp_path)
    tried, recorded = set(), set()
    for seat, (verb, parameter), name in itertools.product(
        players_of(stores[0].state), list(free_parameters(stores[0])), WORDS
    ):
        line = line_of(stores[0], seat, verb, parameter, name)
        tried.add(f"{verb.verb} {parameter.name}")
        before = stores[0].head.entry
        said = [answer(store, line, seat) for store in stores]
        assert said[0] == said[1], line
        if stores[0].head.entry > before:
            recorded.add(f"{verb.verb} {parameter.name}")
    assert tried >= set(TAKEN)
    assert recorded >= {"note text", "roll purpose"}
    found = [dict(views(store, tmp_path)) for store in stores]
    for what, one in found[0].items():
        assert one == found[1][what], what
    assert SAID in str(found[0])
    assert OTHER not in str(found)


class Taunt(Action, verb="taunt", by_any_seat=True):
    """Everybody who is there hears some words, seen or unseen."""

    words: str = words("what is said", gm_only=False)

    def resolve(self, table: Table) -> None:
        """One after the other is provoked."""
        for who in table.characters():
            table.record(events.ConditionBegan(character=who.id, condition="provoked", detail=self.words))


class Share(Action, verb="share", by_any_seat=True):
    """Those who are named get some of it."""

    shares: Mapping[str, int] = amounts("who gets how many", alone=1, of=vocabulary.CHARACTER, gm_only=False)

    def resolve(self, table: Table) -> None:
        """One after the other gets their part."""
        for who, many in self.shares.items():
            table.record(events.PoolGained(holder=table.character(who).id, pool="shares", amount=many))


TAUNTING = attrs.evolve(GAME, actions=(*GAME.actions, Taunt, Share))


@pytest.fixture
def stores(tmp_path: Path) -> tuple[Campaign, Campaign]:
    """Two tables in memory: somebody is hidden who is called otherwise."""
    made = []
    for name in (SAID, OTHER):
        (tmp_path / name).mkdir()
        campaign = begin_campaign(memory_book(tmp_path / name, ruleset=TAUNTING))
        campaign.do("note", text="a first secret", to="gm")
        campaign.do("join", name=name, id=f"hidden-{name.casefold()}", kind="npc", stats={"max_hp": 9}, secret=True)
        made.append(campaign)
    return made[0], made[1]


LINES = (
    *(f"note {name}" for name in WORDS),
    f"roll 1d20 --purpose {SAID} ! 7",
    f"note well --why 'because of {SAID}'",
    f"attack robin guard --why 'because of {SAID}' ! 3",
    f"amend last text={SAID} --why 'it is {SAID}'",
    f"note anything --to {SAID}",
    f"note well --about {SAID}",
    f"attack robin {SAID}",
    f"drop robin {SAID}",
    f"undo last --why '{SAID} again'",
    f"redo last --why '{SAID} again'",
    *(f"share {name}=2" for name in WORDS),
    f"share robin,{SAID}",
)


def test_reasons_corrections_and_refusals_are_the_same_too(stores: tuple[Campaign, Campaign], tmp_path: Path) -> None:
    for line in LINES:
        said = [answer(store, line, "mira") for store in stores]
        assert said[0] == said[1], line
    for what in dict(views(stores[0], tmp_path)):
        one, other = (dict(views(store, tmp_path))[what] for store in stores)
        assert one == other, what


def test_what_follows_from_a_correction_of_the_gms_keeps_a_players_words(stores: tuple[Campaign, Campaign]) -> None:
    for store in stores:
        store.say("gain-token robin")
        gained = store.head.actions
        store.say(f"roll 1d20 --who robin --purpose {SAID} ! 7", seat="mira")
        store.say(f"undo {gained} --why 'too much'")
        entries = [entry for entry in store.history.entries if entry.seat == "mira" or entry.is_correction]
        assert {(entry.visibility, entry.hidden_events) for entry in entries} == {("", ())}


def test_the_gms_words_hide_what_they_name_as_before(stores: tuple[Campaign, Campaign]) -> None:
    named, _ = stores
    mine = named.say(f"note beware the {SAID}", seat="mira").entry
    assert mine is not None
    for line in (f"note beware the {SAID}", f"roll 1d20 --purpose {SAID}", f"ruling '{SAID} is gone'"):
        assert named.do(*_parsed(line)).visibility == "gm", line
    assert named.say(f"note well --why '{SAID} hears it'").entries[0].visibility == "gm"
    amended = named.corrections.amend(mine.action, {"text": f"{SAID} is a duke"}, reason="so").apply()
    assert [entry.visibility for entry in amended] == ["gm"]


def test_what_the_gm_amends_beside_a_players_words_leaves_them_open(stores: tuple[Campaign, Campaign]) -> None:
    named, _ = stores
    mine = named.say(f"note beware the {SAID}", seat="mira").entry
    assert mine is not None
    (amended,) = named.corrections.amend(mine.action, {"about": "guard"}, reason="so").apply()
    assert (amended.visibility, amended.hidden_events) == ("", ())


def test_whom_the_rules_bring_in_stays_hidden_though_a_player_names_them(stores: tuple[Campaign, Campaign]) -> None:
    shown = []
    for store in stores:
        taunt = store.do("taunt", {"words": f"come out, hidden-{SAID.casefold()}"}, seat="mira")
        people = [who.id for who in store.state.characters.values()]
        assert taunt.visibility == ""
        assert [people[place] for place in taunt.hidden_events] == [who for who in people if who.startswith("hidden-")]
        shown.append([event for place, event in enumerate(taunt.events) if place not in taunt.hidden_events])
    assert shown[0] == shown[1]


def test_whom_a_parameter_means_hides_an_entry_whatever_else_a_player_says(stores: tuple[Campaign, Campaign]) -> None:
    who = f"hidden-{SAID.casefold()}"
    assert stores[0].do("note", {"text": f"I see {SAID}", "about": who}, seat="mira").visibility == "gm"


def test_a_whisper_that_names_somebody_makes_no_secret_of_what_a_player_says_then(
    stores: tuple[Campaign, Campaign],
) -> None:
    for store in stores:
        store.do("note", {"text": f"you see {SAID}", "to": "mira"})
        entry = store.do("note", {"text": f"there is {SAID}!"}, seat="mira")
        assert entry.visibility == ""


def test_a_mapping_by_character_takes_any_clear_name_and_hides_whom_it_means(stores: tuple[Campaign, Campaign]) -> None:
    who = f"hidden-{SAID.casefold()}"
    shared = stores[0].say("share Rob,GUARD=3", seat="mira").entry
    assert shared is not None
    assert (shared.intent.params["shares"], shared.visibility) == ({"guard": 3, "robin": 1}, "")
    with pytest.raises(RollbookError, match="shares names robin twice"):
        stores[0].say("share robin,Robin=2", seat="mira")
    for secret in (stores[0].say(f"share {SAID}=2").entry, stores[0].do("share", {"shares": {who: 2}}, seat="mira")):
        assert secret is not None
        assert (secret.intent.params["shares"], secret.visibility) == ({who: 2}, "gm")


def test_an_own_note_to_the_gm_that_is_revealed_is_read_by_all(
    stores: tuple[Campaign, Campaign], tmp_path: Path
) -> None:
    for store in stores:
        private = store.do("note", {"text": f"beware the {SAID}", "to": "gm"}, seat="mira")
        store.do("reveal", {"entries": (private.number,)})
    files = [dict(views(store, tmp_path)) for store in stores]
    assert "beware the" in str(files[0]["file for the table"])
    assert files[0] == files[1]


def test_an_id_that_a_player_types_is_that_of_nobody(stores: tuple[Campaign, Campaign]) -> None:
    for line in ("attack robin {}", "note well --about {}", "roll 1d20 --who {}"):
        said = []
        for name in (f"hidden-{SAID.casefold()}", SAID, "hidden-nobody"):
            with pytest.raises(NotFound) as unknown:
                stores[0].say(line.format(name), seat="mira")
            said.append(str(unknown.value).replace(name, "NAME"))
        assert len(set(said)) == 1, said


def test_a_refusal_in_which_the_rules_name_somebody_says_nothing_whatever_a_player_typed(
    stores: tuple[Campaign, Campaign],
) -> None:
    said = []
    for store in stores:
        who = next(each.id for each in store.state.characters.values() if each.hidden)
        store.do("fight", {"who": ("robin", who)}, secret=True)
        with pytest.raises(RollbookError) as refused:
            store.say(f"spend-token {SAID} --why {SAID}", seat="mira")
        said.append(str(refused.value))
    assert said[0] == said[1]


def _parsed(line: str) -> tuple[str, dict[str, str]]:
    verb, _, rest = line.partition(" ")
    if verb == "roll":
        return verb, {"expression": "1d20", "purpose": SAID}
    return verb, {"reason" if verb == "ruling" else "text": rest}
