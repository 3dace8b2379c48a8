"""Codes of `validation-gen breaking`. The older state of an example is in the directory `old`."""

from __future__ import annotations

from collections.abc import Mapping

from validation_gen.diagnostics import Severity
from validation_gen.uses.explain.explanations.base import Explanation, Sample

_COMPARE = "validation-gen breaking v1 --against old"
_HEAD = 'import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"\n'
_E, _W, _I = Severity.ERROR, Severity.WARNING, Severity.INFO


def _robot(fields: str, *, marks: str = "", more: str = "") -> str:
    """Returns a kind with fields, as Go source."""
    above = f"// {marks}\n" if marks else ""
    return f'\n{_HEAD}\n{above}type Robot struct {{\n\tmetav1.TypeMeta `json:",inline"`\n{fields}}}\n{more}'


def _field(name: str, type: str, *tags: str) -> str:
    """Returns an optional field, with its tags."""
    above = "".join(f"\t// {tag}\n" for tag in tags)
    return f'{above}\t{name.title()} {type} `json:"{name},omitempty"`\n'


def _sample(new: str, old: str, command: str = _COMPARE) -> Sample:
    return Sample(new, {"old/v1/types.go": f"package v1\n{old}"}, command)


def _pair(old: str, new: str, *, all: bool = False) -> tuple[Sample, Sample]:
    """Returns a change, and the same old state without one."""
    command = f"{_COMPARE} --all" if all else _COMPARE
    return _sample(new, old, command), _sample(old, old, command)


def _said(reason: str, samples: tuple[Sample, Sample], *severities: Severity) -> Explanation:
    return Explanation(reason, *samples, severities or (_E,))


_ARMS = _field("arms", "*int32", "+k8s:optional")
_NAME = "+k8s:optional", "+k8s:maxLength=63"
_COLORS = "\n// +k8s:enum\ntype Color string\n\nconst (\n{})\n"
_RED, _BLUE = '\tRed  Color = "Red"\n', '\tBlue Color = "Blue"\n'
_COLORED = _field("color", "Color", "+k8s:optional")
_JOINTS = '\ntype Joint struct {\n\t// +k8s:required\n\tName string `json:"name"`\n}\n'
_LEGS = _field("legs", "*int32", "+k8s:optional", "+k8s:zeroOrOneOfMember")
_WHEELS = _field("wheels", "*int32", "+k8s:optional", "+k8s:zeroOrOneOfMember")
_TRACKS = _field("tracks", "*int32", "+k8s:optional", "+k8s:zeroOrOneOfMember")
_TRACKS_ALONE = _field("tracks", "*int32", "+k8s:optional")


def _list(*tags: str) -> str:
    return _robot(_field("joints", "[]Joint", "+k8s:optional", *tags), more=_JOINTS)


def _versions(command: str, **versions: str) -> Sample:
    """Returns versions of one group in `api`, and those of its older state, whose names begin with `old_`."""
    files: dict[str, str] = {}
    for name, text in versions.items():
        version = name.removeprefix("old_")
        place = f"old/{version}" if name.startswith("old_") else f"api/{version}"
        files[f"{place}/doc.go"] = f"// +groupName=example.com\npackage {version}\n"
        files[f"{place}/types.go"] = f"package {version}\n{text}"
    return Sample(files=files, command=command)


_VERSIONS = "validation-gen breaking api --against old"
_BARE = _robot(_ARMS)
_PHASES: Mapping[str, str] = {
    phase: f"+k8s:prerelease-lifecycle-gen:{phase}=1." for phase in ("introduced", "deprecated", "removed")
}


def _lived(removed: int) -> str:
    marks = [f"{_PHASES['introduced']}28", f"{_PHASES['deprecated']}31", f"{_PHASES['removed']}{removed}"]
    return _robot(_ARMS, marks="\n// ".join(marks))


_STORED = "+kubebuilder:storageversion"
_OLD_NAME = "+kubebuilder:deprecatedversion"

EXPLANATIONS = {
    "VG701": _said(
        "Clients ask for a kind by group, version and name, and stored objects are read by them. Rule #1 of "
        "Kubernetes' deprecation policy has elements removed by a new version only, and rule #4a says how long "
        "versions live: alpha ones, whose end is a warning, may go at any time.",
        _pair(f'{_robot(_ARMS)}\ntype Drone struct {{\n\tmetav1.TypeMeta `json:",inline"`\n}}\n', _robot(_ARMS)),
        _E,
        _W,
    ),
    "VG702": _said(
        "A field that is unknown is dropped, or refused where clients ask for strict decoding. What is stored there is "
        "lost with the next update. A field with another name is a field that is gone, and a new one.",
        _pair(_robot(_ARMS + _TRACKS_ALONE), _robot(_ARMS)),
    ),
    "VG703": _said(
        "Objects without the field were legal, so clients send them and some are stored. It is a warning where an "
        "option decides, or where only documentation says so, and safe where a default fills the field in.",
        _pair(_robot(_ARMS), _robot(_field("arms", "*int32", "+k8s:required"))),
        _E,
        _W,
        _I,
    ),
    "VG704": _said(
        "Values that do not fit the new type cannot be decoded. A wider type decodes all that there is, but older "
        "clients may not decode what newer ones write, which is a warning.",
        _pair(_robot(_field("arms", "*int64", "+k8s:optional")), _robot(_ARMS)),
        _E,
        _W,
    ),
    "VG705": _said(
        "What clients send may be refused now. What is stored already stays valid for a while where updates look at "
        "changed values only, which the finding says. A rule that has changed counts as stricter when nobody can "
        "tell; one that depends on an option is a warning, and one on trial (`+k8s:alpha`) refuses nothing.",
        _pair(
            _robot(_field("name", "string", *_NAME)), _robot(_field("name", "string", _NAME[0], "+k8s:maxLength=40"))
        ),
        _E,
        _W,
        _I,
    ),
    "VG706": _said(
        "What was refused is legal now. Objects and requests of today are fine; only older clients may meet values "
        "that they did not expect.",
        _pair(
            _robot(_field("name", "string", *_NAME)),
            _robot(_field("name", "string", _NAME[0], "+k8s:maxLength=100")),
            all=True,
        ),
        _I,
    ),
    "VG707": _said(
        "Clients send the value, and objects have it.",
        _pair(_robot(_COLORED, more=_COLORS.format(_RED + _BLUE)), _robot(_COLORED, more=_COLORS.format(_RED))),
        _E,
        _W,
        _I,
    ),
    "VG708": _said(
        "Clients that were made with the older list of values may fail when they read another one, such as in a switch "
        "that has no default. Kubernetes calls an enum closed or open for that reason.",
        _pair(_robot(_COLORED, more=_COLORS.format(_RED)), _robot(_COLORED, more=_COLORS.format(_RED + _BLUE))),
        _W,
        _I,
    ),
    "VG709": _said(
        "Server-side apply merges lists and maps as they are declared, and keeps who owns which part. With another "
        "declaration the same manifests give other results, and items that were legal may be duplicates.",
        _pair(_list("+k8s:listType=atomic"), _list("+k8s:listType=map", "+k8s:listMapKey=name")),
        _E,
        _I,
    ),
    "VG710": _said(
        "A new union, or one with fewer members, refuses combinations that were legal. A new member is a warning: "
        "older clients find none of those that they know.",
        _pair(_robot(_LEGS + _WHEELS + _TRACKS_ALONE), _robot(_LEGS + _WHEELS + _TRACKS)),
        _W,
        _E,
        _I,
    ),
    "VG711": _said(
        "Clients change the value, or set it later, and may not any more. Objects stay valid as they are.",
        _pair(_robot(_ARMS), _robot(_field("arms", "*int32", "+k8s:optional", "+k8s:immutable"))),
        _E,
        _W,
        _I,
    ),
    "VG712": _said(
        "Objects that were written without the value relied on the default. A new default is a warning: clients that "
        "left the value out see one. It is an error where a rule, `maxProperties`, a union or a form of `oneOf`, "
        "`anyOf`, `allOf` or `not` around it may refuse an object that leaves the value out.",
        _pair(
            _robot(_field("arms", "*int32", "+k8s:optional", "+default=2")),
            _robot(_field("arms", "*int32", "+k8s:optional", "+default=4")),
        ),
        _E,
        _W,
    ),
    "VG713": _said(
        "The scope and the plural are part of every address of an object, and of its place in storage. Subresources "
        "and short names are what clients use.",
        _pair(
            _robot(_ARMS, marks="+kubebuilder:resource:scope=Cluster"),
            _robot(_ARMS, marks="+kubebuilder:resource:scope=Namespaced"),
        ),
        _E,
        _W,
    ),
    "VG714": _said(
        "Clients relied on the value, or cannot tell one that is absent from one that is zero.",
        _pair(
            _robot(_field("arms", "*int32", "+k8s:required")),
            _robot(_ARMS),
        ),
        _W,
        _I,
    ),
    "VG715": _said(
        "More is possible than before, and nobody has to know.",
        _pair(_robot(_ARMS), _robot(_ARMS + _TRACKS_ALONE), all=True),
        _I,
    ),
    "VG716": _said(
        "Types with errors are compared without their rules, and what the older state does not have counts as new. It "
        "is an error where the new state has errors, or the older one has files that cannot be read. It is told, too, "
        "what a revision has and nobody can use as a file: names that are no paths, links that lead out of it.",
        (
            _sample(_robot(_ARMS), _robot(_field("arms", "*int32", "+k8s:optional", "+k8s:minimum=few"))),
            _sample(_robot(_ARMS), _robot(_ARMS)),
        ),
        _W,
        _E,
    ),
    "VG721": _said(
        "Rule #2 of Kubernetes' deprecation policy has objects converted between versions without loss: clients of "
        "one version update what others have written in another. What one version does not have, its clients "
        "remove. Troubles that the older state has as well are not told again.",
        (
            _versions(
                _VERSIONS,
                v1=_robot(_ARMS + _TRACKS_ALONE),
                v1beta1=_robot(_ARMS),
                old_v1=_robot(_ARMS),
                old_v1beta1=_robot(_ARMS),
            ),
            _versions(
                _VERSIONS,
                v1=_robot(_ARMS + _TRACKS_ALONE),
                v1beta1=_robot(_ARMS + _TRACKS_ALONE),
                old_v1=_robot(_ARMS),
                old_v1beta1=_robot(_ARMS),
            ),
        ),
        _W,
    ),
    "VG722": _said(
        "Rule #3 of Kubernetes' deprecation policy: a version is deprecated only when another of at least the same "
        "stability replaces it. Nobody should have to leave what is stable for what may change.",
        (
            _versions(
                _VERSIONS,
                v1=_robot(_ARMS, marks=_OLD_NAME),
                v2alpha1=_robot(_ARMS),
                old_v1=_robot(_ARMS),
            ),
            _versions(
                _VERSIONS,
                v1=_robot(_ARMS, marks=_OLD_NAME),
                v2=_robot(_ARMS),
                old_v1=_robot(_ARMS),
            ),
        ),
    ),
    "VG723": _said(
        "Rule #4a of Kubernetes' deprecation policy: generally available versions stay, beta versions are served for 9 "
        "months or 3 releases after they were deprecated, alpha versions may go at once. The releases are what the "
        "markers for Kubernetes' generator of lifecycles say.",
        (
            _versions(_VERSIONS, v1beta1=_lived(32), old_v1beta1=_BARE),
            _versions(_VERSIONS, v1beta1=_lived(34), old_v1beta1=_BARE),
        ),
    ),
    "VG724": _said(
        "Rule #4b of Kubernetes' deprecation policy: objects are stored in a new version only after a release that can "
        "read it. Otherwise nobody can go back to the release before.",
        (
            _versions(_VERSIONS, v1=_BARE, v2=_robot(_ARMS, marks=_STORED), old_v1=_BARE),
            _versions(_VERSIONS, v1=_robot(_ARMS, marks=_STORED), v2=_BARE, old_v1=_BARE),
        ),
    ),
    "VG910": _said(
        "Without the older state there is nothing to compare with. Copies in continuous integration often have the "
        "newest commit alone.",
        (
            Sample(_BARE, command=_COMPARE),
            _sample(_BARE, _BARE),
        ),
    ),
}
