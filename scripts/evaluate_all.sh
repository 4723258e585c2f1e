#!/bin/bash
# Run every evaluation of docs/evaluation.md, and write its tables.
#
#     scripts/evaluate_all.sh DATA RESULTS [-g GRAPH]
#
# DATA is a folder of data sets as the page names them; RESULTS gets a folder for each run. Runs that were stopped go on.
set -euo pipefail

data=$1
results=$2
shift 2
here=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$results"

run() {
    local folder=$1 name=$2
    shift 2
    echo "== $folder" >&2
    kgqa evaluate "$name" --out "$results/$folder" "$@"
}

run semeval-valid semeval-pairs --data "$data/semeval_pairs/valid.csv" "$@"
run semeval-train semeval-pairs --data "$data/semeval_pairs/train.csv" "$@"
run msmarco-valid msmarco-causal --data "$data/msmarco_causal/valid.json" "$@"
run msmarco-train msmarco-causal --data "$data/msmarco_causal/train.json" "$@"
python "$here/scripts/build_refusal_set.py" "$data/msmarco_causal/train.json" "$data/reading/nq_open_1800.jsonl" "$results/refusal.jsonl" "$@"
run refusal refusal --data "$results/refusal.jsonl" "$@"
run falseqa falseqa --data "$data/presupposition/falseqa_valid.csv" "$@"
run crepe crepe --data "$data/presupposition/crepe_4_full_rows.jsonl" "$@"
run iirc iirc --data "$data/iirc/iirc_20.jsonl" "$@"
run ifqa ifqa --data "$data/ifqa/full_split/dev.json" --train "$data/ifqa/full_split/train.json" "$@"
run causalqa causalqa --data "$data/causalqa/squad2_val.jsonl" --data "$data/causalqa/hotpotqa_val.jsonl" \
    --data "$data/causalqa/naturalquestions_val.jsonl" --data "$data/causalqa/msmarco_val.jsonl" "$@"
run boolq boolq --data "$data/reading/boolq_val_a.jsonl" "$@"
run drop drop --data "$data/reading/drop_dev_slice.tsv" --limit 1000 "$@"
run squad2 squad2 --data "$data/reading/squad2_half_dev.json" --limit 2000 "$@"
run extraction-semeval extraction-semeval --data "$data/extraction/semeval2010_task8_train.txt"
run extraction-news extraction-news --data "$data/extraction/causal_news_v2_train_subtask1.csv" \
    --data "$data/extraction/causal_news_v2_train_subtask2_grouped.csv"
python "$here/scripts/fill_evaluation_page.py" "$here/docs/evaluation.md" "$results"
