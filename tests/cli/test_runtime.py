"""`--runtime vendored`: a copy of the runtime in the generated package, which `check` compares like all else."""

from __future__ import annotations

import re
from importlib.metadata import version

from tests.cli.conftest import Program
from tests.cli.test_generate import numbers
from validation_gen.emit.output import MARKER


def test_the_copy_is_written_compared_and_removed(project: Program) -> None:
    first = project("apis", "--runtime", "vendored")
    assert (first.code, first.err) == (0, "")
    written = project.files("generated")
    copies = {name for name in written if name.startswith("_vendored/")}
    assert {"_vendored/__init__.py", "_vendored/runtime/registry.py", "_vendored/runtime/errors.py"} <= copies
    head = f"{MARKER}\n# Copied from validation-gen {version('validation-gen')} (Apache-2.0); do not edit.\n"
    for name in copies:
        assert written[name].decode().startswith(head) or written[name] == f"{MARKER}\n".encode(), name
    assert numbers(project("apis", "--runtime", "vendored").out) == (0, len(written), 0)

    assert project("check", "apis", "--runtime", "vendored").code == 0
    project.write({"generated/_vendored/runtime/old.py": f"{MARKER}\n"})
    project.write({"generated/_vendored/runtime/kind.py": written["_vendored/runtime/kind.py"].decode() + "x = 1\n"})
    (project.directory / "generated/_vendored/runtime/levels.py").unlink()
    found = project("apis", "--check", "--runtime", "vendored", "--format", "concise")
    assert found.code == 1
    assert re.findall(r"^generated/(\S+?):\S* error (VG\d+)", found.out + found.err, re.MULTILINE) == [
        ("_vendored/runtime/kind.py", "VG802"),
        ("_vendored/runtime/levels.py", "VG801"),
        ("_vendored/runtime/old.py", "VG803"),
    ]
    project("apis", "--runtime", "vendored")
    assert project.files("generated") == written

    stale = project("apis", "--check", "--format", "concise")
    assert stale.code == 1
    assert (stale.out + stale.err).count("error VG803") == len(copies)
    assert numbers(project("apis").out)[2] == len(copies)
    assert not (project.directory / "generated/_vendored").exists()


def test_it_is_a_key_of_the_configuration(project: Program) -> None:
    project.write({"validation-gen.toml": '[generate]\nruntime = "vendored"\n'})
    assert project("apis").code == 0
    assert "_vendored/runtime/registry.py" in project.files("generated")
    assert project("check", "apis").code == 0
    assert project("check", "apis", "--runtime", "package").code == 1
    project.write({"validation-gen.toml": '[generate]\nruntime = "copied"\n'})
    wrong = project("apis")
    assert wrong.code == 2
    assert "validation-gen.toml:2:11" in wrong.err


def test_a_harness_needs_the_package(project: Program) -> None:
    refused = project("generate", "apis", "--emit", "harness", "--runtime", "vendored")
    assert refused.code == 2
    assert "--emit harness needs --runtime package" in " ".join(refused.err.split())
    assert not (project.directory / "generated").exists()


def test_a_file_of_the_user_in_the_place_of_a_copy_is_kept(project: Program) -> None:
    project.write({"generated/_vendored/runtime/kind.py": "mine = True\n"})
    found = project("apis", "--runtime", "vendored", "--format", "concise")
    assert found.code == 2
    assert "generated/_vendored/runtime/kind.py" in found.err + found.out
    assert project.files("generated")["_vendored/runtime/kind.py"] == b"mine = True\n"


CUSTOM_TYPES = """// +k8s:validation-gen=*

package v1

// +k8s:customValidation
type Box struct {
	Name string `json:"name"`
}
"""
CUSTOM_CHECKS = """import validation_gen.runtime.errors as errors
from validation_gen.tags.parser import parse


def ValidateCustom_Box(value, old, op):
    return []
"""


def test_handwritten_checks_import_the_copy(project: Program) -> None:
    project.write(
        {"own/go.mod": "module example.com/own\n", "own/v1/types.go": CUSTOM_TYPES, "checks.py": CUSTOM_CHECKS}
    )
    args = ("own", "--custom-validations", "checks.py", "--runtime", "vendored", "--format", "concise")
    refused = project(*args)
    assert refused.code == 1
    wanted = "checks.py:2:1: error VG206 the copy of the runtime has no validation_gen.tags.parser: it needs lark"
    assert wanted in refused.err + refused.out
    project.write({"checks.py": CUSTOM_CHECKS.replace("from validation_gen.tags", "# ")})
    assert project(*args).code == 0
    copied = project.files("generated")["custom_checks.py"].decode()
    assert "from ._vendored.runtime import errors as errors\n" in copied
