"""Models among scikit-learn's tools, on disk, and while they are fitted."""

import json
import os
import pickle
import signal
import subprocess
import threading

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from the_command import ROOT, command

import lire
from lire import (
    GLRMRegressor,
    LireClassifier,
    LireRegressor,
    RuleFitClassifier,
    RuleFitRegressor,
    RuleTransformer,
    _native,
)
from lire._base import RuleModel


def quick(**parameters):
    """Few trees and given prices, so that nothing is chosen by validation."""
    return LireClassifier(
        **({"n_estimators": 40, "gamma": 0.01, "lambda_": 0.1, "random_state": 0} | parameters)
    )


def test_pickle_joblib_and_clone(heart, tmp_path):
    X, y = heart
    model = quick().fit(X, y)
    joblib.dump(model, tmp_path / "model")
    for again in (pickle.loads(pickle.dumps(model)), joblib.load(tmp_path / "model")):
        np.testing.assert_array_equal(again.decision_function(X), model.decision_function(X))
        assert again.n_iter_ == model.n_iter_
    refitted = clone(model)
    assert not hasattr(refitted, "rules_")
    np.testing.assert_array_equal(refitted.fit(X, y).predict_proba(X), model.predict_proba(X))


def test_attributes_and_reports_are_those_of_the_file(heart, monkeypatch):
    X, y = heart
    severity = X["age"].fillna(50)
    models = [
        quick().fit(X, y),
        quick().fit(X, np.where(severity > 60, "old", y)),
        LireRegressor(n_estimators=10, gamma=0.01, lambda_=0.1, random_state=0).fit(X, severity),
        RuleFitClassifier(n_estimators=10, gamma=0.01, linear_terms=True, random_state=0).fit(X, y),
        GLRMRegressor().fit(X, severity),
    ]
    files = [model._file for model in models]
    unread = property(lambda model: pytest.fail("the whole model was read"))
    monkeypatch.setattr(RuleModel, "_file", unread)
    for model, file in zip(models, files, strict=True):
        outputs = file["outputs"]
        assert model.rules_ == [term["rule"] for term in file["terms"] if term["kind"] == "rule"]
        np.testing.assert_array_equal(np.atleast_2d(model.coef_), [output["weights"] for output in outputs])
        np.testing.assert_array_equal(
            np.atleast_1d(model.intercept_), [output["intercept"] for output in outputs]
        )
        assert model.objective_ == file["training"]["objective"]
        assert model.certified_ is file["training"]["certified"]
        if hasattr(model, "best_params_"):
            config = file["config"]
            assert model.best_params_ == {"gamma": config["gamma"], "lambda_": config["lambda"]}
        report = model.report()
        assert report["version"] == 1 and report["training"] == file["training"]
        assert report["n_rules"] == len(model.rules_) and len(report["sides"]) == len(outputs)


def test_threads_do_not_change_the_model(heart):
    X, y = heart
    files = [quick(n_jobs=n_jobs).fit(X, y)._file for n_jobs in (1, 2, None, -1)]
    assert all(file == files[0] for file in files)


@pytest.mark.parametrize("estimator", [LireClassifier, RuleFitClassifier])
def test_candidates_of_the_paper_may_cover_few_rows(heart, estimator, tmp_path):
    X, y = heart
    parameters = {"gamma": 1e-5, "n_estimators": 10, "tree_generator": "random-forest", "random_state": 0}
    parameters |= {"lambda_": 0.0} if estimator is LireClassifier else {}
    parameters |= {"max_depth": 8}
    candidates = {}
    for paper in (False, True):
        model = estimator(paper_candidates=paper, **parameters).fit(X, y)
        model.save(tmp_path / "model.json")
        candidates[paper] = json.loads((tmp_path / "model.json").read_text())["training"]["candidates"]
        assert (model.rule_matrix(X).sum(axis=0) < 5).any() == paper
    assert candidates[True] > candidates[False]
    # A floor that is asked for holds for them too.
    model = estimator(min_coverage=0.2, paper_candidates=True, **parameters).fit(X, y)
    assert (model.rule_matrix(X).sum(axis=0) >= 0.2 * len(X)).all()


def test_grid_search_pipeline_and_calibration(heart):
    X, y = heart
    grid = GridSearchCV(quick(), {"gamma": [0.01, 0.3]}, cv=3, n_jobs=2, scoring="roc_auc").fit(X, y)
    assert grid.best_params_ == {"gamma": 0.01} and grid.best_score_ > 0.8
    calibrated = CalibratedClassifierCV(quick(), cv=2).fit(X, y)
    np.testing.assert_allclose(calibrated.predict_proba(X).sum(axis=1), 1.0)
    numbers = X.select_dtypes("number")
    piped = make_pipeline(StandardScaler(), quick())
    assert cross_val_score(piped, numbers, y, cv=3).mean() > 0.6
    rules = make_pipeline(RuleTransformer(n_estimators=40, random_state=0), LogisticRegression()).fit(X, y)
    assert rules.score(X, y) > 0.8
    assert list(rules[0].get_feature_names_out()) == rules[0].rules_


@pytest.mark.parametrize("method", [LireRegressor, RuleFitRegressor, GLRMRegressor])
def test_regressors_learn_steps(numbers, method):
    X, y = numbers
    model = method(random_state=0).fit(X[:200], y[:200])
    assert model.score(X[200:], y[200:]) > 0.95
    scores = model.rule_matrix(X) @ model.coef_ + model.intercept_
    np.testing.assert_allclose(model.predict(X), scores, atol=1e-9)


def test_several_classes(three_classes):
    X, y = three_classes
    model = quick().fit(X, y)
    assert list(model.classes_) == ["low", "mid", "top"] and model.score(X, y) > 0.95
    scores = model.rule_matrix(X) @ model.coef_.T + model.intercept_
    np.testing.assert_allclose(model.decision_function(X), scores, atol=1e-9)
    sigmoid = 1 / (1 + np.exp(-scores))
    np.testing.assert_allclose(model.predict_proba(X), sigmoid / sigmoid.sum(axis=1, keepdims=True))
    assert set(model.get_rules()["class"]) == {"low", "mid", "top"}
    assert [one.class_ for one in model.explain_global()] == ["low", "mid", "top"]
    assert model.explain_local(X[:1], class_="top")[0].class_ == "top"
    with pytest.raises(ValueError, match="not a class"):
        model.explain_local(X[:1], class_="bottom")


def test_two_classes_and_what_probabilities_are(heart):
    X, y = heart
    model = quick().fit(X, y)
    assert list(model.classes_) == ["no", "yes"]
    score = model.decision_function(X)
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], 1 / (1 + np.exp(-score)))
    np.testing.assert_array_equal(model.predict(X), np.where(score > 0, "yes", "no"))
    exponential = quick(loss="exponential").fit(X, y)
    np.testing.assert_allclose(
        exponential.predict_proba(X)[:, 1], 1 / (1 + np.exp(-2 * exponential.decision_function(X)))
    )


def test_importances_are_shares_of_the_rules_importance(heart):
    X, y = heart
    model = quick().fit(X, y)
    sums = dict.fromkeys(X.columns, 0.0)
    for rule in model.get_rules().itertuples():
        used = [name for name in X.columns if f"{name} " in f"{rule.rule} "]
        for name in used:
            sums[name] += rule.importance / len(used)
    expected = np.array(list(sums.values())) / sum(sums.values())
    np.testing.assert_allclose(model.feature_importances_, expected)


@pytest.mark.parametrize(
    "labels", [["no", "yes"], [0, 1], [False, True], [-1, 10], [1.0, 2.0]], ids=lambda labels: str(labels)
)
def test_save_and_load_keep_every_bit(heart, tmp_path, labels):
    X, y = heart
    y = np.where(y == "yes", labels[1], labels[0])
    model = quick(lambda_=0.2).fit(X, y)
    path = tmp_path / "model.lire.json"
    model.save(path)
    again = lire.load(path)
    assert type(again) is LireClassifier and again.lambda_ == 0.2 and again.n_estimators == 40
    np.testing.assert_array_equal(again.decision_function(X), model.decision_function(X))
    np.testing.assert_array_equal(again.classes_, model.classes_)
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    with pytest.raises(FileNotFoundError, match="nowhere"):
        lire.load(tmp_path / "nowhere.json")
    path.write_text("{}")
    with pytest.raises(ValueError, match="not a lire model"):
        lire.load(path)


def test_options_of_a_newer_version_are_named_and_no_obstacle(heart, tmp_path):
    X, y = heart
    model = quick().fit(X, y)
    path = tmp_path / "model.lire.json"
    model.save(path)
    file = json.loads(path.read_text())
    file["config"] |= {"exposure_column": "hours", "bound": None}
    path.write_text(json.dumps(file))
    with pytest.warns(UserWarning, match="options that this one does not know: `exposure_column`$"):
        again = lire.load(path)
    np.testing.assert_array_equal(again.decision_function(X), model.decision_function(X))
    assert again.n_estimators == 40


def test_the_command_and_python_read_each_others_files(heart, tmp_path):
    X, y = heart
    data = ROOT / "examples" / "heart.csv"

    def told(*args):
        out = subprocess.run([command(), *args], capture_output=True, text=True, check=True).stdout
        return pd.DataFrame(json.loads(out))

    ours = tmp_path / "ours.lire.json"
    model = quick().fit(X, y)
    model.save(ours)
    theirs = tmp_path / "theirs.lire.json"
    fit = [command(), "fit", data, "--target", "disease", "--out", theirs, "--no-holdout", "--quiet"]
    subprocess.run(fit, check=True, capture_output=True)
    loaded = lire.load(theirs)
    for path, fitted in ((ours, model), (theirs, loaded)):
        predicted = told("predict", path, data, "--format", "json")
        features = X[list(fitted.feature_names_in_)]
        np.testing.assert_array_equal(predicted["score"], fitted.decision_function(features))
        np.testing.assert_array_equal(predicted["label"], fitted.predict(features))


def test_progress_is_told(heart, capsys):
    X, y = heart
    events = []
    quick(verbose=2, callback=events.append).fit(X, y)
    trees = [event for event in events if event["stage"] == "trees"]
    assert (trees[-1]["done"], trees[-1]["total"]) == (40, 40)
    rules = [event for event in events if event["stage"] == "rules"]
    assert rules[-1]["n_rules"] > 0 and rules[-1]["objective"] < rules[0]["objective"]
    seconds = [event["seconds"] for event in events]
    assert seconds == sorted(seconds) and seconds[0] >= 0.0
    out = capsys.readouterr().out
    assert "[LireClassifier]" in out and "40/40 trees" in out and "objective" in out


def test_each_stage_tells_what_it_counts(heart):
    X, y = heart
    events = []
    RuleFitClassifier(n_estimators=10, cv=3, random_state=0, callback=events.append).fit(X, y)
    stages = {event["stage"] for event in events}
    assert {"trees", "rules"} <= stages
    for event in events:
        if event["stage"] == "rules":
            assert event.keys() == {"stage", "seconds", "n_rules", "objective"}
        else:
            assert 0 < event["done"] <= event["total"] and "n_rules" not in event


def test_several_classes_tell_how_many_have_their_rules(capsys):
    X, y = load_iris(return_X_y=True)
    events = []
    model = LireClassifier(n_estimators=10, gamma=0.01, lambda_=0.1, callback=events.append, verbose=2)
    model.fit(X, y)
    classes = [event for event in events if event["stage"] == "outputs"]
    assert [event["total"] for event in classes] == [3, 3, 3]
    assert classes[-1]["done"] == 3
    rules = [event for event in events if event["stage"] == "rules"]
    assert {event["output"] for event in rules} == {0, 1, 2}
    assert {event["n_outputs"] for event in rules} == {3}
    trees = [event for event in events if event["stage"] == "trees"]
    assert {event["total"] for event in trees} == {30}
    out = capsys.readouterr().out
    assert "rules chosen for 3/3 classes" in out and "class 2 of 3: " in out


def test_an_exception_in_the_callback_ends_the_fit(heart):
    X, y = heart

    def refuse(event):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        quick(callback=refuse).fit(X, y)


def test_the_callback_can_have_enough(heart):
    X, y = heart
    events = []

    def stop_at_three_rules(event):
        events.append(event)
        return event.get("n_rules", 0) >= 3

    stopped = quick(callback=stop_at_three_rules).fit(X, y)
    assert not stopped.certified_ and stopped._file["training"]["stop_reason"] == "time_limit"
    assert stopped.n_iter_ < quick().fit(X, y).n_iter_
    with pytest.raises(TypeError, match="callback must be a function"):
        quick(callback="print").fit(X, y)


def test_ctrl_c_ends_a_long_fit():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(3000, 20)), random.integers(0, 2, 3000)
    begun = threading.Event()

    def press_key():
        begun.wait()
        os.kill(os.getpid(), signal.SIGINT)

    # No fit of so many trees would end by itself before the test is given up.
    model = LireClassifier(n_estimators=10_000_000, callback=lambda _: begun.set())
    threading.Thread(target=press_key, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert not hasattr(model, "rules_")


def test_a_mistake_of_ours_is_an_exception_and_no_more(capfd):
    """Fewer weights than rows never pass the checks of the estimators; the native part stumbles over them."""
    columns, target = [("x", np.arange(4.0))], ("y", np.array([0, 1, 0, 1], dtype=np.uint32), ["a", "b"])
    with pytest.raises(RuntimeError, match="please report"):
        _native.fit(columns, target, np.ones(2), "{}")
    assert capfd.readouterr() == ("", "")


def test_a_time_limit_gives_the_best_so_far(heart):
    X, y = heart
    model = LireClassifier(n_estimators=200, time_limit=0.01, random_state=0).fit(X, y)
    assert model.predict(X).shape == y.shape


def test_a_forked_process_can_predict(heart):
    X, y = heart
    model = quick().fit(X, y)
    expected = model.decision_function(X)
    child = os.fork()
    if child == 0:
        same = (
            np.array_equal(model.decision_function(X), expected) and quick().fit(X, y).rules_ == model.rules_
        )
        os._exit(0 if same else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_splits_of_a_cross_validation_can_be_given(heart):
    X, y = heart
    from sklearn.model_selection import StratifiedKFold

    folds = StratifiedKFold(3)
    by_splitter = RuleFitClassifier(n_estimators=10, cv=folds, random_state=0).fit(X, y)
    by_list = RuleFitClassifier(n_estimators=10, cv=list(folds.split(X, y)), random_state=0).fit(X, y)
    np.testing.assert_array_equal(by_splitter.coef_, by_list.coef_)
