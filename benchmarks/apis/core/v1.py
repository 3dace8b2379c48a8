"""All that the template of a Deployment can hold: the fields of core/v1, with limits beside the types.

What must be there is `required`. A field that is limited and may be absent can be `None`, so that an empty text is
judged like any other. All validators of the benchmarks are made from these declarations.

+groupName=
+k8s:validation-gen=false
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, TypeAlias

from validation_gen.types import Inline, Int32, Json
from validation_gen.types.meta import IntOrString, ObjectMeta, Quantity


@dataclass(kw_only=True)
class Volume:
    # +k8s:required
    # +k8s:format=k8s-short-name
    name: str
    volume_source: Annotated[VolumeSource, Inline]


@dataclass(kw_only=True)
class VolumeSource:
    # +k8s:optional
    host_path: HostPathVolumeSource | None = None
    empty_dir: EmptyDirVolumeSource | None = None
    # +k8s:optional
    gce_persistent_disk: GCEPersistentDiskVolumeSource | None = None
    # +k8s:optional
    aws_elastic_block_store: AWSElasticBlockStoreVolumeSource | None = None
    # +k8s:optional
    git_repo: GitRepoVolumeSource | None = None
    # +k8s:optional
    secret: SecretVolumeSource | None = None
    # +k8s:optional
    nfs: NFSVolumeSource | None = None
    # +k8s:optional
    iscsi: ISCSIVolumeSource | None = None
    # +k8s:optional
    glusterfs: GlusterfsVolumeSource | None = None
    # +k8s:optional
    persistent_volume_claim: PersistentVolumeClaimVolumeSource | None = None
    # +k8s:optional
    rbd: RBDVolumeSource | None = None
    # +k8s:optional
    flex_volume: FlexVolumeSource | None = None
    # +k8s:optional
    cinder: CinderVolumeSource | None = None
    # +k8s:optional
    cephfs: CephFSVolumeSource | None = None
    flocker: FlockerVolumeSource | None = None
    # +k8s:optional
    downward_api: DownwardAPIVolumeSource | None = None
    fc: FCVolumeSource | None = None
    # +k8s:optional
    azure_file: AzureFileVolumeSource | None = None
    # +k8s:optional
    config_map: ConfigMapVolumeSource | None = None
    # +k8s:optional
    vsphere_volume: VsphereVirtualDiskVolumeSource | None = None
    # +k8s:optional
    quobyte: QuobyteVolumeSource | None = None
    # +k8s:optional
    azure_disk: AzureDiskVolumeSource | None = None
    # +k8s:optional
    photon_persistent_disk: PhotonPersistentDiskVolumeSource | None = None
    # +k8s:optional
    projected: ProjectedVolumeSource | None = None
    # +k8s:optional
    portworx_volume: PortworxVolumeSource | None = None
    # +k8s:optional
    scale_io: ScaleIOVolumeSource | None = None
    storageos: StorageOSVolumeSource | None = None
    # +k8s:optional
    csi: CSIVolumeSource | None = None
    # +k8s:optional
    ephemeral: EphemeralVolumeSource | None = None
    # +k8s:optional
    image: ImageVolumeSource | None = None


@dataclass(kw_only=True)
class PersistentVolumeClaimVolumeSource:
    # +k8s:required
    # +k8s:format=k8s-long-name
    claim_name: str
    read_only: bool = False


class PersistentVolumeMode(str, Enum):
    BLOCK = "Block"
    FILESYSTEM = "Filesystem"


@dataclass(kw_only=True)
class PersistentVolumeClaimSpec:
    # +k8s:optional
    access_modes: list[PersistentVolumeAccessMode] = field(default_factory=list)
    # +k8s:optional
    selector: LabelSelector | None = None
    resources: VolumeResourceRequirements | None = None
    volume_name: str = ""
    storage_class_name: str | None = None
    # +k8s:optional
    volume_mode: PersistentVolumeMode | None = None
    # +k8s:optional
    data_source: TypedLocalObjectReference | None = None
    # +k8s:optional
    data_source_ref: TypedObjectReference | None = None
    volume_attributes_class_name: str | None = None


@dataclass(kw_only=True)
class TypedObjectReference:
    api_group: str | None = None
    # +k8s:required
    kind: str
    # +k8s:required
    name: str
    namespace: str | None = None


class PersistentVolumeAccessMode(str, Enum):
    READ_WRITE_ONCE = "ReadWriteOnce"
    READ_ONLY_MANY = "ReadOnlyMany"
    READ_WRITE_MANY = "ReadWriteMany"
    READ_WRITE_ONCE_POD = "ReadWriteOncePod"


@dataclass(kw_only=True)
class HostPathVolumeSource:
    # +k8s:required
    path: str
    type: str | None = None


@dataclass(kw_only=True)
class EmptyDirVolumeSource:
    medium: str = ""
    size_limit: Quantity | None = None
    mode: Annotated[int, Int32] | None = None


@dataclass(kw_only=True)
class GlusterfsVolumeSource:
    # +k8s:required
    endpoints: str
    # +k8s:required
    path: str
    read_only: bool = False


@dataclass(kw_only=True)
class RBDVolumeSource:
    # +k8s:required
    monitors: list[str]
    # +k8s:required
    image: str
    fs_type: str = ""
    pool: str = ""
    user: str = ""
    keyring: str = ""
    secret_ref: LocalObjectReference | None = None
    read_only: bool = False


@dataclass(kw_only=True)
class CinderVolumeSource:
    # +k8s:required
    volume_id: str
    fs_type: str = ""
    read_only: bool = False
    secret_ref: LocalObjectReference | None = None


@dataclass(kw_only=True)
class CephFSVolumeSource:
    # +k8s:required
    monitors: list[str]
    path: str = ""
    user: str = ""
    secret_file: str = ""
    secret_ref: LocalObjectReference | None = None
    read_only: bool = False


@dataclass(kw_only=True)
class FlockerVolumeSource:
    dataset_name: str = ""
    dataset_uuid: str = ""


class Protocol(str, Enum):
    TCP = "TCP"
    UDP = "UDP"
    SCTP = "SCTP"


@dataclass(kw_only=True)
class GCEPersistentDiskVolumeSource:
    # +k8s:required
    pd_name: str
    fs_type: str = ""
    partition: Annotated[int, Int32] = 0
    read_only: bool = False


@dataclass(kw_only=True)
class QuobyteVolumeSource:
    # +k8s:required
    registry: str
    # +k8s:required
    volume: str
    read_only: bool = False
    user: str = ""
    group: str = ""
    tenant: str = ""


@dataclass(kw_only=True)
class FlexVolumeSource:
    # +k8s:required
    driver: str
    fs_type: str = ""
    secret_ref: LocalObjectReference | None = None
    read_only: bool = False
    options: dict[str, str] = field(default_factory=dict)


@dataclass(kw_only=True)
class AWSElasticBlockStoreVolumeSource:
    # +k8s:required
    volume_id: str
    fs_type: str = ""
    partition: Annotated[int, Int32] = 0
    read_only: bool = False


@dataclass(kw_only=True)
class GitRepoVolumeSource:
    # +k8s:required
    repository: str
    revision: str = ""
    directory: str = ""


@dataclass(kw_only=True)
class SecretVolumeSource:
    # +k8s:optional
    # +k8s:format=k8s-long-name
    secret_name: str | None = None
    # +k8s:optional
    items: list[KeyToPath] = field(default_factory=list)
    # +k8s:optional
    # +k8s:minimum=0
    # +k8s:maximum=511
    default_mode: Annotated[int, Int32] | None = None
    optional: bool | None = None
    default_user: int | None = None


@dataclass(kw_only=True)
class LocalObjectReference:
    name: str = ""


@dataclass(kw_only=True)
class SecretProjection(LocalObjectReference):
    # +k8s:optional
    items: list[KeyToPath] = field(default_factory=list)
    optional: bool | None = None


@dataclass(kw_only=True)
class NFSVolumeSource:
    # +k8s:required
    server: str
    # +k8s:required
    path: str
    read_only: bool = False


@dataclass(kw_only=True)
class ISCSIVolumeSource:
    # +k8s:required
    target_portal: str
    # +k8s:required
    iqn: str
    # +k8s:required
    lun: Annotated[int, Int32] | None
    iscsi_interface: str = ""
    fs_type: str = ""
    read_only: bool = False
    portals: list[str] = field(default_factory=list)
    chap_auth_discovery: bool = False
    chap_auth_session: bool = False
    secret_ref: LocalObjectReference | None = None
    initiator_name: str | None = None


@dataclass(kw_only=True)
class FCVolumeSource:
    target_wwns: Annotated[list[str], Json("targetWWNs")] = field(default_factory=list)
    lun: Annotated[int, Int32] | None = None
    fs_type: str = ""
    read_only: bool = False
    wwids: list[str] = field(default_factory=list)


@dataclass(kw_only=True)
class AzureFileVolumeSource:
    # +k8s:required
    secret_name: str
    # +k8s:required
    share_name: str
    read_only: bool = False


@dataclass(kw_only=True)
class VsphereVirtualDiskVolumeSource:
    # +k8s:required
    volume_path: str
    fs_type: str = ""
    storage_policy_name: str = ""
    storage_policy_id: str = ""


@dataclass(kw_only=True)
class PhotonPersistentDiskVolumeSource:
    # +k8s:required
    pd_id: str
    fs_type: str = ""


class AzureDataDiskCachingMode(str, Enum):
    NONE = "None"
    READ_ONLY = "ReadOnly"
    READ_WRITE = "ReadWrite"


class AzureDataDiskKind(str, Enum):
    SHARED = "Shared"
    DEDICATED = "Dedicated"
    MANAGED = "Managed"


@dataclass(kw_only=True)
class AzureDiskVolumeSource:
    # +k8s:required
    disk_name: str
    # +k8s:required
    disk_uri: str
    # +k8s:optional
    caching_mode: AzureDataDiskCachingMode | None = None
    fs_type: str | None = None
    read_only: bool | None = None
    # +k8s:optional
    kind: AzureDataDiskKind | None = None


@dataclass(kw_only=True)
class PortworxVolumeSource:
    # +k8s:required
    volume_id: str
    fs_type: str = ""
    read_only: bool = False


@dataclass(kw_only=True)
class ScaleIOVolumeSource:
    # +k8s:required
    gateway: str
    # +k8s:required
    system: str
    # +k8s:required
    secret_ref: LocalObjectReference | None
    ssl_enabled: bool = False
    protection_domain: str = ""
    storage_pool: str = ""
    storage_mode: str = ""
    volume_name: str = ""
    fs_type: str = ""
    read_only: bool = False


@dataclass(kw_only=True)
class StorageOSVolumeSource:
    volume_name: str = ""
    volume_namespace: str = ""
    fs_type: str = ""
    read_only: bool = False
    secret_ref: LocalObjectReference | None = None


@dataclass(kw_only=True)
class ConfigMapVolumeSource(LocalObjectReference):
    # +k8s:optional
    items: list[KeyToPath] = field(default_factory=list)
    # +k8s:optional
    # +k8s:minimum=0
    # +k8s:maximum=511
    default_mode: Annotated[int, Int32] | None = None
    optional: bool | None = None
    default_user: int | None = None


@dataclass(kw_only=True)
class ConfigMapProjection(LocalObjectReference):
    # +k8s:optional
    items: list[KeyToPath] = field(default_factory=list)
    optional: bool | None = None


@dataclass(kw_only=True)
class ServiceAccountTokenProjection:
    audience: str = ""
    # +k8s:optional
    # +k8s:minimum=600
    expiration_seconds: int | None = None
    # +k8s:required
    path: str
    user: int | None = None


@dataclass(kw_only=True)
class ClusterTrustBundleProjection:
    name: str | None = None
    signer_name: str | None = None
    # +k8s:optional
    label_selector: LabelSelector | None = None
    optional: bool | None = None
    # +k8s:required
    path: str
    user: int | None = None


@dataclass(kw_only=True)
class PodCertificateProjection:
    signer_name: str = ""
    key_type: str = ""
    max_expiration_seconds: Annotated[int, Int32] | None = None
    credential_bundle_path: str = ""
    key_path: str = ""
    certificate_chain_path: str = ""
    user_annotations: dict[str, str] = field(default_factory=dict)
    user: int | None = None


@dataclass(kw_only=True)
class ProjectedVolumeSource:
    # +k8s:required
    sources: list[VolumeProjection]
    # +k8s:optional
    # +k8s:minimum=0
    # +k8s:maximum=511
    default_mode: Annotated[int, Int32] | None = None
    default_user: int | None = None


@dataclass(kw_only=True)
class VolumeProjection:
    # +k8s:optional
    secret: SecretProjection | None = None
    # +k8s:optional
    downward_api: DownwardAPIProjection | None = None
    # +k8s:optional
    config_map: ConfigMapProjection | None = None
    # +k8s:optional
    service_account_token: ServiceAccountTokenProjection | None = None
    # +k8s:optional
    cluster_trust_bundle: ClusterTrustBundleProjection | None = None
    pod_certificate: PodCertificateProjection | None = None


@dataclass(kw_only=True)
class KeyToPath:
    # +k8s:required
    # +k8s:maxLength=253
    key: str
    # +k8s:required
    path: str
    # +k8s:optional
    # +k8s:minimum=0
    # +k8s:maximum=511
    mode: Annotated[int, Int32] | None = None
    user: int | None = None


@dataclass(kw_only=True)
class CSIVolumeSource:
    # +k8s:required
    driver: str
    read_only: bool | None = None
    fs_type: str | None = None
    volume_attributes: dict[str, str] = field(default_factory=dict)
    node_publish_secret_ref: LocalObjectReference | None = None


@dataclass(kw_only=True)
class EphemeralVolumeSource:
    # +k8s:optional
    volume_claim_template: PersistentVolumeClaimTemplate | None = None


@dataclass(kw_only=True)
class PersistentVolumeClaimTemplate:
    metadata: ObjectMeta = field(default_factory=ObjectMeta)
    # +k8s:required
    spec: PersistentVolumeClaimSpec | None


@dataclass(kw_only=True)
class ContainerPort:
    # +k8s:optional
    # +k8s:format=k8s-short-name
    # +k8s:maxLength=15
    name: str | None = None
    # +k8s:optional
    # +k8s:minimum=0
    # +k8s:maximum=65535
    host_port: Annotated[int, Int32] = 0
    # +k8s:required
    # +k8s:minimum=1
    # +k8s:maximum=65535
    container_port: Annotated[int, Int32] | None
    # +k8s:required
    protocol: Protocol
    host_ip: str = ""


@dataclass(kw_only=True)
class VolumeMount:
    # +k8s:required
    name: str
    read_only: bool = False
    # +k8s:optional
    recursive_read_only: RecursiveReadOnlyMode | None = None
    # +k8s:required
    # +k8s:maxLength=4096
    mount_path: str
    sub_path: str = ""
    # +k8s:optional
    mount_propagation: MountPropagationMode | None = None
    sub_path_expr: str = ""
    bind_mount_options: list[str] = field(default_factory=list)


class MountPropagationMode(str, Enum):
    NONE = "None"
    HOST_TO_CONTAINER = "HostToContainer"
    BIDIRECTIONAL = "Bidirectional"


class RecursiveReadOnlyMode(str, Enum):
    DISABLED = "Disabled"
    IF_POSSIBLE = "IfPossible"
    ENABLED = "Enabled"


@dataclass(kw_only=True)
class VolumeDevice:
    # +k8s:required
    name: str
    # +k8s:required
    device_path: str


@dataclass(kw_only=True)
class EnvVar:
    # +k8s:required
    # +k8s:maxLength=512
    name: str
    # +k8s:optional
    # +k8s:maxLength=32768
    value: str = ""
    # +k8s:optional
    value_from: EnvVarSource | None = None


@dataclass(kw_only=True)
class EnvVarSource:
    # +k8s:optional
    field_ref: ObjectFieldSelector | None = None
    # +k8s:optional
    resource_field_ref: ResourceFieldSelector | None = None
    # +k8s:optional
    config_map_key_ref: ConfigMapKeySelector | None = None
    # +k8s:optional
    secret_key_ref: SecretKeySelector | None = None
    # +k8s:optional
    file_key_ref: FileKeySelector | None = None


@dataclass(kw_only=True)
class FileKeySelector:
    # +k8s:required
    volume_name: str
    # +k8s:required
    path: str
    # +k8s:required
    key: str
    optional: bool | None = None


@dataclass(kw_only=True)
class ObjectFieldSelector:
    api_version: str = ""
    # +k8s:required
    field_path: str


@dataclass(kw_only=True)
class ResourceFieldSelector:
    container_name: str = ""
    # +k8s:required
    resource: str
    # +k8s:required
    divisor: Quantity | None


@dataclass(kw_only=True)
class ConfigMapKeySelector:
    local_object_reference: Annotated[LocalObjectReference, Inline]
    # +k8s:required
    # +k8s:maxLength=253
    key: str
    optional: bool | None = None


@dataclass(kw_only=True)
class SecretKeySelector:
    local_object_reference: Annotated[LocalObjectReference, Inline]
    # +k8s:required
    # +k8s:maxLength=253
    key: str
    optional: bool | None = None


@dataclass(kw_only=True)
class EnvFromSource:
    prefix: str = ""
    config_map_ref: ConfigMapEnvSource | None = None
    secret_ref: SecretEnvSource | None = None


@dataclass(kw_only=True)
class ConfigMapEnvSource:
    local_object_reference: Annotated[LocalObjectReference, Inline]
    optional: bool | None = None


@dataclass(kw_only=True)
class SecretEnvSource:
    local_object_reference: Annotated[LocalObjectReference, Inline]
    optional: bool | None = None


@dataclass(kw_only=True)
class HTTPHeader:
    # +k8s:required
    # +k8s:maxLength=256
    name: str
    # +k8s:required
    value: str | None


class HTTPProtocol(str, Enum):
    HTTP1 = "HTTP1"
    HTTP2 = "HTTP2"


@dataclass(kw_only=True)
class HTTPGetAction:
    # +k8s:optional
    # +k8s:maxLength=2048
    path: str = ""
    # +k8s:required
    port: IntOrString | None
    host: str = ""
    # +k8s:optional
    scheme: URIScheme | None = None
    # +k8s:optional
    http_headers: list[HTTPHeader] = field(default_factory=list)
    # +k8s:optional
    protocol: HTTPProtocol | None = None


class URIScheme(str, Enum):
    HTTP = "HTTP"
    HTTPS = "HTTPS"


@dataclass(kw_only=True)
class TCPSocketAction:
    # +k8s:required
    port: IntOrString | None
    host: str = ""


@dataclass(kw_only=True)
class GRPCAction:
    # +k8s:required
    # +k8s:minimum=1
    # +k8s:maximum=65535
    port: Annotated[int, Int32] | None
    service: str | None = None
    # +k8s:optional
    mode: GRPCProbeMode | None = None


class GRPCProbeMode(str, Enum):
    PLAINTEXT = "Plaintext"
    TLS = "TLS"


@dataclass(kw_only=True)
class ExecAction:
    command: list[str] = field(default_factory=list)


@dataclass(kw_only=True)
class SleepAction:
    # +k8s:required
    # +k8s:minimum=0
    seconds: int | None


@dataclass(kw_only=True)
class Probe:
    probe_handler: Annotated[ProbeHandler, Inline]
    # +k8s:optional
    # +k8s:minimum=0
    initial_delay_seconds: Annotated[int, Int32] = 0
    # +k8s:optional
    # +k8s:minimum=1
    timeout_seconds: Annotated[int, Int32] | None = None
    # +k8s:optional
    # +k8s:minimum=1
    period_seconds: Annotated[int, Int32] | None = None
    # +k8s:optional
    # +k8s:minimum=1
    success_threshold: Annotated[int, Int32] | None = None
    # +k8s:optional
    # +k8s:minimum=1
    failure_threshold: Annotated[int, Int32] | None = None
    # +k8s:optional
    # +k8s:minimum=1
    termination_grace_period_seconds: int | None = None


class PullPolicy(str, Enum):
    ALWAYS = "Always"
    NEVER = "Never"
    IF_NOT_PRESENT = "IfNotPresent"


class ResourceResizeRestartPolicy(str, Enum):
    NOT_REQUIRED = "NotRequired"
    RESTART_CONTAINER = "RestartContainer"


@dataclass(kw_only=True)
class ContainerResizePolicy:
    # +k8s:required
    resource_name: str
    # +k8s:required
    restart_policy: ResourceResizeRestartPolicy


class PreemptionPolicy(str, Enum):
    PREEMPT_LOWER_PRIORITY = "PreemptLowerPriority"
    NEVER = "Never"


class TerminationMessagePolicy(str, Enum):
    FILE = "File"
    FALLBACK_TO_LOGS_ON_ERROR = "FallbackToLogsOnError"


@dataclass(kw_only=True)
class Capabilities:
    add: list[str] = field(default_factory=list)
    drop: list[str] = field(default_factory=list)


@dataclass(kw_only=True)
class ResourceRequirements:
    limits: ResourceList = field(default_factory=dict)
    requests: ResourceList = field(default_factory=dict)
    # +k8s:optional
    claims: list[ResourceClaim] = field(default_factory=list)


@dataclass(kw_only=True)
class VolumeResourceRequirements:
    limits: ResourceList = field(default_factory=dict)
    requests: ResourceList = field(default_factory=dict)


@dataclass(kw_only=True)
class ResourceClaim:
    # +k8s:required
    name: str
    request: str = ""


@dataclass(kw_only=True)
class Container:
    # +k8s:required
    # +k8s:format=k8s-short-name
    name: str
    # +k8s:optional
    # +k8s:maxLength=1024
    image: str = ""
    command: list[str] = field(default_factory=list)
    args: list[str] = field(default_factory=list)
    # +k8s:optional
    # +k8s:maxLength=4096
    working_dir: str = ""
    # +k8s:optional
    # +k8s:listType=map
    # +k8s:listMapKey=containerPort
    # +k8s:listMapKey=protocol
    ports: list[ContainerPort] = field(default_factory=list)
    env_from: list[EnvFromSource] = field(default_factory=list)
    # +k8s:optional
    # +k8s:listType=map
    # +k8s:listMapKey=name
    env: list[EnvVar] = field(default_factory=list)
    resources: ResourceRequirements = field(default_factory=ResourceRequirements)
    # +k8s:optional
    resize_policy: list[ContainerResizePolicy] = field(default_factory=list)
    # +k8s:optional
    restart_policy: ContainerRestartPolicy | None = None
    # +k8s:optional
    restart_policy_rules: list[ContainerRestartRule] = field(default_factory=list)
    # +k8s:optional
    # +k8s:listType=map
    # +k8s:listMapKey=mountPath
    volume_mounts: list[VolumeMount] = field(default_factory=list)
    # +k8s:optional
    # +k8s:listType=map
    # +k8s:listMapKey=devicePath
    volume_devices: list[VolumeDevice] = field(default_factory=list)
    # +k8s:optional
    liveness_probe: Probe | None = None
    # +k8s:optional
    readiness_probe: Probe | None = None
    # +k8s:optional
    startup_probe: Probe | None = None
    # +k8s:optional
    lifecycle: Lifecycle | None = None
    # +k8s:optional
    # +k8s:maxLength=4096
    termination_message_path: str = ""
    # +k8s:optional
    termination_message_policy: TerminationMessagePolicy | None = None
    # +k8s:optional
    image_pull_policy: PullPolicy | None = None
    # +k8s:optional
    security_context: SecurityContext | None = None
    stdin: bool = False
    stdin_once: bool = False
    tty: bool = False


@dataclass(kw_only=True)
class ProbeHandler:
    exec: ExecAction | None = None
    # +k8s:optional
    http_get: HTTPGetAction | None = None
    # +k8s:optional
    tcp_socket: TCPSocketAction | None = None
    # +k8s:optional
    grpc: GRPCAction | None = None


@dataclass(kw_only=True)
class LifecycleHandler:
    exec: ExecAction | None = None
    # +k8s:optional
    http_get: HTTPGetAction | None = None
    # +k8s:optional
    tcp_socket: TCPSocketAction | None = None
    # +k8s:optional
    sleep: SleepAction | None = None


@dataclass(kw_only=True)
class Lifecycle:
    # +k8s:optional
    post_start: LifecycleHandler | None = None
    # +k8s:optional
    pre_stop: LifecycleHandler | None = None
    stop_signal: str | None = None


class ConditionStatus(str, Enum):
    TRUE = "True"
    FALSE = "False"
    UNKNOWN = "Unknown"


class RestartPolicy(str, Enum):
    ALWAYS = "Always"
    ON_FAILURE = "OnFailure"
    NEVER = "Never"


class ContainerRestartPolicy(str, Enum):
    ALWAYS = "Always"
    NEVER = "Never"
    ON_FAILURE = "OnFailure"


@dataclass(kw_only=True)
class ContainerRestartRule:
    # +k8s:optional
    action: ContainerRestartRuleAction | None = None
    # +k8s:optional
    exit_codes: ContainerRestartRuleOnExitCodes | None = None


class ContainerRestartRuleAction(str, Enum):
    RESTART = "Restart"
    RESTART_ALL_CONTAINERS = "RestartAllContainers"


@dataclass(kw_only=True)
class ContainerRestartRuleOnExitCodes:
    # +k8s:optional
    operator: ContainerRestartRuleOnExitCodesOperator | None = None
    values: list[Annotated[int, Int32]] = field(default_factory=list)


class ContainerRestartRuleOnExitCodesOperator(str, Enum):
    IN = "In"
    NOT_IN = "NotIn"


class DNSPolicy(str, Enum):
    CLUSTER_FIRST_WITH_HOST_NET = "ClusterFirstWithHostNet"
    CLUSTER_FIRST = "ClusterFirst"
    DEFAULT = "Default"
    NONE = "None"


@dataclass(kw_only=True)
class NodeSelector:
    # +k8s:required
    node_selector_terms: list[NodeSelectorTerm]


@dataclass(kw_only=True)
class NodeSelectorTerm:
    # +k8s:optional
    match_expressions: list[NodeSelectorRequirement] = field(default_factory=list)
    # +k8s:optional
    match_fields: list[NodeSelectorRequirement] = field(default_factory=list)


@dataclass(kw_only=True)
class NodeSelectorRequirement:
    # +k8s:required
    key: str
    # +k8s:required
    operator: NodeSelectorOperator
    values: list[str] = field(default_factory=list)


class NodeSelectorOperator(str, Enum):
    IN = "In"
    NOT_IN = "NotIn"
    EXISTS = "Exists"
    DOES_NOT_EXIST = "DoesNotExist"
    GT = "Gt"
    LT = "Lt"


@dataclass(kw_only=True)
class Affinity:
    # +k8s:optional
    node_affinity: NodeAffinity | None = None
    # +k8s:optional
    pod_affinity: PodAffinity | None = None
    # +k8s:optional
    pod_anti_affinity: PodAntiAffinity | None = None


@dataclass(kw_only=True)
class PodAffinity:
    # +k8s:optional
    required_during_scheduling_ignored_during_execution: list[PodAffinityTerm] = field(default_factory=list)
    # +k8s:optional
    preferred_during_scheduling_ignored_during_execution: list[WeightedPodAffinityTerm] = field(default_factory=list)


@dataclass(kw_only=True)
class PodAntiAffinity:
    # +k8s:optional
    required_during_scheduling_ignored_during_execution: list[PodAffinityTerm] = field(default_factory=list)
    # +k8s:optional
    preferred_during_scheduling_ignored_during_execution: list[WeightedPodAffinityTerm] = field(default_factory=list)


@dataclass(kw_only=True)
class WeightedPodAffinityTerm:
    # +k8s:required
    # +k8s:minimum=1
    # +k8s:maximum=100
    weight: Annotated[int, Int32] | None
    # +k8s:required
    pod_affinity_term: PodAffinityTerm | None


@dataclass(kw_only=True)
class PodAffinityTerm:
    # +k8s:optional
    label_selector: LabelSelector | None = None
    namespaces: list[str] = field(default_factory=list)
    # +k8s:required
    # +k8s:maxLength=317
    topology_key: str
    # +k8s:optional
    namespace_selector: LabelSelector | None = None
    match_label_keys: list[str] = field(default_factory=list)
    mismatch_label_keys: list[str] = field(default_factory=list)


@dataclass(kw_only=True)
class NodeAffinity:
    # +k8s:optional
    required_during_scheduling_ignored_during_execution: NodeSelector | None = None
    # +k8s:optional
    preferred_during_scheduling_ignored_during_execution: list[PreferredSchedulingTerm] = field(default_factory=list)


@dataclass(kw_only=True)
class PreferredSchedulingTerm:
    # +k8s:required
    # +k8s:minimum=1
    # +k8s:maximum=100
    weight: Annotated[int, Int32] | None
    # +k8s:required
    preference: NodeSelectorTerm | None


class TaintEffect(str, Enum):
    NO_SCHEDULE = "NoSchedule"
    PREFER_NO_SCHEDULE = "PreferNoSchedule"
    NO_EXECUTE = "NoExecute"


@dataclass(kw_only=True)
class Toleration:
    key: str = ""
    # +k8s:optional
    operator: TolerationOperator | None = None
    value: str = ""
    # +k8s:optional
    effect: TaintEffect | None = None
    toleration_seconds: int | None = None


class TolerationOperator(str, Enum):
    EXISTS = "Exists"
    EQUAL = "Equal"
    LT = "Lt"
    GT = "Gt"


@dataclass(kw_only=True)
class PodReadinessGate:
    # +k8s:required
    condition_type: str


@dataclass(kw_only=True)
class PodSpec:
    # +k8s:optional
    # +k8s:listType=map
    # +k8s:listMapKey=name
    volumes: list[Volume] = field(default_factory=list)
    # +k8s:optional
    # +k8s:listType=map
    # +k8s:listMapKey=name
    # +k8s:maxItems=64
    init_containers: list[Container] = field(default_factory=list)
    # +k8s:required
    # +k8s:listType=map
    # +k8s:listMapKey=name
    # +k8s:maxItems=64
    containers: list[Container]
    # +k8s:optional
    ephemeral_containers: list[EphemeralContainer] = field(default_factory=list)
    # +k8s:optional
    restart_policy: RestartPolicy | None = None
    # +k8s:optional
    # +k8s:minimum=0
    termination_grace_period_seconds: int | None = None
    # +k8s:optional
    # +k8s:minimum=1
    active_deadline_seconds: int | None = None
    # +k8s:optional
    dns_policy: DNSPolicy | None = None
    # +k8s:optional
    # +k8s:eachVal=+k8s:format=k8s-label-value
    node_selector: dict[str, str] = field(default_factory=dict)
    # +k8s:optional
    # +k8s:format=k8s-long-name
    service_account_name: str | None = None
    service_account: str = ""
    automount_service_account_token: bool | None = None
    # +k8s:optional
    # +k8s:format=k8s-long-name
    node_name: str | None = None
    host_network: bool = False
    host_pid: bool = False
    host_ipc: bool = False
    share_process_namespace: bool | None = None
    # +k8s:optional
    security_context: PodSecurityContext | None = None
    image_pull_secrets: list[LocalObjectReference] = field(default_factory=list)
    # +k8s:optional
    # +k8s:format=k8s-short-name
    hostname: str | None = None
    # +k8s:optional
    # +k8s:format=k8s-short-name
    subdomain: str | None = None
    # +k8s:optional
    affinity: Affinity | None = None
    scheduler_name: str = ""
    # +k8s:optional
    # +k8s:maxItems=64
    tolerations: list[Toleration] = field(default_factory=list)
    # +k8s:optional
    # +k8s:listType=map
    # +k8s:listMapKey=ip
    host_aliases: list[HostAlias] = field(default_factory=list)
    # +k8s:optional
    # +k8s:format=k8s-long-name
    priority_class_name: str | None = None
    priority: Annotated[int, Int32] | None = None
    # +k8s:optional
    dns_config: PodDNSConfig | None = None
    # +k8s:optional
    readiness_gates: list[PodReadinessGate] = field(default_factory=list)
    # +k8s:optional
    # +k8s:format=k8s-long-name
    runtime_class_name: str | None = None
    enable_service_links: bool | None = None
    # +k8s:optional
    preemption_policy: PreemptionPolicy | None = None
    overhead: ResourceList = field(default_factory=dict)
    # +k8s:optional
    # +k8s:listType=map
    # +k8s:listMapKey=topologyKey
    # +k8s:listMapKey=whenUnsatisfiable
    topology_spread_constraints: list[TopologySpreadConstraint] = field(default_factory=list)
    set_hostname_as_fqdn: bool | None = None
    # +k8s:optional
    os: PodOS | None = None
    host_users: bool | None = None
    # +k8s:optional
    # +k8s:listType=map
    # +k8s:listMapKey=name
    scheduling_gates: list[PodSchedulingGate] = field(default_factory=list)
    # +k8s:optional
    # +k8s:listType=map
    # +k8s:listMapKey=name
    resource_claims: list[PodResourceClaim] = field(default_factory=list)
    # +k8s:optional
    resources: ResourceRequirements | None = None
    hostname_override: str | None = None
    scheduling_group: PodSchedulingGroup | None = None
    # +k8s:optional
    eviction_responders: list[EvictionResponder] = field(default_factory=list)


@dataclass(kw_only=True)
class PodResourceClaim:
    # +k8s:required
    name: str
    resource_claim_name: str | None = None
    resource_claim_template_name: str | None = None


class OSName(str, Enum):
    LINUX = "linux"
    WINDOWS = "windows"


@dataclass(kw_only=True)
class PodOS:
    # +k8s:required
    name: OSName


@dataclass(kw_only=True)
class PodSchedulingGate:
    # +k8s:required
    name: str


@dataclass(kw_only=True)
class PodSchedulingGroup:
    pod_group_name: str | None = None


class UnsatisfiableConstraintAction(str, Enum):
    DO_NOT_SCHEDULE = "DoNotSchedule"
    SCHEDULE_ANYWAY = "ScheduleAnyway"


class NodeInclusionPolicy(str, Enum):
    IGNORE = "Ignore"
    HONOR = "Honor"


@dataclass(kw_only=True)
class TopologySpreadConstraint:
    # +k8s:required
    # +k8s:minimum=1
    max_skew: Annotated[int, Int32] | None
    # +k8s:required
    # +k8s:format=k8s-label-key
    topology_key: str
    # +k8s:required
    when_unsatisfiable: UnsatisfiableConstraintAction
    # +k8s:optional
    label_selector: LabelSelector | None = None
    # +k8s:optional
    # +k8s:minimum=1
    min_domains: Annotated[int, Int32] | None = None
    # +k8s:optional
    node_affinity_policy: NodeInclusionPolicy | None = None
    # +k8s:optional
    node_taints_policy: NodeInclusionPolicy | None = None
    match_label_keys: list[str] = field(default_factory=list)


@dataclass(kw_only=True)
class HostAlias:
    # +k8s:required
    ip: str
    hostnames: list[str] = field(default_factory=list)


class PodFSGroupChangePolicy(str, Enum):
    ON_ROOT_MISMATCH = "OnRootMismatch"
    ALWAYS = "Always"


class SupplementalGroupsPolicy(str, Enum):
    MERGE = "Merge"
    STRICT = "Strict"


class PodSELinuxChangePolicy(str, Enum):
    RECURSIVE = "Recursive"
    MOUNT_OPTION = "MountOption"


@dataclass(kw_only=True)
class PodSecurityContext:
    se_linux_options: SELinuxOptions | None = None
    windows_options: WindowsSecurityContextOptions | None = None
    # +k8s:optional
    # +k8s:minimum=0
    run_as_user: int | None = None
    # +k8s:optional
    # +k8s:minimum=0
    run_as_group: int | None = None
    run_as_non_root: bool | None = None
    supplemental_groups: list[int] = field(default_factory=list)
    # +k8s:optional
    supplemental_groups_policy: SupplementalGroupsPolicy | None = None
    # +k8s:optional
    # +k8s:minimum=0
    fs_group: int | None = None
    # +k8s:optional
    sysctls: list[Sysctl] = field(default_factory=list)
    # +k8s:optional
    fs_group_change_policy: PodFSGroupChangePolicy | None = None
    # +k8s:optional
    seccomp_profile: SeccompProfile | None = None
    # +k8s:optional
    app_armor_profile: AppArmorProfile | None = None
    # +k8s:optional
    se_linux_change_policy: PodSELinuxChangePolicy | None = None


@dataclass(kw_only=True)
class SeccompProfile:
    # +k8s:required
    type: SeccompProfileType
    localhost_profile: str | None = None


class SeccompProfileType(str, Enum):
    UNCONFINED = "Unconfined"
    RUNTIME_DEFAULT = "RuntimeDefault"
    LOCALHOST = "Localhost"


@dataclass(kw_only=True)
class AppArmorProfile:
    # +k8s:required
    type: AppArmorProfileType
    localhost_profile: str | None = None


class AppArmorProfileType(str, Enum):
    UNCONFINED = "Unconfined"
    RUNTIME_DEFAULT = "RuntimeDefault"
    LOCALHOST = "Localhost"


@dataclass(kw_only=True)
class PodDNSConfig:
    # +k8s:optional
    # +k8s:maxItems=3
    nameservers: list[str] = field(default_factory=list)
    # +k8s:optional
    # +k8s:maxItems=32
    searches: list[str] = field(default_factory=list)
    options: list[PodDNSConfigOption] = field(default_factory=list)


@dataclass(kw_only=True)
class PodDNSConfigOption:
    name: str = ""
    value: str | None = None


@dataclass(kw_only=True)
class EphemeralContainerCommon:
    # +k8s:required
    # +k8s:format=k8s-short-name
    name: str
    # +k8s:optional
    # +k8s:maxLength=1024
    image: str = ""
    command: list[str] = field(default_factory=list)
    args: list[str] = field(default_factory=list)
    # +k8s:optional
    # +k8s:maxLength=4096
    working_dir: str = ""
    # +k8s:optional
    # +k8s:listType=map
    # +k8s:listMapKey=containerPort
    # +k8s:listMapKey=protocol
    ports: list[ContainerPort] = field(default_factory=list)
    env_from: list[EnvFromSource] = field(default_factory=list)
    # +k8s:optional
    # +k8s:listType=map
    # +k8s:listMapKey=name
    env: list[EnvVar] = field(default_factory=list)
    resources: ResourceRequirements = field(default_factory=ResourceRequirements)
    # +k8s:optional
    resize_policy: list[ContainerResizePolicy] = field(default_factory=list)
    # +k8s:optional
    restart_policy: ContainerRestartPolicy | None = None
    # +k8s:optional
    restart_policy_rules: list[ContainerRestartRule] = field(default_factory=list)
    # +k8s:optional
    # +k8s:listType=map
    # +k8s:listMapKey=mountPath
    volume_mounts: list[VolumeMount] = field(default_factory=list)
    # +k8s:optional
    # +k8s:listType=map
    # +k8s:listMapKey=devicePath
    volume_devices: list[VolumeDevice] = field(default_factory=list)
    # +k8s:optional
    liveness_probe: Probe | None = None
    # +k8s:optional
    readiness_probe: Probe | None = None
    # +k8s:optional
    startup_probe: Probe | None = None
    # +k8s:optional
    lifecycle: Lifecycle | None = None
    # +k8s:optional
    # +k8s:maxLength=4096
    termination_message_path: str = ""
    # +k8s:optional
    termination_message_policy: TerminationMessagePolicy | None = None
    # +k8s:optional
    image_pull_policy: PullPolicy | None = None
    # +k8s:optional
    security_context: SecurityContext | None = None
    stdin: bool = False
    stdin_once: bool = False
    tty: bool = False


@dataclass(kw_only=True)
class EphemeralContainer:
    ephemeral_container_common: Annotated[EphemeralContainerCommon, Inline]
    target_container_name: str = ""


@dataclass(kw_only=True)
class EvictionResponder:
    # +k8s:required
    name: str
    # +k8s:required
    priority: Annotated[int, Int32] | None


@dataclass(kw_only=True)
class PodTemplateSpec:
    metadata: ObjectMeta = field(default_factory=ObjectMeta)
    # +k8s:required
    spec: PodSpec | None


ResourceList: TypeAlias = dict[str, Quantity]


@dataclass(kw_only=True)
class TypedLocalObjectReference:
    api_group: str | None = None
    # +k8s:required
    kind: str
    # +k8s:required
    name: str


@dataclass(kw_only=True)
class DownwardAPIVolumeSource:
    # +k8s:optional
    items: list[DownwardAPIVolumeFile] = field(default_factory=list)
    # +k8s:optional
    # +k8s:minimum=0
    # +k8s:maximum=511
    default_mode: Annotated[int, Int32] | None = None
    default_user: int | None = None


@dataclass(kw_only=True)
class DownwardAPIVolumeFile:
    # +k8s:required
    path: str
    # +k8s:optional
    field_ref: ObjectFieldSelector | None = None
    # +k8s:optional
    resource_field_ref: ResourceFieldSelector | None = None
    mode: Annotated[int, Int32] | None = None
    user: int | None = None


@dataclass(kw_only=True)
class DownwardAPIProjection:
    # +k8s:optional
    items: list[DownwardAPIVolumeFile] = field(default_factory=list)


@dataclass(kw_only=True)
class SecurityContext:
    capabilities: Capabilities | None = None
    privileged: bool | None = None
    se_linux_options: SELinuxOptions | None = None
    windows_options: WindowsSecurityContextOptions | None = None
    # +k8s:optional
    # +k8s:minimum=0
    run_as_user: int | None = None
    # +k8s:optional
    # +k8s:minimum=0
    run_as_group: int | None = None
    run_as_non_root: bool | None = None
    read_only_root_filesystem: bool | None = None
    allow_privilege_escalation: bool | None = None
    # +k8s:optional
    proc_mount: ProcMountType | None = None
    # +k8s:optional
    seccomp_profile: SeccompProfile | None = None
    # +k8s:optional
    app_armor_profile: AppArmorProfile | None = None


class ProcMountType(str, Enum):
    DEFAULT = "Default"
    UNMASKED = "Unmasked"


@dataclass(kw_only=True)
class SELinuxOptions:
    user: str = ""
    role: str = ""
    type: str = ""
    level: str = ""


@dataclass(kw_only=True)
class WindowsSecurityContextOptions:
    gmsa_credential_spec_name: str | None = None
    gmsa_credential_spec: str | None = None
    run_as_user_name: str | None = None
    host_process: bool | None = None


@dataclass(kw_only=True)
class Sysctl:
    # +k8s:required
    name: str
    # +k8s:required
    value: str | None


@dataclass(kw_only=True)
class ImageVolumeSource:
    reference: str = ""
    # +k8s:optional
    pull_policy: PullPolicy | None = None


@dataclass(kw_only=True)
class LabelSelector:
    # +k8s:optional
    # +k8s:eachVal=+k8s:format=k8s-label-value
    match_labels: dict[str, str] = field(default_factory=dict)
    # +k8s:optional
    match_expressions: list[LabelSelectorRequirement] = field(default_factory=list)


@dataclass(kw_only=True)
class LabelSelectorRequirement:
    # +k8s:required
    key: str
    # +k8s:required
    operator: LabelSelectorOperator
    values: list[str] = field(default_factory=list)


class LabelSelectorOperator(str, Enum):
    IN = "In"
    NOT_IN = "NotIn"
    EXISTS = "Exists"
    DOES_NOT_EXIST = "DoesNotExist"
