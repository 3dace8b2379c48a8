"""Tags: as values for `Annotated[…]`, such as `Annotated[str, MaxLength(64)]`, and as text in comments.

This module is public, and `make docs` generates it. It has a class for each tag of the catalogue. Each takes the
arguments of its tag: the positional argument first, then the payload, then the named arguments. A tag without arguments
may also be given as its class. A value only writes the comment of its tag.

The other modules of the room parse comment lines. The input are lines with their positions. The output are `Tag`s of
`model`, with the span of every part, or findings. Only `rules` knows the meaning of a tag. Begin with `parser`.

- `values`: the common base of the classes in this module, which import nothing else.
- `parser`: parses comment lines by the grammar of gengo codetags (`grammar.lark`) into the records of `model`.
- `suggestions`: corrections for unknown names and malformed tags.
"""

from typing import overload

from validation_gen.tags.values import Form, TagValue

__all__ = [
    "VOCABULARY",
    "Alpha",
    "Beta",
    "CustomUnique",
    "CustomValidation",
    "DependentForbidden",
    "DependentRequired",
    "EachKey",
    "EachVal",
    "Enum",
    "EnumExclude",
    "Forbidden",
    "Format",
    "IfDisabled",
    "IfEnabled",
    "IfMode",
    "Immutable",
    "Item",
    "ListMapKey",
    "ListType",
    "MaxBytes",
    "MaxItems",
    "MaxLength",
    "MaxProperties",
    "Maximum",
    "MinItems",
    "MinLength",
    "MinProperties",
    "Minimum",
    "ModeDiscriminator",
    "Monotonic",
    "Neq",
    "OpaqueType",
    "Optional",
    "Required",
    "Subfield",
    "TagValue",
    "UnionDiscriminator",
    "UnionMember",
    "Unique",
    "Update",
    "ValidateError",
    "ValidateFalse",
    "ValidateTrue",
    "ValidateTrueAlpha",
    "ValidateTrueBeta",
    "ZeroOrOneOfMember",
]


class Alpha(TagValue):
    """The chained tag is on trial: its errors are compared, not enforced.

    In a comment `+k8s:alpha=+<tag>` or `+k8s:alpha(since: <string>)=+<tag>`.

    Args:
        tag: the rule with this level
        since: the Kubernetes release that brought the rule, as <major>.<minor>
    """

    form = Form("k8s:alpha", payload="tag", named={"since": "string"})

    def __init__(self, tag: TagValue | type[TagValue], /, *, since: str | None = None) -> None:
        super().__init__(tag, since=since)


class Beta(TagValue):
    """The chained tag is enforced while beta rules are.

    In a comment `+k8s:beta=+<tag>` or `+k8s:beta(since: <string>)=+<tag>`.

    Args:
        tag: the rule with this level
        since: the Kubernetes release that brought the rule, as <major>.<minor>
    """

    form = Form("k8s:beta", payload="tag", named={"since": "string"})

    def __init__(self, tag: TagValue | type[TagValue], /, *, since: str | None = None) -> None:
        super().__init__(tag, since=since)


class CustomUnique(TagValue):
    """Duplicates in the list are found by handwritten code.

    In a comment `+k8s:customUnique`.
    """

    form = Form("k8s:customUnique")

    def __init__(self) -> None:
        super().__init__()


class CustomValidation(TagValue):
    """A handwritten function checks the value too.

    In a comment `+k8s:customValidation`.
    """

    form = Form("k8s:customValidation")

    def __init__(self) -> None:
        super().__init__()


class DependentForbidden(TagValue):
    """When the field is set, the named sibling must not be set.

    In a comment `+k8s:dependentForbidden(<string>)`.

    Args:
        argument: the JSON name of the sibling
    """

    form = Form("k8s:dependentForbidden", argument="string")

    def __init__(self, argument: str, /) -> None:
        super().__init__(argument)


class DependentRequired(TagValue):
    """When the field is set, the named sibling must be set too.

    In a comment `+k8s:dependentRequired(<string>)`.

    Args:
        argument: the JSON name of the sibling
    """

    form = Form("k8s:dependentRequired", argument="string")

    def __init__(self, argument: str, /) -> None:
        super().__init__(argument)


class EachKey(TagValue):
    """Every key of a map must obey the chained tag.

    In a comment `+k8s:eachKey=+<tag>`.

    Args:
        tag: the rule for each key
    """

    form = Form("k8s:eachKey", payload="tag")

    def __init__(self, tag: TagValue | type[TagValue], /) -> None:
        super().__init__(tag)


class EachVal(TagValue):
    """Every item of a list or value of a map must obey the chained tag.

    In a comment `+k8s:eachVal=+<tag>`.

    Args:
        tag: the rule for each value
    """

    form = Form("k8s:eachVal", payload="tag")

    def __init__(self, tag: TagValue | type[TagValue], /) -> None:
        super().__init__(tag)


class Enum(TagValue):
    """A string type has its constants as the only legal values.

    In a comment `+k8s:enum`.
    """

    form = Form("k8s:enum")

    def __init__(self) -> None:
        super().__init__()


class EnumExclude(TagValue):
    """The constant is no value of its enum.

    In a comment `+k8s:enumExclude`.
    """

    form = Form("k8s:enumExclude")

    def __init__(self) -> None:
        super().__init__()


class Forbidden(TagValue):
    """The field must not be set.

    In a comment `+k8s:forbidden`.
    """

    form = Form("k8s:forbidden")

    def __init__(self) -> None:
        super().__init__()


class Format(TagValue):
    """A string must have the named format.

    In a comment `+k8s:format=<string>`.

    Args:
        value: the name of the format: k8s-extended-resource-name, k8s-ip, k8s-label-key, k8s-label-value,
            k8s-long-name, k8s-long-name-caseless, k8s-path-segment-name, k8s-prefixed-label-key,
            k8s-resource-fully-qualified-name, k8s-resource-pool-name, k8s-short-name, k8s-uuid
    """

    form = Form("k8s:format", payload="string")

    def __init__(self, value: str, /) -> None:
        super().__init__(value)


class IfDisabled(TagValue):
    """The chained tag counts while the option is off.

    In a comment `+k8s:ifDisabled(<string>)=+<tag>`.

    Args:
        argument: the name of the option
        tag: the rule that depends on the option
    """

    form = Form("k8s:ifDisabled", argument="string", payload="tag")

    def __init__(self, argument: str, tag: TagValue | type[TagValue], /) -> None:
        super().__init__(argument, tag)


class IfEnabled(TagValue):
    """The chained tag counts while the option is on.

    In a comment `+k8s:ifEnabled(<string>)=+<tag>`.

    Args:
        argument: the name of the option
        tag: the rule that depends on the option
    """

    form = Form("k8s:ifEnabled", argument="string", payload="tag")

    def __init__(self, argument: str, tag: TagValue | type[TagValue], /) -> None:
        super().__init__(argument, tag)


class IfMode(TagValue):
    """The chained tag counts in one mode of the discriminator.

    In a comment `+k8s:ifMode(<string>)=+<tag>` or `+k8s:ifMode(modality: <string>, mode: <string>)=+<tag>`.

    Args:
        argument: the mode
        tag: the rule for the mode
        modality: the name of the group
        mode: the mode, when the group is named too
    """

    form = Form("k8s:ifMode", argument="string", payload="tag", named={"modality": "string", "mode": "string"})

    @overload
    def __init__(self, argument: str, tag: TagValue | type[TagValue], /) -> None: ...

    @overload
    def __init__(self, tag: TagValue | type[TagValue], /, *, mode: str, modality: str | None = None) -> None: ...

    def __init__(self, *values: object, modality: str | None = None, mode: str | None = None) -> None:
        super().__init__(*values, modality=modality, mode=mode)


class Immutable(TagValue):
    """The value may not change once the object is created.

    In a comment `+k8s:immutable`.
    """

    form = Form("k8s:immutable")

    def __init__(self) -> None:
        super().__init__()


class Item(TagValue):
    """The item of a list-map with the given keys must obey the chained tag.

    In a comment `+k8s:item(<key>: <value>, …)=+<tag>`.

    Args:
        tag: the rule for the selected item
        keys: a key of the list by its JSON name, with its value in the item
    """

    form = Form("k8s:item", payload="tag", keys="raw")

    def __init__(self, tag: TagValue | type[TagValue], /, **keys: str | int | bool) -> None:
        super().__init__(tag, **keys)


class ListMapKey(TagValue):
    """Names a member that identifies the items of a list with `listType=map`.

    In a comment `+k8s:listMapKey=<string>`.

    Args:
        value: the JSON name of a member of the items
    """

    form = Form("k8s:listMapKey", payload="string")

    def __init__(self, value: str, /) -> None:
        super().__init__(value)


class ListType(TagValue):
    """Says whether a list is replaced as a whole, is a set, or is a map with keys inside its items.

    In a comment `+k8s:listType=<string>`.

    Args:
        value: atomic, set or map
    """

    form = Form("k8s:listType", payload="string")

    def __init__(self, value: str, /) -> None:
        super().__init__(value)


class MaxBytes(TagValue):
    """A string may have at most this many bytes in UTF-8.

    In a comment `+k8s:maxBytes=<int>`.

    Args:
        value: a number of bytes
    """

    form = Form("k8s:maxBytes", payload="int")

    def __init__(self, value: int, /) -> None:
        super().__init__(value)


class MaxItems(TagValue):
    """A list may have at most this many items.

    In a comment `+k8s:maxItems=<int>`.

    Args:
        value: a number of items
    """

    form = Form("k8s:maxItems", payload="int")

    def __init__(self, value: int, /) -> None:
        super().__init__(value)


class MaxLength(TagValue):
    """A string may have at most this many characters.

    In a comment `+k8s:maxLength=<int>`.

    Args:
        value: a number of characters
    """

    form = Form("k8s:maxLength", payload="int")

    def __init__(self, value: int, /) -> None:
        super().__init__(value)


class MaxProperties(TagValue):
    """A map may have at most this many keys.

    In a comment `+k8s:maxProperties=<int>`.

    Args:
        value: a number of keys
    """

    form = Form("k8s:maxProperties", payload="int")

    def __init__(self, value: int, /) -> None:
        super().__init__(value)


class Maximum(TagValue):
    """An integer must be at most this number.

    In a comment `+k8s:maximum=<int>`.

    Args:
        value: the largest number
    """

    form = Form("k8s:maximum", payload="int")

    def __init__(self, value: int, /) -> None:
        super().__init__(value)


class MinItems(TagValue):
    """A list must have at least this many items.

    In a comment `+k8s:minItems=<int>`.

    Args:
        value: a number of items
    """

    form = Form("k8s:minItems", payload="int")

    def __init__(self, value: int, /) -> None:
        super().__init__(value)


class MinLength(TagValue):
    """A string must have at least this many characters.

    In a comment `+k8s:minLength=<int>`.

    Args:
        value: a number of characters
    """

    form = Form("k8s:minLength", payload="int")

    def __init__(self, value: int, /) -> None:
        super().__init__(value)


class MinProperties(TagValue):
    """A map must have at least this many keys.

    In a comment `+k8s:minProperties=<int>`.

    Args:
        value: a number of keys
    """

    form = Form("k8s:minProperties", payload="int")

    def __init__(self, value: int, /) -> None:
        super().__init__(value)


class Minimum(TagValue):
    """An integer must be at least this number.

    In a comment `+k8s:minimum=<int>`.

    Args:
        value: the smallest number
    """

    form = Form("k8s:minimum", payload="int")

    def __init__(self, value: int, /) -> None:
        super().__init__(value)


class ModeDiscriminator(TagValue):
    """The field selects which rules of its siblings count.

    In a comment `+k8s:modeDiscriminator` or `+k8s:modeDiscriminator(modality: <string>)`.

    Args:
        modality: the name of the group, when a struct has several
    """

    form = Form("k8s:modeDiscriminator", named={"modality": "string"})

    def __init__(self, *, modality: str | None = None) -> None:
        super().__init__(modality=modality)


class Monotonic(TagValue):
    """An integer may not decrease.

    In a comment `+k8s:monotonic`.
    """

    form = Form("k8s:monotonic")

    def __init__(self) -> None:
        super().__init__()


class Neq(TagValue):
    """A string, integer or boolean must not have this value.

    In a comment `+k8s:neq=<value>`.

    Args:
        value: the disallowed value
    """

    form = Form("k8s:neq", payload="raw")

    def __init__(self, value: str | int | bool, /) -> None:
        super().__init__(value)


class OpaqueType(TagValue):
    """The validation that the type declares for itself is not run here.

    In a comment `+k8s:opaqueType`.
    """

    form = Form("k8s:opaqueType")

    def __init__(self) -> None:
        super().__init__()


class Optional(TagValue):
    """The field may be left unset; then nothing else of it is checked.

    In a comment `+k8s:optional`.
    """

    form = Form("k8s:optional")

    def __init__(self) -> None:
        super().__init__()


class Required(TagValue):
    """The field must be set.

    In a comment `+k8s:required`.
    """

    form = Form("k8s:required")

    def __init__(self) -> None:
        super().__init__()


class Subfield(TagValue):
    """A member of the struct must obey the chained tag.

    In a comment `+k8s:subfield(<string>)=+<tag>`.

    Args:
        argument: the JSON name of a direct member
        tag: the rule for the member
    """

    form = Form("k8s:subfield", argument="string", payload="tag")

    def __init__(self, argument: str, tag: TagValue | type[TagValue], /) -> None:
        super().__init__(argument, tag)


class UnionDiscriminator(TagValue):
    """The field says which member of the union is set.

    In a comment `+k8s:unionDiscriminator` or `+k8s:unionDiscriminator(union: <string>)`.

    Args:
        union: the name of the union, when a struct has several
    """

    form = Form("k8s:unionDiscriminator", named={"union": "string"})

    def __init__(self, *, union: str | None = None) -> None:
        super().__init__(union=union)


class UnionMember(TagValue):
    """The field is one of several of which exactly one must be set.

    In a comment `+k8s:unionMember` or `+k8s:unionMember=<string>` or
    `+k8s:unionMember(union: <string>, memberName: <string>)` or
    `+k8s:unionMember(union: <string>, memberName: <string>)=<string>`.

    Args:
        value: another way to write memberName
        union: the name of the union, when a struct has several
        member_name: the discriminator value of this member, by default the Go field name
    """

    form = Form(
        "k8s:unionMember",
        payload="string",
        payload_required=False,
        named={"union": "string", "member_name": "string"},
    )

    def __init__(
        self,
        value: str | None = None,
        /,
        *,
        union: str | None = None,
        member_name: str | None = None,
    ) -> None:
        super().__init__(value, union=union, member_name=member_name)


class Unique(TagValue):
    """The items of an atomic list are unique, as a whole (`set`) or by their keys (`map`).

    In a comment `+k8s:unique=<string>`.

    Args:
        value: set or map
    """

    form = Form("k8s:unique", payload="string")

    def __init__(self, value: str, /) -> None:
        super().__init__(value)


class Update(TagValue):
    """An update may not set, unset or modify the field, or add or remove items.

    In a comment `+k8s:update=<string>`.

    Args:
        value: one of NoSet, NoUnset, NoModify, NoAddItem, NoRemoveItem
    """

    form = Form("k8s:update", payload="string")

    def __init__(self, value: str, /) -> None:
        super().__init__(value)


class ValidateError(TagValue):
    """Always fails, at generation.

    In a comment `+k8s:validateError` or `+k8s:validateError=<string>`.

    Args:
        value: text for the message
    """

    form = Form("k8s:validateError", payload="string", payload_required=False)

    def __init__(self, value: str | None = None, /) -> None:
        super().__init__(value)


class ValidateFalse(TagValue):
    """Always fails.

    In a comment `+k8s:validateFalse` or `+k8s:validateFalse=<string>` or
    `+k8s:validateFalse(flags: <string>, typeArg: <string>, cohort: <string>)` or
    `+k8s:validateFalse(flags: <string>, typeArg: <string>, cohort: <string>)=<string>`.

    Args:
        value: text for the message
        flags: ShortCircuit, NonError or both, with a comma
        type_arg: a Go type; of no effect here
        cohort: the name of a cohort
    """

    form = Form(
        "k8s:validateFalse",
        payload="string",
        payload_required=False,
        named={"flags": "string", "type_arg": "string", "cohort": "string"},
    )

    def __init__(
        self,
        value: str | None = None,
        /,
        *,
        flags: str | None = None,
        type_arg: str | None = None,
        cohort: str | None = None,
    ) -> None:
        super().__init__(value, flags=flags, type_arg=type_arg, cohort=cohort)


class ValidateTrue(TagValue):
    """Never fails.

    In a comment `+k8s:validateTrue` or `+k8s:validateTrue=<string>` or
    `+k8s:validateTrue(flags: <string>, typeArg: <string>, cohort: <string>)` or
    `+k8s:validateTrue(flags: <string>, typeArg: <string>, cohort: <string>)=<string>`.

    Args:
        value: text for the message
        flags: ShortCircuit, NonError or both, with a comma
        type_arg: a Go type; of no effect here
        cohort: the name of a cohort
    """

    form = Form(
        "k8s:validateTrue",
        payload="string",
        payload_required=False,
        named={"flags": "string", "type_arg": "string", "cohort": "string"},
    )

    def __init__(
        self,
        value: str | None = None,
        /,
        *,
        flags: str | None = None,
        type_arg: str | None = None,
        cohort: str | None = None,
    ) -> None:
        super().__init__(value, flags=flags, type_arg=type_arg, cohort=cohort)


class ValidateTrueAlpha(TagValue):
    """Never fails; the tag itself is alpha.

    In a comment `+k8s:validateTrueAlpha` or `+k8s:validateTrueAlpha=<string>` or
    `+k8s:validateTrueAlpha(flags: <string>, typeArg: <string>, cohort: <string>)` or
    `+k8s:validateTrueAlpha(flags: <string>, typeArg: <string>, cohort: <string>)=<string>`.

    Args:
        value: text for the message
        flags: ShortCircuit, NonError or both, with a comma
        type_arg: a Go type; of no effect here
        cohort: the name of a cohort
    """

    form = Form(
        "k8s:validateTrueAlpha",
        payload="string",
        payload_required=False,
        named={"flags": "string", "type_arg": "string", "cohort": "string"},
    )

    def __init__(
        self,
        value: str | None = None,
        /,
        *,
        flags: str | None = None,
        type_arg: str | None = None,
        cohort: str | None = None,
    ) -> None:
        super().__init__(value, flags=flags, type_arg=type_arg, cohort=cohort)


class ValidateTrueBeta(TagValue):
    """Never fails; the tag itself is beta.

    In a comment `+k8s:validateTrueBeta` or `+k8s:validateTrueBeta=<string>` or
    `+k8s:validateTrueBeta(flags: <string>, typeArg: <string>, cohort: <string>)` or
    `+k8s:validateTrueBeta(flags: <string>, typeArg: <string>, cohort: <string>)=<string>`.

    Args:
        value: text for the message
        flags: ShortCircuit, NonError or both, with a comma
        type_arg: a Go type; of no effect here
        cohort: the name of a cohort
    """

    form = Form(
        "k8s:validateTrueBeta",
        payload="string",
        payload_required=False,
        named={"flags": "string", "type_arg": "string", "cohort": "string"},
    )

    def __init__(
        self,
        value: str | None = None,
        /,
        *,
        flags: str | None = None,
        type_arg: str | None = None,
        cohort: str | None = None,
    ) -> None:
        super().__init__(value, flags=flags, type_arg=type_arg, cohort=cohort)


class ZeroOrOneOfMember(TagValue):
    """The field or item is one of several of which at most one may be set.

    In a comment `+k8s:zeroOrOneOfMember` or `+k8s:zeroOrOneOfMember(union: <string>, memberName: <string>)`.

    Args:
        union: the name of the union, when a struct has several
        member_name: the discriminator value of this member, by default the Go field name
    """

    form = Form("k8s:zeroOrOneOfMember", named={"union": "string", "member_name": "string"})

    def __init__(self, *, union: str | None = None, member_name: str | None = None) -> None:
        super().__init__(union=union, member_name=member_name)


#: The classes by their names.
VOCABULARY: dict[str, type[TagValue]] = {
    "Alpha": Alpha,
    "Beta": Beta,
    "CustomUnique": CustomUnique,
    "CustomValidation": CustomValidation,
    "DependentForbidden": DependentForbidden,
    "DependentRequired": DependentRequired,
    "EachKey": EachKey,
    "EachVal": EachVal,
    "Enum": Enum,
    "EnumExclude": EnumExclude,
    "Forbidden": Forbidden,
    "Format": Format,
    "IfDisabled": IfDisabled,
    "IfEnabled": IfEnabled,
    "IfMode": IfMode,
    "Immutable": Immutable,
    "Item": Item,
    "ListMapKey": ListMapKey,
    "ListType": ListType,
    "MaxBytes": MaxBytes,
    "MaxItems": MaxItems,
    "MaxLength": MaxLength,
    "MaxProperties": MaxProperties,
    "Maximum": Maximum,
    "MinItems": MinItems,
    "MinLength": MinLength,
    "MinProperties": MinProperties,
    "Minimum": Minimum,
    "ModeDiscriminator": ModeDiscriminator,
    "Monotonic": Monotonic,
    "Neq": Neq,
    "OpaqueType": OpaqueType,
    "Optional": Optional,
    "Required": Required,
    "Subfield": Subfield,
    "UnionDiscriminator": UnionDiscriminator,
    "UnionMember": UnionMember,
    "Unique": Unique,
    "Update": Update,
    "ValidateError": ValidateError,
    "ValidateFalse": ValidateFalse,
    "ValidateTrue": ValidateTrue,
    "ValidateTrueAlpha": ValidateTrueAlpha,
    "ValidateTrueBeta": ValidateTrueBeta,
    "ZeroOrOneOfMember": ZeroOrOneOfMember,
}
