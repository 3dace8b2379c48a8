"""What files for CI systems, hooks and `make` would run, so that a document cannot show a step that fails.

Only the form is checked of what needs their servers (images, actions); commands are returned and run here.
"""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Any

import yaml

#: Actions that may be shown, with their present version.
ACTIONS = {"actions/checkout@v4", "actions/setup-python@v5", "actions/cache@v4", "actions/upload-artifact@v4"}
ACTIONS |= {"github/codeql-action/upload-sarif@v3"}


def commands_of(path: str, text: str) -> list[str]:
    """The commands that a file would run, in their order; none for a file that runs nothing."""
    if path.startswith(".github/workflows/"):
        return _github(yaml.safe_load(text))
    if path == ".gitlab-ci.yml":
        return _gitlab(yaml.safe_load(text))
    return ["make --always-make"] if PurePath(path).name == "Makefile" else []


def commands_of_part(text: str) -> list[str]:
    """The commands of some lines of such a file: each `run`, `before_script` and `script` at any depth."""
    return _below(yaml.safe_load(text))


def _below(part: Any) -> list[str]:
    if isinstance(part, list):
        return [command for item in part for command in _below(item)]
    if not isinstance(part, dict):
        return []
    assert part.get("uses", "actions/checkout@v4") in ACTIONS, part
    commands = []
    for name, value in part.items():
        if name in ("run", "before_script", "script"):
            for step in [value] if isinstance(value, str) else value:
                commands += _lines(_filled(step))
        else:
            commands += _below(value)
    return commands


def is_pipeline(path: str) -> bool:
    return path.startswith(".github/workflows/") or path == ".gitlab-ci.yml" or PurePath(path).name == "Makefile"


def _github(workflow: dict[Any, Any]) -> list[str]:
    # YAML 1.1 reads the name `on` as a truth value.
    assert workflow.keys() <= {"name", True, "permissions", "jobs"}
    assert workflow[True]
    commands = []
    for job in workflow["jobs"].values():
        assert job.keys() <= {"name", "runs-on", "steps", "permissions", "strategy"}
        assert job["runs-on"]
        for step in job["steps"]:
            assert step.keys() <= {"name", "if", "uses", "with", "run"}
            assert ("uses" in step) != ("run" in step), step
            if "uses" in step:
                assert step["uses"] in ACTIONS, step
            commands += _lines(_filled(step.get("run", "")))
    return commands


def _gitlab(pipeline: dict[str, Any]) -> list[str]:
    commands = []
    for job in pipeline.values():
        assert job.keys() <= {"stage", "image", "before_script", "script", "rules", "artifacts", "cache"}
        assert job["script"]
        for step in (*job.get("before_script", ()), *job["script"]):
            commands += _lines(step)
    return commands


def _filled(script: str) -> str:
    """A script without `${{ … }}`, which the server fills in."""
    return re.sub(r"\$\{\{.*?\}\}", "", script)


def _lines(script: str) -> list[str]:
    return [line for line in script.replace("\\\n", "").splitlines() if line.strip()]
