"""Predictions do not depend on how numbers are stored: float32, float64, Parquet, CSV of 6 to 17 digits."""

import io

import numpy as np
import pandas as pd
import pytest

from lire import GLRMClassifier, LireClassifier, RuleFitClassifier


def table(n_rows=600, seed=3):
    """Columns with gaps of many kinds, and classes that follow them."""
    draws = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "tenths": draws.integers(0, 40, n_rows) / 10,
            "few": draws.choice([0.1, 0.2, 0.3], n_rows),
            "skewed": np.exp(draws.uniform(-12, 6, n_rows)),
            "offset": 1000 + draws.integers(0, 90, n_rows) / 100,
            "any": draws.uniform(-1, 1, n_rows),
            "age": draws.integers(18, 78, n_rows).astype(float),
        }
    )
    odds = (
        1 * (frame.tenths > 1.55)
        + (frame.few > 0.15)
        - 1 * (frame.skewed > 0.5)
        + (frame.offset > 1000.45)
        + (frame["any"] > 0.2)
        + (frame.age > 44)
    )
    return frame, np.where(odds > 2.5, "yes", "no")


def as_csv(frame, digits):
    text = frame.to_csv(index=False, float_format=f"%.{digits}g")
    return pd.read_csv(io.StringIO(text))


def as_parquet(frame):
    file = io.BytesIO()
    frame.to_parquet(file)
    return pd.read_parquet(file)


def forms(frame):
    short = frame.astype("float32")
    return {
        "float64": frame,
        "float32": short,
        "float32 array": short.to_numpy(),
        "csv 17": as_csv(frame, 17),
        "csv 9": as_csv(frame, 9),
        "csv 6": as_csv(frame, 6),
        "csv of float32": as_csv(short, 9),
        "parquet 64": as_parquet(frame),
        "parquet 32": as_parquet(short),
    }


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
@pytest.mark.parametrize("learned_from", ["float64", "float32", "csv 6", "parquet 32"])
@pytest.mark.parametrize(
    "estimator",
    [
        LireClassifier(gamma=0.003, lambda_=0.1, n_estimators=20, random_state=0),
        RuleFitClassifier(gamma=0.003, n_estimators=20, random_state=0),
        GLRMClassifier(),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_predictions_do_not_depend_on_how_numbers_are_stored(estimator, learned_from):
    frame, labels = table()
    kept = forms(frame)
    model = estimator.fit(kept[learned_from], labels)
    assert len(model.rules_) > 3
    expected = model.decision_function(kept[learned_from])
    for name, form in kept.items():
        moved = model.decision_function(form) != expected
        assert moved.sum() == 0, f"learned from {learned_from}, predicted on {name}"
