"""Why figures differ, by source and place: what was tested, and how. A reason is for what a run says differs."""

REASONS: dict[tuple[str, str], str] = {}
