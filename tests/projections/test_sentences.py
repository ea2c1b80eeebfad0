"""Every verb of every game is said in the third person, of somebody, with names where there are names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rollbook.adapters.exports.exporter import ExportRequest
from rollbook.adapters.exports.vault.markdown_syntax import plain
from rollbook.adapters.exports.vault.notes import Vault
from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.adapters.web.table.card_making import cards_of_actions
from rollbook.application.campaign import Campaign
from rollbook.application.visibility.pseudonyms import Pseudonyms
from rollbook.domain import events
from rollbook.domain.actions import SHARED
from rollbook.domain.entries import Entry, EntryKind, Intent
from rollbook.domain.events import Event, ParameterValue
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.action import Action, actor_of, build, intent_of, parameters
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import Parameter
from rollbook.domain.rules.ruleset import Ruleset
from rollbook.projections.chronicle.actions import deeds
from rollbook.projections.chronicle.telling import Telling
from rollbook.projections.log_lines import Teller
from rollbook.rulesets import storytoken
from tests.support.example_sessions import played_example
from tests.support.games import INSTALLED_RULESETS

GAMES = [discover().ruleset(key) for key in INSTALLED_RULESETS]
NAMES = {
    "fenna": "Fenna Brackwater",
    "wolf-1": "Wolf 1",
    "wolf-2": "Wolf 2",
    "wolf-3": "Wolf 3",
    "wolf-4": "Wolf 4",
    "robin": "Robin Hood",
}
RULES = Rulebook({each.key: each for each in GAMES})
TELLER = Teller(NAMES, RULES)
THIRD = re.compile(r"^(?:[a-z]+s|has|join|come in)\b")
MADE = "magic-missile"


def _value(parameter: Parameter) -> ParameterValue:
    """Something that a parameter may be given; people by their ids."""
    match parameter.want:
        case ParameterType.CHARACTER:
            return "fenna" if parameter.actor else "wolf-2"
        case ParameterType.CHARACTERS:
            return ("wolf-2", "wolf-3", "robin")
        case ParameterType.CHOICE:
            return next((each for each in parameter.choices if each), MADE)
        case ParameterType.NUMBER | ParameterType.DICE:
            return 3 if parameter.want is ParameterType.NUMBER else "1d6"
        case ParameterType.FLAG:
            return False
        case ParameterType.SEAT:
            return "Mira"
        case ParameterType.TEXT | ParameterType.GEAR:
            return MADE
        case _:
            return parameter.want.nothing


def _verbs() -> Iterator[tuple[Ruleset, type[Action]]]:
    for game in GAMES:
        yield from ((game, verb) for verb in (*game.actions, *SHARED))


def _taken(game: Ruleset, verb: type[Action], *, whole: bool) -> Entry:
    """A verb as it is taken, with all of its parameters or only those that it needs."""
    params = {each.name: _value(each) for each in parameters(verb) if (each.required or whole) and not each.hidden}
    named = [str(value) for value in params.values() if value in NAMES]
    actors = [str(params[each.name]) for each in parameters(verb) if each.actor and each.name in params]
    return Entry(
        EntryKind.TAKEN,
        1,
        seat="Ana",
        intent=Intent(verb=verb.verb, params=params),
        actor=next(iter((*actors, *named)), ""),
        ruleset=game.key,
    )


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize(("game", "verb"), [*_verbs()], ids=lambda each: getattr(each, "key", "") or each.verb)
def test_every_verb_is_said_of_somebody_in_the_third_person(game: Ruleset, verb: type[Action], whole: bool) -> None:
    entry = _taken(game, verb, whole=whole)
    said = TELLER.text(entry)
    assert said.who in {*NAMES.values(), "Ana", "Mira", MADE}
    assert THIRD.match(said.what), said
    assert not re.search(r"[{}\[\]|~]", said.what), "nothing is left of how the sentence is written"
    assert not re.search(r"\b(?:fenna|wolf-\d|robin)\b", said.sentence), "nobody is called by an id"
    needed = [each for each in parameters(verb) if each.required and each.want is ParameterType.CHARACTER]
    assert all(NAMES[str(entry.intent.params[each.name])] in said.sentence for each in needed)


def test_a_verb_without_a_sentence_is_said_by_its_name_and_parameters() -> None:
    class Begin(Action, verb="begin-uproar"):
        pass

    class Carry(Action, verb="carry"):
        pass

    rules = Rulebook({})
    for verb, what in (
        ("begin-encounter", "begins an encounter"),
        ("begin-uproar", "begins an uproar"),
        ("carry-off", "carries off Wolf 2"),
        ("catch", "catches Wolf 2"),
        ("attack", "attacks Wolf 2"),
    ):
        entry = Entry(EntryKind.TAKEN, 1, intent=Intent(verb=verb, params={"target": "wolf-2"}), actor="fenna")
        if " Wolf 2" not in what:
            entry = entry._replace(intent=Intent(verb=verb))
        assert Teller(NAMES, rules).text(entry).sentence == f"Fenna Brackwater {what}"


def _joined(*who: str, seat: str = "", more: tuple[Event, ...] = ()) -> str:
    arrived = [events.CharacterJoined(character=each, name=NAMES[each], seat=seat) for each in who]
    return TELLER.text(Entry(EntryKind.TAKEN, 1, (*arrived, *more), seat="Ana", intent=Intent(verb="join"))).sentence


def test_many_of_one_kind_are_said_together() -> None:
    things = [events.GearGained(character="robin", item=f"thing {number}") for number in range(8)]
    bow = events.GearGained(character="robin", item="longbow", use=("weapon",))
    level = events.LevelGained(character="robin")
    assert _joined("wolf-1", "wolf-2", "wolf-3", "wolf-4") == "Four wolves join"
    assert _joined("robin", "wolf-1", "wolf-2") == "Robin Hood and two wolves join"
    assert _joined("robin", seat="Mira", more=(*[level] * 8, bow, *things)) == (
        "Robin Hood comes in, played by Mira, at level 8 with a longbow and eight more things"
    )
    steps = [events.Moved(character="wolf-1", cost=1) for _ in range(4)]
    move = Entry(EntryKind.TAKEN, 1, (*steps,), intent=Intent(verb="move"), actor="wolf-1", ruleset="grid")
    assert TELLER.text(move).sentence == "Wolf 1 moves 4 squares"
    to = Intent(verb="move", params={"to": ("4", "4", "-1")})
    assert TELLER.text(Entry(EntryKind.TAKEN, 1, (), intent=to, actor="wolf-1", ruleset="srd5")).sentence == (
        "Wolf 1 moves to 4,4,-1"
    )
    rise = Entry(EntryKind.TAKEN, 1, (level,) * 4, seat="Ana", intent=Intent(verb="award"))
    assert TELLER.text(rise).result == "Robin Hood gains four levels"


def _blow(who: str, against: str, total: int) -> tuple[Event, ...]:
    check = events.CheckResolved(
        character=who,
        check="attack of opportunity",
        total=total,
        target=12,
        success=True,
        outcome="hit",
        against=against,
    )
    return check, events.DamageTaken(character=against, amount=5, dealt=5)


def test_who_was_hurt_is_said_after_a_blow_of_somebody_else() -> None:
    happened = (*_blow("robin", "wolf-1", 16), *_blow("fenna", "wolf-1", 17))
    move = Entry(EntryKind.TAKEN, 1, happened, intent=Intent(verb="move"), actor="wolf-1", ruleset="grid")
    assert TELLER.text(move).result == (
        "Robin Hood’s attack of opportunity against Wolf 1: 16 against 12: hit; Wolf 1 −5 HP; "
        "Fenna Brackwater’s attack of opportunity against Wolf 1: 17 against 12: hit; Wolf 1 −5 HP"
    )
    assert TELLER.text(move).success == 0


def test_who_ends_a_turn_is_whose_turn_it_was() -> None:
    happened = (events.TurnEnded(character="fenna"), events.TurnBegan(character="robin"))
    for game in GAMES:
        params = {"next": "robin"}
        ended = Entry(EntryKind.TAKEN, 1, happened, "Ana", seat="Ana", intent=Intent(verb="end-turn", params=params))  # type: ignore[arg-type]
        ended = ended._replace(number=1, actor="robin", ruleset=game.key)
        assert TELLER.text(ended).sentence == "Fenna Brackwater ends the turn: Robin Hood’s turn"


@pytest.mark.parametrize("name", ["sherwood", "carrow-bridge", "drowned-chapel", "salt-road"])
def test_log_card_chronicle_and_vault_say_the_same(name: str, tmp_path: Path) -> None:
    campaign: Campaign = played_example(name, tmp_path)
    rows = [row for row in campaign.read_model.log(campaign.id) if row.status == "counts"]
    cards = {card.first.action: card for card in cards_of_actions(campaign, [row.action for row in rows])}
    vault = "\n".join(
        note.content.decode(errors="replace")
        for note in Vault(
            ExportRequest(campaign=campaign, target=tmp_path / "vault", reader="gm", names=Pseudonyms())
        ).notes()
    )
    history = campaign.history
    every = Telling(
        deeds=tuple(deeds(history, lambda _: True)),
        names={who.id: who.name for who in campaign.state.characters.values()},
        rulebook=campaign.session.rulebook,
    )
    told = {
        each.number: each.text
        for part in every.parts()
        for chapter in part.chapters
        for paragraph in chapter.paragraphs
        for each in paragraph.sentences
    }
    for row in rows:
        act = f"{row.who} {row.what}"
        assert THIRD.match(row.what), act
        card = cards[row.action]
        assert (card.shown.who, card.shown.what) == (row.who, row.what)
        assert card.sentence.startswith(act)
        assert f" {plain(row.what)}" in vault
        if row.action in told and row.verb not in ("note", "end-turn", "begin-encounter", "end-encounter", "x-card"):
            assert told[row.action].startswith(act[0].upper() + act[1:]), (act, told[row.action])


def test_an_entry_that_is_built_says_what_it_is_meant_to() -> None:
    attack = build(
        storytoken.RULESET.verb("attack") or Action, {"attacker": "fenna", "target": "wolf-2", "weapon": "longbow"}
    )
    entry = Entry(EntryKind.TAKEN, 1, intent=intent_of(attack), actor=actor_of(attack), ruleset="storytoken")
    assert TELLER.text(entry).sentence == "Fenna Brackwater strikes at Wolf 2 with the longbow"
    learn = build(storytoken.RULESET.verb("learn-spell") or Action, {"who": "fenna", "spell": "magic-missile"})
    entry = Entry(EntryKind.TAKEN, 1, intent=intent_of(learn), actor=actor_of(learn), ruleset="storytoken")
    assert TELLER.text(entry).sentence == "Fenna Brackwater learns magic missile"
