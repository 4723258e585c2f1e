"""The metrics M1 to M19 of the four papers, with intervals, calibration and risk: pure functions, nothing heavy at import.

Every score lies in 0..1, BLEU included (the papers print percent). Functions that score one item return one number or a small
record, so that items can be resampled; functions of a whole set say so. `form` is "strict" (as the paper defines it) or
"released" (as the authors' code computes it, faults included). What cannot be scored raises `MetricInvalid`; a library that is
not installed raises `graph.errors.PackageMissing` with what to install. `docs/metrics.md` has the table with the differences.

One item at a time
    `text_scores`         `normalise_text(text)`, `normalised_words(text)`; `exact_match(prediction, answers)`,
                          `token_f1(prediction, answers)` (M1, M2, M11); `bag_overlap`, `PrecisionRecall`;
                          `unigram_f1(prediction, references, form)` (M6); `rouge_l(prediction, references, form)`,
                          `rouge_averages(scores, form)` (M10)
    `drop_scores`         `drop_scores(prediction, golds, form) -> DropScores(exact, f1)`; `AnnotatedAnswer(spans, numeric)`,
                          `NULL` (M13, M14); the assignment of spans to spans
    `retrieval_scores`    `recall_at(ranked, gold, k, need)` (M3); `set_scores(predicted, gold)` (M16);
                          `means_by_group(pairs)`, `links_group(count)` (M17)
A whole set at a time
    `text_scores`         `bleu(predictions, references)` (M5); `embedding_similarity(predictions, references, encoder)`: one
                          number an item; `TextEncoder` (M7)
    `label_scores`        `confusion(gold, predicted, labels) -> Confusion` with `.accuracy`, `.balanced_accuracy`, `.mcc`,
                          `.macro_f1`, `.scores(label)`; `presupposition_f1(gold, predicted, form)` (M4),
                          `null_scores(gold, predicted)` (M15); `is_false_presupposition(label)`, `binary_confusion(counts)`;
                          `rule_scores(matched, causal)` (M18); `claim_support(evidence_counts)` (M19)
    `human_ratings`       `read_ratings(path)`, `rubric_means(ratings)`, `rater_agreement(ratings)`, `blind_sheet(outputs,
    seed)` (M9)
    `metric_conventions`  the two forms, what is demanded of lists and numbers; `mean(scores)`,
                          `mean_of_both_parts(presupposition, correction)` (M8), `macro_average(by_set)`,
                          `micro_average(by_set, counts)` (M12)
How sure a number is
    `score_intervals`     `Interval(value, low, high)`; `bootstrap(items, statistic, ...)`, `bootstrap_mean(scores, ...)`,
                          `bootstrap_counts(counts, statistic, ...)`, `paired_difference(first, second, ...)`,
                          `wilson(count, total)`; `sign_flip_test(first, second)`: a paired permutation test
    `confidence_scores`   `reliability(confidences, correct, bins)`, `expected_calibration_error(...)`, `brier(...)`;
                          `risk_curve(confidences, losses)`, `aurc`, `excess_aurc`, `auroc(scores, positive)`,
                          `coverage_at(confidences, losses, risk)`
"""
