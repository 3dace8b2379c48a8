"""Findings about a user's input, as values.

The input from every stage are findings: a `Diagnostic` with a stable code, a severity, a message, a `Span`, and, where
one exists, a suggestion or a `Fix`. The output is a sorted list, and text in the chosen format.

Nothing here prints, decides what is a finding, or ends a program. Codes are never reused.

Begin in this module: `Diagnostic`, `Span` and `Fix` are the records, `Diagnostics` collects them, `CODES` has all codes
with their titles.

- `formats`: writes findings in each format.
- `levels`: applies the levels of a project or a call, and skips findings of lint in some files.
- `visible`: escapes invisible characters; removes secrets.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import total_ordering

from validation_gen.diagnostics.visible import redact


@total_ordering
class Severity(enum.Enum):
    """Severity of a diagnostic. `ERROR` makes a run end with exit code 1; others do not, `INFO` is good news."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Severity):
            return NotImplemented
        order = list(Severity)
        return order.index(self) < order.index(other)


#: Note of findings about types on which nothing depends.
UNREACHED = "no kind, rule or schema reaches this type"
#: Prefix of files with types that ship with this program: they are not on the user's disk.
BUNDLED = "wellknown/"


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of one line of a source file.

    `line` and `column` count from 1, columns in characters (not bytes); `end_column` is exclusive. A span of a whole
    file or directory has line 0.
    """

    file: str
    line: int = 0
    column: int = 0
    end_column: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file

    def sub(self, start: int, end: int) -> Span:
        """Returns the part of this span from character offset `start` to `end` (exclusive)."""
        return Span(self.file, self.line, self.column + start, self.column + end)


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """A change of a part of one line: `new` replaces `old` at `span`.

    With `line` it removes a whole comment, with its marker, and the line if nothing else is on it.
    """

    span: Span
    old: str
    new: str
    line: bool = False


@dataclass(frozen=True, slots=True, order=True)
class Fix:
    """An automatic fix of a finding, which is the only possible one.

    `title` describes the change in a few words. `barrier` is the reason why it must not be made in this place.
    """

    title: str
    edits: tuple[Edit, ...]
    barrier: str = ""


#: Every code with the short title that `explain`, the documentation and machine formats use.
CODES: dict[str, str] = {
    "VG101": "the source file has a syntax error",
    "VG102": "a tag is malformed",
    "VG103": "a tag has an unknown name",
    "VG104": "a directive is wrong",
    "VG105": "the target release has no such tag, or has it under another name",
    "VG106": "a Python annotation cannot be an API's",
    "VG107": "a declaration cannot be converted",
    "VG201": "a tag is in a place where it cannot be used",
    "VG202": "a tag has a wrong argument",
    "VG203": "a tag has a wrong payload",
    "VG204": "a tag does not fit the type that it is written on",
    "VG205": "tags contradict or lack each other",
    "VG206": "a handwritten function is missing",
    "VG207": "a file of extensions declares a wrong format",
    "VG208": "a test of a format of the project fails",
    "VG301": "a type cannot be found",
    "VG302": "a type has a shape that cannot be validated",
    "VG303": "a type belongs to a package that is not included",
    "VG304": "a constant cannot be evaluated",
    "VG305": "types are nested too deeply",
    "VG401": "a level is not at the beginning of its rule",
    "VG402": "a tag is less stable than the rule that it makes",
    "VG403": "a field with validation does not say whether it may be unset",
    "VG404": "a minimum is above its maximum",
    "VG405": "a minimum size is above its maximum",
    "VG406": "an enum has no values",
    "VG407": "a tag for lists has no effect alone",
    "VG408": "a rule about updates is on items that have no old value",
    "VG410": "update constraints of one field have different conditions or levels",
    "VG411": "a boolean is required, so it must be true",
    "VG412": "presence tags contradict each other",
    "VG413": "a null is not guarded against in all requests",
    "VG414": "a union has too few members",
    "VG415": "a limit has no effect",
    "VG416": "a format refuses absent strings in some requests",
    "VG417": "a tag is repeated",
    "VG418": "a rule for one item ends the validation of the whole field",
    "VG419": "a union has several discriminators",
    "VG420": "a limit never counts beside a stricter one",
    "VG421": "a keyword is for schemas alone",
    "VG422": "the key json of a struct tag is misspelt",
    "VG423": "a field has no JSON name",
    "VG424": "two fields have one JSON name",
    "VG425": "a list has no topology for server-side apply",
    "VG498": "a finding is ignored without a reason",
    "VG499": "a line that ignores findings has no effect",
    "VG501": "a schema is not structural",
    "VG502": "a keyword of a schema is forbidden, unknown or malformed",
    "VG503": "a name in a CustomResourceDefinition is wrong",
    "VG504": "the versions of a CustomResourceDefinition do not fit together",
    "VG505": "the merge keywords of a schema do not fit its types",
    "VG506": "a default is invalid or would be dropped",
    "VG507": "a path to a field leads nowhere",
    "VG508": "a validation rule is malformed",
    "VG509": "a CustomResourceDefinition is too large",
    "VG510": "a schema describes metadata that it may not describe",
    "VG511": "a CustomResourceDefinition cannot be decoded",
    "VG512": "a conversion between versions is set up wrongly",
    "VG513": "two definitions define one kind",
    "VG520": "a marker is malformed",
    "VG521": "a marker has an unknown name",
    "VG522": "a marker is in a place where it has no effect",
    "VG523": "a marker has a wrong argument",
    "VG524": "a marker has a wrong value",
    "VG525": "a marker does not fit the type that it is written on",
    "VG526": "markers contradict or repeat each other",
    "VG540": "a rule has no schema",
    "VG541": "a rule is too costly for the API server",
    "VG542": "a rule in CEL would be refused",
    "VG543": "a kind cannot be a custom resource",
    "VG544": "a default is not valid",
    "VG545": "a schema in a manifest cannot be replaced",
    "VG546": "a manifest has a version that the sources do not have",
    "VG547": "no manifest has a kind or version of the sources",
    "VG548": "no rule depends on a named option",
    "VG549": "kinds or versions contradict each other",
    "VG550": "the API server would refuse a CustomResourceDefinition",
    "VG551": "no marker makes a kind a custom resource",
    "VG552": "a marker stays when markers become tags",
    "VG560": "a configuration of webhooks is malformed",
    "VG561": "a condition of a webhook is malformed",
    "VG562": "a webhook lacks a resource or a type",
    "VG570": "an admission policy cannot express a rule",
    "VG571": "a rule is too costly for an admission policy",
    "VG572": "the API server would refuse an admission policy",
    "VG573": "an admission policy is malformed",
    "VG601": "an expected difference is malformed",
    "VG602": "an expected difference has expired",
    "VG603": "an expected difference does not occur",
    "VG604": "requests do not name their validation options",
    "VG605": "a type with a handwritten validator does not exist",
    "VG606": "a line of the history of comparisons is unusable",
    "VG607": "handwritten and declarative validation differ",
    "VG640": "a conversion loses a field",
    "VG641": "a conversion makes an object that is not valid",
    "VG642": "an object cannot be converted",
    "VG643": "an object comes back from a conversion changed",
    "VG701": "a kind or a version of an API is removed",
    "VG702": "a field is gone",
    "VG703": "a field must be set that was optional or not there",
    "VG704": "a value has another type",
    "VG705": "a rule is new or stricter",
    "VG706": "a rule is gone or weaker",
    "VG707": "an enum has lost a value",
    "VG708": "an enum has a new value",
    "VG709": "a list or map is merged in another way",
    "VG710": "a union has other members",
    "VG711": "updates are restricted further",
    "VG712": "a default has changed",
    "VG713": "a resource has another scope or name",
    "VG714": "a value may be absent, or not distinct from its zero value",
    "VG715": "a kind, a version or a field is new",
    "VG716": "a part of a state cannot be compared",
    "VG721": "a version cannot keep what another version has",
    "VG722": "a version is replaced by a less stable one",
    "VG723": "a version is removed too early",
    "VG724": "objects are stored in a version that is new",
    "VG801": "a generated file is missing",
    "VG802": "a generated file is stale",
    "VG803": "a generated file is extra",
    "VG804": "an object is not valid",
    "VG805": "no test triggers a declared error",
    "VG806": "an allowance for untested errors is not needed",
    "VG807": "an object has no rules",
    "VG808": "a server accepts an object with a warning",
    "VG810": "a case of a rule's tests fails",
    "VG811": "no case sees a rule hold, or fail",
    "VG812": "the target does not serve an API version",
    "VG901": "a file cannot be read",
    "VG902": "there is nothing to read",
    "VG903": "the output cannot be written",
    "VG904": "a command line argument is wrong",
    "VG905": "a manifest is malformed",
    "VG906": "the settings of the project are malformed",
    "VG910": "the state to compare with cannot be read",
    "VG911": "code that only the project names was not run",
    "VG912": "a file with tests of rules is malformed",
}


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding.

    `message` is one sentence with the problem and its reason, without a final full stop. `help`, when not empty, is the
    next step. `notes` are further sentences, each with a span of its own or `None`. `fix`, if there is one, makes the
    change. Findings are the same whether or not they have one. Secrets of URLs are removed from all texts.
    """

    code: str
    severity: Severity
    message: str
    span: Span
    help: str = ""
    notes: tuple[tuple[str, Span | None], ...] = ()
    fix: Fix | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if self.code not in CODES:
            raise ValueError(f"unregistered diagnostic code {self.code}")
        for name, text in (("message", self.message), ("help", self.help)):
            if (shown := redact(text)) is not text:
                object.__setattr__(self, name, shown)
        if (file := redact(self.span.file)) is not self.span.file:
            object.__setattr__(self, "span", replace(self.span, file=file))
        if self.notes and any(redact(text) is not text for text, _ in self.notes):
            object.__setattr__(self, "notes", tuple((redact(text), place) for text, place in self.notes))

    @property
    def sort_key(self) -> tuple[Span, str, str]:
        return (self.span, self.code, self.message)


@dataclass(slots=True)
class Diagnostics:
    """Collector of findings: stages append, the pipeline sorts and passes them on. Equal findings are kept once.

    While `owner` is set, findings concern that type, and `blamed` records it for errors; other errors are their
    package's.
    """

    items: list[Diagnostic] = field(default_factory=list)
    owner: str = ""
    blamed: set[str] = field(default_factory=set)
    unowned: list[Diagnostic] = field(default_factory=list)
    _seen: set[Diagnostic] = field(default_factory=set)
    _faults: list[tuple[str, Diagnostic]] = field(default_factory=list)

    def add(self, diagnostic: Diagnostic) -> None:
        if self.owner:
            self._faults.append((self.owner, diagnostic))
        if diagnostic.severity is Severity.ERROR:
            if self.owner:
                self.blamed.add(self.owner)
            else:
                self.unowned.append(diagnostic)
        if diagnostic not in self._seen:
            self._seen.add(diagnostic)
            self.items.append(diagnostic)

    def extend(self, found: Iterable[Diagnostic]) -> None:
        for diagnostic in found:
            self.add(diagnostic)

    def error(self, code: str, message: str, span: Span, help: str = "") -> None:
        self.add(Diagnostic(code, Severity.ERROR, message, span, help))

    def warning(self, code: str, message: str, span: Span, help: str = "") -> None:
        self.add(Diagnostic(code, Severity.WARNING, message, span, help))

    def sorted(self) -> list[Diagnostic]:
        return sorted(self.items, key=lambda d: d.sort_key)

    @contextmanager
    def owned_by(self, type: str) -> Iterator[None]:
        """Attributes the errors found in the block to a type."""
        outer, self.owner = self.owner, type
        try:
            yield
        finally:
            self.owner = outer

    def find_error(self, type: str) -> Diagnostic | None:
        """Returns the first error attributed to a type."""
        return next((fault for owner, fault in self._faults if owner == type), None)

    def withdraw(self, diagnostic: Diagnostic) -> None:
        """Removes a finding, and its attributions."""
        self.items.remove(diagnostic)
        owners = {owner for owner, fault in self._faults if fault == diagnostic}
        self._faults = [each for each in self._faults if each[1] != diagnostic]
        self.blamed -= owners - {owner for owner, fault in self._faults if fault.severity is Severity.ERROR}
        self.unowned = [each for each in self.unowned if each != diagnostic]

    def count_faults(self) -> int:
        """Returns the number of findings with an owner so far, for `soften`."""
        return len(self._faults)

    def soften(self, known: int, is_harmful: Callable[[str], bool]) -> None:
        """Lowers findings of harmless owners to information. The first `known` ones stay as they are."""
        fresh = {fault for owner, fault in self._faults[known:] if not is_harmful(owner)}
        fresh -= {fault for owner, fault in self._faults[known:] if is_harmful(owner)}
        fresh -= {fault for _, fault in self._faults[:known]} | set(self.unowned)
        for fault in [item for item in self.items if item in fresh]:
            self.withdraw(fault)
            self.add(replace(fault, severity=Severity.INFO, notes=(*fault.notes, (UNREACHED, None))))

    def amend(self, mended: Callable[[Diagnostic], Diagnostic]) -> None:
        """Replaces all findings by the same ones with fixes."""
        self.items[:] = [mended(item) for item in self.items]

    @property
    def fixable(self) -> int:
        """Number of findings with a fix that may be made."""
        return sum(item.fix is not None and not item.fix.barrier for item in self.items)

    @property
    def has_errors(self) -> bool:
        return any(d.severity is Severity.ERROR for d in self.items)
