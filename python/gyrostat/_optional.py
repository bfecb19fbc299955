"""Packages that are used where they are installed."""

from __future__ import annotations

import importlib
import typing


def needed(module: str, by: str) -> typing.Any:
    """A module of another package. Where it is not installed, says what needs it and how to get it."""
    name = module.split(".")[0]
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] != name:  # it is there, but something that it needs is not
            raise
        how = f"pip install {name}" if name == "control" else f"apt install python3-{name}, or pip install {name}"
        raise ModuleNotFoundError(f"{by} needs {name}, which is not installed: {how}", name=name) from error
