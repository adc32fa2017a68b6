"""GLRM: rules built from single conditions by column generation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lire._base import Classifier, Regressor
from lire._progress import Callback


class GLRMClassifier(Classifier):
    """Classifier: rules built from single conditions by column generation (Wei et al. 2019).

    Parameters
    ----------
    lambda0 : float, default 0.001
        The price of a rule.
    lambda1 : float, optional
        The price of each condition of a rule; by default a fifth of ``lambda0``.
    beam_width : int, default 1
        The width of the beam search for new rules.
    max_degree : int, default 10
        The maximum number of conditions in a rule.
    max_rounds : int, default 200
        The maximum number of rounds, each of which searches for one rule.
    debias : bool, default True
        Whether to refit the weights without the penalty at the end.
    class_weight : 'balanced' or dict of class to weight, optional
        Weights of the classes. Scores and labels are those of the weighted rows; probabilities refer to the
        unweighted rows, or to ``base_rate``.
    cv : int, splitter or iterable of splits, default 5
        The cross-validation used by ``calibrate``.
    calibrate : 'platt' or 'isotonic', optional
        Calibrate probabilities on scores cross-validated with ``cv``: 'platt' fits a sigmoid with two
        parameters, 'isotonic' any curve that never falls. Scores, explanations and labels do not change.
        ``time_limit`` does not include calibration.
    base_rate : 'data' or float, optional
        The class shares that probabilities refer to: the share of ``classes_[1]``, or 'data' for the shares
        in the training rows (the default with ``class_weight``). Labels do not depend on it.
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

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from lire import GLRMClassifier
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> model = GLRMClassifier(lambda0=0.01).fit(X, y)
    >>> bool(model.score(X, y) > 0.95)
    True
    """

    _method = "glrm"

    def __init__(
        self,
        *,
        lambda0: float = 0.001,
        lambda1: float | None = None,
        beam_width: int = 1,
        max_degree: int = 10,
        max_rounds: int = 200,
        debias: bool = True,
        class_weight: str | dict[Any, float] | None = None,
        cv: Any = 5,
        calibrate: str | None = None,
        base_rate: str | float | None = None,
        categorical_features: Sequence[Any] | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: int = 0,
        callback: Callback | None = None,
        time_limit: float | None = None,
    ) -> None:
        self.lambda0 = lambda0
        self.lambda1 = lambda1
        self.beam_width = beam_width
        self.max_degree = max_degree
        self.max_rounds = max_rounds
        self.debias = debias
        self.class_weight = class_weight
        self.cv = cv
        self.calibrate = calibrate
        self.base_rate = base_rate
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback
        self.time_limit = time_limit


class GLRMRegressor(Regressor):
    """Regressor: rules built from single conditions by column generation (Wei et al. 2019).

    Parameters
    ----------
    lambda0 : float, default 0.001
        The price of a rule.
    lambda1 : float, optional
        The price of each condition of a rule; by default a fifth of ``lambda0``.
    beam_width : int, default 1
        The width of the beam search for new rules.
    max_degree : int, default 10
        The maximum number of conditions in a rule.
    max_rounds : int, default 200
        The maximum number of rounds, each of which searches for one rule.
    debias : bool, default True
        Whether to refit the weights without the penalty at the end.
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
    >>> import numpy as np
    >>> from lire import GLRMRegressor
    >>> X = np.tile(np.arange(10.0), 20).reshape(-1, 1)
    >>> model = GLRMRegressor().fit(X, np.where(X[:, 0] > 4, 7.0, 2.0))
    >>> model.predict([[3.0], [8.0]]).round(6)
    array([2., 7.])
    """

    _method = "glrm"

    def __init__(
        self,
        *,
        lambda0: float = 0.001,
        lambda1: float | None = None,
        beam_width: int = 1,
        max_degree: int = 10,
        max_rounds: int = 200,
        debias: bool = True,
        categorical_features: Sequence[Any] | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: int = 0,
        callback: Callback | None = None,
        time_limit: float | None = None,
    ) -> None:
        self.lambda0 = lambda0
        self.lambda1 = lambda1
        self.beam_width = beam_width
        self.max_degree = max_degree
        self.max_rounds = max_rounds
        self.debias = debias
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback
        self.time_limit = time_limit
