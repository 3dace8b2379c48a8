"""The files of a certificate in a directory: three of PEM, or the manifest of a Secret. A key is for its owner only."""

from __future__ import annotations

import base64
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from validation_gen.emit.output import MARKER, Root
from validation_gen.emit.schema.yamltext import as_yaml
from validation_gen.kubernetes.yaml import read_documents
from validation_gen.uses.serve.certificates import Issued

AUTHORITIES, CERTIFICATE, KEY = "ca.crt", "tls.crt", "tls.key"
SECRET = "secret.yaml"  # noqa: S105 - the name of a file
#: No file of ours is larger, and those of others are not read.
_MOST = 1 << 20
_TYPE = "kubernetes.io/tls"


def found_in(directory: str, *, secret: bool) -> list[str]:
    """Returns which of the files are there."""
    names = [SECRET] if secret else [AUTHORITIES, CERTIFICATE, KEY]
    return [name for name in names if os.path.lexists(os.path.join(directory, name))]  # noqa: PTH118


def read(directory: str, *, secret: bool) -> Issued:
    """Reads the files.

    Raises:
        OSError: one cannot be read.
        ValueError: one holds something else.
    """
    with Root.open(directory) as root:
        if not secret:
            return Issued(*(_content(root, name) for name in (AUTHORITIES, CERTIFICATE, KEY)))
        text = _content(root, SECRET).decode()
    try:
        (obj,) = [document.value for document in read_documents(text)]
        data = obj["data"]
        parts = [base64.b64decode(data[name], validate=True) for name in (AUTHORITIES, CERTIFICATE, KEY)]
    except (yaml.YAMLError, ValueError, LookupError, TypeError):
        raise ValueError(f"{SECRET} is no Secret with {AUTHORITIES}, {CERTIFICATE} and {KEY}") from None
    return Issued(*parts)


def write(directory: str, issued: Issued, secret: tuple[str, str] | None = None) -> list[str]:
    """Writes the files, and returns their names.

    Args:
        directory: is made if it is not there, for its owner only.
        issued: what they hold.
        secret: the name and the namespace of a Secret, if they are to be its manifest.

    Raises:
        OSError: one cannot be written.
    """
    files = _files(issued) if secret is None else {SECRET: secret_manifest(issued, *secret).encode()}
    Path(directory).mkdir(mode=0o700, parents=True, exist_ok=True)
    with Root.open(directory) as root:
        for name, content in files.items():
            root.replace(name, content, private=name in (KEY, SECRET))
    return list(files)


def secret_manifest(issued: Issued, name: str, namespace: str) -> str:
    """The manifest of a Secret that a Deployment mounts. The authorities in it are those whom callers trust."""
    manifest: dict[str, Any] = {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": name, "namespace": namespace},
        "type": _TYPE,
        "data": {key: base64.b64encode(content).decode() for key, content in _files(issued).items()},
    }
    return as_yaml(manifest, marker=MARKER)


def _files(issued: Issued) -> Mapping[str, bytes]:
    # The key comes last: whoever looks for a pair that fits finds the old one until then.
    return {AUTHORITIES: issued.authorities, CERTIFICATE: issued.certificate, KEY: issued.key}


def _content(root: Root, name: str) -> bytes:
    content = root.read(name)
    if content is None:
        raise FileNotFoundError(2, "there is no such file", name)
    if len(content) > _MOST:
        raise ValueError(f"{name} is too large to be one of ours")
    return content
