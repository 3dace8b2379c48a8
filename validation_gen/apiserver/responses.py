"""Responses on their way to a client: the representation of objects, headers, compression, and streams.

Source of the behaviour: `pkg/endpoints/handlers/{response,responsewriters}` of `k8s.io/apiserver`.
"""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Mapping
from typing import Any

from starlette.types import Receive, Send

from validation_gen.apiserver.calls import Call, Response
from validation_gen.apiserver.errors import ApiError, bad_request
from validation_gen.apiserver.negotiation import MediaType, encode, write_warnings
from validation_gen.apiserver.scaling import COLUMNS as SCALE_COLUMNS
from validation_gen.apiserver.tables import partial, table
from validation_gen.runtime.errors import FieldError

#: Bodies from which on a response is compressed, in bytes.
_LEAST_COMPRESSED = 128 * 1024


def represent(call: Call, body: dict[str, Any]) -> dict[str, Any]:
    """Returns a body in the form that the client asks for."""
    media = call.media
    if not media.kind or body.get("kind") == "Status":
        return body
    is_list = "items" in body and body.get("kind") == call.resource.names.list_kind
    if media.kind == "Table":
        include = call.query.get("includeObject", [""])[0]
        if include not in ("", "Metadata", "Object", "None"):
            error = FieldError.invalid("includeObject", include, "must be 'Metadata', 'Object', 'None', or empty")
            raise bad_request(f"Unable to convert to Table as requested: {error}")
        objects = body["items"] if is_list else [body]
        meta = body["metadata"] if is_list else {"resourceVersion": body["metadata"].get("resourceVersion", "")}
        columns = call.resource.columns(call.version.name) if body["kind"] != "Scale" else SCALE_COLUMNS
        return table(columns, objects, meta, media.version, include, call.clock.now())
    if media.kind == "PartialObjectMetadata":
        if is_list:
            text = "the requested object is a list (*unstructured.UnstructuredList)"
            raise ApiError(406, "NotAcceptable", f"you requested PartialObjectMetadata, but {text}")
        return partial(body, media.version)
    if not is_list:
        raise ApiError(500, "", "content is not a list")
    items = [partial(item, media.version) for item in body["items"]]
    return {
        "kind": "PartialObjectMetadataList",
        "apiVersion": f"meta.k8s.io/{media.version}",
        "metadata": body["metadata"],
        "items": items or None,
    }


def refuse(problem: ApiError) -> Response:
    """Returns the response of a refusal."""
    response = Response(problem.code, problem.status())
    if problem.retry_after:
        response.headers["retry-after"] = str(problem.retry_after)
    return response


async def send_response(
    response: Response,
    media: MediaType,
    warnings: list[str],
    request: Mapping[str, str],
    method: str,
    receive: Receive,
    send: Send,
) -> None:
    """Sends a response with its headers, compressed if it is large.

    Args:
        response: the response.
        media: its representation.
        warnings: the texts of `Warning` headers.
        request: the headers of the request, by names in lower case.
        method: the method of the request.
        receive: receives the disconnection of the client of a watch.
        send: sends the parts.
    """
    headers = {"cache-control": "no-cache, private", **response.headers}
    if response.stream is not None:
        await _stream(response, headers, receive, send)
        return
    content = response.content
    kind = response.content_type
    if content is None:
        content, kind = encode(response.body, media), kind or media.type
    if len(content) > _LEAST_COMPRESSED and "gzip" in request.get("accept-encoding", ""):
        content = gzip.compress(content, 1)
        headers["content-encoding"] = "gzip"
    if kind and response.code != 304:
        headers.setdefault("content-type", kind)
    listed = [(name.encode(), value.encode("latin-1", "replace")) for name, value in headers.items()]
    listed += [(b"warning", value) for value in write_warnings(warnings)]
    listed.append((b"content-length", str(len(content)).encode()))
    await send({"type": "http.response.start", "status": response.code, "headers": listed})
    await send({"type": "http.response.body", "body": b"" if method == "HEAD" else content})


async def _stream(response: Response, headers: dict[str, str], receive: Receive, send: Send) -> None:
    headers["content-type"] = response.content_type
    listed = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
    assert response.stream is not None
    stream = response.stream

    async def write() -> None:
        started = False
        async for part in stream:
            if not started:
                await send({"type": "http.response.start", "status": 200, "headers": listed})
                started = True
            await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b""})

    async def wait_for_disconnect() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    tasks = [asyncio.ensure_future(write()), asyncio.ensure_future(wait_for_disconnect())]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await stream.aclose()  # type: ignore[attr-defined]  # it is a generator
