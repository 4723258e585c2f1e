// Write how many items of a job are done.
// parameters: job, done
MERGE (j:Job {name: $job})
SET j.done = $done
