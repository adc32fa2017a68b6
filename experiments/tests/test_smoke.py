"""A smoke run makes a whole page, and its numbers agree with an independent computation."""

import itertools
import json
import os
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest
from conftest import EXPERIMENTS, command
from lire import LireClassifier
from sklearn.model_selection import StratifiedKFold

from study import plans
from study.data import ROOT
from study.tables import p_value


@pytest.fixture(scope="module")
def page(smoke):
    return (smoke / "results.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def cells(smoke):
    return pd.read_csv(smoke / "results" / "cells.csv", keep_default_na=False, na_values=[""])


def test_the_page_has_every_section_and_figure(page, smoke):
    heads = re.findall(r"^## (.*)$", page, re.MULTILINE)
    for wanted in (
        *("In short", "How it was measured", "The data", "1. Trade-off", "2. What λ does", "3. Six methods"),
        *("4. Two small models", "5. Beyond", "6. The paper's points", "7. Scale", "Repeat it"),
    ):
        assert any(head.startswith(wanted) for head in heads), wanted
    figures = re.findall(r"!\[.*?\]\((.*?)\)", page)
    assert len(figures) == 12
    for figure in figures:
        assert (smoke / figure).read_text(encoding="utf-8").rstrip().endswith("</svg>"), figure
    assert "Not complete" not in page and "no result yet" not in page


def test_nothing_of_the_machine_but_its_size_is_told(page, smoke):
    assert str(ROOT) not in page and str(smoke) not in page and "/home" not in page


def test_a_cell_is_what_a_fit_by_hand_gives(cells):
    table = pd.read_csv(ROOT / "examples" / "heart.csv")
    labels = (table.pop("disease") == "yes").to_numpy().astype(int)
    fold = 1
    train, test = list(StratifiedKFold(3).split(table, labels))[fold]
    model = LireClassifier(
        gamma=0.005,
        lambda_=0.1,
        loss="exponential",
        ridge=0.0,
        tree_generator="random-forest",
        n_estimators=100,
        paper_candidates=True,
        random_state=fold,
    ).fit(table.iloc[train], labels[train])
    scores = model.decision_function(table.iloc[test])
    truth = labels[test]
    pairs = [(a > b) + 0.5 * (a == b) for a, b in itertools.product(scores[truth == 1], scores[truth == 0])]
    holds = model.rule_matrix(table.iloc[test]).astype(bool)
    distances = [
        1 - (a & b).sum() / (a | b).sum() if (a | b).any() else 0.0 for a, b in itertools.combinations(holds.T, 2)
    ]
    wanted = {
        "accuracy": np.mean((scores > 0) == truth),
        "auc": np.mean(pairs),
        "support": len(model.rules_),
        "local_support": holds.sum() / len(holds),
        "diversity": np.mean(distances),
    }
    found = cells[
        (cells["study"] == "tradeoff")
        & (cells["method"] == plans.LIRE)
        & (cells["setting"] == "gamma=0.005 lambda=0.1")
        & (cells["fold"] == fold)
    ]
    assert len(found) == 1
    for name, value in wanted.items():
        assert found[name].iloc[0] == pytest.approx(value, rel=1e-5), name


def test_p_values_on_the_page_are_those_of_all_sign_patterns(cells, page):
    compared = cells[cells["study"] == "comparison"].sort_values("fold")
    ours, others = (compared.loc[compared["method"] == name, "auc"].to_numpy() for name in (plans.LIRE, plans.FOREST))
    wanted = p_value(sign_patterns(ours - others))
    [line] = [line for line in page.splitlines() if line.startswith("| AUC | Example |")]
    assert line.split("|")[5].split()[0] == wanted


def sign_patterns(differences):
    """The probability of a sum of positive ranks this low or lower, over all signs; there are no ties or zeros here."""
    sizes = np.abs(differences)
    assert (sizes > 0).all() and len(set(sizes)) == len(sizes)
    ranks = 1 + np.argsort(np.argsort(sizes))
    found = ranks[differences > 0].sum()
    sums = [sum(chosen) for n in range(len(ranks) + 1) for chosen in itertools.combinations(ranks, n)]
    return np.mean(np.array(sums) <= found)


def test_means_on_the_page_are_those_of_the_cells(cells, page):
    for method in (plans.RULEFIT, plans.FOREST, plans.SVM):
        rows = cells[(cells["study"] == "comparison") & (cells["method"] == method)]
        assert len(rows) == 3
        [line] = [line for line in page.splitlines() if line.startswith(f"| {method} | .")][-1:]
        shown = [float(cell.split()[0]) for cell in line.split("|")[2:5]]
        assert shown == pytest.approx(rows[["accuracy", "f1", "auc"]].mean().tolist(), abs=6e-5)


def test_the_automatic_choice_is_compared_fold_by_fold(cells, page):
    budget = "at most 5 rules per explanation"
    ours = cells[(cells["study"] == "beyond") & (cells["method"] == budget)].sort_values("fold")["auc"].to_numpy()
    compared = cells[(cells["study"] == "comparison") & (cells["method"] == plans.RULEFIT)].sort_values("fold")
    differences = ours - compared["auc"].to_numpy()
    [head] = [line for line in page.splitlines() if line.startswith(f"|  |  | {plans.LIRE} | {plans.PUBLISHED} |")]
    [line] = [line for line in page.splitlines() if line.startswith(f"| Example | {budget} |") and "(" in line]
    at = head.split(" | ").index(plans.RULEFIT)
    difference, p = line.split(" | ")[at].split()
    assert difference.replace("−", "-") == f"{differences.mean():+.4f}".replace("0.", ".", 1)
    assert p == f"({p_value(sign_patterns(differences))})"


def test_times_are_beside_the_papers_with_their_mean(cells, page):
    rows = cells[(cells["study"] == "comparison") & (cells["method"] == plans.GLRM)]
    [line] = [line for line in page.splitlines() if line.startswith("| mean |")]
    ours, theirs = line.split("|")[5].split()
    assert float(ours) == pytest.approx(rows["seconds"].mean(), rel=0.01) and theirs == "(32.4)"


def test_what_is_tuned_is_on_the_grid(cells):
    tuned = cells[(cells["study"] == "comparison") & (cells["method"] == plans.LIGHTGBM)]
    for chosen in tuned["chosen"]:
        assert json.loads(chosen) in plans.TUNED[plans.LIGHTGBM]


@pytest.mark.skipif(os.name == "nt", reason="there are no such signals")
def test_an_interrupted_run_goes_on(tmp_path):
    arguments = ["--quick", "--only", "tradeoff", "--jobs", "1", "--out", tmp_path]
    cells = tmp_path / "results" / "cells.csv"
    run = subprocess.Popen(
        [sys.executable, EXPERIMENTS / "run.py", *arguments],
        stderr=subprocess.PIPE,
        text=True,
        # A command that a shell runs in the background ignores Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    while run.poll() is None and (not cells.exists() or cells.read_text().count("\n") < 4):
        time.sleep(0.02)
    run.send_signal(signal.SIGINT)
    message = run.communicate()[1]
    assert run.returncode == 130 and "goes on from here" in message and "Traceback" not in message
    kept = cells.read_text()
    assert 4 <= kept.count("\n") < 37
    assert command(*arguments).returncode == 0
    whole = cells.read_text()
    assert whole.count("\n") == 37 and set(kept.splitlines()) <= set(whole.splitlines())


def test_a_smoke_run_leaves_other_results_alone(smoke, tmp_path):
    (tmp_path / "results").mkdir()
    text = (smoke / "results" / "cells.csv").read_text().replace("Example", "Adult")
    (tmp_path / "results" / "cells.csv").write_text(text)
    done = command("--quick", "--out", tmp_path)
    assert done.returncode == 2 and "another kind of run" in done.stderr
    assert (tmp_path / "results" / "cells.csv").read_text() == text


def test_a_second_run_computes_nothing(smoke):
    before = (smoke / "results" / "cells.csv").read_bytes()
    again = command("--quick", "--out", smoke, "--only", "candidates,tradeoff,demonstration,comparison,beyond,scale")
    assert again.returncode == 0 and "tasks in" not in again.stderr and "scale:" not in again.stderr
    assert (smoke / "results" / "cells.csv").read_bytes() == before


def test_results_of_another_build_stay_until_they_are_made_anew(smoke, tmp_path):
    cells = pd.read_csv(smoke / "results" / "cells.csv", dtype=str, keep_default_na=False)
    (tmp_path / "results").mkdir()
    cells.assign(stamp="another").to_csv(tmp_path / "results" / "cells.csv", index=False)
    done = command("--quick", "--page", "--out", tmp_path)
    assert done.returncode == 0, done.stderr
    kept = pd.read_csv(tmp_path / "results" / "cells.csv", dtype=str, keep_default_na=False)
    pd.testing.assert_frame_equal(kept, cells.assign(stamp="another"))
    assert "Not complete" not in (tmp_path / "results.md").read_text(encoding="utf-8")
