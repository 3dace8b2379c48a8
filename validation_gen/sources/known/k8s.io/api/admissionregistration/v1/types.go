// Code generated from k8s.io/api by tests/sources/facts.py. DO NOT EDIT.

// +groupName=admissionregistration.k8s.io
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

const GroupName = "admissionregistration.k8s.io"

type Rule struct {
// +listType=atomic
APIGroups []string `json:"apiGroups,omitempty"`
// +listType=atomic
APIVersions []string `json:"apiVersions,omitempty"`
// +listType=atomic
Resources []string `json:"resources,omitempty"`
// +optional
Scope *ScopeType `json:"scope,omitempty"`
}

// +enum
type ScopeType string

const (
ClusterScope ScopeType = "Cluster"
NamespacedScope ScopeType = "Namespaced"
AllScopes ScopeType = "*"
)

// +enum
type FailurePolicyType string

const (
Ignore FailurePolicyType = "Ignore"
Fail FailurePolicyType = "Fail"
)

type ParameterNotFoundActionType string

const (
AllowAction ParameterNotFoundActionType = "Allow"
DenyAction ParameterNotFoundActionType = "Deny"
)

// +enum
type MatchPolicyType string

const (
Exact MatchPolicyType = "Exact"
Equivalent MatchPolicyType = "Equivalent"
)

// +enum
type SideEffectClass string

const (
SideEffectClassUnknown SideEffectClass = "Unknown"
SideEffectClassNone SideEffectClass = "None"
SideEffectClassSome SideEffectClass = "Some"
SideEffectClassNoneOnDryRun SideEffectClass = "NoneOnDryRun"
)

//release 1.37
// +k8s:supportsSubresource="/status"
//release
type ValidatingAdmissionPolicy struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
Spec ValidatingAdmissionPolicySpec `json:"spec,omitempty"`
// +optional
Status ValidatingAdmissionPolicyStatus `json:"status,omitempty"`
}

type ValidatingAdmissionPolicyStatus struct {
// +optional
ObservedGeneration int64 `json:"observedGeneration,omitempty"`
// +optional
TypeChecking *TypeChecking `json:"typeChecking,omitempty"`
// +optional
// +listType=map
// +listMapKey=type
//release 1.37
// +k8s:alpha(since: "1.37")=+k8s:optional
// +k8s:alpha(since: "1.37")=+k8s:listType=map
// +k8s:alpha(since: "1.37")=+k8s:listMapKey=type
//release
Conditions []metav1.Condition `json:"conditions,omitempty"`
}

type ValidatingAdmissionPolicyConditionType string

type TypeChecking struct {
// +optional
// +listType=atomic
ExpressionWarnings []ExpressionWarning `json:"expressionWarnings,omitempty"`
}

type ExpressionWarning struct {
FieldRef string `json:"fieldRef"`
Warning string `json:"warning"`
}

type ValidatingAdmissionPolicyList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []ValidatingAdmissionPolicy `json:"items"`
}

type ValidatingAdmissionPolicySpec struct {
// +optional
ParamKind *ParamKind `json:"paramKind,omitempty"`
MatchConstraints *MatchResources `json:"matchConstraints,omitempty"`
// +listType=atomic
// +optional
Validations []Validation `json:"validations,omitempty"`
// +optional
FailurePolicy *FailurePolicyType `json:"failurePolicy,omitempty"`
// +listType=atomic
// +optional
AuditAnnotations []AuditAnnotation `json:"auditAnnotations,omitempty"`
// +patchMergeKey=name
// +patchStrategy=merge
// +listType=map
// +listMapKey=name
// +optional
MatchConditions []MatchCondition `json:"matchConditions,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
// +patchMergeKey=name
// +patchStrategy=merge
// +listType=map
// +listMapKey=name
// +optional
Variables []Variable `json:"variables,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
}

// +structType=atomic
type ParamKind struct {
APIVersion string `json:"apiVersion,omitempty"`
Kind string `json:"kind,omitempty"`
}

type Validation struct {
Expression string `json:"expression"`
// +optional
Message string `json:"message,omitempty"`
// +optional
Reason *metav1.StatusReason `json:"reason,omitempty"`
// +optional
MessageExpression string `json:"messageExpression,omitempty"`
}

// +structType=atomic
type Variable struct {
Name string `json:"name"`
Expression string `json:"expression"`
}

type AuditAnnotation struct {
Key string `json:"key"`
ValueExpression string `json:"valueExpression"`
}

type ValidatingAdmissionPolicyBinding struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
//release 1.36 1.37
// +required
//release
Spec ValidatingAdmissionPolicyBindingSpec `json:"spec,omitempty"`
}

type ValidatingAdmissionPolicyBindingList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []ValidatingAdmissionPolicyBinding `json:"items"`
}

type ValidatingAdmissionPolicyBindingSpec struct {
//release 1.36 1.37
// +required
//release 1.36
// +k8s:alpha(since: "1.36")=+k8s:required
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:required
//release
PolicyName string `json:"policyName,omitempty"`
// +optional
ParamRef *ParamRef `json:"paramRef,omitempty"`
// +optional
MatchResources *MatchResources `json:"matchResources,omitempty"`
// +listType=set
//release 1.36 1.37
// +required
//release 1.36
// +k8s:alpha(since: "1.36")=+k8s:required
//release 1.37
// +k8s:beta(since: "1.37")=+k8s:required
//release
ValidationActions []ValidationAction `json:"validationActions,omitempty"`
}

// +structType=atomic
type ParamRef struct {
Name string `json:"name,omitempty"`
// +optional
Namespace string `json:"namespace,omitempty"`
// +optional
Selector *metav1.LabelSelector `json:"selector,omitempty"`
ParameterNotFoundAction *ParameterNotFoundActionType `json:"parameterNotFoundAction,omitempty"`
}

// +structType=atomic
type MatchResources struct {
// +optional
NamespaceSelector *metav1.LabelSelector `json:"namespaceSelector,omitempty"`
// +optional
ObjectSelector *metav1.LabelSelector `json:"objectSelector,omitempty"`
// +listType=atomic
// +optional
ResourceRules []NamedRuleWithOperations `json:"resourceRules,omitempty"`
// +listType=atomic
// +optional
ExcludeResourceRules []NamedRuleWithOperations `json:"excludeResourceRules,omitempty"`
// +optional
MatchPolicy *MatchPolicyType `json:"matchPolicy,omitempty"`
}

// +enum
type ValidationAction string

const (
Deny ValidationAction = "Deny"
Warn ValidationAction = "Warn"
Audit ValidationAction = "Audit"
)

// +structType=atomic
type NamedRuleWithOperations struct {
// +listType=atomic
// +optional
ResourceNames []string `json:"resourceNames,omitempty"`
//release 1.33 1.34 1.35 1.36
RuleWithOperations `json:",inline"`
//release 1.37
RuleWithOperations `json:""`
//release
}

type ValidatingWebhookConfiguration struct {
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
Webhooks []ValidatingWebhook `json:"webhooks,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
}

type ValidatingWebhookConfigurationList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []ValidatingWebhookConfiguration `json:"items"`
}

type MutatingWebhookConfiguration struct {
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
Webhooks []MutatingWebhook `json:"webhooks,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
}

type MutatingWebhookConfigurationList struct {
//release 1.33 1.34 1.35 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []MutatingWebhookConfiguration `json:"items"`
}

type ValidatingWebhook struct {
Name string `json:"name"`
ClientConfig WebhookClientConfig `json:"clientConfig"`
// +listType=atomic
Rules []RuleWithOperations `json:"rules,omitempty"`
// +optional
FailurePolicy *FailurePolicyType `json:"failurePolicy,omitempty"`
// +optional
MatchPolicy *MatchPolicyType `json:"matchPolicy,omitempty"`
// +optional
NamespaceSelector *metav1.LabelSelector `json:"namespaceSelector,omitempty"`
// +optional
ObjectSelector *metav1.LabelSelector `json:"objectSelector,omitempty"`
SideEffects *SideEffectClass `json:"sideEffects"`
// +optional
TimeoutSeconds *int32 `json:"timeoutSeconds,omitempty"`
// +listType=atomic
AdmissionReviewVersions []string `json:"admissionReviewVersions"`
// +patchMergeKey=name
// +patchStrategy=merge
// +listType=map
// +listMapKey=name
// +optional
MatchConditions []MatchCondition `json:"matchConditions,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
}

type MutatingWebhook struct {
Name string `json:"name"`
ClientConfig WebhookClientConfig `json:"clientConfig"`
// +listType=atomic
Rules []RuleWithOperations `json:"rules,omitempty"`
// +optional
FailurePolicy *FailurePolicyType `json:"failurePolicy,omitempty"`
// +optional
MatchPolicy *MatchPolicyType `json:"matchPolicy,omitempty"`
// +optional
NamespaceSelector *metav1.LabelSelector `json:"namespaceSelector,omitempty"`
// +optional
ObjectSelector *metav1.LabelSelector `json:"objectSelector,omitempty"`
SideEffects *SideEffectClass `json:"sideEffects"`
// +optional
TimeoutSeconds *int32 `json:"timeoutSeconds,omitempty"`
// +listType=atomic
AdmissionReviewVersions []string `json:"admissionReviewVersions"`
// +optional
ReinvocationPolicy *ReinvocationPolicyType `json:"reinvocationPolicy,omitempty"`
// +patchMergeKey=name
// +patchStrategy=merge
// +listType=map
// +listMapKey=name
// +optional
MatchConditions []MatchCondition `json:"matchConditions,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
}

//release 1.36 1.37
type MutatingAdmissionPolicy struct {
//release 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release 1.36 1.37
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
Spec MutatingAdmissionPolicySpec `json:"spec,omitempty"`
}

type MutatingAdmissionPolicyList struct {
//release 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release 1.36 1.37
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []MutatingAdmissionPolicy `json:"items"`
}

type MutatingAdmissionPolicySpec struct {
// +optional
ParamKind *ParamKind `json:"paramKind,omitempty"`
MatchConstraints *MatchResources `json:"matchConstraints,omitempty"`
// +listType=atomic
// +optional
Variables []Variable `json:"variables,omitempty"`
// +listType=atomic
// +optional
Mutations []Mutation `json:"mutations,omitempty"`
// +optional
FailurePolicy *FailurePolicyType `json:"failurePolicy,omitempty"`
// +patchMergeKey=name
// +patchStrategy=merge
// +listType=map
// +listMapKey=name
// +optional
MatchConditions []MatchCondition `json:"matchConditions,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
ReinvocationPolicy ReinvocationPolicyType `json:"reinvocationPolicy,omitempty"`
}

type Mutation struct {
PatchType PatchType `json:"patchType"`
ApplyConfiguration *ApplyConfiguration `json:"applyConfiguration,omitempty"`
JSONPatch *JSONPatch `json:"jsonPatch,omitempty"`
}

// +enum
type PatchType string

const (
PatchTypeApplyConfiguration PatchType = "ApplyConfiguration"
PatchTypeJSONPatch PatchType = "JSONPatch"
)

type ApplyConfiguration struct {
Expression string `json:"expression,omitempty"`
}

type JSONPatch struct {
Expression string `json:"expression,omitempty"`
}

type MutatingAdmissionPolicyBinding struct {
//release 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release 1.36 1.37
// +optional
metav1.ObjectMeta `json:"metadata,omitempty"`
Spec MutatingAdmissionPolicyBindingSpec `json:"spec,omitempty"`
}

type MutatingAdmissionPolicyBindingList struct {
//release 1.36
metav1.TypeMeta `json:",inline"`
//release 1.37
metav1.TypeMeta `json:""`
//release 1.36 1.37
// +optional
metav1.ListMeta `json:"metadata,omitempty"`
Items []MutatingAdmissionPolicyBinding `json:"items"`
}

type MutatingAdmissionPolicyBindingSpec struct {
PolicyName string `json:"policyName,omitempty"`
// +optional
ParamRef *ParamRef `json:"paramRef,omitempty"`
// +optional
MatchResources *MatchResources `json:"matchResources,omitempty"`
}

//release
// +enum
type ReinvocationPolicyType string

const (
NeverReinvocationPolicy ReinvocationPolicyType = "Never"
IfNeededReinvocationPolicy ReinvocationPolicyType = "IfNeeded"
)

type RuleWithOperations struct {
// +listType=atomic
Operations []OperationType `json:"operations,omitempty"`
//release 1.33 1.34 1.35 1.36
Rule `json:",inline"`
//release 1.37
Rule `json:""`
//release
}

// +enum
type OperationType string

const (
OperationAll OperationType = "*"
Create OperationType = "CREATE"
Update OperationType = "UPDATE"
Delete OperationType = "DELETE"
Connect OperationType = "CONNECT"
)

type WebhookClientConfig struct {
// +optional
URL *string `json:"url,omitempty"`
// +optional
Service *ServiceReference `json:"service,omitempty"`
// +optional
CABundle []byte `json:"caBundle,omitempty"`
}

type ServiceReference struct {
Namespace string `json:"namespace"`
Name string `json:"name"`
// +optional
Path *string `json:"path,omitempty"`
// +optional
Port *int32 `json:"port,omitempty"`
}

type MatchCondition struct {
Name string `json:"name"`
Expression string `json:"expression"`
}
