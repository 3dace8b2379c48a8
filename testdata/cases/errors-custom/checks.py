"""Handwritten checks, some of them for nothing."""


def ValidateCustom_Dock_Twice(value, old, op):
    return []


def ValidateCustom_Dock_json(value, old, op):
    return []


def ValidateCustom_Harbour(value, old, op):
    return []


def helper(value):
    return []


class Checks:
    def ValidateCustom_Dock_Method(value, old, op):
        return []
