#!/bin/sh
# Runs the browser tests of a folder, by default of this one. Reports in one sentence what is missing.
set -eu
cd "${1:-$(dirname "$0")}"

for command in node npm; do
    if ! command -v "$command" >/dev/null; then
        echo "The browser's tests need $command: apt-get install nodejs npm, or https://nodejs.org (20 or newer)." >&2
        exit 1
    fi
done

CHROMIUM="${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}"
if [ ! -x "$CHROMIUM" ]; then
    echo "The browser's tests need Chromium: apt-get install chromium, or name one that is there: CHROMIUM=/path/to/chromium." >&2
    exit 1
fi
export CHROMIUM

npm install --silent --no-package-lock
node --test ./*.test.js
