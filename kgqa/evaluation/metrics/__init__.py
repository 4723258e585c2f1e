"""The metrics M1 to M19 of the four papers, with intervals, calibration and risk: pure functions, nothing heavy at import.

Every score lies in 0..1, BLEU included (the papers print percent). Functions that score one item return one number or a small
record, so that items can be resampled. `form` is "strict" (as the paper defines it) or "released" (as the authors' code computes
it, faults included). What cannot be scored raises `MetricInvalid`; a library that is not installed raises
`graph.errors.PackageMissing`. `docs/metrics.md` lists the metrics with their functions and the differences of the forms.
"""
