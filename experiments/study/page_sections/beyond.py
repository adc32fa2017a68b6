"""Study 5 on the page: our search, penalty, losses, candidates and automatic choice."""

from __future__ import annotations

from pathlib import Path

from study import figures, paper, plans, summary
from study.store import Store
from study.tables import NOTHING, heads, number, table
from study.tasks import Plan

_BUDGETS = (1.0, 2.0, 3.0, 5.0, 10.0)


def section(store: Store, plan: Plan, folder: Path) -> list[str]:
    """The frontiers, what each budget buys, and the automatic choice."""
    found = summary.means(store.frame("beyond"), plan.n_folds)
    picture = figures.beyond(found, plan.tables, folder)
    parts = [
        "Here lire has its own defaults (boosted candidates, logistic loss, ridge, rules of at least half a per cent "
        "of the rows, the penalty `ratio`, our search) and one thing at a time is changed. Each line is the best mean "
        "AUC of its prices with at most so many rules per explanation: the prices were compared on the test folds, the "
        "same for all variants. Hollow circles are the paper's means. Star and diamond chose their prices inside each "
        "fold.",
        f"![Frontiers]({folder.name}/{picture})",
    ]
    head = ["", "", *(f"≤ {budget:g}" for budget in _BUDGETS)]
    rows = []
    for name in plan.tables:
        for method in plans.VARIANTS:
            of = found[(found["data"] == name) & (found["method"] == method)]
            bought = [summary.at_most(of, budget).get("auc") for budget in _BUDGETS]
            rows.append([name, method, *(NOTHING if auc is None else number("auc", auc) for auc in bought)])
    parts += ["AUC with at most so many rules per explanation:", table(head, rows)]
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
        "Everything chosen inside the folds, with no options and with a budget; seconds include the choice:",
        table(["", "", *heads(measures)], rows),
    ]
    return parts
