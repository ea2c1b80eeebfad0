"""Which rules all computers that share a PostgreSQL store play by: rows that are only ever added, of which the last counts."""

from rollbook.adapters.storage.postgres.failures import in_words
from rollbook.adapters.storage.postgres.recorder import EntryRecorder, as_text

TABLE = """\
CREATE TABLE IF NOT EXISTS rollbook.rules (
    ruleset text COLLATE "C" NOT NULL,
    number integer NOT NULL,
    fingerprint text COLLATE "C" NOT NULL,
    since timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (ruleset, number)
)"""
GRANT = "GRANT SELECT, INSERT (ruleset, number, fingerprint) ON rollbook.rules TO {program}"

LAST = "SELECT fingerprint FROM rollbook.rules WHERE ruleset = %(ruleset)s ORDER BY number DESC LIMIT 1"
PUT = """\
INSERT INTO rollbook.rules (ruleset, number, fingerprint)
SELECT %(ruleset)s, COALESCE(MAX(number), 0) + 1, %(fingerprint)s FROM rollbook.rules WHERE ruleset = %(ruleset)s
HAVING COALESCE((array_agg(fingerprint ORDER BY number DESC))[1], '') = %(instead_of)s
ON CONFLICT DO NOTHING RETURNING fingerprint"""


class PostgresRules:
    """The rules in force in a store, as ``rollbook.application.ports.rules_in_force`` has the port."""

    def __init__(self, address: str, recorder: EntryRecorder) -> None:
        self._address = address
        self._recorder = recorder

    def of(self, ruleset: str) -> str:
        with in_words(self._address, "it could not be read"):
            rows = self._recorder.rows(LAST, ruleset=as_text(ruleset))
        return str(rows[0][0]) if rows else ""

    def put(self, ruleset: str, fingerprint: str, instead_of: str) -> str:
        names = {"ruleset": as_text(ruleset), "fingerprint": fingerprint, "instead_of": instead_of}
        with in_words(self._address, "nothing was changed"):
            self._recorder.rows(PUT, **names)
        return self.of(ruleset)
