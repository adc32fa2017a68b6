"""What all estimators share: parameters to a configuration, tables in, one native call, attributes out."""

from __future__ import annotations

import importlib.util
import json
import os
from functools import partial
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_sample_weight,
    assert_all_finite,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
    validate_data,
)

from lire import _columns, _native, _trees
from lire._explanation import Explanations, GlobalExplanation, LocalExplanation
from lire._parameters import as_json, categorical_places, directions, seed, splits, threads
from lire._progress import Progress

if TYPE_CHECKING:
    import pandas as pd

    from lire._columns import Column

# Parameters that are not the library's, or have another form there.
_OURS = {
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


class RuleModel(BaseEstimator):
    """A rule ensemble. The attributes of a fitted one are read from the native model."""

    _method: str
    _task: str

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn rules and weights.

        Parameters
        ----------
        X : array, data frame of pandas or polars, or table of pyarrow, of shape (n_samples, n_features)
            Numbers, truth values, texts and categories; NaN and None are missing.
        y : array of shape (n_samples,)
            The target.
        sample_weight : array of shape (n_samples,), optional
            How often each row counts: a weight of 2 is the row twice, a weight of 0 no row.

        Returns
        -------
        self
        """
        name = getattr(y, "name", None)
        X, y = self._checked(X, y)
        target = (name if isinstance(name, str) else "target", *self._target(y))
        weights = None
        if sample_weight is not None:
            weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
            weights = np.ascontiguousarray(weights)
        names = self._names()
        columns = self._read(X, names)
        numeric = [len(column) == 2 for column in columns]
        categorical = categorical_places(self.categorical_features, names)
        for at in categorical:
            columns[at] = _columns.as_category(columns[at])
        config = self._config(names)
        config |= {"target": target[0], "categorical": [names[at] for at in categorical]}
        is_classifier = self._task == "classification"
        parts = splits(getattr(self, "cv", None), y, is_classifier=is_classifier)
        trees = None
        if not isinstance(generator := getattr(self, "tree_generator", ""), str):
            named = getattr(self, "feature_names_in_", None)
            for_trees = self._weights_by_class(y, weights)
            data = _trees.Data(columns, numeric, named, y, for_trees, is_classifier, config["seed"])
            needed = partial(_native.splits, columns, target, weights, json.dumps(config))
            columns, trees, parts = _trees.imported(generator, data, parts, needed)
            # Trees may take numbers for categories.
            categorical += [at for at in range(len(names)) if len(columns[at]) > len(data.columns[at])]
            config["categorical"] = [names[at] for at in categorical]
        model, self.n_iter_, selection = _native.fit(
            columns,
            target,
            weights,
            json.dumps(config),
            splits=parts,
            trees=trees,
            n_threads=threads(self.n_jobs),
            on_progress=Progress.of(self.verbose, self.callback, type(self).__name__),
        )
        self._selection = None if selection is None else json.loads(selection)
        return self._set_model(model)

    def rule_matrix(self, X: Any) -> np.ndarray:
        """1 where a rule holds for a row, of shape (n_samples, n_rules), in the order of ``rules_``."""
        columns, n_rows = self._to_predict(X)
        return self._model.fired(columns, n_rows, n_threads=threads(self.n_jobs))

    def local_support(self, X: Any) -> np.ndarray:
        """How many rules each row's explanation has."""
        return self.rule_matrix(X).sum(axis=1, dtype=np.int64)

    def get_rules(self) -> pd.DataFrame | list[dict[str, Any]]:
        """The terms with their weights, most important first.

        A pandas frame, or a list of dicts without pandas. With more than two classes each class has rows of
        its own, told by the column ``class``.
        """
        explained = self.explain_global()
        return explained.to_frame() if _has_pandas() else explained.rows()

    def explain_global(self) -> GlobalExplanation | Explanations[GlobalExplanation]:
        """What was learned; with more than two classes a sequence, one explanation for each class."""
        check_is_fitted(self)
        name = f"{type(self).__name__}: all rules"
        explained = [GlobalExplanation(data, name) for data in json.loads(self._model.explain_global())]
        return explained[0] if len(explained) == 1 else Explanations(explained, "global", name)

    def explain_local(self, X: Any, class_: Any = None) -> Explanations[LocalExplanation]:
        """Why each row has its prediction: a sequence, one explanation for each row.

        With more than two classes the predicted class of each row is explained, or the one given as
        ``class_``.
        """
        place = None
        if class_ is not None:
            check_is_fitted(self)
            found = np.flatnonzero(np.asarray(getattr(self, "classes_", [])) == class_)
            if not len(found):
                raise ValueError(f"{class_!r} is no class of the model")
            place = int(found[0])
        columns, n_rows = self._to_predict(X)
        text = self._model.explain_rows(columns, n_rows, class_=place, n_threads=threads(self.n_jobs))
        name = f"{type(self).__name__}: why these rows"
        return Explanations([LocalExplanation(data, name) for data in json.loads(text)], "local", name)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model file, which ``lire.load`` and the ``lire`` command read."""
        check_is_fitted(self)
        self._model.write(path)

    @property
    def rules_(self) -> list[str]:
        """The rules as texts, in the order in which their weights are summed."""
        return [term["rule"] for term in self._file["terms"] if term["kind"] == "rule"]

    @property
    def coef_(self) -> np.ndarray:
        """The weights of all terms, first the rules, then linear ones; a row for each class if several."""
        weights = np.array([output["weights"] for output in self._file["outputs"]], dtype=np.float64)
        return weights[0] if len(weights) == 1 else weights

    @property
    def intercept_(self) -> float | np.ndarray:
        """Where scores start."""
        intercepts = np.array([output["intercept"] for output in self._file["outputs"]])
        return float(intercepts[0]) if len(intercepts) == 1 else intercepts

    @property
    def feature_importances_(self) -> np.ndarray:
        """How much each feature moves scores, in shares."""
        self._file  # noqa: B018 - says that it is not fitted
        return self._model.feature_importances()

    @property
    def objective_(self) -> float:
        """The minimised objective."""
        return self._file["training"]["objective"]

    @property
    def certified_(self) -> bool:
        """Whether no single change of the chosen rules improves the objective."""
        return self._file["training"]["certified"]

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_model")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = False
        tags.target_tags.required = True
        return tags

    @property
    def _file(self) -> dict[str, Any]:
        if not hasattr(self, "_model"):
            raise AttributeError(f"this {type(self).__name__} is not fitted yet")
        return json.loads(self._model.to_json())

    def _checked(self, X: Any, y: Any) -> tuple[Any, np.ndarray]:
        """X and y as they can be used, by scikit-learn's own checks."""
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y is None"
            )
        numeric = self._task == "regression"
        X = _by_columns(X)
        if _columns.is_frame(X) or X.dtype == object:
            X = self._check_table(X, reset=True)
            y = column_or_1d(y, warn=True)
            assert_all_finite(y, input_name="y")
            check_consistent_length(X, y)
            return X, (y.astype(np.float64) if numeric and y.dtype.kind == "O" else y)
        return validate_data(self, X, y, dtype=np.float64, ensure_all_finite="allow-nan", y_numeric=numeric)

    def _check_table(self, X: Any, reset: bool) -> Any:
        if not _columns.is_frame(X):
            return validate_data(self, X, dtype=None, ensure_all_finite=False, reset=reset)
        n_rows, n_columns = X.shape
        for what, n_found in (("sample(s)", n_rows), ("feature(s)", n_columns)):
            if n_found == 0:
                raise ValueError(
                    f"Found array with 0 {what} (shape={X.shape}) while a minimum of 1 is required."
                )
        validate_data(self, X, skip_check_array=True, reset=reset)
        return X

    def _to_predict(self, X: Any) -> tuple[list[Column], int]:
        check_is_fitted(self)
        X = _by_columns(X)
        if _columns.is_frame(X) or X.dtype == object:
            X = self._check_table(X, reset=False)
        else:
            X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False)
        columns = self._read(X, [name for name, _ in self._kinds])
        for at, (_, is_category) in enumerate(self._kinds):
            convert = _columns.as_category if is_category else _columns.as_numbers
            columns[at] = convert(columns[at])
        return columns, X.shape[0]

    def _set_model(self, model: _native.Model) -> Self:
        self._model = model
        # Each prediction needs the features; reading them from the file again would take longer than a row.
        self._kinds = [(feature["name"], "levels" in feature) for feature in self._file["features"]]
        return self

    def _read(self, X: Any, names: list[str]) -> list[Column]:
        read = _columns.frame_columns if _columns.is_frame(X) else _columns.array_columns
        return read(X, names)

    def _names(self) -> list[str]:
        named = getattr(self, "feature_names_in_", None)
        names = [f"x{at}" for at in range(self.n_features_in_)] if named is None else list(named)
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise ValueError(f"two columns are named `{twice}`; rename one of them")
        return names

    def _config(self, names: list[str]) -> dict[str, Any]:
        """The library's configuration: parameters of the same name as they are, the others translated."""
        parameters = self.get_params(deep=False)
        plain = {
            name: as_json(name, value)
            for name, value in parameters.items()
            if name not in _OURS and not _is_left_open(value)
        }
        if not isinstance(plain.get("tree_generator", ""), str):
            del plain["tree_generator"]
        config = plain | {"method": self._method, "task": self._task, "seed": seed(self.random_state)}
        if not _is_left_open(parameters.get("lambda_")):
            config["lambda"] = as_json("lambda_", self.lambda_)
        if isinstance(parameters.get("cv"), int | np.integer):
            config["cv"] = int(self.cv)
        if "monotone_constraints" in parameters:
            config["monotone"] = directions(self.monotone_constraints, names)
        if (class_weight := self._class_weight()) is not None:
            config["class_weight"] = class_weight
        return config

    def _class_weight(self) -> Any:
        return None

    def _weights_by_class(self, y: np.ndarray, weights: np.ndarray | None) -> np.ndarray | None:
        """The weights of rows with those of their classes, as the library makes them."""
        return weights


class Classifier(ClassifierMixin, RuleModel):
    """Predicts classes. Of two the second, ``classes_[1]``, is the one that positive weights speak for."""

    _task = "classification"

    def predict(self, X: Any) -> np.ndarray:
        """The class of each row."""
        places, _ = self._model_decides(X)
        return self.classes_[places]

    def predict_proba(self, X: Any) -> np.ndarray:
        """The probability of each class, of shape (n_samples, n_classes)."""
        return self._model_decides(X)[1]

    def decision_function(self, X: Any) -> np.ndarray:
        """The intercept plus the weights of the rules that hold; a column for each class if several."""
        scores = self._model_scores(X)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def _model_decides(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        columns, n_rows = self._to_predict(X)
        return self._model.decide(columns, n_rows, n_threads=threads(self.n_jobs))

    def _model_scores(self, X: Any) -> np.ndarray:
        columns, n_rows = self._to_predict(X)
        return self._model.score(columns, n_rows, n_threads=threads(self.n_jobs))

    def _target(self, y: np.ndarray) -> tuple[Any, ...]:
        check_classification_targets(y)
        self.classes_, places = np.unique(y, return_inverse=True)
        classes = [_columns.text_of(label) for label in self.classes_.tolist()]
        if len(classes) == 1:
            raise ValueError(f"y holds one class only, {classes[0]}; at least two classes are needed")
        return places.astype(np.uint32), classes

    def _class_weight(self) -> Any:
        wish = self.class_weight
        if wish is None or wish == "balanced":
            return wish
        if not isinstance(wish, dict):
            raise ValueError(f"class_weight: {wish!r} is neither 'balanced' nor a dict of class to weight")
        unknown = set(wish) - set(self.classes_.tolist())
        if unknown:
            raise ValueError(f"class_weight: {unknown.pop()!r} is no class of y")
        return {_columns.text_of(label): float(weight) for label, weight in wish.items()}

    def _weights_by_class(self, y: np.ndarray, weights: np.ndarray | None) -> np.ndarray | None:
        if self.class_weight is None:
            return weights
        of_rows = np.ones(len(y)) if weights is None else weights
        places = np.searchsorted(self.classes_, y)
        if self.class_weight == "balanced":
            totals = np.bincount(places, of_rows, len(self.classes_))
            factors = np.divide(
                totals.sum(), len(totals) * totals, out=np.ones_like(totals), where=totals > 0
            )
        else:
            factors = np.array([float(self.class_weight.get(label, 1.0)) for label in self.classes_.tolist()])
        return of_rows * factors[places]


class Regressor(RegressorMixin, RuleModel):
    """Predicts numbers."""

    _task = "regression"

    def predict(self, X: Any) -> np.ndarray:
        """The number of each row: the intercept plus the weights of the rules that hold."""
        columns, n_rows = self._to_predict(X)
        return self._model.score(columns, n_rows, n_threads=threads(self.n_jobs))[:, 0]

    def _target(self, y: np.ndarray) -> tuple[Any, ...]:
        return (np.ascontiguousarray(y, dtype=np.float64),)


def _by_columns(X: Any) -> Any:
    """A data frame, a matrix, or what scikit-learn shall check. Beside texts, numbers stay numbers."""
    X = _columns.as_frame(X)
    if _columns.is_frame(X) or sparse.issparse(X):
        return X
    array = X if isinstance(X, np.ndarray) else np.asarray(X)
    if array.dtype.kind in "USO" and array.ndim == 2:
        return np.asarray(X, dtype=object)
    return array


def _is_left_open(value: Any) -> bool:
    """Whether a parameter is for the library to choose."""
    return value is None or (isinstance(value, str) and value == "auto")


def _has_pandas() -> bool:
    return importlib.util.find_spec("pandas") is not None
