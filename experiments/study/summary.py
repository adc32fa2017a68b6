"""Means over folds, tests between methods, and whether the paper's points are reached."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from study import measures, paper, plans
from study.store import NUMBERS, Store
from study.tasks import Plan

GROUP = ["data", "method", "setting"]

# The paper's means are rounded to this precision; ours may differ from them by half of it.
ROUNDING = {"accuracy": 1e-4, "f1": 1e-4, "auc": 1e-4, "support": 0.1, "local_support": 0.01}


def means(frame: pd.DataFrame, n_folds: int) -> pd.DataFrame:
    """The mean over the folds of each setting for which all folds are done."""
    grouped = frame.groupby(GROUP)
    whole = grouped["fold"].nunique() == n_folds
    found = grouped[NUMBERS].mean()[whole].reset_index()
    prices = found["setting"].str.extract(r"gamma=(?P<gamma>\S+)(?: lambda=(?P<lambda>\S+))?").astype(float)
    return pd.concat([found, prices], axis=1)


def row_of(found: pd.DataFrame, **wanted: object) -> dict[str, float]:
    """The means of one setting, empty if it is not done."""
    for column, value in wanted.items():
        found = found[found[column].isna() if value is None else found[column] == value]
    return {} if found.empty else {str(name): value for name, value in found.iloc[0].items()}


def p_value(
    frame: pd.DataFrame, table: str, measure: str, method: str, n_folds: int, ours: str = plans.LIRE
) -> float | None:
    """Wilcoxon's p-value that LIRE (or another of ours) is worse than a method over the folds: lower, or larger."""
    mine, others = (
        frame[(frame["data"] == table) & (frame["method"] == name)].set_index("fold")[measure].sort_index()
        for name in (ours, method)
    )
    if len(mine) < n_folds or len(others) < n_folds or others.isna().any():
        return None
    alternative = "less" if measure in measures.QUALITY else "greater"
    return measures.wilcoxon(mine.to_numpy(), others.to_numpy(), alternative)


@dataclass(frozen=True)
class Reached:
    """One of the paper's points, and our best model that is no larger."""

    data: str
    point: str
    wanted: dict[str, float]
    ours: dict[str, float]

    @property
    def is_reached(self) -> bool:
        """Whether our model has no less AUC with no more rules and no more rules per explanation."""
        return bool(self.ours) and self.ours["auc"] >= self.wanted["auc"] - ROUNDING["auc"] / 2


def frontier(store: Store, plan: Plan) -> pd.DataFrame:
    """Ten-fold means of all models of the default search: a fixed setting each, or one chosen inside the folds."""
    found = pd.concat([means(store.frame(study), plan.n_folds) for study in ("tradeoff", "comparison", "beyond")])
    variants = [name for name, variant in plans.VARIANTS.items() if not variant.is_published]
    ours = {plans.LIRE, *variants, *plans.AUTOMATIC}
    return found[found["method"].isin(ours)].reset_index(drop=True)


def bar(store: Store, plan: Plan) -> list[Reached]:
    """Every point of the paper's rule ensembles on tables with results, beside the best of ours no larger than it."""
    offered = frontier(store, plan)
    points = [
        (table, f"{method}, tuned", paper.compared(table, method))
        for table in plan.tables
        for method in (plans.LIRE, plans.RULEFIT, plans.GLRM)
    ]
    for _, row in paper.table("tradeoff").iterrows():
        prices = f"γ {row['gamma']:g}" + ("" if pd.isna(row["lambda"]) else f", λ {row['lambda']:g}")
        wanted = {name: float(row[name]) for name in ("auc", "support", "local_support")}
        points.append((plan.demonstration, f"{row['method']}, {prices}", wanted))
    known = set(offered["data"])
    return [
        Reached(table, point, wanted, best_within(offered, table, wanted))
        for table, point, wanted in points
        if table in known
    ]


def best_within(offered: pd.DataFrame, table: str, wanted: dict[str, float]) -> dict[str, float]:
    """The best AUC with no more rules and no more rules per explanation than wanted."""
    fits = offered[offered["data"] == table]
    for size in ("support", "local_support"):
        fits = fits[fits[size] <= wanted[size] + ROUNDING[size] / 2]
    return {} if fits.empty else row_of(fits.sort_values("auc", ascending=False))


def at_most(found: pd.DataFrame, local_support: float) -> dict[str, float]:
    """The row with the best AUC and at most this many rules per explanation."""
    fits = found[found["local_support"] <= local_support]
    return {} if fits.empty else row_of(fits.sort_values("auc", ascending=False))
