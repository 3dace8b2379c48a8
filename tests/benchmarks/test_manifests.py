"""The manifests of the benchmark: as many as are wanted, valid, each with a name of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from benchmarks import manifests
from benchmarks.corpora import spread
from validation_gen.runtime.registry import Registry


def test_manifests_are_valid_and_have_names_of_their_own(tmp_path: Path, registry: Registry) -> None:
    manifests.write(tmp_path, 1_003)
    files = sorted(tmp_path.iterdir())
    assert [file.read_text(encoding="utf-8").count("---\n") for file in files] == [1_000, 3]
    found = [each for file in files for each in yaml.load_all(file.read_bytes(), yaml.CSafeLoader)]
    assert {each["metadata"]["name"] for each in found} == {f"object-{number}" for number in range(1_003)}
    assert [each["kind"] for each in found[:5]] == ["Deployment", "Brew", "Brew", "Brew", "Deployment"]
    for each in found[:2]:
        assert not registry.validator(each["apiVersion"], each["kind"])(each)


def test_reading_alone_takes_whatever_is_yaml(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("a: =\n---\nb: 1\n", encoding="utf-8")
    assert manifests.reading(tmp_path).run().wall > 0
    (tmp_path / "b.yaml").write_text("a: [\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="while parsing"):
        manifests.reading(tmp_path).run()


def test_a_spread_has_the_median_with_the_least_and_the_most() -> None:
    assert spread([3.0, 1.0, 2.5]) == "2.50 (1.00 to 3.00)"
