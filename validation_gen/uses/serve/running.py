"""Runs a webhook until it is told to end: it says that it is not ready, answers what is asked, and ends."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from typing import Any

import uvicorn

from validation_gen.uses.serve.app import Webhook

#: Seconds for requests that are under way when it is to end.
_GRACE = 10


class _Server(uvicorn.Server):
    """Tells when it listens, and is not ready as soon as it is to end."""

    def __init__(self, config: uvicorn.Config, webhook: Webhook, listening: Callable[[int], None]) -> None:
        super().__init__(config)
        self._webhook = webhook
        self._listening = listening

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        for server in getattr(self, "servers", []):
            for socket in server.sockets:
                self._listening(socket.getsockname()[1])
                return

    async def shutdown(self, sockets: Any = None) -> None:
        self._webhook.ready = False
        await super().shutdown(sockets)


def serve(webhook: Webhook, host: str, port: int, certificate: str, key: str, listening: Callable[[int], None]) -> bool:
    """Answers requests until a signal ends it.

    Args:
        webhook: answers.
        host: the address to listen at.
        port: the port, 0 for any that is free.
        certificate: the file with the certificate and those that vouch for it.
        key: the file with its key.
        listening: is told the port once requests are answered.

    Returns:
        Whether it could begin.

    Raises:
        OSError: the certificate or its key cannot be read.
        ssl.SSLError: they are none.
    """
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key)
    config = uvicorn.Config(
        webhook.app,
        host=host,
        port=port,
        ssl_certfile=certificate,
        ssl_keyfile=key,
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="off",
        timeout_graceful_shutdown=_GRACE,
    )
    config.load()
    if config.ssl is not None:
        config.ssl.minimum_version = ssl.TLSVersion.TLSv1_2
    server = _Server(config, webhook, listening)
    server.run()
    return bool(server.started)
