"""Fits l1-penalised logistic regressions on an instance for several prices and prints times and weights as JSON.

Called by `lire-bench rulefit`, which times lire's path on the same 0/1 columns in the same run. Each peer gets the
distinct columns of the training rows as a sparse matrix, already in memory.
"""

import argparse
import json
import sys
import time
import warnings

import numpy as np
from scipy import sparse
from sklearn.linear_model import LogisticRegression

warnings.filterwarnings("ignore")


def read_instance(path):
    """The training labels and the distinct columns, in the order of their first occurrence."""
    raw = np.fromfile(path, dtype=np.uint8)
    n_train, n_test, n_rules = (int(number) for number in np.frombuffer(raw[4:16].tobytes(), dtype="<u4"))
    width = -(-n_train // 8)
    lines = raw[16:].reshape(n_rules + 1, width + -(-n_test // 8))[:, :width]
    bits = np.unpackbits(lines, axis=1, bitorder="little")[:, :n_train]
    _, first = np.unique(bits[1:], axis=0, return_index=True)
    return bits[0].astype(int), bits[1:][np.sort(first)].T.astype(np.float64)


def liblinear(columns, labels, gammas):
    """One fit a price, as scikit-learn's users do it; liblinear counts the intercept among the weights."""
    matrix = sparse.csr_matrix(columns)
    for gamma in gammas:
        start = time.perf_counter()
        model = LogisticRegression(l1_ratio=1, C=1 / (gamma * len(labels)), solver="liblinear", random_state=0)
        model.fit(matrix, labels)
        yield time.perf_counter() - start, model


def skglm(columns, labels, gammas):
    """From the largest price to the smallest, each started from the one before."""
    from skglm import SparseLogisticRegression

    matrix = sparse.csc_matrix(columns)
    signs = np.where(labels > 0, 1, -1)
    # The first call compiles.
    SparseLogisticRegression(alpha=0.05).fit(matrix[:500], signs[:500])
    model = SparseLogisticRegression(alpha=1.0, warm_start=True)
    found = {}
    for gamma in sorted(gammas, reverse=True):
        start = time.perf_counter()
        model.set_params(alpha=gamma).fit(matrix, signs)
        found[gamma] = time.perf_counter() - start, weights_of(model)
    return [found[gamma] for gamma in gammas]


def weights_of(model):
    return float(np.ravel(model.intercept_)[0]), np.ravel(model.coef_).copy()


def objective(columns, labels, gamma, intercept, weights):
    scores = intercept + columns @ weights
    loss = np.logaddexp(0, np.where(labels > 0, -scores, scores)).mean()
    return float(loss + gamma * np.abs(weights).sum())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("instance")
    parser.add_argument("gammas", nargs="+", type=float)
    arguments = parser.parse_args()
    labels, columns = read_instance(arguments.instance)

    peers = []

    def add(name, fits):
        rows = []
        for gamma, (seconds, (intercept, weights)) in zip(arguments.gammas, fits):
            value = objective(columns, labels, gamma, intercept, weights)
            n_rules = int(np.count_nonzero(weights))
            rows.append({"seconds": seconds, "objective": value, "n_rules": n_rules})
            print(f"{name}, price {gamma}: {seconds:.3f} s, {value:.8f}", file=sys.stderr)
        peers.append({"name": name, "fits": rows})

    fits = liblinear(columns, labels, arguments.gammas)
    add("liblinear", ((seconds, weights_of(model)) for seconds, model in fits))
    add("skglm", skglm(columns, labels, arguments.gammas))
    print(json.dumps(peers))


if __name__ == "__main__":
    main()
