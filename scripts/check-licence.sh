#!/bin/sh
# SPDX-License-Identifier: MIT
# Every source file names its licence in the first lines.
cd "$(dirname "$0")/.." || exit 1
bad=0
for file in $(find src include tests scripts examples bench \
                \( -name '*.[ch]' -o -name '*.sh' -o -name '*.py' \) | sort); do
  head -3 "$file" | grep -q 'SPDX-License-Identifier: MIT' ||
    { echo "$file: no SPDX line"; bad=1; }
done
exit $bad
