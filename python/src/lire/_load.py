"""Reads model files."""

from __future__ import annotations

import json
import os
import warnings
from typing import Any

import numpy as np

from lire import _native
from lire._base import RuleModel
from lire._columns import text_of
from lire._glrm import GLRMClassifier, GLRMRegressor
from lire._lire import LireClassifier, LireRegressor
from lire._rulefit import RuleFitClassifier, RuleFitRegressor

_ESTIMATORS = {
    (estimator._method, estimator._task): estimator
    for estimator in (
        LireClassifier,
        LireRegressor,
        RuleFitClassifier,
        RuleFitRegressor,
        GLRMClassifier,
        GLRMRegressor,
    )
}


def load(path: str | os.PathLike[str]) -> RuleModel:
    """Read a model file, written by ``save`` or by the ``lire`` command, as a fitted estimator.

    A file holds classes as texts. Texts that are all whole numbers become integers, ``false`` and ``true``
    become truth values, and all others stay texts.

    Examples
    --------
    >>> import tempfile, lire
    >>> model = lire.LireClassifier(gamma=0.01, lambda_=0.1).fit([[0.0], [1.0]] * 50, ["no", "yes"] * 50)
    >>> with tempfile.NamedTemporaryFile(suffix=".lire.json") as file:
    ...     model.save(file.name)
    ...     again = lire.load(file.name)
    >>> again.predict([[1.0]])
    array(['yes'], dtype='<U3')
    """
    model = _native.Model.read(path)
    if model.is_edited:
        message = f"{path}: the file was edited after lire wrote it: its checksum does not match its content"
        warnings.warn(message, UserWarning, stacklevel=2)
    options, unknown = model.config()
    if unknown:
        listed = ", ".join(f"`{name}`" for name in unknown)
        message = f"{path}: a newer lire fitted this model, with options that this one does not know: "
        warnings.warn(message + listed, UserWarning, stacklevel=2)
    config = json.loads(options)
    estimator = _ESTIMATORS[config["method"], model.task]()
    known = estimator.get_params(deep=False)
    same = {name: value for name, value in config.items() if name in known and name != "class_weight"}
    if "lambda_" in known:
        same["lambda_"] = config["lambda"]
    names = [name for name, _ in model.features]
    categorical = [name for name in config["categorical"] if name in names]
    same["categorical_features"] = categorical or None
    if "monotone_constraints" in known:
        same["monotone_constraints"] = _signs(config["monotone"])
    estimator.set_params(**same, random_state=config["seed"])
    estimator.n_features_in_ = len(names)
    # A model fitted on an array has no feature names.
    if names != [f"x{at}" for at in range(len(names))]:
        estimator.feature_names_in_ = np.array(names, dtype=object)
    if model.task == "classification":
        estimator.classes_ = _classes(model.classes)
        estimator.set_params(class_weight=_class_weight(config["class_weight"], estimator.classes_))
    return estimator._set_model(model)


def _signs(directions: dict[str, str]) -> dict[str, int] | None:
    return {name: 1 if direction == "increasing" else -1 for name, direction in directions.items()} or None


def _class_weight(stored: str | dict[str, float] | None, classes: np.ndarray) -> Any:
    if not isinstance(stored, dict):
        return stored
    labels = {text_of(label): label for label in classes.tolist()}
    return {labels[text]: weight for text, weight in stored.items()}


def _classes(texts: list[str]) -> np.ndarray:
    if sorted(texts) == ["false", "true"]:
        return np.array([text == "true" for text in texts])
    try:
        numbers = [int(text) for text in texts]
    except ValueError:
        return np.array(texts)
    return np.array(numbers) if [str(number) for number in numbers] == texts else np.array(texts)
