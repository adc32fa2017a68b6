"""The results of a smoke run, run here unless ``SMOKE`` names a folder that has them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXPERIMENTS = Path(__file__).parents[1]
sys.path.insert(0, str(EXPERIMENTS))


def command(*arguments):
    """Runs the command as a user does."""
    return subprocess.run(
        [sys.executable, str(EXPERIMENTS / "run.py"), *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="session")
def smoke(tmp_path_factory):
    """The folder of a smoke run of all studies."""
    if "SMOKE" in os.environ:
        return Path(os.environ["SMOKE"])
    folder = tmp_path_factory.mktemp("smoke")
    done = command("--quick", "--out", folder, "--only", "candidates,tradeoff,demonstration,comparison,beyond,scale")
    assert done.returncode == 0, done.stderr
    return folder
