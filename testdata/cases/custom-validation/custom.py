"""Handwritten checks. Their details tell what they were given."""

from validation_gen.runtime.errors import ErrorType, FieldError


def _bad(value, old, origin=""):
    return [FieldError(ErrorType.INVALID, value, f"was {old}", origin)] if value == "bad" else []


def ValidateCustom_Dock_Name(value, old, op):
    return _bad(value, old, "name")


def ValidateCustom_Dock_Code(value, old, op):
    return [FieldError(ErrorType.FORBIDDEN, "", f"code {value} after {old}")] if value != "a" else []


def ValidateCustom_Dock_Depth(value, old, op):
    if value is None or value >= 0:
        return None
    return [FieldError(ErrorType.INVALID, value, f"was {old}", "depth")]


def ValidateCustom_Dock_Hours(value, old, op):
    if len(value or ()) % 2 == 0:
        return []
    return [FieldError(ErrorType.REQUIRED, "", f"closing time, after {old}", "hours", f"[{len(value)}]")]


def ValidateCustom_Dock_Crane(value, old, op):
    if not old or value["name"] == old["name"]:
        return []
    return [FieldError(ErrorType.INVALID, value, f"was {old}", "crane")]


def ValidateCustom_Crane(value, old, op):
    load, limit = value.get("load", 0), value.get("limit", 0)
    if load <= limit:
        return []
    known = "known" if old else "new"
    return [
        FieldError(ErrorType.INVALID, load, f"{known}: more than {limit}", "load", ".load"),
        FieldError(ErrorType.INVALID, limit, f"{known}: less than {load}", "", ".limit"),
    ]


def ValidateCustom_Crane_Load(value, old, op):
    return [FieldError(ErrorType.INVALID, value, f"unlucky, was {old}")] if value == 13 else []


def ValidateCustom_Dock_Tide(value, old, op):
    return _bad(value, old)


def ValidateCustom_Rope(value, old, op):
    return _bad(value, old)


def ValidateCustom_Buoy_Chain(value, old, op):
    return [] if old is None or value >= old else [FieldError(ErrorType.INVALID, value, f"was {old}")]


def _told(value, old, op):
    return [FieldError(ErrorType.FORBIDDEN, "", f"{value!r} after {old!r}")]


def ValidateCustom_Slip_String(value, old, op):
    return _told(value, old, op)


def ValidateCustom_Slip_Number(value, old, op):
    return _told(value, old, op)


def ValidateCustom_Slip_Pointer(value, old, op):
    return _told(value, old, op)


def ValidateCustom_Slip_List(value, old, op):
    return _told(value, old, op)


def ValidateCustom_Slip_Map(value, old, op):
    return _told(value, old, op)


def ValidateCustom_Slip_Struct(value, old, op):
    return _told(value, old, op)


def ValidateCustom_Dock_Fault(value, old, op):
    if value == "raise":
        raise ValueError("out of order")
    return ["nonsense"] if value == "nonsense" else None
