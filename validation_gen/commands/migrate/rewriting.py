"""Finds the tag for a marker from static knowledge, or the reason why it stays; and collects the edits of a trial."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from validation_gen.commands.migrate.comment_sites import CommentSite
from validation_gen.diagnostics import Edit, Span
from validation_gen.rules.markers.base import MarkerError, Target
from validation_gen.rules.markers.catalogue import find
from validation_gen.rules.markers.parser import parse, parse_name
from validation_gen.rules.markers.schema import ITEMS, PREFIX
from validation_gen.sources.model import Builtin, List, Map, Pointer, Struct, TypeExpr
from validation_gen.sources.typesystem import TypeSystem
from validation_gen.tags.parser import RawTag


def classify(types: TypeSystem, type: TypeExpr) -> str:
    """Returns `text`, `integer`, `list` or `map`; `""` for other types, also for those with their own JSON form."""
    for part in _chain(types, type):
        declaration = types.declaration(part)
        if declaration is not None and (declaration.custom_json or types.wire(declaration) is not None):
            return ""
    value = types.value(type)
    match value:
        case List(elem=elem):
            return "" if types.value(elem) == Builtin("uint8") else "list"
        case Map():
            return "map"
        case Struct():
            return ""
    if types.is_string(type):
        return "text"
    return "integer" if types.is_integer(type) else ""


def _chain(types: TypeSystem, type: TypeExpr) -> Iterator[TypeExpr]:
    """Yields the type and its underlying definitions, without pointers."""
    for _ in range(50):
        while isinstance(type, Pointer):
            type = type.elem
        yield type
        declaration = types.declaration(type)
        if declaration is None:
            return
        type = declaration.type


IS_SCHEMA = "it describes the schema, and tags are about values"

REASONS = {
    "zero": "the schema refuses a zero value that is written, validators take it for unset (--zeros accepts that)",
    "value": "for validators a value of this type that is no pointer is always set",
    "Enum": "+k8s:enum is for a type of strings with constants",
    "Pattern": "no tag checks a pattern",
    "Format": "no tag has the same word: +k8s:format becomes a pattern",
    "MultipleOf": "no tag checks multiples",
    "UniqueItems": "the API server takes it for no definition; +listType=set says it",
    "ExclusiveMaximum": "no tag leaves the limit itself out",
    "ExclusiveMinimum": "no tag leaves the limit itself out",
    "XValidation": "no tag evaluates an expression; +k8s:customValidation calls a function in its place",
    "ExactlyOneOf": "the rule of +k8s:unionMember has other words in the definition",
    "AtMostOneOf": "the rule of +k8s:zeroOrOneOfMember has other words in the definition",
    "AtLeastOneOf": "no tag says the same",
}


MUST = (f"{PREFIX}Required", "required")
MAY = (f"{PREFIX}Optional", "optional")
LISTS = ("listType", "listMapKey")


@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """Markers that are rewritten together or not at all. `lines` are those of the new tags."""

    place: CommentSite
    raws: tuple[RawTag, ...]
    edits: tuple[Edit, ...]
    #: True if the tags constrain values, so that an object must exist that they refuse.
    judges: bool = True

    @property
    def removal(self) -> tuple[Edit, ...]:
        """Returns the edits that remove the markers."""
        return tuple(removed(raw) for raw in self.raws)

    @property
    def keywords(self) -> frozenset[str]:
        """Returns the schema keywords of the markers."""
        found = set()
        for raw in self.raws:
            if raw.text in (*MUST, *MAY):
                found |= {"required", "minLength", "minItems"}
            elif raw.name in LISTS:
                found |= {"x-kubernetes-list-type", "x-kubernetes-list-map-keys"}
            else:
                short = raw.name.rpartition(":")[2]
                found.add(f"{short[:1].lower()}{short[1:]}")
        return frozenset(found)

    @property
    def lines(self) -> frozenset[tuple[str, int]]:
        return frozenset((edit.span.file, edit.span.line) for edit in self.edits if edit.new)


@dataclass(frozen=True, slots=True)
class KeptMarker:
    """A marker that stays."""

    name: str
    span: Span
    reason: str


def name_without_argument(raw: RawTag) -> str:
    """Returns the name of a marker without its first argument."""
    name = raw.text.partition("=")[0].strip()
    return name.partition(":XValidation:")[0] + ":XValidation" if ":XValidation:" in name else name


def written(raw: RawTag, text: str) -> Edit:
    return Edit(raw.part(1, len(raw.text) + 1), raw.text, text)


def removed(raw: RawTag) -> Edit:
    return Edit(raw.span, f"+{raw.text}", "", line=True)


def _replace_all(raws: Sequence[RawTag], tag: str) -> list[Edit]:
    """Returns the edits that write a tag in place of several lines."""
    return [written(raws[0], tag), *map(removed, raws[1:])]


#: Keywords with an equivalent tag: the kind of values, and the least limit that zero breaks.
_KEYWORDS = {
    "MaxLength": "text",
    "MinLength": "text",
    "MaxItems": "list",
    "MinItems": "list",
    "MaxProperties": "map",
    "MinProperties": "map",
    "Maximum": "integer",
    "Minimum": "integer",
}
_NOUNS = {"text": "strings", "list": "lists", "map": "maps", "integer": "integers"}


@dataclass(slots=True)
class Rewriting:
    """Units to try, and markers that stay in any case.

    With `zeros`, an explicit zero value counts as unset, as for validators.
    """

    types: TypeSystem
    zeros: bool = False
    units: list[Unit] = field(default_factory=list)
    #: Markers that stay, each once, in their order.
    kept: dict[KeptMarker, None] = field(default_factory=dict)
    #: Ids of types whose own markers become tags.
    typed: set[str] = field(default_factory=set)

    def is_typed(self, place: CommentSite) -> bool:
        """Returns whether the type of a field has validation markers itself."""
        return self.types.value_id(place.type) in self.typed

    def add(self, found: Iterable[CommentSite]) -> None:
        """Adds the markers of some declarations."""
        known = [place for place in found if place.raws or place.apart]
        times = Counter(raw.span for place in known for raw in {*place.raws, *place.apart})
        shared = {span for span, number in times.items() if number > 1}
        read = [_SiteRewriter(self, place, shared) for place in known]
        for each in read:
            each.read_values()
        self.typed |= {unit.place.id for unit in self.units if not unit.place.is_field}
        for each in read:
            each.read_presence()

    def keep(self, raw: RawTag, reason: str) -> None:
        self.kept[KeptMarker(name_without_argument(raw), raw.span, reason)] = None


@dataclass(slots=True)
class _SiteRewriter:
    rewriting: Rewriting
    place: CommentSite
    shared: set[Span]
    #: Units whose tag the zero value breaks.
    broken: list[Unit] = field(default_factory=list)
    some: bool = False
    raws: list[RawTag] = field(default_factory=list)

    def read_values(self) -> None:
        """Reads markers about values. Those about presence wait until all of these are known."""
        place = self.place
        for raw in place.apart:
            if raw.name.startswith(PREFIX):
                self.rewriting.keep(raw, "tags are not found so far above: move it into the comment")
        raws = self.raws
        for raw in place.raws:
            if raw.span in self.shared and raw.name.startswith(PREFIX):
                self.rewriting.keep(raw, "it is about more than one declaration")
            elif raw.span not in self.shared:
                raws.append(raw)
        names = Counter(map(_bare, raws))
        before = len(self.rewriting.units)
        for raw in raws:
            if raw.name.startswith(PREFIX) and raw.name not in (*MUST, *MAY):
                reason = "it is repeated" if names[_bare(raw)] > 1 else self._value(raw)
                if reason:
                    self.rewriting.keep(raw, reason)
        self._lists(raws)
        self.some = len(self.rewriting.units) > before

    # --- values -----------------------------------------------------------------------------------------------------

    def _value(self, raw: RawTag) -> str:
        """Adds the unit for a marker of a value, or returns the reason why it stays."""
        target = Target.FIELD if self.place.is_field else Target.TYPE
        marker = find(parse_name(raw, lambda name: find(name, target) is not None), target)
        if marker is None:
            return "it is not known here"
        inner = marker.name.startswith(ITEMS)
        short = marker.name.removeprefix(ITEMS).removeprefix(PREFIX)
        try:
            use = parse(raw, marker)
        except MarkerError as error:
            return f"it is malformed: {error.message}"
        if short == "Enum" and not inner:
            return self._enum(raw, use.value)
        if short == "XValidation" and not inner and use.text("rule").split() == ["self", "==", "oldSelf"]:
            if use.arguments.keys() - {"rule", "message"}:
                return REASONS.get(short, IS_SCHEMA)
            self._add((raw,), (written(raw, "k8s:immutable"),))
            return ""
        if short not in _KEYWORDS:
            return REASONS.get(short, IS_SCHEMA)
        type = self._item if inner else self.place.type
        if type is None or classify(self.rewriting.types, type) != _KEYWORDS[short]:
            return f"the tag is for {_NOUNS[_KEYWORDS[short]]}, and this is none"
        if not isinstance(use.value, int) or isinstance(use.value, bool):
            return "the tag takes an integer"
        exclusive = f"{raw.name.rpartition(':')[0]}:Exclusive{short}"
        if any(other.name == exclusive for other in self.place.raws):
            return f"it is beside Exclusive{short}, for which there is no tag"
        tag = f"k8s:{short[:1].lower()}{short[1:]}={use.value}"
        if any(other.text.startswith(tag.partition("=")[0] + "=") for other in self.place.raws) and not inner:
            return "the tag is there already"
        breaks = _zero_breaks(short, use.value) and not inner
        if breaks and self._zero_is_unset and not self.place.required and not self.rewriting.zeros:
            return REASONS["zero"]
        unit = self._add((raw,), (written(raw, f"k8s:eachVal=+{tag}" if inner else tag),))
        if breaks:
            self.broken.append(unit)
        return ""

    def _enum(self, raw: RawTag, value: object) -> str:
        if self.place.is_field or classify(self.rewriting.types, self.place.type) != "text":
            return REASONS["Enum"]
        if not isinstance(value, list) or set(map(str, value)) != set(self.place.values):
            return "the constants of the type are not these values"
        if list(map(str, value)) != sorted(set(map(str, value))):
            return "the definition would have its values in another order"
        self._add((raw,), (written(raw, "k8s:enum"),))
        return ""

    # --- lists and presence -----------------------------------------------------------------------------------------

    def _lists(self, raws: list[RawTag]) -> None:
        those = [raw for raw in raws if raw.name in LISTS]
        kind = next((raw.text.partition("=")[2] for raw in those if raw.name == "listType"), "")
        tagged = any(raw.name.startswith(("k8s:listType", "k8s:unique", "k8s:customUnique")) for raw in raws)
        if kind in ("set", "map") and not tagged and classify(self.rewriting.types, self.place.type) == "list":
            self._add(tuple(those), tuple(written(raw, f"k8s:{raw.text}") for raw in those))

    def read_presence(self) -> None:
        """Reads the markers about presence of a field. Plain ones change only together with others."""
        if not self.place.is_field:
            return
        raws, some = self.raws, self.some or self.rewriting.is_typed(self.place)
        must = [raw for raw in raws if raw.text in MUST]
        may = [raw for raw in raws if raw.text in MAY]
        those = must + may
        reasons = any(raw.name.startswith(PREFIX) for raw in those)
        if not those or not (reasons or some):
            return
        if (must and may) or any(raw.name in ("k8s:required", "k8s:optional") for raw in raws):
            self._keep_all(those, "it contradicts or repeats another line")
        elif may and (self._is_pointer or self._zero_is_unset):
            self._add(tuple(may), tuple(_replace_all(may, "k8s:optional")), judges=False)
        elif may:
            self._keep_all(those, REASONS["value"])
        elif self._is_pointer or self.broken:
            self._say_required(those)
        elif self._zero_is_unset:
            self._keep_all(those, "+k8s:required also refuses a zero value that is written")
        else:
            self._keep_all(those, REASONS["value"])

    def _say_required(self, raws: list[RawTag]) -> None:
        """Writes `+k8s:required`, which also implies a minimum size of 1, so that this line is dropped."""
        edits = _replace_all(raws, "k8s:required")
        taken = list(raws)
        if not self._is_pointer:
            for unit in self.broken:
                self.rewriting.units.remove(unit)
                taken += unit.raws
                said = unit.raws[0].text.partition(":validation:")[2]
                edits += [removed(unit.raws[0])] if said in ("MinLength=1", "MinItems=1") else unit.edits
        self._add(tuple(taken), tuple(edits))

    def _keep_all(self, raws: Iterable[RawTag], reason: str) -> None:
        for raw in raws:
            if raw.name.startswith(PREFIX):
                self.rewriting.keep(raw, reason)

    def _add(self, raws: tuple[RawTag, ...], edits: tuple[Edit, ...], *, judges: bool = True) -> Unit:
        unit = Unit(self.place, raws, edits, judges)
        self.rewriting.units.append(unit)
        return unit

    # --- types ------------------------------------------------------------------------------------------------------

    @property
    def _is_pointer(self) -> bool:
        return isinstance(self.rewriting.types.resolve(self.place.type), Pointer)

    @property
    def _zero_is_unset(self) -> bool:
        """True if validators cannot distinguish a zero value from an absent value."""
        return (
            self.place.is_field and not self._is_pointer and classify(self.rewriting.types, self.place.type) in _NOUNS
        )

    @property
    def _item(self) -> TypeExpr | None:
        value = self.rewriting.types.value(self.place.type)
        return value.elem if isinstance(value, List) else None


def _zero_breaks(keyword: str, limit: int) -> bool:
    return limit > 0 if keyword.startswith("Min") else limit < 0


def _bare(raw: RawTag) -> str:
    """Returns the name for recognising duplicates; rules may be repeated."""
    return raw.text if "XValidation" in raw.name or "OneOf" in raw.name else raw.name
