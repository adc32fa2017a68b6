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
    """Rules as features: 1 where a rule holds, for another model to learn from.

    Parameters
    ----------
    gamma : float, optional
        The price of a rule in the model; by default chosen in a cross-validation of five folds.
    lambda_ : float, optional
        The price of rules per explanation; by default chosen like ``gamma``. Where both are given, a fit
        takes a fraction of the time.
    ridge : float, optional
        Shrinks the weights; by default 60 / rows up to 10,000 rows and less beyond, within 0.0002 and 0.03.
    penalty : 'ratio' or 'count', default 'ratio'
        How ``lambda_`` charges the rules per explanation: by their share of the model, or by their
        number.
    search : 'best' or 'paper', default 'best'
        How the rules are chosen: our search, or Algorithm 1 of the paper.
    tree_generator : 'boosting', 'random-forest', 'extra-trees' or a model, default 'boosting'
        How the trees are grown whose nodes become candidate rules. Or a forest or boosting of
        scikit-learn, a model or booster of LightGBM or XGBoost: fitted, its trees are taken as they
        are; not fitted, a copy is fitted first, and anew for each part of a cross-validation.
        ``n_estimators``, ``max_depth`` and ``learning_rate`` must then be left at their defaults.
    n_estimators : int, default 200
        The number of trees.
    max_depth : int, default 3
        The depth of the trees: the most conditions that a rule is made of.
    learning_rate : float, default 0.25
        Boosting: the share of each tree's step that is taken.
    min_coverage : float, default 0.005
        The least share of the training weight that a rule covers.
    min_rows : float, optional
        The fewest training rows that a rule covers, counted and by weight; by default 5 by weight.
    max_rule_length : int, optional
        The most conditions of a rule.
    task : 'auto', 'classification' or 'regression', default 'auto'
        Whether y holds classes or numbers; by default what it looks like.
    categorical_features : array of names, positions or truth values, optional
        Features that are categories although they hold numbers. Texts and categories always are.
    n_jobs : int, optional
        Threads to work with; by default one for each core. It does not change the result.
    random_state : int, RandomState or None
        Decides all that is drawn.
    verbose : int, default 0
        Print progress: 1 about once a second, 2 every step.
    callback : callable, optional
        Called with a dict for each step of the fit: how far it is, and after how many seconds. If it
        gives back True, the fit ends with the best model so far; an exception ends it without one.
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
        The names of the features, if X has names that are all texts.
    feature_importances_ : array of shape (n_features_in_,)
        How much each feature moves scores, in shares.
    objective_ : float
        The minimised objective.
    certified_ : bool
        Whether no single change of the chosen rules improves the objective.
    n_iter_ : int
        Steps of the search.

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
        # Rules are 0 or 1, whatever they are rules of.
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
