"""The methods that are compared: one fit of each, its tuning, and what is measured."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
from lire import ForestClassifier, GLRMClassifier, LireClassifier, RuleFitClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from study import data, measures
from study.data import Part
from study.tasks import Plan, Task

SVM_CACHE = 1000  # MB: most of the kernel of that many rows

Parameters = dict[str, Any]


def run(task: Task, plan: Plan) -> Parameters:
    """Fits and measures one task, and returns a row of the results."""
    table = data.read(task.table, plan.folder)
    train, test = data.fold(table, task.fold, plan.n_folds)
    parameters = json.loads(task.parameters)
    grid = parameters.pop("grid", None)
    shown = parameters.pop("row", None)
    method = METHODS[task.kind](task.fold)
    started = time.perf_counter()
    chosen = _tuned(method, parameters, grid, train) if grid else {}
    begun = time.perf_counter()
    method.fit(parameters | chosen, train)
    ended = time.perf_counter()
    row: Parameters = {}
    row |= measures.quality(test.labels, method.scores(test), method.predicted(test)) | method.sizes(test)
    row |= {"seconds": round(ended - begun, 4), "tuning_seconds": round(begun - started, 4)}
    if not {"gamma", "lambda0"} & parameters.keys():
        row["chosen"] = json.dumps(chosen or method.chosen())
    if shown is not None:
        row["detail"] = json.dumps(method.explained(data.part(table, np.array([shown])), train))
    return row


def _tuned(method: Method, parameters: Parameters, grid: list[Parameters], train: Part) -> Parameters:
    """The setting with the best AUC on a held-out fifth of the training rows; the first of equals."""
    learnt, held_out = data.hold_out(train, seed=method.seed)
    found = [
        (setting, roc_auc_score(held_out.labels, scores))
        for setting, scores in method.tried(parameters, grid, learnt, held_out)
    ]
    return max(found, key=lambda each: each[1])[0]


class Method:
    """A method, and its fitted model; each fold has a seed."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.model: Any = None

    def fit(self, parameters: Parameters, train: Part) -> None:
        """Learns from all rows of a part."""
        raise NotImplementedError

    def scores(self, part: Part) -> np.ndarray:
        """The scores: higher means that the positive class is more likely."""
        raise NotImplementedError

    def predicted(self, part: Part) -> np.ndarray:
        """1 where the positive class is predicted."""
        return self.model.predict(part.encoded)

    def tried(
        self, parameters: Parameters, grid: list[Parameters], train: Part, held_out: Part
    ) -> Iterator[tuple[Parameters, np.ndarray]]:
        """The scores of held-out rows under each setting."""
        for setting in grid:
            self.fit(parameters | setting, train)
            yield setting, self.scores(held_out)

    def sizes(self, test: Part) -> Parameters:
        """Sizes of rules and explanations; empty if there are no rules."""
        return {}

    def chosen(self) -> Parameters:
        """The prices that the method selected itself."""
        return {}

    def explained(self, shown: Part, train: Part) -> Parameters:
        """The whole model and the explanation of a row's score; only for rule ensembles."""
        raise NotImplementedError


class Rules(Method):
    """A rule ensemble of lire: LIRE, RuleFit or GLRM."""

    estimator: type[Any]

    def fit(self, parameters: Parameters, train: Part) -> None:
        """Learns from the features as they are, on one core."""
        self.model = self.estimator(**parameters, n_jobs=1, random_state=self.seed)
        self.model.fit(train.features, train.labels)

    def scores(self, part: Part) -> np.ndarray:
        """The intercept plus the weights of the rules that hold."""
        return self.model.decision_function(part.features)

    def predicted(self, part: Part) -> np.ndarray:
        """1 where the positive class is predicted."""
        return self.model.predict(part.features)

    def sizes(self, test: Part) -> Parameters:
        """Sizes on the test rows, and the number of candidates."""
        return measures.size(self.model.rule_matrix(test.features)) | {"candidates": self._candidates()}

    def chosen(self) -> Parameters:
        """The prices of LIRE."""
        return getattr(self.model, "best_params_", {})

    def explained(self, shown: Part, train: Part) -> Parameters:
        """Rules with their weights, the most important first, and whether they hold for a row."""
        holds = dict(zip(self.model.rules_, self.model.rule_matrix(shown.features)[0] > 0, strict=True))
        learned = self.model.explain_global().rows()
        return {
            "intercept": self.model.intercept_,
            "rules": [[each["rule"], each["weight"], bool(holds[each["rule"]])] for each in learned],
            "training_accuracy": float((self.predicted(train) == train.labels).mean()),
            "score": float(self.scores(shown)[0]),
            "is_positive": bool(shown.labels[0]),
        }

    def _candidates(self) -> int:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.lire.json"
            self.model.save(path)
            return int(json.loads(path.read_text())["training"]["candidates"])


class Lire(Rules):
    """LIRE."""

    estimator = LireClassifier


class RuleFit(Rules):
    """RuleFit."""

    estimator = RuleFitClassifier


class Glrm(Rules):
    """GLRM."""

    estimator = GLRMClassifier


class Trees(Method):
    """An ensemble of trees; its first hundred trees equal a fit of a hundred, so one fit serves all sizes."""

    def scores(self, part: Part) -> np.ndarray:
        """The probability of the positive class."""
        return self._first(None, part)

    def tried(
        self, parameters: Parameters, grid: list[Parameters], train: Part, held_out: Part
    ) -> Iterator[tuple[Parameters, np.ndarray]]:
        """One fit with the largest number of trees for each number of leaves."""
        most = max(setting["trees"] for setting in grid)
        for leaves in sorted({setting["leaves"] for setting in grid}):
            self.fit(parameters | {"trees": most, "leaves": leaves}, train)
            for setting in grid:
                if setting["leaves"] == leaves:
                    yield setting, self._first(setting["trees"], held_out)

    def _first(self, n_trees: int | None, part: Part) -> np.ndarray:
        """The scores of the first trees alone, or of all."""
        raise NotImplementedError


class Forest(Trees):
    """The random forest of lire, grown best-first up to a number of leaves, as on one-hot columns."""

    def fit(self, parameters: Parameters, train: Part) -> None:
        """Learns from the features as they are, on one core."""
        self.model = ForestClassifier(
            n_estimators=parameters["trees"],
            max_leaves=parameters["leaves"],
            one_hot=True,
            random_state=self.seed,
            n_jobs=1,
        )
        self.model.fit(train.features, train.labels)

    def predicted(self, part: Part) -> np.ndarray:
        """1 where the positive class is predicted."""
        return self.model.predict(part.features)

    def _first(self, n_trees: int | None, part: Part) -> np.ndarray:
        return self.model.predict_proba(part.features, n_trees)[:, 1]


class PublishedCandidates(Method):
    """scikit-learn's forest as in the paper, to count its rules: each node but the roots, duplicates once."""

    def fit(self, parameters: Parameters, train: Part) -> None:
        """Learns from one-hot columns, on one core."""
        self.in_order = parameters["in_order"]
        self.model = RandomForestClassifier(100, max_depth=3, random_state=self.seed, n_jobs=1)
        self.model.fit(train.encoded, train.labels)

    def scores(self, part: Part) -> np.ndarray:
        """The probability of the positive class."""
        return self.model.predict_proba(part.encoded)[:, 1]

    def sizes(self, test: Part) -> Parameters:
        """The number of rules."""
        count = measures.paths if self.in_order else measures.conjunctions
        return {"candidates": count([tree.tree_ for tree in self.model.estimators_])}


class LightGbm(Trees):
    """LightGBM."""

    def fit(self, parameters: Parameters, train: Part) -> None:
        """Learns from one-hot columns, on one core."""
        self.model = lightgbm.LGBMClassifier(
            n_estimators=parameters["trees"],
            num_leaves=parameters["leaves"],
            random_state=self.seed,
            n_jobs=1,
            verbose=-1,
        )
        self.model.fit(train.encoded, train.labels)

    def _first(self, n_trees: int | None, part: Part) -> np.ndarray:
        return self.model.predict_proba(part.encoded, num_iteration=n_trees)[:, 1]


class Svm(Method):
    """scikit-learn's support vector machine with a Gaussian kernel, on columns as they are or scaled."""

    def fit(self, parameters: Parameters, train: Part) -> None:
        """Learns from one-hot columns; if there are many rows, from a sample of them."""
        train = data.sampled(train, parameters["most_rows"], self.seed)
        machine = SVC(C=parameters["C"], cache_size=SVM_CACHE)
        self.model = make_pipeline(StandardScaler(), machine) if parameters["is_scaled"] else machine
        self.model.fit(train.encoded, train.labels)

    def scores(self, part: Part) -> np.ndarray:
        """The distance from the boundary."""
        return self.model.decision_function(part.encoded)


METHODS: dict[str, type[Method]] = {
    "lire": Lire,
    "rulefit": RuleFit,
    "glrm": Glrm,
    "forest": Forest,
    "lightgbm": LightGbm,
    "svm": Svm,
    "published-candidates": PublishedCandidates,
}
