"""What a project says of its webhook: names, places, limits. The defaults are those of the table `webhooks`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WebhookSettings:
    """How a webhook is called and run.

    Attributes:
        name: of the Service, the Deployment and all else.
        namespace: where it runs.
        image: what it runs.
        port: where the server listens in its container. The Service has 443.
        replicas: how many of it run.
        timeout_seconds: how long the API server waits for an answer.
        failure_policy: what the API server does when there is none: `Fail` or `Ignore`.
        types: what the image holds and the server reads, as paths from where the image is built; without any, the
            inputs of the run.
        arguments: what else `validation-gen serve` is called with.
        files: what else the image holds, as paths from where it is built.
        skip_unchanged: whether updates that no rule can refuse are not asked about.
        mutate: whether kinds with defaults are registered for `/mutate`.
        scale: whether requests about the scale of kinds that have one are asked about.
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
