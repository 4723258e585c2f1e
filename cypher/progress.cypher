// How many items of a job are done; no row for a job never seen.
// parameters: job
// columns: done
MATCH (j:Job {name: $job})
RETURN j.done AS done
