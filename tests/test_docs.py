"""What README.md and docs/ say is true of the program: every table, link, tag and option. Their blocks: tests/docs."""

from __future__ import annotations

import importlib.metadata
import re
import shutil
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import site_reference
import typer.main
from generated_files import releases, vocabulary, write

from tests.docs.blocks import DOCUMENTS, GENERATED, README, ROOT, blocks
from tests.tables import each
from validation_gen.cli import terminal
from validation_gen.cli.app import app
from validation_gen.cli.helping import common_options
from validation_gen.diagnostics.formats.registry import FORMATS
from validation_gen.rules.directives import DIRECTIVES
from validation_gen.rules.registry import catalogue
from validation_gen.rules.spelling import former_names

#: These describe how to work on the project; their commands are what `make` and `.ci/run` run.
OTHERS = [ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "testdata").glob("*/README.md"))]

TEST_COMMAND = 'python -m pip install -e ".[test]" && python -m pytest'
#: Wrong on purpose, or tags of other generators.
FOREIGN_TAGS = {
    "declarativeValidationNative",
    "deepcopy-gen",
    "defaulter-gen-input",
    "maxLenght",
    "maximun",
    "nope",
    "openapi-gen",
    "prerelease-lifecycle-gen",
    "validation",
}
#: Options of other programs.
FOREIGN_OPTIONS = {
    "--applyset",
    "--prune",
    "--prune-allowlist",
    "--build-arg",
    "--unshallow",
    "--validate",
    "--validation-coverage",
    "--validation-coverage-fail-under",
    "--validation-coverage-source",
    "--dashboard-address",
    "--death-timeout",
    "--depth",
    "--diff-filter",
    "--exit-code",
    "--follow",
    "--from-file",
    "--local-directory",
    "--memory-limit",
    "--name-only",
    "--namespace",
    "--no-build-isolation",
    "--no-cache-dir",
    "--no-dashboard",
    "--no-deps",
    "--no-isolation",
    "--no-nanny",
    "--nthreads",
    "--protocol",
    "--quiet",
    "--require-hashes",
    "--retry",
    "--retry-connrefused",
    "--server-side",
    "--update",
    "--values",
    "--worker-port",
}


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _text(document: Path) -> str:
    return GENERATED.get(document) or document.read_text(encoding="utf-8")


each_document = pytest.mark.parametrize("document", DOCUMENTS, ids=_name)
each_text = each("document", [*DOCUMENTS, *GENERATED, *OTHERS], ids=_name)
each_page = each("document", [*DOCUMENTS, *GENERATED], ids=_name)


# --- texts -----------------------------------------------------------------------------------------------------------


def between(document: Path, mark: str) -> str:
    """What stands between two comments `<!-- mark -->` and `<!-- /mark -->` on lines of their own."""
    match = re.search(rf"^<!-- {mark} -->\n(.*?)^<!-- /{mark} -->$", document.read_text(encoding="utf-8"), re.S | re.M)
    assert match, f"{document.name} has no <!-- {mark} --> and <!-- /{mark} -->"
    return match[1]


# --- the first screen ------------------------------------------------------------------------------------------------


def test_the_first_example_is_short() -> None:
    go, session = [next(b for b in blocks(README) if b.language == language) for language in ("go", "pycon")]
    assert len((go.text + session.text).splitlines()) <= 20


def test_the_first_output_is_a_rejected_object() -> None:
    first = next(block for block in blocks(README) if block.language == "console")
    assert first.text.splitlines()[1].endswith(" is invalid:")


def test_the_changelog_lists_the_first_release() -> None:
    assert len((ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()) <= 150


def test_the_table_of_uses_is_short() -> None:
    text = README.read_text(encoding="utf-8").partition("## What you can do\n")[2].partition("\n## ")[0]
    assert len(re.findall(r"^\| ", text, re.M)) == 1 + 10


def test_the_readme_is_short() -> None:
    assert len(README.read_text(encoding="utf-8").split()) < 1500


def test_one_command_installs_and_another_tests() -> None:
    shell = [block.text.strip() for block in blocks(README) if block.language == "sh"]
    assert shell == ["python -m pip install .", TEST_COMMAND]


def test_the_test_command_is_where_the_checks_look_for_it() -> None:
    assert between(README, "test-command") == f"```sh\n{TEST_COMMAND}\n```\n"
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "<!-- test-command -->" in script.replace("\\", "")
    assert "<!-- /test-command -->" in script.replace("\\", "")
    assert "test" in (importlib.metadata.metadata("validation-gen").get_all("Provides-Extra") or [])


# --- tables ----------------------------------------------------------------------------------------------------------


def test_the_table_of_releases_is_up_to_date() -> None:
    assert between(ROOT / "docs" / "compatibility.md", "releases") == releases(), "run `make docs`"


def test_make_docs_writes_what_is_generated(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    shutil.copytree(ROOT / "docs", docs)
    wanted = {file.name: file.read_text(encoding="utf-8") for file in docs.glob("*.md")}
    page = docs / "compatibility.md"
    page.write_text(page.read_text(encoding="utf-8").replace(releases(), "old\n"), encoding="utf-8")
    write(docs, tmp_path / "tags.py")
    assert (tmp_path / "tags.py").read_text(encoding="utf-8") == vocabulary()
    assert {file.name: file.read_text(encoding="utf-8") for file in docs.glob("*.md")} == wanted


# The tags that Kubernetes 1.37 documents (`validation-gen --docs`).
_KUBERNETES = """
alpha beta customUnique customValidation dependentForbidden dependentRequired eachKey eachVal enum enumExclude forbidden
format ifDisabled ifEnabled ifMode immutable item listMapKey listType maxBytes maxItems maxLength maxProperties maximum
minItems minLength minProperties minimum modeDiscriminator monotonic neq opaqueType optional required subfield
unionDiscriminator unionMember unique update validateError validateFalse validateTrue validateTrueAlpha validateTrueBeta
zeroOrOneOfMember
""".split()


def test_every_tag_of_kubernetes_is_there() -> None:
    assert "every tag of Kubernetes 1.37" in " ".join(README.read_text(encoding="utf-8").split())
    assert {f"k8s:{name}" for name in _KUBERNETES} <= catalogue().keys()


def test_every_part_is_a_row_of_the_architecture() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rooms = page.partition("## The rooms\n")[2].partition("\n## ")[0]
    named = {name for row in re.findall(r"^\| (`.*?) \|", rooms, re.M) for name in re.findall(r"`(\w+)`", row)}
    parts = {path.stem for path in (ROOT / "validation_gen").iterdir() if path.is_dir() or path.suffix == ".py"}
    assert {part for part in parts if not part.startswith("__")} == named


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_named_sources_exist(name: str) -> None:
    text = re.sub(r"^```.*?^```$", "", (ROOT / name).read_text(encoding="utf-8"), flags=re.S | re.M)
    for path in re.findall(r"`([\w.]+/[\w./-]*\w)`", text):
        known = ("", "validation_gen/", "templates/", "docs/")
        assert any((ROOT / (place + path + end)).exists() for place in known for end in ("", ".py")), path


def test_exit_codes() -> None:
    codes = re.findall(r"^\| (\d+) \| ", site_reference.page(), re.M)
    assert list(map(int, codes)) == [terminal.OK, terminal.FINDINGS, terminal.ENVIRONMENT, terminal.INTERRUPTED]


# --- names and links -------------------------------------------------------------------------------------------------


@cache
def _options() -> dict[str, set[str]]:
    """The options of each command by its name."""
    group: Any = typer.main.get_command(app)
    commands: dict[str, Any] = {"": group, "of all": SimpleNamespace(params=common_options())}
    for name, late in group.commands.items():
        command = late.loaded()
        below = getattr(command, "commands", {})
        commands |= {f"{name} {inner}": one for inner, one in below.items()} if below else {name: command}
    return {
        name: {o for p in command.params for o in (*p.opts, *p.secondary_opts)} for name, command in commands.items()
    }


@each_text
def test_tags_exist(document: Path) -> None:
    text = re.sub(r"<!-- into:.*?```\w+\n.*?```", "", _text(document), flags=re.DOTALL)
    named = set(re.findall(r"\+k8s:([A-Za-z][\w-]*)", text))
    known = {name.removeprefix("k8s:") for name in (*catalogue(), *former_names(), *DIRECTIVES)}
    assert named - FOREIGN_TAGS <= known


@each_page
def test_options_exist(document: Path) -> None:
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", _text(document)))
    assert named - FOREIGN_OPTIONS <= {option for options in _options().values() for option in options} | {"--help"}


def test_every_option_is_described() -> None:
    text = "".join(document.read_text(encoding="utf-8") for document in DOCUMENTS)
    for command, options in _options().items():
        if command:
            named = {o for o in options if o.startswith("--") and not o.startswith("--no-")}
            missing = {o for o in named if not re.search(rf"(?<![\w-]){o}(?![\w-])", text)}
            assert not missing - {"--help"}, f"of {command}"


@each_text
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", _text(document)):
        if "://" in target:
            continue
        file, _, anchor = target.partition("#")
        path = document.parent / file if file else document
        # Other pages are read on code hosts too, where the generated ones are missing.
        assert path.exists() or (document in GENERATED and path in GENERATED), target
        if anchor:
            headings = re.findall(r"^#+ (.*)$", _text(path), re.M)
            assert anchor in {re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in headings}, target


def test_the_table_of_formats_is_that_of_the_records() -> None:
    text = (ROOT / "docs/output-formats.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:3] == "| `"]
    told = {True: "the summary, on standard error", False: "nothing"}
    assert [(name, where, beside) for name, _, where, beside in rows] == [
        (
            f"`{each.name}`",
            "standard error" if each.for_people else "standard output",
            "a summary" if each.for_people else told[each.annotates],
        )
        for each in FORMATS
    ]


def test_only_rooms_are_called_so() -> None:
    package = ROOT / "validation_gen"
    rooms = set(package.glob("*/__init__.py"))
    assert [
        file.relative_to(package).as_posix()
        for file in sorted(set(package.rglob("*.py")) - rooms)
        if re.search(r"\bthis\s+room\b", file.read_text(encoding="utf-8"), re.IGNORECASE)
    ] == []


def test_decisions_are_listed_by_their_headings() -> None:
    titles = {
        page.name: page.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
        for page in sorted((ROOT / "docs/decisions").glob("0*.md"))
    }
    table = (ROOT / "docs/decisions/README.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| (\d+) \| \[(.*)\]\((.*)\) \|$", table, re.M) == [
        (name.partition("-")[0], title, name) for name, title in titles.items()
    ]
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert re.findall(r'^ *- "(.*)": decisions/(0.*)$', navigation, re.M) == [
        (title.replace("`", ""), name) for name, title in titles.items()
    ]


@cache
def _rows() -> set[str]:
    """Returns the lines of generated tables, which have the length that their cells need."""
    texts = [*GENERATED.values(), releases()]
    return {line for text in texts for line in text.splitlines() if line.startswith("|")}


@each_page
def test_lines_are_short(document: Path) -> None:
    lines = enumerate(_text(document).splitlines(), 1)
    # A run in the history of comparisons is one line, and an example shows one.
    long = [(n, line) for n, line in lines if len(line) > 120 and not line.startswith('{"format": 1, "time": ')]
    assert not [number for number, line in long if line not in _rows()]


@each_page
def test_nothing_waits_to_be_filled_in(document: Path) -> None:
    assert re.findall(r"@[A-Z_]+@|\bTODO\b|\bTBD\b", _text(document)) == []
