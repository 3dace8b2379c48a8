"""Deployments as the benchmarks know them: the fields of apps/v1, with limits beside the types.

+groupName=apps
+k8s:validation-gen=TypesWithField=TypeMeta
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated

from validation_gen.types import Int32
from validation_gen.types.meta import IntOrString, ObjectMeta, Time, TypeMeta

from ..core.v1 import ConditionStatus, LabelSelector, PodTemplateSpec


@dataclass(kw_only=True)
class Deployment(TypeMeta):
    # +k8s:subfield(name)=+k8s:optional
    # +k8s:subfield(name)=+k8s:format=k8s-long-name
    metadata: ObjectMeta = field(default_factory=ObjectMeta)
    # +k8s:required
    spec: DeploymentSpec | None
    # +k8s:optional
    status: DeploymentStatus | None = None


@dataclass(kw_only=True)
class DeploymentSpec:
    # +k8s:optional
    # +k8s:minimum=0
    replicas: Annotated[int, Int32] | None = None
    # +k8s:required
    selector: LabelSelector | None
    # +k8s:required
    template: PodTemplateSpec | None
    # +k8s:optional
    strategy: DeploymentStrategy | None = None
    # +k8s:optional
    # +k8s:minimum=0
    min_ready_seconds: Annotated[int, Int32] = 0
    # +k8s:optional
    # +k8s:minimum=0
    revision_history_limit: Annotated[int, Int32] | None = None
    paused: bool = False
    # +k8s:optional
    # +k8s:minimum=1
    progress_deadline_seconds: Annotated[int, Int32] | None = None


@dataclass(kw_only=True)
class DeploymentStrategy:
    # +k8s:optional
    type: DeploymentStrategyType | None = None
    rolling_update: RollingUpdateDeployment | None = None


class DeploymentStrategyType(str, Enum):
    RECREATE = "Recreate"
    ROLLING_UPDATE = "RollingUpdate"


@dataclass(kw_only=True)
class RollingUpdateDeployment:
    max_unavailable: IntOrString | None = None
    max_surge: IntOrString | None = None


@dataclass(kw_only=True)
class DeploymentStatus:
    observed_generation: int = 0
    replicas: Annotated[int, Int32] = 0
    updated_replicas: Annotated[int, Int32] = 0
    ready_replicas: Annotated[int, Int32] = 0
    available_replicas: Annotated[int, Int32] = 0
    unavailable_replicas: Annotated[int, Int32] = 0
    terminating_replicas: Annotated[int, Int32] | None = None
    # +k8s:optional
    # +k8s:listType=map
    # +k8s:listMapKey=type
    conditions: list[DeploymentCondition] = field(default_factory=list)
    collision_count: Annotated[int, Int32] | None = None


@dataclass(kw_only=True)
class DeploymentCondition:
    # +k8s:required
    type: str
    # +k8s:required
    status: ConditionStatus
    last_update_time: Time | None = None
    last_transition_time: Time | None = None
    reason: str = ""
    message: str = ""
