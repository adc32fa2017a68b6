"""GLRM: rules built up from single conditions by column generation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lire._base import Classifier, Regressor
from lire._progress import Callback


class GLRMClassifier(Classifier):
    """Classes from rules built up from single conditions by column generation (Wei et al. 2019).

    Parameters
    ----------
    lambda0 : float, default 0.001
        The price of a rule.
    lambda1 : float, optional
        The price of each condition of a rule; by default a fifth of ``lambda0``.
    beam_width : int, default 1
        Rules that are followed at a time when a better one is sought.
    max_degree : int, default 10
        The most conditions of a rule.
    max_rounds : int, default 200
        The most rules that are sought.
    debias : bool, default True
        Re-fit the weights without penalty in the end.
    class_weight : 'balanced' or dict of class to weight, optional
        How much the rows of each class count. Scores and labels follow the weighted rows; probabilities
        refer to the rows as they are, or to ``base_rate``.
    cv : int, splitter or iterable of splits, default 5
        Folds of the cross-validation that ``calibrate`` needs.
    calibrate : 'platt' or 'isotonic', optional
        Correct probabilities by the scores of rows left out in turn, ``cv`` parts of them: by a curve of
        two numbers, or by any curve that never falls. Scores, explanations and labels stay as they are,
        and a ``time_limit`` does not hold for it.
    base_rate : 'data' or float, optional
        The class shares that probabilities refer to: 'data' for those of the training rows, which is the
        default with ``class_weight``, or the share of ``classes_[1]``. Labels do not change by it.
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
    """Numbers from rules built up from single conditions by column generation (Wei et al. 2019).

    Parameters
    ----------
    lambda0 : float, default 0.001
        The price of a rule.
    lambda1 : float, optional
        The price of each condition of a rule; by default a fifth of ``lambda0``.
    beam_width : int, default 1
        Rules that are followed at a time when a better one is sought.
    max_degree : int, default 10
        The most conditions of a rule.
    max_rounds : int, default 200
        The most rules that are sought.
    debias : bool, default True
        Re-fit the weights without penalty in the end.
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
