"""Tests by `+k8s:validateFalse`: finds which of these tags validation reaches in a sample of a type.

Source of the behaviour: `ValidateFixtures` in `k8s.io/code-generator/cmd/validation-gen/testscheme`, and
`sigs.k8s.io/randfill` for the samples. The file of expected results has the same format, so that one can serve both.

Go's random numbers: the sequence that `math/rand` gives for a seed.

Samples are filled from it, because upstream's are, and random keys of maps are a part of the paths that are compared.
Source of the behaviour: `math/rand` (`rng.go`, `rand.go`, `gen_cooked.go`), which Go has promised not to change.
"""

from __future__ import annotations

import difflib
import functools
import json
import os
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from validation_gen.runtime import shapes
from validation_gen.runtime.gotime import ZERO_TIME, duration_text, parse_time, time_text
from validation_gen.runtime.levels import Level
from validation_gen.runtime.registry import Kind, Registry
from validation_gen.runtime.shapes import Shape

_LENGTH, _TAP, _FEED = 607, 273, 334
_WORD = 2**64
_SEEDS = 2**31 - 1
_STEPS = 7_800_000_000_000
_SLOT = 18  # bytes: enough for a sum of 607 products of words


class GoRandom:
    """A generator like `rand.New(rand.NewSource(seed))`: each number is the sum of those 607 and 273 before it."""

    def __init__(self, seed: int = 0) -> None:
        self._words = [a ^ b for a, b in zip(_seeded(seed, 40, 20), _table(), strict=True)]
        self._tap, self._feed = 0, _FEED

    def int63(self) -> int:
        self._tap = (self._tap - 1) % _LENGTH
        self._feed = (self._feed - 1) % _LENGTH
        word = (self._words[self._feed] + self._words[self._tap]) % _WORD
        self._words[self._feed] = word
        return word % 2**63

    def int31(self) -> int:
        return self.int63() >> 32

    def int63n(self, end: int) -> int:
        """Returns a number below `end`. Draws again if some numbers would be more likely than others."""
        while (number := self.int63()) >= 2**63 - 2**63 % end:
            pass
        return number % end

    def intn(self, end: int) -> int:
        """Returns a number below `end` from half as many bits: a sequence of its own."""
        while (number := self.int31()) >= 2**31 - 2**31 % end:
            pass
        return number % end

    def float64(self) -> float:
        while (number := self.int63() / 2**63) == 1:
            pass
        return number


def _seeded(seed: int, high: int, middle: int) -> Iterator[int]:
    """Returns the words of a seed, by Lehmer's generator without its first twenty numbers."""

    def numbers() -> Iterator[int]:
        number = seed % _SEEDS or 89482311
        while True:
            number = number * 48271 % _SEEDS
            yield number

    drawn = numbers()
    for _ in range(20):
        next(drawn)
    for _ in range(_LENGTH):
        yield next(drawn) << high ^ next(drawn) << middle ^ next(drawn)


@functools.cache
def _table() -> tuple[int, ...]:
    """Returns the state of the generator after its first 7.8e12 steps, from which Go starts; there it is a table.

    Steps are linear, so that the last numbers are sums of multiples of the first ones. The multiples are the
    coefficients of x^7.8e12 modulo x^607 - x^334 - 1.
    """
    power = [1] + [0] * (_LENGTH - 1)
    for bit in f"{_STEPS:b}":
        power = _reduced(_squared(power))
        if bit == "1":
            power = _reduced([0, *power])
    start = list(_seeded(1, 20, 10))
    numbers = [start[(_FEED - 1 - i) % _LENGTH] for i in range(_LENGTH)]
    for i in range(_LENGTH):
        numbers.append((numbers[i] + numbers[i + _FEED]) % _WORD)
    words = [0] * _LENGTH
    for i in range(_LENGTH):
        total = sum(a * b for a, b in zip(power, numbers[i : i + _LENGTH], strict=True))
        words[(_FEED - 1 - _STEPS - i) % _LENGTH] = total % _WORD
    return tuple(words)


def _squared(polynomial: list[int]) -> list[int]:
    """Squares by one multiplication of big integers with the coefficients in slots, which is far faster than a loop."""
    packed = int.from_bytes(b"".join(word.to_bytes(_SLOT, "little") for word in polynomial), "little")
    product = (packed * packed).to_bytes(2 * _LENGTH * _SLOT, "little")
    return [int.from_bytes(product[i : i + _SLOT], "little") for i in range(0, len(product), _SLOT)]


def _reduced(polynomial: list[int]) -> list[int]:
    for i in range(len(polynomial) - 1, _LENGTH - 1, -1):
        polynomial[i - _LENGTH] += polynomial[i]
        polynomial[i - _TAP] += polynomial[i]
    return [word % _WORD for word in polynomial[:_LENGTH]]


#: Environment variable: with `true`, tests write their results to the file.
UPDATE = "UPDATE_VALIDATION_GEN_FIXTURE_DATA"
FILE = "validate-false.json"

#: The arguments of all `+k8s:validateFalse` that fail, by type and by field path.
Arguments = Mapping[str, Mapping[str, list[str]]]

_FAILURE = "forced failure: "
_DEPTH = 8
_ITEMS = 2
_RANGES = ((0x20, 0x7E), (0xA0, 0x2AF), (0x4E00, 0x9FFF))
_EPOCH, _ = parse_time("1970-01-01T00:00:00Z") or ZERO_TIME


def check_validate_false(registry: Registry, package: str, names: Collection[str], test: str) -> None:
    """Compares the results of the types `names` with `testdata/<module>/validate-false.json` beside the test.

    Raises an `AssertionError` that shows the difference, or how to make the file when it is missing.
    """
    __tracebackhide__ = True  # the message is complete
    module = Path(test).stem.removeprefix("test_")
    file = Path(test).parent / "testdata" / module / FILE
    got = found_arguments(registry, package, names)
    problem = _write(file, got) if os.environ.get(UPDATE) == "true" else _compare(file, got)
    if problem:
        raise AssertionError(problem)


def found_arguments(registry: Registry, package: str, names: Collection[str]) -> Arguments:
    """Returns the results of creating a sample of each type."""
    return {k.go_type: _by_path(registry, k) for k in registry.kinds if k.package == package and k.name in names}


def _by_path(registry: Registry, kind: Kind) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for error in registry.run(kind, sample(registry.shape(kind)), level=Level.ALPHA):
        if error.detail.startswith(_FAILURE):
            path = "" if error.field == "<nil>" else error.field
            found.setdefault(path, []).append(error.detail.removeprefix(_FAILURE))
    return {path: sorted(arguments) for path, arguments in found.items()}


# --- the file -------------------------------------------------------------------------------------------------------


def as_text(arguments: object) -> str:
    """Encodes the file as Go does: sorted, and with characters escaped that have a meaning in HTML."""
    text = json.dumps(arguments, indent=2, sort_keys=True, ensure_ascii=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _write(file: Path, got: Arguments) -> str:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.is_symlink() or (file.exists() and not file.is_file()):
            return f"{file}: cannot write: this is a link, or no regular file"
        file.write_bytes(as_text(got).encode())
    except OSError as error:
        return f"{file}: cannot write: {error.strerror or error}"
    return ""


def _compare(file: Path, got: Arguments) -> str:
    """Describes the differences in words and as lines of the file; empty when there are none."""
    again = f"run pytest with {UPDATE}=true in the environment"
    try:
        expected = json.loads(file.read_bytes())
    except FileNotFoundError:
        return f"{file} is not there; to make it, {again}"
    except OSError as error:
        return f"{file}: cannot read: {error.strerror or error}"
    except (ValueError, RecursionError) as error:
        return f"{file} is not JSON ({error}); to make it anew, {again}"
    if not isinstance(expected, dict):
        return f"{file} must hold an object with a member for each type; to make it anew, {again}"
    differences = []
    for type in sorted(expected.keys() | got.keys()):
        if type not in got:
            differences.append(f"{type} is expected, but has no validators that could be tested")
        elif type not in expected:
            differences.append(f"{type} is not expected:\n{as_text(got[type])}")
        elif expected[type] != got[type]:
            wanted, found = (as_text(side[type]).split("\n") for side in (expected, got))
            diff = difflib.unified_diff(wanted, found, "expected", "found", lineterm="")
            differences.append("\n".join([f"{type} is not as expected:", *diff]))
    if not differences:
        return ""
    return "\n\n".join([f"{file} expects something else", *differences, f"If this is what is wanted, {again}."])


# --- samples --------------------------------------------------------------------------------------------------------


def sample(shape: Shape) -> Any:
    """Returns a value of a shape with every member set: two items in lists and maps, eight levels deep."""
    return _fill(shape, GoRandom(), 0)


def _fill(shape: Shape, random: GoRandom, depth: int) -> Any:
    """Fills values as upstream does, drawing in its order. Values that are too deep keep the zero value."""
    if depth >= _DEPTH:
        return shape.encoded(None)
    below = depth + 1
    match shape:
        case shapes.Struct(members=members):
            return {name: _fill(member, random, below) for name, member in members.items()}
        case shapes.Pointer(elem=shapes.TIME | shapes.MICROTIME | shapes.INT_OR_STRING):
            return None  # upstream has these types fill themselves, which a null pointer cannot
        case shapes.Pointer(elem=elem):
            if elem is not shapes.GOTIME:
                random.float64()  # whether it is null, which it never is
                depth = below
            return _fill(elem, random, depth)
        case shapes.ListOf(elem=elem):
            random.float64()
            return [_fill(elem, random, below) for _ in range(_ITEMS)]
        case shapes.MapOf(elem=elem, key=key):
            random.float64()
            pairs = [(_fill(key or shapes.STRING, random, below), _fill(elem, random, below)) for _ in range(_ITEMS)]
            return {str(name): value for name, value in pairs}
        case shapes.Integer(low=low, high=high):
            word = (random.int63() >> 31) << 32 | random.int63() >> 31
            return (word - low) % (high - low + 1) + low  # cut off as by a conversion in Go
        case shapes.STRING:
            return _string(random)
        case shapes.BOOL:
            return random.int31() < 2**30
        case shapes.FLOAT:
            return random.float64()
        case shapes.BYTES:
            return shape.encoded(_fill(shapes.ListOf(shapes.UINT8), random, depth))
        case shapes.TIME:
            return time_text((_seconds(random), 0))
        case shapes.MICROTIME:
            return time_text((_seconds(random), 1000 * random.int63n(1_000_000)), micro=True)
        case shapes.GOTIME:
            return time_text((_seconds(random), random.int63n(999_999_999)))
        case shapes.DURATION:
            return duration_text(_fill(shapes.INT64, random, below))
        case shapes.INT_OR_STRING:
            return _fill(shapes.INT32 if _fill(shapes.BOOL, random, 0) else shapes.STRING, random, below)
        case shapes.QUANTITY:
            _fill(shapes.STRING, random, below)  # the one field that upstream can set is no part of the number
    return shape.encoded(None)


def _string(random: GoRandom) -> str:
    text = ""
    for _ in range(random.intn(20)):
        first, last = _RANGES[random.intn(len(_RANGES))]
        text += chr(first + random.int63n(last - first + 1))
    return text


def _seconds(random: GoRandom) -> int:
    return _EPOCH + random.int63n(1000 * 365 * 24 * 60 * 60)
