"""Limits on the output of another program or a webhook (docs/compare.md).

The other side may be broken or hostile. Within these limits neither its answers nor their reports grow without end.
"""

from __future__ import annotations

#: Seconds from sending a request to its complete answer, unless `--timeout` overrides it.
PROGRAM_SECONDS = 60.0
WEBHOOK_SECONDS = 10.0

# --- one answer -------------------------------------------------------------------------------------------------------

#: Bytes of a line of a program, and of the body of a webhook's answer.
LONGEST_ANSWER = 8 << 20
#: Errors in one answer.
MOST_ERRORS = 50_000
#: Errors in all answers of a program to one batch, and bytes of these.
MOST_ERRORS_AT_ONCE = 500_000
LONGEST_AT_ONCE = 64 << 20
#: Nesting levels of lists and objects.
DEEPEST = 500
#: Digits of a whole number.
MOST_DIGITS = 4_000
#: Characters of the path, the type and the origin of an error: they are kept for each sort of mismatch.
LONGEST_NAME = 2_000
#: Characters of a reason that is quoted.
LONGEST_REASON = 1_000

# --- programs ---------------------------------------------------------------------------------------------------------

#: Consecutive lines that answer nothing, beside one for each request.
MOST_UNRELATED = 1_000
#: Bytes of standard error that are kept, the last ones.
KEPT_COMPLAINTS = 8 << 10
#: Consecutive ends without an answer: in one batch, and in all.
MOST_FRUITLESS = 2
MOST_FRUITLESS_IN_ALL = 20
#: Starts of a program in one comparing process.
MOST_STARTS = 1_000
