"""Grows scikit-learn's forests on given splits of a table and prints their AUC on the held-out rows as JSON."""

import json
import sys

import numpy as np
import pandas as pd
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.metrics import roc_auc_score


def main():
    with open(sys.argv[1]) as file:
        splits = json.load(file)
    table = pd.read_csv(splits["data"])
    labels = (table.pop(splits["target"]).astype(str) == splits["positive"]).to_numpy().astype(int)
    encoded = pd.get_dummies(table).astype(float).fillna(-1.0)
    result = {"forest": [], "boosting": []}
    for seed, test in enumerate(splits["test"]):
        train = np.setdiff1d(np.arange(len(labels)), test)
        models = {
            "forest": RandomForestClassifier(100, max_depth=3, random_state=seed, n_jobs=-1),
            "boosting": GradientBoostingClassifier(n_estimators=100, max_depth=3, random_state=seed),
        }
        for name, model in models.items():
            model.fit(encoded.iloc[train], labels[train])
            scores = model.predict_proba(encoded.iloc[test])[:, 1]
            result[name].append(roc_auc_score(labels[test], scores))
    print(json.dumps(result))


if __name__ == "__main__":
    main()
