"""The tutorial says what is true."""

import doctest
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_tutorial(monkeypatch):
    monkeypatch.chdir(ROOT)
    outcome = doctest.testfile(str(ROOT / "docs" / "python.md"), module_relative=False, encoding="utf-8")
    assert outcome.attempted > 15 and outcome.failed == 0
