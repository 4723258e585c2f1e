"""The metrics M1 to M19 of the four papers, with intervals, calibration and risk: pure functions, nothing heavy at import.

Every score lies in 0..1, BLEU included (the papers print percent). Functions that score one item return one number or a small
record, so that items can be resampled; functions of a whole set say so. `form` is "strict" (as the paper defines it) or
"released" (as the authors' code computes it, faults included). What cannot be scored raises `MetricInvalid`; a library that is
not installed raises `graph.errors.PackageMissing` with what to install. `docs/metrics.md` has the table with the differences.

One item at a time
    `normalisation`   `normalise(text)`, `words(text)`
    `exact`           `exact_match(prediction, answers)`, `token_f1(prediction, answers)` (M1, M2, M11); `overlap`, `Scores`
    `unigram`         `unigram_f1(prediction, references, form)` (M6)
    `rouge`           `rouge_l(prediction, references, form) -> Scores`; `rouge_averages(scores, form)` (M10)
    `drop`            `drop_scores(prediction, golds, form) -> DropScores(exact, f1)`; `Gold(spans, numeric)`, `NULL` (M13, M14)
    `retrieval`       `recall_at(ranked, gold, k, need)` (M3); `set_scores(predicted, gold) -> Scores` (M16);
                      `by_group(pairs)`, `links_group(count)` (M17)
A whole set at a time
    `bleu`            `bleu(predictions, references)` (M5)
    `similarity`      `embedding_similarity(predictions, references, encoder)`: one number an item; `Encoder` (M7)
    `classification`  `confusion(gold, predicted, labels) -> Confusion` with `.accuracy`, `.balanced_accuracy`, `.mcc`,
                      `.macro_f1`, `.scores(label)`; `presupposition_f1(gold, predicted, form)` (M4),
                      `null_scores(gold, predicted)` (M15); `is_false_presupposition(label)`, `yes_or_no(counts)`
    `human`           `read_ratings(path)`, `rubric_means(ratings)`, `agreement(ratings)`, `blind_sheet(outputs, seed)` (M9)
    `averages`        `mean(scores)`, `both_parts(presupposition, correction)` (M8), `macro(by_set)`,
                      `micro(by_set, counts)` (M12)
    `rules`           `rule_scores(matched, causal)` (M18)
    `claims`          `claim_support(evidence_counts)` (M19)
How sure a number is
    `intervals`       `Interval(value, low, high)`; `bootstrap(items, statistic, ...)`, `bootstrap_mean(scores, ...)`,
                      `bootstrap_counts(counts, statistic, ...)`, `paired_difference(first, second, ...)`, `wilson(count, total)`
    `significance`    `sign_flip_test(first, second)`: a paired permutation test
    `calibration`     `reliability(confidences, correct, bins)`, `expected_calibration_error(...)`, `brier(...)`
    `risk`            `risk_curve(confidences, losses)`, `aurc`, `excess_aurc`, `auroc(scores, positive)`,
                      `coverage_at(confidences, losses, risk)`
"""
