"""Why figures differ, by source and place: what was tested, and how. A reason is for what a run says differs."""

_SIZES = (
    "Forests: leaves of two draws, nodes that their inputs cannot split as leaves, and models of all rows are read from"
    " the same authors' study of forests; with them EDM, solar flare, water quality and the mean over 15 sets come"
    " within 2 %. Collembola's inputs have gaps, which the source sends down both branches. Trees: its way to prune is"
    " not named; ours are pruned by inner folds, and on solar flare down to the mean. Rules: how many are left follows"
    " from how a descent ends. The published descent (`as_published=True`) leaves about as many as printed on"
    " Collembola and water quality, half as many on EDM, and hundreds for 24 on solar flare, where nothing beats the"
    " mean by more than 2 % and the choice between thresholds is left to chance."
)
_DEFAULT = (
    "The tree of solar flare is the mean of the training rows (see sizes). FIRE on water quality is better than printed"
    " because its descent is another: the published one gives 0.954 there (0.940 printed), the default 0.919."
)
_OF_TARGETS = (
    "The trees of solar flare are the mean. The x-class has a flare in few rows, so that the error of a fold without"
    " one is a ratio of two small numbers: pooled over folds the forest has 1.04 for 1.05 printed."
)
_PICKED = (
    "It was tested whether another test of purity gives it: without any the tree has 6,338 leaves, with pure nodes"
    " divided once more 5,684 (note in the section); scikit-learn's trees have 5,449 to 5,451. Nor does another"
    " criterion give it (`python -m studies.cart.criteria`): added variances 5,769 leaves, added standard deviations"
    " 5,759, absolute errors 5,504, roots and logarithms of prices 5,457 and 5,446. What adds so few leaves is"
    " rounding: scikit-learn's tree of logarithms, whose pure nodes are not pure to the last bit, has 5,536. That"
    " the source's program divides such nodes is a guess that cannot be tested without it."
)
_FIRST = (
    "Tested: binary splits (5.5 points away on average instead of 2.8), C4.5's rule of average gain, two rows in two"
    ' branches, values not seen at a node taken as errors (table "First trees of nominal inputs"): none gives'
    " tic-tac-toe and monks 1, the last gives car (88.1 for 89.0). Nor do information gain and DKM in place of the gain"
    " ratio, or small and nearly pure nodes as leaves (`python -m studies.archetype.readings`): tic-tac-toe has 82.7 to"
    " 86.5 in all of them for 78.2 printed, and what lowers it most, leaves of fewer than 10 rows, ruins monks 2 (60.2"
    " for 74.8). So no rule of growth or stopping that we know gives both; the source names neither its sets nor its"
    " folds."
)
_TIES = (
    "Where few invented rows come to a node, or Q ties, ours takes the fewest leaves and tends to the smallest tree,"
    " which is good: with 10 rows the mean is that of Occam's tree with 100 alternatives. The source's tables, down to"
    " 45 % on a set, can only come from ties that are broken towards worse trees; it does not say how."
)
_FUSION = (
    "All ten means over sets agree with the maximum as fusion, which gains 2.9 points over the first tree with 1,000"
    ' alternatives (published 4.0); by means it is 1.6, and monks 2 loses (rows "by means"). What differs set by set'
    " are those where the first tree already does (tic-tac-toe, monks 1, car), and new thyroid, where ours lose by"
    " fusing. p-values over 13 sets, each run once, hang on these."
)
_SOLUTIONS = (
    "How many trees there are depends on which alternatives are woken, at random, and on the splits that are kept as"
    " alternatives, which the source does not say: ours keep the best split of every other input. The numbers rise"
    " alike, from two digits to ten and twenty."
)
_CLASSES = (
    "With each target counted once the classes tell forests and bagging apart no better; other discretisations of the"
    ' targets change sizes far from the printed ones ("a class for each abundance"), so the reading is not at fault.'
    " The source counts targets of E11 and E12 twice. It was tested how far the draw decides (`python -m"
    " studies.modt.luck --seeds 4`, ten folds, without thyroid): p is 0.29, 0.08, 0.08 and 0.38 with each target once,"
    " 0.36, 0.34, 0.04 and 0.79 with all tables, so that one draw of four has a p-value like the printed 0.025."
)
_MORE_POWER = (
    "Ours is the clearer result in the same direction; targets of water quality decide it. With the targets of all"
    " tables counted (second table of the section) the p-values move by powers of ten in both directions."
)
_BOSTON = (
    "Draws of the folds differ by more than the forms do: with all inputs the RMSE of depth 4 is 3.9 and 3.6 (hard,"
    " soft) with one draw of ten folds and 3.4 with the next, and the source's folds are not known. With a tenth of"
    " the inputs a tree has one or two of thirteen; the figures are the source's neither way, those of all inputs"
    " nearer."
)
_KEPT = (
    "Of all leaves of 400 trees ours keep 1 to 7 %, by the penalty of least error over the folds. Softening all rules"
    ' and choosing by ten folds (row "all rules softened") does not bring them to 10 %. Of rules that cover the same'
    " rows one is taken; what the source counts as all rules it does not say."
)
_AREAS = (
    "Three of ten folds are judged, whose spread is wide. Fewer training rows were tested as the reason: with two"
    " thirds of the rows instead of nine tenths Madelon had 0.78 to 0.86 (one fold), now 0.80 to 0.88, so that half of"
    " the figures agree. The rest is not tested; Arcene is level or better."
)
_LUCK = (
    "Chance was tested: of ten forests in the source's own folds none reaches 13,715, the best has 13,839 (note in the"
    " section); out of bag the errors are larger still. So the source's forest is judged in folds and a lucky one."
)
_MAPE = "Ours are better in relative error, on every seed; the source's trees are a little worse throughout."
_NODES = (
    "Single models of one seed: the median is within half a percent. Bridges has gaps in its inputs, which the source's"
    ' program sends down both branches; other readings are far off (table "Nodes if the source is read otherwise").'
)

REASONS: dict[tuple[str, str], str] = {
    **{
        ("000", place): _SIZES
        for place in (
            "V.A, sizes",
            "table II, Collembola, sizes",
            "table II, EDM, sizes",
            "table II, solar flare, sizes",
            "table II, water quality, sizes",
            "table II, literal sizes",
            "table II, last rows, sizes",
            "V.B, ratio",
        )
    },
    ("000", "table II, solar flare"): _DEFAULT,
    ("000", "table II, water quality"): _DEFAULT,
    ("000", "table II, targets"): _OF_TARGETS,
    ("001", "2, 7.1"): "The source counts 11,816 rows, ours are 11,815: a count of lines has the header, too.",
    ("001", "7.4, leaves"): _PICKED,
    ("001", "7.4, subtrees"): (
        "Ours count alphas that are equal but for rounding once; as floats 4,345 differ, by the printed denominator"
        " 4,820 (note in the section). The source's full tree has other leaves to begin with."
    ),
    ("001", "7.4, MAPE"): (
        "It is out of reach on test rows, also for the unpruned tree; on its own training rows the full tree has 3.96 %"
        " (note in the section): the published figure seems to be such an error."
    ),
    ("001", "7.5, MAPE"): _MAPE,
    ("001", "7.6, p/3 inputs"): _LUCK,
    ("002", "2, kept"): _KEPT,
    ("002", "table 1, correlation"): _BOSTON,
    ("002", "table 1, RMSE"): _BOSTON,
    ("002", "table 1, a tenth"): _BOSTON,
    ("002", "table 3, Arcene"): _AREAS,
    ("002", "table 3, Madelon"): _AREAS,
    ("003", "4.3, classification"): _CLASSES,
    ("003", "4.3, regression"): _MORE_POWER,
    ("003", "table 3, regression"): _MORE_POWER,
    ("003", "4.3, speed"): "Of one run, whose seconds vary by more than the gap.",
    ("003", "table 4, classification"): _NODES,
    ("003", "table 4, regression"): _NODES,
    ("004", "experiments, first trees"): _FIRST,
    **{
        ("004", place): _TIES
        for place in (
            "experiments 2/4",
            "experiments 2/4, means",
            "experiments 3/4",
            "experiments 3/4, means",
            "conclusion, kappa",
            "conclusion, invented rows",
        )
    },
    **{
        ("004", place): _FUSION
        for place in (
            "experiments 4/4, fused",
            "experiments 4/4, archetype",
            "experiments 4/4, Occam",
            "conclusion, fused > first tree",
            "conclusion, archetype > first tree",
            "conclusion, fused > archetype",
        )
    },
    ("004", "experiments 4/4, #Sol"): _SOLUTIONS,
}
