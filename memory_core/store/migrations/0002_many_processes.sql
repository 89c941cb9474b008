-- Work that is under way or has failed. Work to be done is a query over the other tables, so that
-- nothing queued is lost; a row is here only while there is something to say about it.
CREATE TABLE job (
    kind TEXT NOT NULL,
    scope INTEGER NOT NULL REFERENCES scope (key),
    attempts INTEGER NOT NULL DEFAULT 0,    -- failed ones
    last_error TEXT NOT NULL DEFAULT '',
    not_before TEXT,                        -- next attempt; NULL after failures: parked
    holder TEXT,                            -- the process at work on it; NULL: none
    leased_until TEXT,                      -- after this it is taken for dead
    PRIMARY KEY (kind, scope)
) STRICT;
INSERT INTO job (kind, scope, attempts, last_error, not_before)
    SELECT kind, scope, attempts, last_error, not_before FROM failed_job;
DROP TABLE failed_job;

-- Embedding models that have, or are to get, a vector of every memory.
CREATE TABLE embedder (
    model TEXT PRIMARY KEY,     -- fingerprint, as in vector.model
    recipe TEXT NOT NULL,       -- JSON: the settings that name it, without keys
    dimension INTEGER NOT NULL,
    threshold REAL NOT NULL,    -- cosine from which it calls texts related
    ready_at TEXT,              -- since then it answers; NULL: its vectors are being made
    last_used_at TEXT NOT NULL
) STRICT;

-- What language models were asked, by UTC day.
CREATE TABLE model_usage (
    day TEXT NOT NULL,
    model TEXT NOT NULL,
    kind TEXT NOT NULL,         -- of question
    calls INTEGER NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    PRIMARY KEY (day, model, kind)
) STRICT;
