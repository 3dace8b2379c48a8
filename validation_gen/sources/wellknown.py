"""Types that nearly every Kubernetes API refers to, for when their sources are not at hand.

The declarations stand in Go files of our own below `wellknown/<import path>/` and are read like any other source. They
are reduced to what decoding and schemas need; names, JSON names and markers are those of the originals. Those below
`known/` are made by `facts` from the packages that APIs embed types of.

Some of these types decode themselves. Their JSON form is a fact of their methods, which no reader of declarations sees;
so it is told here, whether the real source was found or ours.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from validation_gen.diagnostics import BUNDLED
from validation_gen.sources.go.files import GoFile, package_clause
from validation_gen.sources.go.package import PackageSource
from validation_gen.sources.model import TypeDecl, Universe

#: Where the facts are that `facts` has made.
KNOWN = Path(__file__).with_name("known")

#: The releases of Kubernetes of which there are facts, the oldest first.
RELEASES = ("1.33", "1.34", "1.35", "1.36", "1.37")
#: How a line begins that names the releases which have the lines behind it; without any, all have them.
RELEASE_LINE = "//release"

_META = "k8s.io/apimachinery/pkg/apis/meta/v1"
_RUNTIME = "k8s.io/apimachinery/pkg/runtime"
_APIEXTENSIONS = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

#: JSON forms of types that decode themselves, by import path and name: `time` (RFC 3339), `microtime` (the same with
#: six digits of a second), `duration` (`1h5m`), `quantity`, `intorstring`, `raw` (any JSON object), `gotime` (time.Time
#: itself, which takes fractions of a second), `any` (any JSON value).
WIRE_FORMATS: dict[str, str] = {
    f"{_META}.Time": "time",
    f"{_META}.MicroTime": "microtime",
    f"{_META}.Duration": "duration",
    f"{_META}.FieldsV1": "raw",
    "k8s.io/apimachinery/pkg/api/resource.Quantity": "quantity",
    "k8s.io/apimachinery/pkg/util/intstr.IntOrString": "intorstring",
    f"{_RUNTIME}.RawExtension": "raw",
    f"{_RUNTIME}.Object": "raw",
    f"{_APIEXTENSIONS}.JSON": "any",
    "encoding/json.RawMessage": "any",
    "time.Time": "gotime",
}


def wire_format(declaration: TypeDecl) -> str | None:
    """The JSON form of a type that decodes itself, `"any"` when it is not known; `None` for an ordinary type."""
    known = WIRE_FORMATS.get(f"{declaration.package}.{declaration.name}")
    return known or ("any" if declaration.custom_json else None)


def at_release(text: str, release: str) -> str:
    """Returns the lines of a text that a release has."""
    if RELEASE_LINE not in text:
        return text
    kept: list[str] = []
    counts = True
    for line in text.split("\n"):
        if line.startswith(RELEASE_LINE):
            named = line.split()[1:]
            counts = not named or release in named
        elif counts:
            kept.append(line)
    return "\n".join(kept)


@cache
def wellknown_source(path: str, release: str) -> PackageSource | None:
    """Our declarations for the package with this import path in a release, `None` when there are none."""
    text = at_release(_text("wellknown", path) or _text("known", path) or "", release)
    if not text.strip():
        return None
    directory = f"{BUNDLED}{path}"
    go_file = GoFile("types.go", f"{directory}/types.go", text, package_clause(text))
    return PackageSource(path, go_file.package, directory, "", (go_file,))


def _text(directory: str, path: str) -> str | None:
    try:
        return Path(__file__).with_name(directory).joinpath(*path.split("/"), "types.go").read_text(encoding="utf-8")
    except OSError:
        return None


def bundled(universe: Universe) -> str:
    """A sentence about the packages of a run for which the facts of `known/` have been read, `""` if there are none."""
    own = (package.path for package in universe.packages.values() if package.directory == f"{BUNDLED}{package.path}")
    names = ", ".join(sorted(path for path in own if path.startswith("k8s.io/api/")))
    whose = f"used the types of Kubernetes {universe.release} that come with validation-gen"
    return f"no module found with {names}: {whose}" if names else ""
