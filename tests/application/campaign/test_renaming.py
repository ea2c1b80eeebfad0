"""Characters and people can be called otherwise: what they are stored under stays, and so does all that hangs on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.adapters.cli import main
from rollbook.application.campaign import Campaign
from rollbook.application.lines.verb_line import find_seat
from rollbook.application.visibility.pseudonyms import Pseudonyms
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.audit.dice_audit import audit_dice
from rollbook.domain.base.errors import Refused
from rollbook.domain.state.lookup import find_character


def test_a_character_who_is_renamed_keeps_the_id(campaign: Campaign) -> None:
    campaign.say("rename robin 'Robin of Locksley'")
    assert campaign.state.characters["robin"].name == "Robin of Locksley"
    assert find_character(campaign.state, "robin of locksley") == "robin"
    campaign.do("attack", {"attacker": "robin", "target": "guard"}, seat="mira")
    campaign.session.project()
    assert campaign.read_model.log(campaign.id, last=1)[0].who == "Robin of Locksley"
    with pytest.raises(Refused, match="called that already"):
        campaign.say("rename robin 'Robin of Locksley'")


def test_a_hidden_character_is_renamed_in_secret(campaign: Campaign) -> None:
    campaign.do("join", {"name": "The Spy", "id": "spy"}, secret=True)
    assert campaign.say("rename spy 'Sir Guy'").entries[0].visibility == "gm"
    assert campaign.say("rename guard 'Sir Guy'").entries[0].visibility == ""


def test_a_person_who_is_renamed_keeps_seat_and_dice(campaign: Campaign) -> None:
    campaign.do("roll", {"expression": "1d20"}, seat="mira")
    renamed = campaign.say("rename-seat mira Myra").entries[0]
    seat = campaign.state.seats["mira"]
    assert (seat.name, seat.shown, renamed.visibility) == ("mira", "Myra", "")
    assert find_seat(campaign.state, "MYRA") == find_seat(campaign.state, "mira") == "mira"
    campaign.do("roll", {"expression": "1d20"}, seat="mira")
    campaign.session.project()
    before, now = (line for line in campaign.read_model.log(campaign.id) if line.verb == "roll")
    assert (before.who, now.who, now.seat) == ("mira", "Myra", "mira")
    campaign.do("leave-seat", {"seat": "mira"})
    assert campaign.say("take-seat Myra").entries[0].intent.params["seat"] == "mira"
    assert campaign.state.seats["mira"].shown == "Myra"
    campaign.do("close-session")
    assert audit_dice(campaign.history.entries).verdict is Verdict.VERIFIED


def test_a_wrong_name_of_a_person_is_amended_and_nothing_else(campaign: Campaign) -> None:
    taken = next(entry for entry in campaign.history.entries if entry.intent.params.get("seat") == "mira")
    made = campaign.corrections.amend(taken.action, {"seat": "Myra"}, reason="a typo")
    assert [one.action for one in made.consequences] == [taken.action]
    assert made.changes == ()
    made.apply()
    assert campaign.state.seats["mira"].shown == "Myra"
    campaign.corrections.amend(taken.action, {"seat": "mira"}, reason="no typo").apply()
    assert campaign.state.seats["mira"].shown == "mira"


@pytest.mark.parametrize(("name", "why"), [("", "needs a name"), (" x", "blanks"), ("Ana", "Somebody else")])
def test_nobody_is_called_as_another_is(campaign: Campaign, name: str, why: str) -> None:
    gm = next(iter(campaign.state.seats))
    with pytest.raises(Refused, match=why):
        campaign.do("rename-seat", {"seat": "mira", "name": gm if name == "Ana" else name})


def test_another_name_is_replaced_where_people_have_others(campaign: Campaign) -> None:
    campaign.say("rename-seat mira Myra")
    campaign.say("note 'myra laughs'")
    entries = campaign.history.entries
    others = Pseudonyms.of(entries, campaign.session.rulebook)
    assert not any("yra" in repr(others.of_entry(entry)) for entry in entries[-2:])


def test_experience_is_of_one_character_whatever_the_name_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ROLLBOOK_STORE", str(tmp_path / "rollbook.db"))
    monkeypatch.setenv("ROLLBOOK_SEEDS", str(tmp_path / "seeds"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert main(["new", "Sherwood", "--ruleset", "storytoken"]) == 0
    for line in (
        "bring-in robin-hood",
        "award robin-hood 100 rats",
        "rename robin-hood Robert",
        "award robin-hood 200 bats",
    ):
        assert main(["do", *line.split()]) == 0
    capsys.readouterr()
    assert main(["xp"]) == 0
    (row,) = capsys.readouterr().out.splitlines()
    assert row.startswith("Robert") and "120,300 XP" in row
