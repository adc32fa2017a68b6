"""The tasks of each study: the grids of the paper, and ours."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from study import data
from study.tasks import Plan, Task, spelled, tasks_of

# The candidates of the paper: a random forest of a hundred trees of depth 3, every node a rule.
PAPER_CANDIDATES: dict[str, Any] = {
    "tree_generator": "random-forest",
    "n_estimators": 100,
    "max_depth": 3,
    "paper_candidates": True,
}
# Its problem: the exponential loss without a ridge, and the share of the rules that an explanation needs.
PAPER_PROBLEM = PAPER_CANDIDATES | {"loss": "exponential", "ridge": 0.0, "penalty": "ratio"}

LIRE, PUBLISHED = "LIRE", "LIRE, published search"
RULEFIT, GLRM, FOREST, LIGHTGBM = "RuleFit", "GLRM", "RF", "LightGBM"
SVM, SVM_SCALED = "KernelSVM", "KernelSVM, scaled"
CONJUNCTIONS, PATHS = "scikit-learn's forest, conjunctions", "scikit-learn's forest, paths"

TRADEOFF_GAMMAS = [0.0005, 0.00075, 0.001, 0.0025, 0.005]
TRADEOFF_LAMBDAS = [0.1, 0.5, 1.0, 5.0, 10.0]
TRADEOFF_RULEFIT = [0.0005, 0.001, 0.005, 0.01, 0.05]
PUBLISHED_LAMBDAS = [0.1, 1.0]
SENSITIVITY_GAMMAS = [0.0005, 0.001, 0.005]

_TREES = [{"trees": trees, "leaves": leaves} for trees in (100, 300, 500) for leaves in (64, 128, 256)]
# The grids over which the methods of the comparison are tuned.
TUNED: dict[str, list[dict[str, Any]]] = {
    LIRE: [{"gamma": gamma, "lambda_": 2 * gamma} for gamma in (0.001, 0.002, 0.003, 0.004, 0.005)],
    RULEFIT: [{"gamma": gamma} for gamma in (0.0005, 0.00075, 0.001, 0.0025, 0.005, 0.0075, 0.01, 0.025, 0.05)],
    GLRM: [
        {"lambda0": price, "lambda1": 0.2 * price} for price in (0.00005, 0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1)
    ],
    FOREST: _TREES,
    LIGHTGBM: _TREES,
    SVM: [{"C": price} for price in (0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 50.0, 100.0)],
}

# A support vector machine learns from at most this many rows, sampled by class: ten machines on all rows of each fold
# would take hours on Adult.
SVM_ROWS = 10_000

# The row that the paper explains, counted from 1, and of the shipped example another.
EXPLAINED_ROW = {"Adult": 11_636, "Example": 2}


def _rulefit(plan: Plan, study: str, table: str, parameters: dict[str, Any], gamma: float) -> list[Task]:
    return tasks_of(
        plan,
        study=study,
        table=table,
        method=RULEFIT,
        kind="rulefit",
        setting=spelled(gamma=gamma),
        parameters=parameters | {"gamma": gamma},
    )


def _lire(
    plan: Plan,
    study: str,
    table: str,
    method: str,
    parameters: dict[str, Any],
    at: tuple[float, float],
    cost: float = 1.0,
) -> list[Task]:
    gamma, lambda_ = at
    return tasks_of(
        plan,
        study=study,
        table=table,
        method=method,
        kind="lire",
        setting=spelled(gamma=gamma, **{"lambda": lambda_}),
        parameters=parameters | {"gamma": gamma, "lambda_": lambda_},
        cost=cost,
    )


def tradeoff(plan: Plan) -> list[Task]:
    """LIRE and RuleFit over the paper's grids; the sensitivity in λ is read from the same runs."""
    table, found = plan.demonstration, []
    gammas, lambdas = plan.some(TRADEOFF_GAMMAS), plan.some(TRADEOFF_LAMBDAS, 3)
    for gamma in plan.some(TRADEOFF_RULEFIT):
        found += _rulefit(plan, "tradeoff", table, PAPER_CANDIDATES, gamma)
    for method, search in ((LIRE, "best"), (PUBLISHED, "paper")):
        for lambda_ in lambdas if search == "best" else plan.some(PUBLISHED_LAMBDAS):
            for gamma in gammas:
                problem, cost = PAPER_PROBLEM | {"search": search}, 1.0 if search == "best" else 3.0
                found += _lire(plan, "tradeoff", table, method, problem, (gamma, lambda_), cost)
    return found


def demonstration(plan: Plan) -> list[Task]:
    """Models as small as those of the paper's Table 1, learned without the row that they explain."""
    table = plan.demonstration
    row = EXPLAINED_ROW[table] - 1
    read = data.read(table, plan.folder)
    [fold] = [at for at in range(plan.n_folds) if row in data.fold_rows(read, at, plan.n_folds)[1]]
    # The example has few rows, so only high prices give few rules.
    rulefit_gammas = [0.1, 0.2] if plan.is_quick else [0.02, 0.025, 0.03, 0.035, 0.04, 0.045, 0.05, 0.06]
    lire_gammas = [0.05, 0.1] if plan.is_quick else [0.003, 0.004, 0.005, 0.007, 0.01]
    found = []
    for gamma in rulefit_gammas:
        found += _rulefit(plan, "demonstration", table, PAPER_CANDIDATES | {"row": row}, gamma)
    for gamma in lire_gammas:
        for lambda_ in plan.some([0.1, 0.3, 1.0]):
            found += _lire(plan, "demonstration", table, LIRE, PAPER_PROBLEM | {"row": row}, (gamma, lambda_))
    return [task for task in found if task.fold == fold]


def candidates(plan: Plan) -> list[Task]:
    """The number of rules of scikit-learn's forest, counted in two ways."""
    found = []
    for table in plan.tables:
        for method, in_order in ((CONJUNCTIONS, False), (PATHS, True)):
            found += tasks_of(
                plan,
                study="candidates",
                table=table,
                method=method,
                kind="published-candidates",
                setting="100 trees of depth 3",
                parameters={"in_order": in_order},
            )
    return found


def comparison(plan: Plan) -> list[Task]:
    """Six methods, tuned in each fold as in the paper; ours with the published search too."""
    ways: list[tuple[str, str, dict[str, Any], list[dict[str, Any]], float]] = [
        (LIRE, "lire", PAPER_PROBLEM | {"search": "best"}, TUNED[LIRE], 1.0),
        (PUBLISHED, "lire", PAPER_PROBLEM | {"search": "paper"}, TUNED[LIRE], 2.0),
        (RULEFIT, "rulefit", PAPER_CANDIDATES, TUNED[RULEFIT], 1.0),
        (GLRM, "glrm", {}, TUNED[GLRM], 1.0),
        (FOREST, "forest", {}, TUNED[FOREST], 0.4),
        (LIGHTGBM, "lightgbm", {}, TUNED[LIGHTGBM], 0.4),
        (SVM, "svm", {"is_scaled": False, "most_rows": SVM_ROWS}, TUNED[SVM], 1.0),
        (SVM_SCALED, "svm", {"is_scaled": True, "most_rows": SVM_ROWS}, TUNED[SVM], 1.0),
    ]
    found = []
    for table in plan.tables:
        for method, kind, parameters, grid, cost in ways:
            found += tasks_of(
                plan,
                study="comparison",
                table=table,
                method=method,
                kind=kind,
                setting="tuned",
                parameters=parameters | {"grid": plan.some(grid)},
                cost=cost,
            )
    return found


Prices = list[tuple[float, float]]


def _grid(gammas: list[float], lambdas: list[float]) -> Prices:
    return [(gamma, lambda_) for gamma in gammas for lambda_ in lambdas]


@dataclass(frozen=True)
class Variant:
    """A variant of the method, and the prices (γ, λ) of its frontier; some tables have more of them."""

    parameters: dict[str, Any]
    prices: Prices
    more: dict[str, Prices] = field(default_factory=dict)
    cost: float = 1.0

    @property
    def is_published(self) -> bool:
        """Whether the search is the paper's."""
        return self.parameters.get("search") == "paper"


# Ours beyond the paper. Small λ give accuracy, large ones short explanations. `count` charges the number of rules, not
# their share of the model, so its λ are smaller. A γ below .0005 is slow and helps on few tables.
_GAMMAS = [0.0005, 0.001, 0.002, 0.005]
_FEW_GAMMAS = [0.0005, 0.001, 0.005]
VARIANTS: dict[str, Variant] = {
    "boosted, logistic, ratio": Variant(
        {},
        _grid(_GAMMAS, [0.001, 0.03, 0.1, 1.0]),
        {"Adult": _grid([0.00025], [0.1, 1.0]), "Bank": _grid([0.00025], [0.03, 0.1, 0.3])},
    ),
    "boosted, logistic, count": Variant(
        {"penalty": "count"}, _grid(_FEW_GAMMAS, [0.001, 0.005, 0.02]) + _grid([0.0005], [0.06, 0.15, 0.2, 0.25, 0.6])
    ),
    "boosted, exponential, ratio": Variant(
        {"loss": "exponential"}, _grid(_FEW_GAMMAS, [0.001, 0.1, 1.0, 5.0]), {"Adult": _grid([0.00025], [0.1, 1.0])}
    ),
    "boosted to depth 2, logistic, ratio, ridge .02": Variant(
        {"max_depth": 2, "ridge": 0.02}, _grid([0.0003, 0.001], [0.001, 0.1])
    ),
    "forest, logistic, ratio": Variant({"tree_generator": "random-forest"}, _grid(_FEW_GAMMAS, [0.03, 0.3])),
    "boosted, exponential, ratio, published search": Variant(
        {"loss": "exponential", "search": "paper"}, _grid([0.001, 0.005], [0.1]), cost=4.0
    ),
}
AUTOMATIC: dict[str, dict[str, Any]] = {
    "no options": {},
    "at most 5 rules per explanation": {"max_local_rules": 5.0},
}


def beyond(plan: Plan) -> list[Task]:
    """Variants of our own over grids of prices, and prices that are chosen automatically."""
    found = []
    for table in plan.tables:
        for method, parameters in AUTOMATIC.items():
            found += tasks_of(
                plan,
                study="beyond",
                table=table,
                method=method,
                kind="lire",
                setting="automatic",
                parameters=parameters,
                cost=30.0,
            )
        for method, variant in VARIANTS.items():
            prices = variant.prices + variant.more.get(table, [])
            for at in plan.some(prices, 3):
                found += _lire(plan, "beyond", table, method, variant.parameters, at, variant.cost)
    return found


STUDIES = {
    "candidates": candidates,
    "tradeoff": tradeoff,
    "demonstration": demonstration,
    "comparison": comparison,
    "beyond": beyond,
}


def all_tasks(plan: Plan, names: list[str]) -> list[Task]:
    """The tasks of some studies; support vector machines last, those of the largest table at the very end."""
    found = [task for name in names for task in STUDIES[name](plan)]
    return sorted(found, key=lambda task: (task.kind == "svm", task.kind == "svm" and task.table == plan.demonstration))
