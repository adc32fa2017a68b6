"""The ``lire`` command, which the package is compared with."""

import os
from pathlib import Path

ROOT = Path(__file__).parents[2]


def command():
    """Where ``make test-python`` built it."""
    built = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "debug" / "lire"
    return Path(os.environ.get("LIRE_COMMAND", built))
