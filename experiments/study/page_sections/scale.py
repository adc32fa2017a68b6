"""Study 7 on the page: how time and memory grow."""

from __future__ import annotations

from pathlib import Path

from study import figures, scale
from study.tables import table


def section(folder: Path) -> list[str]:
    """The measurements with fitted exponents, or how to make them."""
    results = scale.read(folder / scale.FILE)
    if results.empty:
        return ["`make experiments-scale` measures it; it was not run yet."]
    fitted = scale.exponents(results)
    rows = [
        [
            row["what"],
            f"{row['size']:,.0f}",
            f"{row['rows']:,.0f}",
            f"{row['candidates']:,.0f}",
            f"{row['rules']:.0f}",
            f"{row['seconds']:.3g}",
            f"{row['megabytes']:,.0f}",
            f"{row['data_megabytes']:,.0f}",
        ]
        for _, row in results.iterrows()
    ]
    exponents = [[row["what"], row["measure"], f"{row['exponent']:.2f}"] for _, row in fitted.iterrows()]
    head = [
        "what grows",
        "to",
        "rows",
        "candidates",
        "rules",
        "seconds",
        "peak memory, MiB",
        "of it before the fit, MiB",
    ]
    return [
        "Fits at given prices on generated tables (ten numbers a row, classes from a sum of steps and noise), each in "
        "a process of its own; two threads unless threads are what grows. Raw: "
        f"[{scale.FILE}]({folder.name}/{scale.FILE}). *Before the fit* is what Python, its libraries and the "
        "table take.",
        f"![Scale]({folder.name}/{figures.scale(results, fitted, folder)})",
        table(head, rows),
        "Exponents: least squares through the logarithms, over the upper half of the sizes, where fixed costs no "
        "longer count.",
        table(["what grows", "measure", "exponent"], exponents),
    ]
