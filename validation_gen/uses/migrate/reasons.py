"""Reasons why markers stay, by their names without the prefix."""

from __future__ import annotations

IS_SCHEMA = "it says something of the schema, and tags are about values"

REASONS = {
    "zero": "the schema refuses a zero value that is written, validators take it for unset (--zeros accepts that)",
    "value": "for validators a value of this type that is no pointer is always set",
    "Enum": "+k8s:enum is for a type of strings with constants",
    "Pattern": "no tag judges a pattern",
    "Format": "no tag has the same word: +k8s:format becomes a pattern",
    "MultipleOf": "no tag judges multiples",
    "UniqueItems": "the API server takes it for no definition; +listType=set says it",
    "ExclusiveMaximum": "no tag leaves the limit itself out",
    "ExclusiveMinimum": "no tag leaves the limit itself out",
    "XValidation": "no tag judges an expression; +k8s:customValidation calls a function in its place",
    "ExactlyOneOf": "the rule of +k8s:unionMember has other words in the definition",
    "AtMostOneOf": "the rule of +k8s:zeroOrOneOfMember has other words in the definition",
    "AtLeastOneOf": "no tag says the same",
}
