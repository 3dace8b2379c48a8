"""Brews: a small custom resource, of which an object has about twenty values.

+groupName=brews.example.com
+k8s:validation-gen=TypesWithField=TypeMeta
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated

from validation_gen.types import Int32
from validation_gen.types.meta import ObjectMeta, TypeMeta


@dataclass(kw_only=True)
class Brew(TypeMeta):
    # +k8s:subfield(name)=+k8s:optional
    # +k8s:subfield(name)=+k8s:format=k8s-long-name
    metadata: ObjectMeta = field(default_factory=ObjectMeta)
    # +k8s:required
    spec: BrewSpec | None


@dataclass(kw_only=True)
class BrewSpec:
    # +k8s:required
    style: Style
    # +k8s:required
    # +k8s:format=k8s-short-name
    tank: str
    # +k8s:optional
    # +k8s:maxLength=256
    note: str = ""
    # +k8s:required
    # +k8s:minimum=1
    # +k8s:maximum=5000
    liters: Annotated[int, Int32] | None
    # +k8s:optional
    # +k8s:minimum=0
    paused_days: Annotated[int, Int32] = 0
    organic: bool = False
    # +k8s:optional
    # +k8s:maxItems=16
    # +k8s:listType=map
    # +k8s:listMapKey=name
    malts: list[Malt] = field(default_factory=list)
    # +k8s:optional
    # +k8s:eachVal=+k8s:format=k8s-label-value
    batch_labels: dict[str, str] = field(default_factory=dict)
    # +k8s:optional
    boil: Boil | None = None


class Style(str, Enum):
    LAGER = "Lager"
    PORTER = "Porter"
    SAISON = "Saison"
    STOUT = "Stout"


@dataclass(kw_only=True)
class Malt:
    # +k8s:required
    # +k8s:format=k8s-short-name
    name: str
    # +k8s:required
    # +k8s:minimum=1
    # +k8s:maximum=100
    percent: Annotated[int, Int32] | None


@dataclass(kw_only=True)
class Boil:
    # +k8s:required
    # +k8s:minimum=1
    # +k8s:maximum=300
    minutes: Annotated[int, Int32] | None
    # +k8s:optional
    # +k8s:maxItems=8
    hops: list[str] = field(default_factory=list)
