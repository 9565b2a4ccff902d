#!/usr/bin/env bash
# First step of action.yml: says everything that the runner lacks at once, whether k6 must be fetched, and a number that
# tells the jobs of a matrix apart.
# Bash, because whether there is a fit Node is one of the questions.
set -euo pipefail

missing=()

if [[ "${RUNNER_OS:-}" == "Windows" ]]; then
  missing+=("Linux or macOS: uvicorn's workers, Postgres and process groups do not work alike on Windows")
fi

# `|| true`: a program that is missing gives no version, which is an answer too, not an error of this script.
node_major="$(node --version 2>/dev/null | sed -n 's/^v\([0-9]*\)\..*/\1/p' || true)"
if [[ -z "$node_major" ]]; then
  missing+=("Node 20 or newer: there is none on PATH; add actions/setup-node before this step")
elif ((node_major < 20)); then
  missing+=("Node 20 or newer: this is $node_major; add actions/setup-node before this step")
fi

if ((${#missing[@]} > 0)); then
  printf '::error title=This runner cannot run the load test::It lacks:'
  printf ' %s.' "${missing[@]}"
  printf '\n'
  exit 3
fi

# Only measuring takes k6. A runner that brings its own keeps it, from 1.0 on (TypeScript, our options).
k6="needless"
if [[ "$COMMAND" == "run" || "$COMMAND" == "measure" ]]; then
  k6_major="$("${LOADTEST_K6:-k6}" version 2>/dev/null | sed -n 's/.*v\([0-9]*\)\..*/\1/p' | head -n 1 || true)"
  k6="wanted"
  if [[ -n "$k6_major" ]] && ((k6_major >= 1)); then k6="present"; fi
fi

# A name for the artifact of this job of a matrix: the same in every attempt, and not taken from `strategy`, which is
# empty under act, as `matrix` is in composite actions. There the inputs tell the jobs apart.
job="$MATRIX"$'\n'"$WORKERS"$'\n'"$ENDPOINTS"
job_number="$(cksum <<<"$job")"
job_number="${job_number%% *}"

printf 'k6=%s\njob-number=%s\n' "$k6" "$job_number" >>"$GITHUB_OUTPUT"
