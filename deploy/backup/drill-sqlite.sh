#!/bin/sh
# A drill: the newest backup is restored to a folder of its own, and every campaign audited. The real store is not touched.
set -eu
BACKUP=${BACKUP:-/backup} ROLLBOOK=${ROLLBOOK:-/opt/rollbook/bin/rollbook}
umask 077
newest=$(ls "$BACKUP"/rollbook-*Z.db | tail -n 1)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export HOME="$scratch" ROLLBOOK_STORE="$scratch/rollbook.db" ROLLBOOK_SEEDS="$scratch/seeds" XDG_STATE_HOME="$scratch/state"
"$ROLLBOOK" restore "$newest"
"$ROLLBOOK" store verify

umask 022
echo "rollbook_drill_last_success_timestamp_seconds $(date +%s)" > "$BACKUP/drill.prom.new"
mv "$BACKUP/drill.prom.new" "$BACKUP/drill.prom"
