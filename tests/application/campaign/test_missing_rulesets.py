"""Without its ruleset a campaign can be read; a newer one plays on."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest

from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import RulesetMissing
from rollbook.domain.entries import EntryKind
from rollbook.domain.rules.table import Table
from tests.support.campaigns import begin_campaign, every_change, file_book
from tests.support.comparison import comparable
from tests.support.toy import TOY
from tests.support.toy_verbs import Worry


def test_without_its_ruleset_a_campaign_opens_read_only(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        campaign.do("bet", {"who": "robin", "dice": 1})
        campaign.do("close-session")
        state = comparable(campaign.state)
    with file_book(tmp_path, ruleset=None) as book:
        campaign = book.campaign("sherwood")
        before = every_change(book)
        for attempt in (
            lambda: campaign.do("scene", {"title": "x"}),
            lambda: campaign.do("bet", {"who": "robin", "dice": 1}),
            lambda: campaign.corrections.undo(campaign.head.actions - 1, reason="so"),
            lambda: campaign.corrections.redo(3),
            lambda: campaign.corrections.amend(3, {}, reason="so"),
        ):
            with pytest.raises(RulesetMissing, match=r"'toy' .*not installed"):
                attempt()
        assert every_change(book) == before
        assert comparable(campaign.state) == state == comparable(campaign.history.state)
        campaign.session.project()
        assert [line.verb for line in book.read_model.log("sherwood")][-2:] == ["bet", "close-session"]
        assert campaign.sheet("robin").amount("max_hp") == 0
        assert campaign.sheet("robin").value("hp") is not None
        verdicts = [answer.verdict for answer in campaign.audit()]
        assert verdicts == [Verdict.VERIFIED, Verdict.VERIFIED, Verdict.UNPROVEN]


class Calm(Worry):
    """What worries nobody in the next version of the rules."""

    def resolve(self, table: Table) -> None:
        table.record()


@pytest.mark.parametrize(("verb", "effects"), [(Worry, []), (Calm, ["drifted"])])
def test_a_newer_ruleset_plays_on_and_leaves_what_it_would_decide_otherwise(
    tmp_path: Path, verb: type[Worry], effects: list[str]
) -> None:
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        campaign.do("adjust", {"who": "guard", "what": "hp", "by": -3, "reason": "fell"})
        wound = campaign.head.actions
        campaign.do("worry", {"who": "robin"})
    newer = attrs.evolve(TOY, version="2", actions=tuple(verb if action is Worry else action for action in TOY.actions))
    with file_book(tmp_path, ruleset=newer) as book:
        campaign = book.campaign("sherwood")
        made = campaign.corrections.undo(wound, reason="so")
        assert [consequence.effect for consequence in made.consequences] == ["undone", *effects]
        entry = campaign.do("worry", {"who": "robin"})
        assert entry.kind is EntryKind.TAKEN
        assert entry.version == "2"
