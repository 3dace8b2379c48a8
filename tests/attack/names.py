"""Hostile names: groups, files, kinds, fields, paths and texts of a foreign repository that mean something elsewhere.

Each name is put where a source can have one, every command that writes or prints is run, and what comes out is read by
a reader of its format: what is written stays in the output directory, SARIF and JSON are JSON, JUnit is XML, each
annotation for GitHub is one line, and no character that steers a terminal or turns the direction of text is left.
"""

from __future__ import annotations

import ast
import json
import random
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import yaml

from tests.attack.yard import Yard

#: Names as directories, groups, paths and files are attacked with.
PLACES = [
    *("../../../precious/x", "../precious", "/tmp/validation-gen-attack", "..", ".", "", "a/b", "a\\b", "C:\\x"),
    *("con", "nul.example.com", "-rf", "--help", "a" * 300, "a b", "a\tb", "x\u202ey", "x\x1b[31my", "%2e%2e", "$HOME"),
    *(
        "{{x}}",
        "'; import os #",
        '"',
        "\\",
        "`id`",
        "$(id)",
        "a:b",
        "a;b",
        "a|b",
        "robots.example.com/../x",
        "é",
        "A.B",
    ),
]
#: Texts as comments, patterns, enum values and field names have them.
TEXTS = [
    *(
        "\u202e\u2066x\u2069",
        "\x1b]0;owned\x07",
        "\x9b31m",
        '"""',
        "'''",
        "\\",
        "\\u202e",
        "*/",
        "-->",
        "]]>",
        "%0A::error::",
    ),
    *("::error file=x::y", "<script>alert(1)</script>", "&lt;", "{{ x }}", "{% x %}", "${{ github.token }}", "$(id)"),
    *("`id`", "\x00", "\x85", "\u2028", "\ufeff", "# type: ignore", "# noqa", "coding: utf-7", "\u200e", "\U000e0041"),
]
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
FORMATS = ("full", "concise", "json", "jsonl", "github", "sarif", "junit")

GO = """\
// +k8s:validation-gen=*
// +groupName={group}

// Package {package} {text}
package {package}

// Thing {text}
// +kubebuilder:object:root=true
// +kubebuilder:resource:path={path},shortName={path}
type {kind} struct {{
	// {text}
	// +k8s:required
	// +k8s:maxLength=3
	// +kubebuilder:validation:Pattern={pattern}
	Name string `json:"{field}"`
	// +k8s:enum
	Color Color `json:"color"`
	// +k8s:requird={text}
	Other string `json:"other"`
}}

// Color {text}
// +k8s:enum
type Color string

const (
	// {text}
	Red Color = {value}
)
"""
PYTHON = '''\
"""Things. {text}

+groupName={group}
"""

from dataclasses import dataclass

from validation_gen.types.meta import TypeMeta


@dataclass
class Thing(TypeMeta):
    """A thing. {text}"""

    # {text}
    # +k8s:required
    # +k8s:requird={text}
    name: str
'''
COMMANDS = (
    ("generate", ".", "--output-dir", "../out/generated", "--no-cache"),
    (
        "generate",
        ".",
        "--output-dir",
        "../out/all",
        "--no-cache",
        "--emit",
        "crd=../out/c",
        "--emit",
        "openapi=../out/o",
    ),
    (
        "generate",
        ".",
        "--output-dir",
        "../out/hard",
        "--no-cache",
        "--emit",
        "harness",
        "--emit",
        "jsonschema=../out/j",
    ),
    ("crd", ".", "--output-dir", "../out/crds"),
    ("openapi", ".", "--output-dir", "../out/openapi"),
    ("jsonschema", ".", "--output-dir", "../out/schemas"),
    ("convert", ".", "--to", "python", "--output-dir", "../out/converted"),
    ("convert", ".", "--to", "go", "--output-dir", "../out/converted"),
    *(("lint", ".", "--no-cache", "--markers", "--format", format) for format in FORMATS),
    ("explain", "."),
    ("coverage", "."),
)


def hostile_names(yard: Yard, seed: int, tries: int) -> list[str]:
    """Groups, kinds, fields, files and comments with hostile names."""
    faults = []
    for number in range(tries):
        draw = random.Random(f"names {seed} {number}")
        yard.clear()
        yard.write("go.mod", "module example.com/m\n")
        _sources(draw, yard)
        command = draw.choice(COMMANDS)
        ended, found = yard.attack(*command)
        found += readable(command[-1] if "--format" in command else "", ended.out, ended.err)
        found += clean(yard.out, told=_TOLD in ended.err)
        which = f"{' '.join(command)} (seed {seed}, try {number})"
        sources = "\n".join(repr(path.read_bytes()) for path in yard.project.rglob("*.[gp][oy]")) if found else ""
        faults += [f"{which}: {fault}\n{sources}" for fault in found]
    return faults


def _sources(draw: random.Random, yard: Yard) -> None:
    """One source in which one or a few names are hostile."""
    text = draw.choice(TEXTS)
    flat = re.sub(r"[\r\n\x85\u2028\x00\x0b\x0c]", " ", text)
    words = {
        "group": "example.com",
        "package": "v1",
        "kind": "Thing",
        "path": "things",
        "field": "name",
        "pattern": "`^a$`",
        "value": '"red"',
        "text": flat,
    }
    hostile = {
        "group": draw.choice(PLACES),
        "path": draw.choice(PLACES),
        "field": draw.choice([*PLACES, *TEXTS]).replace("`", "").replace('"', ""),
        "pattern": json.dumps(draw.choice(TEXTS)),
        "value": json.dumps(draw.choice(TEXTS)),
        "kind": draw.choice(["Con", "Ünder", "T" * 250, "Ｔ", "Type"]),
        "package": draw.choice(["v1", "con", "class", "v1beta99999999999999999999", "import"]),
    }
    for name in draw.sample(sorted(hostile), draw.choice([1, 1, 2, 3])):
        words[name] = hostile[name]
    if draw.random() < 0.3:
        group = re.sub(r"[\r\n\x00\\]", " ", words["group"]).replace('"""', "")
        flat = flat.replace('"""', "").replace("\\", "")
        yard.write("apis/v1.py", PYTHON.format(group=group, text=flat))
        return
    directory = draw.choice(["v1", "v1", "..v1", "a b", "class", "x\u202ey", "%0A::error::x", "-v1", "é", "import"])
    yard.write(f"apis/{directory}/types.go", GO.format(**words))


def readable(format: str, out: str, err: str) -> list[str]:
    """What is wrong with the output for those that it is meant for."""
    faults = [f"controls in what is printed: {found.group()!r}" for found in _CONTROLS.finditer(out + err)][:1]
    try:
        if format in {"json", "sarif"}:
            json.loads(out or err)
        elif format == "jsonl":
            for line in out.splitlines():
                json.loads(line)
        elif format == "junit":
            ET.fromstring(out)
    except ValueError as error:
        faults.append(f"not {format}: {error}: {out[:500]}")
    except ET.ParseError as error:
        faults.append(f"not {format}: {error}: {out[:500]}")
    if format == "github":
        wrong = [line for line in out.split("\n") if line.startswith("::") and not _ANNOTATION.match(line)]
        faults += [f"no annotation: {line!r}" for line in wrong[:1]]
        if any(not line.startswith("::") and "::error" in line for line in out.split("\n")):
            faults.append("text that looks like an annotation stands by itself")
    return faults


_ANNOTATION = re.compile(r"::(?:error|warning|notice|debug)(?: [\w]+=[^:]*)?::")


#: What `convert` says of a tag that keeps such a character, since tags have no escapes.
_TOLD = "which is invisible; a tag has no escape for it"
_TAG = re.compile(r"^[ \t]*(?://|#)[ \t]*\+.*$", re.MULTILINE)


def clean(root: Path, *, told: bool = False) -> list[str]:
    """What is wrong with written files: read by their readers, without characters that steer or turn text.

    Tags may have them if the user was `told`.
    """
    faults = []
    for path in sorted(root.rglob("*")):
        if not path.is_file() or "cache" in path.relative_to(root).parts[:1]:
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        name = str(path.relative_to(root))
        shown = name + (_TAG.sub("", text) if told else text)
        faults += [f"controls in {name}: {found.group()!r}" for found in _CONTROLS.finditer(shown)][:1]
        try:
            if path.suffix == ".py":
                ast.parse(text)
            elif path.suffix == ".json":
                json.loads(text)
            elif path.suffix in {".yaml", ".yml"}:
                list(yaml.safe_load_all(text))
        except (SyntaxError, ValueError, yaml.YAMLError) as error:
            faults.append(f"{name} cannot be read: {error}")
    return faults
