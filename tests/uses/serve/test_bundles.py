"""Authorities in manifests: put where the service is named, and nothing else changes."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from validation_gen.diagnostics import Diagnostics
from validation_gen.uses.serve.bundles import Service, with_bundle

_BUNDLE = b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
_ENCODED = base64.b64encode(_BUNDLE).decode()
_SERVICE = Service("hook", "system")
_HEAD = "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\n"
_HOOKS = """\
# who is asked
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: a}   # a name
webhooks:
- name: a.b.c
  clientConfig:   # where
    # the service
    service: {name: hook, namespace: system}  # ours
- name: d.e.f
  clientConfig:
    service:
      name: other
      namespace: system
"""
_ASKED = "    service: {name: hook, namespace: system}\n"
_DEFINITION = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: robots.example.com
spec:
  conversion:
    strategy: Webhook
    webhook:
      clientConfig:
        caBundle: Cg==
        service:
          name: hook
          namespace: system
"""


def _patched(directory: Path, text: str) -> tuple[str | None, list[str]]:
    file = directory / "a.yaml"
    file.write_bytes(text.encode())
    diagnostics = Diagnostics()
    found = with_bundle([str(file)], _BUNDLE, _SERVICE, diagnostics)
    return found.get(str(file)), [f"{each.span.line}: {each.message}" for each in diagnostics.sorted()]


def test_a_missing_one_is_added_and_all_else_stays(tmp_path: Path) -> None:
    text, problems = _patched(tmp_path, _HOOKS)
    assert problems == []
    line = "    service: {name: hook"
    assert text == _HOOKS.replace(line, f"    caBundle: {_ENCODED}\n{line}")


def test_one_that_is_there_is_replaced(tmp_path: Path) -> None:
    text, problems = _patched(tmp_path, f"{_HOOKS}---\n{_DEFINITION}")
    assert problems == []
    assert text is not None
    assert _DEFINITION.replace("Cg==", _ENCODED) in text
    again, problems = _patched(tmp_path, text)
    assert (again, problems) == (text, [])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Cg==", f"{_ENCODED}"),
        ('"Cg=="  # old', f"{_ENCODED}  # old"),
        ("'Cg=='", f"{_ENCODED}"),
        ("", f"{_ENCODED} "),
        ("|\n          Cg==\n          Cg==", f"{_ENCODED}"),
        (">-\n          Cg==\n\n", f"{_ENCODED}\n\n"),
        ("!!str &unused Cg==", f"{_ENCODED}"),
    ],
)
def test_however_it_is_written(tmp_path: Path, old: str, new: str) -> None:
    before, after = (_DEFINITION.replace("Cg==", each) for each in (old, new))
    assert _patched(tmp_path, before) == (after, [])


def test_json_and_lists_and_line_ends_of_windows(tmp_path: Path) -> None:
    hooks = yaml.safe_load(_HOOKS)
    whole: dict[str, Any] = {"apiVersion": "v1", "kind": "List", "items": [hooks]}
    for text in (json.dumps(hooks), json.dumps(whole, indent=2)):
        new, problems = _patched(tmp_path, text)
        assert problems == []
        read = json.loads(new or "")
        first = (read["items"][0] if "items" in read else read)["webhooks"][0]["clientConfig"]
        assert first["caBundle"] == _ENCODED
    windows = "\ufeff" + _HOOKS.replace("\n", "\r\n")
    new, problems = _patched(tmp_path, windows)
    line = "    service: {name: hook"
    assert (new, problems) == (windows.replace(line, f"    caBundle: {_ENCODED}\r\n{line}"), [])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "1: nothing here asks the service hook in system"),
        ("a: b\n", "1: nothing here asks the service hook in system"),
        (_HOOKS.replace("hook", "hooks"), "1: nothing here asks the service hook in system"),
        (f"{_HEAD}webhooks: 5\n", "1: nothing here asks the service hook in system"),
        (f"{_HEAD}webhooks: [5, {{clientConfig: []}}]\n", "1: nothing here asks the service hook in system"),
        ("a: [", "2: "),
        (
            _HOOKS.replace("    service: {", "    <<: {x: y}\n    service: {"),
            "9: `<<` brings parts of this from elsewhere",
        ),
        (
            f"{_HEAD}metadata: {{name: &n Cg==}}\nwebhooks:\n- clientConfig:\n    caBundle: *n\n{_ASKED}",
            "6: `caBundle` is an alias of something elsewhere",
        ),
        (
            f"{_HEAD}webhooks:\n- clientConfig:\n    caBundle: [a]\n    service: {{name: hook, namespace: system}}\n",
            "5: `caBundle` is no text",
        ),
    ],
)
def test_what_is_unclear_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    new, (said,) = _patched(tmp_path, text)
    assert new is None
    assert said.startswith(problem)


def test_an_anchor_that_others_use_stays(tmp_path: Path) -> None:
    text = _DEFINITION.replace("Cg==", "&old Cg==") + "  group: *old\n"
    new, (said,) = _patched(tmp_path, text)
    assert (new, said) == (None, "10: the bundle cannot be put where it should stand")


def test_a_configuration_that_two_hooks_share(tmp_path: Path) -> None:
    text = (
        f"{_HEAD}webhooks:\n- name: a.b.c\n  clientConfig: &client\n    service: {{name: hook, namespace: system}}\n"
        "- name: d.e.f\n  clientConfig: *client\n"
    )
    new, problems = _patched(tmp_path, text)
    assert problems == []
    assert (new or "").count(_ENCODED) == 1
    assert [hook["clientConfig"]["caBundle"] for hook in yaml.safe_load(new or "")["webhooks"]] == [_ENCODED] * 2


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    diagnostics = Diagnostics()
    (tmp_path / "latin").write_bytes(b"\xff")
    names = [str(tmp_path / "none"), str(tmp_path), str(tmp_path / "latin")]
    assert with_bundle(names, _BUNDLE, _SERVICE, diagnostics) == {}
    assert [each.code for each in diagnostics.items] == ["VG901"] * 3


def test_many_hooks_take_no_longer_than_their_number(tmp_path: Path) -> None:
    hook = "- name: a.b.c\n  clientConfig:\n    service: {name: hook, namespace: system}\n"
    new, problems = _patched(tmp_path, f"{_HEAD}webhooks:\n{hook * 2000}")
    assert problems == []
    assert (new or "").count(_ENCODED) == 2000


_PARTS = st.text(alphabet="-: {}[]*&<|>#'\"\n abck", max_size=30)


@given(first=_PARTS, second=_PARTS)
def test_nothing_raises_and_nothing_else_changes(
    tmp_path_factory: pytest.TempPathFactory, first: str, second: str
) -> None:
    text = _HOOKS.replace("# the service", first).replace("# ours", second)
    new, problems = _patched(tmp_path_factory.getbasetemp(), text)
    assert (new is None) == bool(problems)
    if new is not None:
        lines = [line for line in new.split("\n") if line.strip() != f"caBundle: {_ENCODED}"]
        assert "\n".join(lines) == text
