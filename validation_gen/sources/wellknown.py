"""Types that nearly every Kubernetes API refers to, as a fallback for missing sources.

The declarations are in our own Go files below `wellknown/<import path>/`, and are read like any other source. They have
only the facts for decoding and schemas; names, JSON names and markers are those of the originals. `facts` generates the
files below `known/` from the packages whose types APIs embed.

Some of these types decode themselves. Their JSON form depends on methods, which readers of declarations do not see; so
this module lists it, for the real sources and for ours.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from validation_gen.diagnostics import BUNDLED
from validation_gen.sources.go.files import GoFile, package_clause
from validation_gen.sources.go.package import PackageSource
from validation_gen.sources.model import INT_OR_STRING, META, QUANTITY, RAW_EXTENSION, TypeDecl, Universe

#: Directory of the facts that `facts` has generated.
KNOWN = Path(__file__).with_name("known")

#: Releases of Kubernetes with facts, the oldest first.
RELEASES = ("1.33", "1.34", "1.35", "1.36", "1.37")
#: Prefix of a line that names the releases of the following lines; without a release, all have them.
RELEASE_LINE = "//release"

_RUNTIME = "k8s.io/apimachinery/pkg/runtime"
_APIEXTENSIONS = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

#: JSON forms of types that decode themselves, by import path and name: `time` (RFC 3339), `microtime` (the same with
#: six digits of a second), `duration` (`1h5m`), `quantity`, `intorstring`, `raw` (any JSON object), `gotime` (time.Time
#: itself, which takes fractions of a second), `any` (any JSON value).
WIRE_FORMATS: dict[str, str] = {
    f"{META}.Time": "time",
    f"{META}.MicroTime": "microtime",
    f"{META}.Duration": "duration",
    f"{META}.FieldsV1": "raw",
    str(QUANTITY): "quantity",
    str(INT_OR_STRING): "intorstring",
    str(RAW_EXTENSION): "raw",
    f"{_RUNTIME}.Object": "raw",
    f"{_APIEXTENSIONS}.JSON": "any",
    "encoding/json.RawMessage": "any",
    "time.Time": "gotime",
}


def wire_format(declaration: TypeDecl) -> str | None:
    """Returns the JSON form of a type that decodes itself, `"any"` when it is not known; `None` for other types."""
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
    """Returns our declarations for the package with this import path in a release, `None` when there are none."""
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


def describe_bundled(universe: Universe) -> str:
    """Returns a note about the packages of a run that were read from `known/`, `""` if there are none."""
    own = (package.path for package in universe.packages.values() if package.directory == f"{BUNDLED}{package.path}")
    names = ", ".join(sorted(path for path in own if path.startswith("k8s.io/api/")))
    note = f"used the types of Kubernetes {universe.release} that come with validation-gen"
    return f"no module found with {names}: {note}" if names else ""
