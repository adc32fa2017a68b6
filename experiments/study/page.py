"""Writes the results page. Every number on it comes from the run or from the paper's tables."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

from study import data, figures, machine, paper, plans, summary
from study.page_sections import bar, beyond, comparison, demonstration, scale
from study.store import Store
from study.tables import NOTHING, beside, table
from study.tasks import Plan

_INTRODUCTION = """\
The study of the paper that introduced LIRE (K. Kanamori, "Learning Locally Interpretable Rule Ensemble", 2023,
[arXiv:2306.11481](https://arxiv.org/abs/2306.11481)), repeated with lire, and what lire does beyond it. The program
in `experiments/` wrote this page; all individual results are in [{cells}]({cells}).

A cell such as `.8590 (.8588, +.0002)` holds our number, the paper's, and the difference. *Rules* are all rules of a
model (the paper's support), *rules per explanation* are those that hold for a row (local support), as a mean over the
test rows; *ratio* is the latter over the former; *diversity* is the mean Jaccard distance of two rules. The intercept
does not count as a rule."""

_SMOKE = """\
> **A smoke run.** It shows that every part works, on the shipped example with few folds and prices. Its numbers mean
> nothing, and the paper's beside them are of other data."""

_PROTOCOL = """\
- {folds} folds, stratified, rows in the order of the file, no shuffling. Means are over the folds.
- LIRE and RuleFit choose among the rules of a random forest of 100 trees of depth 3, grown on the training fold as in
  the paper (`paper_candidates`). LIRE minimises the paper's objective: exponential loss, no ridge, the penalty
  `ratio`. **LIRE** is our default search; **{published}** is the paper's Algorithm 1. Study 5 goes
  beyond the paper's setting.
- *Tuned* means: in each fold a fifth of the training rows is held out, stratified by class; the setting with the best
  AUC there is selected, and the method is fitted again on the whole training fold. Nothing that is tuned sees the
  held-out rows, forests included; in the paper the forest saw them.
- Seconds are those of the last fit of a fold: candidates included, without tuning, on one core, with {jobs} at a
  time. The paper's are from another machine.
- LightGBM and the support vector machine learn from one-hot columns as in the paper. The random forest (**RF**, up to
  a number of leaves a tree) is lire's own; the paper's is scikit-learn's. Like all of lire it uses the columns as
  they are, but samples features as if they were one-hot encoded."""

_MACHINES = "support vector machines"


def write(store: Store, plan: Plan, out: Path, jobs: int, missing: int) -> Path:
    """Writes page and figures into a folder."""
    folder = out / "results"
    parts = ["# Results", _INTRODUCTION.format(cells="results/cells.csv")]
    if plan.is_quick:
        parts.append(_SMOKE)
    if missing:
        parts.append(f"> **Not complete:** {missing:,} tasks are still to be done; what they would tell is left out.")
    parts += ["## In short", bar.in_short(store, plan)]
    parts += ["## How it was measured", _PROTOCOL.format(folds=plan.n_folds, published=plans.PUBLISHED, jobs=jobs)]
    parts.append(comparison.ranges())
    parts += ["## The data", _data(store, plan)]
    parts += ["## 1. Trade-off between accuracy and size", *_tradeoff(store, plan, folder)]
    parts += ["## 2. What λ does", *_sensitivity(store, plan, folder)]
    parts += ["## 3. Six methods compared", *comparison.section(store, plan, folder)]
    parts += ["## 4. Two small models, and one row explained", *demonstration.section(store, plan)]
    parts += ["## 5. Beyond the paper", *beyond.section(store, plan, folder)]
    parts += ["## 6. The paper's points, reached or not", *bar.section(store, plan)]
    parts += ["## 7. Scale", *scale.section(folder)]
    parts += ["## Repeat it", _repeat(store)]
    path = out / "results.md"
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    return path


def _data(store: Store, plan: Plan) -> str:
    found, published = (summary.means(store.frame(study), plan.n_folds) for study in ("comparison", "candidates"))
    rows = []
    for name in plan.tables:
        read, source, theirs = data.read(name, plan.folder), data.source_of(name), paper.dataset(name)
        counted = [
            summary.row_of(frame, data=name, method=method).get("candidates")
            for frame, method in ((found, plans.RULEFIT), (published, plans.CONJUNCTIONS), (published, plans.PATHS))
        ]
        rules = [NOTHING if count is None else f"{count:,.1f}" for count in counted]
        rows.append(
            [
                name,
                f"{len(read.labels):,} ({theirs['rows']:,.0f})",
                f"{read.encoded.shape[1]} ({theirs['columns']:.0f})",
                *rules,
                f"{theirs['candidates']:,.1f}",
                f"{source.target} = `{source.positive}`",
            ]
        )
    head = ["", "rows", "one-hot columns", "M", plans.CONJUNCTIONS, plans.PATHS, "the paper's M"]
    sizes = table([*head, "positive class"], rows)
    sources = [
        [
            name,
            f"`{source.file}`",
            f"`{data.checksum(data.path_of(name, plan.folder))}`",
            source.origin,
            source.licence,
        ]
        for name, source in ((name, data.source_of(name)) for name in plan.tables)
    ]
    return "\n\n".join(
        (
            "Ours, and the paper's in brackets. M is the number of candidate rules, as a mean over the folds, "
            "extracted as in the paper (`paper_candidates`) from our own forest. Beside it, the rules of "
            "scikit-learn's forest: as conjunctions, and as paths from the root, where the same conditions in another"
            " order count as another rule. The paper's M agrees with the latter: it counts some rules twice, ours "
            "does not.",
            sizes,
            "We may not redistribute the tables. They were made from these sources: a header, categories as text, the"
            " target as the last column, the rows in the order of the source. Heart repeats 302 patients in 1,025 "
            "rows, so its test folds contain patients seen in training; it is included because the paper has it.",
            table(["", "file", "SHA-256", "from", "licence"], sources),
        )
    )


def _tradeoff(store: Store, plan: Plan, folder: Path) -> list[str]:
    found = summary.means(store.frame("tradeoff"), plan.n_folds)
    pictures = [f"![Trade-off]({folder.name}/{name})" for name in figures.tradeoff(found, folder)]
    measures = ["accuracy", "f1", "auc", "support", "local_support"]
    head = ["", "γ", "λ", "accuracy", "F1", "AUC", "rules", "rules per explanation"]
    rows = []
    for method in (plans.RULEFIT, plans.LIRE, plans.PUBLISHED):
        for _, row in found[found["method"] == method].sort_values(["lambda", "gamma"]).iterrows():
            lambda_ = None if method == plans.RULEFIT else row["lambda"]
            theirs = paper.traded(plans.LIRE if method == plans.PUBLISHED else method, row["gamma"], lambda_)
            prices = [f"{row['gamma']:g}", NOTHING if lambda_ is None else f"{lambda_:g}"]
            rows.append([method, *prices, *(beside(measure, dict(row), theirs) for measure in measures)])
    return [
        f"{plan.demonstration}, over the paper's grids of prices. Hollow circles and dashed lines are the paper's own "
        "numbers; it reports no F1. At the same γ and λ the searches find models of different sizes, so compare "
        "curves, not prices.",
        *pictures,
        table(head, rows),
        "RuleFit's models at the highest γ predict the frequent class for every row: their intercept is not "
        "penalised, as it should be, and the few weights are too small to outweigh it. liblinear, which the paper "
        "uses, penalises the intercept like a weight and leaves it at 0 there, so that its labels differ while its "
        "ranking is almost the same.",
    ]


def _sensitivity(store: Store, plan: Plan, folder: Path) -> list[str]:
    found = summary.means(store.frame("tradeoff"), plan.n_folds)
    name = figures.sensitivity(found, folder)
    return [
        "The same runs of LIRE as functions of λ, at three values of γ. Dashed: the paper's. The table of study 1 has"
        " the numbers.",
        f"![Sensitivity]({folder.name}/{name})",
    ]


def _repeat(store: Store) -> str:
    libraries = ("lire", "scikit-learn", "lightgbm", "numpy", "scipy", "pandas", "matplotlib")
    versions = ", ".join(f"{name} {version(name)}" for name in libraries)
    return "\n".join(
        (
            "    make experiments DATA=folder        # everything but scale; goes on where it was stopped",
            "    make experiments-scale              # time and memory on generated tables",
            "    make experiments QUICK=1            # a smoke run on the shipped example, in a minute or two",
            "",
            "`experiments/README.md` tells the rest.",
            "",
            f"- Machine: {machine.described()}",
            f"- Work, in minutes of one core: {_work(store)}",
            f"- Versions: Python {machine.python()}, {versions}",
        )
    )


def _work(store: Store) -> str:
    """The time of the fits of each study, with support vector machines listed separately."""
    minutes = dict.fromkeys([*plans.STUDIES, _MACHINES], 0.0)
    for study in plans.STUDIES:
        frame = store.frame(study)
        spent = (frame["seconds"] + frame["tuning_seconds"]) / 60
        machines = frame["method"].isin([plans.SVM, plans.SVM_SCALED])
        minutes[study] += spent[~machines].sum()
        minutes[_MACHINES] += spent[machines].sum()
    without = sum(minutes.values()) - minutes[_MACHINES]
    told = ", ".join(f"{what} {spent:.1f}" for what, spent in minutes.items())
    return f"{told}; {without:.1f} in all without these machines"
