def load(folder, diagnostics):
    return []


def save(folder, group, diagnostics):
    return None
