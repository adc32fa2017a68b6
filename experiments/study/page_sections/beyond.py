"""Study 5 on the page: our search, penalty, losses, candidates and automatic choice."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from study import figures, paper, plans, summary
from study.store import Store
from study.tables import NOTHING, heads, number, p_value, signed, table
from study.tasks import Plan

_BUDGETS = (1.0, 2.0, 3.0, 5.0, 10.0)


def section(store: Store, plan: Plan, folder: Path) -> list[str]:
    """The frontiers, the best AUC for each budget, and the automatic selection."""
    found = summary.means(store.frame("beyond"), plan.n_folds)
    picture = figures.beyond(found, plan.tables, folder)
    parts = [
        "Here lire has its own defaults (boosted candidates, logistic loss, ridge, rules of at least half a per cent "
        "of the rows, the penalty `ratio`, our search) and one thing is changed at a time. Each line shows the best "
        "mean AUC over its prices by the maximum number of rules per explanation: the prices were compared on the "
        "test folds, the same for all variants. Hollow circles are the paper's means. Star and diamond selected their"
        " prices inside each fold.",
        f"![Frontiers]({folder.name}/{picture})",
    ]
    head = ["", "", *(f"≤ {budget:g}" for budget in _BUDGETS)]
    rows = []
    for name in plan.tables:
        for method in plans.VARIANTS:
            of = found[(found["data"] == name) & (found["method"] == method)]
            bought = [summary.at_most(of, budget).get("auc") for budget in _BUDGETS]
            rows.append([name, method, *(NOTHING if auc is None else number("auc", auc) for auc in bought)])
    parts += ["AUC by the maximum number of rules per explanation:", table(head, rows)]
    parts.append(_published_ahead(found, summary.frontier(store, plan)))
    measures = ["accuracy", "f1", "auc", "support", "local_support", "seconds"]
    rows = []
    for name in plan.tables:
        for method in plans.AUTOMATIC:
            ours = summary.row_of(found, data=name, method=method)
            rows.append([name, method, *(number(measure, ours.get(measure)) for measure in measures)])
        for method in (plans.LIRE, plans.RULEFIT):
            theirs = paper.compared(name, method)
            rows.append(
                [
                    name,
                    f"the paper's {method}",
                    *(number(measure, theirs.get(measure)) for measure in measures),
                ]
            )
    parts += [
        "Everything selected inside the folds, with no options and with a budget; seconds include the selection:",
        table(["", "", *heads(measures)], rows),
        *_tests(store, plan),
    ]
    return parts


def _tests(store: Store, plan: Plan) -> list[str]:
    """The automatic selection against the methods of study 3 as we ran them, fold by fold."""
    frame = pd.concat([store.frame("comparison"), store.frame("beyond")])
    frame = frame[frame["setting"].isin(["tuned", "automatic"])]
    found = summary.means(frame, plan.n_folds)
    rivals = [plans.LIRE, plans.PUBLISHED, plans.RULEFIT, plans.GLRM, plans.FOREST, plans.LIGHTGBM]

    def cell(name: str, method: str, rival: str) -> str:
        mine, other = (summary.row_of(found, data=name, method=each).get("auc") for each in (method, rival))
        if mine is None or other is None:
            return NOTHING
        p = summary.p_value(frame, name, "auc", rival, plan.n_folds, ours=method)
        return f"{signed('auc', mine - other)} ({p_value(p)})"

    rows = [
        [name, method, *(cell(name, method, rival) for rival in rivals)]
        for name in plan.tables
        for method in plans.AUTOMATIC
    ]
    return [
        "The same against the methods of study 3 as we ran and tuned them: the difference in AUC, and the one-sided p "
        "that ours is lower over the folds (exact Wilcoxon; † below .05 and ‡ below .01 speak against ours, values "
        "near 1 for it):",
        table(["", "", *rivals], rows),
    ]


def _published_ahead(found: pd.DataFrame, offered: pd.DataFrame) -> str:
    """Where the published search did better than ours: more AUC than any of our models that are no larger."""
    ahead = []
    for method in (name for name, variant in plans.VARIANTS.items() if variant.is_published):
        for _, row in found[found["method"] == method].iterrows():
            ours = summary.best_within(offered, row["data"], row)
            if not ours or ours["auc"] < row["auc"]:
                sizes = f"{number('support', row['support'])} rules, {number('local_support', row['local_support'])}"
                best = number("auc", ours.get("auc"))
                ahead.append(f"{row['data']} {number('auc', row['auc'])} ({sizes} per explanation; ours {best})")
    if not ahead:
        return "No model of the published search has a better AUC than all of ours that are no larger."
    return (
        "The published search, from its start at RuleFit's weights, has models with a better AUC than all of ours, at "
        f"the prices run here, with no more rules and no more per explanation: {'; '.join(ahead)}."
    )
