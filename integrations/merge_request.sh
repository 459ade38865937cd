#!/usr/bin/env bash
# The check of a pull or merge request, for any host: `spmd diff` in the formats that hosts show.
#
# In, from the environment:
#   SPMD_BASE     the commit that the request goes into; SPMD_HEAD: the one that it brings (default HEAD)
#   SPMD_OUT      a folder for the results (default spmd-results)
#   SPMD_ARGS     further arguments of `spmd diff`, parted by blanks, say: --fail-on refuted,different --timeout 30
# Out: SPMD_OUT/spmd.{sarif,md,xml,html}, annotations on standard output where GitHub runs it, the page as text elsewhere, the
# Markdown in GitHub's summary of the step, and the exit status of `spmd diff`. Answers are kept, so that every format after the
# first costs a moment.
set -euo pipefail

base=${SPMD_BASE:-}
if [ -z "$base" ] || [ -z "${base//0/}" ]; then
  base=$(git rev-parse --verify --quiet "${SPMD_HEAD:-HEAD}~1") || { echo "spmd: the first commit has nothing to be compared with"; exit 0; }
fi
out=${SPMD_OUT:-spmd-results}
read -r -a options <<<"${SPMD_ARGS:-}"
mkdir -p "$out"
rm -f "$out"/spmd.{sarif,md,xml,html}
checked() { spmd diff "$base...${SPMD_HEAD:-HEAD}" "${options[@]}" "$@"; }

status=0
checked --format sarif --output-file "$out/spmd.sarif" || status=$?
if [ ! -s "$out/spmd.sarif" ]; then
  exit "$status" # what is wrong has been said
fi
for form in markdown:md junit:xml html:html; do
  checked --format "${form%:*}" --output-file "$out/spmd.${form#*:}" 2>/dev/null || true
done
if [ -n "${GITHUB_ACTIONS:-}" ]; then
  checked --format github 2>/dev/null || true
else
  checked 2>/dev/null || true
fi
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  head -c 1000000 "$out/spmd.md" >>"$GITHUB_STEP_SUMMARY"
fi
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  { echo "status=$status"; echo "results=$out"; } >>"$GITHUB_OUTPUT"
fi
exit "$status"
