"""RuleFit: rules of trees with l1-penalised weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lire._base import Classifier, Regressor
from lire._progress import Callback


class RuleFitClassifier(Classifier):
    """Classes from rules of trees, chosen by an l1 penalty (Friedman and Popescu 2008).

    Parameters
    ----------
    gamma : float, optional
        The l1 penalty; by default the best in a cross-validation.
    linear_terms : bool, default False
        Let numeric features enter as they are too, winsorised.
    cv : int, splitter or iterable of splits, default 5
        The cross-validation that chooses ``gamma`` where it is not given.
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
    paper_candidates : bool, default False
        Candidates as in the paper that introduced LIRE: no least coverage, rules of different text all
        kept, each category a column of its own when features are sampled.
    class_weight : 'balanced' or dict of class to weight, optional
        How much the rows of each class count. Scores and labels follow the weighted rows; probabilities
        refer to the rows as they are, or to ``base_rate``.
    calibrate : 'platt' or 'isotonic', optional
        Correct probabilities by the scores of rows left out in turn, ``cv`` parts of them: by a curve of
        two numbers, or by any curve that never falls. Scores, explanations and labels stay as they are,
        and a ``time_limit`` does not hold for it.
    base_rate : 'data' or float, optional
        The class shares that probabilities refer to: 'data' for those of the training rows, which is the
        default with ``class_weight``, or the share of ``classes_[1]``. Labels do not change by it.
    monotone_constraints : dict of feature to -1, 0 or 1, or array of them, optional
        Features that the prediction must fall (-1) or rise (1) with.
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
    classes_ : array of shape (n_classes,)
        The classes. Of two the second is the one that positive weights speak for.
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
    >>> from lire import RuleFitClassifier
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> model = RuleFitClassifier(gamma=0.01, random_state=0).fit(X, y)
    >>> bool(model.score(X, y) > 0.95)
    True
    """

    _method = "rulefit"

    def __init__(
        self,
        *,
        gamma: float | None = None,
        linear_terms: bool = False,
        cv: Any = 5,
        tree_generator: Any = "boosting",
        n_estimators: int = 200,
        max_depth: int = 3,
        learning_rate: float = 0.25,
        min_coverage: float = 0.005,
        min_rows: float | None = None,
        max_rule_length: int | None = None,
        paper_candidates: bool = False,
        class_weight: str | dict[Any, float] | None = None,
        calibrate: str | None = None,
        base_rate: str | float | None = None,
        monotone_constraints: Mapping[Any, int] | Sequence[int] | None = None,
        categorical_features: Sequence[Any] | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: int = 0,
        callback: Callback | None = None,
        time_limit: float | None = None,
    ) -> None:
        self.gamma = gamma
        self.linear_terms = linear_terms
        self.cv = cv
        self.tree_generator = tree_generator
        self.n_estimators = n_estimators
        self.max_depth = max_depth
        self.learning_rate = learning_rate
        self.min_coverage = min_coverage
        self.min_rows = min_rows
        self.max_rule_length = max_rule_length
        self.paper_candidates = paper_candidates
        self.class_weight = class_weight
        self.calibrate = calibrate
        self.base_rate = base_rate
        self.monotone_constraints = monotone_constraints
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback
        self.time_limit = time_limit


class RuleFitRegressor(Regressor):
    """Numbers from rules of trees, chosen by an l1 penalty (Friedman and Popescu 2008).

    Parameters
    ----------
    gamma : float, optional
        The l1 penalty; by default the best in a cross-validation.
    linear_terms : bool, default False
        Let numeric features enter as they are too, winsorised.
    cv : int, splitter or iterable of splits, default 5
        The cross-validation that chooses ``gamma`` where it is not given.
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
    paper_candidates : bool, default False
        Candidates as in the paper that introduced LIRE: no least coverage, rules of different text all
        kept, each category a column of its own when features are sampled.
    monotone_constraints : dict of feature to -1, 0 or 1, or array of them, optional
        Features that the prediction must fall (-1) or rise (1) with.
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
    >>> import numpy as np
    >>> from lire import RuleFitRegressor
    >>> X = np.linspace(-1, 1, 200).reshape(-1, 1)
    >>> model = RuleFitRegressor(gamma=0.01, linear_terms=True, random_state=0).fit(X, 3 * X[:, 0])
    >>> model.explain_global().rows()[0]["rule"]
    'x0'
    """

    _method = "rulefit"

    def __init__(
        self,
        *,
        gamma: float | None = None,
        linear_terms: bool = False,
        cv: Any = 5,
        tree_generator: Any = "boosting",
        n_estimators: int = 200,
        max_depth: int = 3,
        learning_rate: float = 0.25,
        min_coverage: float = 0.005,
        min_rows: float | None = None,
        max_rule_length: int | None = None,
        paper_candidates: bool = False,
        monotone_constraints: Mapping[Any, int] | Sequence[int] | None = None,
        categorical_features: Sequence[Any] | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: int = 0,
        callback: Callback | None = None,
        time_limit: float | None = None,
    ) -> None:
        self.gamma = gamma
        self.linear_terms = linear_terms
        self.cv = cv
        self.tree_generator = tree_generator
        self.n_estimators = n_estimators
        self.max_depth = max_depth
        self.learning_rate = learning_rate
        self.min_coverage = min_coverage
        self.min_rows = min_rows
        self.max_rule_length = max_rule_length
        self.paper_candidates = paper_candidates
        self.monotone_constraints = monotone_constraints
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback
        self.time_limit = time_limit
