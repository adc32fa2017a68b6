"""The machine that a run was made on: cores, memory and processor, nothing else."""

from __future__ import annotations

import os
import platform
import re
from pathlib import Path


def described() -> str:
    """One line for the page."""
    return f"{os.cpu_count()} cores of {_processor()}, {_memory():.0f} GB of memory"


def python() -> str:
    """The version of Python."""
    return platform.python_version()


def _processor() -> str:
    path = Path("/proc/cpuinfo")
    found = re.search(r"^model name\s*:\s*(.+)$", path.read_text(), re.M) if path.exists() else None
    return found[1].strip() if found else platform.machine()


def _memory() -> float:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 1e9
