"""LIRE: rule ensembles in which each prediction needs only a few rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lire._base import Classifier, Regressor
from lire._progress import Callback
from lire._selection import Chosen


class LireClassifier(Chosen, Classifier):
    """Classes from rule ensembles in which each prediction needs only a few rules.

    Parameters
    ----------
    gamma : float or 'auto', default 'auto'
        The price of a rule in the model; chosen by cross-validation if 'auto'.
    lambda_ : float or 'auto', default 'auto'
        The price of rules per explanation; chosen by cross-validation if 'auto'.
    max_rules : int, optional
        The most rules of the model.
    max_local_rules : float, optional
        The most rules per explanation, as the mean over the training rows.
    max_local_rules_any : bool, default False
        Whether ``max_local_rules`` holds for every training row, not only for their mean.
    cv : int, splitter or iterable of splits, default 5
        Folds of the cross-validation that chooses ``gamma`` and ``lambda_``.
    metric : 'auc', 'log_loss', 'accuracy' or 'f1', optional
        What the choice goes by; by default 'auc' for two classes, 'log_loss' for several.
    select : 'best' or 'one_se', optional
        Which model is chosen: the best, or the simplest within one standard error of it. By default the
        former within a budget of rules, and the latter without one.
    ridge : float, optional
        Shrinks the weights; by default 60 / rows up to 10,000 rows and less beyond, within 0.0002 and 0.03.
    loss : 'exponential' or 'logistic', optional
        The loss; logistic by default. The paper's is exponential.
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
    best_params_ : dict
        The ``gamma`` and ``lambda_`` of the model.
    path_ : list of dict
        The models that it was chosen from: ``gamma``, ``lambda``, ``n_rules``, ``local_support_mean``,
        measures in training (``train``) and on rows left out (``validation``), and whether it was
        ``chosen``. Empty if both prices were given.
    cv_results_ : dict of arrays
        The same as scikit-learn's searches give it: ``param_gamma``, ``param_lambda_``, ``n_rules``,
        ``local_support_mean``, ``mean_test_score``, ``std_test_score``, ``rank_test_score`` and so on.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from lire import LireClassifier
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> model = LireClassifier(random_state=0).fit(X, y)
    >>> bool(model.score(X, y) > 0.98)
    True
    >>> bool(model.local_support(X).mean() < 8)  # rules that a prediction needs
    True
    >>> list(model.get_rules().columns)
    ['rule', 'weight', 'coverage', 'importance']
    """

    _method = "lire"

    def __init__(
        self,
        *,
        gamma: float | str = "auto",
        lambda_: float | str = "auto",
        max_rules: int | None = None,
        max_local_rules: float | None = None,
        max_local_rules_any: bool = False,
        cv: Any = 5,
        metric: str | None = None,
        select: str | None = None,
        ridge: float | None = None,
        loss: str | None = None,
        penalty: str = "ratio",
        search: str = "best",
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
        self.lambda_ = lambda_
        self.max_rules = max_rules
        self.max_local_rules = max_local_rules
        self.max_local_rules_any = max_local_rules_any
        self.cv = cv
        self.metric = metric
        self.select = select
        self.ridge = ridge
        self.loss = loss
        self.penalty = penalty
        self.search = search
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


class LireRegressor(Chosen, Regressor):
    """Numbers from rule ensembles in which each prediction needs only a few rules.

    Parameters
    ----------
    gamma : float or 'auto', default 'auto'
        The price of a rule in the model; chosen by cross-validation if 'auto'.
    lambda_ : float or 'auto', default 'auto'
        The price of rules per explanation; chosen by cross-validation if 'auto'.
    max_rules : int, optional
        The most rules of the model.
    max_local_rules : float, optional
        The most rules per explanation, as the mean over the training rows.
    max_local_rules_any : bool, default False
        Whether ``max_local_rules`` holds for every training row, not only for their mean.
    cv : int, splitter or iterable of splits, default 5
        Folds of the cross-validation that chooses ``gamma`` and ``lambda_``.
    metric : 'rmse' or 'r2', optional
        What the choice goes by; 'rmse' by default.
    select : 'best' or 'one_se', optional
        Which model is chosen: the best, or the simplest within one standard error of it. By default the
        former within a budget of rules, and the latter without one.
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
    best_params_ : dict
        The ``gamma`` and ``lambda_`` of the model.
    path_ : list of dict
        The models that it was chosen from: ``gamma``, ``lambda``, ``n_rules``, ``local_support_mean``,
        measures in training (``train``) and on rows left out (``validation``), and whether it was
        ``chosen``. Empty if both prices were given.
    cv_results_ : dict of arrays
        The same as scikit-learn's searches give it: ``param_gamma``, ``param_lambda_``, ``n_rules``,
        ``local_support_mean``, ``mean_test_score``, ``std_test_score``, ``rank_test_score`` and so on.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from lire import LireRegressor
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
    >>> model = LireRegressor(random_state=0, monotone_constraints={"bmi": 1}).fit(X, y)
    >>> bool(model.score(X, y) > 0.5)
    True
    """

    _method = "lire"

    def __init__(
        self,
        *,
        gamma: float | str = "auto",
        lambda_: float | str = "auto",
        max_rules: int | None = None,
        max_local_rules: float | None = None,
        max_local_rules_any: bool = False,
        cv: Any = 5,
        metric: str | None = None,
        select: str | None = None,
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
        self.lambda_ = lambda_
        self.max_rules = max_rules
        self.max_local_rules = max_local_rules
        self.max_local_rules_any = max_local_rules_any
        self.cv = cv
        self.metric = metric
        self.select = select
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
        self.paper_candidates = paper_candidates
        self.monotone_constraints = monotone_constraints
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback
        self.time_limit = time_limit
