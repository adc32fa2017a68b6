"""The parts of the study against independent truths."""

import itertools
import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from conftest import command

import run
from study import data, measures, paper, plans, scale, summary
from study.page_sections import comparison
from study.store import Store
from study.tasks import Plan, tasks_of


def test_wilcoxon_counts_sign_patterns_with_ties_and_zeros():
    random = np.random.default_rng(1)
    for n_folds in [1, 2, 3, 7] * 15:
        a, b = random.integers(0, 4, size=(2, n_folds)) / 8
        differences = (a - b)[a != b]
        ranks = pd.Series(np.abs(differences)).rank().to_numpy()
        sums = [
            ranks[list(chosen)].sum()
            for n in range(len(ranks) + 1)
            for chosen in itertools.combinations(range(len(ranks)), n)
        ]
        found = ranks[differences > 0].sum()
        less, greater = (np.mean(np.array(sums) <= found), np.mean(np.array(sums) >= found))
        assert measures.wilcoxon(a, b, "less") == pytest.approx(less)
        assert measures.wilcoxon(a, b, "greater") == pytest.approx(greater)
    assert measures.wilcoxon(np.ones(4), np.ones(4), "less") == 1.0


def test_sizes_of_a_small_matrix():
    fired = np.array([[1, 1, 0], [1, 0, 0], [0, 0, 0], [1, 1, 0]])
    found = measures.size(fired)
    assert found["support"] == 3 and found["local_support"] == 1.25
    assert found["ratio"] == pytest.approx(1.25 / 3)
    assert found["diversity"] == pytest.approx((1 / 3 + 1 + 1) / 3)
    assert np.isnan(measures.size(fired[:, :1])["diversity"])


def test_the_papers_tables_are_whole():
    assert [len(paper.table(name)) for name in ("comparison", "tradeoff", "p_values", "table1")] == [
        30,
        30,
        95,
        15,
    ]
    assert paper.compared("Adult", "LIRE")["local_support"] == 14.74
    assert paper.traded("LIRE", 0.001, 1.0)["auc"] == 0.9110
    assert paper.traded("RuleFit", 0.05, None)["support"] == 6.4
    assert paper.p_value("auc", "FICO", "RF") == 0.00098


def test_a_point_is_reached_only_by_a_model_that_is_no_larger():
    wanted = {"auc": 0.9, "support": 10.0, "local_support": 2.0}
    offered = pd.DataFrame(
        [
            {
                "data": "Adult",
                "method": "a",
                "setting": "",
                "auc": 0.95,
                "support": 11.0,
                "local_support": 1.0,
            },
            {
                "data": "Adult",
                "method": "b",
                "setting": "",
                "auc": 0.95,
                "support": 9.0,
                "local_support": 2.1,
            },
            {"data": "Bank", "method": "c", "setting": "", "auc": 0.95, "support": 9.0, "local_support": 1.0},
            {
                "data": "Adult",
                "method": "d",
                "setting": "",
                "auc": 0.89,
                "support": 9.0,
                "local_support": 1.0,
            },
        ]
    )
    best = summary.best_within(offered, "Adult", wanted)
    assert best["method"] == "d"
    assert not summary.Reached("Adult", "", wanted, best).is_reached
    assert summary.Reached("Adult", "", wanted | {"auc": 0.89}, best).is_reached
    assert not summary.Reached("Adult", "", wanted, {}).is_reached


def test_ranges_name_what_is_tied():
    told = comparison.ranges()
    assert "| LIRE | γ of 0.001, 0.002, 0.003, 0.004, 0.005; λ = 2 γ |" in told
    assert "λ0 of 0.00005, 0.0001," in told and "λ1 = 0.2 λ0" in told
    assert "| RF | trees of 100, 300, 500; leaves of 64, 128, 256 |" in told


def test_exponents_of_powers():
    sizes = np.array([10.0, 100.0, 1000.0])
    rows = pd.DataFrame({"what": "rows", "rows": sizes, "seconds": 2 * sizes**1.5, "fit_megabytes": 7.0})
    found = scale.exponents(rows).set_index("measure")["exponent"]
    assert found["seconds"] == pytest.approx(1.5) and found["fit_megabytes"] == pytest.approx(0.0)


@pytest.fixture
def plan():
    return Plan(Path(), 3, is_quick=True)


def few_tasks(plan, gamma):
    parameters = {"gamma": gamma, "lambda_": 0.1}
    return tasks_of(plan, study="x", table="Example", method="m", kind="lire", setting="s", parameters=parameters)


def test_results_survive_half_a_line_and_are_dropped_when_parameters_change(tmp_path, plan):
    path = tmp_path / "cells.csv"
    tasks = few_tasks(plan, 0.01)
    store = Store(path)
    assert store.begin(tasks, plan) == (tasks, 0)
    store.add(tasks[0], plan, {"auc": 0.5, "detail": json.dumps({"a, b": '"quoted"'})})
    store.add(tasks[1], plan, {"auc": 0.75, "diversity": float("nan")})
    assert store.frame("x")["diversity"].isna().all()
    path.write_text(path.read_text()[:-5])
    again = Store(path)
    assert again.begin(tasks, plan) == (tasks[1:], 0)
    assert json.loads(again.frame("x")["detail"].iloc[0]) == {"a, b": '"quoted"'}
    changed = few_tasks(plan, 0.02)
    assert Store(path).begin(changed, plan) == (changed, 1)


def test_tuning_sees_no_row_that_is_held_out(plan):
    train, _ = data.fold(data.read("Example", plan.folder), 0, 3)
    learnt, held_out = data.hold_out(train, seed=0)
    assert len(learnt.labels) + len(held_out.labels) == len(train.labels)
    rows = {tuple(row) for row in learnt.encoded}
    assert not rows & {tuple(row) for row in held_out.encoded}


def test_the_first_trees_of_many_are_those_of_few(plan):
    from study import methods

    train, test = data.fold(data.read("Example", plan.folder), 0, 3)
    for method in (methods.Forest(3), methods.LightGbm(3)):
        grid = [{"trees": trees, "leaves": leaves} for trees in (5, 20) for leaves in (4, 8)]
        tried = list(method.tried({}, grid, train, test))
        assert len(tried) == 4
        for setting, scores in tried:
            method.fit(setting, train)
            np.testing.assert_allclose(method.scores(test), scores, atol=1e-12)


def test_rules_of_published_trees_are_counted_by_path_and_by_conjunction():
    def tree(first, second):
        """scikit-learn's arrays of a tree that asks a second question where the first condition holds."""
        return SimpleNamespace(
            children_left=[1, 2, -1, -1, -1],
            children_right=[4, 3, -1, -1, -1],
            feature=[first[0], second[0], -2, -2, -2],
            threshold=[first[1], second[1], -2.0, -2.0, -2.0],
        )

    one, swapped = tree((0, 5.0), (1, 7.0)), tree((1, 7.0), (0, 5.0))
    assert measures.paths([one, one]) == measures.conjunctions([one, one]) == 4
    # Both ways round lead to one common conjunction.
    assert (measures.paths([one, swapped]), measures.conjunctions([one, swapped])) == (8, 7)
    # `x <= 5 and x <= 3` is `x <= 3`.
    narrowed, direct = tree((0, 5.0), (0, 3.0)), tree((0, 3.0), (1, 1.0))
    assert (measures.paths([narrowed, direct]), measures.conjunctions([narrowed, direct])) == (8, 7)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--data", "/no/such/folder"], "there is no folder"),
        (["--data", "."], "is missing"),
        (["--quick", "--only", "nothing"], "there is no study `nothing`"),
    ],
)
def test_bad_input_gets_a_message(arguments, message, tmp_path):
    done = command(*arguments, "--out", tmp_path)
    assert done.returncode == 2 and message in done.stderr and "Traceback" not in done.stderr


def test_a_file_is_no_place_for_results(tmp_path):
    (tmp_path / "file").write_text("")
    done = command("--quick", "--out", tmp_path / "file")
    assert done.returncode == 2 and "give another --out" in done.stderr and "Traceback" not in done.stderr


def test_a_study_of_other_tables_is_no_run():
    tasks = plans.tradeoff(Plan(Path(), 10, is_quick=False))
    assert run._wanted(tasks, ["tradeoff"], ["Adult", "Heart"]) == tasks
    assert run._wanted(tasks, ["scale"], ["Heart"]) == []
    with pytest.raises(data.BadInput, match="nothing of tradeoff is about Heart"):
        run._wanted(tasks, ["tradeoff"], ["Heart"])


def test_another_table_is_refused(tmp_path):
    for source in data.SOURCES.values():
        (tmp_path / source.file).write_text("a,b\n1,2\n")
    done = command("--data", tmp_path, "--out", tmp_path / "out")
    assert done.returncode == 2 and "SHA-256" in done.stderr and "Traceback" not in done.stderr


def test_support_vector_machines_come_last(plan):
    kinds = [task.kind for task in plans.all_tasks(plan, list(plans.STUDIES))]
    assert kinds.index("svm") == len(kinds) - kinds.count("svm")
