"""Rules as features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import TransformerMixin
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted

from lire._base import RuleModel
from lire._estimator import Classes, Numbers, refuse_gaps
from lire._progress import Callback


class RuleTransformer(TransformerMixin, RuleModel):
    """Transformer: rules as binary features for another model, 1 where a rule holds.

    Parameters
    ----------
    gamma : float, optional
        The price of a rule in the model; by default selected by five-fold cross-validation.
    lambda_ : float, optional
        The price of rules per explanation; by default selected like ``gamma``. If both are given, a fit takes
        a fraction of the time.
    ridge : float, optional
        The ridge penalty, which shrinks the weights; by default 60 / rows up to 10,000 rows and less beyond,
        between 0.0002 and 0.03.
    penalty : 'ratio' or 'count', default 'ratio'
        What ``lambda_`` charges: the share of the model's rules in an explanation, or their number.
    search : 'best' or 'paper', default 'best'
        How to choose the rules: lire's own search ('best'), or Algorithm 1 of the paper.
    tree_generator : 'boosting', 'random-forest', 'extra-trees' or a model, default 'boosting'
        How to grow the trees whose nodes become candidate rules. Or a forest or boosting model of
        scikit-learn, or a model or booster of LightGBM or XGBoost. If it is fitted, its trees are used as
        they are; otherwise a copy is fitted first, and again for each fold of a cross-validation.
        ``n_estimators``, ``max_depth`` and ``learning_rate`` must then keep their defaults.
    n_estimators : int, default 200
        The number of trees.
    max_depth : int, default 3
        The maximum depth of the trees, and so the maximum number of splits that a rule combines.
    learning_rate : float, default 0.25
        Boosting: the learning rate, by which each tree's contribution is multiplied.
    min_coverage : float, default 0.005
        The minimum share of the training weight that a rule must cover.
    min_rows : float, optional
        The minimum number of training rows that a rule must cover, both as a count and by weight; by default
        5 by weight.
    max_rule_length : int, optional
        The maximum number of conditions in a rule.
    task : 'auto', 'classification' or 'regression', default 'auto'
        Whether y holds classes or numbers; by default guessed from y.
    categorical_features : array of names, positions or truth values, optional
        Features to treat as categories although they hold numbers. Texts and categories always are
        categories.
    n_jobs : int, optional
        The number of threads; by default one per core. Results do not depend on it.
    random_state : int, RandomState or None
        The seed of all random numbers.
    verbose : int, default 0
        Print progress: 1 about once a second, 2 every step.
    callback : callable, optional
        Called with a dict on each step of the fit: its progress and the seconds since the start. If it
        returns True, the fit ends with the best model so far; an exception ends it without a model.
    time_limit : float, optional
        Seconds after which the fit ends with the best model so far.

    Attributes
    ----------
    rules_ : list of str
        The rules, in the order in which their weights are summed.
    coef_ : array of shape (n_terms,), or (n_classes, n_terms) with more than two classes
        The weights of the rules, then of linear terms.
    intercept_ : float, or array of shape (n_classes,)
        Where scores start.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : array of shape (n_features_in_,)
        The names of the features, if all column names of X are strings.
    feature_importances_ : array of shape (n_features_in_,)
        The importance of each feature: its share in how much all features move scores.
    objective_ : float
        The minimised objective.
    certified_ : bool
        Whether it is certified that no single change of the selected rules improves the objective.
    n_iter_ : int
        The number of steps of the search.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> from lire import RuleTransformer
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> model = make_pipeline(RuleTransformer(random_state=0), LogisticRegression()).fit(X, y)
    >>> bool(model.score(X, y) > 0.98)
    True
    >>> len(model[0].get_feature_names_out()) == model[0].transform(X).shape[1]
    True
    """

    _method = "lire"

    def __init__(
        self,
        *,
        gamma: float | None = None,
        lambda_: float | None = None,
        ridge: float | None = None,
        penalty: str = "ratio",
        search: str = "best",
        tree_generator: Any = "boosting",
        n_estimators: int = 200,
        max_depth: int = 3,
        learning_rate: float = 0.25,
        min_coverage: float = 0.005,
        min_rows: float | None = None,
        max_rule_length: int | None = None,
        task: str = "auto",
        categorical_features: Sequence[Any] | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: int = 0,
        callback: Callback | None = None,
        time_limit: float | None = None,
    ) -> None:
        self.gamma = gamma
        self.lambda_ = lambda_
        self.ridge = ridge
        self.penalty = penalty
        self.search = search
        self.tree_generator = tree_generator
        self.n_estimators = n_estimators
        self.max_depth = max_depth
        self.learning_rate = learning_rate
        self.min_coverage = min_coverage
        self.min_rows = min_rows
        self.max_rule_length = max_rule_length
        self.task = task
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback
        self.time_limit = time_limit

    def transform(self, X: Any) -> np.ndarray:
        """1.0 where a rule holds for a row, of shape (n_samples, n_rules)."""
        return self.rule_matrix(X).astype(np.float64)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """The rules as texts."""
        check_is_fitted(self)
        return np.array(self.rules_, dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # Rules are 0 or 1 for any task.
        tags.transformer_tags.preserves_dtype = []
        return tags

    @property
    def _task(self) -> str:  # type: ignore[override]
        return self._task_found if self.task == "auto" else self.task

    def _checked(self, X: Any, y: Any) -> tuple[Any, np.ndarray]:
        if self.task == "auto" and y is not None:
            refuse_gaps(y)
            self._task_found = (
                "regression" if type_of_target(y).startswith("continuous") else "classification"
            )
        return super()._checked(X, y)

    def _target(self, y: np.ndarray) -> tuple[Any, ...]:
        parts = Classes if self._task == "classification" else Numbers
        return parts._target(self, y)
