"""The locks of requirements/: whole, with hashes, without an address; and the bill of materials that is made from one.

None of these tests needs a network. `make lock` writes what they look at.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
REQUIREMENTS = ROOT / "requirements"
PYPROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT: dict[str, Any] = PYPROJECT["project"]
LOCKS = ["run", "dev", "build", "release"]
SBOM = REQUIREMENTS / "sbom.cdx.json"

PYTHONS = ["3.10", "3.11", "3.12", "3.13"]
#: Platforms that a lock holds for, in the words of markers.
PLATFORMS = [
    {"sys_platform": "linux", "os_name": "posix", "platform_system": "Linux"},
    {"sys_platform": "darwin", "os_name": "posix", "platform_system": "Darwin"},
    {"sys_platform": "win32", "os_name": "nt", "platform_system": "Windows"},
]


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("sbom", ROOT / ".ci" / "sbom.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["sbom"] = module
    spec.loader.exec_module(module)
    return module


sbom = _load()


def wanted(lock: str) -> list[str]:
    """What a lock was made from."""
    if lock in ("build", "release"):
        lines = (REQUIREMENTS / f"{lock}.in").read_text(encoding="utf-8").splitlines()
        texts = [line for line in lines if line and not line.startswith("#")]
        return [*texts, *(PYPROJECT["build-system"]["requires"] if lock == "build" else [])]
    extras = PROJECT["optional-dependencies"].values() if lock == "dev" else []
    return [*PROJECT["dependencies"], *(text for extra in extras for text in extra)]


def environments() -> list[dict[str, str]]:
    return [
        {**platform, "python_version": python, "python_full_version": f"{python}.13", "implementation_name": "cpython"}
        for python in PYTHONS
        for platform in PLATFORMS
    ]


def test_what_builds_the_project_is_in_the_source_of_its_lock() -> None:
    """Else the next `make lock` leaves out what somebody has put into the lock by hand."""
    named = (REQUIREMENTS / "build.in").read_text(encoding="utf-8").splitlines()
    assert set(PYPROJECT["build-system"]["requires"]) <= set(named)


@pytest.mark.parametrize("lock", LOCKS)
def test_each_version_has_hashes_and_no_line_says_where_from(lock: str) -> None:
    path = REQUIREMENTS / f"{lock}.txt"
    packages = sbom.read_lock(path)  # takes no other lines
    assert [each.name for each in packages if not each.hashes] == []
    assert not re.search(r"://|--(extra-)?index|find-links|(^|\s)/", path.read_text(encoding="utf-8"), re.M)


@pytest.mark.parametrize("lock", LOCKS)
def test_whatever_is_asked_for_is_locked_once_for_each_python_and_platform(lock: str) -> None:
    packages = sbom.read_lock(REQUIREMENTS / f"{lock}.txt")
    problems = set()
    for environment in environments():
        there = [each for each in packages if not each.marker or Marker(each.marker).evaluate(environment)]
        versions = {each.name: each.version for each in there}
        problems |= {f"{each.name}: twice" for each in there if versions[each.name] != each.version}
        for text in wanted(lock):
            requirement = Requirement(text)
            if requirement.marker and not requirement.marker.evaluate(environment):
                continue
            version = versions.get(sbom.canonical(requirement.name))
            if version is None or not requirement.specifier.contains(version, prereleases=True):
                problems.add(f"{requirement} on Python {environment['python_version']}: {version} is locked")
    assert sorted(problems) == [], "run `make lock`"


def test_locks_do_not_contradict_each_other() -> None:
    """Those of one environment are installed together."""
    dev = {(each.name, each.version) for each in sbom.read_lock(REQUIREMENTS / "dev.txt")}
    names = {name for name, _ in dev}
    for lock in ("run", "build"):
        others = sbom.read_lock(REQUIREMENTS / f"{lock}.txt")
        assert [each for each in others if each.name in names and (each.name, each.version) not in dev] == []


@pytest.mark.parametrize(
    "line",
    ["--index-url https://example.com/simple", "black>=24.1", "black @ file:///black.whl", "-e .", "-r other.txt"],
)
def test_a_lock_holds_nothing_else(line: str, tmp_path: Path) -> None:
    (tmp_path / "lock.txt").write_text(f"# by a program\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"lock.txt:2: not a version with hashes"):
        sbom.read_lock(tmp_path / "lock.txt")


# --- the bill of materials -------------------------------------------------------------------------------------------


def bill() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(SBOM.read_text(encoding="utf-8"))
    return loaded


def test_the_bill_lists_what_is_locked_for_run_time() -> None:
    lock = sorted(sbom.read_lock(REQUIREMENTS / "run.txt"), key=lambda each: each.purl)
    locked = [(each.name, each.version, each.purl) for each in lock]
    assert [(c["name"], c["version"], c["purl"]) for c in bill()["components"]] == locked, "run `make sbom`"
    component = bill()["metadata"]["component"]
    named = (component["name"], component["version"], component["description"], component["licenses"])
    licence = [{"expression": PROJECT["license"]}]
    assert named == (PROJECT["name"], PROJECT["version"], PROJECT["description"], licence), "run `make sbom`"


def test_the_bill_says_every_licence() -> None:
    found = [licence for c in bill()["components"] for licence in c["licenses"] or [None]]
    assert [each for each in found if not each] == []


def test_the_bill_tells_each_package_what_it_needs() -> None:
    said = bill()
    refs = {c["bom-ref"] for c in said["components"]}
    graph = {each["ref"]: each["dependsOn"] for each in said["dependencies"]}
    own = said["metadata"]["component"]["bom-ref"]
    assert graph.keys() == {own, *refs}
    reached, rest = set(), [own]
    while rest:
        reached.add(ref := rest.pop())
        rest += [needed for needed in graph[ref] if needed not in reached]
    assert reached == {own, *refs}
    direct = {ref.removeprefix("pkg:pypi/").partition("@")[0] for ref in graph[own]}
    assert direct == {sbom.canonical(Requirement(text).name) for text in PROJECT["dependencies"]}


def test_the_same_lock_gives_the_same_bill() -> None:
    """As far as this environment has what is locked; whatever it lacks is taken from the bill."""
    lock = sbom.read_lock(REQUIREMENTS / "run.txt")
    text = SBOM.read_text(encoding="utf-8")
    assert text == sbom.text_of(bill())
    said = {c["purl"]: c for c in bill()["components"]}
    metadata = {}
    for each in lock:
        try:
            found = importlib.metadata.distribution(each.name)
        except importlib.metadata.PackageNotFoundError:
            continue
        if found.version == each.version:
            metadata[each.purl] = found.metadata
    assert {purl: sbom.licences(found) for purl, found in metadata.items()} == {
        purl: said[purl]["licenses"] for purl in metadata
    }
    if metadata.keys() == said.keys():
        assert sbom.text_of(sbom.bill(PROJECT, lock, metadata)) == text
    assert "timestamp" not in text
    assert "serialNumber" not in text
    assert str(Path.home()) not in text


def test_the_bill_is_well_formed() -> None:
    validation = pytest.importorskip("cyclonedx.validation.json", reason="cyclonedx-python-lib is not installed")
    schema = pytest.importorskip("cyclonedx.schema")
    validator = validation.JsonStrictValidator(schema.SchemaVersion.V1_6)
    assert validator.validate_str(SBOM.read_text(encoding="utf-8")) is None
