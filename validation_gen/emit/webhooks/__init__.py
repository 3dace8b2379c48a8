"""Writes the files for validators in a cluster: manifests, a kustomize base, and a Dockerfile.

Begin with `files`, which combines them. `kinds` registers kinds, and finds the updates that need no request. The
settings of a project's webhook have the defaults of the table `webhooks`. Nothing here interprets rules or applies
anything to a cluster.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WebhookSettings:
    """Settings for calling and running a webhook.

    Attributes:
        name: of the Service, the Deployment and all else.
        namespace: namespace of its objects.
        image: image of its container.
        port: port of the server in its container. The Service has 443.
        replicas: number of its replicas.
        timeout_seconds: seconds that the API server waits for an answer.
        failure_policy: the API server's policy without an answer: `Fail` or `Ignore`.
        types: types in the image that the server reads, as paths from the build context; by default, the inputs of
            the run.
        arguments: further arguments of `validation-gen webhook serve`.
        files: further files of the image, as paths from the build context.
        skip_unchanged: True to skip updates that no rule can refuse.
        mutate: True to register kinds with defaults for `/mutate`.
        scale: True to register the scale of kinds that have one.
    """

    name: str = "validation-webhook"
    namespace: str = "validation-system"
    image: str = "validation-webhook:latest"
    port: int = 9443
    replicas: int = 2
    timeout_seconds: int = 10
    failure_policy: str = "Fail"
    types: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    skip_unchanged: bool = True
    mutate: bool = True
    scale: bool = False

    @property
    def secret(self) -> str:
        """The name of the Secret with the certificate."""
        return f"{self.name}-tls"

    @property
    def host(self) -> str:
        """The name under which the API server knows the Service."""
        return f"{self.name}.{self.namespace}.svc"

    @property
    def labels(self) -> dict[str, str]:
        return {"app.kubernetes.io/name": self.name}
