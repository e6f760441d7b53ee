"""The data sets that take part in no choice: measured at the end, not looked at while a default or a rule is chosen.

They were named on 2026-11-18, before the work on probabilities, short rules and accuracy began. Whoever tunes a
default uses the other sets (`CHOICE_SETS`). A benchmark that reports both kinds marks the rows of `TEST_SETS`.
"""

TEST_SETS = {
    "numbers": ("ailerons", "california", "delta_ailerons", "boston", "servo", "cloud"),
    "classes": ("balance_scale", "new_thyroid", "dermatology", "ecoli", "house_votes", "bridges"),
    "many targets": ("slump", "edm", "scm20d"),
}
CHOICE_SETS = {
    "numbers": ("kin8nm", "cpu_act", "house_8L", "abalone", "pbc", "strike", "auto_mpg", "quake"),
    "classes": ("hepatitis", "tic_tac_toe", "madelon", "car", "tae", "post_operative", "thyroid", "emotions"),
    "many targets": ("bias_ucl", "collembola", "scpf", "jura", "enb", "andro", "sf1", "sf2", "wq", "rf1"),
}
