"""Data that several tests use."""

import os
from pathlib import Path

# Without it scikit-learn leaves one of its checks out; it must be set before SciPy is imported.
os.environ.setdefault("SCIPY_ARRAY_API", "1")

import numpy as np
import pandas as pd
import pytest

HEART = Path(__file__).parents[2] / "examples" / "heart.csv"


@pytest.fixture(scope="session")
def heart():
    """The shipped example: numbers, texts and gaps; the target is a text."""
    table = pd.read_csv(HEART)
    return table.drop(columns="disease"), table["disease"]


@pytest.fixture(scope="session")
def numbers():
    """Numbers only, and a number to predict that follows two of them."""
    random = np.random.default_rng(7)
    X = random.normal(size=(300, 4)).round(2)
    return X, 3.0 * (X[:, 0] > 0.3) - 2.0 * (X[:, 1] > 0) + random.normal(scale=0.1, size=300)


@pytest.fixture(scope="session")
def three_classes(numbers):
    """The same numbers with three classes."""
    X, _ = numbers
    return X, np.array(["low", "mid", "top"])[(X[:, 0] > 0.5).astype(int) + (X[:, 2] > 0)]
