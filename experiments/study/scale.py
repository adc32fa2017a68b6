"""How time and memory grow with rows, candidate rules, support and threads; each fit in a process of its own."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

FILE = "scale.csv"
COLUMNS = [
    "what",
    "size",
    "rows",
    "candidates",
    "rules",
    "threads",
    "seconds",
    "fit_megabytes",
    "peak_megabytes",
    "build",
]
N_FEATURES = 10

# What grows, and the column that measures it; the size is the parameter that makes it grow.
ROWS, CANDIDATES, SUPPORT, THREADS = "rows", "candidate rules", "rules of the model", "threads"
GROWING = {ROWS: "rows", CANDIDATES: "candidates", SUPPORT: "rules", THREADS: "threads"}


def plan(is_quick: bool) -> list[tuple[str, float, dict[str, float]]]:
    """A fit: what grows, the size that makes it grow (trees, 1 / γ), and the parameters."""
    usual = {"rows": 100_000, "trees": 100, "gamma": 0.001, "threads": 2}
    if is_quick:
        usual |= {"rows": 500, "trees": 10}
        rows, trees = [200, 800], [5, 20]
        gammas: list[float] = []
        threads: list[int] = []
    else:
        rows = [10**power for power in range(3, 8)]
        trees, gammas = [25, 50, 100, 200, 400, 800], [0.004, 0.002, 0.001, 0.0005, 0.00025, 0.000125]
        threads = [1, 2, 4, 8, 16][: (os.cpu_count() or 1).bit_length()]
    found: list[tuple[str, float, dict[str, float]]] = []
    found += [(ROWS, size, usual | {"rows": size}) for size in rows]
    found += [(CANDIDATES, size, usual | {"trees": size}) for size in trees]
    found += [(SUPPORT, round(1 / gamma), usual | {"gamma": gamma}) for gamma in gammas]
    found += [(THREADS, size, usual | {"threads": size}) for size in threads]
    return found


def run(path: Path, is_quick: bool, build: str) -> None:
    """Makes the missing measurements; each result is written when it is ready."""
    done = read(path)
    done = done[done["build"] == build]
    path.parent.mkdir(parents=True, exist_ok=True)
    for what, size, parameters in plan(is_quick):
        if ((done["what"] == what) & (done["size"] == size)).any():
            continue
        told = ", ".join(f"{name} {value:,g}" for name, value in parameters.items())
        print(f"scale: {told}", file=sys.stderr, flush=True)
        command = [sys.executable, "-m", "study.scale", json.dumps(parameters)]
        child = subprocess.run(command, cwd=Path(__file__).parents[1], capture_output=True, text=True, check=False)
        if child.returncode < 0 or "MemoryError" in child.stderr:
            # Running out of memory is a result too: the page then ends before this size.
            print("  not feasible: it needs more memory than there is", file=sys.stderr)
            continue
        if child.returncode != 0:
            raise RuntimeError(f"the fit of {what} {size:,.0f} failed:\n{child.stderr}")
        measured = {"what": what, "size": size, "build": build} | json.loads(child.stdout)
        done = pd.concat([done, pd.DataFrame([measured], columns=COLUMNS)], ignore_index=True)
        draft = path.with_suffix(".tmp")
        done.to_csv(draft, index=False)
        draft.replace(path)


def read(path: Path) -> pd.DataFrame:
    """The stored measurements, without those of a version with other columns."""
    found = pd.read_csv(path) if path.exists() else pd.DataFrame(columns=COLUMNS)
    return found if list(found.columns) == COLUMNS else pd.DataFrame(columns=COLUMNS)


def exponents(results: pd.DataFrame) -> pd.DataFrame:
    """The slopes of logarithms, by least squares over the upper half of the sizes (at least two of them)."""
    found = []
    for what in dict.fromkeys(results["what"]):
        rows = results[results["what"] == what].sort_values(GROWING[what])
        rows = rows.tail(max(2, (len(rows) + 1) // 2))
        sizes = rows[GROWING[what]].astype(float)
        if sizes.nunique() < 2:
            continue
        for measure in ("seconds", "fit_megabytes"):
            slope = np.polyfit(np.log(sizes), np.log(rows[measure].astype(float)), 1)[0]
            found.append({"what": what, "measure": measure, "exponent": float(slope)})
    return pd.DataFrame(found, columns=["what", "measure", "exponent"])


def generated(n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Numbers, and classes from step functions of them, with noise."""
    random = np.random.default_rng(0)
    X = random.normal(size=(n_rows, N_FEATURES))
    score = np.zeros(n_rows)
    for feature in range(N_FEATURES):
        score += (1.0 / (1 + feature)) * (X[:, feature] > random.normal(scale=0.5))
    score += 0.7 * ((X[:, 0] > 0) & (X[:, 1] > 0.3)) - 0.7 * ((X[:, 2] < 0) & (X[:, 3] > 0))
    noise = random.logistic(scale=0.5, size=n_rows)
    return X, (score + noise > np.median(score)).astype(int)


def _measure(parameters: dict[str, float]) -> dict[str, float]:
    """One fit; run in a process of its own, whose peak memory is then that of the fit."""
    import tempfile

    from lire import LireClassifier

    X, y = generated(int(parameters["rows"]))
    before = _memory_now()
    started = time.perf_counter()
    model = LireClassifier(
        gamma=parameters["gamma"],
        lambda_=0.1,
        n_estimators=int(parameters["trees"]),
        n_jobs=int(parameters["threads"]),
        random_state=0,
    ).fit(X, y)
    seconds = time.perf_counter() - started
    peak = _peak_memory()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.lire.json"
        model.save(file)
        candidates = json.loads(file.read_text())["training"]["candidates"]
    return {
        "rows": parameters["rows"],
        "candidates": candidates,
        "rules": len(model.rules_),
        "threads": parameters["threads"],
        "seconds": round(seconds, 4),
        "fit_megabytes": round(max(peak - before, 0.1), 1),
        "peak_megabytes": round(peak, 1),
    }


_LINUX = Path("/proc/self")


def _memory_now() -> float:
    """The memory of this process in MiB. Resets the peak, so that generating the table does not count."""
    if not _LINUX.exists():
        return _peak_memory()  # Elsewhere the peak so far is all there is, and the fit's own memory seems less.
    (_LINUX / "clear_refs").write_text("5")
    return _told_by_linux("VmRSS")


def _peak_memory() -> float:
    """The peak memory in MiB. Linux's usual value includes the parent process, so a more exact one is read."""
    if _LINUX.exists():
        return _told_by_linux("VmHWM")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


def _told_by_linux(name: str) -> float:
    [line] = [line for line in (_LINUX / "status").read_text().splitlines() if line.startswith(f"{name}:")]
    return int(line.split()[1]) / 1024


if __name__ == "__main__":
    print(json.dumps(_measure(json.loads(sys.argv[1]))))
