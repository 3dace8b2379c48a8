"""Outputs of a program: one record for each emitter, which command line, configuration and runs use.

To add one, write a record with the function that makes its files.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from validation_gen.emit.policies import PolicyOptions
from validation_gen.emit.schema import SchemaOptions
from validation_gen.emit.webhooks import WebhookSettings

if TYPE_CHECKING:
    from validation_gen.compiler.settings import Settings
    from validation_gen.diagnostics import Diagnostics
    from validation_gen.emit.schema.helmvalues import ValuesRequest
    from validation_gen.ir import Program

#: All emitters, by name.
EMITTERS: dict[str, Emitter] = {}
#: Emitters whose files the run itself makes: the validators, and files in their package.
_MADE_BY_RUNS = ("python", "harness")
#: Default prefix of the series of a dashboard: that of `mismatch.series`, whose import would take time in each run.
SERIES_PREFIX = "apiserver_validation_"


@dataclass(frozen=True, slots=True)
class MakerOptions:
    """Inputs of emitters, beside the program.

    Attributes:
        schemas: the options of schemas.
        v2: True to write OpenAPI documents of version 2, too.
        policies: the options of admission policies.
        webhooks: the settings of a webhook.
        settings: the inputs of the run.
        judged: the program of the validators, if it is another one.
        prefix: the prefix of the series in a dashboard.
        values: requests for the schema of a Helm chart's values, instead of schemas of kinds.
    """

    schemas: SchemaOptions = field(default_factory=SchemaOptions)
    v2: bool = False
    policies: PolicyOptions = field(default_factory=PolicyOptions)
    webhooks: WebhookSettings = field(default_factory=WebhookSettings)
    settings: Settings | None = None
    judged: Program | None = None
    prefix: str = SERIES_PREFIX
    values: Sequence[ValuesRequest] = ()


#: Makes text by path below a directory. What it leaves out or finds wrong is a finding.
Maker = Callable[["Program", MakerOptions, "Diagnostics"], dict[str, str]]


@dataclass(frozen=True, slots=True, eq=False)
class Emitter:
    """One output of a program. Each is made once, and compared by identity.

    Attributes:
        name: as `--emit` and the configuration have it.
        directory: default directory of its files; `""` for a part of the package of validators, `"."` for the
            working directory.
        help: one sentence about it for `--emit`; `""` if the command of its name writes it.
        noun: name of one of its files, `""` for the default.
        make: makes its files of a program with every kind; `None` if a run makes them with the validators.

    Raises:
        ValueError: it has no function or no directory for its files, or its name is already used.
    """

    name: str
    directory: str
    help: str = ""
    noun: str = ""
    make: Maker | None = None

    def __post_init__(self) -> None:
        if reason := self._fault():
            raise ValueError(f"emitter {self.name!r} {reason}")
        EMITTERS[self.name] = self

    def _fault(self) -> str:
        """Returns the reason why an emitter is invalid, `""` if it is not. In a run it would fail silently."""
        if self.name in EMITTERS:
            return "is there already"
        if self.make is None and self.name not in _MADE_BY_RUNS:
            return "has no function that makes its files, so nothing would be written"
        if self.make is not None and not self.directory:
            return "names no directory, so its files would go into the working directory"
        return ""

    def __repr__(self) -> str:
        return f"emitters.{self.name.upper()}"


def _definitions(program: Program, options: MakerOptions, diagnostics: Diagnostics) -> dict[str, str]:
    from validation_gen.compiler import definitions  # noqa: PLC0415 - it brings YAML and the checker of definitions

    return definitions.build_definitions(program, options.schemas, diagnostics)


def _openapi(program: Program, options: MakerOptions, diagnostics: Diagnostics) -> dict[str, str]:
    from validation_gen.compiler import definitions  # noqa: PLC0415

    return definitions.build_openapi(program, options.schemas, diagnostics, v2=options.v2)


def _json_schemas(program: Program, options: MakerOptions, diagnostics: Diagnostics) -> dict[str, str]:
    from validation_gen.compiler import definitions  # noqa: PLC0415

    return definitions.build_json_schemas(program, options.schemas, diagnostics, options.values)


def _webhooks(program: Program, options: MakerOptions, diagnostics: Diagnostics) -> dict[str, str]:
    from validation_gen.compiler import clusterfiles  # noqa: PLC0415

    judged = options.judged or program
    return clusterfiles.build_webhooks(program, judged, options.webhooks, options.settings, diagnostics)


def _policies(program: Program, options: MakerOptions, diagnostics: Diagnostics) -> dict[str, str]:
    from validation_gen.compiler import clusterfiles  # noqa: PLC0415 - it brings YAML and CEL

    return clusterfiles.build_policies(program, options.schemas, options.policies, diagnostics)


def _monitoring(program: Program, options: MakerOptions, diagnostics: Diagnostics) -> dict[str, str]:  # noqa: ARG001 - a `Maker`
    from validation_gen.emit.monitoring import build_monitoring  # noqa: PLC0415 - it brings templates

    return build_monitoring(options.prefix)


PYTHON = Emitter("python", "generated")
CRD = Emitter("crd", "crds", noun="definition", make=_definitions)
OPENAPI = Emitter("openapi", ".", noun="document", make=_openapi)
JSONSCHEMA = Emitter("jsonschema", ".", noun="schema", make=_json_schemas)
WEBHOOKS = Emitter(
    "webhooks",
    "webhooks",
    help="manifests of an admission webhook with the validators, a kustomize base and a Dockerfile",
    noun="manifest",
    make=_webhooks,
)
POLICIES = Emitter(
    "policies",
    "policies",
    help="admission policies with their bindings, with the same rules in CEL, into DIR",
    noun="manifest",
    make=_policies,
)
MONITORING = Emitter(
    "monitoring",
    "monitoring",
    help="a Grafana dashboard and Prometheus alert rules for the metrics of the mismatch harness, into DIR",
    make=_monitoring,
)
HARNESS = Emitter(
    "harness",
    "",
    help="modules that wire the validators to the handwritten functions that pyproject.toml names, "
    "with tests that both agree",
)


def list_other_outputs() -> list[Emitter]:
    """Returns the outputs beside the validators, which are always written."""
    return [emitter for emitter in EMITTERS.values() if emitter is not PYTHON]
