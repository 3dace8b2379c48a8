from validation_gen.runtime.registry import Kind, Registry

PACKAGES = ("v1", "robots/v1", "example.com/fleet/robots/v1", "example.com/other/v1")
REGISTRY = Registry("generated", [Kind(f".m{i}", "Robot", path, "", "*v1.Robot") for i, path in enumerate(PACKAGES)])


def packages(name: str, package: str = "") -> list[str]:
    return [kind.package for kind in REGISTRY.of_type(name, package)]


def test_a_type_of_any_package() -> None:
    assert packages("Robot") == list(PACKAGES)
    assert packages("Robt") == []


def test_a_package_by_its_path_or_the_end_of_it() -> None:
    assert packages("Robot", "fleet/robots/v1") == ["example.com/fleet/robots/v1"]
    assert packages("Robot", "/other/v1/") == ["example.com/other/v1"]
    assert packages("Robot", "obots/v1") == []


def test_the_path_itself_counts_before_those_that_end_so() -> None:
    assert packages("Robot", "v1") == ["v1"]
    assert packages("Robot", "robots/v1") == ["robots/v1"]


def test_a_module_by_its_dotted_name() -> None:
    assert packages("Robot", "robots.v1") == ["robots/v1"]
    assert packages("Robot", "fleet.robots.v1") == ["example.com/fleet/robots/v1"]
