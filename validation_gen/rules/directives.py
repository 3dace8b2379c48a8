"""Directives: tags that select packages, types and requests. They are no rules, and check nothing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Directive:
    """A directive. `usages` are all forms with their effects, `places` the comments in which it is read."""

    name: str
    places: str
    usages: tuple[tuple[str, str], ...]
    doc: str
    #: Its effect, if that is not in a sentence.
    effect: str = ""
    #: Its effect on a CustomResourceDefinition, if there is one.
    schema: str = ""


_PACKAGE = "the comments of doc.go"
_NO_EFFECT = "none on Python validators; it is accepted and skipped"
_PACKAGE_OR_TYPE = "the comments of doc.go, or those above a type"

#: All directives by name.
DIRECTIVES: dict[str, Directive] = {
    directive.name: directive
    for directive in (
        Directive(
            "k8s:isSubresource",
            _PACKAGE_OR_TYPE,
            (('="<path>"', "the request path of the subresource, such as /scale"),),
            "The type is the body of a subresource and is validated for requests to it.",
            schema="no definition, as the type is no resource of its own",
        ),
        Directive(
            "k8s:supportsSubresource",
            _PACKAGE_OR_TYPE,
            (('="<path>"', "the request path of a subresource, such as /status; the directive can be repeated"),),
            "The type is validated for requests to a subresource of it, too.",
            schema="`subresources.status` for `/status`; other paths show nowhere",
        ),
        Directive(
            "k8s:validation-gen",
            _PACKAGE_OR_TYPE,
            (
                ("=TypesWithField=<name>", "in doc.go: structs with this Go field are kinds; `=<name>` up to 1.36"),
                ("=TypesWithSuffix=<suffix>", "in doc.go: types whose names end so are kinds"),
                ("=*", "in doc.go: every exported type is a kind"),
                ("=true", "above a type: it is a kind"),
                ("=false", "in doc.go: nothing of the package takes part; above a type: it is not a kind"),
            ),
            "Chooses the types that requests can name; in doc.go it can be repeated.",
        ),
        Directive(
            "k8s:validation-gen-input",
            _PACKAGE,
            (("=<import path>", "the package with the types"),),
            "The types of another package are validated in the place of those of this one.",
        ),
        Directive(
            "k8s:validation-gen-nolint",
            _PACKAGE_OR_TYPE,
            (("", "lint rules do not look at the package or type"),),
            "Turns off lint.",
        ),
        Directive(
            "k8s:validation-gen-scheme-registry",
            _PACKAGE,
            (("=<type>", "a Go type, or nil"),),
            "Names the Go type with which generated Go code registers itself.",
            _NO_EFFECT,
        ),
        Directive(
            "k8s:validation-gen-test-fixture",
            _PACKAGE,
            (("=validateFalse", "the only fixture there is"),),
            "Adds a test of the package's `+k8s:validateFalse` tags to what is generated.",
            "`test_<module>.py` beside the module, for pytest: it fills a sample of each kind, validates it, and "
            "compares the arguments of the tags that fail, by field path, with "
            "`testdata/<module>/validate-false.json` beside it. Kubernetes has that file in the Go package, as "
            "`testdata/validate-false.json`. With `UPDATE_VALIDATION_GEN_FIXTURE_DATA=true` in the environment, the "
            "test writes it",
        ),
        Directive(
            "k8s:validation-gen-test-targets",
            _PACKAGE,
            (("", "the test lists each error that the tags declare"),),
            "Asks Kubernetes' generator for a Go test of the coverage by tests.",
            _NO_EFFECT,
        ),
    )
}
