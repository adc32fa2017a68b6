"""Progress of a fit."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

Callback = Callable[[dict[str, Any]], Any]


class Progress:
    """Prints progress (``verbose``) and passes it to ``callback``."""

    def __init__(self, verbose: int, callback: Callback | None, who: str) -> None:
        self.verbose, self.callback, self.who = verbose, callback, who
        self.begun = time.monotonic()
        self.told = float("-inf")

    @classmethod
    def of(cls, verbose: int, callback: Callback | None, who: str) -> Progress | None:
        """The listener, or None if there is nothing to print or call."""
        if callback is not None and not callable(callback):
            raise TypeError(f"callback must be a function of one dict, not {type(callback).__name__}")
        if not isinstance(verbose, int):
            raise TypeError(f"verbose must be a whole number, not {verbose!r}")
        return cls(int(verbose), callback, who) if verbose or callback is not None else None

    def __call__(self, stage: str, count: int, value: float, output: int = 0, n_outputs: int = 1) -> bool:
        """Report a step; returns True if the fit shall stop with the best model so far."""
        now = time.monotonic()
        event: dict[str, Any] = {"stage": stage, "seconds": now - self.begun}
        if stage == "trees":
            event |= {"done": count, "total": int(value)}
            message = f"{count}/{int(value)} trees"
        elif stage == "validation":
            event |= {"done": count, "total": int(value)}
            message = f"{count}/{int(value)} parts of the comparison on rows left out"
        elif stage == "outputs":
            event |= {"done": count, "total": int(value)}
            message = f"rules chosen for {count}/{int(value)} classes"
        else:
            event |= {"n_rules": count, "objective": value}
            message = f"{count} {'rule' if count == 1 else 'rules'}, objective {value:.6f}"
            if n_outputs > 1:
                event |= {"output": output, "n_outputs": n_outputs}
                message = f"class {output + 1} of {n_outputs}: {message}"
        # Print about once a second unless more was asked for.
        if self.verbose > 1 or (self.verbose and now - self.told >= 1.0):
            self.told = now
            print(f"[{self.who}] {event['seconds']:.1f} s: {message}", flush=True)
        return self.callback is not None and self.callback(event) is True
