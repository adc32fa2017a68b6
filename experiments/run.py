"""Runs the study and writes its page: ``python experiments/run.py --data DIR --out DIR``."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from pathlib import Path

from study import data, plans, runner, scale
from study.data import BadInput
from study.store import Store
from study.tasks import Plan, Task, library_of

# Exit codes: unusable input; stopped by Ctrl-C or a signal.
BAD_INPUT, INTERRUPTED = 2, 130


def main(arguments: list[str] | None = None) -> int:
    """Runs the requested studies; a stopped run continues where it was."""
    options = _parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # A polite end is one like Ctrl-C.
    try:
        return _run(options)
    except BadInput as error:
        print(f"error: {error}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("\nstopped; the same command goes on from here", file=sys.stderr)
        return INTERRUPTED


def _run(options: argparse.Namespace) -> int:
    plan = Plan(options.data, 3 if options.quick else 10, options.quick)
    data.check(plan.tables, plan.folder)
    names = _studies(options.only)
    started = time.monotonic()
    out = options.out or data.ROOT / ("target/experiments-quick" if plan.is_quick else "docs")
    store = Store(out / "results" / "cells.csv")
    if store.tables - set(plan.tables):
        raise BadInput(f"`{out}` holds the results of another kind of run; give another --out")
    everything = plans.all_tasks(plan, list(plans.STUDIES))
    if not options.page:
        tasks = _wanted(everything, names, _tables(options.tables, plan))
        tasks = [task for task in tasks if not (options.no_svm and task.kind == "svm")]
        # Only new results replace those of another build.
        todo, dropped = store.begin(tasks, plan)
        if dropped:
            print(f"{dropped:,} results of another build, data or setting were dropped", file=sys.stderr)
        runner.run_all(todo, store, plan, options.jobs)
        if "scale" in names:
            scale.run(out / "results" / scale.FILE, plan.is_quick, library_of("lire"))
    store.keep(everything)
    from study import page  # It loads what draws, which refusals and runs need not wait for.

    path = page.write(store, plan, out, options.jobs, missing=store.n_missing(everything))
    print(f"wrote {path} after {time.monotonic() - started:.0f} s", file=sys.stderr)
    return 0


def _wanted(everything: list[Task], names: list[str], tables: list[str]) -> list[Task]:
    found = [task for task in everything if task.study in names and task.table in tables]
    if not found and "scale" not in names:
        raise BadInput(f"nothing of {', '.join(names)} is about {', '.join(tables)}; ask for other studies or tables")
    return found


def _studies(only: str | None) -> list[str]:
    known = [*plans.STUDIES, "scale"]
    names = list(plans.STUDIES) if only is None else only.split(",")
    unknown = [name for name in names if name not in known]
    if unknown:
        raise BadInput(f"there is no study `{unknown[0]}`; there are {', '.join(known)}")
    return names


def _tables(only: str | None, plan: Plan) -> list[str]:
    names = plan.tables if only is None else only.split(",")
    unknown = [name for name in names if name not in plan.tables]
    if unknown:
        raise BadInput(f"there is no table `{unknown[0]}`; there are {', '.join(plan.tables)}")
    return names


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="The study of LIRE's paper, run anew, and what lies beyond it.")
    parser.add_argument("--data", type=Path, default=Path(), help="the folder with the tables")
    parser.add_argument("--out", type=Path, help="the folder for results.md and results/; docs by default")
    parser.add_argument("--quick", action="store_true", help="a smoke run on the shipped example")
    parser.add_argument(
        "--only", metavar="STUDIES", help="some of candidates,tradeoff,demonstration,comparison,beyond,scale"
    )
    parser.add_argument("--tables", metavar="NAMES", help="some of the tables, such as Heart,COMPAS")
    parser.add_argument("--no-svm", action="store_true", help="skip the support vector machines")
    parser.add_argument("--page", action="store_true", help="only write the page, from stored results")
    parser.add_argument("--jobs", type=_jobs, default=os.cpu_count() or 1, help="tasks to run at a time, one core each")
    return parser


def _jobs(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is no number from 1 up")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
