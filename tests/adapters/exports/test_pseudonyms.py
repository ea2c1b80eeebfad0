"""With pseudonyms nobody is called by name in what an exporter is given, however the name is written and wherever it stands."""

from __future__ import annotations

from functools import partial
from typing import Any

import attrs
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.application.encoding.codec import CODEC
from rollbook.application.visibility.folding import NameFinder
from rollbook.application.visibility.pseudonyms import Pseudonyms
from rollbook.domain.actions import SHARED
from rollbook.domain.entries import EntryKind, Intent, RecordedEntry, SecondThought
from rollbook.domain.events import CharacterJoined, Event, GearGained, PictureShown, Role, SeatTaken, vocabulary
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.action import Action, parameters
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import Parameter
from tests.support.awkward_names import AWKWARD, plainly, ways_to_write
from tests.support.strategies import any_of

RULESETS = discover().rulesets
VERBS = {
    f"{key} {verb.verb}".strip(): (key, verb)
    for key, verbs in {"": SHARED, **{key: ruleset.actions for key, ruleset in RULESETS.items()}}.items()
    for verb in verbs
}
"""All verbs that are installed, with the rulesets that have them."""


def pseudonyms(*seats: str, rulebook: Rulebook | None = None, characters: tuple[str, ...] = ()) -> Pseudonyms:
    """Those of some seats, in their order."""
    taken = [SeatTaken(seat=seat, role=Role.PLAYER, number=number) for number, seat in enumerate(seats, 1)]
    joined = [CharacterJoined(character=who, name=who) for who in characters]
    entry = RecordedEntry(EntryKind.TAKEN, 1, (*taken, *joined), number=1)
    return Pseudonyms.of([entry], rulebook or Rulebook(RULESETS))


def texts(value: Any) -> list[str]:
    """All texts in a value, as deep as they are; keys are none."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, RecordedEntry | tuple | list):
        return [text for each in value for text in texts(each)]
    if attrs.has(type(value)):
        return texts(list(attrs.asdict(value, recurse=False).values()))
    return texts(list(value.values())) if hasattr(value, "values") else []


@pytest.mark.parametrize("name", AWKWARD)
def test_a_name_is_found_however_it_is_written(name: str) -> None:
    called = pseudonyms("somebody", name)
    for way in ways_to_write(name):
        assert called.text(f"So ({way}) said, and {way}, too.") == "So (Seat 2) said, and Seat 2, too."
        assert called.text(way) == "Seat 2"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Tom", "Tomas and Thom saw it"),
        ("Zoe", "Zoe\u0308 is another"),
        ("राम", "रामू is another"),
        ("Mira Stone", "Mira. Stone walls"),
        ("Al", "also al2 and café-alto"),
    ],
)
def test_a_part_of_a_word_is_no_name(name: str, text: str) -> None:
    assert pseudonyms(name).text(text) == text


def test_of_two_names_that_begin_alike_the_longer_one_is_meant() -> None:
    assert pseudonyms("Jean", "Jean Luc").text("Jean, jean-luc and Jean Luck") == "Seat 1, Seat 2 and Seat 1 Luck"


def test_of_two_names_that_differ_in_capitals_each_is_itself() -> None:
    assert pseudonyms("Mira", "mira").text("Mira met mira, and MIRA left") == "Seat 1 met Seat 2, and Seat 1 left"


def test_what_stands_around_a_name_is_left_as_it_is() -> None:
    text = "„Ｇroßmann“\u00ad ging ﬁscheṇ\u0323, GROSSMANN\u2009blieb"
    assert pseudonyms("Großmann").text(text) == "„Seat 1“\u00ad ging ﬁscheṇ\u0323, Seat 1\u2009blieb".replace(
        "1“\u00ad", "1“\u00ad"
    )


LETTERS = st.characters(exclude_categories=("Cs", "Cc"))


@given(
    st.lists(st.text(LETTERS, min_size=1, max_size=6) | st.sampled_from(AWKWARD), min_size=1, max_size=3, unique=True),
    st.lists(st.text(LETTERS, max_size=8) | st.sampled_from(AWKWARD), max_size=5),
    st.data(),
)
@example(["a"], ["\u24d0\u0345 a\u0345"], None)
def test_no_name_is_left_in_any_text(names: list[str], pieces: list[str], data: st.DataObject | None) -> None:
    called = pseudonyms(*names)
    ways = [way for name in names for way in ways_to_write(name)]
    some = [piece if data is None or data.draw(st.booleans()) else data.draw(st.sampled_from(ways)) for piece in pieces]
    # A pseudonym may hold what somebody is called, such as 1: those are looked for in what is not one.
    said = called.text(" ".join(some))
    for number in range(len(names), 0, -1):
        said = said.replace(f"Seat {number}", "\ue000")
    assert NameFinder(names).found(said) == frozenset()


# Where names stand.


@pytest.mark.parametrize("cls", vocabulary())
@given(st.data())
def test_every_field_of_every_event_is_free_of_names_unless_its_type_says_otherwise(
    cls: type[Event], data: st.DataObject
) -> None:
    event = data.draw(any_of(cls))
    name = "Großmann"
    marked = attrs.evolve(event, **{field.name: _marked(getattr(event, field.name)) for field in attrs.fields(cls)})
    entry = pseudonyms(name).of_entry(RecordedEntry(EntryKind.TAKEN, 2, (marked,), number=2, seat=name))
    left = {
        field.name
        for field in attrs.fields(cls)
        if any("Großmann" in text for text in texts(getattr(entry.events[0], field.name)))
    }
    assert left <= KEPT, "a field holds names, and its type is none that keeps them"
    assert CODEC.decode(CODEC.encode(entry.events[0])) == entry.events[0]


def _marked(value: Any) -> Any:
    """A value with a person's name for each text in it, but not for what chooses among words of ours."""
    if type(value) is str:
        return "Großmann"
    if type(value) is tuple:
        return tuple(map(_marked, value))
    if type(value).__name__ in {"Flat", "Die", "Source"}:
        return value._replace(**{name: _marked(held) for name, held in value._asdict().items()})
    if type(value).__name__ == "Option":
        return attrs.evolve(value, key=_marked(value.key), label=_marked(value.label))
    return value


KEPT = {
    *("name", "character", "holder", "order", "about"),  # characters; the name of a campaign is none, see below
    "portrait_of",  # a character
    *("identity", "nonce", "scheme", "commit_table", "commit_screen", "seed", "salt", "digest"),  # proofs
    *("ruleset", "version", "package", "how", "activity", "matter", "value", "outcome", "choice", "picked", "what"),
    *("stat", "trait", "kind", "item", "use", "tags", "condition", "pool", "power"),
    *("options", "dice", "sources"),  # their keys, and the fates of dice
    "media",  # the type of a picture
    *("settings", "data", "since", "measures"),  # what rules read back, by name
}
"""Fields that keep what characters and things are called, and the words of rules: a new one is put here on purpose."""


def test_the_name_of_a_campaign_is_in_somebodys_own_words() -> None:
    (started,) = (cls for cls in vocabulary() if cls.__name__ == "CampaignStarted")
    entry = RecordedEntry(EntryKind.TAKEN, 1, (started(name="Mira’s table", identity="00"),), number=1)
    assert pseudonyms("Mira").of_entry(entry).events[0].name == "Seat 1’s table"  # type: ignore[attr-defined]


def test_what_is_on_a_picture_is_said_in_somebodys_own_words() -> None:
    shown = PictureShown(
        portrait_of="mira", digest="00", media="image/png", width=1, height=1, alt="MIRA laughs", salt="1"
    )
    (kept,) = pseudonyms("Mira").of_entry(RecordedEntry(EntryKind.TAKEN, 2, (shown,), number=2)).events
    assert kept == attrs.evolve(shown, alt="Seat 1 laughs")


def _parameters_of(*types: ParameterType) -> list[tuple[str, str, str]]:
    """All parameters of some types, as ruleset, verb and parameter."""
    return [
        (key, verb.verb, parameter.name)
        for key, verb in VERBS.values()
        for parameter in parameters(verb)
        if parameter.want in types
    ]


def _said(name: str, key: str, verb: str, parameter: str, held: Any, *events: Event) -> Any:
    """What becomes of a parameter where people have other names."""
    intent = Intent(verb=verb, params={parameter: held})
    entry = RecordedEntry(EntryKind.TAKEN, 2, events, number=2, ruleset=key, intent=intent)
    return pseudonyms(name).of_entry(entry).intent.params[parameter]


@pytest.mark.parametrize("name", AWKWARD)
def test_every_parameter_that_names_a_seat_has_the_other_name(name: str) -> None:
    found = _parameters_of(ParameterType.SEAT)
    assert ("", "agree", "whose") in found and ("", "lend", "to") in found and len(found) > 5
    joined = CharacterJoined(character="x", name=name, seat=name)
    for key, verb, parameter in found:
        assert _said(name, key, verb, parameter, name, joined) == "Seat 1", (key, verb, parameter)


def test_every_parameter_in_somebodys_own_words_has_the_other_name() -> None:
    found = _parameters_of(ParameterType.TEXT, ParameterType.TEXTS, ParameterType.DICE)
    assert {("", "note", "text"), ("", "note", "to"), ("", "take-seat", "seat"), ("", "scene", "title")} <= {*found}
    assert {("", "handout", "alt"), ("", "portrait", "alt"), ("", "whisper", "text")} <= {*found}
    for key, verb, parameter in found:
        assert _said("Großmann", key, verb, parameter, "von GROSSMANN selbst") == "von Seat 1 selbst"
        assert _said("Großmann", key, verb, parameter, ("großmann",)) == ("Seat 1",)


def test_of_a_verb_that_is_not_installed_every_parameter_is_in_somebodys_own_words() -> None:
    assert _said("Großmann", "nowhere", "conjure", "of", "GROSSMANN") == "Seat 1"
    assert _said("Großmann", "nowhere", "conjure", "of", ("GROSSMANN", 3)) == ("Seat 1", 3)


def test_characters_and_things_keep_their_names() -> None:
    joined = CharacterJoined(character="mira", name="Mira", seat="Mira")
    gained = GearGained(character="mira", item="Mira’s bow")
    said = partial(_said, "Mira", "")
    assert said("join", "name", "Mira", joined) == "Mira"
    assert said("join", "seat", "Mira", joined) == "Seat 1"
    assert said("give", "item", "Mira’s bow", gained) == "Mira’s bow"
    assert said("give", "who", "mira", gained) == "mira"
    (kept,) = pseudonyms("Mira").of_entry(RecordedEntry(EntryKind.TAKEN, 2, (joined,), number=2)).events
    assert kept == attrs.evolve(joined, seat="Seat 1")
    assert pseudonyms("Mira", characters=("mira",)).whom("mira") == "mira"


def test_a_second_thought_and_what_an_entry_says_of_itself_have_the_other_name() -> None:
    thought = SecondThought(kind="adjust", character="robin", params={"what": "hp", "by": 2, "why": "Großmann fragte"})
    entry = RecordedEntry(
        *(EntryKind.REVISED, 2),
        number=2,
        seat="Großmann",
        visibility="Großmann",
        reason="wegen großmann",
        intent=Intent(verb="note", second_thoughts=(thought,)),
        reads=("seats.Großmann",),
        command="Großmann 7",
        hash="00",
    )
    said = pseudonyms("Großmann").of_entry(entry)
    assert [text for text in texts(said) if "roßmann" in text] == []
    assert (said.seat, said.visibility, said.reason) == ("Seat 1", "Seat 1", "wegen Seat 1")
    assert said.intent.second_thoughts[0].params == {"what": "hp", "by": 2, "why": "Seat 1 fragte"}


def test_what_the_gm_alone_sees_stays_so_where_somebody_is_called_gm() -> None:
    entry = RecordedEntry(EntryKind.TAKEN, 2, number=2, visibility="gm", seat="gm")
    said = pseudonyms("gm").of_entry(entry)
    assert (said.visibility, said.seat) == ("gm", "Seat 1")


def test_plainly_sees_what_it_is_to_see() -> None:
    assert plainly("„GROẞMANN“ ﬁona Ｚoe\u0308") == "„grossmann“ fiona zoë"


def _named(verb: type[Action], parameter: str) -> Parameter:
    return next(each for each in parameters(verb) if each.name == parameter)


def test_a_seat_that_is_taken_is_named_by_somebodys_own_words() -> None:
    (taking,) = (verb for verb in SHARED if verb.verb == "take-seat")
    assert _named(taking, "seat").want is ParameterType.TEXT
    assert _said("Großmann", "", "take-seat", "seat", "Großmann") == "Seat 1"
