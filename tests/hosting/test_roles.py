"""The script that makes the roles and the database leaves a server on which rollbook can be migrated and played."""

from __future__ import annotations

import os
import subprocess
from contextlib import closing
from urllib.parse import quote

import psycopg
import pytest

from benchmarks.postgres_server import ADMINISTRATOR, OWNER, PROGRAM, PostgresServer, programs, why_not
from rollbook.adapters.storage.postgres.store import PostgresEventStore
from rollbook.adapters.storage.postgres.upkeep import migrate
from rollbook.domain.history.event_store import NewEntry
from tests.support.processes import ROOT

PASSWORD = "it's: p@ss/word"


@pytest.mark.skipif(bool(why_not()), reason=why_not() or "there is a server")
def test_the_script_of_roles_makes_a_database_that_is_migrated_and_played_on_by_two_roles_alone() -> None:
    server = PostgresServer()
    try:
        server.make()
        server.administer(f"DROP ROLE {OWNER}")
        server.administer(f"DROP ROLE {PROGRAM}")
        bin_ = programs()
        assert bin_
        done = subprocess.run(
            [str(ROOT / "deploy" / "roles.sh"), "-h", str(server.folder), "-p", str(server.port), "-U", ADMINISTRATOR],
            env={**os.environ, "PATH": f"{bin_}:{os.environ['PATH']}"}
            | {"OWNER_PASSWORD": PASSWORD, "PROGRAM_PASSWORD": PASSWORD[::-1]},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        owner = server.dsn(OWNER, "rollbook", password=PASSWORD)
        migrate(owner)
        with closing(PostgresEventStore(server.dsn(PROGRAM, "rollbook", password=PASSWORD[::-1]))) as store:
            store.append("sherwood", 0, [NewEntry("tick@1", b"0", ("Ticked",))])
            assert store.head("sherwood") == 1
        server.administer("CREATE ROLE stranger LOGIN PASSWORD 'stranger'")
        stranger = f"postgresql://stranger:{quote('stranger')}@127.0.0.1:{server.port}/rollbook"
        with pytest.raises(psycopg.OperationalError, match="permission denied for database"):
            psycopg.connect(stranger)
    finally:
        server.close()
