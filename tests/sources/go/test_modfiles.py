from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from validation_gen.sources.go.modfiles import Location, Replacement, SourceLocator, parse_mod_file

Tree = Callable[[dict[str, str]], Path]


def locate(
    root: Path, path: str, main: str = "main", modules: dict[str, Path] | None = None, **environ: str
) -> str | None:
    locator = SourceLocator([root / main], modules or {}, {"GOMODCACHE": str(root / "cache"), **environ})
    place = locator.locate(path)
    assert locator.locate(path) is place
    return f"{place.directory.relative_to(root).as_posix()} of {place.module}" if place else None


def test_parsing() -> None:
    file = parse_mod_file(
        """
        // Deprecated: use (another) module
        module "example.com/m" // comment
        go 1.24
        toolchain go1.24.1
        require example.com/a v1.0.0
        require (
            example.com/b v1.1.0 // indirect
            `example.com/c` v0.0.0-20260101000000-abcdef123456
            // example.com/no v1.0.0
            broken
        )
        replace example.com/a => ../a
        replace (
            example.com/b v1.1.0 => example.com/fork/b v1.2.0
            "example.com/c" => "./c d" // comment
            => nothing
        )
        exclude example.com/x v1.0.0
        retract [v1.0.0, v1.1.0]
        use ./one
        use (
            ./two
        )
        require ()
        module
        unknown ( x )
        """,
        Path("/x"),
    )
    assert file.module == "example.com/m"
    assert file.requires == {
        "example.com/a": "v1.0.0",
        "example.com/b": "v1.1.0",
        "example.com/c": "v0.0.0-20260101000000-abcdef123456",
    }
    assert file.replaces == [
        Replacement("example.com/a", "", "../a", ""),
        Replacement("example.com/b", "v1.1.0", "example.com/fork/b", "v1.2.0"),
        Replacement("example.com/c", "", "./c d", ""),
    ]
    assert file.uses == ["./one", "./two"]


def test_same_module(tree: Tree) -> None:
    root = tree({"main/go.mod": "module example.com/m\n", "main/a/b/x.go": "", "main/x.go": ""})
    assert locate(root, "example.com/m/a/b", "main/a") == "main/a/b of example.com/m"
    assert locate(root, "example.com/m") == "main of example.com/m"
    assert locate(root, "example.com/m/a") is None, "no Go files"
    assert locate(root, "example.com/mm") is None


def test_nested_modules_have_paths_of_their_own(tree: Tree) -> None:
    root = tree(
        {
            "main/go.mod": "module example.com/m\n",
            "main/a/go.mod": "module example.com/other\n",
            "main/a/x.go": "",
            "main/b/go.mod": "module example.com/m/b\n",
            "main/b/c/x.go": "",
        }
    )
    assert locate(root, "example.com/m/a") is None
    assert locate(root, "example.com/m/b/c") == "main/b/c of example.com/m/b"


def test_replacements(tree: Tree) -> None:
    root = tree(
        {
            "main/go.mod": """
                module example.com/m
                require example.com/c v1.1.0
                require example.com/d v1.1.0
                replace example.com/a => ../local
                replace example.com/b => example.com/Fork v1.2.0
                replace example.com/c v1.0.0 => ../local
                replace example.com/d v1.1.0 => ../local
                replace example.com/a/deeper => ../deeper
                """,
            "local/p/x.go": "",
            "deeper/x.go": "",
            "cache/example.com/!fork@v1.2.0/p/x.go": "",
            "cache/example.com/c@v1.1.0/p/x.go": "",
        }
    )
    assert locate(root, "example.com/a/p") == "local/p of example.com/a"
    assert locate(root, "example.com/a/deeper") == "deeper of example.com/a/deeper"
    assert locate(root, "example.com/b/p") == "cache/example.com/!fork@v1.2.0/p of example.com/b"
    assert locate(root, "example.com/c/p") == "cache/example.com/c@v1.1.0/p of example.com/c", "other version"
    assert locate(root, "example.com/d/p") == "local/p of example.com/d"


def test_workspaces(tree: Tree) -> None:
    root = tree(
        {
            "go.work": "go 1.24\nuse (\n ./main\n ./other\n ./missing\n)\nreplace example.com/r => ./replaced\n",
            "main/go.mod": "module example.com/m\n",
            "other/go.mod": "module example.com/o\n",
            "other/p/x.go": "",
            "replaced/x.go": "",
            "vendor/example.com/v/x.go": "",
            "elsewhere/go.work": "use ../other\n",
        }
    )
    assert locate(root, "example.com/o/p") == "other/p of example.com/o"
    assert locate(root, "example.com/r") == "replaced of example.com/r"
    assert locate(root, "example.com/v") == "vendor/example.com/v of example.com/v"
    assert locate(root, "example.com/o/p", GOWORK="off") is None
    assert locate(root, "example.com/r", GOWORK=str(root / "elsewhere/go.work")) is None
    assert locate(root, "example.com/o/p", GOWORK=str(root / "elsewhere/go.work")) == "other/p of example.com/o"


def test_vendor(tree: Tree) -> None:
    root = tree(
        {
            "main/go.mod": "module example.com/m\nrequire k8s.io/api v0.1.0\n",
            "main/vendor/k8s.io/api/core/v1/x.go": "",
            "cache/k8s.io/api@v0.1.0/core/v1/x.go": "",
        }
    )
    assert locate(root, "k8s.io/api/core/v1") == "main/vendor/k8s.io/api/core/v1 of k8s.io/api/core/v1"


def test_module_cache(tree: Tree) -> None:
    root = tree(
        {
            "main/go.mod": "module m.io\nrequire k8s.io/api v0.1.0\nrequire github.com/BurntSushi/toml v1.0.0\n",
            "cache/k8s.io/api@v0.1.0/core/v1/x.go": "",
            "cache/k8s.io/api@v0.2.0/core/v1/x.go": "",
            "cache/k8s.io/api@v0.2.0/new/v1/x.go": "",
            "cache/k8s.io/api/nested@v1.0.0/p/x.go": "",
            "cache/github.com/!burnt!sushi/toml@v1.0.0/x.go": "",
        }
    )
    assert locate(root, "k8s.io/api/core/v1") == "cache/k8s.io/api@v0.1.0/core/v1 of k8s.io/api"
    assert locate(root, "k8s.io/api/new/v1") == "cache/k8s.io/api@v0.2.0/new/v1 of k8s.io/api", (
        "any is better than none"
    )
    assert locate(root, "k8s.io/api/nested/p") == "cache/k8s.io/api/nested@v1.0.0/p of k8s.io/api/nested"
    assert locate(root, "github.com/BurntSushi/toml") == (
        "cache/github.com/!burnt!sushi/toml@v1.0.0 of github.com/BurntSushi/toml"
    )


def test_newest_version_in_the_cache(tree: Tree) -> None:
    versions = ["v0.9.0", "v0.10.0", "v0.10.1-rc.2", "v0.10.1-rc.10", "v0.2.0", "nonsense", "v0.0.0-20260101-aaaaaa"]
    root = tree({f"cache/a.io/b@{version}/x.go": "" for version in versions})
    for newest in ("v0.10.1", "v0.11.0+incompatible"):
        assert locate(root, "a.io/b") != f"cache/a.io/b@{newest} of a.io/b"
        tree({f"cache/a.io/b@{newest}/x.go": ""})
        assert locate(root, "a.io/b") == f"cache/a.io/b@{newest} of a.io/b"
    root = tree({f"cache/a.io/c@{version}/x.go": "" for version in versions})
    assert locate(root, "a.io/c") == "cache/a.io/c@v0.10.1-rc.10 of a.io/c"


def test_places_of_the_module_cache(tree: Tree) -> None:
    root = tree(
        {f"{place}/pkg/mod/a.io/{name}@v1.0.0/x.go": "" for place, name in (("p", "p"), ("q", "q"), ("h/go", "h"))}
    )
    assert locate(root, "a.io/q", GOMODCACHE="", GOPATH=f"{root}/p:{root}/q") == "q/pkg/mod/a.io/q@v1.0.0 of a.io/q"
    assert locate(root, "a.io/h", GOMODCACHE="", HOME=f"{root}/h") == "h/go/pkg/mod/a.io/h@v1.0.0 of a.io/h"
    assert locate(root, "a.io/h", GOMODCACHE="", GOPATH=f"{root}/p", HOME=f"{root}/h") is None
    assert locate(root, "a.io/h", GOMODCACHE="") is None


def test_the_standard_library_is_in_no_module(tree: Tree) -> None:
    root = tree({"cache/time@v1.0.0/x.go": ""})
    assert locate(root, "time") is None


def test_the_users_map_comes_first(tree: Tree) -> None:
    root = tree(
        {
            "main/go.mod": "module example.com/m\n",
            **{f"{name}/x.go": "" for name in ("main/a", "one/a", "one/a/b", "two/b")},
        }
    )
    modules = {"example.com/m": root / "one", "example.com/m/a": root / "two"}
    assert locate(root, "example.com/m/a", modules=modules) == "one/a of example.com/m"
    assert locate(root, "example.com/m/a/b", modules=modules) == "two/b of example.com/m/a", "the longest prefix counts"


@pytest.mark.parametrize(
    "text", ["\0", "module \0\nreplace a.io => ./\0\n", '"', "replace (", "require (\n", "module ("]
)
def test_broken_files_are_tolerated(tree: Tree, text: str) -> None:
    root = tree({"main/go.mod": text, "main/a/x.go": "", "go.work": "use ./main\nuse ./\0\n" + text})
    assert locate(root, "a.io/x") is None


def test_the_location_is_a_value() -> None:
    assert Location(Path("a"), "m") == Location(Path("a"), "m")


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("require k8s.io/api v0.34.1", "1.34"),
        ("require k8s.io/api v0.20.0", "1.33"),
        ("require k8s.io/api v0.99.0", "1.36"),
        ("require k8s.io/api v0.0.0", "1.36"),
        ("require k8s.io/api v0.0.0\nreplace k8s.io/api => ../staging/src/k8s.io/api", "1.36"),
        ("require k8s.io/api v0.0.0-20240102030405-abcdef123456", "1.36"),
        ("require k8s.io/api v0.0.0\nreplace k8s.io/api => k8s.io/api v0.34.2", "1.34"),
        ("require k8s.io/api v0.0.0\nrequire k8s.io/apimachinery v0.35.0", "1.35"),
        ("", "1.36"),
    ],
)
def test_releases_of_the_main_module(tree: Tree, text: str, release: str) -> None:
    root = tree({"main/go.mod": f"module example.com/main\n{text}\n"})
    assert SourceLocator([root / "main"], {}, {}).release(["1.33", "1.34", "1.35", "1.36"]) == release
