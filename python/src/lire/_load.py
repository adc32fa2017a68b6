"""Reads model files."""

from __future__ import annotations

import json
import os

import numpy as np

from lire import _native
from lire._base import RuleModel
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
    """Read a model file, of ``save`` or of the ``lire`` command, as a fitted estimator.

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
    file = json.loads(model.to_json())
    config = file["config"]
    estimator = _ESTIMATORS[config["method"], file["target"]["task"]]()
    known = estimator.get_params(deep=False)
    same = {name: value for name, value in config.items() if name in known and name != "class_weight"}
    if "lambda_" in known:
        same["lambda_"] = config["lambda"]
    estimator.set_params(**same, random_state=config["seed"])
    names = [feature["name"] for feature in file["features"]]
    estimator.n_features_in_ = len(names)
    # A model of an array has no names of its own.
    if names != [f"x{at}" for at in range(len(names))]:
        estimator.feature_names_in_ = np.array(names, dtype=object)
    if file["target"]["task"] == "classification":
        estimator.classes_ = _classes(file["target"]["classes"])
    return estimator._set_model(model)


def _classes(texts: list[str]) -> np.ndarray:
    if sorted(texts) == ["false", "true"]:
        return np.array([text == "true" for text in texts])
    try:
        numbers = [int(text) for text in texts]
    except ValueError:
        return np.array(texts)
    return np.array(numbers) if [str(number) for number in numbers] == texts else np.array(texts)
