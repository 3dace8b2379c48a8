"""An operator of kopf: each kite gets a ConfigMap as its string, flies while the wind allows it, and is wound up at last.

Run it with `kopf run --all-namespaces kite_operator.py`.
"""

import kopf
from lightkube import ApiError, Client
from lightkube.models.meta_v1 import ObjectMeta, OwnerReference
from lightkube.resources.core_v1 import ConfigMap

from validation_gen.webhooks import Request, mutates

WIND = "wind"


@kopf.on.startup()
def configure(settings, **_):
    settings.networking.error_backoffs = [0.1, 0.5, 1, 5, 30]
    settings.watching.reconnect_backoff = 0.1
    settings.persistence.consistency_timeout = 0.5
    settings.background.cancellation_polling = 0.1  # a timer that runs when its kite is deleted


@kopf.on.create("kites", backoff=0.2)
@kopf.on.resume("kites", backoff=0.2)
def fly(body, name, namespace, uid, patch, **_):
    """Makes the string. Its name comes from that of the kite, so that a second attempt makes no second string."""
    owner = OwnerReference(apiVersion="example.com/v1", kind="Kite", name=name, uid=uid, controller=True)
    meta = ObjectMeta(name=f"{name}-string", namespace=namespace, ownerReferences=[owner])
    try:
        with Client() as client:
            client.create(ConfigMap(metadata=meta, data={"owner": body.spec["owner"]}))
    except ApiError as refusal:
        if refusal.status.reason != "AlreadyExists":
            raise
    patch.status["phase"] = "Flying"
    patch.status["since"] = body.metadata["creationTimestamp"]


@kopf.timer("kites", interval=0.1, initial_delay=0.1, backoff=0.2)
def look_at_the_wind(spec, status, namespace, patch, **_):
    """Grounds a kite while there is too much wind for it."""
    phase = "Grounded" if read_wind(namespace) > spec["maxWind"] else "Flying"
    if status.get("phase") not in (None, phase):
        patch.status["phase"] = phase


def read_wind(namespace):
    try:
        with Client() as client:
            return int(client.get(ConfigMap, WIND, namespace=namespace).data["force"])
    except ApiError as refusal:
        if refusal.status.reason == "NotFound":
            return 0
        raise


@kopf.on.delete("kites", backoff=0.2)
def wind_up(name, namespace, **_):
    """Notes the end of a kite; kopf keeps the finalizer until this has worked."""
    meta = ObjectMeta(name=f"{name}-wound-up", namespace=namespace)
    try:
        with Client() as client:
            client.create(ConfigMap(metadata=meta))
    except ApiError as refusal:
        if refusal.status.reason != "AlreadyExists":
            raise


@mutates("Kite", group="example.com")
def limit_wind(request: Request) -> None:
    """Allows beginners no strong wind: an admission webhook."""
    labels = request.object["metadata"].get("labels") or {}
    if labels.get("pilot") == "beginner":
        request.object["spec"]["maxWind"] = min(request.object["spec"].get("maxWind", 3), 3)
