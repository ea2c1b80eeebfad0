"""Every campaign that was ever played here goes the whole way: undone, changed, forked, compared, shown, verified."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from rollbook.adapters.exports.files import VERIFIER
from rollbook.adapters.exports.reader_file import TABLE, Reader, export_shown
from rollbook.adapters.exports.whole_file import export_campaign
from rollbook.adapters.imports.avrae.importer import read_avrae
from rollbook.adapters.imports.jsonl import import_campaign
from rollbook.adapters.imports.recording import record_import
from rollbook.adapters.wiring import open_book
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.timelines.comparing import compare
from rollbook.application.timelines.forking import begin, fork
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.audit.receipts import check_receipts, read_receipt, receipt_of
from rollbook.domain.base.errors import Refused, RollbookError
from rollbook.domain.corrections.changes import CorrectionOptions, Effect, Proposal
from rollbook.domain.rules.sheet_rulings import Adjustment
from tests.support.golden_campaigns import GOLDEN_CAMPAIGNS, OLDER_RULES

SHARED = Path(os.environ.get("ROLLBOOK_SHARED", Path(__file__).parents[2].parent / "shared"))
RECORDED = sorted((SHARED / "data" / "actual-play").glob("*.jsonl.gz"))


@attrs.frozen
class WholeCampaign:
    """A campaign that was taken in, where it lies, whether rules decided it, and whether they are those of today."""

    book: Book
    campaign: Campaign
    folder: Path
    has_rules: bool
    rules: Verdict = Verdict.VERIFIED
    drifted: frozenset[str] = frozenset()


def opened(folder: Path, path: Path) -> WholeCampaign:
    book = open_book(folder / "store.db", folder / "seeds")
    if path.suffix == ".gz":
        return WholeCampaign(
            book, record_import(book, read_avrae(path)), folder, has_rules=False, rules=Verdict.UNPROVEN
        )
    campaign = book.campaign(import_campaign(book, path).campaign)
    rules = Verdict.UNPROVEN if path.stem in OLDER_RULES else Verdict.VERIFIED
    drifted = frozenset(named.split()[0] for named in OLDER_RULES.get(path.stem, ()))
    return WholeCampaign(book, campaign, folder, has_rules=True, rules=rules, drifted=drifted)


@pytest.fixture(
    params=[*GOLDEN_CAMPAIGNS, *(RECORDED or [None])],
    ids=[path.name.split(".")[0][:12] for path in GOLDEN_CAMPAIGNS]
    + [path.name[:10] for path in RECORDED]
    + ["avrae"] * (not RECORDED),
)
def whole_campaign(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[WholeCampaign]:
    if request.param is None:
        pytest.skip("the recorded sessions are not here (shared/data/actual-play)")
    found = opened(tmp_path, request.param)
    yield found
    found.book.close()


def that_matters(campaign: Campaign, drifted: frozenset[str]) -> tuple[int, Proposal]:
    """The first action after the middle whose undo moves a sheet and needs no dice that nobody rolled.

    It is none of the ``drifted``, which the rules of today would not play as they are.
    """
    for action in range(campaign.head.actions // 2, campaign.head.actions):
        if f"#{action}" in drifted:
            continue
        try:
            made = campaign.corrections.undo(action, reason="a slip of the tongue")
        except RollbookError:
            continue
        stays = all(who in made.after.characters for who in campaign.state.characters)
        if made.changes and stays and not made.of(Effect.ORPHANED):
            return action, made
    raise AssertionError("nothing in this campaign matters")


def verified(path: Path, *receipts: str) -> str:
    """What the verifier that lies beside a file says of it; it must find nothing wrong."""
    command = [sys.executable, "-I", str(path.with_name(VERIFIER)), str(path), *receipts]
    said = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert said.returncode == 0, said.stdout + said.stderr
    assert said.stdout.startswith("chain  VERIFIED"), said.stdout
    return said.stdout


def test_a_campaign_is_corrected_forked_compared_shown_to_a_player_and_proven(whole_campaign: WholeCampaign) -> None:
    campaign = whole_campaign.campaign
    noted = receipt_of(campaign.id, campaign.head.shown, campaign.state.session)
    before = campaign.state

    # undone, and redone.
    action, made = that_matters(campaign, whole_campaign.drifted)
    made.apply()
    assert campaign.state == made.after != before
    campaign.corrections.redo(action, reason="it was none").apply()
    assert [campaign.sheet(who) for who in before.characters] == [
        campaign.sheet(who, before) for who in before.characters
    ]

    # Changed: three points of health are put right where they were wrong.
    who = made.changes[0].character
    right = Adjustment(who=who, what="hp", by=-3, why="the wolf bit him")
    if whole_campaign.has_rules:
        changed = campaign.corrections.amend(
            action, {}, adjustments=[right], reason="the wolf was forgotten", options=CorrectionOptions(draw=True)
        )
        changed.apply()
        assert campaign.state == changed.after
    else:
        with pytest.raises(Refused, match="imported as an event"):
            campaign.corrections.amend(action, {"what": "hp"}, reason="no rules to play it by")
        campaign.do("adjust", {"who": who, "what": "hp", "by": -3, "reason": "the wolf bit him"})
        assert campaign.state.characters[who].lost == before.characters[who].lost + 3

    # Forked, played on, compared; canon stays as it is.
    stands = campaign.head
    timeline = fork(whole_campaign.book, campaign, why="without it, and with a reward")
    begin(timeline)
    timeline.corrections.undo(action, reason="what if it had not been").apply()
    timeline.do("award", {"who": (who,), "amount": 77, "reason": "for bravery"})
    report = compare(whole_campaign.book, timeline)
    assert any(tally.character == who and tally.what == "xp" for tally in report.tallies)
    assert {change.character for change in report.changes} >= {who}
    assert (report.canon, report.only_here[-1].intent.verb) == (campaign.id, "award")
    assert campaign.head == stands

    # Shown: whole, and to the table; both verify without rollbook, and hold the receipt that was noted at first.
    whole, shown = whole_campaign.folder / "whole.jsonl", whole_campaign.folder / "shown.jsonl"
    export_campaign(campaign.session.log, whole)
    export_shown(campaign.session.log, shown, Reader(next(iter(campaign.state.seats), TABLE)))
    assert "dice   VERIFIED" in verified(whole, noted.code) or not whole_campaign.has_rules
    verified(shown, noted.code)

    # Proven.
    chain, dice, rules = (answer.verdict for answer in campaign.audit())
    assert (chain, rules) == (Verdict.VERIFIED, whole_campaign.rules)
    assert dice is (Verdict.VERIFIED if whole_campaign.has_rules else Verdict.UNPROVEN)
    answer = check_receipts(campaign.id, [read_receipt(str(noted))], campaign.history.entries)
    assert answer.verdict is Verdict.VERIFIED
    assert timeline.audit()[0].verdict is Verdict.VERIFIED
