def ValidateCustom_Dock_Broken(value, old, op):
    return [
