"""The validation of reservations, as it was written before there were tags."""

from __future__ import annotations

import re
from typing import Any

from validation_gen.mismatch import FieldError, Path

_MOST_GUESTS = 20
_MOST_HEATERS = 4
_MOST_COURSES = 8
_LONGEST_NOTES = 200
_LONGEST_NAME = 40
_SEATINGS = ("Bar", "Inside", "Terrace")
_TABLE = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")


def validate(obj: Any, old: Any, op: Any) -> list[FieldError]:
    """The errors of a reservation. On update (`op.update`) only those of fields that differ from the old ones."""
    path = Path("spec")
    spec = _spec(obj)
    was = _spec(old) if op.update and old is not None else None
    errors = _table(spec, op.update, path.child("table")) if _differs("table", spec, was) else []
    if _differs("guests", spec, was):
        errors += _guests(spec.get("guests") or 0, path.child("guests"))
    if _differs("seating", spec, was):
        errors += _seating(spec.get("seating") or "", path.child("seating"))
    if _differs("notes", spec, was):
        errors += _notes(spec.get("notes") or "", path.child("notes"))
    courses, old_courses = _courses(spec), _courses(was)
    if was is None or courses != old_courses:
        errors += _meal(courses, old_courses, path.child("courses"))
    if _differs("heaters", spec, was):
        errors += _heaters(spec.get("heaters") or 0, path.child("heaters"))
    return errors


def _spec(obj: Any) -> dict[str, Any]:
    return (obj or {}).get("spec") or {}


def _differs(name: str, spec: dict[str, Any], was: dict[str, Any] | None) -> bool:
    """Whether a field is not as it was. A field that is not there and one that is empty are the same to us."""
    return was is None or (spec.get(name) or None) != (was.get(name) or None)


def _table(spec: dict[str, Any], update: bool, path: Path) -> list[FieldError]:
    name = spec.get("table") or ""
    errors = []
    if update:
        errors.append(FieldError.invalid(path, name, "a reservation keeps its table").with_origin("immutable"))
    if not name:
        errors.append(FieldError.required(path))
    elif not update and not _TABLE.fullmatch(name):
        error = FieldError.invalid(path, name, "must be the name of a table, such as window-2")
        errors.append(error.with_origin("format=k8s-short-name"))
    return errors


def _guests(guests: int, path: Path) -> list[FieldError]:
    if not guests:
        return [FieldError.required(path)]
    if guests < 1:
        return [FieldError.invalid(path, guests, "must be at least 1").with_origin("minimum")]
    if guests > _MOST_GUESTS:
        return [FieldError.invalid(path, guests, f"must be at most {_MOST_GUESTS}").with_origin("maximum")]
    return []


def _seating(seating: str, path: Path) -> list[FieldError]:
    if seating and seating not in _SEATINGS:
        return [FieldError.not_supported(path, seating, _SEATINGS)]
    return []


def _notes(notes: str, path: Path) -> list[FieldError]:
    if len(notes) > _LONGEST_NOTES:
        return [FieldError.too_long(path, _LONGEST_NOTES, "character").with_origin("maxLength")]
    return []


def _heaters(heaters: int, path: Path) -> list[FieldError]:
    if heaters > _MOST_HEATERS:
        return [FieldError.invalid(path, heaters, f"must be at most {_MOST_HEATERS}").with_origin("maximum")]
    return []


# --- courses ----------------------------------------------------------------------------------------------------------


def _courses(spec: dict[str, Any] | None) -> list[tuple[str, int]]:
    """The name and the number of dishes of each course."""
    found = (spec or {}).get("courses") or []
    return [((course or {}).get("name") or "", (course or {}).get("dishes") or 0) for course in found]


def _meal(courses: list[tuple[str, int]], old: list[tuple[str, int]], path: Path) -> list[FieldError]:
    if len(courses) > _MOST_COURSES:
        return [FieldError.too_many(path, len(courses), _MOST_COURSES).with_origin("maxItems")]
    before = dict(reversed(old))  # of courses with the same name the first one
    errors = []
    seen = set()
    for index, (name, dishes) in enumerate(courses):
        at = path.index(index)
        if name in seen:
            errors.append(FieldError.duplicate(at, name))
        seen.add(name)
        if name not in before:
            errors += _course_name(name, at.child("name"))
        if before.get(name) != dishes:
            errors += _dishes(dishes, at.child("dishes"))
    return errors


def _course_name(name: str, path: Path) -> list[FieldError]:
    if not name:
        return [FieldError.required(path)]
    if len(name) > _LONGEST_NAME:
        return [FieldError.too_long(path, _LONGEST_NAME, "character").with_origin("maxLength")]
    return []


def _dishes(dishes: int, path: Path) -> list[FieldError]:
    if not dishes:
        return [FieldError.required(path)]
    if dishes < 1:
        return [FieldError.invalid(path, dishes, "must be at least 1").with_origin("minimum")]
    return []
