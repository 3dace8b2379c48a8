"""Writes the bill of materials of the wheel: what it needs at run time, as requirements/run.txt has it (CycloneDX).

Licences and what needs what are those of the packages' own metadata. They are fetched by pip, held against the hashes
of the lock, and read, never installed. The same lock gives the same bytes: there is no time in it, no serial number and
no path. `make lock` runs this.
"""

from __future__ import annotations

import email
import email.message
import json
import re
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "requirements" / "run.txt"
OUTPUT = ROOT / "requirements" / "sbom.cdx.json"

_PIN = re.compile(r"^(?P<name>[\w.-]+)==(?P<version>[^\s;\\]+)(?: ; (?P<marker>[^\\]+?))? \\$")
_HASH = re.compile(r"^    --hash=(?P<hash>sha256:[0-9a-f]{64})(?: \\)?$")

#: For packages that name no SPDX expression. What could mean several licences ("BSD License") stays as it is.
_IDS = {
    "ISC License (ISCL)": "ISC",
    "MIT": "MIT",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}


@dataclass(frozen=True)
class Locked:
    """A package of a lock. Some are there more than once, in versions for different Pythons."""

    name: str
    version: str
    marker: str
    hashes: tuple[str, ...]

    @property
    def purl(self) -> str:
        return f"pkg:pypi/{self.name}@{self.version}"


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def read_lock(path: Path) -> list[Locked]:
    """The packages of a lock. Raises ValueError on lines that locks do not have: addresses, options, open versions."""
    found: list[tuple[re.Match[str], list[str]]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if pin := _PIN.match(line):
            found.append((pin, []))
        elif (hash := _HASH.match(line)) and found:
            found[-1][1].append(hash["hash"])
        elif line.strip() and not line.strip().startswith("#"):
            raise ValueError(f"{path.name}:{number}: not a version with hashes: {line}")
    return [Locked(canonical(p["name"]), p["version"], p["marker"] or "", tuple(hashes)) for p, hashes in found]


def licences(metadata: email.message.Message) -> list[dict[str, Any]]:
    if expression := metadata.get("License-Expression"):
        return [{"expression": expression}]
    classifiers = [text.rpartition(" :: ")[2] for text in metadata.get_all("Classifier", []) if text[:7] == "License"]
    if not classifiers and metadata.get("License", ""):
        classifiers = [metadata.get("License", "").splitlines()[0]]
    known = {text: _IDS.get(text) for text in sorted(classifiers)}
    return [{"license": {"id": id} if id else {"name": text}} for text, id in known.items()]


def needs(metadata: email.message.Message) -> set[str]:
    """The names of what a package needs, whatever the platform; without that of its extras."""
    texts = [text for text in metadata.get_all("Requires-Dist", []) if not re.search(r";.*\bextra\b", text)]
    return {canonical(re.split(r"[^\w.-]", text, maxsplit=1)[0]) for text in texts}


def bill(project: dict[str, Any], lock: list[Locked], metadata: dict[str, email.message.Message]) -> dict[str, Any]:
    """The bill of materials, as data. `metadata` is by purl."""
    own = f"pkg:pypi/{project['name']}@{project['version']}"

    def refs(names: set[str]) -> list[str]:
        return sorted(each.purl for each in lock if each.name in names)

    direct = {canonical(re.split(r"[^\w.-]", text, maxsplit=1)[0]) for text in project["dependencies"]}
    components = []
    for each in sorted(lock, key=lambda locked: locked.purl):
        component = {
            "type": "library",
            "bom-ref": each.purl,
            "name": each.name,
            "version": each.version,
            "scope": "required",
            "licenses": licences(metadata[each.purl]),
            "purl": each.purl,
        }
        if each.marker:
            component["properties"] = [{"name": "python:marker", "value": each.marker}]
        components.append(component)
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            # Nothing is bundled: these are what the checks have run with.
            "lifecycles": [{"phase": "build"}],
            "component": {
                "type": "application",
                "bom-ref": own,
                "name": project["name"],
                "version": project["version"],
                "description": project["description"],
                "licenses": [{"expression": project["license"]}],
                "purl": own,
            },
        },
        "components": components,
        "dependencies": [
            {"ref": own, "dependsOn": refs(direct)},
            *({"ref": c["purl"], "dependsOn": refs(needs(metadata[c["purl"]]))} for c in components),
        ],
    }


def text_of(bill: dict[str, Any]) -> str:
    return json.dumps(bill, indent=2, ensure_ascii=False) + "\n"


def fetched(lock: list[Locked]) -> dict[str, email.message.Message]:
    """The metadata of locked packages, by purl: of those for other platforms, too."""
    found = {}
    rest = list(lock)
    while rest:
        now = {each.name: each for each in rest}  # pip takes one version of a package at a time
        rest = [each for each in rest if now[each.name] is not each]
        with tempfile.TemporaryDirectory() as directory:
            file = Path(directory, "lock.txt")
            lines = [f"{each.name}=={each.version} --hash={' --hash='.join(each.hashes)}" for each in now.values()]
            file.write_text("\n".join(lines) + "\n", encoding="utf-8")
            pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--ignore-requires-python"]
            options = ["--require-hashes", "--only-binary", ":all:", "--dest", directory, "--requirement", str(file)]
            subprocess.run([*pip, *options], check=True)  # noqa: S603
            for wheel in Path(directory).glob("*.whl"):
                name, version = wheel.name.split("-")[:2]
                with zipfile.ZipFile(wheel) as archive:
                    (member,) = [n for n in archive.namelist() if re.fullmatch(r"[^/]+\.dist-info/METADATA", n)]
                    metadata = email.message_from_bytes(archive.read(member))
                found[now[canonical(name)].purl] = metadata
                assert version == now[canonical(name)].version
    return found


def main() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lock = read_lock(LOCK)
    OUTPUT.write_text(text_of(bill(project, lock, fetched(lock))), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
