"""What a notebook shows of a fitted estimator, below scikit-learn's diagram."""

from typing import Any


class ShownInNotebooks:
    """Adds a panel to the diagram of an estimator, where there is one for it."""

    def _panel_as_html(self) -> str:
        """What a fitted model shows of itself; nothing by default, and before a fit."""
        return ""

    def _repr_html_inner(self) -> str:
        return super()._repr_html_inner() + self._panel_as_html()  # type: ignore[misc]

    def _repr_mimebundle_(self, **given: Any) -> dict[str, str]:
        """What a notebook shows: scikit-learn's diagram, and the panel once there is one."""
        bundle: dict[str, str] = super()._repr_mimebundle_(**given)  # type: ignore[misc]
        if "text/html" in bundle:
            bundle["text/html"] += self._panel_as_html()
        return bundle
