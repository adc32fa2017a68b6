"""Times the Python package of lire, and peers that its users know, and prints the results as JSON.

Called by `lire-bench python`, which times the library itself on the same rows with the same number of threads in the
same run.
"""

import argparse
import json
import statistics
import sys
import time
import warnings

import pandas as pd
from lire import LireClassifier, RuleFitClassifier
from sklearn.metrics import roc_auc_score

warnings.filterwarnings("ignore")

# imodels and the boosting machine take minutes on all rows of Adult; all are fitted on these, lire too.
SOME_ROWS = 2000
# What the library is timed with: one model, so that whatever Python adds is seen beside little work.
AS_LIBRARY = {
    "loss": "exponential",
    "gamma": 0.0005,
    "lambda_": 0.1,
    "min_coverage": 0.01,
    "ridge": 0.001,
    "random_state": 0,
}


def timed(work, runs):
    """The median seconds of several runs, and the last result."""
    seconds = []
    for _ in range(runs):
        start = time.perf_counter()
        result = work()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds), result


def layer(table, labels, threads, runs, n_rows):
    """A fit and the probabilities of many rows, from tables of several kinds."""
    categories = table.apply(
        lambda column: column if column.dtype.kind in "iuf" else column.astype("category")
    )
    kinds = {"pandas, texts": table, "pandas, categories": categories}
    results = {"fit": {}, "predict": {}}
    for name, rows in kinds.items():
        seconds, model = timed(
            lambda rows=rows: LireClassifier(**AS_LIBRARY, n_jobs=threads).fit(rows, labels), runs
        )
        results["fit"][name] = seconds
        many = rows.iloc[[at % len(rows) for at in range(n_rows)]].reset_index(drop=True)
        results["predict"][name] = timed(lambda model=model, many=many: model.predict_proba(many), runs)[0]
        print(f"{name}: {results}", file=sys.stderr)
    return results


def peers(table, labels, threads, runs):
    """Fits of others on some rows, beside the method of ours that is nearest to each."""
    import lightgbm
    from imodels import RuleFitClassifier as RuleFitOfImodels
    from interpret.glassbox import ExplainableBoostingClassifier

    table, labels = table.iloc[:SOME_ROWS], labels[:SOME_ROWS]
    categories = table.apply(
        lambda column: column if column.dtype.kind in "iuf" else column.astype("category")
    )
    encoded = pd.get_dummies(table).astype(float).fillna(-1.0).to_numpy()
    ours = {"random_state": 0, "n_jobs": threads}
    fits = {
        "lire LireClassifier": (table, runs, LireClassifier(**ours)),
        "lire RuleFitClassifier (γ by 5 folds)": (table, runs, RuleFitClassifier(**ours)),
        "LightGBM": (categories, runs, lightgbm.LGBMClassifier(n_jobs=threads, verbose=-1)),
        "interpret EBM": (table, 1, ExplainableBoostingClassifier(random_state=0, n_jobs=threads)),
        "imodels RuleFit": (encoded, 1, RuleFitOfImodels(max_rules=1000, random_state=0)),
    }
    results = []
    for name, (rows, times, model) in fits.items():
        seconds, _ = timed(lambda model=model, rows=rows: model.fit(rows, labels), times)
        auc = roc_auc_score(labels, model.predict_proba(rows)[:, 1])
        results.append({"name": name, "seconds": seconds, "auc": auc})
        print(f"{name}: {seconds:.3f} s", file=sys.stderr)
    return results


def main():
    """Read the table, time everything, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data")
    parser.add_argument("target")
    parser.add_argument("--positive")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()

    table = pd.read_csv(arguments.data)
    positive = arguments.positive or table[arguments.target].value_counts().index[-1]
    labels = (table.pop(arguments.target).astype(str) == str(positive)).to_numpy().astype(int)
    results = layer(table, labels, arguments.threads, arguments.runs, arguments.rows)
    results["peers"] = [] if arguments.quick else peers(table, labels, arguments.threads, arguments.runs)
    print(json.dumps(results))


if __name__ == "__main__":
    main()
