"""The robots of the sample API between v1beta1 and v1."""

from __future__ import annotations

from typing import Any

from validation_gen.webhooks.conversions import Constant, Conversion, Default, FieldOnlyIn, Move

#: What v1beta1 calls the drives of v1.
TYPES = {"wheeled": "Wheeled", "legged": "Legged", "rotor": "Flying"}
MOST = 16


def to_v1beta1(new: dict[str, Any], old: dict[str, Any]) -> None:
    """Names the drive, and lists as many capabilities as v1beta1 takes."""
    spec = new["spec"]
    spec["drive"]["type"] = next(name for member, name in TYPES.items() if member in spec["drive"])
    if len(spec.get("capabilities", [])) > MOST:
        spec["capabilities"] = spec["capabilities"][:MOST]


ROBOT = Conversion(
    "v1beta1",
    "v1",
    kind="Robot",
    group="robots.example.com",
    moves=[
        Move("spec.batteryCapacity", "spec.battery.capacity"),
        Default("v1", "spec.battery.capacity", "0"),
        Constant("v1", "spec.battery.chemistry", "LFP"),
        Constant("v1", "spec.serialNumber", "unknown"),
        FieldOnlyIn("v1beta1", "spec.drive.type"),
        *(
            FieldOnlyIn("v1", f"spec.{name}")
            for name in (
                "assetID autonomy battery compartments consumables controlCertificate controlHost homeDock markings "
                "poolName sensors speedLimits surfaces".split()
            )
        ),
        *(FieldOnlyIn("v1", f"status.{name}") for name in ("conditions", "lastAppliedSpec", "position")),
    ],
    keeps=["spec.batteryCapacity", "spec.capabilities"],
    back=to_v1beta1,
)
