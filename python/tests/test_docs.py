"""What the tutorial and the docstrings say is true."""

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import lire

ROOT = Path(__file__).parents[2]
MODULES = [module.name for module in pkgutil.iter_modules(lire.__path__)]


def test_tutorial(monkeypatch):
    monkeypatch.chdir(ROOT)
    outcome = doctest.testfile(str(ROOT / "docs" / "python.md"), module_relative=False, encoding="utf-8")
    assert outcome.attempted > 25 and outcome.failed == 0


@pytest.mark.parametrize("module", MODULES)
def test_examples_in_docstrings(module):
    assert doctest.testmod(importlib.import_module(f"lire.{module}")).failed == 0


@pytest.mark.parametrize("name", [name for name in lire.__all__ if name != "__version__"])
def test_everything_public_has_an_example(name):
    assert ">>> " in getattr(lire, name).__doc__
