[Data]
File = penguins.arff

[Attributes]
Target = 5-6
Descriptive = 1-4,7
Disable = 8

[Tree]
Heuristic = VarianceReduction
ConvertToRules = Leaves

[Rules]
CoveringMethod = RulesFromTree
PredictionMethod = GDOptimized
OptGDMaxNbWeights = 10
OptAddLinearTerms = No

[Ensemble]
EnsembleMethod = RForest
Iterations = 100
EnsembleRandomDepth = Yes
