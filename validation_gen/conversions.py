"""Former name of `validation_gen.webhooks.conversions`, kept for one release."""

from __future__ import annotations

import warnings

from validation_gen.webhooks import conversions
from validation_gen.webhooks.conversions import *  # noqa: F403 - all public names

__all__ = conversions.__all__

warnings.warn(
    "validation_gen.conversions is now validation_gen.webhooks.conversions; the old name goes with the next release",
    DeprecationWarning,
    stacklevel=2,
)
