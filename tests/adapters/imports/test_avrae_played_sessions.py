"""Real sessions, played again: nearly all comes to what is on record, and nobody's hit points ever differ from it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import attrs

from rollbook.adapters.imports import Imported
from rollbook.adapters.imports.avrae.importer import read_avrae, read_session
from rollbook.adapters.imports.avrae.play import RULESET, SETTINGS
from rollbook.adapters.imports.avrae.play_steps import TEMPORARY
from rollbook.adapters.imports.playing import entries_of, record_play
from rollbook.application.audit import audit_of
from rollbook.application.book import Book
from rollbook.application.history.head import Head
from rollbook.application.playing.recorded_play import RecordedPlayer
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.rulesets.srd5 import RULESET as SRD5
from tests.support.avrae import Standing, recorded, updates
from tests.support.campaigns import memory_book

SHOWN = ("attack", "save", "damage", "healing", "temporary hit points")
ALWAYS = Imported("", (), 0, 0, (), ruleset=RULESET, settings=SETTINGS)


def stands(campaign: CampaignState) -> list[Standing]:
    """Everybody in the fight: name, hit points, maximum and temporary hit points."""
    assert campaign.encounter is not None
    here = [campaign.characters[key] for key in campaign.encounter.order]
    return sorted(
        (who.name, who.stats["max_hp"] - who.lost, who.stats["max_hp"], who.pools.get(TEMPORARY, 0)) for who in here
    )


def played(path: Path, book: Book) -> tuple[RecordedPlayer, int]:
    """A recording played line by line, compared with it at every update; and the number of updates."""
    player, moments = RecordedPlayer(book.rulebook, book.seeds.of_stream("cellar"), Head()), updates(path)
    for number, actions in read_session(path, play=True).by_line():
        list(entries_of(book, attrs.evolve(ALWAYS, actions=actions), player))
        if number in moments:
            shown = sorted((name, max(hp, 0), most, temp) for name, hp, most, temp in recorded(moments[number]))
            assert stands(player.head.state) == shown, f"{path.name}, line {number}"
    return player, len(moments)


def test_no_hit_point_differs_at_any_recorded_moment_and_at_least_95_in_100_are_played(
    recordings: list[Path], tmp_path: Path
) -> None:
    agreed, standing, moments = Counter[str](), Counter[tuple[str, str]](), 0
    for path in recordings:
        player, many = played(path, memory_book(tmp_path / path.name, ruleset=SRD5))
        agreed += player.tally.agreed
        standing += player.tally.standing
        moments += many
    assert moments >= 200
    assert agreed["attack"] > 60
    assert agreed["save"] > 10
    as_played = sum(agreed[kind] for kind in SHOWN)
    as_recorded = sum(count for (kind, _), count in standing.items() if kind in SHOWN)
    assert as_played >= 0.95 * (as_played + as_recorded), standing
    assert all(why for _, why in standing)


def test_every_played_action_of_a_real_session_comes_out_the_same_in_an_audit(
    recordings: list[Path], tmp_path: Path
) -> None:
    campaign, tally = record_play(memory_book(tmp_path, ruleset=SRD5), read_avrae(recordings[4], "Arena", play=True))
    chain, _, rules = audit_of(campaign.session)
    assert (chain.verdict, rules.verdict) == (Verdict.VERIFIED, Verdict.UNPROVEN)
    assert rules.checked == sum(tally.agreed.values())
