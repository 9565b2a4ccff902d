#!/usr/bin/env bash
# Prints the results' documents into the job's log when the artifact could not be stored, so that they are not lost.
# Base64 keeps the app's words from being commands there.
set -euo pipefail

most_bytes=2000000 # GitHub cuts longer logs

cd "$RESULTS_DIRECTORY"
shopt -s nullglob
documents=(plan.json figures.json cells/*.json)
existing=()
for document in "${documents[@]}"; do
  if [[ -f "$document" && ! -L "$document" ]]; then existing+=("$document"); fi
done
if ((${#existing[@]} == 0)); then exit 0; fi

packed="$(mktemp)"
trap 'rm -f "$packed"' EXIT
tar -cf - -- "${existing[@]}" | gzip -9 >"$packed"
bytes="$(wc -c <"$packed" | tr -d ' ')"
if ((bytes > most_bytes)); then
  printf 'The artifact could not be stored, and the results have %s bytes: too many for a log.\n' "$bytes"
  exit 0
fi
printf 'The artifact could not be stored. These are its documents; save the lines between the two rules as results.txt:\n'
# A downloaded log has the time before each line.
printf "  sed 's/.* //' results.txt | base64 -d | tar -xzf -\n"
printf -- '-----\n'
base64 <"$packed"
printf -- '-----\n'
