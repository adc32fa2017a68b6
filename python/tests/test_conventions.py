"""scikit-learn's own checks, all of them."""

import inspect
import json

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import lire
from lire import _native

ESTIMATORS = [
    lire.LireClassifier,
    lire.LireRegressor,
    lire.RuleFitClassifier,
    lire.RuleFitRegressor,
    lire.GLRMClassifier,
    lire.GLRMRegressor,
    lire.RuleTransformer,
]


@parametrize_with_checks([estimator() for estimator in ESTIMATORS])
def test_sklearn_check(estimator, check):
    check(estimator)
