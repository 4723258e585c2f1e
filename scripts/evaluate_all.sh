#!/bin/bash
# Run every evaluation of docs/evaluation.md, and write its tables.
#
#     scripts/evaluate_all.sh DATA RESULTS [-g GRAPH] [--small INDEX] [--large INDEX] [--few-reader FOLDER]
#                             [--jobs N] [--only PATTERN] [--limit N]
#
# DATA is a folder of data sets as the page names them; RESULTS gets a folder for each run. Runs that were stopped go on.
# --small and --large are indexes of passages that `kgqa index` has made as the page says, --few-reader is the folder of a
# reader whose only rows of IfQA are the train part of IfQA-F: without them the runs that need them are left out, and their
# tables stay as they are. --jobs runs so many at a time, --only those whose folders match an extended regular expression,
# and --limit asks no more than so many questions of each set, to try things out: the page is then left alone. If it is stopped,
# runs that are under way come to their end by themselves.
set -euo pipefail

data=$1
results=$2
shift 2
here=$(cd "$(dirname "$0")/.." && pwd)
graph=() few="" small="" large="" jobs=1 only="" limit=""
while (($#)); do
    case $1 in
        -g) graph=(-g "$2") ;;
        --small) small=$2 ;;
        --large) large=$2 ;;
        --few-reader) few=$2 ;;
        --jobs) jobs=$2 ;;
        --only) only=$2 ;;
        --limit) limit=$2 ;;
        *)
            echo "error: no option '$1'; see the head of $0" >&2
            exit 2
            ;;
    esac
    shift 2
done
mkdir -p "$results"
failures=$(mktemp)
trap 'rm -f "$failures"' EXIT

run() {
    local folder=$1
    shift
    [[ $folder =~ $only ]] || return 0
    while (($(jobs -rp | wc -l) >= jobs)); do wait -n || true; done
    echo "== $folder" >&2
    { kgqa evaluate "$@" --out "$results/$folder" ${limit:+--limit "$limit"} || echo "$folder" >>"$failures"; } &
}

ask() {
    run "$@" "${graph[@]}"
}

ifqa=(ifqa --data "$data/ifqa/full_split/dev.json" --train "$data/ifqa/full_split/train.json")
if [ -n "$large" ]; then
    ask ifqa-large "${ifqa[@]}" --corpus "$large"
fi
if [ -n "$small" ]; then
    ask ifqa-small "${ifqa[@]}" --corpus "$small"
fi
for queries in whole main factual fused; do
    [ -z "$small" ] || ask "ifqa-small-$queries" "${ifqa[@]}" --corpus "$small" --queries $queries --way edits --passages 1
    [ -z "$large" ] || ask "ifqa-large-$queries" "${ifqa[@]}" --corpus "$large" --queries $queries --way edits --passages 1
done
ask ifqa "${ifqa[@]}"
ask ifqa-reader "${ifqa[@]}" --way reader
ask ifqa-edits "${ifqa[@]}" --way edits
ask ifqa-closed "${ifqa[@]}" --closed-book
ask ifqa-closed-graph "${ifqa[@]}" --closed-book --reader graph
few_dev=(ifqa --data "$data/ifqa/few_split/dev.json" --train "$data/ifqa/full_split/train.json")
ask ifqa-f-shipped "${few_dev[@]}"
if [ -n "$few" ]; then
    ask ifqa-f "${few_dev[@]}" --reader "extractive:$few"
    ask ifqa-f-reader "${few_dev[@]}" --reader "extractive:$few" --way reader
fi
ask squad2 squad2 --data "$data/reading/squad2_half_dev.json" --held-out
passages=()
for source in squad2 naturalquestions hotpotqa; do
    passages+=(--data "$data/causalqa/${source}_val.jsonl" --train "$data/causalqa/${source}_train.jsonl")
done
ask causalqa causalqa "${passages[@]}" --data "$data/causalqa/msmarco_val.jsonl"
ask causalqa-passages causalqa "${passages[@]}"
ask boolq boolq --data "$data/reading/boolq_val_a.jsonl" --held-out
ask boolq-boolean boolq --data "$data/reading/boolq_val_a.jsonl" --held-out --reader boolean
rows=$(wc -l <"$data/reading/drop_dev_slice.tsv")
head -n $((rows / 2)) "$data/reading/drop_dev_slice.tsv" >"$results/drop-first-half.tsv"
tail -n +$((rows / 2 + 1)) "$data/reading/drop_dev_slice.tsv" >"$results/drop-second-half.tsv"
drop=(drop --data "$results/drop-second-half.tsv" --train "$results/drop-first-half.tsv")
ask drop "${drop[@]}"
ask drop-extractive "${drop[@]}" --reader extractive
ask iirc iirc --data "$data/iirc/iirc_20.jsonl"

ask semeval-valid semeval-pairs --data "$data/semeval_pairs/valid.csv"
ask semeval-train semeval-pairs --data "$data/semeval_pairs/train.csv"
ask msmarco-valid msmarco-causal --data "$data/msmarco_causal/valid.json"
ask msmarco-train msmarco-causal --data "$data/msmarco_causal/train.json"
[ -z "$large" ] || ask msmarco-corpus msmarco-causal --data "$data/msmarco_causal/train.json" --corpus "$large"
if [[ refusal =~ $only ]]; then
    python "$here/scripts/build/build_refusal_set.py" "$data/msmarco_causal/train.json" "$data/reading/nq_open_1800.jsonl" \
        "$results/refusal.jsonl" "${graph[@]}"
    ask refusal refusal --data "$results/refusal.jsonl"
fi
if [[ graph-premises =~ $only ]]; then
    python "$here/scripts/build/build_premise_set.py" "$results/premises.jsonl" "${graph[@]}"
    ask graph-premises graph-premises --data "$results/premises.jsonl"
fi
falseqa=(falseqa --data "$data/presupposition/falseqa_valid.csv" --train "$data/presupposition/falseqa_train.csv")
ask falseqa "${falseqa[@]}"
ask falseqa-comment "${falseqa[@]}" --track gold-comment
if [[ sound =~ $only ]]; then
    python "$here/scripts/build/build_sound_questions.py" "$data" "$results/sound.csv"
    ask sound falseqa --data "$results/sound.csv"
fi
crepe=(crepe --data "$data/presupposition/crepe_4_full_rows.jsonl")
for track in main gold-comment; do
    ask "crepe-$track" "${crepe[@]}" --track $track
    ask "crepe-writing-$track" "${crepe[@]}" --subtask writing --track $track
done
creak=(creak --held-out --data "$data/presupposition/creak_train.jsonl" --train "$data/presupposition/creak_train.jsonl")
ask creak "${creak[@]}"
ask creak-explanation "${creak[@]}" --track gold-comment
if [ -n "$large" ]; then
    ask creak-large "${creak[@]}" --corpus "$large"
    if [[ fever-large =~ $only ]]; then
        python "$here/scripts/build/select_fever_claims.py" "$data/presupposition/fever_dev_a.jsonl" "$large" "$results/fever.jsonl"
        ask fever-large fever --held-out --data "$results/fever.jsonl" --corpus "$large"
    fi
fi
run extraction-semeval extraction-semeval --data "$data/extraction/semeval2010_task8_train.txt"
run extraction-news extraction-news --data "$data/extraction/causal_news_v2_train_subtask1.csv" \
    --data "$data/extraction/causal_news_v2_train_subtask2_grouped.csv"
run extraction-semeval-rules extraction-semeval --judge none --data "$data/extraction/semeval2010_task8_train.txt"
run extraction-news-rules extraction-news --judge none --data "$data/extraction/causal_news_v2_train_subtask1.csv" \
    --data "$data/extraction/causal_news_v2_train_subtask2_grouped.csv"

wait
if [ -s "$failures" ]; then
    echo "error: not all runs ended well, and the page is left alone: $(paste -sd ' ' "$failures")" >&2
    exit 1
fi
[ -n "$limit" ] || python "$here/scripts/build/fill_evaluation_page.py" "$here/docs/evaluation.md" "$results"
