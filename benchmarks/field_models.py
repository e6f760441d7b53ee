"""The models of `field.py`, each at its defaults, as functions from training and test rows to predictions.

A function gets a task ("numbers", "classes", "many targets"), inputs as a dataframe, targets as an array, the inputs to
predict and a seed. It gives predictions by name: rows x targets, or for classes rows x classes in the order of the
labels that it was trained on. Every model runs on one thread, and gets the table as a user would hand it over: nominal
columns as they are where it takes them, else one-hot; gaps as they are where it takes them, else the median.
"""

import importlib
import warnings

import numpy as np
import pandas as pd
from sklearn.compose import TransformedTargetRegressor, make_column_transformer
from sklearn.ensemble import (
    ExtraTreesRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LassoCV, LogisticRegressionCV, MultiTaskLassoCV
from sklearn.multioutput import MultiOutputRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import LabelEncoder, OneHotEncoder, StandardScaler

from glade import (
    FIRERegressor,
    ForestClassifier,
    ForestRegressor,
    RuleEnsembleClassifier,
    RuleEnsembleRegressor,
    RuleFitClassifier,
    RuleFitRegressor,
    TreeClassifier,
    TreeRegressor,
)

NUMBERS, CLASSES, MANY = "numbers", "classes", "many targets"
SIZES = (5, 10, 20)
FEW_ROWS = 700  # up to which the boosting machine also looks for interactions: it takes minutes beyond

warnings.filterwarnings("ignore")


def predict(model, task, X):
    """Rows x targets, or rows x classes."""
    if task == CLASSES:
        return np.asarray(model.predict_proba(X))
    return np.asarray(model.predict(X), dtype=float).reshape(len(X), -1)


def fit(model, task, X, Y, new):
    """Fit any estimator of scikit-learn's kind, and predict."""
    return predict(model.fit(X, Y if task == MANY else Y[:, 0]), task, new)


def choose(task, of_classes, of_numbers):
    """The class for a task."""
    return of_classes if task == CLASSES else of_numbers


def one_hot(X, *, fill, scale=False):
    """A transformer to numbers alone."""
    nominal = list(X.select_dtypes("category"))
    numeric = [column for column in X if column not in nominal]
    steps = ([SimpleImputer(strategy="median")] if fill else []) + ([StandardScaler()] if scale else [])
    encode = make_pipeline(
        SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    )
    return make_column_transformer(
        (encode, nominal), (make_pipeline(*steps) if steps else "passthrough", numeric), sparse_threshold=0
    )


# ---------------------------------------------------------------------------------------------------------- glade's own


def few_rules(task, X, Y, new, seed):
    """Rules of 5, 10 and 20 terms and of the size that they choose themselves, all of one fit."""
    model = choose(task, RuleEnsembleClassifier, RuleEnsembleRegressor)(random_state=seed)
    model.fit(X, Y if task == MANY else Y[:, 0])
    found = {f"rules {k}": predict(model.with_rules(k), task, new) for k in SIZES}
    return found | {"rules auto": predict(model, task, new), "terms of auto": np.array([[model.size_.terms]])}


def all_rules(task, X, Y, new, seed):
    kind = choose(task, RuleEnsembleClassifier, RuleEnsembleRegressor)
    return {"rules all": fit(kind(max_rules=None, random_state=seed), task, X, Y, new)}


def rulefit(task, X, Y, new, seed):
    return {"RuleFit": fit(choose(task, RuleFitClassifier, RuleFitRegressor)(random_state=seed), task, X, Y, new)}


def fire(task, X, Y, new, seed):
    if task == CLASSES:
        return {}
    return {"FIRE": fit(FIRERegressor(random_state=seed), task, X, Y, new)}


def forest(task, X, Y, new, seed):
    return {"forest": fit(choose(task, ForestClassifier, ForestRegressor)(100, random_state=seed), task, X, Y, new)}


def tree(task, X, Y, new, seed):
    kind = choose(task, TreeClassifier, TreeRegressor)
    return {"pruned tree": fit(kind(ccp_alpha="cv", random_state=seed), task, X, Y, new)}


OURS = {"few": few_rules, "all": all_rules, "rulefit": rulefit, "fire": fire, "forest": forest, "tree": tree}

# --------------------------------------------------------------------------------------------------------------- peers


def catboost(task, X, Y, new, seed):
    from catboost import CatBoostClassifier, CatBoostRegressor

    nominal = list(X.select_dtypes("category"))
    X, new = (
        part.assign(**{c: part[c].astype(object).fillna("gap").astype(str) for c in nominal}) for part in (X, new)
    )
    shared = {"random_seed": seed, "thread_count": 1, "verbose": False, "allow_writing_files": False}
    if task == CLASSES:
        model = CatBoostClassifier(**shared, cat_features=nominal)
    else:
        loss = "MultiRMSE" if task == MANY else "RMSE"
        model = CatBoostRegressor(**shared, cat_features=nominal, loss_function=loss)
    if task != MANY:
        return {"CatBoost": fit(model, task, X, Y, new)}
    scale = StandardScaler().fit(Y)  # by hand: scikit-learn cannot clone a CatBoost model with nominal inputs
    return {"CatBoost": scale.inverse_transform(fit(model, task, X, scale.transform(Y), new))}


def xgboost(task, X, Y, new, seed):
    from xgboost import XGBClassifier, XGBRegressor

    kind = choose(task, XGBClassifier, XGBRegressor)
    return {"XGBoost": fit_coded(kind(n_jobs=1, random_state=seed, enable_categorical=True), task, X, Y, new)}


def lightgbm(task, X, Y, new, seed):
    from lightgbm import LGBMClassifier, LGBMRegressor

    model = choose(task, LGBMClassifier, LGBMRegressor)(n_jobs=1, random_state=seed, verbose=-1)
    names = [f"x{k}" for k in range(X.shape[1])]
    return {"LightGBM": fit(each_target(model, task), task, X.set_axis(names, axis=1), Y, new.set_axis(names, axis=1))}


def hgb(task, X, Y, new, seed):
    kind = choose(task, HistGradientBoostingClassifier, HistGradientBoostingRegressor)
    return {"HistGradientBoosting": fit(each_target(kind(random_state=seed), task), task, X, Y, new)}


def ebm(task, X, Y, new, seed):
    """Without interactions."""
    if task == MANY:
        return {}
    return {"EBM, no interactions": fit_ebm(task, X, Y, new, seed, interactions=0)}


def ebm_default(task, X, Y, new, seed):
    if task == MANY or len(X) > FEW_ROWS:
        return {}
    return {"EBM": fit_ebm(task, X, Y, new, seed)}


def fit_ebm(task, X, Y, new, seed, **settings):
    from interpret.glassbox import ExplainableBoostingClassifier, ExplainableBoostingRegressor

    kind = choose(task, ExplainableBoostingClassifier, ExplainableBoostingRegressor)
    nominal = list(X.select_dtypes("category"))
    X, new = (part.assign(**{c: part[c].astype(object) for c in nominal}) for part in (X, new))
    return fit(kind(n_jobs=1, random_state=seed, **settings), task, X, Y, new)


def sklearn_forest(task, X, Y, new, seed):
    """With a third of the inputs at each split for numbers, as the source has it; all is scikit-learn's default."""
    if task == CLASSES:
        model = RandomForestClassifier(random_state=seed)
    else:
        model = TransformedTargetRegressor(
            RandomForestRegressor(max_features=1 / 3, random_state=seed), transformer=StandardScaler()
        )
    return {"scikit-learn's forest": fit(make_pipeline(one_hot(X, fill=False), model), task, X, Y, new)}


def extra_trees(task, X, Y, new, seed):
    if task != MANY:
        return {}
    model = TransformedTargetRegressor(ExtraTreesRegressor(random_state=seed), transformer=StandardScaler())
    return {"ExtraTrees": fit(make_pipeline(one_hot(X, fill=False), model), task, X, Y, new)}


def figs(task, X, Y, new, seed):
    if task == MANY:
        return {}
    of_classes, of_numbers = (
        getattr(importlib.import_module("imodels"), name) for name in ("FIGSClassifier", "FIGSRegressor")
    )
    model = choose(task, of_classes, of_numbers)(random_state=seed)
    encode = one_hot(X, fill=True).fit(X)
    return {"FIGS": fit_coded(model, task, encode.transform(X), Y, encode.transform(new))}


def linear(task, X, Y, new, seed):
    """The lasso, or logistic regression with a ridge penalty, its strength chosen by folds."""
    if task == CLASSES:
        model = LogisticRegressionCV(Cs=10, max_iter=1000, scoring="neg_log_loss", random_state=seed)
    else:
        kind = MultiTaskLassoCV if task == MANY else LassoCV
        model = TransformedTargetRegressor(kind(random_state=seed), transformer=StandardScaler())
    return {"lasso / logistic": fit(make_pipeline(one_hot(X, fill=True, scale=True), model), task, X, Y, new)}


def each_target(model, task):
    return MultiOutputRegressor(model) if task == MANY else model


def fit_coded(model, task, X, Y, new):
    """For those who take classes as numbers only."""
    if task == CLASSES:
        Y = LabelEncoder().fit_transform(Y[:, 0])[:, None]
    return fit(model, task, X, Y, new)


PEERS = {
    "catboost": catboost,
    "xgboost": xgboost,
    "lightgbm": lightgbm,
    "hgb": hgb,
    "ebm": ebm,
    "ebm-default": ebm_default,
    "sklearn-forest": sklearn_forest,
    "extra-trees": extra_trees,
    "figs": figs,
    "linear": linear,
}


def as_table(X):
    """Inputs as a dataframe whose names every library takes."""
    names = {c: "".join(s if s.isalnum() else "_" for s in str(c)) for c in X}
    return X.rename(columns=names) if len(set(names.values())) == len(names) else X.set_axis(range(X.shape[1]), axis=1)


__all__ = ["CLASSES", "MANY", "NUMBERS", "OURS", "PEERS", "as_table", "pd"]
