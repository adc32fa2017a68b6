"""The models from which one was selected."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from lire import _native

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Higher scores are better, so losses change their sign, as in scikit-learn.
_LOSSES = {"log_loss", "rmse"}


class Chosen:
    """Attributes about the selection of ``gamma`` and ``lambda_``."""

    _selection: dict[str, Any] | None
    _fitted: _native.Model

    @property
    def best_params_(self) -> dict[str, float | None]:
        """The prices of the model."""
        gamma, lambda_ = self._fitted.prices
        return {"gamma": gamma, "lambda_": lambda_}

    @property
    def path_(self) -> list[dict[str, Any]]:
        """The models that were compared."""
        self._fitted  # noqa: B018 - raises if not fitted
        selection = getattr(self, "_selection", None)
        return [] if selection is None else selection["models"]

    @property
    def cv_results_(self) -> dict[str, Any]:
        """The models that were compared, in the format of scikit-learn's searches."""
        models = self.path_
        if not models:
            raise AttributeError("gamma and lambda_ were given, so no models were compared")
        metric = self._metric()
        sign = -1.0 if metric in _LOSSES else 1.0

        def of(model: dict[str, Any], which: str) -> float:
            summary = (model["validation"] or {}).get(metric) or {}
            value = summary.get(which)
            return float("nan") if value is None else float(value)

        mean = np.array([sign * of(model, "mean") for model in models])
        order = np.where(np.isnan(mean), -np.inf, mean)
        return {
            "params": [{"gamma": model["gamma"], "lambda_": model["lambda"]} for model in models],
            "param_gamma": np.array([model["gamma"] for model in models]),
            "param_lambda_": np.array([model["lambda"] for model in models]),
            "n_rules": np.array([model["n_rules"] for model in models]),
            "local_support_mean": np.array([model["local_support_mean"] for model in models]),
            "mean_train_score": np.array(
                [sign * (np.nan if (value := model["train"][metric]) is None else value) for model in models]
            ),
            "mean_test_score": mean,
            "std_test_score": np.array([of(model, "std") for model in models]),
            "rank_test_score": 1 + np.array([int((order > value).sum()) for value in order], dtype=np.int32),
            "chosen": np.array([model["chosen"] for model in models]),
        }

    def plot_path(self, ax: Axes | None = None) -> Axes:
        """Plot the metric of the models against their rules per explanation; needs matplotlib."""
        check_is_fitted(self)
        results, metric = self.cv_results_, self._metric()
        if ax is None:
            try:
                from matplotlib import pyplot
            except ImportError as error:
                raise ImportError("plot_path() needs matplotlib; pip install matplotlib") from error
            _, ax = pyplot.subplots(figsize=(6.4, 4.2), layout="constrained")
        sign = -1.0 if metric in _LOSSES else 1.0
        size, mean = results["local_support_mean"], sign * results["mean_test_score"]
        std, chosen = np.nan_to_num(results["std_test_score"]), results["chosen"]
        for mask, colour, label in (~chosen, "#2b6cb0", "compared"), (chosen, "#d96b0b", "chosen"):
            ax.errorbar(
                size[mask], mean[mask], yerr=std[mask], fmt="o", color=colour, label=label, elinewidth=0.8
            )
        ax.set_xlabel("rules per explanation")
        ax.set_ylabel(f"{metric}, on held-out rows")
        ax.spines[["top", "right"]].set_visible(False)
        ax.legend(frameon=False)
        return ax

    def _metric(self) -> str:
        selection = getattr(self, "_selection", None)
        return "auc" if selection is None else selection["metric"]
