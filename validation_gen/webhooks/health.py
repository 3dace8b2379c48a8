"""Probes in the form of the API server: `ok`, or a line for each check with `?verbose`; `exclude=NAME` omits one.

Source of the form: `pkg/server/healthz` of `k8s.io/apiserver`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping


def report(name: str, checks: Mapping[str, bool], excluded: Collection[str], *, verbose: bool) -> tuple[bool, str]:
    """Returns whether all included checks have passed, and the text of the answer.

    Args:
        name: name of the probe, such as `readyz`.
        checks: the names of checks, and whether each has passed.
        excluded: the names of those that do not count.
        verbose: whether to list each check even if all have passed.
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
