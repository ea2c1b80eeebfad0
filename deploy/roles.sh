#!/bin/sh
# The roles and the database, as PostgreSQL's administrator, once. Passwords come from the environment.
set -eu
psql -v ON_ERROR_STOP=1 -v owner="$OWNER_PASSWORD" -v program="$PROGRAM_PASSWORD" "$@" <<'SQL'
CREATE ROLE rollbook_owner LOGIN PASSWORD :'owner';
CREATE ROLE rollbook LOGIN PASSWORD :'program';
CREATE DATABASE rollbook OWNER rollbook_owner;
REVOKE ALL ON DATABASE rollbook FROM PUBLIC;
GRANT CONNECT ON DATABASE rollbook TO rollbook;
SQL
