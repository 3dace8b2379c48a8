def ValidateCustom_Dock_Twice(value, old, op):
    return []
