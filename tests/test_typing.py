"""What is installed has type information: a script and a plug-in are checked by mypy against the wheel, strictly."""

from __future__ import annotations

from importlib.metadata import version

import pytest

from tests.support.clean_environment import CleanEnvironment

SCRIPT = """
import rollbook
from rollbook.rulesets.storytoken.fight.attack import Attack

with rollbook.open("table.db", seeds="seeds") as book:
    campaign: rollbook.Campaign = book.new("The Silver Arrow", "storytoken")
    entry: rollbook.RecordedEntry = campaign.do("bring-in", who="robin-hood", seat=None)
    shot = campaign.play(Attack(attacker="robin", target="guard", weapon="longbow"), dice=[14, 4], command="form-7")
    reveal_type(shot)
    said = campaign.say("undo --why so", seat="Mira")
    reveal_type(said.entry)
    options = rollbook.CorrectionOptions(seat="Mira", orphans=rollbook.Orphans.KEEP)
    preview: rollbook.Preview = campaign.corrections.undo(shot.action, reason="so", options=options)
    reveal_type(preview.apply())
    try:
        campaign.say("atack")
    except rollbook.NotFound as missing:
        near: tuple[str, ...] = missing.near
    print(campaign.sheet("robin").value("hp"), rollbook.__version__)
    campaign.corrections.undo(3, why="so")  # wrong on purpose
    campaign.play("attack")  # wrong on purpose
    rollbook.opne("table.db")  # wrong on purpose
"""

PLUG_IN = """
import attrs

from rollbook.plugin import Action, Ruleset, Sheet, Table, character, events, number
from rollbook import CampaignState


class Shout(Action, verb="shout"):
    who: str = character("who shouts", actor=True)
    loud: int = number("how loud", default=1)

    def resolve(self, table: Table) -> None:
        rolled = table.roll("1d6 + @loud", roller=self.who, purpose="shout", loud=self.loud)
        table.record(events.NoteWritten(text=f"{rolled.total} ears ring", about=self.who))
        table.record("hey")  # wrong on purpose
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, wheel: str) -> CleanEnvironment:
    return CleanEnvironment.create(tmp_path_factory.mktemp("typed"), [wheel])


def findings(place: CleanEnvironment, name: str, code: str) -> list[str]:
    path = place.home / f"{name}.py"
    path.write_text(code, encoding="utf-8")
    said = place.run(place.python, "-m", "mypy", "--strict", str(path), fails=True)
    return [line.removeprefix(f"{path.name}:") for line in said.splitlines() if line.startswith(path.name)]


def line_of(code: str, text: str) -> str:
    return str(1 + code[: code.index(text)].count("\n"))


def test_every_package_says_that_it_is_typed(place: CleanEnvironment) -> None:
    (own,) = (place.home / "venv" / "lib").glob("python*/site-packages")
    brought = {path.name for path in own.iterdir() if path.is_dir()} - {"__pycache__"}
    assert brought == {"rollbook", f"rollbook-{version('rollbook')}.dist-info"}
    for package in ("", "domain", "projections", "application", "adapters", "rulesets"):
        assert (own / "rollbook" / package / "py.typed").exists(), package


def test_a_script_is_checked_against_the_installed_wheel(place: CleanEnvironment) -> None:
    found = findings(place, "script", SCRIPT)
    revealed = [line.partition("Revealed type is ")[2] for line in found if "Revealed type" in line]
    assert len(revealed) == 3
    assert "RecordedEntry" in revealed[0]
    assert "RecordedEntry" in revealed[1]
    assert "None" in revealed[1]
    assert "RecordedEntry" in revealed[2]
    errors = [line for line in found if " error: " in line]
    wrong = [line_of(SCRIPT, text) for text in ('why="so")', 'play("attack")', "rollbook.opne")]
    assert [line.partition(":")[0] for line in errors] == wrong, found


def test_a_plug_in_is_checked_against_the_installed_wheel(place: CleanEnvironment) -> None:
    errors = [line for line in findings(place, "plug_in", PLUG_IN) if " error: " in line]
    assert [line.partition(":")[0] for line in errors] == [line_of(PLUG_IN, 'record("hey")')], errors
