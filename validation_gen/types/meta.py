"""Types that nearly every Kubernetes API refers to, under their names in Go.

They are ordinary dataclasses: a field has a default where Go leaves it out of JSON while it is empty, and is required
otherwise. Types that are a single value in JSON (`Time`, `Quantity` …) are aliases of the Python types of that value.

Readers of sources do not read these classes; `GO_TYPES` maps each of them to its type of Kubernetes.
"""

import datetime
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeAlias

from validation_gen.types import Int32, Json

# --- single values ---------------------------------------------------------------------------------------------------

#: A point in time, `2024-05-01T12:00:00Z` in JSON.
Time: TypeAlias = str | datetime.datetime
#: The same to the microsecond, `2024-05-01T12:00:00.000000Z` in JSON.
MicroTime: TypeAlias = str | datetime.datetime
#: A span of time, `1h5m` in JSON.
Duration: TypeAlias = str | datetime.timedelta
#: An amount with an optional unit: `500m`, `2Gi`, `1.5`.
Quantity: TypeAlias = str | int | float
#: A number, or a string such as `50%` or the name of a port.
IntOrString: TypeAlias = int | str
#: Any JSON object, usually one with a kind of its own.
RawExtension: TypeAlias = dict[str, Any]
#: Any JSON value.
JSON: TypeAlias = Any
#: Any JSON value, as in Go's own library.
RawMessage: TypeAlias = Any
#: The set of fields that a manager owns.
FieldsV1: TypeAlias = dict[str, Any]

UID: TypeAlias = str
NodeName: TypeAlias = str
PatchType: TypeAlias = str
ConditionStatus: TypeAlias = str
LabelSelectorOperator: TypeAlias = str
FieldSelectorOperator: TypeAlias = str
ManagedFieldsOperationType: TypeAlias = str
ResourceVersionMatch: TypeAlias = str
DeletionPropagation: TypeAlias = str
StatusReason: TypeAlias = str
CauseType: TypeAlias = str
RowConditionType: TypeAlias = str
IncludeObjectPolicy: TypeAlias = str
Verbs: TypeAlias = list[str]

# --- objects and their metadata --------------------------------------------------------------------------------------


@dataclass(kw_only=True)
class TypeMeta:
    """Kind and version of an object: the base of every kind."""

    kind: str = ""
    api_version: str = ""


@dataclass(kw_only=True)
class ShardInfo:
    selector: str


@dataclass(kw_only=True)
class ListMeta:
    """The `metadata` of a list of objects."""

    self_link: str = ""
    resource_version: str = ""
    continue_: str = ""
    remaining_item_count: int | None = None
    shard_info: ShardInfo | None = None


@dataclass(kw_only=True)
class OwnerReference:
    api_version: str
    kind: str
    name: str
    uid: UID
    controller: bool | None = None
    block_owner_deletion: bool | None = None


@dataclass(kw_only=True)
class ManagedFieldsEntry:
    manager: str = ""
    operation: ManagedFieldsOperationType = ""
    api_version: str = ""
    time: Time | None = None
    fields_type: str = ""
    fields_v_1: FieldsV1 | None = None
    subresource: str = ""


@dataclass(kw_only=True)
class ObjectMeta:
    """The `metadata` of an object."""

    name: str = ""
    generate_name: str = ""
    namespace: str = ""
    self_link: str = ""
    uid: UID = ""
    resource_version: str = ""
    generation: int = 0
    creation_timestamp: Time | None = None
    deletion_timestamp: Time | None = None
    deletion_grace_period_seconds: int | None = None
    labels: dict[str, str] = field(default_factory=dict)
    annotations: dict[str, str] = field(default_factory=dict)
    owner_references: list[OwnerReference] = field(default_factory=list)
    finalizers: list[str] = field(default_factory=list)
    managed_fields: list[ManagedFieldsEntry] = field(default_factory=list)


@dataclass(kw_only=True)
class Condition:
    """One aspect of an object's state, as an item of `status.conditions`."""

    type: str
    status: ConditionStatus
    observed_generation: int = 0
    last_transition_time: Time
    reason: str
    message: str


@dataclass(kw_only=True)
class List(TypeMeta):
    """A list of objects of any kind."""

    metadata: ListMeta = field(default_factory=ListMeta)
    items: list[RawExtension]


@dataclass(kw_only=True)
class PartialObjectMetadata(TypeMeta):
    metadata: ObjectMeta = field(default_factory=ObjectMeta)


@dataclass(kw_only=True)
class PartialObjectMetadataList(TypeMeta):
    metadata: ListMeta = field(default_factory=ListMeta)
    items: list[PartialObjectMetadata]


# --- selectors and references ----------------------------------------------------------------------------------------


@dataclass(kw_only=True)
class LabelSelectorRequirement:
    key: str
    operator: LabelSelectorOperator
    values: list[str] = field(default_factory=list)


@dataclass(kw_only=True)
class LabelSelector:
    """Selects objects by their labels. All conditions must hold; an empty selector selects everything."""

    match_labels: dict[str, str] = field(default_factory=dict)
    match_expressions: list[LabelSelectorRequirement] = field(default_factory=list)


@dataclass(kw_only=True)
class FieldSelectorRequirement:
    key: str
    operator: FieldSelectorOperator
    values: list[str] = field(default_factory=list)


@dataclass(kw_only=True)
class NamespacedName:
    """An object by namespace and name. Go gives these members no JSON names, so they have capitals."""

    namespace: Annotated[str, Json("Namespace")]
    name: Annotated[str, Json("Name")]


@dataclass(kw_only=True)
class GroupResource:
    group: str
    resource: str


@dataclass(kw_only=True)
class GroupVersionResource:
    group: str
    version: str
    resource: str


@dataclass(kw_only=True)
class GroupKind:
    group: str
    kind: str


@dataclass(kw_only=True)
class GroupVersionKind:
    group: str
    version: str
    kind: str


@dataclass(kw_only=True)
class GroupVersion:
    group: str
    version: str


# --- requests and their results --------------------------------------------------------------------------------------


@dataclass(kw_only=True)
class ListOptions(TypeMeta):
    label_selector: str = ""
    field_selector: str = ""
    watch: bool = False
    allow_watch_bookmarks: bool = False
    resource_version: str = ""
    resource_version_match: ResourceVersionMatch = ""
    timeout_seconds: int | None = None
    limit: int = 0
    continue_: str = ""
    send_initial_events: bool | None = None
    shard_selector: str = ""


@dataclass(kw_only=True)
class GetOptions(TypeMeta):
    resource_version: str = ""


@dataclass(kw_only=True)
class Preconditions:
    uid: UID | None = None
    resource_version: str | None = None


@dataclass(kw_only=True)
class DeleteOptions(TypeMeta):
    grace_period_seconds: int | None = None
    preconditions: Preconditions | None = None
    orphan_dependents: bool | None = None
    propagation_policy: DeletionPropagation | None = None
    dry_run: list[str] = field(default_factory=list)
    ignore_store_read_error_with_cluster_breaking_potential: bool | None = None


@dataclass(kw_only=True)
class CreateOptions(TypeMeta):
    dry_run: list[str] = field(default_factory=list)
    field_manager: str = ""
    field_validation: str = ""


@dataclass(kw_only=True)
class PatchOptions(TypeMeta):
    dry_run: list[str] = field(default_factory=list)
    force: bool | None = None
    field_manager: str = ""
    field_validation: str = ""


@dataclass(kw_only=True)
class ApplyOptions(TypeMeta):
    dry_run: list[str] = field(default_factory=list)
    force: bool
    field_manager: str


@dataclass(kw_only=True)
class UpdateOptions(TypeMeta):
    dry_run: list[str] = field(default_factory=list)
    field_manager: str = ""
    field_validation: str = ""


@dataclass(kw_only=True)
class StatusCause:
    reason: CauseType = ""
    message: str = ""
    field: str = ""


@dataclass(kw_only=True)
class StatusDetails:
    name: str = ""
    group: str = ""
    kind: str = ""
    uid: UID = ""
    causes: list[StatusCause] = field(default_factory=list)
    retry_after_seconds: Annotated[int, Int32] = 0


@dataclass(kw_only=True)
class Status(TypeMeta):
    """Answer of the API server without an object."""

    metadata: ListMeta = field(default_factory=ListMeta)
    status: str = ""
    message: str = ""
    reason: StatusReason = ""
    details: StatusDetails | None = None
    code: Annotated[int, Int32] = 0


# --- discovery -------------------------------------------------------------------------------------------------------


@dataclass(kw_only=True)
class ServerAddressByClientCIDR:
    client_cidr: str
    server_address: str


@dataclass(kw_only=True)
class GroupVersionForDiscovery:
    group_version: str
    version: str


@dataclass(kw_only=True)
class APIGroup(TypeMeta):
    name: str
    versions: list[GroupVersionForDiscovery]
    preferred_version: GroupVersionForDiscovery | None = None
    server_address_by_client_cidrs: list[ServerAddressByClientCIDR] = field(default_factory=list)


@dataclass(kw_only=True)
class APIGroupList(TypeMeta):
    groups: list[APIGroup]


@dataclass(kw_only=True)
class APIResource:
    name: str
    singular_name: str
    namespaced: bool
    group: str = ""
    version: str = ""
    kind: str
    verbs: Verbs
    short_names: list[str] = field(default_factory=list)
    categories: list[str] = field(default_factory=list)
    storage_version_hash: str = ""


@dataclass(kw_only=True)
class APIResourceList(TypeMeta):
    group_version: str
    resources: list[APIResource]


# --- tables ----------------------------------------------------------------------------------------------------------


@dataclass(kw_only=True)
class TableColumnDefinition:
    name: str
    type: str
    format: str
    description: str
    priority: Annotated[int, Int32]


@dataclass(kw_only=True)
class TableRowCondition:
    type: RowConditionType
    status: ConditionStatus
    reason: str = ""
    message: str = ""


@dataclass(kw_only=True)
class TableRow:
    cells: list[Any]
    conditions: list[TableRowCondition] = field(default_factory=list)
    object: RawExtension | None = None


@dataclass(kw_only=True)
class Table(TypeMeta):
    metadata: ListMeta = field(default_factory=ListMeta)
    column_definitions: list[TableColumnDefinition]
    rows: list[TableRow]


# --- their names in Go -----------------------------------------------------------------------------------------------

_ELSEWHERE = {
    "IntOrString": "k8s.io/apimachinery/pkg/util/intstr",
    "JSON": "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1",
    "NamespacedName": "k8s.io/apimachinery/pkg/types",
    "NodeName": "k8s.io/apimachinery/pkg/types",
    "PatchType": "k8s.io/apimachinery/pkg/types",
    "Quantity": "k8s.io/apimachinery/pkg/api/resource",
    "RawExtension": "k8s.io/apimachinery/pkg/runtime",
    "RawMessage": "encoding/json",
    "UID": "k8s.io/apimachinery/pkg/types",
}
_IN_META = """
APIGroup APIGroupList APIResource APIResourceList ApplyOptions CauseType Condition ConditionStatus CreateOptions
DeleteOptions DeletionPropagation Duration FieldSelectorOperator FieldSelectorRequirement FieldsV1 GetOptions GroupKind
GroupResource GroupVersion GroupVersionForDiscovery GroupVersionKind GroupVersionResource IncludeObjectPolicy
LabelSelector LabelSelectorOperator LabelSelectorRequirement List ListMeta ListOptions ManagedFieldsEntry
ManagedFieldsOperationType MicroTime ObjectMeta OwnerReference PartialObjectMetadata PartialObjectMetadataList
PatchOptions Preconditions ResourceVersionMatch RowConditionType ServerAddressByClientCIDR ShardInfo Status StatusCause
StatusDetails StatusReason Table TableColumnDefinition TableRow TableRowCondition Time TypeMeta UpdateOptions Verbs
""".split()

#: Import path and Go name by the name of the class or alias here.
GO_TYPES: dict[str, tuple[str, str]] = {
    **{name: ("k8s.io/apimachinery/pkg/apis/meta/v1", name) for name in _IN_META},
    **{name: (path, name) for name, path in _ELSEWHERE.items()},
}
