"""A forgery for each field of a place, a source, a request, a roll and a count, by a program that is changed in one thing.

Of each field it is said what a forger gains by it. ``caught`` are values that somebody finds: everybody (in the chain or in the
dice), or the audit alone (by the rules). ``free`` are values that bind nobody, with the reason why nothing is loosened by them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import attrs

from rollbook.domain.dice.record import OVERRIDE, Source, StreamPlace
from tests.attacks.live_play import Program
from tests.attacks.live_programs import (
    asked,
    counted,
    counted_behind_the_screen,
    fresh_dice,
    placed,
    recorded,
    sourced,
    traced,
)

V, U, F = "VERIFIED", "UNPROVEN", "FAILED"
CHAIN_FAILS = (F, "", "")
"""What is said of chain, dice and rules; "" where it does not matter, because everybody says FAILED before."""
DICE_FAIL = (V, F, "")
DICE_LACK = (V, U, "")
PLAYED_AGAIN = (U, U, U)
RULES_FAIL = (V, V, F)
RULES_LACK = (V, V, U)


@attrs.frozen
class Live:
    """In which ``step`` of the play the ``program`` is changed."""

    step: str
    program: Program


@attrs.frozen(kw_only=True)
class Field:
    """What a forger ``gains`` by a field, what is ``caught``, and what is ``free`` with the reason."""

    gains: str
    caught: Mapping[str, tuple[Live, tuple[str, str, str]]] = attrs.field(factory=dict)
    free: Mapping[str, Live] = attrs.field(factory=dict)
    why_free: str = ""


def each(seen: tuple[str, str, str], **forgeries: Live) -> dict[str, tuple[Live, tuple[str, str, str]]]:
    return {name.replace("_", " "): (live, seen) for name, live in forgeries.items()}


def _to(name: str, by: int) -> Callable[[tuple[object, ...]], object]:
    return lambda was: getattr(was, name) + by


PLACES = {
    "screen": Field(
        gains="dice that the table saw are drawn from where nobody counts yet, or the other way",
        caught=each(
            DICE_FAIL,
            open_dice_from_behind_the_screen=Live("roll", placed(screen=True)),
            secret_dice_from_the_open_ones=Live("other secret", placed(screen=False)),
        ),
    ),
    "fork": Field(
        gains="as many other dice as there are numbers of timelines",
        caught=each(
            DICE_FAIL,
            a_timeline_that_is_not_this_one=Live("roll", placed(fork=1)),
            a_secret_roll_of_one=Live("other secret", placed(fork=7)),
        ),
    ),
    "seat": Field(
        gains="the dice of another seat, where they are better",
        caught=each(
            DICE_FAIL,
            the_gms=Live("roll", placed(seat=0)),
            another_players=Live("roll", placed(seat=3)),
            a_seat_that_nobody_has=Live("roll", placed(seat=9)),
            a_players_behind_the_screen=Live("other secret", placed(seat=1)),
        ),
    ),
    "number": Field(
        gains="a die that was looked at ahead, or one that has fallen, instead of the next one",
        caught=each(
            DICE_FAIL,
            the_next_but_one=Live("roll", placed(number=_to("number", 1))),
            one_that_has_fallen=Live("roll", placed(number=0)),
            the_last_one_once_more=Live("roll", placed(number=_to("number", -1))),
            the_next_but_one_behind_the_screen=Live("other secret", placed(number=_to("number", 1))),
            the_next_but_one_for_a_correction=Live("amended", placed(number=_to("number", 1))),
            a_new_one_although_dice_wait=Live("again", fresh_dice()),
        ),
    ),
}


def _run(**values: object) -> Program:
    """The first run of sources is another."""
    return traced(lambda sources: (sources[0]._replace(**values), *sources[1:]))  # type: ignore[arg-type]


SOURCES = {
    "kind": Field(
        gains="faces of the forger's choice, or dice that the arithmetic passes over",
        caught={
            **each(
                DICE_FAIL,
                made_up_with_a_place=Live("roll", sourced(kind="dream")),
                made_up_without_one=Live("roll", sourced(kind="dream", place=None)),
                no_kind=Live("roll", sourced(kind="")),
                real_dice_with_a_place=Live("roll", sourced(kind="physical")),
                imported_ones_with_a_place=Live("roll", sourced(kind="imported")),
                a_stream_without_a_place=Live("roll", sourced(kind="stream", place=None)),
                overridden_before_it_fell=Live("roll", sourced(kind=OVERRIDE)),
                overridden_without_a_place=Live("roll", sourced(kind=OVERRIDE, place=None)),
            ),
            **each(
                RULES_LACK, imported_dice_in_what_was_played_here=Live("roll", sourced(kind="imported", place=None))
            ),
        },
        free={"real dice that nobody rolled": Live("roll", sourced(kind="physical", place=None))},
        why_free="Real dice are counted and listed by everybody, and nobody calls them proven.",
    ),
    "dice": Field(
        gains="a die that nothing vouches for, or a place that is used up unseen",
        caught={
            **each(
                DICE_FAIL,
                fewer_than_fell=Live("roll", _run(dice=1)),
                more_than_fell=Live("roll", _run(dice=3)),
                none=Live("roll", _run(dice=0)),
                fewer_than_none=Live("roll", _run(dice=-1)),
                no_source_at_all=Live("roll", traced(lambda _: ())),
                no_dice_of_a_place_further_on=Live(
                    "roll",
                    traced(
                        lambda sources: (
                            Source("stream", 0, 2, StreamPlace(screen=False, fork=0, seat=1, number=9)),
                            *sources,
                        )
                    ),
                ),
            ),
            **each(
                RULES_FAIL, no_real_dice_besides=Live("roll", traced(lambda sources: (*sources, Source("physical", 0))))
            ),
        },
    ),
    "session": Field(
        gains="dice of a session whose seed everybody knows, or of none",
        caught=each(
            DICE_FAIL,
            an_earlier_one=Live("roll", sourced(session=1)),
            a_later_one=Live("roll", sourced(session=3)),
            none=Live("roll", sourced(session=0)),
            below_none=Live("other secret", sourced(session=-1)),
        ),
        free={"a real die of a session": Live("real", _run(session=2))},
        why_free="A die without a place is of no session, and nothing looks at the number.",
    ),
    "place": Field(
        gains="the dice of one place under the name of another",
        caught=each(
            DICE_FAIL,
            one_that_has_fallen=Live("roll", sourced(place=lambda source: source.place._replace(number=0))),
            that_of_another_seat=Live("roll", sourced(place=lambda source: source.place._replace(seat=3))),
            none=Live("other secret", sourced(place=None)),
        ),
    ),
}


def _occasion(request: object) -> str:
    return f"{getattr(request, 'occasion', '')}!"


REQUESTS = {
    "roller": Field(
        gains="the dice that wait for a request are not met, because somebody else asks",
        caught=each(RULES_FAIL, another=Live("again", asked(roller="tuck")), nobody=Live("attack", asked(roller=""))),
    ),
    "purpose": Field(
        gains="the same: it is asked for something else",
        caught=each(
            RULES_FAIL,
            another=Live("again", asked(purpose="leap ")),
            another_than_that_of_the_rules=Live("attack", asked(purpose="to hit hard")),
        ),
    ),
    "occasion": Field(
        gains="the same: it is asked on another occasion",
        caught={
            **each(RULES_FAIL, another=Live("again", asked(occasion=_occasion))),
            **each(DICE_LACK, none=Live("again", asked(occasion=""))),
        },
    ),
    "repeat": Field(
        gains="the same: it is asked once more",
        caught=each(
            (V, F, F),
            a_later_one=Live("again", asked(repeat=5)),
            below_the_first=Live("again", asked(repeat=-1)),
            a_later_one_that_nothing_waits_for=Live("roll", asked(repeat=1)),
        ),
    ),
}
ROLLS = {
    "secret": Field(
        gains="dice of the other streams, and an open roll that the table does not see",
        caught={
            **each(
                RULES_FAIL,
                an_open_roll_made_secret=Live("roll", asked(secret=True)),
                a_secret_roll_made_open=Live("other secret", asked(secret=False)),
            ),
            **each(
                DICE_FAIL,
                an_open_roll_called_secret=Live("roll", recorded(secret=True)),
                a_secret_roll_called_open=Live("other secret", recorded(secret=False)),
            ),
        },
    ),
    "dice": Field(
        gains="a better face",
        caught=each(
            DICE_FAIL,
            the_highest_face=Live("roll", recorded(dice=lambda roll: (roll.dice[0]._replace(face=7), *roll.dice[1:]))),
            one_more=Live("roll", recorded(dice=lambda roll: (*roll.dice, roll.dice[0]))),
        ),
    ),
    "flat": Field(gains="a bonus", caught=each(RULES_FAIL, none=Live("attack", recorded(flat=())))),
    "total": Field(
        gains="a better outcome", caught=each(RULES_FAIL, more=Live("roll", recorded(total=_to("total", 3))))
    ),
    "natural": Field(gains="a natural 20", caught=each(RULES_FAIL, twenty=Live("attack", recorded(natural=20)))),
    "expression": Field(
        gains="another roll than was asked for",
        caught=each(RULES_FAIL, another=Live("roll", recorded(expression="2d8"))),
    ),
    "typed": Field(
        gains="other words of what was asked for", caught=each(RULES_FAIL, another=Live("roll", recorded(typed="2d4")))
    ),
}

COUNTS = {
    name: Field(
        gains="the last rolls of a session can be cut off, or rolls be added",
        caught=each(
            DICE_FAIL,
            at_the_close=Live("close", counted(**{name: value})),
            behind_the_screen=Live("screen", counted_behind_the_screen(**{name: other})),
        ),
    )
    for name, value, other in (("screen", True, False), ("fork", 1, 1), ("seat", 9, 9), ("rolls", 9, 0))
}
