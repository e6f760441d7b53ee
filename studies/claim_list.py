"""The claims of the five sources, in their order. What differs has its reason in `reasons`."""

from studies.claim_types import Claim, Figures, Held, NotRun, Shown
from studies.reasons import REASONS

FIRE, CART, SOFT, MODT, ARCH = "000 FIRE", "001 CART", "002 soft rules", "003 MODT", "004 archetypes"
FOUR = ("tree", "random forest", "FIRE", "FIRE, 20 rules")
LITERAL = ("FIRE as published", "FIRE as published, 20 rules")
ABOUT_FOUR = "tree / forest / FIRE / 20 rules"
SETS = {"collembola": "Collembola", "edm": "EDM", "sf1": "solar flare", "wq": "water quality"}


def _of_four(study_row: str, metric: str, models: tuple[str, ...] = FOUR) -> Figures:
    return Figures("fire", metric, tuple(study_row.format(model) for model in models))


def _p_of_fire(title: str) -> Figures:
    return Figures("fire", "p (Friedman)", (f"models differ, figure {title}",))


def _of_cart(row: str, metric: str = "RMSE") -> Figures:
    return Figures("cart", metric, (row,))


OF_FIRE = (
    Claim(FIRE, "eq. 1", "a prediction is the average plus weighted rules, one weight a rule",
          Held("tests/weights/test_gradient.py"), "formula"),
    Claim(FIRE, "section III", "trees of random depth, 3 on average; leaves become rules",
          Held("tests/ensemble/test_sampling.py"), "procedure"),
    Claim(FIRE, "section III", "a rule's largest part is 1",
          Held("tests/weights/test_published.py"), "formula"),
    Claim(FIRE, "eq. 2, 3", "the loss is the mean over targets of half the squared error",
          Held("tests/weights/test_gradient.py"), "formula"),
    Claim(FIRE, "figures 1, 2", "the optimiser: thresholds, check every 100 steps, back to the best, first k weights",
          Held("tests/weights/test_published.py"), "algorithm"),
    Claim(FIRE, "table I", "15 sets with one target", Shown("fire"), "15 sets"),
    Claim(FIRE, "table I, II", "Forest Kras, Slivnica, Meta learning, Microarthropods, Sigmea (two), Vegetation",
          NotRun("not public"), "7 of 11 sets"),
    Claim(FIRE, "V.A", f"mean RRMSE over 15 sets: {ABOUT_FOUR}", _of_four("mean of sets with one target: {}", "RRMSE")),
    Claim(FIRE, "V.A, sizes", f"mean size over 15 sets: {ABOUT_FOUR}",
          _of_four("mean of sets with one target: {}", "size")),
    Claim(FIRE, "V.A", "RRMSE differ, p", _p_of_fire("3a: RRMSE, one target")),
    Claim(FIRE, "V.A", "sizes differ, p", _p_of_fire("3b: size, one target")),
    Claim(FIRE, "figure 3a", "average ranks, RRMSE, one target", Shown("fire"), "diagram"),
    Claim(FIRE, "figure 3b", "average ranks, size, one target", Shown("fire"), "diagram"),
    *(Claim(FIRE, f"table II, {words}", f"mean over targets: {ABOUT_FOUR}", _of_four(name + ": {}", "aRRMSE"))
      for name, words in SETS.items()),
    *(Claim(FIRE, f"table II, {words}, literal", "mean over targets, as_published=True: FIRE / 20 rules",
            _of_four(name + ": {}", "aRRMSE", LITERAL)) for name, words in SETS.items()),
    Claim(FIRE, "table II, targets", "RRMSE of each target of four sets, with deviations",
          Figures("fire", "RRMSE", (r"\w+, .*: .* \(source: .*\)",))),
    *(Claim(FIRE, f"table II, {words}, sizes", f"leaves or rules: {ABOUT_FOUR}", _of_four(name + ": {}", "size"))
      for name, words in SETS.items()),
    Claim(FIRE, "table II, literal sizes", "rules, as_published=True, four sets",
          Figures("fire", "size", tuple(f"{name}: FIRE as published" for name in SETS))),
    Claim(FIRE, "table II, last rows", f"average over targets: {ABOUT_FOUR}",
          _of_four(r"average over targets \(\d+\): {}", "RRMSE")),
    Claim(FIRE, "table II, last rows", f"average over data sets: {ABOUT_FOUR}",
          _of_four(r"average over data sets \(\d+\): {}", "RRMSE")),
    Claim(FIRE, "table II, last rows, sizes", f"average size: {ABOUT_FOUR}",
          _of_four(r"average over data sets \(\d+\): {}", "size")),
    Claim(FIRE, "V.B", "RRMSE of targets differ, p", _p_of_fire("4a: RRMSE of each target")),
    Claim(FIRE, "V.B", "mean RRMSE of sets differ, p", _p_of_fire("4b: mean RRMSE of each set")),
    Claim(FIRE, "V.B", "sizes differ, p", _p_of_fire("4c: size, many targets")),
    Claim(FIRE, "figures 4a, 4b, 4c", "average ranks: targets, sets, sizes", Shown("fire"), "3 diagrams"),
    Claim(FIRE, "V.B, ratio", "leaves of a forest for each rule of FIRE",
          Figures("fire", "ratio", ("leaves of a forest for each rule of FIRE",))),
    Claim(FIRE, "figures 5a, 5b, 5c", "average ranks by the limit on rules", Shown("fire"), "3 diagrams"),
    Claim(FIRE, "VI", "further work: predictive clustering rules (ordered, unordered) on EDM and solar flare",
          Figures("covering", "aRRMSE", (".*rules by covering, 20 rules",)), "further work"),
    Claim(FIRE, "VI", "further work: linear terms, size found by itself",
          Held("tests/weights/test_choice.py"), "further work"),
)  # fmt: skip

OF_CART = (
    Claim(CART, "2, 7.1", "rows of the encoded table", _of_cart("encoded table", "rows")),
    Claim(CART, "2, 7.1", "inputs of the encoded table", _of_cart("encoded table", "inputs")),
    Claim(CART, "3.2, 3.3", "the split of least SSR, among midpoints", Held("tests/oracle/test_sklearn_trees.py"),
          "formula"),
    Claim(CART, "4.2", "weakest link cutting", Held("tests/oracle/test_pruning.py"), "formula"),
    Claim(CART, "4.3", "alpha by a test sample or by folds", Held("tests/oracle/test_pruning.py"), "procedure"),
    Claim(CART, "5.3", "the out-of-bag error", Held("tests/ensemble/test_out_of_bag.py"), "procedure"),
    Claim(CART, "figure 1", "RMSE over the two limits", Shown("cart"), "least near 20 / 5"),
    *(Claim(CART, "7.3", f"{row}: {metric}", _of_cart(row, metric))
      for row in ("tree, split 100 / leaf 40", "tree, split 20 / leaf 5") for metric in ("RMSE", "MAPE %")),
    Claim(CART, "7.4, leaves", "leaves of the full tree", _of_cart("full tree on all rows", "leaves")),
    Claim(CART, "7.4, subtrees", "subtrees of its pruning", _of_cart("full tree on all rows", "subtrees")),
    Claim(CART, "7.4", "pruned tree: RMSE", _of_cart(r"pruned, alpha by the test part \(optimistic\)")),
    Claim(CART, "7.4, MAPE", "pruned tree: MAPE", _of_cart(r"pruned, alpha by the test part \(optimistic\)", "MAPE %")),
    Claim(CART, "figure 2", "RMSE over the number of bagged trees", Shown("cart"), "least at 17"),
    Claim(CART, "7.5", "bagging, 17 trees: RMSE", _of_cart("bagging, 17 trees, out-of-bag")),
    Claim(CART, "7.5, MAPE", "bagging, 17 trees: MAPE", _of_cart("bagging, 17 trees, out-of-bag", "MAPE %")),
    Claim(CART, "figure 3", "RMSE over the number of inputs drawn", Shown("cart"), "least at p/3"),
    *(Claim(CART, f"7.6, {inputs}", f"forest, {inputs}, else leaf: {metric}",
            _of_cart(f"forest, 25 trees, {inputs}".replace("(", r"\(").replace(")", r"\)") + ", else leaf", metric))
      for inputs in ("1 input", "p/3 inputs", "sqrt(p) inputs", "log2(p) inputs") for metric in ("RMSE", "MAPE %")),
)  # fmt: skip

BOTH = ("hard", "soft")


def _of_boston(reading: str, metric: str) -> Figures:
    rows = tuple(f"boston, {reading}, depth {depth}: {form}" for form in BOTH for depth in (2, 3, 4, 5))
    return Figures("soft", metric, rows)


def _of_areas(name: str) -> Figures:
    return Figures(
        "areas", "AUC", tuple(rf"{name}, a tenth of the inputs, depth {d}: {f}" for f in BOTH for d in (2, 3, 4))
    )


OF_SOFT = (
    Claim(SOFT, "1, ISLE", "trees on samples, with a memory nu", Held("tests/ensemble/test_loop.py"), "algorithm"),
    Claim(SOFT, "1, ISLE", "c_j, how far to go along a tree", Held("tests/ensemble/test_fitted_steps.py"), "algorithm"),
    Claim(SOFT, "eq. 2", "lasso over whole trees, for numbers and classes", Held("tests/rules/test_whole_trees.py"),
          "formula"),
    Claim(SOFT, "eq. 4, 5", "lasso over hard and soft rules", Held("tests/weights/test_lasso.py"), "formula"),
    Claim(SOFT, "2", "logistic curves by Firth's corrected likelihood", Held("tests/rules/test_soften.py"), "formula"),
    Claim(SOFT, "2", "the best subset of terms by AIC", Held("tests/rules/test_soften.py"), "procedure"),
    Claim(SOFT, "2, kept", "share of the rules that stay after the lasso: all forms and sets",
          Figures("soft", "%", (".* leaves that stay rules",)), "10 to 20 %"),
    Claim(SOFT, "2, kept", "share of the rules that stay after the lasso: Arcene and Madelon",
          Figures("areas", "%", (".* leaves that stay rules",)), "10 to 20 %"),
    Claim(SOFT, "figure 1", "a hard rule and its soft curve", Shown("soft"), "picture"),
    Claim(SOFT, "table 1, correlation", "Boston, hard and soft, depth 2 to 5, all inputs",
          _of_boston("all inputs", "correlation")),
    Claim(SOFT, "table 1, RMSE", "Boston, hard and soft, depth 2 to 5, all inputs", _of_boston("all inputs", "RMSE")),
    Claim(SOFT, "table 1, a tenth", "Boston, RMSE, a tenth of the inputs for each tree",
          _of_boston("a tenth of the inputs", "RMSE")),
    Claim(SOFT, "table 2", "CIMMYT wheat, Bay x Sha", NotRun("not public"), "32 figures"),
    Claim(SOFT, "table 3, Arcene", "AUC of hard and soft rules, depth 2 to 4", _of_areas("arcene")),
    Claim(SOFT, "table 3, Madelon", "AUC of hard and soft rules, depth 2 to 4", _of_areas("madelon")),
    Claim(SOFT, "figure 2", "Friedman 1 and 2: soft rules have the lower error at every depth", Shown("soft"),
          "boxplots"),
    Claim(SOFT, "3", "for classes hard and soft rules do not differ", Shown("areas"), "no difference"),
    Claim(SOFT, "4", "hard and soft rules together, by a group lasso", Held("tests/weights/test_lasso.py"),
          "further work"),
    Claim(SOFT, "4", "importance of rules and inputs, interactions, partial dependence",
          Held("tests/explain/test_averages.py"), "further work"),
)  # fmt: skip


def _p_of_modt(row: str, task: str) -> Figures:
    return Figures("modt", f"p {task}", (row,))


TESTS = ("bagging > tree", "forest > tree", "bagging > bagging per target", "forest > forest per target")
PRUNED = ("bagging > pruned tree", "forest > pruned tree")
OF_MODT = (
    Claim(MODT, "table 1", "predictive clustering: the sum of variances as they are, of entropies",
          Held("tests/grow/test_raw_variances.py"), "algorithm"),
    Claim(MODT, "4.1", "means and votes by probabilities", Held("tests/ensemble/test_prediction.py"), "procedure"),
    Claim(MODT, "table 2", "rows, inputs and targets of nine of 13 tables",
          Figures("modt", "rows|inputs|targets", ("Table 2, .*",)), "27 figures"),
    Claim(MODT, "table 2", "Sigma real (two), Sigma simulated, soil quality", NotRun("not public"), "4 of 13 tables"),
    *(Claim(MODT, f"table 3, {task}", f"{row}, p", _p_of_modt(row, task)) for row in TESTS
      for task in ("classification", "regression")),
    *(Claim(MODT, f"table 3, {task}", f"{row}, p (the other reading)", _p_of_modt(row, task)) for row in PRUNED
      for task in ("classification", "regression")),
    *(Claim(MODT, f"4.3, {task}", f"{row}, p", _p_of_modt(row, task))
      for row in ("forest > bagging", "forest per target > bagging per target")
      for task in ("classification", "regression")),
    *(Claim(MODT, f"table 4, {task}", "nodes of 100 trees: bagging and forests, one for all or for each target",
            Figures("modt", "nodes", (rf"E\d+ .*, {task}: .*",))) for task in ("classification", "regression")),
    Claim(MODT, "4.3, speed", "one ensemble for all targets is faster, mean ratio",
          Figures("modt", "mean ratio", ("seconds per target / of one ensemble for all",))),
    Claim(MODT, "5", "further work: boosting", Shown("modt"), "further work"),
    Claim(MODT, "5", "further work: numeric and nominal targets at once", Shown("modt"), "further work"),
)  # fmt: skip


def _cells(*models: str) -> Figures:
    return Figures("archetype", "accuracy %", tuple(f"(?!geometric mean).*: {model}" for model in models))


def _means(*models: str) -> Figures:
    return Figures("archetype", "accuracy %", tuple(f"geometric mean: {model}" for model in models))


def _p_of_arch(*rows: str) -> Figures:
    return Figures("archetype", "p", rows)


N = ("10", "100", "1,000")
OF_ARCH = (
    Claim(ARCH, "multi-tree", "suspended splits, woken one by one; their number of trees",
          Held("tests/ensemble/test_multitree.py"), "algorithm"),
    Claim(ARCH, "local fusion", "predictions of alternatives are fused at each node",
          Held("tests/ensemble/test_multitree.py"), "algorithm"),
    Claim(ARCH, "similarity", "theta, kappa and Q; the most similar tree", Held("tests/ensemble/test_multitree.py"),
          "formulas"),
    Claim(ARCH, "invented data", "rows drawn from the inputs' own distributions",
          Held("tests/ensemble/test_archetype.py"), "procedure"),
    Claim(ARCH, "experiments, first trees", "accuracies of the first tree on 13 sets", _cells("first tree")),
    Claim(ARCH, "experiments 2/4", "archetypes by similarity, 13 sets x 3",
          _cells("archetype 100", "archetype 100, theta", "archetype 100, q")),
    Claim(ARCH, "experiments 2/4, means", "first tree / fused / archetype by kappa / theta / Q",
          _means("first tree", "fused 100", "archetype 100", "archetype 100, theta", "archetype 100, q")),
    Claim(ARCH, "experiments 3/4", "archetypes by the number of invented rows, 13 sets x 4",
          _cells(*(f"archetype 100, {n} rows" for n in (*N, "100,000")))),
    Claim(ARCH, "experiments 3/4, means", "archetype with 10 / 100 / 1,000 / 10,000 / 100,000 invented rows",
          _means(*(f"archetype 100, {n} rows" for n in N), "archetype 100", "archetype 100, 100,000 rows")),
    *(Claim(ARCH, f"experiments 4/4, {kind}", f"{kind} with 10, 100 and 1,000 alternatives, 13 sets x 3",
            _cells(*(f"{kind} {n}" for n in N))) for kind in ("fused", "archetype", "Occam")),
    *(Claim(ARCH, f"experiments 4/4, {kind} means", f"{kind} with 10 / 100 / 1,000 alternatives",
            _means(*(f"{kind} {n}" for n in N))) for kind in ("fused", "archetype", "Occam")),
    Claim(ARCH, "experiments 4/4, #Sol", "trees in the multi-tree, as powers of ten",
          Figures("archetype", "log10", (".* alternatives",))),
    *(Claim(ARCH, f"conclusion, {words}", f"{words}, p for 10 / 100 / 1,000 alternatives", _p_of_arch(*rows))
      for words, rows in (
          ("fused > first tree", tuple(f"fused {n} > first tree" for n in N)),
          ("archetype > first tree", tuple(f"archetype {n} > first tree" for n in N)),
          ("fused > archetype", tuple(f"fused {n} > archetype {n}" for n in N)),
          ("archetype > Occam", tuple(f"archetype {n} > Occam {n}" for n in N)),
      )),
    Claim(ARCH, "conclusion, kappa", "kappa better than theta / Q, p",
          _p_of_arch("archetype 100 > archetype 100, theta", "archetype 100 > archetype 100, q")),
    Claim(ARCH, "conclusion, invented rows", "10,000 better than 10 / 100 / 1,000 / 100,000 invented rows, p",
          _p_of_arch(*(f"archetype 100 > archetype 100, {n} rows" for n in (*N, "100,000")))),
    Claim(ARCH, "hybrid method", "an archetype of any ensemble", Held("tests/ensemble/test_archetype.py"),
          "further work"),
)  # fmt: skip

CLAIMS = tuple(
    claim.because(REASONS.get((claim.source[:3], claim.where), ""))
    for claim in OF_FIRE + OF_CART + OF_SOFT + OF_MODT + OF_ARCH
)
