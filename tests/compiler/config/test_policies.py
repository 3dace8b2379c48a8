"""The table `policies`: what it says, and what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from validation_gen.cli.option_schema import sections
from validation_gen.compiler.config import Config, read_config
from validation_gen.compiler.config.webhooks import KEYS, policy_options
from validation_gen.diagnostics import Diagnostics
from validation_gen.emit.policies import PolicyOptions


def read(directory: Path, text: str) -> tuple[Config, Diagnostics]:
    (directory / "validation-gen.toml").write_text(text, encoding="utf-8")
    diagnostics = Diagnostics()
    return read_config(directory, diagnostics, sections()), diagnostics


def test_all_that_it_can_say(tmp_path: Path) -> None:
    text = """\
[policies]
actions = ["Audit", "Warn"]
allow-weaker = true
costly = "keep"
defaults = false
failure-policy = "Ignore"
prefix = "fleet-"
spared-namespaces = ["kube-system", "depot"]
"""
    config, diagnostics = read(tmp_path, text)
    assert diagnostics.items == []
    assert set(config.policies) == set(KEYS)
    wanted = PolicyOptions(
        ("Audit", "Warn"), "Ignore", ("kube-system", "depot"), "fleet-", defaults=False, costly="keep", weaker=True
    )
    assert policy_options(config.policies, Diagnostics()) == wanted


def test_nothing_need_be_said(tmp_path: Path) -> None:
    config, diagnostics = read(tmp_path, "[policies]\n")
    assert diagnostics.items == []
    assert policy_options(config.policies, Diagnostics()) == PolicyOptions()


@pytest.mark.parametrize(
    ("text", "said", "help"),
    [
        ("policies = 3", "policies is an integer, and takes a table", "write the table policies"),
        ('[policies]\naction = ["Deny"]', "policies has no key action", "did you mean actions?"),
        ('[policies]\nactions = ["Refuse"]', "Refuse", "Deny"),
        ("[policies]\nactions = []", "policies.actions is empty", 'write actions = ["Deny"]'),
        ('[policies]\nactions = ["Deny", "Warn"]', "API servers take one of them", "leave out Warn"),
        ('[policies]\nprefix = "Fleet_"', "cannot begin a name", "small letters"),
        ('[policies]\nspared-namespaces = ["a b"]', '"a b" is not the name of a namespace', "kube-system"),
        ("[policies]\nallow-weaker = 1", "allow-weaker", "true"),
        ('[policies]\ncostly = "drop"', "drop", "keep"),
    ],
)
def test_mistakes(tmp_path: Path, text: str, said: str, help: str) -> None:
    _, diagnostics = read(tmp_path, text)
    (found,) = diagnostics.items
    assert found.code == "VG906"
    assert said in found.message
    assert help in found.help
    assert found.span.column
