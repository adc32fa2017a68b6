"""The base of all rule ensembles: translates parameters, calls the native library, gives attributes."""

from __future__ import annotations

import importlib.util
import json
import os
import warnings
from functools import partial
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from lire import _native, _trees
from lire._estimator import Classes, Numbers, TableEstimator
from lire._explanation import Explanations, GlobalExplanation, LocalExplanation
from lire._parameters import as_json, base_rate, directions, splits, threads
from lire._progress import Progress

if TYPE_CHECKING:
    import pandas as pd

# Parameters that the library does not have, or has in another form.
_OURS = {
    "base_rate",
    "callback",
    "categorical_features",
    "class_weight",
    "cv",
    "lambda_",
    "monotone_constraints",
    "n_jobs",
    "random_state",
    "task",
    "verbose",
}


class RuleModel(TableEstimator):
    """A rule ensemble. The attributes of a fitted estimator are read from the native model."""

    _method: str

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None, time: Any = None) -> Self:
        """Learn rules and weights.

        Parameters
        ----------
        X : array, sparse matrix, data frame of pandas or polars, table of pyarrow: (n_samples, n_features)
            Numbers, truth values, texts and categories; NaN and None are missing.
        y : array of shape (n_samples,)
            The target.
        sample_weight : array of shape (n_samples,), optional
            The weights of rows: a weight of 2 counts like two copies of the row, a weight of 0 like no row.
        groups : array of shape (n_samples,), optional
            Which rows belong together, such as the visits of one patient. Wherever the fit leaves rows out,
            to choose prices or to calibrate, a group is left out as a whole.
        time : array of shape (n_samples,), optional
            When each row was: numbers, dates, or texts such as ``2019-04-01``. Wherever the fit leaves rows
            out, it learns from earlier rows and measures on later ones. With ``groups`` too, it does not
            learn from rows of a group that it measures on.

        Returns
        -------
        self
        """
        given = self._training(X, y, sample_weight, groups, time)
        columns, target, weights = given.columns, given.target, given.weights
        config = given.config | self._config(given.names)
        is_classifier = self._task == "classification"
        parts = splits(self._folds(), given.y, is_classifier=is_classifier, groups=groups)
        trees = None
        if not isinstance(generator := getattr(self, "tree_generator", ""), str):
            named = getattr(self, "feature_names_in_", None)
            for_trees = self._weights_by_class(given.y, weights)
            dense = _trees.columns_for_trees(columns)
            data = _trees.Data(dense, given.numeric, named, given.y, for_trees, is_classifier, config["seed"])
            needed = partial(_native.splits, dense, target, weights, json.dumps(config), **given.relations)
            known, trees, parts = _trees.imported(generator, data, parts, needed)
            columns = [*known]
            # Trees of other libraries may treat numbers as categories.
            config["categorical"] += [
                name
                for name, before, now in zip(given.names, data.columns, columns, strict=True)
                if len(now) > len(before)
            ]
        model, self.n_iter_, selection, notes = _native.fit(
            columns,
            target,
            weights,
            json.dumps(config),
            **given.relations,
            splits=parts,
            trees=trees,
            n_threads=threads(self.n_jobs),
            on_progress=Progress.of(self.verbose, self.callback, type(self).__name__),
        )
        for note in notes:
            warnings.warn(note, UserWarning, stacklevel=2)
        self._selection = None if selection is None else json.loads(selection)
        return self._set_model(model)

    def rule_matrix(self, X: Any) -> np.ndarray:
        """1 where a rule holds for a row, of shape (n_samples, n_rules), in the order of ``rules_``."""
        columns, n_rows = self._to_predict(X)
        return self._model.fired(columns, n_rows, n_threads=threads(self.n_jobs))

    def local_support(self, X: Any) -> np.ndarray:
        """The number of terms that explain each row's prediction: rules that hold, and linear terms.

        With more than two classes, the terms of the predicted class, as in ``explain_local``.
        """
        columns, n_rows = self._to_predict(X)
        return self._model.local_support(columns, n_rows, n_threads=threads(self.n_jobs))

    def get_rules(self) -> pd.DataFrame | list[dict[str, Any]]:
        """The terms with their weights, most important first.

        A pandas frame, or a list of dicts if pandas is not installed. With more than two classes, each class
        has its own rows, and a column ``class``.
        """
        explained = self.explain_global()
        return explained.to_frame() if _has_pandas() else explained.rows()

    def explain_global(self) -> GlobalExplanation | Explanations[GlobalExplanation]:
        """All terms of the model; with more than two classes, a sequence with an explanation per class."""
        check_is_fitted(self)
        name = f"{type(self).__name__}: all rules"
        explained = [GlobalExplanation(data, name) for data in json.loads(self._model.explain_global())]
        return explained[0] if len(explained) == 1 else Explanations(explained, "global", name)

    def explain_local(self, X: Any, class_: Any = None) -> Explanations[LocalExplanation]:
        """Explain predictions: a sequence with one explanation for each row.

        With more than two classes, the predicted class of each row is explained, or the one given as
        ``class_``.
        """
        place = None
        if class_ is not None:
            check_is_fitted(self)
            found = np.flatnonzero(np.asarray(getattr(self, "classes_", [])) == class_)
            if not len(found):
                raise ValueError(f"{class_!r} is not a class of the model")
            place = int(found[0])
        columns, n_rows = self._to_predict(X)
        text = self._model.explain_rows(columns, n_rows, class_=place, n_threads=threads(self.n_jobs))
        name = f"{type(self).__name__}: why these rows"
        return Explanations([LocalExplanation(data, name) for data in json.loads(text)], "local", name)

    def report(self) -> dict[str, Any]:
        """What to know before relying on the model, as plain data: all terms, the training, cautions.

        The same as ``lire show`` prints.
        """
        check_is_fitted(self)
        return json.loads(self._model.report(type(self).__name__))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model file, which ``lire.load`` and the ``lire`` command read."""
        check_is_fitted(self)
        self._model.write(path)

    @property
    def rules_(self) -> list[str]:
        """The rules as texts, in the order in which their weights are summed."""
        return self._fitted.rules

    @property
    def coef_(self) -> np.ndarray:
        """The weights of all terms, rules first, then linear terms; with several classes, a row per class."""
        weights = self._fitted.weights
        return weights[0] if len(weights) == 1 else weights

    @property
    def intercept_(self) -> float | np.ndarray:
        """The intercept: where scores start."""
        intercepts = self._fitted.intercepts
        return float(intercepts[0]) if len(intercepts) == 1 else intercepts

    @property
    def feature_importances_(self) -> np.ndarray:
        """The importance of each feature: its share in how much all features move scores."""
        return self._fitted.feature_importances()

    @property
    def objective_(self) -> float:
        """The minimised objective."""
        return self._fitted.objective

    @property
    def certified_(self) -> bool:
        """Whether it is certified that no single change of the selected rules improves the objective."""
        return self._fitted.certified

    @property
    def _fitted(self) -> _native.Model:
        if not hasattr(self, "_model"):
            raise AttributeError(f"this {type(self).__name__} is not fitted yet")
        return self._model

    @property
    def _file(self) -> dict[str, Any]:
        """The whole model file as data. It is parsed on each call, so no attribute uses it."""
        return json.loads(self._fitted.to_json())

    def _set_model(self, model: _native.Model) -> Self:
        self._model = model
        # Cached, because each prediction needs the features.
        self._kinds = model.features
        return self

    def _folds(self) -> Any:
        """The value of ``cv`` if the method uses it: GLRM needs folds for calibration only."""
        needless = self._method == "glrm" and getattr(self, "calibrate", None) is None
        return None if needless else getattr(self, "cv", None)

    def _config(self, names: list[str]) -> dict[str, Any]:
        """The library's configuration. Parameters with the same name are copied, the others translated."""
        parameters = self.get_params(deep=False)
        plain = {
            name: as_json(name, value)
            for name, value in parameters.items()
            if name not in _OURS and not _is_left_open(name, value)
        }
        if not isinstance(plain.get("tree_generator", ""), str):
            del plain["tree_generator"]
        config = plain | {"method": self._method}
        if not _is_left_open("lambda_", parameters.get("lambda_")):
            config["lambda"] = as_json("lambda_", self.lambda_)
        if isinstance(folds := self._folds(), int | np.integer):
            config["cv"] = int(folds)
        if parameters.get("base_rate") is not None:
            config["base_rate"] = base_rate(self.base_rate)
        if "monotone_constraints" in parameters:
            config["monotone"] = directions(self.monotone_constraints, names)
        return config


class Classifier(Classes, RuleModel):
    """Predicts classes. Of two classes, positive weights speak for the second, ``classes_[1]``."""

    def predict(self, X: Any) -> np.ndarray:
        """The class of each row."""
        places, _ = self._model_decides(X)
        return self.classes_[places]

    def predict_proba(self, X: Any) -> np.ndarray:
        """The probability of each class, of shape (n_samples, n_classes)."""
        return self._model_decides(X)[1]

    def decision_function(self, X: Any) -> np.ndarray:
        """The intercept plus the weights of the rules that hold; with several classes, a column per class."""
        scores = self._model_scores(X)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def _model_decides(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        columns, n_rows = self._to_predict(X)
        return self._model.decide(columns, n_rows, n_threads=threads(self.n_jobs))

    def _model_scores(self, X: Any) -> np.ndarray:
        columns, n_rows = self._to_predict(X)
        return self._model.score(columns, n_rows, n_threads=threads(self.n_jobs))


class Regressor(Numbers, RuleModel):
    """Predicts numbers."""

    def predict(self, X: Any) -> np.ndarray:
        """The predicted number for each row: the intercept plus the weights of the rules that hold."""
        columns, n_rows = self._to_predict(X)
        return self._model.score(columns, n_rows, n_threads=threads(self.n_jobs))[:, 0]


def _is_left_open(name: str, value: Any) -> bool:
    """Whether a parameter is left for the library to choose."""
    is_price = name in ("gamma", "lambda_")
    return value is None or (is_price and isinstance(value, str) and value == "auto")


def _has_pandas() -> bool:
    return importlib.util.find_spec("pandas") is not None
