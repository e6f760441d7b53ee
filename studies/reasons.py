"""Why figures differ, by source and place: what was tested, and how. A reason is for what a run says differs."""

_SIZE_OF_FIRE = (
    "How many rules are left follows from how the descent ends, and ours is another (see the notes). With the published"
    " descent (`as_published=True`) Collembola has 508 rules for 505; EDM fewer. Solar flare has hundreds for 24: there"
    " nothing beats the average by much (RRMSE 0.99), so that the thresholds tie and the number of rules is left to"
    " chance."
)
_LIMITED_TREES = (
    "The source's forests are grown and counted as the same authors' study of forests does (leaves of two draws, a node"
    " that its inputs cannot split is a leaf), which their sizes show; rows of Collembola differ, whose inputs have"
    " gaps. Its trees are CLUS's with settings that it does not name; ours are pruned by inner folds."
)
_PICKED = (
    "It was tested whether another test of purity gives it: without any the tree has 6,338 leaves, with pure nodes"
    " divided once more 5,684, with nodes of two rows kept whole 4,727 or, without purity, some 5,258; scikit-learn has"
    " 5,449 to 5,451. Not explained."
)
_FIRST = (
    "Tested: binary splits (5.5 points away on average instead of 2.8), C4.5's rule of average gain, two rows in two"
    ' branches, values not seen at a node taken as errors (table "First trees of nominal inputs"): none gives'
    " tic-tac-toe and monks 1, the last gives car (88.1 for 89.0). Not explained for these two sets."
)
_TIES = (
    "Where few invented rows come to a node, or Q ties, ours takes the fewest leaves and tends to the smallest tree,"
    " which is good: with 10 rows the mean is that of Occam's tree with 100 alternatives. The source's tables, down to"
    " 45 % on a set, can only come from ties that are broken towards worse trees; it does not say how."
)
_CLASSES = (
    "With each target counted once the classes tell forests and bagging apart no better; other discretisations of the"
    ' targets change sizes far from the printed ones ("a class for each abundance"), so the reading is not at fault.'
    " The source counts targets of E11 and E12 twice. Not explained further."
)
_MORE_POWER = (
    "Ours is the clearer result in the same direction; targets of water quality decide it. With the targets of all"
    " tables counted (second table of the section) the p-values move by powers of ten in both directions."
)
_BOSTON = (
    "Draws of the folds differ by more than the forms do: the RMSE of depth 4 is 3.9 with one draw and 3.4 with the"
    " next, hard and soft alike (the spread shown), and the source's folds are not known. Ten inner folds with all"
    " rules softened change it by less."
)
_KEPT = (
    "Of all leaves of 400 trees ours keep 1 to 6 %, by the penalty of least error over the folds. Softening all rules"
    ' and choosing by ten folds (row "all rules softened") does not bring them to 10 %. The lasso takes one rule of'
    " those that are nearly the same; what the source counts as all rules it does not say."
)

REASONS: dict[tuple[str, str], str] = {
    ("000", "V.A, sizes"): _LIMITED_TREES + " " + _SIZE_OF_FIRE,
    ("000", "table II, Collembola, sizes"): _LIMITED_TREES,
    ("000", "table II, EDM, sizes"): _LIMITED_TREES,
    ("000", "table II, solar flare, sizes"): _LIMITED_TREES,
    ("000", "table II, water quality, sizes"): _LIMITED_TREES,
    ("000", "table II, literal sizes"): _SIZE_OF_FIRE,
    ("001", "2, 7.1"): "The source counts 11,816 rows, ours are 11,815: a count of lines has the header, too.",
    ("001", "7.4, leaves"): _PICKED,
    ("001", "7.4, MAPE"): (
        "It is out of reach on test rows, also for the unpruned tree; on its own training rows the full tree has 3.96 %"
        " (note in the section): the published figure seems to be such an error."
    ),
    ("002", "2, kept"): _KEPT,
    ("002", "table 1, RMSE"): _BOSTON,
    ("002", "table 1, correlation"): _BOSTON,
    ("002", "table 1, a tenth"): _BOSTON,
    ("003", "4.3, classification"): _CLASSES,
    ("003", "4.3, regression"): _MORE_POWER,
    ("003", "table 3, regression"): _MORE_POWER,
    ("004", "experiments, first trees"): _FIRST,
    ("004", "experiments 2/4"): _TIES,
    ("004", "experiments 2/4, means"): _TIES,
    ("004", "experiments 3/4"): _TIES,
    ("004", "experiments 3/4, means"): _TIES,
    ("004", "conclusion, kappa"): _TIES,
    ("004", "conclusion, invented rows"): _TIES,
}
