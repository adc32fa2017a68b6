"""The estimators: parameters and documentation. What they do is in ``lire._base`` and the library."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import TransformerMixin
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted

from lire._base import Classifier, Regressor, RuleModel


class LireClassifier(Classifier):
    """Classes from rule ensembles in which each prediction needs only a few rules.

    Parameters
    ----------
    gamma : float, optional
        The price of a rule in the model; by default 0.0005, or 3 / rows if that is more.
    lambda_ : float, default 0.1
        The price of rules per explanation.
    ridge : float, optional
        Shrinks the weights; by default 0.001, or 10 / rows if that is more.
    loss : 'exponential' or 'logistic', optional
        The loss; exponential by default.
    penalty : 'ratio' or 'count', default 'ratio'
        How ``lambda_`` charges the rules per explanation: by their share of the model, or by their
        number.
    search : 'best' or 'paper', default 'best'
        How the rules are chosen: our search, or Algorithm 1 of the paper.
    tree_generator : 'boosting', 'random-forest' or 'extra-trees', default 'boosting'
        How the trees are grown whose nodes become candidate rules.
    n_estimators : int, default 200
        The number of trees.
    max_depth : int, default 3
        The depth of the trees: the most conditions that a rule is made of.
    learning_rate : float, default 0.25
        Boosting: the share of each tree's step that is taken.
    min_coverage : float, default 0.01
        The least share of the training weight that a rule covers.
    max_rule_length : int, optional
        The most conditions of a rule.
    class_weight : 'balanced' or dict of class to weight, optional
        How much the rows of each class count.
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
        Called with a dict for each step of the fit. An exception ends the fit.
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
    """

    _method = "lire"

    def __init__(
        self,
        *,
        gamma=None,
        lambda_=0.1,
        ridge=None,
        loss=None,
        penalty="ratio",
        search="best",
        tree_generator="boosting",
        n_estimators=200,
        max_depth=3,
        learning_rate=0.25,
        min_coverage=0.01,
        max_rule_length=None,
        class_weight=None,
        monotone_constraints=None,
        categorical_features=None,
        n_jobs=None,
        random_state=None,
        verbose=0,
        callback=None,
        time_limit=None,
    ):
        self.gamma = gamma
        self.lambda_ = lambda_
        self.ridge = ridge
        self.loss = loss
        self.penalty = penalty
        self.search = search
        self.tree_generator = tree_generator
        self.n_estimators = n_estimators
        self.max_depth = max_depth
        self.learning_rate = learning_rate
        self.min_coverage = min_coverage
        self.max_rule_length = max_rule_length
        self.class_weight = class_weight
        self.monotone_constraints = monotone_constraints
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback
        self.time_limit = time_limit


class LireRegressor(Regressor):
    """Numbers from rule ensembles in which each prediction needs only a few rules.

    Parameters
    ----------
    gamma : float, optional
        The price of a rule in the model; by default 0.0005, or 3 / rows if that is more.
    lambda_ : float, default 0.1
        The price of rules per explanation.
    ridge : float, optional
        Shrinks the weights; by default 0.001, or 10 / rows if that is more.
    penalty : 'ratio' or 'count', default 'ratio'
        How ``lambda_`` charges the rules per explanation: by their share of the model, or by their
        number.
    search : 'best' or 'paper', default 'best'
        How the rules are chosen: our search, or Algorithm 1 of the paper.
    tree_generator : 'boosting', 'random-forest' or 'extra-trees', default 'boosting'
        How the trees are grown whose nodes become candidate rules.
    n_estimators : int, default 200
        The number of trees.
    max_depth : int, default 3
        The depth of the trees: the most conditions that a rule is made of.
    learning_rate : float, default 0.25
        Boosting: the share of each tree's step that is taken.
    min_coverage : float, default 0.01
        The least share of the training weight that a rule covers.
    max_rule_length : int, optional
        The most conditions of a rule.
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
        Called with a dict for each step of the fit. An exception ends the fit.
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
    """

    _method = "lire"

    def __init__(
        self,
        *,
        gamma=None,
        lambda_=0.1,
        ridge=None,
        penalty="ratio",
        search="best",
        tree_generator="boosting",
        n_estimators=200,
        max_depth=3,
        learning_rate=0.25,
        min_coverage=0.01,
        max_rule_length=None,
        monotone_constraints=None,
        categorical_features=None,
        n_jobs=None,
        random_state=None,
        verbose=0,
        callback=None,
        time_limit=None,
    ):
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
        self.max_rule_length = max_rule_length
        self.monotone_constraints = monotone_constraints
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback
        self.time_limit = time_limit


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
    tree_generator : 'boosting', 'random-forest' or 'extra-trees', default 'boosting'
        How the trees are grown whose nodes become candidate rules.
    n_estimators : int, default 200
        The number of trees.
    max_depth : int, default 3
        The depth of the trees: the most conditions that a rule is made of.
    learning_rate : float, default 0.25
        Boosting: the share of each tree's step that is taken.
    min_coverage : float, default 0.01
        The least share of the training weight that a rule covers.
    max_rule_length : int, optional
        The most conditions of a rule.
    class_weight : 'balanced' or dict of class to weight, optional
        How much the rows of each class count.
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
        Called with a dict for each step of the fit. An exception ends the fit.
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
    """

    _method = "rulefit"

    def __init__(
        self,
        *,
        gamma=None,
        linear_terms=False,
        cv=5,
        tree_generator="boosting",
        n_estimators=200,
        max_depth=3,
        learning_rate=0.25,
        min_coverage=0.01,
        max_rule_length=None,
        class_weight=None,
        monotone_constraints=None,
        categorical_features=None,
        n_jobs=None,
        random_state=None,
        verbose=0,
        callback=None,
        time_limit=None,
    ):
        self.gamma = gamma
        self.linear_terms = linear_terms
        self.cv = cv
        self.tree_generator = tree_generator
        self.n_estimators = n_estimators
        self.max_depth = max_depth
        self.learning_rate = learning_rate
        self.min_coverage = min_coverage
        self.max_rule_length = max_rule_length
        self.class_weight = class_weight
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
    tree_generator : 'boosting', 'random-forest' or 'extra-trees', default 'boosting'
        How the trees are grown whose nodes become candidate rules.
    n_estimators : int, default 200
        The number of trees.
    max_depth : int, default 3
        The depth of the trees: the most conditions that a rule is made of.
    learning_rate : float, default 0.25
        Boosting: the share of each tree's step that is taken.
    min_coverage : float, default 0.01
        The least share of the training weight that a rule covers.
    max_rule_length : int, optional
        The most conditions of a rule.
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
        Called with a dict for each step of the fit. An exception ends the fit.
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
    """

    _method = "rulefit"

    def __init__(
        self,
        *,
        gamma=None,
        linear_terms=False,
        cv=5,
        tree_generator="boosting",
        n_estimators=200,
        max_depth=3,
        learning_rate=0.25,
        min_coverage=0.01,
        max_rule_length=None,
        monotone_constraints=None,
        categorical_features=None,
        n_jobs=None,
        random_state=None,
        verbose=0,
        callback=None,
        time_limit=None,
    ):
        self.gamma = gamma
        self.linear_terms = linear_terms
        self.cv = cv
        self.tree_generator = tree_generator
        self.n_estimators = n_estimators
        self.max_depth = max_depth
        self.learning_rate = learning_rate
        self.min_coverage = min_coverage
        self.max_rule_length = max_rule_length
        self.monotone_constraints = monotone_constraints
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback
        self.time_limit = time_limit


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
        How much the rows of each class count.
    categorical_features : array of names, positions or truth values, optional
        Features that are categories although they hold numbers. Texts and categories always are.
    n_jobs : int, optional
        Threads to work with; by default one for each core. It does not change the result.
    random_state : int, RandomState or None
        Decides all that is drawn.
    verbose : int, default 0
        Print progress: 1 about once a second, 2 every step.
    callback : callable, optional
        Called with a dict for each step of the fit. An exception ends the fit.
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
    """

    _method = "glrm"

    def __init__(
        self,
        *,
        lambda0=0.001,
        lambda1=None,
        beam_width=1,
        max_degree=10,
        max_rounds=200,
        debias=True,
        class_weight=None,
        categorical_features=None,
        n_jobs=None,
        random_state=None,
        verbose=0,
        callback=None,
        time_limit=None,
    ):
        self.lambda0 = lambda0
        self.lambda1 = lambda1
        self.beam_width = beam_width
        self.max_degree = max_degree
        self.max_rounds = max_rounds
        self.debias = debias
        self.class_weight = class_weight
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
        Called with a dict for each step of the fit. An exception ends the fit.
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
    """

    _method = "glrm"

    def __init__(
        self,
        *,
        lambda0=0.001,
        lambda1=None,
        beam_width=1,
        max_degree=10,
        max_rounds=200,
        debias=True,
        categorical_features=None,
        n_jobs=None,
        random_state=None,
        verbose=0,
        callback=None,
        time_limit=None,
    ):
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


class RuleTransformer(TransformerMixin, RuleModel):
    """Rules as features: 1 where a rule holds, for another model to learn from.

    Parameters
    ----------
    gamma : float, optional
        The price of a rule in the model; by default 0.0005, or 3 / rows if that is more.
    lambda_ : float, default 0.1
        The price of rules per explanation.
    ridge : float, optional
        Shrinks the weights; by default 0.001, or 10 / rows if that is more.
    penalty : 'ratio' or 'count', default 'ratio'
        How ``lambda_`` charges the rules per explanation: by their share of the model, or by their
        number.
    search : 'best' or 'paper', default 'best'
        How the rules are chosen: our search, or Algorithm 1 of the paper.
    tree_generator : 'boosting', 'random-forest' or 'extra-trees', default 'boosting'
        How the trees are grown whose nodes become candidate rules.
    n_estimators : int, default 200
        The number of trees.
    max_depth : int, default 3
        The depth of the trees: the most conditions that a rule is made of.
    learning_rate : float, default 0.25
        Boosting: the share of each tree's step that is taken.
    min_coverage : float, default 0.01
        The least share of the training weight that a rule covers.
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
        Called with a dict for each step of the fit. An exception ends the fit.
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
    """

    _method = "lire"

    def __init__(
        self,
        *,
        gamma=None,
        lambda_=0.1,
        ridge=None,
        penalty="ratio",
        search="best",
        tree_generator="boosting",
        n_estimators=200,
        max_depth=3,
        learning_rate=0.25,
        min_coverage=0.01,
        max_rule_length=None,
        task="auto",
        categorical_features=None,
        n_jobs=None,
        random_state=None,
        verbose=0,
        callback=None,
        time_limit=None,
    ):
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

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        # Rules are 0 or 1, whatever they are rules of.
        tags.transformer_tags.preserves_dtype = []
        return tags

    @property
    def _task(self) -> str:
        return self._task_found if self.task == "auto" else self.task

    def _checked(self, X: Any, y: Any) -> tuple[Any, np.ndarray]:
        if self.task == "auto" and y is not None:
            self._task_found = (
                "regression" if type_of_target(y).startswith("continuous") else "classification"
            )
        return super()._checked(X, y)

    def _target(self, y: np.ndarray) -> tuple:
        parts = Classifier if self._task == "classification" else Regressor
        return parts._target(self, y)
