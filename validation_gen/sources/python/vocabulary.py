"""Types of Python's own library in an API."""

from __future__ import annotations

from validation_gen.sources.model import Builtin, Interface, List, Named, TypeExpr

_META = "k8s.io/apimachinery/pkg/apis/meta/v1"
INT_OR_STRING = Named("k8s.io/apimachinery/pkg/util/intstr", "IntOrString")

SCALARS: dict[str, TypeExpr] = {
    "builtins.str": Builtin("string"),
    "builtins.int": Builtin("int64"),
    "builtins.bool": Builtin("bool"),
    "builtins.float": Builtin("float64"),
    "builtins.bytes": List(Builtin("uint8")),
    "builtins.object": Interface(),
    "typing.Any": Interface(),
    "datetime.datetime": Named(_META, "Time"),
    "datetime.timedelta": Named(_META, "Duration"),
}
LISTS = {"builtins.list", "typing.List", "typing.Sequence", "typing.MutableSequence"}
MAPS = {"builtins.dict", "typing.Dict", "typing.Mapping", "typing.MutableMapping"}
WRAPPERS = {"typing.Final", "typing.Required", "typing.NotRequired", "typing.ReadOnly"}
WIDTHS = "Int Int8 Int16 Int32 Int64 Uint8 Uint16 Uint32 Uint64 Float32 Float64".split()
