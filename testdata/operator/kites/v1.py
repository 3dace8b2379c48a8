"""Kites, which the operator flies.

+groupName=example.com
"""

from dataclasses import dataclass
from typing import Annotated

from validation_gen.tags import Immutable, Maximum, MaxLength, Minimum, Optional, Required
from validation_gen.types import Int32
from validation_gen.types.meta import ObjectMeta, TypeMeta


@dataclass(kw_only=True)
class KiteSpec:
    owner: Annotated[str, Required(), MaxLength(20), Immutable()]
    # +default=6
    max_wind: Annotated[int, Int32, Optional(), Minimum(1), Maximum(12)] | None = None


@dataclass(kw_only=True)
class KiteStatus:
    phase: Annotated[str, Optional()] | None = None
    since: Annotated[str, Optional()] | None = None


# +kubebuilder:subresource:status
@dataclass(kw_only=True)
class Kite(TypeMeta):
    metadata: ObjectMeta
    spec: KiteSpec
    status: Annotated[KiteStatus, Optional()] | None = None
