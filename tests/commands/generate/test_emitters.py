"""An emitter is one record and one function; command line, configuration, checks and cleaning follow from it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.attack.running import call
from tests.cli.conftest import API, Program
from validation_gen.cli.option_schema import section
from validation_gen.compiler.config.keys import output_options
from validation_gen.compiler.emitters import EMITTERS, Emitter, Maker, MakerOptions
from validation_gen.compiler.pipeline import build_program
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import Diagnostics
from validation_gen.emit.output.root import MARKER, is_ours
from validation_gen.ir import Program as Plan

ROOT = Path(__file__).parents[3]
FILE = "things.proto"
FILE_OF_PROJECT = "validation-gen.toml"
#: Where the words of emitters mean something else: a command, a language, a directory, a side, a package.
_SAME_WORDS = {
    "compiler/config/keys.py": {"policies"},
    "compiler/config/named.py": {"python"},
    "compiler/config/reading.py": {"policies"},
    "compiler/config/schema.py": {"policies"},
    "compiler/config/values.py": {"python"},
    "compiler/clusterfiles.py": {"webhooks"},
    "apiserver/admission/configurations.py": {"webhooks"},
    "apiserver/core/registrations.py": {"webhooks"},
    "apiserver/definitions.py": {"crd", "crds"},
    "apiserver/openapi.py": {"openapi"},
    "cli/app.py": {"crd", "jsonschema", "monitoring", "openapi"},
    "cli/crd.py": {"crd"},
    "emit/schema/swagger.py": {"openapi"},
    "emit/webhooks/kinds.py": {"webhooks"},
    "kubernetes/registration.py": {"webhooks"},
    "mismatch/adapters/libraries.py": {"jsonschema"},
    "sources/languages.py": {"python"},
    "testing/hooks.py": {"webhooks"},
    "testing/inputs.py": {"crds"},
    "testing/plugin.py": {"crds", "webhooks"},
    "commands/cel/suites/reading.py": {"crd"},
    "commands/cel/suites/subjects.py": {"crd"},
    "commands/compare/harness/emit.py": {"harness"},
    "commands/compare/sides/functions.py": {"python"},
    "commands/explain/codes.py": {"python"},
    "commands/distributed/worker.py": {"python"},
    "commands/explain/tags.py": {"python"},
}


def _protocol(program: Plan, options: MakerOptions, diagnostics: Diagnostics) -> dict[str, str]:
    lines = [f"message {plan.name} {{}}" for plan in program.types.values()]
    return {FILE: "\n".join([f"//{MARKER.removeprefix('#')}", *sorted(lines), ""])}


@pytest.fixture
def protocol() -> Iterator[Emitter]:
    section.cache_clear()  # keys are declared once, with the emitters that are there
    yield Emitter("protocol", "protos", help="message types, one file", noun="message", make=_protocol)
    del EMITTERS["protocol"]
    section.cache_clear()


@pytest.fixture
def project(tmp_path: Path) -> Program:
    program = Program(tmp_path)
    program.write(API)
    return program


def test_a_new_one_is_written_checked_and_cleaned(protocol: Emitter, project: Program) -> None:
    directory = project.directory
    command = ["generate", "apis", "--no-cache", "--emit", "protocol"]
    done = call(command, directory)
    assert (done.code, done.fault) == (0, ""), done.err
    file = directory / "protos" / FILE
    assert "message Thing {}" in file.read_text(encoding="utf-8")
    assert call(["check", *command[1:]], directory).code == 0
    file.write_text(f"{file.read_text(encoding='utf-8')}message Other {{}}\n", encoding="utf-8")
    (file.parent / "old.proto").write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    told = call(["check", *command[1:]], directory)
    assert told.code == 1
    assert "protos/things.proto" in told.err + told.out
    assert "protos/old.proto" in told.err + told.out
    assert call(command, directory).code == 0
    assert sorted(each.name for each in file.parent.iterdir()) == [FILE]
    file.write_text("syntax = 3;\n", encoding="utf-8")
    assert call(command, directory).code == 2  # somebody else's


def test_a_new_one_can_be_named_and_given_a_place(protocol: Emitter, project: Program) -> None:
    wrong = call(["generate", "apis", "--no-cache", "--emit", "protocols"], project.directory)
    assert wrong.code == 2
    assert "did you mean protocol?" in wrong.err
    assert call(["generate", "apis", "--no-cache", "--emit", "protocol=other"], project.directory).code == 0
    assert (project.directory / "other" / FILE).exists()


def test_the_configuration_names_a_new_one_and_its_place(protocol: Emitter, project: Program) -> None:
    directory = project.directory
    project.write({FILE_OF_PROJECT: 'inputs = ["apis"]\nemit = ["protocol"]\n[outputs]\nprotocol = "wire"\n'})
    done = call(["generate", "--no-cache"], directory)
    assert (done.code, done.fault) == (0, ""), done.err
    assert [each.name for each in (directory / "wire").iterdir()] == [FILE]
    assert not (directory / "protos").exists()
    assert call(["check", "--no-cache"], directory).code == 0
    shown = call(["config", "show", "generate"], directory)
    assert "protocol=wire" in shown.out


@pytest.mark.parametrize("name", ["protocol", *(e.name for e in EMITTERS.values() if e.make)])
def test_the_files_of_one_that_is_no_longer_wanted_stay(name: str, protocol: Emitter, project: Program) -> None:
    """Another command or another API may have written them: nothing in them tells."""
    head = 'inputs = ["apis"]\nemit = ["'
    tail = f'"]\n[outputs]\n{name} = "place"\n'
    project.write({FILE_OF_PROJECT: f"{head}{name}{tail}"})
    assert call(["generate", "--no-cache"], project.directory).code == 0
    files = project.files("place")
    project.write({FILE_OF_PROJECT: f"{head}{'crd' if name == 'openapi' else 'openapi'}{tail}"})
    assert call(["generate", "--no-cache"], project.directory).code == 0
    assert call(["check", "--no-cache"], project.directory).code == 0
    assert files
    assert project.files("place") == files


@pytest.mark.parametrize(
    ("name", "directory", "make", "says"),
    [
        ("protocol", "protos", None, "emitter 'protocol' has no function that makes its files"),
        ("protocol", "", _protocol, "emitter 'protocol' names no directory"),
        ("crd", "protos", _protocol, "emitter 'crd' is there already"),
    ],
)
def test_what_would_fail_silently_is_no_record(name: str, directory: str, make: Maker | None, says: str) -> None:
    before = dict(EMITTERS)
    with pytest.raises(ValueError, match=says):
        Emitter(name, directory, make=make)
    assert before == EMITTERS


@pytest.mark.parametrize("emitter", [e for e in EMITTERS.values() if e.make], ids=lambda e: e.name)
def test_what_is_made_is_known_as_ours(emitter: Emitter) -> None:
    """What is not is never replaced, so that the second run would refuse."""
    settings = Settings((str(ROOT / "testdata/apis"),), every_kind=True)
    assert emitter.make is not None
    files = emitter.make(build_program(settings).program, MakerOptions(v2=True), Diagnostics())
    assert files
    assert [name for name, text in files.items() if not is_ours(name, text.encode())] == []


def test_nobody_else_names_them() -> None:
    """Records are imported: neither a name nor a default place of an emitter is written anywhere else."""
    words = {*EMITTERS, *(each.directory for each in EMITTERS.values())} - {"", "."}
    found = {
        (file.relative_to(ROOT / "validation_gen").as_posix(), node.value)
        for file in (ROOT / "validation_gen").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value in words
    }
    own = {(file, word) for file, word in found if file == "compiler/emitters.py"}
    same = {(file, word) for file, others in _SAME_WORDS.items() for word in others}
    assert found - own == same, "choose a name that is no word of the code, or list the other meaning in _SAME_WORDS"


def test_default_places_are_those_of_the_records() -> None:
    places = {
        name: section(of).keys[option.removeprefix("--")].default
        for name, (of, option) in output_options().items()
        if not EMITTERS[name].help  # others have no command
    }
    commands = [emitter for emitter in EMITTERS.values() if emitter.directory and not emitter.help]
    assert places == {emitter.name: emitter.directory for emitter in commands}
    for file in ("generate.py", "schemas.py"):  # "." is too short a word for the test above
        tree = ast.parse((ROOT / "validation_gen/cli" / file).read_text(encoding="utf-8"))
        assert not [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Constant) and node.value == "."]
