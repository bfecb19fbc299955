"""What the tests in Python share: conditions that must hold. Those that do not are printed and kept."""
failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)
        print("FAILED:", what)
