"""Probes in the form of the API server: `ok`, or a line for each check with `?verbose`; `exclude=NAME` leaves one out.

Source of the form: `pkg/server/healthz` of `k8s.io/apiserver`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping


def report(name: str, checks: Mapping[str, bool], excluded: Collection[str], *, verbose: bool) -> tuple[bool, str]:
    """Whether all checks that count have passed, and the text that says so.

    Args:
        name: what is asked, such as `readyz`.
        checks: the names of checks, and whether each has passed.
        excluded: the names of those that do not count.
        verbose: whether each check is told where all have passed.
    """
    lines = []
    passed = True
    for check, holds in checks.items():
        if check in excluded:
            lines.append(f"[+]{check} excluded: ok")
        elif holds:
            lines.append(f"[+]{check} ok")
        else:
            passed = False
            lines.append(f"[-]{check} failed: reason withheld")
    unknown = sorted(set(excluded) - checks.keys())
    if unknown:
        shown = ", ".join(f'"{each:.80}"' for each in unknown[:10])
        lines.append(f"warn: some health checks cannot be excluded: no matches for {shown}")
    if passed and not verbose:
        return True, "ok"
    return passed, "\n".join([*lines, f"{name} check {'passed' if passed else 'failed'}", ""])
