// Code generated from k8s.io/api by tests/sources/facts.py. DO NOT EDIT.

// +groupName=
package v1

import intstr "k8s.io/apimachinery/pkg/util/intstr"
import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
import resource "k8s.io/apimachinery/pkg/api/resource"
import types "k8s.io/apimachinery/pkg/types"

const (
ImagePolicyFailedOpenKey string = "alpha.image-policy.k8s.io/failed-open"
MirrorPodAnnotationKey string = "kubernetes.io/config.mirror"
TolerationsAnnotationKey string = "scheduler.alpha.kubernetes.io/tolerations"
TaintsAnnotationKey string = "scheduler.alpha.kubernetes.io/taints"
SeccompPodAnnotationKey string = "seccomp.security.alpha.kubernetes.io/pod"
SeccompContainerAnnotationKeyPrefix string = "container.seccomp.security.alpha.kubernetes.io/"
SeccompProfileRuntimeDefault string = "runtime/default"
SeccompProfileNameUnconfined string = "unconfined"
SeccompLocalhostProfileNamePrefix = "localhost/"
DeprecatedAppArmorBetaContainerAnnotationKeyPrefix = "container.apparmor.security.beta.kubernetes.io/"
DeprecatedAppArmorBetaProfileRuntimeDefault = "runtime/default"
DeprecatedAppArmorBetaProfileNamePrefix = "localhost/"
DeprecatedAppArmorBetaProfileNameUnconfined = "unconfined"
DeprecatedSeccompProfileDockerDefault string = "docker/default"
PreferAvoidPodsAnnotationKey string = "scheduler.alpha.kubernetes.io/preferAvoidPods"
ObjectTTLAnnotationKey string = "node.alpha.kubernetes.io/ttl"
NonConvertibleAnnotationPrefix = "non-convertible.kubernetes.io"
kubectlPrefix = "kubectl.kubernetes.io/"
LastAppliedConfigAnnotation = kubectlPrefix + "last-applied-configuration"
AnnotationLoadBalancerSourceRangesKey = "service.beta.kubernetes.io/load-balancer-source-ranges"
EndpointsLastChangeTriggerTime = "endpoints.kubernetes.io/last-change-trigger-time"
EndpointsOverCapacity = "endpoints.kubernetes.io/over-capacity"
MigratedPluginsAnnotationKey = "storage.alpha.kubernetes.io/migrated-plugins"
PodDeletionCost = "controller.kubernetes.io/pod-deletion-cost"
DeprecatedAnnotationTopologyAwareHints = "service.kubernetes.io/topology-aware-hints"
AnnotationTopologyMode = "service.kubernetes.io/topology-mode"
)
//release 1.35 1.36 1.37




//release

const GroupName = ""







const (
NamespaceDefault string = "default"
NamespaceAll string = ""
NamespaceNodeLease string = "kube-node-lease"
)

type Volume struct {
Name string `json:"name"`
//release 1.33 1.34 1.35 1.36
VolumeSource `json:",inline"`
//release 1.37
VolumeSource `json:""`
//release
}

type VolumeSource struct {
// +optional
HostPath *HostPathVolumeSource `json:"hostPath,omitempty"`
// +optional
EmptyDir *EmptyDirVolumeSource `json:"emptyDir,omitempty"`
// +optional
GCEPersistentDisk *GCEPersistentDiskVolumeSource `json:"gcePersistentDisk,omitempty"`
// +optional
AWSElasticBlockStore *AWSElasticBlockStoreVolumeSource `json:"awsElasticBlockStore,omitempty"`
// +optional
GitRepo *GitRepoVolumeSource `json:"gitRepo,omitempty"`
// +optional
Secret *SecretVolumeSource `json:"secret,omitempty"`
// +optional
NFS *NFSVolumeSource `json:"nfs,omitempty"`
// +optional
ISCSI *ISCSIVolumeSource `json:"iscsi,omitempty"`
// +optional
Glusterfs *GlusterfsVolumeSource `json:"glusterfs,omitempty"`
// +optional
PersistentVolumeClaim *PersistentVolumeClaimVolumeSource `json:"persistentVolumeClaim,omitempty"`
// +optional
RBD *RBDVolumeSource `json:"rbd,omitempty"`
// +optional
FlexVolume *FlexVolumeSource `json:"flexVolume,omitempty"`
// +optional
Cinder *CinderVolumeSource `json:"cinder,omitempty"`
// +optional
CephFS *CephFSVolumeSource `json:"cephfs,omitempty"`
// +optional
Flocker *FlockerVolumeSource `json:"flocker,omitempty"`
// +optional
DownwardAPI *DownwardAPIVolumeSource `json:"downwardAPI,omitempty"`
// +optional
FC *FCVolumeSource `json:"fc,omitempty"`
// +optional
AzureFile *AzureFileVolumeSource `json:"azureFile,omitempty"`
// +optional
ConfigMap *ConfigMapVolumeSource `json:"configMap,omitempty"`
// +optional
VsphereVolume *VsphereVirtualDiskVolumeSource `json:"vsphereVolume,omitempty"`
// +optional
Quobyte *QuobyteVolumeSource `json:"quobyte,omitempty"`
// +optional
AzureDisk *AzureDiskVolumeSource `json:"azureDisk,omitempty"`
PhotonPersistentDisk *PhotonPersistentDiskVolumeSource `json:"photonPersistentDisk,omitempty"`
Projected *ProjectedVolumeSource `json:"projected,omitempty"`
// +optional
PortworxVolume *PortworxVolumeSource `json:"portworxVolume,omitempty"`
// +optional
ScaleIO *ScaleIOVolumeSource `json:"scaleIO,omitempty"`
// +optional
StorageOS *StorageOSVolumeSource `json:"storageos,omitempty"`
// +optional
CSI *CSIVolumeSource `json:"csi,omitempty"`
// +optional
Ephemeral *EphemeralVolumeSource `json:"ephemeral,omitempty"`
// +optional
Image *ImageVolumeSource `json:"image,omitempty"`
}

type PersistentVolumeClaimVolumeSource struct {
ClaimName string `json:"claimName"`
// +optional
ReadOnly bool `json:"readOnly,omitempty"`
}

type PersistentVolumeSource struct {
// +optional
GCEPersistentDisk *GCEPersistentDiskVolumeSource `json:"gcePersistentDisk,omitempty"`
// +optional
AWSElasticBlockStore *AWSElasticBlockStoreVolumeSource `json:"awsElasticBlockStore,omitempty"`
// +optional
HostPath *HostPathVolumeSource `json:"hostPath,omitempty"`
// +optional
Glusterfs *GlusterfsPersistentVolumeSource `json:"glusterfs,omitempty"`
// +optional
NFS *NFSVolumeSource `json:"nfs,omitempty"`
// +optional
RBD *RBDPersistentVolumeSource `json:"rbd,omitempty"`
// +optional
ISCSI *ISCSIPersistentVolumeSource `json:"iscsi,omitempty"`
// +optional
Cinder *CinderPersistentVolumeSource `json:"cinder,omitempty"`
// +optional
CephFS *CephFSPersistentVolumeSource `json:"cephfs,omitempty"`
// +optional
FC *FCVolumeSource `json:"fc,omitempty"`
// +optional
Flocker *FlockerVolumeSource `json:"flocker,omitempty"`
// +optional
FlexVolume *FlexPersistentVolumeSource `json:"flexVolume,omitempty"`
// +optional
AzureFile *AzureFilePersistentVolumeSource `json:"azureFile,omitempty"`
// +optional
VsphereVolume *VsphereVirtualDiskVolumeSource `json:"vsphereVolume,omitempty"`
// +optional
Quobyte *QuobyteVolumeSource `json:"quobyte,omitempty"`
// +optional
AzureDisk *AzureDiskVolumeSource `json:"azureDisk,omitempty"`
PhotonPersistentDisk *PhotonPersistentDiskVolumeSource `json:"photonPersistentDisk,omitempty"`
// +optional
PortworxVolume *PortworxVolumeSource `json:"portworxVolume,omitempty"`
// +optional
ScaleIO *ScaleIOPersistentVolumeSource `json:"scaleIO,omitempty"`
// +optional
Local *LocalVolumeSource `json:"local,omitempty"`
// +optional
StorageOS *StorageOSPersistentVolumeSource `json:"storageos,omitempty"`
// +optional
CSI *CSIPersistentVolumeSource `json:"csi,omitempty"`
}

const (
BetaStorageClassAnnotation = "volume.beta.kubernetes.io/storage-class"
MountOptionAnnotation = "volume.beta.kubernetes.io/mount-options"
)

//release 1.37
// +k8s:supportsSubresource="/status"
//release
type PersistentVolume struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
Spec PersistentVolumeSpec `json:"spec,omitempty"`
// +optional
Status PersistentVolumeStatus `json:"status,omitempty"`
}

type PersistentVolumeSpec struct {
// +optional
Capacity ResourceList `json:"capacity,omitempty"`
//release 1.33 1.34 1.35 1.36
PersistentVolumeSource `json:",inline"`
//release 1.37
PersistentVolumeSource `json:""`
//release
// +optional
// +listType=atomic
AccessModes []PersistentVolumeAccessMode `json:"accessModes,omitempty"`
// +optional
// +structType=granular
ClaimRef *ObjectReference `json:"claimRef,omitempty"`
// +optional
PersistentVolumeReclaimPolicy PersistentVolumeReclaimPolicy `json:"persistentVolumeReclaimPolicy,omitempty"`
// +optional
StorageClassName string `json:"storageClassName,omitempty"`
// +optional
// +listType=atomic
MountOptions []string `json:"mountOptions,omitempty"`
// +optional
VolumeMode *PersistentVolumeMode `json:"volumeMode,omitempty"`
// +optional
NodeAffinity *VolumeNodeAffinity `json:"nodeAffinity,omitempty"`
// +optional
VolumeAttributesClassName *string `json:"volumeAttributesClassName,omitempty"`
}

type VolumeNodeAffinity struct {
Required *NodeSelector `json:"required,omitempty"`
}

// +enum
type PersistentVolumeReclaimPolicy string

const (
PersistentVolumeReclaimRecycle PersistentVolumeReclaimPolicy = "Recycle"
PersistentVolumeReclaimDelete PersistentVolumeReclaimPolicy = "Delete"
PersistentVolumeReclaimRetain PersistentVolumeReclaimPolicy = "Retain"
)

// +enum
type PersistentVolumeMode string

const (
PersistentVolumeBlock PersistentVolumeMode = "Block"
PersistentVolumeFilesystem PersistentVolumeMode = "Filesystem"
)

type PersistentVolumeStatus struct {
// +optional
Phase PersistentVolumePhase `json:"phase,omitempty"`
// +optional
Message string `json:"message,omitempty"`
// +optional
Reason string `json:"reason,omitempty"`
// +optional
LastPhaseTransitionTime *metav1.Time `json:"lastPhaseTransitionTime,omitempty"`
}

type PersistentVolumeList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []PersistentVolume `json:"items"`
}

//release 1.37
// +k8s:supportsSubresource="/status"
//release
type PersistentVolumeClaim struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
Spec PersistentVolumeClaimSpec `json:"spec,omitempty"`
// +optional
Status PersistentVolumeClaimStatus `json:"status,omitempty"`
}

type PersistentVolumeClaimList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []PersistentVolumeClaim `json:"items"`
}

type PersistentVolumeClaimSpec struct {
// +optional
// +listType=atomic
AccessModes []PersistentVolumeAccessMode `json:"accessModes,omitempty"`
// +optional
Selector *metav1.LabelSelector `json:"selector,omitempty"`
// +optional
Resources VolumeResourceRequirements `json:"resources,omitempty"`
// +optional
VolumeName string `json:"volumeName,omitempty"`
// +optional
StorageClassName *string `json:"storageClassName,omitempty"`
// +optional
VolumeMode *PersistentVolumeMode `json:"volumeMode,omitempty"`
// +optional
DataSource *TypedLocalObjectReference `json:"dataSource,omitempty"`
// +optional
DataSourceRef *TypedObjectReference `json:"dataSourceRef,omitempty"`
// +optional
VolumeAttributesClassName *string `json:"volumeAttributesClassName,omitempty"`
}

type TypedObjectReference struct {
// +optional
APIGroup *string `json:"apiGroup"`
Kind string `json:"kind"`
Name string `json:"name"`
// +optional
Namespace *string `json:"namespace,omitempty"`
}

type PersistentVolumeClaimConditionType string

const (
PersistentVolumeClaimResizing PersistentVolumeClaimConditionType = "Resizing"
PersistentVolumeClaimFileSystemResizePending PersistentVolumeClaimConditionType = "FileSystemResizePending"
PersistentVolumeClaimControllerResizeError PersistentVolumeClaimConditionType = "ControllerResizeError"
PersistentVolumeClaimNodeResizeError PersistentVolumeClaimConditionType = "NodeResizeError"
PersistentVolumeClaimVolumeModifyVolumeError PersistentVolumeClaimConditionType = "ModifyVolumeError"
PersistentVolumeClaimVolumeModifyingVolume PersistentVolumeClaimConditionType = "ModifyingVolume"
//release 1.36 1.37
PersistentVolumeClaimUnused PersistentVolumeClaimConditionType = "Unused"
//release
)

// +enum
type ClaimResourceStatus string

const (
PersistentVolumeClaimControllerResizeInProgress ClaimResourceStatus = "ControllerResizeInProgress"
PersistentVolumeClaimControllerResizeInfeasible ClaimResourceStatus = "ControllerResizeInfeasible"
PersistentVolumeClaimNodeResizePending ClaimResourceStatus = "NodeResizePending"
PersistentVolumeClaimNodeResizeInProgress ClaimResourceStatus = "NodeResizeInProgress"
PersistentVolumeClaimNodeResizeInfeasible ClaimResourceStatus = "NodeResizeInfeasible"
)

// +enum
type PersistentVolumeClaimModifyVolumeStatus string

const (
PersistentVolumeClaimModifyVolumePending PersistentVolumeClaimModifyVolumeStatus = "Pending"
PersistentVolumeClaimModifyVolumeInProgress PersistentVolumeClaimModifyVolumeStatus = "InProgress"
PersistentVolumeClaimModifyVolumeInfeasible PersistentVolumeClaimModifyVolumeStatus = "Infeasible"
)

type ModifyVolumeStatus struct {
TargetVolumeAttributesClassName string `json:"targetVolumeAttributesClassName,omitempty"`
Status PersistentVolumeClaimModifyVolumeStatus `json:"status"`
}

type PersistentVolumeClaimCondition struct {
Type PersistentVolumeClaimConditionType `json:"type"`
Status ConditionStatus `json:"status"`
// +optional
LastProbeTime metav1.Time `json:"lastProbeTime,omitempty"`
// +optional
LastTransitionTime metav1.Time `json:"lastTransitionTime,omitempty"`
// +optional
Reason string `json:"reason,omitempty"`
// +optional
Message string `json:"message,omitempty"`
}

//release 1.37
// +enum
// +k8s:enum
type VolumeHealthStatusType string

const (
VolumeHealthInaccessible VolumeHealthStatusType = "Inaccessible"
VolumeHealthDataLoss VolumeHealthStatusType = "DataLoss"
VolumeHealthDegraded VolumeHealthStatusType = "Degraded"
)

type VolumeHealthCondition struct {
// +required
// +k8s:required
Status VolumeHealthStatusType `json:"status"`
// +required
// +k8s:required
// +k8s:maxBytes=256
Reason string `json:"reason"`
// +optional
// +k8s:optional
// +k8s:maxBytes=1024
Message string `json:"message,omitempty"`
}

type VolumeHealthStatus struct {
// +optional
// +listType=map
// +listMapKey=status
// +patchMergeKey=status
// +patchStrategy=merge
// +listMapKey=reason
// +k8s:optional
// +k8s:listType=map
// +k8s:listMapKey=status
// +k8s:listMapKey=reason
// +k8s:maxItems=16
HealthConditions []VolumeHealthCondition `json:"healthConditions,omitempty" patchStrategy:"merge" patchMergeKey:"status"`
// +optional
LastTransitionTime metav1.Time `json:"lastTransitionTime,omitempty"`
}

type PodVolumeHealth struct {
// +required
// +k8s:required
Name string `json:"name"`
// +optional
// +listType=map
// +listMapKey=status
// +patchMergeKey=status
// +patchStrategy=merge
// +listMapKey=reason
// +k8s:optional
// +k8s:listType=map
// +k8s:listMapKey=status
// +k8s:listMapKey=reason
// +k8s:maxItems=16
HealthConditions []VolumeHealthCondition `json:"healthConditions,omitempty" patchStrategy:"merge" patchMergeKey:"status"`
// +optional
LastTransitionTime metav1.Time `json:"lastTransitionTime,omitempty"`
}

//release
type PersistentVolumeClaimStatus struct {
// +optional
Phase PersistentVolumeClaimPhase `json:"phase,omitempty"`
// +optional
// +listType=atomic
AccessModes []PersistentVolumeAccessMode `json:"accessModes,omitempty"`
// +optional
Capacity ResourceList `json:"capacity,omitempty"`
// +optional
// +patchMergeKey=type
// +patchStrategy=merge
// +listType=map
// +listMapKey=type
Conditions []PersistentVolumeClaimCondition `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type"`
// +optional
AllocatedResources ResourceList `json:"allocatedResources,omitempty"`
// +mapType=granular
// +optional
AllocatedResourceStatuses map[ResourceName]ClaimResourceStatus `json:"allocatedResourceStatuses,omitempty"`
// +optional
CurrentVolumeAttributesClassName *string `json:"currentVolumeAttributesClassName,omitempty"`
// +optional
ModifyVolumeStatus *ModifyVolumeStatus `json:"modifyVolumeStatus,omitempty"`
//release 1.37
// +optional
// +k8s:optional
HealthStatus *VolumeHealthStatus `json:"healthStatus,omitempty"`
//release
}

// +enum
type PersistentVolumeAccessMode string

const (
ReadWriteOnce PersistentVolumeAccessMode = "ReadWriteOnce"
ReadOnlyMany PersistentVolumeAccessMode = "ReadOnlyMany"
ReadWriteMany PersistentVolumeAccessMode = "ReadWriteMany"
ReadWriteOncePod PersistentVolumeAccessMode = "ReadWriteOncePod"
)

// +enum
type PersistentVolumePhase string

const (
VolumePending PersistentVolumePhase = "Pending"
VolumeAvailable PersistentVolumePhase = "Available"
VolumeBound PersistentVolumePhase = "Bound"
VolumeReleased PersistentVolumePhase = "Released"
VolumeFailed PersistentVolumePhase = "Failed"
)

// +enum
type PersistentVolumeClaimPhase string

const (
ClaimPending PersistentVolumeClaimPhase = "Pending"
ClaimBound PersistentVolumeClaimPhase = "Bound"
ClaimLost PersistentVolumeClaimPhase = "Lost"
)

// +enum
type HostPathType string

const (
HostPathUnset HostPathType = ""
HostPathDirectoryOrCreate HostPathType = "DirectoryOrCreate"
HostPathDirectory HostPathType = "Directory"
HostPathFileOrCreate HostPathType = "FileOrCreate"
HostPathFile HostPathType = "File"
HostPathSocket HostPathType = "Socket"
HostPathCharDev HostPathType = "CharDevice"
HostPathBlockDev HostPathType = "BlockDevice"
)

type HostPathVolumeSource struct {
Path string `json:"path"`
// +optional
Type *HostPathType `json:"type,omitempty"`
}

type EmptyDirVolumeSource struct {
// +optional
Medium StorageMedium `json:"medium,omitempty"`
// +optional
SizeLimit *resource.Quantity `json:"sizeLimit,omitempty"`
//release 1.37
// +optional
Mode *int32 `json:"mode,omitempty"`
//release
}

type GlusterfsVolumeSource struct {
EndpointsName string `json:"endpoints"`
Path string `json:"path"`
// +optional
ReadOnly bool `json:"readOnly,omitempty"`
}

type GlusterfsPersistentVolumeSource struct {
EndpointsName string `json:"endpoints"`
Path string `json:"path"`
// +optional
ReadOnly bool `json:"readOnly,omitempty"`
// +optional
EndpointsNamespace *string `json:"endpointsNamespace,omitempty"`
}

type RBDVolumeSource struct {
// +listType=atomic
CephMonitors []string `json:"monitors"`
RBDImage string `json:"image"`
// +optional
FSType string `json:"fsType,omitempty"`
// +optional
// +default="rbd"
RBDPool string `json:"pool,omitempty"`
// +optional
// +default="admin"
RadosUser string `json:"user,omitempty"`
// +optional
// +default="/etc/ceph/keyring"
Keyring string `json:"keyring,omitempty"`
// +optional
SecretRef *LocalObjectReference `json:"secretRef,omitempty"`
// +optional
ReadOnly bool `json:"readOnly,omitempty"`
}

type RBDPersistentVolumeSource struct {
// +listType=atomic
CephMonitors []string `json:"monitors"`
RBDImage string `json:"image"`
// +optional
FSType string `json:"fsType,omitempty"`
// +optional
// +default="rbd"
RBDPool string `json:"pool,omitempty"`
// +optional
// +default="admin"
RadosUser string `json:"user,omitempty"`
// +optional
// +default="/etc/ceph/keyring"
Keyring string `json:"keyring,omitempty"`
// +optional
SecretRef *SecretReference `json:"secretRef,omitempty"`
// +optional
ReadOnly bool `json:"readOnly,omitempty"`
}

type CinderVolumeSource struct {
VolumeID string `json:"volumeID"`
// +optional
FSType string `json:"fsType,omitempty"`
// +optional
ReadOnly bool `json:"readOnly,omitempty"`
// +optional
SecretRef *LocalObjectReference `json:"secretRef,omitempty"`
}

type CinderPersistentVolumeSource struct {
VolumeID string `json:"volumeID"`
// +optional
FSType string `json:"fsType,omitempty"`
// +optional
ReadOnly bool `json:"readOnly,omitempty"`
// +optional
SecretRef *SecretReference `json:"secretRef,omitempty"`
}

type CephFSVolumeSource struct {
// +listType=atomic
Monitors []string `json:"monitors"`
// +optional
Path string `json:"path,omitempty"`
// +optional
User string `json:"user,omitempty"`
// +optional
SecretFile string `json:"secretFile,omitempty"`
// +optional
SecretRef *LocalObjectReference `json:"secretRef,omitempty"`
// +optional
ReadOnly bool `json:"readOnly,omitempty"`
}

// +structType=atomic
type SecretReference struct {
// +optional
Name string `json:"name,omitempty"`
// +optional
Namespace string `json:"namespace,omitempty"`
}

type CephFSPersistentVolumeSource struct {
// +listType=atomic
Monitors []string `json:"monitors"`
// +optional
Path string `json:"path,omitempty"`
// +optional
User string `json:"user,omitempty"`
// +optional
SecretFile string `json:"secretFile,omitempty"`
// +optional
SecretRef *SecretReference `json:"secretRef,omitempty"`
// +optional
ReadOnly bool `json:"readOnly,omitempty"`
}

type FlockerVolumeSource struct {
// +optional
DatasetName string `json:"datasetName,omitempty"`
// +optional
DatasetUUID string `json:"datasetUUID,omitempty"`
}

type StorageMedium string

const (
StorageMediumDefault StorageMedium = ""
StorageMediumMemory StorageMedium = "Memory"
StorageMediumHugePages StorageMedium = "HugePages"
StorageMediumHugePagesPrefix StorageMedium = "HugePages-"
)

// +enum
type Protocol string

const (
ProtocolTCP Protocol = "TCP"
ProtocolUDP Protocol = "UDP"
ProtocolSCTP Protocol = "SCTP"
)

type GCEPersistentDiskVolumeSource struct {
PDName string `json:"pdName"`
// +optional
FSType string `json:"fsType,omitempty"`
// +optional
Partition int32 `json:"partition,omitempty"`
// +optional
ReadOnly bool `json:"readOnly,omitempty"`
}

type QuobyteVolumeSource struct {
Registry string `json:"registry"`
Volume string `json:"volume"`
// +optional
ReadOnly bool `json:"readOnly,omitempty"`
// +optional
User string `json:"user,omitempty"`
// +optional
Group string `json:"group,omitempty"`
// +optional
Tenant string `json:"tenant,omitempty"`
}

type FlexPersistentVolumeSource struct {
Driver string `json:"driver"`
// +optional
FSType string `json:"fsType,omitempty"`
// +optional
SecretRef *SecretReference `json:"secretRef,omitempty"`
// +optional
ReadOnly bool `json:"readOnly,omitempty"`
// +optional
Options map[string]string `json:"options,omitempty"`
}

type FlexVolumeSource struct {
Driver string `json:"driver"`
// +optional
FSType string `json:"fsType,omitempty"`
// +optional
SecretRef *LocalObjectReference `json:"secretRef,omitempty"`
// +optional
ReadOnly bool `json:"readOnly,omitempty"`
// +optional
Options map[string]string `json:"options,omitempty"`
}

type AWSElasticBlockStoreVolumeSource struct {
VolumeID string `json:"volumeID"`
// +optional
FSType string `json:"fsType,omitempty"`
// +optional
Partition int32 `json:"partition,omitempty"`
// +optional
ReadOnly bool `json:"readOnly,omitempty"`
}

type GitRepoVolumeSource struct {
Repository string `json:"repository"`
// +optional
Revision string `json:"revision,omitempty"`
// +optional
Directory string `json:"directory,omitempty"`
}

type SecretVolumeSource struct {
// +optional
SecretName string `json:"secretName,omitempty"`
// +optional
// +listType=atomic
Items []KeyToPath `json:"items,omitempty"`
// +optional
DefaultMode *int32 `json:"defaultMode,omitempty"`
// +optional
Optional *bool `json:"optional,omitempty"`
//release 1.37
// +optional
DefaultUser *int64 `json:"defaultUser,omitempty"`
//release
}

const (
SecretVolumeSourceDefaultMode int32 = 0644
)

type SecretProjection struct {
//release 1.33 1.34 1.35 1.36
LocalObjectReference `json:",inline"`
//release 1.37
LocalObjectReference `json:""`
//release
// +optional
// +listType=atomic
Items []KeyToPath `json:"items,omitempty"`
// +optional
Optional *bool `json:"optional,omitempty"`
}

type NFSVolumeSource struct {
Server string `json:"server"`
Path string `json:"path"`
// +optional
ReadOnly bool `json:"readOnly,omitempty"`
}

type ISCSIVolumeSource struct {
TargetPortal string `json:"targetPortal"`
IQN string `json:"iqn"`
Lun int32 `json:"lun"`
// +optional
// +default="default"
ISCSIInterface string `json:"iscsiInterface,omitempty"`
// +optional
FSType string `json:"fsType,omitempty"`
// +optional
ReadOnly bool `json:"readOnly,omitempty"`
// +optional
// +listType=atomic
Portals []string `json:"portals,omitempty"`
// +optional
DiscoveryCHAPAuth bool `json:"chapAuthDiscovery,omitempty"`
// +optional
SessionCHAPAuth bool `json:"chapAuthSession,omitempty"`
// +optional
SecretRef *LocalObjectReference `json:"secretRef,omitempty"`
// +optional
InitiatorName *string `json:"initiatorName,omitempty"`
}

type ISCSIPersistentVolumeSource struct {
TargetPortal string `json:"targetPortal"`
IQN string `json:"iqn"`
Lun int32 `json:"lun"`
// +optional
// +default="default"
ISCSIInterface string `json:"iscsiInterface,omitempty"`
// +optional
FSType string `json:"fsType,omitempty"`
// +optional
ReadOnly bool `json:"readOnly,omitempty"`
// +optional
// +listType=atomic
Portals []string `json:"portals,omitempty"`
// +optional
DiscoveryCHAPAuth bool `json:"chapAuthDiscovery,omitempty"`
// +optional
SessionCHAPAuth bool `json:"chapAuthSession,omitempty"`
// +optional
SecretRef *SecretReference `json:"secretRef,omitempty"`
// +optional
InitiatorName *string `json:"initiatorName,omitempty"`
}

type FCVolumeSource struct {
// +optional
// +listType=atomic
TargetWWNs []string `json:"targetWWNs,omitempty"`
// +optional
Lun *int32 `json:"lun,omitempty"`
// +optional
FSType string `json:"fsType,omitempty"`
// +optional
ReadOnly bool `json:"readOnly,omitempty"`
// +optional
// +listType=atomic
WWIDs []string `json:"wwids,omitempty"`
}

type AzureFileVolumeSource struct {
SecretName string `json:"secretName"`
ShareName string `json:"shareName"`
// +optional
ReadOnly bool `json:"readOnly,omitempty"`
}

type AzureFilePersistentVolumeSource struct {
SecretName string `json:"secretName"`
ShareName string `json:"shareName"`
// +optional
ReadOnly bool `json:"readOnly,omitempty"`
// +optional
SecretNamespace *string `json:"secretNamespace"`
}

type VsphereVirtualDiskVolumeSource struct {
VolumePath string `json:"volumePath"`
// +optional
FSType string `json:"fsType,omitempty"`
// +optional
StoragePolicyName string `json:"storagePolicyName,omitempty"`
// +optional
StoragePolicyID string `json:"storagePolicyID,omitempty"`
}

type PhotonPersistentDiskVolumeSource struct {
PdID string `json:"pdID"`
FSType string `json:"fsType,omitempty"`
}

// +enum
type AzureDataDiskCachingMode string

// +enum
type AzureDataDiskKind string

const (
AzureDataDiskCachingNone AzureDataDiskCachingMode = "None"
AzureDataDiskCachingReadOnly AzureDataDiskCachingMode = "ReadOnly"
AzureDataDiskCachingReadWrite AzureDataDiskCachingMode = "ReadWrite"
AzureSharedBlobDisk AzureDataDiskKind = "Shared"
AzureDedicatedBlobDisk AzureDataDiskKind = "Dedicated"
AzureManagedDisk AzureDataDiskKind = "Managed"
)

type AzureDiskVolumeSource struct {
DiskName string `json:"diskName"`
DataDiskURI string `json:"diskURI"`
// +optional
// +default=ref(AzureDataDiskCachingReadWrite)
CachingMode *AzureDataDiskCachingMode `json:"cachingMode,omitempty"`
// +optional
// +default="ext4"
FSType *string `json:"fsType,omitempty"`
// +optional
// +default=false
ReadOnly *bool `json:"readOnly,omitempty"`
// +default=ref(AzureSharedBlobDisk)
Kind *AzureDataDiskKind `json:"kind,omitempty"`
}

type PortworxVolumeSource struct {
VolumeID string `json:"volumeID"`
FSType string `json:"fsType,omitempty"`
// +optional
ReadOnly bool `json:"readOnly,omitempty"`
}

type ScaleIOVolumeSource struct {
Gateway string `json:"gateway"`
System string `json:"system"`
SecretRef *LocalObjectReference `json:"secretRef"`
// +optional
SSLEnabled bool `json:"sslEnabled,omitempty"`
// +optional
ProtectionDomain string `json:"protectionDomain,omitempty"`
// +optional
StoragePool string `json:"storagePool,omitempty"`
// +optional
// +default="ThinProvisioned"
StorageMode string `json:"storageMode,omitempty"`
VolumeName string `json:"volumeName,omitempty"`
// +optional
// +default="xfs"
FSType string `json:"fsType,omitempty"`
// +optional
ReadOnly bool `json:"readOnly,omitempty"`
}

type ScaleIOPersistentVolumeSource struct {
Gateway string `json:"gateway"`
System string `json:"system"`
SecretRef *SecretReference `json:"secretRef"`
// +optional
SSLEnabled bool `json:"sslEnabled,omitempty"`
// +optional
ProtectionDomain string `json:"protectionDomain,omitempty"`
// +optional
StoragePool string `json:"storagePool,omitempty"`
// +optional
// +default="ThinProvisioned"
StorageMode string `json:"storageMode,omitempty"`
VolumeName string `json:"volumeName,omitempty"`
// +optional
// +default="xfs"
FSType string `json:"fsType,omitempty"`
// +optional
ReadOnly bool `json:"readOnly,omitempty"`
}

type StorageOSVolumeSource struct {
VolumeName string `json:"volumeName,omitempty"`
// +optional
VolumeNamespace string `json:"volumeNamespace,omitempty"`
// +optional
FSType string `json:"fsType,omitempty"`
// +optional
ReadOnly bool `json:"readOnly,omitempty"`
// +optional
SecretRef *LocalObjectReference `json:"secretRef,omitempty"`
}

type StorageOSPersistentVolumeSource struct {
VolumeName string `json:"volumeName,omitempty"`
// +optional
VolumeNamespace string `json:"volumeNamespace,omitempty"`
// +optional
FSType string `json:"fsType,omitempty"`
// +optional
ReadOnly bool `json:"readOnly,omitempty"`
// +optional
SecretRef *ObjectReference `json:"secretRef,omitempty"`
}

type ConfigMapVolumeSource struct {
//release 1.33 1.34 1.35 1.36
LocalObjectReference `json:",inline"`
//release 1.37
LocalObjectReference `json:""`
//release
// +optional
// +listType=atomic
Items []KeyToPath `json:"items,omitempty"`
// +optional
DefaultMode *int32 `json:"defaultMode,omitempty"`
// +optional
Optional *bool `json:"optional,omitempty"`
//release 1.37
// +optional
DefaultUser *int64 `json:"defaultUser,omitempty"`
//release
}

const (
ConfigMapVolumeSourceDefaultMode int32 = 0644
)

type ConfigMapProjection struct {
//release 1.33 1.34 1.35 1.36
LocalObjectReference `json:",inline"`
//release 1.37
LocalObjectReference `json:""`
//release
// +optional
// +listType=atomic
Items []KeyToPath `json:"items,omitempty"`
// +optional
Optional *bool `json:"optional,omitempty"`
}

type ServiceAccountTokenProjection struct {
// +optional
Audience string `json:"audience,omitempty"`
// +optional
ExpirationSeconds *int64 `json:"expirationSeconds,omitempty"`
Path string `json:"path"`
//release 1.37
// +optional
User *int64 `json:"user,omitempty"`
//release
}

type ClusterTrustBundleProjection struct {
// +optional
Name *string `json:"name,omitempty"`
// +optional
SignerName *string `json:"signerName,omitempty"`
// +optional
LabelSelector *metav1.LabelSelector `json:"labelSelector,omitempty"`
// +optional
Optional *bool `json:"optional,omitempty"`
Path string `json:"path"`
//release 1.37
// +optional
User *int64 `json:"user,omitempty"`
//release
}

//release 1.34 1.35 1.36 1.37
type PodCertificateProjection struct {
// +required
SignerName string `json:"signerName,omitempty"`
// +required
KeyType string `json:"keyType,omitempty"`
// +optional
MaxExpirationSeconds *int32 `json:"maxExpirationSeconds,omitempty"`
// +optional
CredentialBundlePath string `json:"credentialBundlePath,omitempty"`
// +optional
KeyPath string `json:"keyPath,omitempty"`
// +optional
CertificateChainPath string `json:"certificateChainPath,omitempty"`
//release 1.35 1.36 1.37
UserAnnotations map[string]string `json:"userAnnotations,omitempty"`
//release 1.37
// +optional
User *int64 `json:"user,omitempty"`
//release 1.34 1.35 1.36 1.37
}

//release
type ProjectedVolumeSource struct {
// +optional
// +listType=atomic
Sources []VolumeProjection `json:"sources"`
// +optional
DefaultMode *int32 `json:"defaultMode,omitempty"`
//release 1.37
// +optional
DefaultUser *int64 `json:"defaultUser,omitempty"`
//release
}

type VolumeProjection struct {
// +optional
Secret *SecretProjection `json:"secret,omitempty"`
// +optional
DownwardAPI *DownwardAPIProjection `json:"downwardAPI,omitempty"`
// +optional
ConfigMap *ConfigMapProjection `json:"configMap,omitempty"`
// +optional
ServiceAccountToken *ServiceAccountTokenProjection `json:"serviceAccountToken,omitempty"`
// +optional
ClusterTrustBundle *ClusterTrustBundleProjection `json:"clusterTrustBundle,omitempty"`
//release 1.35 1.36 1.37
// +optional
//release 1.34 1.35 1.36 1.37
PodCertificate *PodCertificateProjection `json:"podCertificate,omitempty"`
//release
}

const (
ProjectedVolumeSourceDefaultMode int32 = 0644
)

type KeyToPath struct {
Key string `json:"key"`
Path string `json:"path"`
// +optional
Mode *int32 `json:"mode,omitempty"`
//release 1.37
// +optional
User *int64 `json:"user,omitempty"`
//release
}

type LocalVolumeSource struct {
Path string `json:"path"`
// +optional
FSType *string `json:"fsType,omitempty"`
}

type CSIPersistentVolumeSource struct {
Driver string `json:"driver"`
VolumeHandle string `json:"volumeHandle"`
// +optional
ReadOnly bool `json:"readOnly,omitempty"`
// +optional
FSType string `json:"fsType,omitempty"`
// +optional
VolumeAttributes map[string]string `json:"volumeAttributes,omitempty"`
// +optional
ControllerPublishSecretRef *SecretReference `json:"controllerPublishSecretRef,omitempty"`
// +optional
NodeStageSecretRef *SecretReference `json:"nodeStageSecretRef,omitempty"`
// +optional
NodePublishSecretRef *SecretReference `json:"nodePublishSecretRef,omitempty"`
// +optional
ControllerExpandSecretRef *SecretReference `json:"controllerExpandSecretRef,omitempty"`
// +optional
NodeExpandSecretRef *SecretReference `json:"nodeExpandSecretRef,omitempty"`
}

type CSIVolumeSource struct {
Driver string `json:"driver"`
// +optional
ReadOnly *bool `json:"readOnly,omitempty"`
// +optional
FSType *string `json:"fsType,omitempty"`
// +optional
VolumeAttributes map[string]string `json:"volumeAttributes,omitempty"`
// +optional
NodePublishSecretRef *LocalObjectReference `json:"nodePublishSecretRef,omitempty"`
}

type EphemeralVolumeSource struct {
VolumeClaimTemplate *PersistentVolumeClaimTemplate `json:"volumeClaimTemplate,omitempty"`
}

type PersistentVolumeClaimTemplate struct {
// +optional
//release 1.37
// +k8s:opaqueType
//release
metav1.ObjectMeta `json:"metadata,omitempty"`
Spec PersistentVolumeClaimSpec `json:"spec"`
}

type ContainerPort struct {
// +optional
Name string `json:"name,omitempty"`
// +optional
HostPort int32 `json:"hostPort,omitempty"`
ContainerPort int32 `json:"containerPort"`
// +optional
// +default="TCP"
Protocol Protocol `json:"protocol,omitempty"`
// +optional
HostIP string `json:"hostIP,omitempty"`
}

type VolumeMount struct {
Name string `json:"name"`
// +optional
ReadOnly bool `json:"readOnly,omitempty"`
// +optional
RecursiveReadOnly *RecursiveReadOnlyMode `json:"recursiveReadOnly,omitempty"`
MountPath string `json:"mountPath"`
// +optional
SubPath string `json:"subPath,omitempty"`
// +optional
MountPropagation *MountPropagationMode `json:"mountPropagation,omitempty"`
// +optional
SubPathExpr string `json:"subPathExpr,omitempty"`
//release 1.37
// +optional
// +listType=set
BindMountOptions []string `json:"bindMountOptions,omitempty"`
//release
}
//release 1.37

type BindMountOption string

const (
BindMountOptionNoExec BindMountOption = "noexec"
BindMountOptionNoDev BindMountOption = "nodev"
BindMountOptionNoSUID BindMountOption = "nosuid"
)
//release

// +enum
type MountPropagationMode string

const (
MountPropagationNone MountPropagationMode = "None"
MountPropagationHostToContainer MountPropagationMode = "HostToContainer"
MountPropagationBidirectional MountPropagationMode = "Bidirectional"
)

type RecursiveReadOnlyMode string

const (
RecursiveReadOnlyDisabled RecursiveReadOnlyMode = "Disabled"
RecursiveReadOnlyIfPossible RecursiveReadOnlyMode = "IfPossible"
RecursiveReadOnlyEnabled RecursiveReadOnlyMode = "Enabled"
)

type VolumeDevice struct {
Name string `json:"name"`
DevicePath string `json:"devicePath"`
}

type EnvVar struct {
Name string `json:"name"`
// +optional
Value string `json:"value,omitempty"`
// +optional
ValueFrom *EnvVarSource `json:"valueFrom,omitempty"`
}

type EnvVarSource struct {
// +optional
FieldRef *ObjectFieldSelector `json:"fieldRef,omitempty"`
// +optional
ResourceFieldRef *ResourceFieldSelector `json:"resourceFieldRef,omitempty"`
// +optional
ConfigMapKeyRef *ConfigMapKeySelector `json:"configMapKeyRef,omitempty"`
// +optional
SecretKeyRef *SecretKeySelector `json:"secretKeyRef,omitempty"`
//release 1.34 1.35 1.36 1.37
// +optional
FileKeyRef *FileKeySelector `json:"fileKeyRef,omitempty"`
}

// +structType=atomic
type FileKeySelector struct {
// +required
VolumeName string `json:"volumeName"`
// +required
Path string `json:"path"`
// +required
Key string `json:"key"`
// +optional
// +default=false
Optional *bool `json:"optional,omitempty"`
//release
}

// +structType=atomic
type ObjectFieldSelector struct {
// +optional
APIVersion string `json:"apiVersion,omitempty"`
FieldPath string `json:"fieldPath"`
}

// +structType=atomic
type ResourceFieldSelector struct {
// +optional
ContainerName string `json:"containerName,omitempty"`
Resource string `json:"resource"`
// +optional
Divisor resource.Quantity `json:"divisor,omitempty"`
}

// +structType=atomic
type ConfigMapKeySelector struct {
//release 1.33 1.34 1.35 1.36
LocalObjectReference `json:",inline"`
//release 1.37
LocalObjectReference `json:""`
//release
Key string `json:"key"`
// +optional
Optional *bool `json:"optional,omitempty"`
}

// +structType=atomic
type SecretKeySelector struct {
//release 1.33 1.34 1.35 1.36
LocalObjectReference `json:",inline"`
//release 1.37
LocalObjectReference `json:""`
//release
Key string `json:"key"`
// +optional
Optional *bool `json:"optional,omitempty"`
}

type EnvFromSource struct {
// +optional
Prefix string `json:"prefix,omitempty"`
// +optional
ConfigMapRef *ConfigMapEnvSource `json:"configMapRef,omitempty"`
// +optional
SecretRef *SecretEnvSource `json:"secretRef,omitempty"`
}

type ConfigMapEnvSource struct {
//release 1.33 1.34 1.35 1.36
LocalObjectReference `json:",inline"`
//release 1.37
LocalObjectReference `json:""`
//release
// +optional
Optional *bool `json:"optional,omitempty"`
}

type SecretEnvSource struct {
//release 1.33 1.34 1.35 1.36
LocalObjectReference `json:",inline"`
//release 1.37
LocalObjectReference `json:""`
//release
// +optional
Optional *bool `json:"optional,omitempty"`
}

type HTTPHeader struct {
Name string `json:"name"`
Value string `json:"value"`
}
//release 1.37

// +enum
type HTTPProtocol string

const (
HTTPProtocolHTTP1 HTTPProtocol = "HTTP1"
HTTPProtocolHTTP2 HTTPProtocol = "HTTP2"
)
//release

type HTTPGetAction struct {
// +optional
Path string `json:"path,omitempty"`
Port intstr.IntOrString `json:"port"`
// +optional
Host string `json:"host,omitempty"`
// +optional
Scheme URIScheme `json:"scheme,omitempty"`
// +optional
// +listType=atomic
HTTPHeaders []HTTPHeader `json:"httpHeaders,omitempty"`
//release 1.37
// +optional
Protocol *HTTPProtocol `json:"protocol,omitempty"`
//release
}

// +enum
type URIScheme string

const (
URISchemeHTTP URIScheme = "HTTP"
URISchemeHTTPS URIScheme = "HTTPS"
)

type TCPSocketAction struct {
Port intstr.IntOrString `json:"port"`
// +optional
Host string `json:"host,omitempty"`
}

type GRPCAction struct {
Port int32 `json:"port"`
// +optional
// +default=""
Service *string `json:"service"`
//release 1.37
// +optional
Mode *GRPCProbeMode `json:"mode,omitempty"`
//release
}
//release 1.37

// +enum
type GRPCProbeMode string

const (
GRPCProbeModePlaintext GRPCProbeMode = "Plaintext"
GRPCProbeModeTLS GRPCProbeMode = "TLS"
)
//release

type ExecAction struct {
// +optional
// +listType=atomic
Command []string `json:"command,omitempty"`
}

type SleepAction struct {
Seconds int64 `json:"seconds"`
}

type Probe struct {
//release 1.33 1.34 1.35 1.36
ProbeHandler `json:",inline"`
//release 1.37
ProbeHandler `json:""`
//release
// +optional
InitialDelaySeconds int32 `json:"initialDelaySeconds,omitempty"`
// +optional
TimeoutSeconds int32 `json:"timeoutSeconds,omitempty"`
// +optional
PeriodSeconds int32 `json:"periodSeconds,omitempty"`
// +optional
SuccessThreshold int32 `json:"successThreshold,omitempty"`
// +optional
FailureThreshold int32 `json:"failureThreshold,omitempty"`
// +optional
TerminationGracePeriodSeconds *int64 `json:"terminationGracePeriodSeconds,omitempty"`
}

// +enum
type PullPolicy string

const (
PullAlways PullPolicy = "Always"
PullNever PullPolicy = "Never"
PullIfNotPresent PullPolicy = "IfNotPresent"
)

type ResourceResizeRestartPolicy string

const (
NotRequired ResourceResizeRestartPolicy = "NotRequired"
RestartContainer ResourceResizeRestartPolicy = "RestartContainer"
)

type ContainerResizePolicy struct {
ResourceName ResourceName `json:"resourceName"`
RestartPolicy ResourceResizeRestartPolicy `json:"restartPolicy"`
}

// +enum
type PreemptionPolicy string

const (
PreemptLowerPriority PreemptionPolicy = "PreemptLowerPriority"
PreemptNever PreemptionPolicy = "Never"
)

// +enum
type TerminationMessagePolicy string

const (
TerminationMessageReadFile TerminationMessagePolicy = "File"
TerminationMessageFallbackToLogsOnError TerminationMessagePolicy = "FallbackToLogsOnError"
)

type Capability string

type Capabilities struct {
// +optional
// +listType=atomic
Add []Capability `json:"add,omitempty"`
// +optional
// +listType=atomic
Drop []Capability `json:"drop,omitempty"`
}

type ResourceRequirements struct {
// +optional
Limits ResourceList `json:"limits,omitempty"`
// +optional
Requests ResourceList `json:"requests,omitempty"`
// +listType=map
// +listMapKey=name
// +optional
Claims []ResourceClaim `json:"claims,omitempty"`
}

type VolumeResourceRequirements struct {
// +optional
Limits ResourceList `json:"limits,omitempty"`
// +optional
Requests ResourceList `json:"requests,omitempty"`
}

type ResourceClaim struct {
Name string `json:"name"`
// +optional
Request string `json:"request,omitempty"`
}

const (
TerminationMessagePathDefault string = "/dev/termination-log"
)

type Container struct {
Name string `json:"name"`
// +optional
Image string `json:"image,omitempty"`
// +optional
// +listType=atomic
Command []string `json:"command,omitempty"`
// +optional
// +listType=atomic
Args []string `json:"args,omitempty"`
// +optional
WorkingDir string `json:"workingDir,omitempty"`
// +optional
// +patchMergeKey=containerPort
// +patchStrategy=merge
// +listType=map
// +listMapKey=containerPort
// +listMapKey=protocol
Ports []ContainerPort `json:"ports,omitempty" patchStrategy:"merge" patchMergeKey:"containerPort"`
// +optional
// +listType=atomic
EnvFrom []EnvFromSource `json:"envFrom,omitempty"`
// +optional
// +patchMergeKey=name
// +patchStrategy=merge
// +listType=map
// +listMapKey=name
Env []EnvVar `json:"env,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
// +optional
Resources ResourceRequirements `json:"resources,omitempty"`
// +optional
// +listType=atomic
ResizePolicy []ContainerResizePolicy `json:"resizePolicy,omitempty"`
// +optional
RestartPolicy *ContainerRestartPolicy `json:"restartPolicy,omitempty"`
//release 1.34 1.35 1.36 1.37
// +optional
// +listType=atomic
RestartPolicyRules []ContainerRestartRule `json:"restartPolicyRules,omitempty"`
//release
// +optional
// +patchMergeKey=mountPath
// +patchStrategy=merge
// +listType=map
// +listMapKey=mountPath
VolumeMounts []VolumeMount `json:"volumeMounts,omitempty" patchStrategy:"merge" patchMergeKey:"mountPath"`
// +patchMergeKey=devicePath
// +patchStrategy=merge
// +listType=map
// +listMapKey=devicePath
// +optional
VolumeDevices []VolumeDevice `json:"volumeDevices,omitempty" patchStrategy:"merge" patchMergeKey:"devicePath"`
// +optional
LivenessProbe *Probe `json:"livenessProbe,omitempty"`
// +optional
ReadinessProbe *Probe `json:"readinessProbe,omitempty"`
// +optional
StartupProbe *Probe `json:"startupProbe,omitempty"`
// +optional
Lifecycle *Lifecycle `json:"lifecycle,omitempty"`
// +optional
TerminationMessagePath string `json:"terminationMessagePath,omitempty"`
// +optional
TerminationMessagePolicy TerminationMessagePolicy `json:"terminationMessagePolicy,omitempty"`
// +optional
ImagePullPolicy PullPolicy `json:"imagePullPolicy,omitempty"`
// +optional
SecurityContext *SecurityContext `json:"securityContext,omitempty"`
// +optional
Stdin bool `json:"stdin,omitempty"`
// +optional
StdinOnce bool `json:"stdinOnce,omitempty"`
// +optional
TTY bool `json:"tty,omitempty"`
}

type ProbeHandler struct {
// +optional
Exec *ExecAction `json:"exec,omitempty"`
// +optional
HTTPGet *HTTPGetAction `json:"httpGet,omitempty"`
// +optional
TCPSocket *TCPSocketAction `json:"tcpSocket,omitempty"`
// +optional
GRPC *GRPCAction `json:"grpc,omitempty"`
}

type LifecycleHandler struct {
// +optional
Exec *ExecAction `json:"exec,omitempty"`
// +optional
HTTPGet *HTTPGetAction `json:"httpGet,omitempty"`
// +optional
TCPSocket *TCPSocketAction `json:"tcpSocket,omitempty"`
// +optional
Sleep *SleepAction `json:"sleep,omitempty"`
}

// +enum
type Signal string

const (
SIGABRT Signal = "SIGABRT"
SIGALRM Signal = "SIGALRM"
SIGBUS Signal = "SIGBUS"
SIGCHLD Signal = "SIGCHLD"
SIGCLD Signal = "SIGCLD"
SIGCONT Signal = "SIGCONT"
SIGFPE Signal = "SIGFPE"
SIGHUP Signal = "SIGHUP"
SIGILL Signal = "SIGILL"
SIGINT Signal = "SIGINT"
SIGIO Signal = "SIGIO"
SIGIOT Signal = "SIGIOT"
SIGKILL Signal = "SIGKILL"
SIGPIPE Signal = "SIGPIPE"
SIGPOLL Signal = "SIGPOLL"
SIGPROF Signal = "SIGPROF"
SIGPWR Signal = "SIGPWR"
SIGQUIT Signal = "SIGQUIT"
SIGSEGV Signal = "SIGSEGV"
SIGSTKFLT Signal = "SIGSTKFLT"
SIGSTOP Signal = "SIGSTOP"
SIGSYS Signal = "SIGSYS"
SIGTERM Signal = "SIGTERM"
SIGTRAP Signal = "SIGTRAP"
SIGTSTP Signal = "SIGTSTP"
SIGTTIN Signal = "SIGTTIN"
SIGTTOU Signal = "SIGTTOU"
SIGURG Signal = "SIGURG"
SIGUSR1 Signal = "SIGUSR1"
SIGUSR2 Signal = "SIGUSR2"
SIGVTALRM Signal = "SIGVTALRM"
SIGWINCH Signal = "SIGWINCH"
SIGXCPU Signal = "SIGXCPU"
SIGXFSZ Signal = "SIGXFSZ"
SIGRTMIN Signal = "SIGRTMIN"
SIGRTMINPLUS1 Signal = "SIGRTMIN+1"
SIGRTMINPLUS2 Signal = "SIGRTMIN+2"
SIGRTMINPLUS3 Signal = "SIGRTMIN+3"
SIGRTMINPLUS4 Signal = "SIGRTMIN+4"
SIGRTMINPLUS5 Signal = "SIGRTMIN+5"
SIGRTMINPLUS6 Signal = "SIGRTMIN+6"
SIGRTMINPLUS7 Signal = "SIGRTMIN+7"
SIGRTMINPLUS8 Signal = "SIGRTMIN+8"
SIGRTMINPLUS9 Signal = "SIGRTMIN+9"
SIGRTMINPLUS10 Signal = "SIGRTMIN+10"
SIGRTMINPLUS11 Signal = "SIGRTMIN+11"
SIGRTMINPLUS12 Signal = "SIGRTMIN+12"
SIGRTMINPLUS13 Signal = "SIGRTMIN+13"
SIGRTMINPLUS14 Signal = "SIGRTMIN+14"
SIGRTMINPLUS15 Signal = "SIGRTMIN+15"
SIGRTMAXMINUS14 Signal = "SIGRTMAX-14"
SIGRTMAXMINUS13 Signal = "SIGRTMAX-13"
SIGRTMAXMINUS12 Signal = "SIGRTMAX-12"
SIGRTMAXMINUS11 Signal = "SIGRTMAX-11"
SIGRTMAXMINUS10 Signal = "SIGRTMAX-10"
SIGRTMAXMINUS9 Signal = "SIGRTMAX-9"
SIGRTMAXMINUS8 Signal = "SIGRTMAX-8"
SIGRTMAXMINUS7 Signal = "SIGRTMAX-7"
SIGRTMAXMINUS6 Signal = "SIGRTMAX-6"
SIGRTMAXMINUS5 Signal = "SIGRTMAX-5"
SIGRTMAXMINUS4 Signal = "SIGRTMAX-4"
SIGRTMAXMINUS3 Signal = "SIGRTMAX-3"
SIGRTMAXMINUS2 Signal = "SIGRTMAX-2"
SIGRTMAXMINUS1 Signal = "SIGRTMAX-1"
SIGRTMAX Signal = "SIGRTMAX"
)

type Lifecycle struct {
// +optional
PostStart *LifecycleHandler `json:"postStart,omitempty"`
// +optional
PreStop *LifecycleHandler `json:"preStop,omitempty"`
// +optional
StopSignal *Signal `json:"stopSignal,omitempty"`
}

type ConditionStatus string

const (
ConditionTrue ConditionStatus = "True"
ConditionFalse ConditionStatus = "False"
ConditionUnknown ConditionStatus = "Unknown"
)

type ContainerStateWaiting struct {
// +optional
Reason string `json:"reason,omitempty"`
// +optional
Message string `json:"message,omitempty"`
}

type ContainerStateRunning struct {
// +optional
StartedAt metav1.Time `json:"startedAt,omitempty"`
}

type ContainerStateTerminated struct {
ExitCode int32 `json:"exitCode"`
// +optional
Signal int32 `json:"signal,omitempty"`
// +optional
Reason string `json:"reason,omitempty"`
// +optional
Message string `json:"message,omitempty"`
// +optional
StartedAt metav1.Time `json:"startedAt,omitempty"`
// +optional
FinishedAt metav1.Time `json:"finishedAt,omitempty"`
// +optional
ContainerID string `json:"containerID,omitempty"`
}

type ContainerState struct {
// +optional
Waiting *ContainerStateWaiting `json:"waiting,omitempty"`
// +optional
Running *ContainerStateRunning `json:"running,omitempty"`
// +optional
Terminated *ContainerStateTerminated `json:"terminated,omitempty"`
}

type ContainerStatus struct {
Name string `json:"name"`
// +optional
State ContainerState `json:"state,omitempty"`
// +optional
LastTerminationState ContainerState `json:"lastState,omitempty"`
Ready bool `json:"ready"`
RestartCount int32 `json:"restartCount"`
Image string `json:"image"`
ImageID string `json:"imageID"`
// +optional
ContainerID string `json:"containerID,omitempty"`
// +optional
Started *bool `json:"started,omitempty"`
// +optional
AllocatedResources ResourceList `json:"allocatedResources,omitempty"`
// +optional
Resources *ResourceRequirements `json:"resources,omitempty"`
// +optional
// +patchMergeKey=mountPath
// +patchStrategy=merge
// +listType=map
// +listMapKey=mountPath
VolumeMounts []VolumeMountStatus `json:"volumeMounts,omitempty" patchStrategy:"merge" patchMergeKey:"mountPath"`
// +optional
User *ContainerUser `json:"user,omitempty"`
// +optional
// +patchMergeKey=name
// +patchStrategy=merge
// +listType=map
// +listMapKey=name
AllocatedResourcesStatus []ResourceStatus `json:"allocatedResourcesStatus,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
// +optional
StopSignal *Signal `json:"stopSignal,omitempty"`
}

type ResourceStatus struct {
// +required
Name ResourceName `json:"name"`
// +listType=map
// +listMapKey=resourceID
Resources []ResourceHealth `json:"resources,omitempty"`
}

type ResourceHealthStatus string

const (
ResourceHealthStatusHealthy ResourceHealthStatus = "Healthy"
ResourceHealthStatusUnhealthy ResourceHealthStatus = "Unhealthy"
ResourceHealthStatusUnknown ResourceHealthStatus = "Unknown"
)

//release 1.36 1.37
const ResourceHealthMessageMaxLength = 1024

//release
type ResourceID string

type ResourceHealth struct {
ResourceID ResourceID `json:"resourceID"`
Health ResourceHealthStatus `json:"health,omitempty"`
//release 1.36 1.37
// +optional
Message *string `json:"message,omitempty"`
//release
}

type ContainerUser struct {
// +optional
Linux *LinuxContainerUser `json:"linux,omitempty"`
}

type LinuxContainerUser struct {
UID int64 `json:"uid"`
GID int64 `json:"gid"`
// +optional
// +listType=atomic
SupplementalGroups []int64 `json:"supplementalGroups,omitempty"`
}

// +enum
type PodPhase string

const (
PodPending PodPhase = "Pending"
PodRunning PodPhase = "Running"
PodSucceeded PodPhase = "Succeeded"
PodFailed PodPhase = "Failed"
PodUnknown PodPhase = "Unknown"
)

type PodConditionType string

const (
ContainersReady PodConditionType = "ContainersReady"
PodInitialized PodConditionType = "Initialized"
PodReady PodConditionType = "Ready"
PodScheduled PodConditionType = "PodScheduled"
DisruptionTarget PodConditionType = "DisruptionTarget"
PodReadyToStartContainers PodConditionType = "PodReadyToStartContainers"
PodResizePending PodConditionType = "PodResizePending"
PodResizeInProgress PodConditionType = "PodResizeInProgress"
//release 1.35 1.36 1.37
AllContainersRestarting PodConditionType = "AllContainersRestarting"
//release
)

const (
PodReasonUnschedulable = "Unschedulable"
PodReasonSchedulingGated = "SchedulingGated"
PodReasonSchedulerError = "SchedulerError"
PodReasonTerminationByKubelet = "TerminationByKubelet"
PodReasonPreemptionByScheduler = "PreemptionByScheduler"
PodReasonDeferred = "Deferred"
PodReasonInfeasible = "Infeasible"
PodReasonError = "Error"
)

type PodCondition struct {
Type PodConditionType `json:"type"`
// +optional
ObservedGeneration int64 `json:"observedGeneration,omitempty"`
Status ConditionStatus `json:"status"`
// +optional
LastProbeTime metav1.Time `json:"lastProbeTime,omitempty"`
// +optional
LastTransitionTime metav1.Time `json:"lastTransitionTime,omitempty"`
// +optional
Reason string `json:"reason,omitempty"`
// +optional
Message string `json:"message,omitempty"`
}

type PodResizeStatus string

const (
PodResizeStatusInProgress PodResizeStatus = "InProgress"
PodResizeStatusDeferred PodResizeStatus = "Deferred"
PodResizeStatusInfeasible PodResizeStatus = "Infeasible"
)

type VolumeMountStatus struct {
Name string `json:"name"`
MountPath string `json:"mountPath"`
// +optional
ReadOnly bool `json:"readOnly,omitempty"`
// +optional
RecursiveReadOnly *RecursiveReadOnlyMode `json:"recursiveReadOnly,omitempty"`
//release 1.36 1.37
// +optional
VolumeStatus *VolumeStatus `json:"volumeStatus,omitempty"`
}

type VolumeStatus struct {
// +optional
Image *ImageVolumeStatus `json:"image,omitempty"`
}

type ImageVolumeStatus struct {
// +kubebuilder:validation:MaxLength=256
// +required
ImageRef string `json:"imageRef,omitempty"`
//release
}

// +enum
type RestartPolicy string

const (
RestartPolicyAlways RestartPolicy = "Always"
RestartPolicyOnFailure RestartPolicy = "OnFailure"
RestartPolicyNever RestartPolicy = "Never"
)

type ContainerRestartPolicy string

const (
ContainerRestartPolicyAlways ContainerRestartPolicy = "Always"
//release 1.34 1.35 1.36 1.37
ContainerRestartPolicyNever ContainerRestartPolicy = "Never"
ContainerRestartPolicyOnFailure ContainerRestartPolicy = "OnFailure"
)

type ContainerRestartRule struct {
// +required
Action ContainerRestartRuleAction `json:"action,omitempty"`
// +optional
ExitCodes *ContainerRestartRuleOnExitCodes `json:"exitCodes,omitempty"`
}

type ContainerRestartRuleAction string

const (
ContainerRestartRuleActionRestart ContainerRestartRuleAction = "Restart"
//release 1.35 1.36 1.37
ContainerRestartRuleActionRestartAllContainers ContainerRestartRuleAction = "RestartAllContainers"
//release 1.34 1.35 1.36 1.37
)

type ContainerRestartRuleOnExitCodes struct {
// +required
Operator ContainerRestartRuleOnExitCodesOperator `json:"operator,omitempty"`
// +optional
// +listType=set
Values []int32 `json:"values,omitempty"`
}

type ContainerRestartRuleOnExitCodesOperator string

const (
ContainerRestartRuleOnExitCodesOpIn ContainerRestartRuleOnExitCodesOperator = "In"
ContainerRestartRuleOnExitCodesOpNotIn ContainerRestartRuleOnExitCodesOperator = "NotIn"
//release
)

// +enum
type DNSPolicy string

const (
DNSClusterFirstWithHostNet DNSPolicy = "ClusterFirstWithHostNet"
DNSClusterFirst DNSPolicy = "ClusterFirst"
DNSDefault DNSPolicy = "Default"
DNSNone DNSPolicy = "None"
)

const (
DefaultTerminationGracePeriodSeconds = 30
)

// +structType=atomic
type NodeSelector struct {
// +listType=atomic
NodeSelectorTerms []NodeSelectorTerm `json:"nodeSelectorTerms"`
}

// +structType=atomic
type NodeSelectorTerm struct {
// +optional
// +listType=atomic
MatchExpressions []NodeSelectorRequirement `json:"matchExpressions,omitempty"`
// +optional
// +listType=atomic
MatchFields []NodeSelectorRequirement `json:"matchFields,omitempty"`
}

type NodeSelectorRequirement struct {
Key string `json:"key"`
Operator NodeSelectorOperator `json:"operator"`
// +optional
// +listType=atomic
Values []string `json:"values,omitempty"`
}

// +enum
type NodeSelectorOperator string

const (
NodeSelectorOpIn NodeSelectorOperator = "In"
NodeSelectorOpNotIn NodeSelectorOperator = "NotIn"
NodeSelectorOpExists NodeSelectorOperator = "Exists"
NodeSelectorOpDoesNotExist NodeSelectorOperator = "DoesNotExist"
NodeSelectorOpGt NodeSelectorOperator = "Gt"
NodeSelectorOpLt NodeSelectorOperator = "Lt"
)

// +structType=atomic
type TopologySelectorTerm struct {
// +optional
// +listType=atomic
MatchLabelExpressions []TopologySelectorLabelRequirement `json:"matchLabelExpressions,omitempty"`
}

type TopologySelectorLabelRequirement struct {
Key string `json:"key"`
// +listType=atomic
Values []string `json:"values"`
}

type Affinity struct {
// +optional
NodeAffinity *NodeAffinity `json:"nodeAffinity,omitempty"`
// +optional
PodAffinity *PodAffinity `json:"podAffinity,omitempty"`
// +optional
PodAntiAffinity *PodAntiAffinity `json:"podAntiAffinity,omitempty"`
}

type PodAffinity struct {
// +optional

// +optional
// +listType=atomic
RequiredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm `json:"requiredDuringSchedulingIgnoredDuringExecution,omitempty"`
// +optional
// +listType=atomic
PreferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm `json:"preferredDuringSchedulingIgnoredDuringExecution,omitempty"`
}

type PodAntiAffinity struct {
// +optional

// +optional
// +listType=atomic
RequiredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm `json:"requiredDuringSchedulingIgnoredDuringExecution,omitempty"`
// +optional
// +listType=atomic
PreferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm `json:"preferredDuringSchedulingIgnoredDuringExecution,omitempty"`
}

type WeightedPodAffinityTerm struct {
Weight int32 `json:"weight"`
PodAffinityTerm PodAffinityTerm `json:"podAffinityTerm"`
}

type PodAffinityTerm struct {
// +optional
LabelSelector *metav1.LabelSelector `json:"labelSelector,omitempty"`
// +optional
// +listType=atomic
Namespaces []string `json:"namespaces,omitempty"`
TopologyKey string `json:"topologyKey"`
// +optional
NamespaceSelector *metav1.LabelSelector `json:"namespaceSelector,omitempty"`
// +listType=atomic
// +optional
MatchLabelKeys []string `json:"matchLabelKeys,omitempty"`
// +listType=atomic
// +optional
MismatchLabelKeys []string `json:"mismatchLabelKeys,omitempty"`
}

type NodeAffinity struct {
// +optional

// +optional
RequiredDuringSchedulingIgnoredDuringExecution *NodeSelector `json:"requiredDuringSchedulingIgnoredDuringExecution,omitempty"`
// +optional
// +listType=atomic
PreferredDuringSchedulingIgnoredDuringExecution []PreferredSchedulingTerm `json:"preferredDuringSchedulingIgnoredDuringExecution,omitempty"`
}

type PreferredSchedulingTerm struct {
Weight int32 `json:"weight"`
Preference NodeSelectorTerm `json:"preference"`
}

type Taint struct {
Key string `json:"key"`
// +optional
Value string `json:"value,omitempty"`
Effect TaintEffect `json:"effect"`
// +optional
TimeAdded *metav1.Time `json:"timeAdded,omitempty"`
}

// +enum
type TaintEffect string

const (
TaintEffectNoSchedule TaintEffect = "NoSchedule"
TaintEffectPreferNoSchedule TaintEffect = "PreferNoSchedule"
TaintEffectNoExecute TaintEffect = "NoExecute"
)

type Toleration struct {
// +optional
//release 1.37
// +k8s:alpha(since: "1.37")=+k8s:optional
// +k8s:alpha(since: "1.37")=+k8s:format=k8s-label-key
//release
Key string `json:"key,omitempty"`
// +optional
Operator TolerationOperator `json:"operator,omitempty"`
// +optional
Value string `json:"value,omitempty"`
// +optional
Effect TaintEffect `json:"effect,omitempty"`
// +optional
TolerationSeconds *int64 `json:"tolerationSeconds,omitempty"`
}

// +enum
type TolerationOperator string

const (
TolerationOpExists TolerationOperator = "Exists"
TolerationOpEqual TolerationOperator = "Equal"
//release 1.35 1.36 1.37
TolerationOpLt TolerationOperator = "Lt"
TolerationOpGt TolerationOperator = "Gt"
//release
)

type PodReadinessGate struct {
ConditionType PodConditionType `json:"conditionType"`
}

type PodSpec struct {
// +optional
// +patchMergeKey=name
// +patchStrategy=merge,retainKeys
// +listType=map
// +listMapKey=name
Volumes []Volume `json:"volumes,omitempty" patchStrategy:"merge,retainKeys" patchMergeKey:"name"`
// +patchMergeKey=name
// +patchStrategy=merge
// +listType=map
// +listMapKey=name
InitContainers []Container `json:"initContainers,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
// +patchMergeKey=name
// +patchStrategy=merge
// +listType=map
// +listMapKey=name
Containers []Container `json:"containers" patchStrategy:"merge" patchMergeKey:"name"`
// +optional
// +patchMergeKey=name
// +patchStrategy=merge
// +listType=map
// +listMapKey=name
EphemeralContainers []EphemeralContainer `json:"ephemeralContainers,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
// +optional
RestartPolicy RestartPolicy `json:"restartPolicy,omitempty"`
// +optional
TerminationGracePeriodSeconds *int64 `json:"terminationGracePeriodSeconds,omitempty"`
// +optional
ActiveDeadlineSeconds *int64 `json:"activeDeadlineSeconds,omitempty"`
// +optional
DNSPolicy DNSPolicy `json:"dnsPolicy,omitempty"`
// +optional
// +mapType=atomic
NodeSelector map[string]string `json:"nodeSelector,omitempty"`
// +optional
ServiceAccountName string `json:"serviceAccountName,omitempty"`
// +optional
DeprecatedServiceAccount string `json:"serviceAccount,omitempty"`
// +optional
AutomountServiceAccountToken *bool `json:"automountServiceAccountToken,omitempty"`
// +optional
NodeName string `json:"nodeName,omitempty"`
// +optional
HostNetwork bool `json:"hostNetwork,omitempty"`
// +optional
HostPID bool `json:"hostPID,omitempty"`
// +optional
HostIPC bool `json:"hostIPC,omitempty"`
// +optional
ShareProcessNamespace *bool `json:"shareProcessNamespace,omitempty"`
// +optional
SecurityContext *PodSecurityContext `json:"securityContext,omitempty"`
// +optional
// +patchMergeKey=name
// +patchStrategy=merge
// +listType=map
// +listMapKey=name
ImagePullSecrets []LocalObjectReference `json:"imagePullSecrets,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
// +optional
Hostname string `json:"hostname,omitempty"`
// +optional
Subdomain string `json:"subdomain,omitempty"`
// +optional
Affinity *Affinity `json:"affinity,omitempty"`
// +optional
SchedulerName string `json:"schedulerName,omitempty"`
// +optional
// +listType=atomic
//release 1.37
// +k8s:alpha(since: "1.37")=+k8s:optional
//release
Tolerations []Toleration `json:"tolerations,omitempty"`
// +optional
// +patchMergeKey=ip
// +patchStrategy=merge
// +listType=map
// +listMapKey=ip
HostAliases []HostAlias `json:"hostAliases,omitempty" patchStrategy:"merge" patchMergeKey:"ip"`
// +optional
PriorityClassName string `json:"priorityClassName,omitempty"`
// +optional
Priority *int32 `json:"priority,omitempty"`
// +optional
DNSConfig *PodDNSConfig `json:"dnsConfig,omitempty"`
// +optional
// +listType=atomic
ReadinessGates []PodReadinessGate `json:"readinessGates,omitempty"`
// +optional
RuntimeClassName *string `json:"runtimeClassName,omitempty"`
// +optional
EnableServiceLinks *bool `json:"enableServiceLinks,omitempty"`
// +optional
PreemptionPolicy *PreemptionPolicy `json:"preemptionPolicy,omitempty"`
// +optional
Overhead ResourceList `json:"overhead,omitempty"`
// +optional
// +patchMergeKey=topologyKey
// +patchStrategy=merge
// +listType=map
// +listMapKey=topologyKey
// +listMapKey=whenUnsatisfiable
TopologySpreadConstraints []TopologySpreadConstraint `json:"topologySpreadConstraints,omitempty" patchStrategy:"merge" patchMergeKey:"topologyKey"`
// +optional
SetHostnameAsFQDN *bool `json:"setHostnameAsFQDN,omitempty"`
// +optional
OS *PodOS `json:"os,omitempty"`
// +optional
HostUsers *bool `json:"hostUsers,omitempty"`
// +patchMergeKey=name
// +patchStrategy=merge
// +listType=map
// +listMapKey=name
// +optional
SchedulingGates []PodSchedulingGate `json:"schedulingGates,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
// +patchMergeKey=name
// +patchStrategy=merge,retainKeys
// +listType=map
// +listMapKey=name
// +optional
ResourceClaims []PodResourceClaim `json:"resourceClaims,omitempty" patchStrategy:"merge,retainKeys" patchMergeKey:"name"`
// +optional
Resources *ResourceRequirements `json:"resources,omitempty"`
//release 1.34 1.35 1.36 1.37
// +optional
HostnameOverride *string `json:"hostnameOverride,omitempty"`
//release 1.35 1.36 1.37
// +optional
//release 1.35
WorkloadRef *WorkloadReference `json:"workloadRef,omitempty"`
//release 1.36 1.37
SchedulingGroup *PodSchedulingGroup `json:"schedulingGroup,omitempty"`
//release 1.37
// +optional
// +patchMergeKey=name
// +patchStrategy=merge
// +listType=map
// +listMapKey=name
// +k8s:optional
// +k8s:listType=map
// +k8s:listMapKey=name
// +k8s:maxItems=10
// +k8s:alpha(since: "1.37")=+k8s:dependentForbidden("schedulingGroup")
EvictionResponders []EvictionResponder `json:"evictionResponders,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
//release
}

type PodResourceClaim struct {
Name string `json:"name"`
ResourceClaimName *string `json:"resourceClaimName,omitempty"`
ResourceClaimTemplateName *string `json:"resourceClaimTemplateName,omitempty"`
}

type PodResourceClaimStatus struct {
Name string `json:"name"`
// +optional
ResourceClaimName *string `json:"resourceClaimName,omitempty"`
//release 1.34 1.35 1.36 1.37
}

type PodExtendedResourceClaimStatus struct {
// +listType=atomic
RequestMappings []ContainerExtendedResourceRequest `json:"requestMappings"`
ResourceClaimName string `json:"resourceClaimName"`
}

type ContainerExtendedResourceRequest struct {
ContainerName string `json:"containerName"`
ResourceName string `json:"resourceName"`
RequestName string `json:"requestName"`
//release
}

type OSName string

const (
Linux OSName = "linux"
Windows OSName = "windows"
)

type PodOS struct {
Name OSName `json:"name"`
}

type PodSchedulingGate struct {
Name string `json:"name"`
//release 1.35 1.36 1.37
}

//release 1.35
type WorkloadReference struct {
// +required
Name string `json:"name"`
// +required
PodGroup string `json:"podGroup"`
//release 1.36 1.37
type PodSchedulingGroup struct {
//release 1.35 1.36 1.37
// +optional
//release 1.35
PodGroupReplicaKey string `json:"podGroupReplicaKey,omitempty"`
//release 1.36 1.37
PodGroupName *string `json:"podGroupName,omitempty"`
//release
}

// +enum
type UnsatisfiableConstraintAction string

const (
DoNotSchedule UnsatisfiableConstraintAction = "DoNotSchedule"
ScheduleAnyway UnsatisfiableConstraintAction = "ScheduleAnyway"
)

// +enum
type NodeInclusionPolicy string

const (
NodeInclusionPolicyIgnore NodeInclusionPolicy = "Ignore"
NodeInclusionPolicyHonor NodeInclusionPolicy = "Honor"
)

type TopologySpreadConstraint struct {
MaxSkew int32 `json:"maxSkew"`
TopologyKey string `json:"topologyKey"`
WhenUnsatisfiable UnsatisfiableConstraintAction `json:"whenUnsatisfiable"`
// +optional
LabelSelector *metav1.LabelSelector `json:"labelSelector,omitempty"`
// +optional
MinDomains *int32 `json:"minDomains,omitempty"`
// +optional
NodeAffinityPolicy *NodeInclusionPolicy `json:"nodeAffinityPolicy,omitempty"`
// +optional
NodeTaintsPolicy *NodeInclusionPolicy `json:"nodeTaintsPolicy,omitempty"`
// +listType=atomic
// +optional
MatchLabelKeys []string `json:"matchLabelKeys,omitempty"`
}

const (
DefaultEnableServiceLinks = true
)

type HostAlias struct {
// +required
IP string `json:"ip"`
// +listType=atomic
Hostnames []string `json:"hostnames,omitempty"`
}

// +enum
type PodFSGroupChangePolicy string

const (
FSGroupChangeOnRootMismatch PodFSGroupChangePolicy = "OnRootMismatch"
FSGroupChangeAlways PodFSGroupChangePolicy = "Always"
)

// +enum
type SupplementalGroupsPolicy string

const (
SupplementalGroupsPolicyMerge SupplementalGroupsPolicy = "Merge"
SupplementalGroupsPolicyStrict SupplementalGroupsPolicy = "Strict"
)

type PodSELinuxChangePolicy string

const (
SELinuxChangePolicyRecursive PodSELinuxChangePolicy = "Recursive"
SELinuxChangePolicyMountOption PodSELinuxChangePolicy = "MountOption"
)

type PodSecurityContext struct {
// +optional
SELinuxOptions *SELinuxOptions `json:"seLinuxOptions,omitempty"`
// +optional
WindowsOptions *WindowsSecurityContextOptions `json:"windowsOptions,omitempty"`
// +optional
RunAsUser *int64 `json:"runAsUser,omitempty"`
// +optional
RunAsGroup *int64 `json:"runAsGroup,omitempty"`
// +optional
RunAsNonRoot *bool `json:"runAsNonRoot,omitempty"`
// +optional
// +listType=atomic
SupplementalGroups []int64 `json:"supplementalGroups,omitempty"`
// +optional
SupplementalGroupsPolicy *SupplementalGroupsPolicy `json:"supplementalGroupsPolicy,omitempty"`
// +optional
FSGroup *int64 `json:"fsGroup,omitempty"`
// +optional
// +listType=atomic
Sysctls []Sysctl `json:"sysctls,omitempty"`
// +optional
FSGroupChangePolicy *PodFSGroupChangePolicy `json:"fsGroupChangePolicy,omitempty"`
// +optional
SeccompProfile *SeccompProfile `json:"seccompProfile,omitempty"`
// +optional
AppArmorProfile *AppArmorProfile `json:"appArmorProfile,omitempty"`
// +optional
SELinuxChangePolicy *PodSELinuxChangePolicy `json:"seLinuxChangePolicy,omitempty"`
}

type SeccompProfile struct {
Type SeccompProfileType `json:"type"`
// +optional
LocalhostProfile *string `json:"localhostProfile,omitempty"`
}

// +enum
type SeccompProfileType string

const (
SeccompProfileTypeUnconfined SeccompProfileType = "Unconfined"
SeccompProfileTypeRuntimeDefault SeccompProfileType = "RuntimeDefault"
SeccompProfileTypeLocalhost SeccompProfileType = "Localhost"
)

type AppArmorProfile struct {
Type AppArmorProfileType `json:"type"`
// +optional
LocalhostProfile *string `json:"localhostProfile,omitempty"`
}

// +enum
type AppArmorProfileType string

const (
AppArmorProfileTypeUnconfined AppArmorProfileType = "Unconfined"
AppArmorProfileTypeRuntimeDefault AppArmorProfileType = "RuntimeDefault"
AppArmorProfileTypeLocalhost AppArmorProfileType = "Localhost"
)

// +enum
type PodQOSClass string

const (
PodQOSGuaranteed PodQOSClass = "Guaranteed"
PodQOSBurstable PodQOSClass = "Burstable"
PodQOSBestEffort PodQOSClass = "BestEffort"
)

type PodDNSConfig struct {
// +optional
// +listType=atomic
Nameservers []string `json:"nameservers,omitempty"`
// +optional
// +listType=atomic
Searches []string `json:"searches,omitempty"`
// +optional
// +listType=atomic
Options []PodDNSConfigOption `json:"options,omitempty"`
}

type PodDNSConfigOption struct {
Name string `json:"name,omitempty"`
// +optional
Value *string `json:"value,omitempty"`
}

type PodIP struct {
// +required
IP string `json:"ip"`
}

type HostIP struct {
// +required
IP string `json:"ip"`
}

type EphemeralContainerCommon struct {
Name string `json:"name"`
Image string `json:"image,omitempty"`
// +optional
// +listType=atomic
Command []string `json:"command,omitempty"`
// +optional
// +listType=atomic
Args []string `json:"args,omitempty"`
// +optional
WorkingDir string `json:"workingDir,omitempty"`
// +optional
// +patchMergeKey=containerPort
// +patchStrategy=merge
// +listType=map
// +listMapKey=containerPort
// +listMapKey=protocol
Ports []ContainerPort `json:"ports,omitempty" patchStrategy:"merge" patchMergeKey:"containerPort"`
// +optional
// +listType=atomic
EnvFrom []EnvFromSource `json:"envFrom,omitempty"`
// +optional
// +patchMergeKey=name
// +patchStrategy=merge
// +listType=map
// +listMapKey=name
Env []EnvVar `json:"env,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
// +optional
Resources ResourceRequirements `json:"resources,omitempty"`
// +optional
// +listType=atomic
ResizePolicy []ContainerResizePolicy `json:"resizePolicy,omitempty"`
// +optional
RestartPolicy *ContainerRestartPolicy `json:"restartPolicy,omitempty"`
// +optional
//release 1.34 1.35 1.36 1.37
// +listType=atomic
RestartPolicyRules []ContainerRestartRule `json:"restartPolicyRules,omitempty"`
// +optional
//release
// +patchMergeKey=mountPath
// +patchStrategy=merge
// +listType=map
// +listMapKey=mountPath
VolumeMounts []VolumeMount `json:"volumeMounts,omitempty" patchStrategy:"merge" patchMergeKey:"mountPath"`
// +patchMergeKey=devicePath
// +patchStrategy=merge
// +listType=map
// +listMapKey=devicePath
// +optional
VolumeDevices []VolumeDevice `json:"volumeDevices,omitempty" patchStrategy:"merge" patchMergeKey:"devicePath"`
// +optional
LivenessProbe *Probe `json:"livenessProbe,omitempty"`
// +optional
ReadinessProbe *Probe `json:"readinessProbe,omitempty"`
// +optional
StartupProbe *Probe `json:"startupProbe,omitempty"`
// +optional
Lifecycle *Lifecycle `json:"lifecycle,omitempty"`
// +optional
TerminationMessagePath string `json:"terminationMessagePath,omitempty"`
// +optional
TerminationMessagePolicy TerminationMessagePolicy `json:"terminationMessagePolicy,omitempty"`
// +optional
ImagePullPolicy PullPolicy `json:"imagePullPolicy,omitempty"`
// +optional
SecurityContext *SecurityContext `json:"securityContext,omitempty"`
// +optional
Stdin bool `json:"stdin,omitempty"`
// +optional
StdinOnce bool `json:"stdinOnce,omitempty"`
// +optional
TTY bool `json:"tty,omitempty"`
}

type EphemeralContainer struct {
//release 1.33 1.34 1.35 1.36
EphemeralContainerCommon `json:",inline"`
//release 1.37
EphemeralContainerCommon `json:""`
//release
// +optional
TargetContainerName string `json:"targetContainerName,omitempty"`
//release 1.37
}

// +structType=atomic
type EvictionResponder struct {
// +required
// +k8s:required
// +k8s:format=k8s-prefixed-label-key
// +k8s:customValidation
Name string `json:"name"`
// +required
// +k8s:required
// +k8s:minimum=0
// +k8s:maximum=100000
// +k8s:customValidation
Priority *int32 `json:"priority"`
//release
}

type PodStatus struct {
// +optional
ObservedGeneration int64 `json:"observedGeneration,omitempty"`
// +optional
Phase PodPhase `json:"phase,omitempty"`
// +optional
// +patchMergeKey=type
// +patchStrategy=merge
// +listType=map
// +listMapKey=type
Conditions []PodCondition `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type"`
// +optional
Message string `json:"message,omitempty"`
// +optional
Reason string `json:"reason,omitempty"`
// +optional
NominatedNodeName string `json:"nominatedNodeName,omitempty"`
// +optional
HostIP string `json:"hostIP,omitempty"`
// +optional
// +patchStrategy=merge
// +patchMergeKey=ip
// +listType=atomic
HostIPs []HostIP `json:"hostIPs,omitempty" patchStrategy:"merge" patchMergeKey:"ip"`
// +optional
PodIP string `json:"podIP,omitempty"`
// +optional
// +patchStrategy=merge
// +patchMergeKey=ip
// +listType=map
// +listMapKey=ip
PodIPs []PodIP `json:"podIPs,omitempty" patchStrategy:"merge" patchMergeKey:"ip"`
// +optional
StartTime *metav1.Time `json:"startTime,omitempty"`
// +listType=atomic
InitContainerStatuses []ContainerStatus `json:"initContainerStatuses,omitempty"`
// +optional
// +listType=atomic
ContainerStatuses []ContainerStatus `json:"containerStatuses,omitempty"`
// +optional
QOSClass PodQOSClass `json:"qosClass,omitempty"`
// +optional
// +listType=atomic
EphemeralContainerStatuses []ContainerStatus `json:"ephemeralContainerStatuses,omitempty"`
// +optional
Resize PodResizeStatus `json:"resize,omitempty"`
// +patchMergeKey=name
// +patchStrategy=merge,retainKeys
// +listType=map
// +listMapKey=name
// +optional
ResourceClaimStatuses []PodResourceClaimStatus `json:"resourceClaimStatuses,omitempty" patchStrategy:"merge,retainKeys" patchMergeKey:"name"`
//release 1.34 1.35 1.36 1.37
// +optional
ExtendedResourceClaimStatus *PodExtendedResourceClaimStatus `json:"extendedResourceClaimStatus,omitempty"`
//release 1.35 1.36 1.37
// +optional
AllocatedResources ResourceList `json:"allocatedResources,omitempty"`
// +optional
Resources *ResourceRequirements `json:"resources,omitempty"`
//release 1.36 1.37
// +optional
//release 1.36
// +listType=atomic
NodeAllocatableResourceClaimStatuses []NodeAllocatableResourceClaimStatus `json:"nodeAllocatableResourceClaimStatuses,omitempty"`
//release 1.37
// +patchStrategy=merge
// +patchMergeKey=resourceClaimName
// +listType=map
// +listMapKey=resourceClaimName
// +k8s:optional
// +k8s:listType=map
// +k8s:listMapKey=resourceClaimName
NodeAllocatableResourceClaimStatuses []NodeAllocatableResourceClaimStatus `json:"nodeAllocatableResourceClaimStatuses,omitempty" patchStrategy:"merge" patchMergeKey:"resourceClaimName"`
// +optional
// +listType=map
// +listMapKey=name
// +k8s:optional
// +k8s:listType=map
// +k8s:listMapKey=name
VolumeHealth []PodVolumeHealth `json:"volumeHealth,omitempty"`
//release
}

//release 1.33 1.34 1.35 1.36
type PodStatusResult struct {
metav1.TypeMeta `json:",inline"`
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
Status PodStatus `json:"status,omitempty"`
}

//release 1.37
// +k8s:supportsSubresource="/status"
// +k8s:supportsSubresource="/ephemeralcontainers"
// +k8s:supportsSubresource="/resize"
// +k8s:supportsSubresource="/eviction"
//release
type Pod struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
Spec PodSpec `json:"spec,omitempty"`
// +optional
Status PodStatus `json:"status,omitempty"`
}

type PodList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []Pod `json:"items"`
}

type PodTemplateSpec struct {
// +optional
//release 1.37
// +k8s:opaqueType
//release
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
Spec PodSpec `json:"spec,omitempty"`
}

type PodTemplate struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
Template PodTemplateSpec `json:"template,omitempty"`
}

type PodTemplateList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []PodTemplate `json:"items"`
}

type ReplicationControllerSpec struct {
// +optional
//release 1.33 1.34 1.35
// +k8s:optional
//release 1.36
// +k8s:alpha(since: "1.36")=+k8s:optional
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:optional
//release
// +default=1
//release 1.33 1.34 1.35
// +k8s:minimum=0
//release 1.36
// +k8s:alpha(since: "1.36")=+k8s:minimum=0
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:minimum=0
//release
Replicas *int32 `json:"replicas,omitempty"`
// +optional
//release 1.33 1.34 1.35
// +k8s:optional
//release 1.36
// +k8s:alpha(since: "1.36")=+k8s:optional
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:optional
//release
// +default=0
//release 1.33 1.34 1.35
// +k8s:minimum=0
//release 1.36
// +k8s:alpha(since: "1.36")=+k8s:minimum=0
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:minimum=0
//release
MinReadySeconds int32 `json:"minReadySeconds,omitempty"`
// +optional
// +mapType=atomic
Selector map[string]string `json:"selector,omitempty"`
// +optional

// +optional
//release 1.37
// +k8s:alpha(since: "1.37")=+k8s:optional
//release
Template *PodTemplateSpec `json:"template,omitempty"`
}

type ReplicationControllerStatus struct {
Replicas int32 `json:"replicas"`
// +optional
FullyLabeledReplicas int32 `json:"fullyLabeledReplicas,omitempty"`
// +optional
ReadyReplicas int32 `json:"readyReplicas,omitempty"`
// +optional
AvailableReplicas int32 `json:"availableReplicas,omitempty"`
// +optional
ObservedGeneration int64 `json:"observedGeneration,omitempty"`
// +optional
// +patchMergeKey=type
// +patchStrategy=merge
// +listType=map
// +listMapKey=type
Conditions []ReplicationControllerCondition `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type"`
}

type ReplicationControllerConditionType string

const (
ReplicationControllerReplicaFailure ReplicationControllerConditionType = "ReplicaFailure"
)

type ReplicationControllerCondition struct {
Type ReplicationControllerConditionType `json:"type"`
Status ConditionStatus `json:"status"`
// +optional
LastTransitionTime metav1.Time `json:"lastTransitionTime,omitempty"`
// +optional
Reason string `json:"reason,omitempty"`
// +optional
Message string `json:"message,omitempty"`
}
//release 1.34 1.35 1.36 1.37

//release 1.34 1.35
// +k8s:supportsSubresource=/scale
//release 1.36 1.37
// +k8s:supportsSubresource="/scale"
//release 1.37
// +k8s:supportsSubresource="/status"
//release

type ReplicationController struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
//release 1.35
// +k8s:subfield(name)=+k8s:optional
// +k8s:subfield(name)=+k8s:format=k8s-long-name
//release 1.36
// +k8s:alpha(since: "1.36")=+k8s:subfield(name)=+k8s:optional
// +k8s:alpha(since: "1.36")=+k8s:subfield(name)=+k8s:format=k8s-long-name
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:subfield(name)=+k8s:optional
// +k8s:beta(since: "1.37")=+k8s:subfield(name)=+k8s:format=k8s-long-name
//release
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
Spec ReplicationControllerSpec `json:"spec,omitempty"`
// +optional
Status ReplicationControllerStatus `json:"status,omitempty"`
}

type ReplicationControllerList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []ReplicationController `json:"items"`
}

// +enum
type ServiceAffinity string

const (
ServiceAffinityClientIP ServiceAffinity = "ClientIP"
ServiceAffinityNone ServiceAffinity = "None"
)

const DefaultClientIPServiceAffinitySeconds int32 = 10800

type SessionAffinityConfig struct {
// +optional
ClientIP *ClientIPConfig `json:"clientIP,omitempty"`
}

type ClientIPConfig struct {
// +optional
TimeoutSeconds *int32 `json:"timeoutSeconds,omitempty"`
}

// +enum
type ServiceType string

const (
ServiceTypeClusterIP ServiceType = "ClusterIP"
ServiceTypeNodePort ServiceType = "NodePort"
ServiceTypeLoadBalancer ServiceType = "LoadBalancer"
ServiceTypeExternalName ServiceType = "ExternalName"
)

// +enum
type ServiceInternalTrafficPolicy string

const (
ServiceInternalTrafficPolicyCluster ServiceInternalTrafficPolicy = "Cluster"
ServiceInternalTrafficPolicyLocal ServiceInternalTrafficPolicy = "Local"
)

// +enum
type ServiceInternalTrafficPolicyType = ServiceInternalTrafficPolicy

// +enum
type ServiceExternalTrafficPolicy string

const (
ServiceExternalTrafficPolicyCluster ServiceExternalTrafficPolicy = "Cluster"
ServiceExternalTrafficPolicyLocal ServiceExternalTrafficPolicy = "Local"
)

// +enum
type ServiceExternalTrafficPolicyType = ServiceExternalTrafficPolicy

const (
ServiceExternalTrafficPolicyTypeLocal = ServiceExternalTrafficPolicyLocal
ServiceExternalTrafficPolicyTypeCluster = ServiceExternalTrafficPolicyCluster
)

const (
//release 1.33 1.34
ServiceTrafficDistributionPreferClose = "PreferClose"
//release
ServiceTrafficDistributionPreferSameZone = "PreferSameZone"
ServiceTrafficDistributionPreferSameNode = "PreferSameNode"
//release 1.35 1.36 1.37
ServiceTrafficDistributionPreferClose = "PreferClose"
//release
)

const (
LoadBalancerPortsError = "LoadBalancerPortsError"
LoadBalancerPortsErrorReason = "LoadBalancerMixedProtocolNotSupported"
)

type ServiceStatus struct {
// +optional
LoadBalancer LoadBalancerStatus `json:"loadBalancer,omitempty"`
// +optional
// +patchMergeKey=type
// +patchStrategy=merge
// +listType=map
// +listMapKey=type
//release 1.37
// +k8s:alpha(since: "1.37")=+k8s:eachVal=+k8s:opaqueType
//release
Conditions []metav1.Condition `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type"`
}

type LoadBalancerStatus struct {
// +optional
// +listType=atomic
Ingress []LoadBalancerIngress `json:"ingress,omitempty"`
}

type LoadBalancerIngress struct {
// +optional
IP string `json:"ip,omitempty"`
// +optional
Hostname string `json:"hostname,omitempty"`
// +optional
IPMode *LoadBalancerIPMode `json:"ipMode,omitempty"`
// +listType=atomic
// +optional
Ports []PortStatus `json:"ports,omitempty"`
}

// +enum
type IPFamily string

const (
IPv4Protocol IPFamily = "IPv4"
IPv6Protocol IPFamily = "IPv6"
IPFamilyUnknown IPFamily = ""
)

// +enum
type IPFamilyPolicy string

const (
IPFamilyPolicySingleStack IPFamilyPolicy = "SingleStack"
IPFamilyPolicyPreferDualStack IPFamilyPolicy = "PreferDualStack"
IPFamilyPolicyRequireDualStack IPFamilyPolicy = "RequireDualStack"
)

// +enum
type IPFamilyPolicyType = IPFamilyPolicy

type ServiceSpec struct {
// +patchMergeKey=port
// +patchStrategy=merge
// +listType=map
// +listMapKey=port
// +listMapKey=protocol
Ports []ServicePort `json:"ports,omitempty" patchStrategy:"merge" patchMergeKey:"port"`
// +optional
// +mapType=atomic
Selector map[string]string `json:"selector,omitempty"`
// +optional
ClusterIP string `json:"clusterIP,omitempty"`
// +listType=atomic
// +optional
ClusterIPs []string `json:"clusterIPs,omitempty"`
// +optional
Type ServiceType `json:"type,omitempty"`
// +optional
// +listType=atomic
ExternalIPs []string `json:"externalIPs,omitempty"`
// +optional
SessionAffinity ServiceAffinity `json:"sessionAffinity,omitempty"`
// +optional
LoadBalancerIP string `json:"loadBalancerIP,omitempty"`
// +optional
// +listType=atomic
LoadBalancerSourceRanges []string `json:"loadBalancerSourceRanges,omitempty"`
// +optional
ExternalName string `json:"externalName,omitempty"`
// +optional
ExternalTrafficPolicy ServiceExternalTrafficPolicy `json:"externalTrafficPolicy,omitempty"`
// +optional
HealthCheckNodePort int32 `json:"healthCheckNodePort,omitempty"`
// +optional
PublishNotReadyAddresses bool `json:"publishNotReadyAddresses,omitempty"`
// +optional
SessionAffinityConfig *SessionAffinityConfig `json:"sessionAffinityConfig,omitempty"`
// +listType=atomic
// +optional
IPFamilies []IPFamily `json:"ipFamilies,omitempty"`
// +optional
IPFamilyPolicy *IPFamilyPolicy `json:"ipFamilyPolicy,omitempty"`
// +optional
AllocateLoadBalancerNodePorts *bool `json:"allocateLoadBalancerNodePorts,omitempty"`
// +optional
LoadBalancerClass *string `json:"loadBalancerClass,omitempty"`
// +optional
InternalTrafficPolicy *ServiceInternalTrafficPolicy `json:"internalTrafficPolicy,omitempty"`
// +optional
TrafficDistribution *string `json:"trafficDistribution,omitempty"`
}

type ServicePort struct {
// +optional
Name string `json:"name,omitempty"`
// +default="TCP"
// +optional
Protocol Protocol `json:"protocol,omitempty"`
// +optional
AppProtocol *string `json:"appProtocol,omitempty"`
Port int32 `json:"port"`
// +optional
TargetPort intstr.IntOrString `json:"targetPort,omitempty"`
// +optional
NodePort int32 `json:"nodePort,omitempty"`
}

//release 1.37
// +k8s:supportsSubresource="/status"
// +k8s:supportsSubresource="/proxy"
//release
type Service struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
Spec ServiceSpec `json:"spec,omitempty"`
// +optional
Status ServiceStatus `json:"status,omitempty"`
}

const (
ClusterIPNone = "None"
)

type ServiceList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []Service `json:"items"`
}

type ServiceAccount struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
// +patchMergeKey=name
// +patchStrategy=merge
// +listType=map
// +listMapKey=name
Secrets []ObjectReference `json:"secrets,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
// +optional
// +listType=atomic
ImagePullSecrets []LocalObjectReference `json:"imagePullSecrets,omitempty"`
// +optional
AutomountServiceAccountToken *bool `json:"automountServiceAccountToken,omitempty"`
}

type ServiceAccountList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []ServiceAccount `json:"items"`
}

type Endpoints struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
// +listType=atomic
Subsets []EndpointSubset `json:"subsets,omitempty"`
}

type EndpointSubset struct {
// +optional
// +listType=atomic
Addresses []EndpointAddress `json:"addresses,omitempty"`
// +optional
// +listType=atomic
NotReadyAddresses []EndpointAddress `json:"notReadyAddresses,omitempty"`
// +optional
// +listType=atomic
Ports []EndpointPort `json:"ports,omitempty"`
}

// +structType=atomic
type EndpointAddress struct {
IP string `json:"ip"`
// +optional
Hostname string `json:"hostname,omitempty"`
// +optional
NodeName *string `json:"nodeName,omitempty"`
// +optional
TargetRef *ObjectReference `json:"targetRef,omitempty"`
}

// +structType=atomic
type EndpointPort struct {
// +optional
Name string `json:"name,omitempty"`
Port int32 `json:"port"`
// +optional
Protocol Protocol `json:"protocol,omitempty"`
// +optional
AppProtocol *string `json:"appProtocol,omitempty"`
}

type EndpointsList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []Endpoints `json:"items"`
}

type NodeSpec struct {
// +optional
PodCIDR string `json:"podCIDR,omitempty"`
// +optional
// +patchStrategy=merge
// +listType=set
PodCIDRs []string `json:"podCIDRs,omitempty" patchStrategy:"merge"`
// +optional
//release 1.37
// +k8s:alpha(since: "1.36")=+k8s:optional
// +k8s:alpha(since: "1.36")=+k8s:update=NoModify
// +k8s:alpha(since: "1.36")=+k8s:update=NoUnset
//release
ProviderID string `json:"providerID,omitempty"`
// +optional
Unschedulable bool `json:"unschedulable,omitempty"`
// +optional
// +listType=atomic
Taints []Taint `json:"taints,omitempty"`
// +optional
ConfigSource *NodeConfigSource `json:"configSource,omitempty"`
// +optional
DoNotUseExternalID string `json:"externalID,omitempty"`
//release 1.37
// +optional
// +k8s:optional
// +k8s:ifDisabled(InPlacePodVerticalScalingSchedulerPreemption)=+k8s:forbidden
PodPreemptionPolicy *NodePodPreemptionPolicy `json:"podPreemptionPolicy,omitempty"`
}

type NodePodPreemptionPolicy struct {
// +listType=set
// +k8s:listType=set
// +optional
// +k8s:maxItems=20
// +k8s:optional
// +k8s:eachVal=+k8s:format=k8s-label-key
DisableResizePreemption []string `json:"disableResizePreemption,omitempty"`
//release
}

type NodeConfigSource struct {
// +k8s:deprecated=kind
// +k8s:deprecated=apiVersion
// +k8s:deprecated=configMapRef,protobuf=1

ConfigMap *ConfigMapNodeConfigSource `json:"configMap,omitempty"`
}

type ConfigMapNodeConfigSource struct {
Namespace string `json:"namespace"`
Name string `json:"name"`
// +optional
UID types.UID `json:"uid,omitempty"`
// +optional
ResourceVersion string `json:"resourceVersion,omitempty"`
KubeletConfigKey string `json:"kubeletConfigKey"`
}

type DaemonEndpoint struct {
Port int32 `json:"Port"`
}

type NodeDaemonEndpoints struct {
// +optional
KubeletEndpoint DaemonEndpoint `json:"kubeletEndpoint,omitempty"`
}

type NodeRuntimeHandlerFeatures struct {
// +optional
RecursiveReadOnlyMounts *bool `json:"recursiveReadOnlyMounts,omitempty"`
// +optional
UserNamespaces *bool `json:"userNamespaces,omitempty"`
}

type NodeRuntimeHandler struct {
// +optional
Name string `json:"name"`
// +optional
Features *NodeRuntimeHandlerFeatures `json:"features,omitempty"`
}

type NodeFeatures struct {
// +optional
SupplementalGroupsPolicy *bool `json:"supplementalGroupsPolicy,omitempty"`
}

type NodeSystemInfo struct {
MachineID string `json:"machineID"`
SystemUUID string `json:"systemUUID"`
BootID string `json:"bootID"`
KernelVersion string `json:"kernelVersion"`
OSImage string `json:"osImage"`
ContainerRuntimeVersion string `json:"containerRuntimeVersion"`
KubeletVersion string `json:"kubeletVersion"`
KubeProxyVersion string `json:"kubeProxyVersion"`
OperatingSystem string `json:"operatingSystem"`
Architecture string `json:"architecture"`
Swap *NodeSwapStatus `json:"swap,omitempty"`
}

type NodeSwapStatus struct {
// +optional
Capacity *int64 `json:"capacity,omitempty"`
}

type NodeConfigStatus struct {
// +optional
Assigned *NodeConfigSource `json:"assigned,omitempty"`
// +optional
Active *NodeConfigSource `json:"active,omitempty"`
// +optional
LastKnownGood *NodeConfigSource `json:"lastKnownGood,omitempty"`
// +optional
Error string `json:"error,omitempty"`
}

type NodeStatus struct {
// +optional
Capacity ResourceList `json:"capacity,omitempty"`
// +optional
Allocatable ResourceList `json:"allocatable,omitempty"`
// +optional
Phase NodePhase `json:"phase,omitempty"`
// +optional
// +patchMergeKey=type
// +patchStrategy=merge
// +listType=map
// +listMapKey=type
Conditions []NodeCondition `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type"`
// +optional
// +patchMergeKey=type
// +patchStrategy=merge
// +listType=map
// +listMapKey=type
Addresses []NodeAddress `json:"addresses,omitempty" patchStrategy:"merge" patchMergeKey:"type"`
// +optional
DaemonEndpoints NodeDaemonEndpoints `json:"daemonEndpoints,omitempty"`
// +optional
NodeInfo NodeSystemInfo `json:"nodeInfo,omitempty"`
// +optional
// +listType=atomic
Images []ContainerImage `json:"images,omitempty"`
// +optional
// +listType=atomic
VolumesInUse []UniqueVolumeName `json:"volumesInUse,omitempty"`
// +optional
// +listType=atomic
VolumesAttached []AttachedVolume `json:"volumesAttached,omitempty"`
// +optional
Config *NodeConfigStatus `json:"config,omitempty"`
// +optional
// +listType=atomic
RuntimeHandlers []NodeRuntimeHandler `json:"runtimeHandlers,omitempty"`
// +optional
Features *NodeFeatures `json:"features,omitempty"`
//release 1.35 1.36 1.37
// +optional
// +listType=atomic
DeclaredFeatures []string `json:"declaredFeatures,omitempty"`
//release
}

type UniqueVolumeName string

type AttachedVolume struct {
Name UniqueVolumeName `json:"name"`
DevicePath string `json:"devicePath"`
}

type AvoidPods struct {
// +optional
// +listType=atomic
PreferAvoidPods []PreferAvoidPodsEntry `json:"preferAvoidPods,omitempty"`
}

type PreferAvoidPodsEntry struct {
PodSignature PodSignature `json:"podSignature"`
// +optional
EvictionTime metav1.Time `json:"evictionTime,omitempty"`
// +optional
Reason string `json:"reason,omitempty"`
// +optional
Message string `json:"message,omitempty"`
}

type PodSignature struct {
// +optional
PodController *metav1.OwnerReference `json:"podController,omitempty"`
}

type ContainerImage struct {
// +optional
// +listType=atomic
Names []string `json:"names"`
// +optional
SizeBytes int64 `json:"sizeBytes,omitempty"`
}

// +enum
type NodePhase string

const (
NodePending NodePhase = "Pending"
NodeRunning NodePhase = "Running"
NodeTerminated NodePhase = "Terminated"
)

type NodeConditionType string

const (
NodeReady NodeConditionType = "Ready"
NodeMemoryPressure NodeConditionType = "MemoryPressure"
NodeDiskPressure NodeConditionType = "DiskPressure"
NodePIDPressure NodeConditionType = "PIDPressure"
NodeNetworkUnavailable NodeConditionType = "NetworkUnavailable"
//release 1.37
NodeGracefulNodeShutdownInProgress NodeConditionType = "GracefulNodeShutdownInProgress"
NodeDrainInProgress NodeConditionType = "DrainInProgress"
NodeDrained NodeConditionType = "Drained"
NodeMaintenancePlanned NodeConditionType = "MaintenancePlanned"
NodeMaintenanceInProgress NodeConditionType = "MaintenanceInProgress"
//release
)

type NodeCondition struct {
Type NodeConditionType `json:"type"`
Status ConditionStatus `json:"status"`
// +optional
LastHeartbeatTime metav1.Time `json:"lastHeartbeatTime,omitempty"`
// +optional
LastTransitionTime metav1.Time `json:"lastTransitionTime,omitempty"`
// +optional
Reason string `json:"reason,omitempty"`
// +optional
Message string `json:"message,omitempty"`
}

type NodeAddressType string

const (
NodeHostName NodeAddressType = "Hostname"
NodeInternalIP NodeAddressType = "InternalIP"
NodeExternalIP NodeAddressType = "ExternalIP"
NodeInternalDNS NodeAddressType = "InternalDNS"
NodeExternalDNS NodeAddressType = "ExternalDNS"
)

type NodeAddress struct {
Type NodeAddressType `json:"type"`
Address string `json:"address"`
}

type ResourceName string

const (
ResourceCPU ResourceName = "cpu"
ResourceMemory ResourceName = "memory"
ResourceStorage ResourceName = "storage"
ResourceEphemeralStorage ResourceName = "ephemeral-storage"
)

const (
ResourceDefaultNamespacePrefix = "kubernetes.io/"
ResourceHugePagesPrefix = "hugepages-"
ResourceAttachableVolumesPrefix = "attachable-volumes-"
)

type ResourceList map[ResourceName]resource.Quantity

//release 1.37
// +k8s:supportsSubresource="/status"
// +k8s:supportsSubresource="/proxy"
//release
type Node struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
Spec NodeSpec `json:"spec,omitempty"`
// +optional
Status NodeStatus `json:"status,omitempty"`
}

type NodeList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []Node `json:"items"`
}

type FinalizerName string

const (
FinalizerKubernetes FinalizerName = "kubernetes"
)

type NamespaceSpec struct {
// +optional
// +listType=atomic
Finalizers []FinalizerName `json:"finalizers,omitempty"`
}

type NamespaceStatus struct {
// +optional
Phase NamespacePhase `json:"phase,omitempty"`
// +optional
// +patchMergeKey=type
// +patchStrategy=merge
// +listType=map
// +listMapKey=type
Conditions []NamespaceCondition `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type"`
}

// +enum
type NamespacePhase string

const (
NamespaceActive NamespacePhase = "Active"
NamespaceTerminating NamespacePhase = "Terminating"
)

const (
NamespaceTerminatingCause metav1.CauseType = "NamespaceTerminating"
)

type NamespaceConditionType string

const (
NamespaceDeletionDiscoveryFailure NamespaceConditionType = "NamespaceDeletionDiscoveryFailure"
NamespaceDeletionContentFailure NamespaceConditionType = "NamespaceDeletionContentFailure"
NamespaceDeletionGVParsingFailure NamespaceConditionType = "NamespaceDeletionGroupVersionParsingFailure"
NamespaceContentRemaining NamespaceConditionType = "NamespaceContentRemaining"
NamespaceFinalizersRemaining NamespaceConditionType = "NamespaceFinalizersRemaining"
)

type NamespaceCondition struct {
Type NamespaceConditionType `json:"type"`
Status ConditionStatus `json:"status"`
// +optional
LastTransitionTime metav1.Time `json:"lastTransitionTime,omitempty"`
// +optional
Reason string `json:"reason,omitempty"`
// +optional
Message string `json:"message,omitempty"`
}

//release 1.37
// +k8s:supportsSubresource="/status"
// +k8s:supportsSubresource="/finalize"
//release
type Namespace struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
Spec NamespaceSpec `json:"spec,omitempty"`
// +optional
Status NamespaceStatus `json:"status,omitempty"`
}

type NamespaceList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []Namespace `json:"items"`
}

type Binding struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
//release 1.37
// +k8s:opaqueType
//release
metav1.ObjectMeta `json:"metadata,omitempty"`
Target ObjectReference `json:"target"`
}

type Preconditions struct {
// +optional
UID *types.UID `json:"uid,omitempty"`
}

const (
LogStreamStdout = "Stdout"
LogStreamStderr = "Stderr"
LogStreamAll = "All"
)

type PodLogOptions struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
Container string `json:"container,omitempty"`
// +optional
Follow bool `json:"follow,omitempty"`
// +optional
Previous bool `json:"previous,omitempty"`
// +optional
SinceSeconds *int64 `json:"sinceSeconds,omitempty"`
// +optional
SinceTime *metav1.Time `json:"sinceTime,omitempty"`
// +optional
Timestamps bool `json:"timestamps,omitempty"`
// +optional
TailLines *int64 `json:"tailLines,omitempty"`
// +optional
LimitBytes *int64 `json:"limitBytes,omitempty"`
// +optional
InsecureSkipTLSVerifyBackend bool `json:"insecureSkipTLSVerifyBackend,omitempty"`
// +optional
Stream *string `json:"stream,omitempty"`
}

type PodAttachOptions struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
Stdin bool `json:"stdin,omitempty"`
// +optional
Stdout bool `json:"stdout,omitempty"`
// +optional
Stderr bool `json:"stderr,omitempty"`
// +optional
TTY bool `json:"tty,omitempty"`
// +optional
Container string `json:"container,omitempty"`
}

type PodExecOptions struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
Stdin bool `json:"stdin,omitempty"`
// +optional
Stdout bool `json:"stdout,omitempty"`
// +optional
Stderr bool `json:"stderr,omitempty"`
// +optional
TTY bool `json:"tty,omitempty"`
// +optional
Container string `json:"container,omitempty"`
// +listType=atomic
Command []string `json:"command"`
}

type PodPortForwardOptions struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
// +listType=atomic
Ports []int32 `json:"ports,omitempty"`
}

type PodProxyOptions struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
Path string `json:"path,omitempty"`
}

type NodeProxyOptions struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
Path string `json:"path,omitempty"`
}

type ServiceProxyOptions struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
Path string `json:"path,omitempty"`
}

// +structType=atomic
type ObjectReference struct {
// +optional
Kind string `json:"kind,omitempty"`
// +optional
Namespace string `json:"namespace,omitempty"`
// +optional
Name string `json:"name,omitempty"`
// +optional
UID types.UID `json:"uid,omitempty"`
// +optional
APIVersion string `json:"apiVersion,omitempty"`
// +optional
ResourceVersion string `json:"resourceVersion,omitempty"`
// +optional
FieldPath string `json:"fieldPath,omitempty"`
}

// +structType=atomic
type LocalObjectReference struct {
// +optional
// +default=""
// +kubebuilder:default=""
Name string `json:"name,omitempty"`
}

// +structType=atomic
type TypedLocalObjectReference struct {
// +optional
APIGroup *string `json:"apiGroup"`
Kind string `json:"kind"`
Name string `json:"name"`
}

type SerializedReference struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
Reference ObjectReference `json:"reference,omitempty"`
}

type EventSource struct {
// +optional
Component string `json:"component,omitempty"`
// +optional
Host string `json:"host,omitempty"`
}

const (
EventTypeNormal string = "Normal"
EventTypeWarning string = "Warning"
)

type Event struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
metav1.ObjectMeta `json:"metadata"`
InvolvedObject ObjectReference `json:"involvedObject"`
// +optional
Reason string `json:"reason,omitempty"`
// +optional
Message string `json:"message,omitempty"`
// +optional
Source EventSource `json:"source,omitempty"`
// +optional
FirstTimestamp metav1.Time `json:"firstTimestamp,omitempty"`
// +optional
LastTimestamp metav1.Time `json:"lastTimestamp,omitempty"`
// +optional
Count int32 `json:"count,omitempty"`
// +optional
Type string `json:"type,omitempty"`
// +optional
EventTime metav1.MicroTime `json:"eventTime,omitempty"`
// +optional
Series *EventSeries `json:"series,omitempty"`
// +optional
Action string `json:"action,omitempty"`
// +optional
Related *ObjectReference `json:"related,omitempty"`
// +optional
ReportingController string `json:"reportingComponent"`
// +optional
ReportingInstance string `json:"reportingInstance"`
}

type EventSeries struct {
Count int32 `json:"count,omitempty"`
LastObservedTime metav1.MicroTime `json:"lastObservedTime,omitempty"`
// +k8s:deprecated=state,protobuf=3
}

type EventList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []Event `json:"items"`
}

type List metav1.List

type LimitType string

const (
LimitTypePod LimitType = "Pod"
LimitTypeContainer LimitType = "Container"
LimitTypePersistentVolumeClaim LimitType = "PersistentVolumeClaim"
)

type LimitRangeItem struct {
Type LimitType `json:"type"`
// +optional
Max ResourceList `json:"max,omitempty"`
// +optional
Min ResourceList `json:"min,omitempty"`
// +optional
Default ResourceList `json:"default,omitempty"`
// +optional
DefaultRequest ResourceList `json:"defaultRequest,omitempty"`
// +optional
MaxLimitRequestRatio ResourceList `json:"maxLimitRequestRatio,omitempty"`
}

type LimitRangeSpec struct {
// +listType=atomic
Limits []LimitRangeItem `json:"limits"`
}

type LimitRange struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
Spec LimitRangeSpec `json:"spec,omitempty"`
}

type LimitRangeList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []LimitRange `json:"items"`
}

const (
ResourcePods ResourceName = "pods"
ResourceServices ResourceName = "services"
ResourceReplicationControllers ResourceName = "replicationcontrollers"
ResourceQuotas ResourceName = "resourcequotas"
ResourceSecrets ResourceName = "secrets"
ResourceConfigMaps ResourceName = "configmaps"
ResourcePersistentVolumeClaims ResourceName = "persistentvolumeclaims"
ResourceServicesNodePorts ResourceName = "services.nodeports"
ResourceServicesLoadBalancers ResourceName = "services.loadbalancers"
ResourceRequestsCPU ResourceName = "requests.cpu"
ResourceRequestsMemory ResourceName = "requests.memory"
ResourceRequestsStorage ResourceName = "requests.storage"
ResourceRequestsEphemeralStorage ResourceName = "requests.ephemeral-storage"
ResourceLimitsCPU ResourceName = "limits.cpu"
ResourceLimitsMemory ResourceName = "limits.memory"
ResourceLimitsEphemeralStorage ResourceName = "limits.ephemeral-storage"
ResourceClaimsPerClass string = ".deviceclass.resource.k8s.io/devices"
//release 1.35 1.36 1.37
ResourceImplicitExtendedClaimsPerClass string = "requests.deviceclass.resource.kubernetes.io/"
//release
)

const (
ResourceRequestsHugePagesPrefix = "requests.hugepages-"
DefaultResourceRequestsPrefix = "requests."
)

// +enum
type ResourceQuotaScope string

const (
ResourceQuotaScopeTerminating ResourceQuotaScope = "Terminating"
ResourceQuotaScopeNotTerminating ResourceQuotaScope = "NotTerminating"
ResourceQuotaScopeBestEffort ResourceQuotaScope = "BestEffort"
ResourceQuotaScopeNotBestEffort ResourceQuotaScope = "NotBestEffort"
ResourceQuotaScopePriorityClass ResourceQuotaScope = "PriorityClass"
ResourceQuotaScopeCrossNamespacePodAffinity ResourceQuotaScope = "CrossNamespacePodAffinity"
ResourceQuotaScopeVolumeAttributesClass ResourceQuotaScope = "VolumeAttributesClass"
)

type ResourceQuotaSpec struct {
// +optional
Hard ResourceList `json:"hard,omitempty"`
// +optional
// +listType=atomic
Scopes []ResourceQuotaScope `json:"scopes,omitempty"`
// +optional
ScopeSelector *ScopeSelector `json:"scopeSelector,omitempty"`
}

// +structType=atomic
type ScopeSelector struct {
// +optional
// +listType=atomic
MatchExpressions []ScopedResourceSelectorRequirement `json:"matchExpressions,omitempty"`
}

type ScopedResourceSelectorRequirement struct {
ScopeName ResourceQuotaScope `json:"scopeName"`
Operator ScopeSelectorOperator `json:"operator"`
// +optional
// +listType=atomic
Values []string `json:"values,omitempty"`
}

// +enum
type ScopeSelectorOperator string

const (
ScopeSelectorOpIn ScopeSelectorOperator = "In"
ScopeSelectorOpNotIn ScopeSelectorOperator = "NotIn"
ScopeSelectorOpExists ScopeSelectorOperator = "Exists"
ScopeSelectorOpDoesNotExist ScopeSelectorOperator = "DoesNotExist"
)

type ResourceQuotaStatus struct {
// +optional
Hard ResourceList `json:"hard,omitempty"`
// +optional
Used ResourceList `json:"used,omitempty"`
}

//release 1.37
// +k8s:supportsSubresource="/status"
//release
type ResourceQuota struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
Spec ResourceQuotaSpec `json:"spec,omitempty"`
// +optional
Status ResourceQuotaStatus `json:"status,omitempty"`
}

type ResourceQuotaList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []ResourceQuota `json:"items"`
}

type Secret struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
Immutable *bool `json:"immutable,omitempty"`
// +optional
Data map[string][]byte `json:"data,omitempty"`
// +optional
StringData map[string]string `json:"stringData,omitempty"`
// +optional
//release 1.37
// +k8s:optional
// +k8s:alpha(since: "1.37")=+k8s:immutable
//release
Type SecretType `json:"type,omitempty"`
}

const MaxSecretSize = 1 * 1024 * 1024

type SecretType string

const (
SecretTypeOpaque SecretType = "Opaque"
SecretTypeServiceAccountToken SecretType = "kubernetes.io/service-account-token"
ServiceAccountNameKey = "kubernetes.io/service-account.name"
ServiceAccountUIDKey = "kubernetes.io/service-account.uid"
ServiceAccountTokenKey = "token"
ServiceAccountKubeconfigKey = "kubernetes.kubeconfig"
ServiceAccountRootCAKey = "ca.crt"
ServiceAccountNamespaceKey = "namespace"
SecretTypeDockercfg SecretType = "kubernetes.io/dockercfg"
DockerConfigKey = ".dockercfg"
SecretTypeDockerConfigJson SecretType = "kubernetes.io/dockerconfigjson"
DockerConfigJsonKey = ".dockerconfigjson"
SecretTypeBasicAuth SecretType = "kubernetes.io/basic-auth"
BasicAuthUsernameKey = "username"
BasicAuthPasswordKey = "password"
SecretTypeSSHAuth SecretType = "kubernetes.io/ssh-auth"
SSHAuthPrivateKey = "ssh-privatekey"
SecretTypeTLS SecretType = "kubernetes.io/tls"
TLSCertKey = "tls.crt"
TLSPrivateKeyKey = "tls.key"
SecretTypeBootstrapToken SecretType = "bootstrap.kubernetes.io/token"
)

type SecretList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []Secret `json:"items"`
}

type ConfigMap struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
Immutable *bool `json:"immutable,omitempty"`
// +optional
Data map[string]string `json:"data,omitempty"`
// +optional
BinaryData map[string][]byte `json:"binaryData,omitempty"`
}

type ConfigMapList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []ConfigMap `json:"items"`
}

type ComponentConditionType string

const (
ComponentHealthy ComponentConditionType = "Healthy"
)

type ComponentCondition struct {
Type ComponentConditionType `json:"type"`
Status ConditionStatus `json:"status"`
// +optional
Message string `json:"message,omitempty"`
// +optional
Error string `json:"error,omitempty"`
}

type ComponentStatus struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
//release 1.37
// +k8s:opaqueType
//release
metav1.ObjectMeta `json:"metadata,omitempty"`
// +optional
// +patchMergeKey=type
// +patchStrategy=merge
// +listType=map
// +listMapKey=type
Conditions []ComponentCondition `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type"`
}

type ComponentStatusList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []ComponentStatus `json:"items"`
}

type DownwardAPIVolumeSource struct {
// +optional
// +listType=atomic
Items []DownwardAPIVolumeFile `json:"items,omitempty"`
// +optional
DefaultMode *int32 `json:"defaultMode,omitempty"`
//release 1.37
// +optional
DefaultUser *int64 `json:"defaultUser,omitempty"`
//release
}

const (
DownwardAPIVolumeSourceDefaultMode int32 = 0644
)

type DownwardAPIVolumeFile struct {
Path string `json:"path"`
// +optional
FieldRef *ObjectFieldSelector `json:"fieldRef,omitempty"`
// +optional
ResourceFieldRef *ResourceFieldSelector `json:"resourceFieldRef,omitempty"`
// +optional
Mode *int32 `json:"mode,omitempty"`
//release 1.37
// +optional
User *int64 `json:"user,omitempty"`
//release
}

type DownwardAPIProjection struct {
// +optional
// +listType=atomic
Items []DownwardAPIVolumeFile `json:"items,omitempty"`
}

type SecurityContext struct {
// +optional
Capabilities *Capabilities `json:"capabilities,omitempty"`
// +optional
Privileged *bool `json:"privileged,omitempty"`
// +optional
SELinuxOptions *SELinuxOptions `json:"seLinuxOptions,omitempty"`
// +optional
WindowsOptions *WindowsSecurityContextOptions `json:"windowsOptions,omitempty"`
// +optional
RunAsUser *int64 `json:"runAsUser,omitempty"`
// +optional
RunAsGroup *int64 `json:"runAsGroup,omitempty"`
// +optional
RunAsNonRoot *bool `json:"runAsNonRoot,omitempty"`
// +optional
ReadOnlyRootFilesystem *bool `json:"readOnlyRootFilesystem,omitempty"`
// +optional
AllowPrivilegeEscalation *bool `json:"allowPrivilegeEscalation,omitempty"`
// +optional
ProcMount *ProcMountType `json:"procMount,omitempty"`
// +optional
SeccompProfile *SeccompProfile `json:"seccompProfile,omitempty"`
// +optional
AppArmorProfile *AppArmorProfile `json:"appArmorProfile,omitempty"`
}

// +enum
type ProcMountType string

const (
DefaultProcMount ProcMountType = "Default"
UnmaskedProcMount ProcMountType = "Unmasked"
)

type SELinuxOptions struct {
// +optional
User string `json:"user,omitempty"`
// +optional
Role string `json:"role,omitempty"`
// +optional
Type string `json:"type,omitempty"`
// +optional
Level string `json:"level,omitempty"`
}

type WindowsSecurityContextOptions struct {
// +optional
GMSACredentialSpecName *string `json:"gmsaCredentialSpecName,omitempty"`
// +optional
GMSACredentialSpec *string `json:"gmsaCredentialSpec,omitempty"`
// +optional
RunAsUserName *string `json:"runAsUserName,omitempty"`
// +optional
HostProcess *bool `json:"hostProcess,omitempty"`
}

type RangeAllocation struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
//release 1.37
// +k8s:opaqueType
//release
metav1.ObjectMeta `json:"metadata,omitempty"`
Range string `json:"range"`
Data []byte `json:"data"`
}

const (
DefaultSchedulerName = "default-scheduler"
DefaultHardPodAffinitySymmetricWeight int32 = 1
)

type Sysctl struct {
Name string `json:"name"`
Value string `json:"value"`
}

const (
ExecStdinParam = "input"
ExecStdoutParam = "output"
ExecStderrParam = "error"
ExecTTYParam = "tty"
ExecCommandParam = "command"
StreamType = "streamType"
StreamTypeStdin = "stdin"
StreamTypeStdout = "stdout"
StreamTypeStderr = "stderr"
StreamTypeData = "data"
StreamTypeError = "error"
StreamTypeResize = "resize"
PortHeader = "port"
PortForwardRequestIDHeader = "requestID"
)

const (
MixedProtocolNotSupported = "MixedProtocolNotSupported"
)

type PortStatus struct {
Port int32 `json:"port"`
Protocol Protocol `json:"protocol"`
// +optional
// +kubebuilder:validation:Required
// +kubebuilder:validation:Pattern=`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`
// +kubebuilder:validation:MaxLength=316
Error *string `json:"error,omitempty"`
}

type LoadBalancerIPMode string

const (
LoadBalancerIPModeVIP LoadBalancerIPMode = "VIP"
LoadBalancerIPModeProxy LoadBalancerIPMode = "Proxy"
)

type ImageVolumeSource struct {
// +optional
Reference string `json:"reference,omitempty"`
// +optional
PullPolicy PullPolicy `json:"pullPolicy,omitempty"`
}

//release 1.36 1.37
type NodeAllocatableResourceClaimStatus struct {
// +required
//release 1.37
// +k8s:required
//release 1.36 1.37
ResourceClaimName string `json:"resourceClaimName"`
// +optional
// +listType=set
//release 1.37
// +k8s:optional
// +k8s:listType=set
//release 1.36 1.37
Containers []string `json:"containers,omitempty"`
//release 1.37
// +optional
// +patchStrategy=merge
// +patchMergeKey=name
// +listType=map
// +listMapKey=name
// +k8s:optional
// +k8s:listType=map
// +k8s:listMapKey=name
Mapping []NodeAllocatableMappedResources `json:"mapping,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
// +optional
// +patchStrategy=merge
// +patchMergeKey=name
// +listType=map
// +listMapKey=name
// +k8s:optional
// +k8s:listType=map
// +k8s:listMapKey=name
Overhead []NodeAllocatableOverheadResources `json:"overhead,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
}

type NodeAllocatableMappedResources struct {
//release 1.36 1.37
// +required
//release 1.36
Resources map[ResourceName]resource.Quantity `json:"resources"`
//release 1.37
// +k8s:required
Name ResourceName `json:"name"`
// +required
// +k8s:required
Quantity *resource.Quantity `json:"quantity"`
}

type NodeAllocatableOverheadResources struct {
// +required
// +k8s:required
Name ResourceName `json:"name"`
// +optional
// +k8s:optional
PerPod *resource.Quantity `json:"perPod,omitempty"`
// +optional
// +k8s:optional
PerContainer *resource.Quantity `json:"perContainer,omitempty"`
//release 1.36 1.37
}

//release
const (
LabelHostname = "kubernetes.io/hostname"
AnnotationPeerAdvertiseAddress = "kubernetes.io/peer-advertise-address"
LabelTopologyZone = "topology.kubernetes.io/zone"
LabelTopologyRegion = "topology.kubernetes.io/region"
LabelFailureDomainBetaZone = "failure-domain.beta.kubernetes.io/zone"
LabelFailureDomainBetaRegion = "failure-domain.beta.kubernetes.io/region"

LabelZoneFailureDomain = LabelFailureDomainBetaZone
LabelZoneRegion = LabelFailureDomainBetaRegion
LabelZoneFailureDomainStable = LabelTopologyZone
LabelZoneRegionStable = LabelTopologyRegion

LabelInstanceType = "beta.kubernetes.io/instance-type"
LabelInstanceTypeStable = "node.kubernetes.io/instance-type"
LabelOSStable = "kubernetes.io/os"
LabelArchStable = "kubernetes.io/arch"
LabelWindowsBuild = "node.kubernetes.io/windows-build"
LabelNamespaceSuffixKubelet = "kubelet.kubernetes.io"
LabelNamespaceSuffixNode = "node.kubernetes.io"
LabelNamespaceNodeRestriction = "node-restriction.kubernetes.io"
IsHeadlessService = "service.kubernetes.io/headless"
LabelNodeExcludeBalancers = "node.kubernetes.io/exclude-from-external-load-balancers"
LabelMetadataName = "kubernetes.io/metadata.name"
)

const (
TaintNodeNotReady = "node.kubernetes.io/not-ready"
TaintNodeUnreachable = "node.kubernetes.io/unreachable"
TaintNodeUnschedulable = "node.kubernetes.io/unschedulable"
TaintNodeMemoryPressure = "node.kubernetes.io/memory-pressure"
TaintNodeDiskPressure = "node.kubernetes.io/disk-pressure"
TaintNodeNetworkUnavailable = "node.kubernetes.io/network-unavailable"
TaintNodePIDPressure = "node.kubernetes.io/pid-pressure"
TaintNodeOutOfService = "node.kubernetes.io/out-of-service"
)
