"""A forgery for each field of both envelopes and of the seal, made while an entry is sealed (see ``live_forgeries``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from rollbook.domain.entries import Intent, RecordedEntry, SecondThought
from rollbook.domain.history.history import DRAW
from tests.attacks.live_forgeries import (
    CHAIN_FAILS,
    DICE_FAIL,
    PLAYED_AGAIN,
    RULES_FAIL,
    RULES_LACK,
    Field,
    Live,
    U,
    V,
    each,
)
from tests.attacks.live_programs import proposed, resealed, sealed, written

OTHER = "ab" * 32


def _intent(**values: object) -> Callable[[RecordedEntry], Intent]:
    return lambda entry: attrs.evolve(
        entry.intent, **{name: value(entry.intent) if callable(value) else value for name, value in values.items()}
    )


def _with_param(name: str, value: Any) -> Callable[[Intent], dict[str, Any]]:
    return lambda intent: {**intent.params, name: value}


def _drawn_for(action: int) -> Callable[[RecordedEntry], Intent]:
    """Dice that are drawn for a correction are said to be for another action."""
    changed = _intent(params=_with_param("action", action))
    return lambda entry: changed(entry) if entry.intent.verb == DRAW else entry.intent


PUBLIC = {
    "seat": Field(
        gains="somebody else did it: who may not, or whose dice are better",
        caught={
            **each(CHAIN_FAILS, a_seat_that_nobody_has=Live("token", proposed(seat="nobody"))),
            **each(
                DICE_FAIL,
                a_roll_of_another=Live("roll", proposed(seat="tuck")),
                a_line_of_another=Live("line", proposed(seat="tuck")),
                a_line_of_the_gm=Live("line", proposed(seat="Ana")),
            ),
            **each(
                RULES_FAIL,
                a_player_agrees_for_the_table=Live("agree", proposed(seat="mira")),
                a_spectator_acts=Live("token", proposed(seat="watcher")),
            ),
            **each(RULES_LACK, a_player_undoes_what_another_did=Live("undone", proposed(seat="tuck"))),
        },
        free={
            "another player's words": Live("last", proposed(seat="mira")),
            "another player's deed": Live("token", proposed(seat="tuck")),
            "nobody's": Live("token", proposed(seat="")),
            "a player's own undo": Live("undone", proposed(seat="mira")),
        },
        why_free="Nobody signs what they type, so what any seat may do without dice can be written down for any of them.",
    ),
    "at": Field(
        gains="it was done at another time",
        free={"before everything": Live("token", proposed(at=1)), "before time": Live("token", proposed(at=-(2**63)))},
        why_free="It is what the host's clock says, and nothing is decided by it.",
    ),
    "reason": Field(
        gains="other words",
        free={
            "of an action": Live("token", proposed(reason="spite")),
            "of an undo": Live("undone", proposed(reason="spite")),
        },
        why_free="These are somebody's words, by which nothing is decided.",
    ),
    "visibility": Field(
        gains="the table does not learn what settles something for it, or that something was corrected",
        caught={
            **each(CHAIN_FAILS, for_a_seat_that_nobody_has=Live("token", proposed(visibility="nobody"))),
            **each(
                RULES_LACK,
                an_agreement_for_the_gm_alone=Live("agree", proposed(visibility="gm")),
                the_close_for_the_gm_alone=Live("close", proposed(visibility="gm")),
                a_line_for_the_gm_alone=Live("line", proposed(visibility="gm")),
                a_shown_seed_for_the_gm_alone=Live("first screen", proposed(visibility="gm")),
                an_undo_for_the_gm_alone=Live("undone", proposed(visibility="gm")),
                a_redo_for_the_gm_alone=Live("redone", proposed(visibility="gm")),
                a_deed_for_one_player=Live("token", proposed(visibility="tuck")),
                open_dice_for_one_player=Live("roll", proposed(visibility="tuck")),
                a_whisper_for_all=Live("whisper", proposed(visibility="")),
                a_whisper_for_another=Live("whisper", proposed(visibility="tuck")),
            ),
            **each(
                RULES_FAIL,
                open_dice_for_the_gm_alone=Live("roll", proposed(visibility="gm")),
                secret_dice_for_all=Live("secret", proposed(visibility="")),
            ),
        },
        free={"a deed for the GM alone": Live("token", proposed(visibility="gm"))},
        why_free="What settles nothing for the table and rolls no open dice a GM may play in secret.",
    ),
    "revision": Field(
        gains="an outcome takes the place of another, or none",
        caught=each(
            CHAIN_FAILS,
            a_second_at_once=Live("token", written(revision=2)),
            none=Live("token", written(revision=0)),
            the_one_that_is_undone=Live("undone", written(revision=1)),
            one_left_out=Live("undone", written(revision=3)),
        ),
    ),
    "intent": Field(
        gains="something else was meant than was played",
        caught={
            **each(
                RULES_FAIL,
                another_verb=Live("token", proposed(intent=_intent(verb="spend-token"))),
                another_parameter=Live("token", proposed(intent=_intent(params={"who": "marian"}))),
                one_more=Live("token", proposed(intent=_intent(params=_with_param("more", 1)))),
                another_purpose=Live("again", proposed(intent=_intent(params=_with_param("purpose", "other")))),
                a_second_thought=Live(
                    "attack", proposed(intent=_intent(second_thoughts=(SecondThought(kind="reroll"),)))
                ),
            ),
            **each(RULES_LACK, one_of_an_undo=Live("undone", proposed(intent=Intent(verb="note")))),
        },
    ),
    "actor": Field(
        gains="somebody else acted",
        caught={
            **each(CHAIN_FAILS, who_never_joined=Live("token", proposed(actor="ghost"))),
            **each(
                RULES_LACK,
                another=Live("token", proposed(actor="marian")),
                nobody=Live("token", proposed(actor="")),
                somebody_in_an_undo=Live("undone", proposed(actor="marian")),
            ),
        },
    ),
    "ruleset": Field(
        gains="rules that are not here decided it, so that nobody can play it again",
        caught=each(
            RULES_LACK,
            another=Live("token", proposed(ruleset="nowhere")),
            none=Live("token", proposed(ruleset="")),
            one_of_an_undo=Live("undone", proposed(ruleset="toy")),
        ),
    ),
    "version": Field(
        gains="the same: a difference is then called drift",
        caught=each(
            RULES_LACK,
            an_older_one=Live("token", proposed(version="0")),
            none=Live("token", proposed(version="")),
            one_of_an_undo=Live("undone", proposed(version="1")),
        ),
    ),
    "provenance": Field(
        gains="no rules decided it, so that none contradict it",
        caught={
            **each(
                RULES_LACK,
                imported=Live("token", proposed(provenance="imported")),
                none=Live("token", proposed(provenance="")),
                made_up=Live("agree", proposed(provenance="dreamt")),
                an_imported_line=Live("line", proposed(provenance="imported")),
                an_undo_that_is_a_ruling=Live("undone", proposed(provenance="ruling")),
            ),
            **each(
                (V, U, U),
                imported_dice=Live("roll", proposed(provenance="imported")),
                dice_of_none=Live("roll", proposed(provenance="")),
                made_up_dice=Live("roll", proposed(provenance="dreamt")),
            ),
            **each((U, V, U), a_ruling=Live("token", proposed(provenance="ruling"))),
            **each(PLAYED_AGAIN, dice_of_a_ruling=Live("roll", proposed(provenance="ruling"))),
        },
    ),
    "restores": Field(
        gains="an outcome counts that nobody brought back",
        caught=each(
            CHAIN_FAILS,
            of_an_action=Live("token", written(restores=1)),
            of_an_undo=Live("undone", written(restores=1)),
            what_never_was=Live("redone", written(restores=9)),
            nothing=Live("redone", written(restores=0)),
        ),
    ),
    "public_number": Field(
        gains="the table loses count of what it saw",
        caught=each(
            CHAIN_FAILS,
            an_earlier_one=Live("token", sealed(public_number=3)),
            none=Live("token", sealed(public_number=0)),
            one_before_the_first_secret=Live("open note", sealed(public_number=15)),
            that_of_another_action=Live("undone", sealed(public_number=1)),
            one_of_what_it_did_not_see=Live("whisper", sealed(public_number=5)),
        ),
    ),
    "previous_public_hash": Field(
        gains="what the table saw can be left out of a player's file",
        caught=each(
            CHAIN_FAILS,
            none=Live("token", sealed(previous_public_hash="")),
            another=Live("token", sealed(previous_public_hash=OTHER)),
            the_beginning=Live("token", sealed(previous_public_hash="0" * 64)),
            one_before_the_first_secret=Live("open note", sealed(previous_public_hash="0" * 64)),
        ),
    ),
    "public_before": Field(
        gains="the table is told that something was done at another moment, or only now",
        caught=each(
            CHAIN_FAILS,
            an_earlier_place=Live("inserted", sealed(public_before=lambda entry: entry.public_before - 1)),
            none=Live("inserted", sealed(public_before=0)),
            one_after_itself=Live("inserted", sealed(public_before=99)),
            of_what_was_inserted_nowhere=Live("token", sealed(public_before=3)),
        ),
    ),
    "public_salt": Field(
        gains="a secret that can be guessed from its digest",
        free={"none": Live("secret", sealed(public_salt="")), "one for all": Live("token", sealed(public_salt="aa"))},
        why_free="Salt is noise that keeps the host's own secrets, and nothing is proven by it.",
    ),
}

PRIVATE = {
    "action": Field(
        gains="an action takes the place of another, or a correction is of another",
        caught=each(
            CHAIN_FAILS,
            an_earlier_one=Live("token", written(action=3)),
            a_later_one=Live("token", written(action=99)),
            none=Live("token", written(action=0)),
            another_is_undone=Live("undone", written(action=3)),
        ),
    ),
    "causation": Field(
        gains="what somebody chose is called a consequence of a correction",
        caught={
            **each(
                CHAIN_FAILS,
                of_what_was_no_correction=Live("token", sealed(causation=3)),
                of_what_comes_later=Live("undone", sealed(causation=99)),
                of_less_than_nothing=Live("token", sealed(causation=-1)),
            ),
            **each(
                RULES_LACK,
                an_amendment_follows_from_itself=Live("amended again", sealed(causation=lambda entry: entry.number)),
            ),
        },
        free={"a redo follows from itself": Live("redone", sealed(causation=lambda entry: entry.number))},
        why_free="It says which entries are undone together, and that is shown before anybody does it.",
    ),
    "correction": Field(
        gains="two corrections look like one, or one like two",
        caught=each(
            CHAIN_FAILS,
            one_of_an_action=Live("token", sealed(correction=OTHER)),
            none_of_a_correction=Live("undone", sealed(correction="")),
        ),
        free={"another": Live("undone", sealed(correction=OTHER))},
        why_free="An id is any text that no other correction has.",
    ),
    "stand": Field(
        gains="the log does not say that later actions were left as they were",
        free={
            "of an undo": Live("undone", sealed(stand=True)),
            "of an amendment": Live("amended again", sealed(stand=True)),
            "of an action": Live("token", sealed(stand=True)),
        },
        why_free="It says how a correction was made, and what counts afterwards is on record entry by entry.",
    ),
    "reads": Field(
        gains="a later correction passes it by, as if the GM had let it stand",
        free={"nothing": Live("attack", sealed(reads=())), "something else": Live("bet", sealed(reads=("encounter",)))},
        why_free="Only a later correction looks at it; logs of earlier releases say less, and outcomes stay as recorded.",
    ),
    "salt": Field(
        gains="a secret that can be guessed from its digest",
        free={"none": Live("secret", sealed(salt="")), "another": Live("token", sealed(salt="x"))},
        why_free="Salt is noise that keeps the host's own secrets, and nothing is proven by it.",
    ),
    "hidden_events": Field(
        gains="the table does not see what happened in an entry that it sees",
        caught={
            **each(
                CHAIN_FAILS,
                what_is_not_there=Live("token", sealed(hidden_events=(5,))),
                one_twice=Live("token", sealed(hidden_events=(0, 0))),
                before_the_first_secret=Live("open note", written(hidden_events=(0,))),
            ),
            **each(
                RULES_LACK,
                an_outcome=Live("token", sealed(hidden_events=(0,))),
                open_dice=Live("roll", sealed(hidden_events=(0,))),
                an_agreement=Live("agree", sealed(hidden_events=(0,))),
                a_seed=Live("close", sealed(hidden_events=(0,))),
                a_reason=Live("undone", sealed(hidden_events=(-1,))),
                a_secret_roll_shown=Live("hide", sealed(hidden_events=())),
            ),
        },
    ),
    "fingerprint": Field(
        gains="nobody learns that the rules of the host were changed",
        free={"another": Live("token", sealed(fingerprint="abc")), "unknown": Live("token", sealed(fingerprint="-"))},
        why_free="It is what a host says of its own source; where another outcome is UNPROVEN for it, both are named.",
    ),
    "command": Field(
        gains="a command counts as carried out, or not",
        free={"none": Live("token", sealed(command="")), "that of another": Live("note", sealed(command="x1"))},
        why_free="It is how one program knows its own words again, and nothing is decided by it.",
    ),
    "command_digest": Field(
        gains="the same",
        free={"none": Live("token", sealed(command_digest="")), "another": Live("token", sealed(command_digest=OTHER))},
        why_free="It is how one program knows its own words again, and nothing is decided by it.",
    ),
    "before": Field(
        gains="what was done counts from another moment on",
        caught=each(
            CHAIN_FAILS,
            another_than_the_table_is_told=Live("inserted", sealed(before=lambda entry: entry.before - 1)),
            none=Live("inserted", sealed(before=0)),
            before_itself=Live("inserted", sealed(before=lambda entry: entry.action)),
            what_never_was=Live("inserted", sealed(before=99)),
            of_what_was_inserted_nowhere=Live("token", sealed(before=3)),
        ),
        free={
            "an earlier moment for all": Live(
                "inserted",
                sealed(before=lambda entry: entry.before - 1, public_before=lambda entry: entry.public_before - 1),
            )
        },
        why_free="A GM may insert an act wherever the rules allow it, and what comes of it there is checked.",
    ),
    "params": Field(
        gains="dice that were drawn for one action are used for another, or something else is revealed",
        caught={
            **each(RULES_FAIL, one_more=Live("token", proposed(intent=_intent(params=_with_param("action", 3))))),
            **each(
                RULES_FAIL, another_entry_is_revealed=Live("reveal", proposed(intent=_intent(params={"entries": (3,)})))
            ),
            **each(DICE_FAIL, dice_drawn_for_another_action=Live("amended", written(intent=_drawn_for(3)))),
        },
    ),
    "reason": Field(
        gains="words that the table does not see",
        caught=each(RULES_LACK, hidden_although_nobody_is=Live("token", sealed(hidden_events=(-1,), reason="words"))),
    ),
}

SEAL = {
    "hash": Field(
        gains="an entry can be changed later",
        caught=each(
            CHAIN_FAILS,
            another=Live("token", resealed(hash_=OTHER)),
            the_beginning=Live("token", resealed(hash_="0" * 64)),
        ),
    ),
    "previous_hash": Field(
        gains="an entry before it can be left out",
        caught=each(
            CHAIN_FAILS,
            another=Live("token", resealed(previous_hash=OTHER)),
            another_that_its_own_hash_covers=Live("token", sealed(previous_hash=OTHER)),
        ),
    ),
}
