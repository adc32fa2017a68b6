"""Grows scikit-learn's forests on given splits of a table and prints how well they predict the held-out rows as JSON:
the AUC of the classes, and the R² of the numbers if a column of them is named."""

import json
import sys

import numpy as np
import pandas as pd
from sklearn.ensemble import (
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.metrics import r2_score, roc_auc_score


def classifiers(seed):
    return {
        "forest": RandomForestClassifier(100, max_depth=3, random_state=seed, n_jobs=-1),
        "boosting": GradientBoostingClassifier(n_estimators=100, max_depth=3, random_state=seed),
    }


def regressors(seed):
    sampled = {"max_features": "sqrt", "random_state": seed, "n_jobs": -1}
    return {
        "forest": RandomForestRegressor(100, max_depth=3, **sampled),
        "deep_forest": RandomForestRegressor(100, max_depth=10, min_samples_leaf=5, **sampled),
        "boosting": GradientBoostingRegressor(n_estimators=100, max_depth=3, random_state=seed),
        "extra_trees": ExtraTreesRegressor(100, max_depth=10, min_samples_leaf=5, **sampled),
    }


def measure(models, score, features, target, tests):
    encoded = pd.get_dummies(features).astype(float).fillna(-1.0)
    result = {}
    for seed, test in enumerate(tests):
        train = np.setdiff1d(np.arange(len(target)), test)
        for name, model in models(seed).items():
            model.fit(encoded.iloc[train], target[train])
            result.setdefault(name, []).append(score(model, encoded.iloc[test], target[test]))
    return result


def main():
    with open(sys.argv[1]) as file:
        splits = json.load(file)
    table = pd.read_csv(splits["data"])
    labels = (table.pop(splits["target"]).astype(str) == splits["positive"]).to_numpy().astype(int)

    def auc(model, features, truth):
        return roc_auc_score(truth, model.predict_proba(features)[:, 1])

    def r2(model, features, truth):
        return r2_score(truth, model.predict(features))

    result = {"classes": measure(classifiers, auc, table, labels, splits["test"]), "numbers": {}}
    if splits["number"]:
        numbers = table.pop(splits["number"]).to_numpy().astype(float)
        result["numbers"] = measure(regressors, r2, table, numbers, splits["test"])
    print(json.dumps(result))


if __name__ == "__main__":
    main()
