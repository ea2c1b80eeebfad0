"""What is kept beside a store keeps the same promises in a folder and in a shared database, where nobody can read it there."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from rollbook.adapters.local_files.seeds import SeedKeeper
from rollbook.adapters.storage.postgres.keys import KEY, KEY_FILE, write_key
from rollbook.adapters.storage.postgres.shared_secrets import SharedSecrets, Vault
from rollbook.adapters.storage.postgres.store import PostgresEventStore
from rollbook.application.ports.seed_store import DiceMarks, Moved, StoreSecrets, can_be_read
from rollbook.domain.base.errors import Refused, RollbookError
from rollbook.domain.dice.record import StreamCounter
from tests.support.postgres import PostgresServer
from tests.support.shared_stores import secrets_at

CAMPAIGN, ANOTHER = "ab" * 16, "cd" * 16
Open = Callable[[str], StoreSecrets]
OPEN_DICE, SCREEN_DICE = StreamCounter(screen=False, fork=0, seat=0), StreamCounter(screen=True, fork=0, seat=2)


@pytest.fixture(params=["folder", "database"])
def kept_beside(request: pytest.FixtureRequest, tmp_path: Path) -> Open:
    """Opens the secrets of the store of an identity, as another program would."""
    if request.param == "folder":
        return lambda store: SeedKeeper(tmp_path / "seeds", store)
    request.getfixturevalue("seed_key")
    address = request.getfixturevalue("postgres_store")
    return lambda store: SharedSecrets(Vault(address, store), tmp_path / "state")


@pytest.fixture
def sherwood(kept_beside: Open) -> StoreSecrets:
    return kept_beside("a store").of_stream("sherwood")


def test_seeds_are_those_of_their_session_campaign_and_name(sherwood: StoreSecrets, kept_beside: Open) -> None:
    seeds = sherwood.new(CAMPAIGN)
    session = seeds.identity.hex()
    again = kept_beside("a store").of_stream("sherwood")
    assert again.of(session, CAMPAIGN) == seeds
    assert again.has(session, CAMPAIGN)
    assert again.owner(session) == "sherwood"
    for other in (again.of_stream("carrow"), again):
        campaign = ANOTHER if other is again else CAMPAIGN
        assert other.of(session, campaign) is None
        assert not other.has(session, campaign)
    assert again.of(ANOTHER, CAMPAIGN) is None
    assert again.of("../../etc/passwd", CAMPAIGN) is None
    assert again.owner(ANOTHER) == ""


def test_seeds_that_were_never_committed_to_are_forgotten(sherwood: StoreSecrets) -> None:
    seeds = sherwood.new(CAMPAIGN)
    sherwood.forget(seeds)
    sherwood.forget(seeds)
    assert not sherwood.has(seeds.identity.hex(), CAMPAIGN)


def test_nothing_is_bound_to_a_campaign_without_an_identity(sherwood: StoreSecrets) -> None:
    with pytest.raises(Refused, match="is not hexadecimal"):
        sherwood.new("nobody's")
    assert sherwood.kept() == []


def test_marks_only_rise(sherwood: StoreSecrets, kept_beside: Open) -> None:
    session = sherwood.new(CAMPAIGN).identity.hex()
    assert sherwood.marks(session) == DiceMarks()
    sherwood.raise_marks(session, DiceMarks({OPEN_DICE: 7}))
    kept_beside("a store").of_stream("sherwood").raise_marks(session, DiceMarks({OPEN_DICE: 3, SCREEN_DICE: 2}))
    assert sherwood.marks(session) == DiceMarks({OPEN_DICE: 7, SCREEN_DICE: 2})
    sherwood.raise_marks(session, DiceMarks(closed=True))
    assert sherwood.marks(session) == DiceMarks({OPEN_DICE: 7, SCREEN_DICE: 2}, closed=True)
    with pytest.raises(ValueError, match="non-hexadecimal"):
        sherwood.marks("nobody's")


def test_seeds_go_to_another_store_with_their_marks(sherwood: StoreSecrets, tmp_path: Path) -> None:
    seeds = sherwood.new(CAMPAIGN)
    session = seeds.identity.hex()
    sherwood.raise_marks(session, DiceMarks({OPEN_DICE: 7}))
    ((kept, text),) = sherwood.kept()
    assert can_be_read(kept, text)
    there = SeedKeeper(tmp_path / "there", "another store").of_stream("sherwood")
    there.take(kept, text)
    assert there.of(session, CAMPAIGN) == seeds
    assert there.marks(session) == DiceMarks({OPEN_DICE: 7})
    sherwood.let_go(CAMPAIGN)
    assert not sherwood.has(session, CAMPAIGN)
    assert sherwood.marks(session) == DiceMarks({OPEN_DICE: 7})
    ((kept, text),) = there.kept()
    sherwood.take(kept, text)
    assert sherwood.of(session, CAMPAIGN) == seeds


def test_a_file_cannot_put_other_seeds_in_the_place_of_those_that_are_kept(sherwood: StoreSecrets) -> None:
    sherwood.new(CAMPAIGN)
    ((session, text),) = sherwood.kept()
    sherwood.check_may_take([(session, text)], Path("a.db"))
    forged = json.dumps({**json.loads(text), "table": "00" * 32})
    with pytest.raises(RollbookError, match=r"a\.db has other secret seeds for a session of yours than .*Yours stay"):
        sherwood.check_may_take([(session, forged)], Path("a.db"))


def test_nothing_is_left_of_a_campaign_that_is_dropped(sherwood: StoreSecrets, kept_beside: Open) -> None:
    gone, other = sherwood.new(CAMPAIGN).identity.hex(), sherwood.new(ANOTHER).identity.hex()
    sherwood.raise_marks(gone, DiceMarks({OPEN_DICE: 7}))
    sherwood.let_go(CAMPAIGN, is_deleted=True)
    again = kept_beside("a store").of_stream("sherwood")
    assert (again.has(gone, CAMPAIGN), again.has(other, ANOTHER)) == (False, True)
    assert again.marks(gone) == DiceMarks()


def test_who_has_gone_comes_back(sherwood: StoreSecrets, kept_beside: Open) -> None:
    gone = Moved(campaign=CAMPAIGN, store="a store", stream="sherwood", file="/tmp/carried.db", entry=12, at=1)
    sherwood.note_moved(gone)
    everywhere = kept_beside("a store")
    assert everywhere.moved() == everywhere.of_stream("sherwood").moved() == (gone,)
    assert everywhere.of_stream("carrow").moved() == ()
    sherwood.note_moved(gone.back())
    assert everywhere.moved() == ()


def test_copies_that_are_still_there_are_known(sherwood: StoreSecrets, kept_beside: Open, tmp_path: Path) -> None:
    (tmp_path / "there.db").touch()
    for name in ("there.db", "gone.db", "there.db"):
        sherwood.note_copy("the place", tmp_path / name)
    (copy,) = kept_beside("a store").copies("the place")
    assert copy.path == str(tmp_path / "there.db")
    assert kept_beside("a store").copied_to() == (tmp_path,)


def test_links_are_for_all_who_open_the_store(sherwood: StoreSecrets, kept_beside: Open) -> None:
    with closing(sherwood.links()) as mine, closing(kept_beside("a store").links()) as others:
        made, token = mine.make("sherwood", CAMPAIGN, "Ana")
        cookie = others.take(token, "")
        assert [link.seat for link in mine.taken(cookie)] == ["Ana"]
        kept_beside("a store").forget_links("sherwood")
        assert (mine.find(token), mine.taken(cookie)) == (None, ())
        assert made.campaign == "sherwood"


# In a database.


@pytest.fixture
def shared(seed_key: Path, postgres_store: str, tmp_path: Path) -> SharedSecrets:
    with closing(PostgresEventStore(postgres_store)) as store:
        return secrets_at(postgres_store, tmp_path, store).of_stream("sherwood")


def reopened(shared: SharedSecrets) -> SharedSecrets:
    """As another program would open them."""
    return SharedSecrets(Vault(shared.vault.address, shared.store), shared.folder, shared.stream)


def test_without_the_key_no_die_can_be_read_and_a_sentence_says_what_to_do(
    shared: SharedSecrets, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    session = shared.new(CAMPAIGN).identity.hex()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "nothing"))
    monkeypatch.delenv(KEY_FILE)
    without = reopened(shared)
    with pytest.raises(
        RollbookError, match=r"encrypted, and no key was given\. Name the file of the key with ROLLBOOK_SEED_KEY_FILE"
    ):
        without.of(session, CAMPAIGN)
    assert without.has(session, CAMPAIGN)  # so that a log can be read without it
    other = write_key(tmp_path / "other-key")
    monkeypatch.setenv(KEY, other.text)
    for asks in (
        lambda: reopened(shared).of(session, CAMPAIGN),
        reopened(shared).check_usable,
        lambda: reopened(shared).new(CAMPAIGN),
    ):
        with pytest.raises(
            RollbookError, match="another key than ROLLBOOK_SEED_KEY has. Every node needs the same key file"
        ):
            asks()
    assert [session for session, _ in shared.kept()] == [session]


def test_a_new_key_takes_the_place_of_the_old_one(shared: SharedSecrets, seed_key: Path) -> None:
    before = shared.new(CAMPAIGN)
    shared.notes("pages").change("sherwood", lambda _: "in words")
    old = seed_key.read_text()
    write_key(seed_key, add=True)
    rotated = reopened(shared)
    after = rotated.new(CAMPAIGN)
    assert rotated.of(before.identity.hex(), CAMPAIGN) == before
    comment, new, *_ = seed_key.read_text().splitlines()
    seed_key.write_text(f"{comment}\n{new}\n")  # the old one is not needed any more
    alone = reopened(shared)
    for seeds in (before, after):
        assert alone.of(seeds.identity.hex(), CAMPAIGN) == seeds
    assert alone.notes("pages").read("sherwood") == "in words"
    alone.check_usable()
    seed_key.write_text(old)
    with pytest.raises(RollbookError, match="another key"):
        reopened(shared).check_usable()


def test_a_row_that_is_put_under_another_name_gives_nothing(
    shared: SharedSecrets, postgres_server: PostgresServer
) -> None:
    mine, theirs = shared.new(CAMPAIGN).identity.hex(), shared.of_stream("carrow").new(ANOTHER).identity.hex()
    database = shared.vault.address.rpartition("/")[2]
    swap = "UPDATE rollbook.seeds SET sealed = (SELECT sealed FROM rollbook.seeds WHERE session = '{}') WHERE session = '{}'"
    postgres_server.administer(swap.format(theirs, mine), database)
    with pytest.raises(RollbookError, match="is not what was put there"):
        reopened(shared).of(mine, CAMPAIGN)


def test_a_file_on_another_computer_is_named_with_it(shared: SharedSecrets, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rollbook.adapters.storage.postgres.shared_secrets.socket.gethostname", lambda: "north")
    shared.note_copy("", Path("/backups/one.db"))
    monkeypatch.undo()
    assert [copy.path for copy in shared.copies("")] == ["/backups/one.db on north"]
    assert shared.copied_to() == ()
