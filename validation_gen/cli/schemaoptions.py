"""Options of the commands that write schemas."""

from __future__ import annotations

from typing import Annotated

import typer

from validation_gen.cli.options import assignments
from validation_gen.emit.schema.manner import Manner, SchemaOptions
from validation_gen.runtime.levels import Level

Schema = Annotated[
    Manner,
    typer.Option(
        "--schema",
        help="idiomatic: like a handwritten schema. exact: with CEL until the verdict is that of the validators.",
    ),
]
Options = Annotated[
    list[str],
    typer.Option(
        "--option",
        metavar="NAME=true",
        help="The state of an option of +k8s:ifEnabled and +k8s:ifDisabled; others are off. Repeatable.",
    ),
]
MaxDescription = Annotated[
    int | None,
    typer.Option(
        "--max-description",
        min=0,
        metavar="N",
        help="Cut descriptions to N characters, for manifests that are too large; 0 leaves them out.",
    ),
]


def schema_options(schema: Manner, option: list[str], level: Level, max_description: int | None) -> SchemaOptions:
    """Returns the settings of a generation of schemas.

    Raises:
        typer.BadParameter: an option is not NAME=true or NAME=false.
    """
    return SchemaOptions(schema, assignments(option, "--option"), level, max_description)
