"""A Grafana dashboard and Prometheus alert rules for the series of `mismatch.series`, as text by file name.

`templates/monitoring` has their contents; this module only fills in the prefix of names.
"""

from __future__ import annotations

import json

from validation_gen.emit.text import render_template
from validation_gen.mismatch.series import PREFIX, check_prefix

DASHBOARD, ALERTS = "dashboard.json", "alerts.yaml"


def build_monitoring(prefix: str = PREFIX) -> dict[str, str]:
    """Returns the files by name.

    Raises:
        ValueError: no series can have such a prefix.
    """
    check_prefix(prefix)
    dashboard = json.loads(render_template(f"monitoring/{DASHBOARD}.j2", prefix=prefix))
    return {
        DASHBOARD: json.dumps(dashboard, ensure_ascii=False, indent=2) + "\n",
        ALERTS: render_template(f"monitoring/{ALERTS}.j2", prefix=prefix),
    }
