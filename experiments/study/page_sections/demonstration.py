"""Study 4 on the page: the paper's Table 1 beside ours."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd

from study import paper, plans
from study.data import read
from study.store import Store
from study.tables import number, table
from study.tasks import Plan

# The paper's two models: rules, test accuracy, rules per explanation, and the intercept.
_PAPER = {plans.RULEFIT: (8, 0.830, 3.8, 0.0), plans.LIRE: (7, 0.842, 1.1, 1.637)}


def section(store: Store, plan: Plan) -> list[str]:
    """The row, then each model of the paper beside ours with as many rules."""
    frame = store.frame("demonstration")
    shown = plans.EXPLAINED_ROW[plan.demonstration]
    row = read(plan.demonstration, plan.folder).features.iloc[shown - 1]
    parts = [
        f"The paper's Table 1: two models of {plan.demonstration} of comparable accuracy, and row {shown:,} explained "
        "by both. Ours are learned without the fold of that row. For each method, we show the model over several "
        "prices that has the best **training** accuracy with no more rules than the paper's. Rules that hold for the "
        "row are bold: with the intercept they add up to its score, and a score above 0 means the positive class.",
        table(list(map(str, row.index)), [[str(value) for value in row]]),
    ]
    for method, (n_rules, accuracy, local, _) in _PAPER.items():
        parts += [f"### {method}"]
        parts += [f"**The paper's:** {n_rules} rules, accuracy {accuracy:.1%}, {local} rules per explanation"]
        parts += [_paper_table(method)]
        chosen = _chosen(frame, method, n_rules)
        if chosen is None:
            parts += ["Ours: no result yet." if frame.empty else "Ours: none of the prices left so few rules."]
            continue
        result, detail = chosen
        parts += [
            f"**Ours** ({result['setting']}): {result['support']:.0f} rules, accuracy {result['accuracy']:.1%}, "
            f"AUC {number('auc', result['auc'])}, {result['local_support']:.1f} rules per explanation",
            _our_table(detail),
        ]
    return parts


def _chosen(frame: pd.DataFrame, method: str, n_rules: int) -> tuple[dict[str, Any], dict[str, Any]] | None:
    rows = frame[(frame["method"] == method) & (frame["support"] <= n_rules)]
    if rows.empty:
        return None
    details = [json.loads(detail) for detail in rows["detail"]]
    best = max(range(len(details)), key=lambda at: details[at]["training_accuracy"])
    return dict(rows.iloc[best]), details[best]


def _paper_table(method: str) -> str:
    rows = paper.table("table1")
    rows = rows[rows["method"] == method]
    start = _PAPER[method][3]
    lines = [("(intercept)", start, True)]
    lines += [(row["rule"], row["weight"], row["holds"] == "yes") for _, row in rows.iterrows()]
    return _weights(lines, sum(weight for _, weight, holds in lines if holds))


def _our_table(detail: dict[str, Any]) -> str:
    lines = [("(intercept)", detail["intercept"], True), *map(tuple, detail["rules"])]
    return _weights(lines, detail["score"])


def _weights(lines: list[Any], score: float) -> str:
    rows = []
    for rule, weight, holds in lines:
        bold = "**" if holds else ""
        rows.append([f"{bold}{rule}{bold}", f"{bold}{_signed(weight)}{bold}"])
    return table(["rule", "weight"], [*rows, ["score of the row", _signed(score)]])


def _signed(weight: float) -> str:
    return f"{weight:+.3f}".replace("-", "−")
