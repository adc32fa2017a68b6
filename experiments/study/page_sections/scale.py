"""Study 7 on the page: how time and memory grow."""

from __future__ import annotations

from pathlib import Path

from study import figures, scale
from study.tables import table


def section(folder: Path) -> list[str]:
    """The measurements with fitted exponents, or instructions to make them."""
    results = scale.read(folder / scale.FILE)
    if results.empty:
        return ["`make experiments-scale` measures it; it was not run yet."]
    fitted = scale.exponents(results)
    columns = {
        "rows": "{:,.0f}",
        "candidates": "{:,.0f}",
        "rules": "{:.0f}",
        "threads": "{:.0f}",
        "seconds": "{:.3g}",
        "fit_megabytes": "{:,.0f}",
        "peak_megabytes": "{:,.0f}",
    }
    rows = [[row["what"], *(form.format(row[name]) for name, form in columns.items())] for _, row in results.iterrows()]
    names = {"seconds": "seconds", "fit_megabytes": "memory of the fit"}
    exponents = [[row["what"], names[row["measure"]], f"{row['exponent']:.2f}"] for _, row in fitted.iterrows()]
    head = ["what grows", *list(columns)[:5], "memory of the fit, MiB", "peak memory, MiB"]
    return [
        "Fits at given prices on generated tables (ten numbers a row, classes from a sum of steps and noise), each in "
        "a process of its own; two threads unless threads are what grows. Candidate rules grow with the number of "
        "trees, the rules of the model as γ falls. The memory of the fit is what comes on top of Python, its libraries "
        f"and the table; the peak is all of it. Raw: [{scale.FILE}]({folder.name}/{scale.FILE}).",
        f"![Scale]({folder.name}/{figures.scale(results, fitted, folder)})",
        table(head, rows),
        "Exponents: least squares through the logarithms, over the upper half of the sizes, where fixed costs no "
        "longer count.",
        table(["what grows", "measure", "exponent"], exponents),
    ]
