"""scikit-learn's own checks, all of them."""

import inspect
import json

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import lire
from lire import _native

FORESTS = [lire.ForestClassifier, lire.ForestRegressor]
RULE_MODELS = [
    lire.LireClassifier,
    lire.LireRegressor,
    lire.RuleFitClassifier,
    lire.RuleFitRegressor,
    lire.GLRMClassifier,
    lire.GLRMRegressor,
    lire.RuleTransformer,
]


def quick(estimator):
    """Fewer trees, so that hundreds of fits take seconds; all else as by default."""
    grows_trees = "n_estimators" in inspect.signature(estimator).parameters
    return estimator(n_estimators=40) if grows_trees else estimator()


@parametrize_with_checks([quick(estimator) for estimator in RULE_MODELS + FORESTS])
def test_sklearn_check(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator", RULE_MODELS)
def test_defaults_are_those_of_the_library(estimator):
    library = json.loads(_native.default_config())
    library["lambda_"] = library.pop("lambda")
    for name, value in estimator().get_params().items():
        if name in library and name not in {"class_weight", "task"}:
            assert (None if value == "auto" else value) == library[name], name


@pytest.mark.parametrize("estimator", RULE_MODELS)
def test_every_parameter_and_attribute_is_documented(estimator):
    for name in [*estimator().get_params(), "rules_", "coef_", "intercept_", "n_iter_", "certified_"]:
        assert f"    {name} : " in estimator.__doc__, name


@pytest.mark.parametrize("estimator", FORESTS)
def test_every_parameter_of_a_forest_is_documented(estimator):
    for name in estimator().get_params():
        assert f"    {name} : " in estimator.__doc__, name
