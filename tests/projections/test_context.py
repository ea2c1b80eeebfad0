"""What a line of the log knows of what came before."""

from hypothesis import given
from hypothesis import strategies as st

from rollbook.domain.entries import Entry, EntryKind, recorded
from rollbook.domain.events import CharacterJoined, CharacterRenamed
from rollbook.projections.context import Context

NAMED = st.tuples(st.sampled_from("abcde"), st.sampled_from(("Foe", "foe", "FOE", "Robin", "Hood")))
"""Who gets which name: few of both, so that many are called the same, and are renamed."""


@given(st.lists(NAMED, max_size=30))
def test_names_told_one_by_one_are_those_of_all_at_once(named: list[tuple[str, str]]) -> None:
    live = Context()
    assert not live.shown_names
    for number, (who, name) in enumerate(named, start=1):
        said = CharacterRenamed if who in live.names else CharacterJoined
        live.follow(recorded(Entry(EntryKind.TAKEN, number, (said(character=who, name=name),)), number))
        at_once = Context(names=dict(live.names))
        assert list(live.shown_names.items()) == list(at_once.shown_names.items())
        alike = {
            key: [other.casefold() for other in live.names.values()].count(name.casefold())
            for key, name in live.names.items()
        }
        assert live.shown_names == {
            key: f"{name} ({key})" if alike[key] > 1 else name for key, name in live.names.items()
        }
