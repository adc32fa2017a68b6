"""Runs tasks on several cores, one core per task, and reports progress."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from collections import defaultdict
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from typing import Any

from study.store import Store
from study.tasks import Plan, Task

# Each task has one core, so that times can be compared.
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def run_all(tasks: list[Task], store: Store, plan: Plan, jobs: int) -> None:
    """Runs the tasks in order and stores each result when it is ready."""
    if not tasks:
        return
    os.environ.update(_ONE_THREAD)
    progress = Progress(tasks, jobs)
    context = multiprocessing.get_context("spawn")
    executor = ProcessPoolExecutor(jobs, mp_context=context, initializer=_leave_interrupts_to_parent)
    waiting = iter(tasks)
    running: dict[Future[Any], Task] = {}
    try:
        for task in waiting:
            running[executor.submit(_run, task, plan)] = task
            if len(running) >= 2 * jobs:  # One to work on and one to go on with.
                _collect(running, store, plan, progress)
        while running:
            _collect(running, store, plan, progress)
        executor.shutdown()
    except BaseException:
        for process in list(executor._processes.values()):
            process.terminate()
        executor.shutdown(wait=False, cancel_futures=True)
        raise
    finally:
        progress.end()


def _collect(running: dict[Future[Any], Task], store: Store, plan: Plan, progress: Progress) -> None:
    done, _ = wait(running, return_when=FIRST_COMPLETED)
    for future in done:
        task = running.pop(future)
        try:
            result = future.result()
        except Exception as error:
            error.add_note(f"while working on {' / '.join(task.key)}")
            raise
        store.add(task, plan, result)
        progress.done(task, result["seconds"] + result["tuning_seconds"])


def _run(task: Task, plan: Plan) -> dict[str, Any]:
    # The libraries take seconds to load; the parent does not need them.
    from study import methods

    return methods.run(task, plan)


def _leave_interrupts_to_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class Progress:
    """A progress line with an estimate of the time left."""

    def __init__(self, tasks: list[Task], jobs: int) -> None:
        self._left: dict[tuple[str, str, str], list[Task]] = defaultdict(list)
        for task in tasks:
            self._left[_group(task)].append(task)
        self._seen: dict[tuple[str, str, str], list[float]] = defaultdict(list)
        self._total, self._jobs = len(tasks), jobs
        self._shown, self._started = 0.0, time.monotonic()

    def done(self, task: Task, seconds: float) -> None:
        """Counts a task as finished."""
        self._left[_group(task)].remove(task)
        self._seen[_group(task)].append(seconds / task.cost)
        interval = 0.2 if sys.stderr.isatty() else 15.0
        if time.monotonic() - self._shown >= interval:
            self._shown = time.monotonic()
            self._show(task)

    def end(self) -> None:
        """Keeps the last line on the terminal."""
        elapsed = time.monotonic() - self._started
        finished = sum(map(len, self._seen.values()))
        print(f"{_ending()}{finished} of {self._total} tasks in {_span(elapsed)}", file=sys.stderr)

    def _show(self, task: Task) -> None:
        finished = sum(map(len, self._seen.values()))
        left = f"about {_span(self._remaining())} left"
        print(
            f"{_ending()}{finished:>5} of {self._total}  {left}  {task.study}: {task.table}, {task.method}",
            end="" if sys.stderr.isatty() else "\n",
            file=sys.stderr,
            flush=True,
        )

    def _remaining(self) -> float:
        """Estimates the time of a task from earlier tasks of its kind, or else from its expected cost."""
        factors = [factor for seen in self._seen.values() for factor in seen]
        usual = sum(factors) / len(factors)
        work = 0.0
        for group, tasks in self._left.items():
            seen = self._seen[group]
            work += (sum(seen) / len(seen) if seen else usual) * sum(task.cost for task in tasks)
        return work / self._jobs


def _group(task: Task) -> tuple[str, str, str]:
    return task.study, task.table, task.method


def _ending() -> str:
    return "\r\x1b[K" if sys.stderr.isatty() else ""


def _span(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
