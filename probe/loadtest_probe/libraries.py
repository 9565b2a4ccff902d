"""Why a library cannot be watched. The hooks go by what a library has, not by its version: this is what is said where
they find it lacking."""

from __future__ import annotations

import re
import sys

from loadtest_probe.patches import OLDEST


def reason_of(module: str, error: Exception) -> str:
    """Why a hook found no hold, with the version that is there and the one that is needed."""
    name = module.partition(".")[0]
    said = f"{type(error).__name__}: {error}"
    if name not in OLDEST:
        return said
    version = version_of(name)
    if version is not None and _numbers(version) < _numbers(OLDEST[name]):
        return f"{name} {version} is too old to be watched: {OLDEST[name]} or newer is needed"
    return f"{name} {version or 'of an unknown version'} is not known to the probe: {said}"


def version_of(name: str) -> str | None:
    """As it was installed; a package that is being imported may not know its own yet."""
    from importlib.metadata import PackageNotFoundError, version

    for distribution in (name, f"{name}-binary"):
        try:
            return version(distribution)
        except PackageNotFoundError:
            continue
    own = getattr(sys.modules.get(name), "__version__", None)
    return own if isinstance(own, str) else None


def _numbers(version: str) -> list[int]:
    found = re.match(r"\d+(?:\.\d+)*", version)
    return [int(part) for part in found[0].split(".")] if found else []
