"""Runs a webhook until it is told to end: it says that it is not ready, answers what is asked, and ends."""

from __future__ import annotations

import os
import ssl
from collections.abc import Callable
from typing import Any

import uvicorn

from validation_gen.webhooks import Webhook

#: Seconds for requests that are under way when it is to end.
_GRACE = 10
#: Seconds between looks at the certificate.
_LOOKS = 1


class _Renewal:
    """Takes a new certificate as soon as its files change; connections that there are keep the one they have."""

    def __init__(self, certificate: str, key: str, told: Callable[[str], None]) -> None:
        self._files = (certificate, key)
        self._told = told
        self._known = self._last = self._state()
        self.context: ssl.SSLContext | None = None

    def _state(self) -> object:
        try:
            found = [os.stat(file) for file in self._files]  # noqa: PTH116 - it follows links, by which they are changed
        except OSError:
            return None
        return [(each.st_mtime_ns, each.st_size, each.st_ino) for each in found]

    async def look(self) -> None:
        """Takes what is there now, if it is something else, is no longer written, and can be used."""
        now, last = self._state(), self._last
        self._last = now
        if now != last or now == self._known or now is None or self.context is None:
            return
        self._known = now
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(*self._files)
            self.context.load_cert_chain(*self._files)
        except (OSError, ssl.SSLError) as problem:
            self._told(f"the new certificate cannot be used, the old one stays: {problem}")
        else:
            self._told("the certificate was renewed")


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


def serve(
    webhook: Webhook,
    host: str,
    port: int,
    certificate: str,
    key: str,
    listening: Callable[[int], None],
    told: Callable[[str], None],
) -> bool:
    """Answers requests until a signal ends it.

    Args:
        webhook: answers.
        host: the address to listen at.
        port: the port, 0 for any that is free.
        certificate: the file with the certificate and those that vouch for it.
        key: the file with its key.
        listening: is told the port once requests are answered.
        told: is told what happens to the certificate, which is read again when its files change.

    Returns:
        Whether it could begin.

    Raises:
        OSError: the certificate or its key cannot be read.
        ssl.SSLError: they are none.
    """
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key)
    renewal = _Renewal(certificate, key, told)
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
        callback_notify=renewal.look,
        timeout_notify=_LOOKS,
    )
    config.load()
    if config.ssl is not None:
        config.ssl.minimum_version = ssl.TLSVersion.TLSv1_2
        renewal.context = config.ssl
    server = _Server(config, webhook, listening)
    server.run()
    return bool(server.started)
