"""The figures of the page, drawn from the results only."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
import matplotlib.ticker
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure

from study import paper, plans
from study.measures import NAMES, QUALITY
from study.scale import GROWING

# One colour for each method, everywhere; the paper's own numbers are hollow or dashed.
COLOURS = {
    plans.LIRE: "#1f5fa8",
    plans.PUBLISHED: "#6fa8dc",
    plans.RULEFIT: "#d2691e",
    plans.GLRM: "#3a8a4d",
    plans.FOREST: "#7d7d7d",
    plans.LIGHTGBM: "#7b4fa3",
    plans.SVM: "#b08d2e",
    plans.SVM_SCALED: "#d9c27a",
}
SHORT = {plans.PUBLISHED: "published", plans.SVM: "SVM", plans.SVM_SCALED: "SVM sc.", plans.LIGHTGBM: "LGBM"}
GAMMA_COLOURS = ["#9ecae1", "#4292c6", "#08306b"]
# Axes with more decades than this have labels at powers of ten only.
MANY = 3.0
VARIANT_COLOURS = ["#1f5fa8", "#3a8a4d", "#c0392b", "#e0a100", "#7d7d7d", "#d28fbf"]

plt.rcParams.update(
    {
        "svg.hashsalt": "lire",  # the same picture from the same numbers
        "svg.fonttype": "none",
        "font.family": "sans-serif",
        "font.size": 8.5,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.edgecolor": "#888888",
        "axes.labelcolor": "#333333",
        "axes.titlesize": 9.5,
        "axes.titleweight": "bold",
        "axes.titlelocation": "left",
        "axes.grid": True,
        "grid.color": "#ececec",
        "grid.linewidth": 0.7,
        "axes.axisbelow": True,
        "xtick.minor.size": 0,
        "ytick.minor.size": 0,
        "xtick.color": "#666666",
        "ytick.color": "#666666",
        "xtick.labelsize": 8,
        "ytick.labelsize": 8,
        "legend.frameon": False,
    }
)


def tradeoff(means: pd.DataFrame, folder: Path) -> list[str]:
    """Quality against size, one figure for each λ of the paper."""
    names = []
    for lambda_ in (0.1, 0.5, 1.0):
        if means[means["lambda"] == lambda_].empty:
            continue
        figure, axes = plt.subplots(2, 3, figsize=(9.2, 5.4), layout="constrained")
        for row, size in enumerate(("support", "local_support")):
            for column, quality in enumerate(("accuracy", "f1", "auc")):
                _trade(axes[row, column], means, lambda_, size, quality)
        _legend(figure)
        names.append(_save(figure, folder, f"tradeoff-lambda-{lambda_:g}"))
    return names


def _trade(axis: Axes, means: pd.DataFrame, lambda_: float, size: str, quality: str) -> None:
    for method, at in ((plans.RULEFIT, None), (plans.PUBLISHED, lambda_), (plans.LIRE, lambda_)):
        rows = means[means["method"] == method]
        rows = rows[rows["lambda"].isna() if at is None else rows["lambda"] == at].sort_values(size)
        if not rows.empty:
            axis.plot(rows[size], rows[quality], "o-", ms=4.5, lw=1.2, color=COLOURS[method], label=method)
    known = paper.table("tradeoff")
    if quality in known:
        for method, at in ((plans.RULEFIT, None), (plans.LIRE, lambda_)):
            rows = known[known["method"] == method]
            rows = rows[rows["lambda"].isna() if at is None else rows["lambda"] == at].sort_values(size)
            axis.plot(
                rows[size],
                rows[quality],
                "o--",
                ms=4.5,
                lw=0.8,
                mfc="white",
                color=COLOURS[method],
                alpha=0.65,
                label=f"{method}, the paper's",
            )
    axis.set_xscale("log")
    axis.set_xlabel(NAMES[size])
    axis.set_ylabel(NAMES[quality])
    _plain_ticks(axis)


def sensitivity(means: pd.DataFrame, folder: Path) -> str:
    """The effect of λ, at three values of γ."""
    figure, axes = plt.subplots(2, 3, figsize=(9.2, 5.2), layout="constrained", sharex=True)
    known = paper.table("tradeoff").assign(ratio=lambda rows: rows["local_support"] / rows["support"])
    shown = ("accuracy", "f1", "auc", "support", "local_support", "ratio")
    for axis, measure in zip(axes.flat, shown, strict=True):
        for gamma, colour in zip(plans.SENSITIVITY_GAMMAS, GAMMA_COLOURS, strict=True):
            rows = means[(means["method"] == plans.LIRE) & (means["gamma"] == gamma)].sort_values("lambda")
            if not rows.empty:
                axis.plot(rows["lambda"], rows[measure], "o-", ms=4, lw=1.4, color=colour, label=f"γ = {gamma:g}")
            if measure in known:
                theirs = known[(known["method"] == plans.LIRE) & (known["gamma"] == gamma)]
                label = "the paper's" if gamma == plans.SENSITIVITY_GAMMAS[-1] else None
                axis.plot(theirs["lambda"], theirs[measure], "--", lw=0.9, color=colour, alpha=0.8, label=label)
        axis.set_xscale("log")
        axis.set_ylabel(NAMES[measure])
        _plain_ticks(axis)
    for axis in axes[1]:
        axis.set_xlabel("λ")
    _legend(figure)
    return _save(figure, folder, "sensitivity")


def comparison(frame: pd.DataFrame, tables: list[str], folder: Path) -> list[str]:
    """Box plots over the folds: quality of all methods, size of those with rules."""
    names = []
    for measure in ("accuracy", "f1", "auc", "support", "local_support", "ratio"):
        has = frame[frame[measure].notna()]
        methods = [method for method in COLOURS if method in set(has["method"])]
        figure, axes = plt.subplots(1, len(tables), figsize=(9.2, 2.7), layout="constrained", squeeze=False)
        for axis, table in zip(axes.flat, tables, strict=True):
            _boxes(axis, has[has["data"] == table], methods, measure)
            axis.set_title(table)
            if measure in ("support", "local_support"):
                axis.set_ylim(bottom=0)
        axes[0, 0].set_ylabel(NAMES[measure])
        names.append(_save(figure, folder, f"comparison-{measure.replace('_', '-')}"))
    return names


def _boxes(axis: Axes, rows: pd.DataFrame, methods: list[str], measure: str) -> None:
    shown = [method for method in methods if (rows["method"] == method).any()]
    if not shown:
        return
    values = {method: rows.loc[rows["method"] == method, measure].to_numpy() for method in shown}
    drawn = axis.boxplot(
        list(values.values()),
        widths=0.62,
        patch_artist=True,
        flierprops={"marker": ".", "ms": 3, "mfc": "#999999", "mec": "none"},
        whiskerprops={"lw": 0.8, "color": "#777777"},
        capprops={"lw": 0},
    )
    # Boxes of almost equal folds look like lines, so lines have the full colour.
    for box, median, method in zip(drawn["boxes"], drawn["medians"], shown, strict=True):
        box.set(facecolor=to_rgba(COLOURS[method], 0.3), edgecolor=COLOURS[method], lw=0.9)
        median.set(color=COLOURS[method], lw=2.0)
    axis.set_xticks(range(1, len(shown) + 1), [SHORT.get(method, method) for method in shown])
    axis.tick_params(axis="x", rotation=90, length=0)
    axis.grid(visible=False, axis="x")
    if measure in QUALITY:
        _leave_out_of_sight(axis, values, plans.SVM)


def _leave_out_of_sight(axis: Axes, values: dict[str, np.ndarray], far: str) -> None:
    """If one method is far below the others, the axis fits the others, and its median is printed at the bottom."""
    others = np.concatenate([each for method, each in values.items() if method != far] or [np.empty(0)])
    if far not in values or not len(others):
        return
    low, high = others.min(), others.max()
    margin = 0.06 * (high - low) + 1e-4
    median = float(np.median(values[far]))
    if median < low - margin:
        axis.set_ylim(low - margin, high + margin)
        text = f"{median:.2f}".removeprefix("0") + "\n▾"
        style: dict[str, Any] = {"ha": "center", "va": "bottom", "size": 7, "color": COLOURS[far]}
        axis.text(list(values).index(far) + 1, low - margin, text, **style)


def beyond(means: pd.DataFrame, tables: list[str], folder: Path) -> str:
    """The frontier of each variant: the best AUC by the maximum number of rules per explanation."""
    n_rows = len(tables) // 3 + 1  # one panel is for the legend
    figure, axes = plt.subplots(n_rows, 3, figsize=(9.2, 2.9 * n_rows), layout="constrained", squeeze=False)
    for axis in axes.flat[len(tables) :]:
        axis.axis("off")
    for axis, table in zip(axes.flat, tables, strict=False):
        _frontiers(axis, means[means["data"] == table], table)
    handles, labels = axes[0, 0].get_legend_handles_labels()
    axes.flat[len(tables)].legend(handles, labels, loc="center left", fontsize=8, labelspacing=0.7)
    return _save(figure, folder, "beyond")


def _frontiers(axis: Axes, rows: pd.DataFrame, table: str) -> None:
    for method, colour in zip(plans.VARIANTS, VARIANT_COLOURS, strict=True):
        size, auc = _staircase(rows[rows["method"] == method])
        axis.step(size, auc, where="post", lw=1.5, color=colour, label=method.replace(", published", ",\npublished"))
    for method, marker in zip(plans.AUTOMATIC, "*D", strict=True):
        chosen = rows[rows["method"] == method]
        axis.plot(chosen["local_support"], chosen["auc"], marker, ms=6, color="#111111", label=method)
    tops, shown = [*rows["auc"]], [*rows.loc[rows["setting"] == "automatic", "auc"]]
    for method in (plans.LIRE, plans.RULEFIT, plans.GLRM):
        known = paper.compared(table, method)
        if not known:
            continue
        tops.append(known["auc"])
        label = f"{method}, the paper's"
        axis.plot(known["local_support"], known["auc"], "o", ms=5, mfc="white", color=COLOURS[method], label=label)
    axis.set(title=table, xscale="log", xlabel=NAMES["local_support"], ylabel="AUC", xlim=(0.4, 90))
    if tops:
        axis.set_ylim(min(max(tops) - 0.045, *(auc - 0.004 for auc in shown), 1.0), max(tops) + 0.004)
    _plain_ticks(axis)


def _staircase(rows: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    ordered = rows.sort_values("local_support")
    return ordered["local_support"].to_numpy(), np.maximum.accumulate(ordered["auc"].to_numpy())


def scale(results: pd.DataFrame, fitted: pd.DataFrame, folder: Path) -> str:
    """Seconds and memory against what grows."""
    kinds = list(dict.fromkeys(results["what"]))
    figure, axes = plt.subplots(2, len(kinds), figsize=(9.2, 4.8), layout="constrained", squeeze=False)
    for column, what in enumerate(kinds):
        rows = results[results["what"] == what].sort_values(GROWING[what])
        for row, (measure, label) in enumerate((("seconds", "seconds"), ("fit_megabytes", "memory of the fit, MiB"))):
            axis = axes[row, column]
            axis.plot(rows[GROWING[what]], rows[measure], "o-", ms=4.5, lw=1.3, color=COLOURS[plans.LIRE])
            axis.set(xscale="log", yscale="log", xlabel=what, ylabel=label if column == 0 else "")
            found = fitted[(fitted["what"] == what) & (fitted["measure"] == measure)]
            if not found.empty:
                axis.set_title(f"exponent {found['exponent'].iloc[0]:.2f}", fontweight="normal")
            _plain_ticks(axis)
            # Growth below a factor of two shall look small.
            low, high = rows[measure].min(), rows[measure].max()
            if high < 2 * low:
                axis.set_ylim(low / 2, 2 * high)
    return _save(figure, folder, "scale")


def _plain_ticks(axis: Axes) -> None:
    for each in (axis.xaxis, axis.yaxis):
        if each.get_scale() == "log":
            decades = np.log10(max(each.get_view_interval()) / min(each.get_view_interval()))
            each.set_major_locator(matplotlib.ticker.LogLocator(subs=(1.0, 2.0, 5.0) if decades < MANY else (1.0,)))
            each.set_major_formatter(matplotlib.ticker.FuncFormatter(_plain))
            each.set_minor_locator(matplotlib.ticker.NullLocator())


def _plain(value: float, _: int) -> str:
    if value < 1e4:
        return f"{value:g}"
    power = round(np.log10(value))
    return f"$10^{power}$" if value == 10.0**power else ""


def _legend(figure: Figure) -> None:
    handles: dict[str, Any] = {}
    for each in figure.axes:
        handles |= {label: handle for handle, label in zip(*each.get_legend_handles_labels(), strict=True)}
    figure.legend(list(handles.values()), list(handles), loc="outside upper center", ncols=5, fontsize=8)


def _save(figure: Figure, folder: Path, name: str) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.svg"
    figure.savefig(path, metadata={"Date": None, "Creator": None})
    plt.close(figure)
    return path.name
