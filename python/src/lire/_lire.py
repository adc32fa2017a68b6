"""LIRE: rule ensembles in which each prediction needs only a few rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lire._base import Classifier, Regressor
from lire._progress import Callback
from lire._selection import Chosen


class LireClassifier(Chosen, Classifier):
    """Classifier: rule ensembles in which each prediction needs only a few rules.

    Parameters
    ----------
    gamma : float or 'auto', default 'auto'
        The price of a rule in the model; chosen by cross-validation if 'auto'.
    lambda_ : float or 'auto', default 'auto'
        The price of rules per explanation; chosen by cross-validation if 'auto'.
    max_rules : int, optional
        The maximum number of rules in the model.
    max_local_rules : float, optional
        The maximum number of rules per explanation, on average over the training rows.
    max_local_rules_any : bool, default False
        Whether ``max_local_rules`` applies to every training row instead of to their mean.
    cv : int, splitter or iterable of splits, default 5
        The cross-validation that selects ``gamma`` and ``lambda_``, as in scikit-learn.
    metric : 'auc', 'log_loss', 'accuracy' or 'f1', optional
        The metric to select by; by default 'auc' for two classes, 'log_loss' for several.
    select : 'best' or 'one_se', optional
        Which model to select: the best, or the simplest within one standard error of it. By default the best
        if there is a budget of rules, else the simplest.
    ridge : float, optional
        The ridge penalty, which shrinks the weights; by default 60 / rows up to 10,000 rows and less beyond,
        between 0.0002 and 0.03.
    loss : 'exponential' or 'logistic', optional
        The loss; logistic by default. The paper uses exponential.
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
    paper_candidates : bool, default False
        Build candidates as in the paper that introduced LIRE: no minimum coverage, every rule with a
        different text is kept, and each category counts as a column when features are sampled.
    class_weight : 'balanced' or dict of class to weight, optional
        Weights of the classes. Scores and labels are those of the weighted rows; probabilities refer to the
        unweighted rows, or to ``base_rate``.
    calibrate : 'platt' or 'isotonic', optional
        Calibrate probabilities on scores cross-validated with ``cv``: 'platt' fits a sigmoid with two
        parameters, 'isotonic' any curve that never falls. Scores, explanations and labels do not change.
        ``time_limit`` does not include calibration.
    base_rate : 'data' or float, optional
        The class shares that probabilities refer to: the share of ``classes_[1]``, or 'data' for the shares
        in the training rows (the default with ``class_weight``). Labels do not depend on it.
    monotone_constraints : dict of feature to -1, 0 or 1, or array of them, optional
        Features with which the prediction may only fall (-1) or only rise (1).
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
    classes_ : array of shape (n_classes,)
        The classes. Of two classes, positive weights speak for the second.
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
    best_params_ : dict
        The ``gamma`` and ``lambda_`` of the model.
    path_ : list of dict
        The models that were compared: ``gamma``, ``lambda``, ``n_rules``, ``local_support_mean``, measures on
        training rows (``train``) and on held-out rows (``validation``), and whether the model was ``chosen``.
        Empty if both prices were given.
    cv_results_ : dict of arrays
        The same in the format of scikit-learn's searches: ``param_gamma``, ``param_lambda_``, ``n_rules``,
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
    """Regressor: rule ensembles in which each prediction needs only a few rules.

    Parameters
    ----------
    gamma : float or 'auto', default 'auto'
        The price of a rule in the model; chosen by cross-validation if 'auto'.
    lambda_ : float or 'auto', default 'auto'
        The price of rules per explanation; chosen by cross-validation if 'auto'.
    max_rules : int, optional
        The maximum number of rules in the model.
    max_local_rules : float, optional
        The maximum number of rules per explanation, on average over the training rows.
    max_local_rules_any : bool, default False
        Whether ``max_local_rules`` applies to every training row instead of to their mean.
    cv : int, splitter or iterable of splits, default 5
        The cross-validation that selects ``gamma`` and ``lambda_``, as in scikit-learn.
    metric : 'rmse' or 'r2', optional
        The metric to select by; 'rmse' by default.
    select : 'best' or 'one_se', optional
        Which model to select: the best, or the simplest within one standard error of it. By default the best
        if there is a budget of rules, else the simplest.
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
    paper_candidates : bool, default False
        Build candidates as in the paper that introduced LIRE: no minimum coverage, every rule with a
        different text is kept, and each category counts as a column when features are sampled.
    monotone_constraints : dict of feature to -1, 0 or 1, or array of them, optional
        Features with which the prediction may only fall (-1) or only rise (1).
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
    best_params_ : dict
        The ``gamma`` and ``lambda_`` of the model.
    path_ : list of dict
        The models that were compared: ``gamma``, ``lambda``, ``n_rules``, ``local_support_mean``, measures on
        training rows (``train``) and on held-out rows (``validation``), and whether the model was ``chosen``.
        Empty if both prices were given.
    cv_results_ : dict of arrays
        The same in the format of scikit-learn's searches: ``param_gamma``, ``param_lambda_``, ``n_rules``,
        ``local_support_mean``, ``mean_test_score``, ``std_test_score``, ``rank_test_score`` and so on.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from lire import LireRegressor
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
    >>> model = LireRegressor(max_local_rules=3, monotone_constraints={"bmi": 1}, random_state=0).fit(X, y)
    >>> bool(model.score(X, y) > 0.5)
    True
    >>> bool(model.local_support(X).mean() <= 3)  # rules that a prediction needs
    True
    >>> heavier = X.assign(bmi=X["bmi"] + 5)
    >>> bool((model.predict(heavier) >= model.predict(X)).all())
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
