"""Times lire's peers on one table, each as its users call it, and prints the results as JSON.

Called by `lire-bench fit`, which times lire on the same rows with the same number of threads in the same run.
"""

import argparse
import json
import statistics
import sys
import time
import warnings

import lightgbm
import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

warnings.filterwarnings("ignore")


def timed(work, runs):
    """The median seconds of several runs, and the last result."""
    seconds = []
    for _ in range(runs):
        start = time.perf_counter()
        result = work()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds), result


def leaf_rules(forest, rows):
    """The 0/1 matrix of the nodes that each row passes, the roots left out."""
    paths, starts = forest.decision_path(rows)
    keep = np.setdiff1d(np.arange(paths.shape[1]), starts[:-1])
    return paths[:, keep].tocsr().astype(np.float64)


def rulefit_of_scikit_learn(encoded, labels, threads):
    """What a careful user assembles: a random forest, its nodes as rules, l1-logistic weights by liblinear."""
    forest = RandomForestClassifier(100, max_depth=3, n_jobs=threads, random_state=0).fit(encoded, labels)
    rules = leaf_rules(forest, encoded)
    # γ = 0.001 in lire's terms: liblinear minimises C·Σ loss + ‖α‖₁.
    weights = LogisticRegression(l1_ratio=1, C=1 / (0.001 * len(labels)), solver="liblinear", random_state=0)
    weights.fit(rules, labels)
    return weights.decision_function(rules)


# imodels takes minutes on all rows of Adult; what it takes on some of them is a lower bound.
IMODELS_ROWS = 5000


def rulefit_of_imodels(encoded, labels):
    """imodels' RuleFit as documented."""
    from imodels import RuleFitClassifier

    model = RuleFitClassifier(max_rules=1000, random_state=0)
    model.fit(encoded.to_numpy(dtype=float), labels, feature_names=[f"x{i}" for i in range(encoded.shape[1])])
    return model.predict_proba(encoded.to_numpy(dtype=float))[:, 1]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data")
    parser.add_argument("target")
    parser.add_argument("--positive")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()

    table = pd.read_csv(arguments.data)
    positive = arguments.positive or table[arguments.target].value_counts().index[-1]
    labels = (table.pop(arguments.target).astype(str) == str(positive)).to_numpy().astype(int)
    native = table.apply(lambda column: column if column.dtype.kind in "if" else column.astype("category"))
    encoded = pd.get_dummies(table).astype(float).fillna(-1.0)

    peers = []

    def add(name, against, work, score, runs=arguments.runs):
        seconds, result = timed(work, runs)
        peers.append(
            {"name": name, "against": against, "seconds": seconds, "auc": roc_auc_score(labels, score(result))}
        )
        print(f"{name}: {seconds:.3f} s", file=sys.stderr)

    add(
        "LightGBM, default (100 trees)",
        "fit",
        lambda: lightgbm.LGBMClassifier(n_jobs=arguments.threads, verbose=-1).fit(native, labels),
        lambda model: model.predict_proba(native)[:, 1],
    )
    add(
        "scikit-learn random forest (100 trees, depth 3)",
        "forest",
        lambda: RandomForestClassifier(100, max_depth=3, n_jobs=arguments.threads, random_state=0).fit(
            encoded, labels
        ),
        lambda model: model.predict_proba(encoded)[:, 1],
    )
    if not arguments.quick:
        add(
            "RuleFit of scikit-learn parts (forest + liblinear)",
            "fit",
            lambda: rulefit_of_scikit_learn(encoded, labels, arguments.threads),
            lambda scores: scores,
            runs=1,
        )
        some = encoded.iloc[:IMODELS_ROWS]
        seconds, scores = timed(lambda: rulefit_of_imodels(some, labels[:IMODELS_ROWS]), 1)
        auc = roc_auc_score(labels[:IMODELS_ROWS], scores)
        name = f"imodels RuleFit, on {len(some)} of the {len(encoded)} rows"
        peers.append({"name": name, "against": "fit", "seconds": seconds, "auc": auc})
    print(json.dumps(peers))


if __name__ == "__main__":
    main()
