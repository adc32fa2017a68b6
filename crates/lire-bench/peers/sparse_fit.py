"""Fits an estimator on a sparse matrix in this process, and prints its seconds of work and its memory as JSON.

Called by `lire-bench sparse`.
"""

import json
import os
import resource
import sys
import tempfile
import time
import warnings

import lire
import numpy as np
import scipy.sparse as sp

warnings.filterwarnings("ignore")

ESTIMATORS = {
    "lire": lambda: lire.LireClassifier(random_state=0),
    "prices": lambda: lire.LireClassifier(gamma=0.005, lambda_=0.01, random_state=0),
    "rulefit": lambda: lire.RuleFitClassifier(random_state=0),
    "rulefit-linear": lambda: lire.RuleFitClassifier(random_state=0, linear_terms=True),
    "glrm": lambda: lire.GLRMClassifier(),
    "forest": lambda: lire.ForestClassifier(random_state=0),
    "boosting": lambda: lire.ForestClassifier(tree_generator="boosting", random_state=0),
}


def matrix(kind, n_rows, n_columns, n_entries, random):
    """Entries in random columns. Ten columns are frequent in any case, and tell the class."""
    size = n_rows * n_entries
    if kind == "words":
        frequency = 1 / np.arange(10, n_columns + 10)
        columns = random.choice(n_columns, size=size, p=frequency / frequency.sum())
    else:
        columns = random.integers(10, n_columns, size)
    rows = np.repeat(np.arange(n_rows), n_entries)
    cells = random.random(size).round(6) if kind == "reals" else np.ones(size)
    telling = sp.random_array((n_rows, 10), density=0.1, rng=random, format="coo")
    columns = np.append(columns, telling.coords[1])
    rows = np.append(rows, telling.coords[0])
    return sp.coo_array(
        (np.append(cells, np.ones(telling.nnz)), (rows, columns)), shape=(n_rows, n_columns)
    ).tocsr()


def main(what, kind, *size):
    random = np.random.default_rng(1)
    X = matrix(kind, *map(int, size), random)
    first = X[:, :10].toarray() > 0
    score = 2.0 * first[:, 0] - 1.5 * first[:, 3] + 2.0 * (first[:, 5] & first[:, 7]) - 0.3
    y = random.random(X.shape[0]) < 1 / (1 + np.exp(-2 * score))

    start, wall = time.process_time(), time.perf_counter()
    model = ESTIMATORS[what]().fit(X, y)
    fitted, fit_wall = time.process_time(), time.perf_counter() - wall
    right = (model.predict(X) == y).mean()
    predicted = time.process_time()
    measured = {
        "fit_cpu": fitted - start,
        "fit_wall": fit_wall,
        "predict_cpu": predicted - fitted,
        # Linux counts in kilobytes.
        "gigabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
        "accuracy": right,
    }
    if hasattr(model, "rules_"):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.json")
            model.save(path)
            measured |= {"rules": len(model.rules_), "megabytes_of_file": os.path.getsize(path) / 1e6}
    print(json.dumps(measured))


main(*sys.argv[1:])
