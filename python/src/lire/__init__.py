"""Rule ensembles in which each prediction needs only a few rules.

The estimators follow scikit-learn: ``LireClassifier`` and ``LireRegressor`` keep the rules per
explanation few; ``RuleFitClassifier``, ``RuleFitRegressor``, ``GLRMClassifier`` and
``GLRMRegressor`` are the well-known alternatives; ``RuleTransformer`` makes rules the features of
another model. Every one of them says what it learned (``get_rules``, ``explain_global``) and why a row
has its prediction (``explain_local``). ``ForestClassifier`` and ``ForestRegressor`` are the trees behind
them as models of their own, to compare with: they predict, but give no rules to read.
"""

from lire._explanation import Explanations, GlobalExplanation, LocalExplanation
from lire._forest import ForestClassifier, ForestRegressor
from lire._glrm import GLRMClassifier, GLRMRegressor
from lire._lire import LireClassifier, LireRegressor
from lire._load import load
from lire._native import __version__
from lire._rulefit import RuleFitClassifier, RuleFitRegressor
from lire._transformer import RuleTransformer

__all__ = [
    "Explanations",
    "ForestClassifier",
    "ForestRegressor",
    "GLRMClassifier",
    "GLRMRegressor",
    "GlobalExplanation",
    "LireClassifier",
    "LireRegressor",
    "LocalExplanation",
    "RuleFitClassifier",
    "RuleFitRegressor",
    "RuleTransformer",
    "__version__",
    "load",
]
