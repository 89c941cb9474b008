-- One row per user, assistant and cube (namespace). Ids are data, never paths or names of tables.
CREATE TABLE scope (
    key INTEGER PRIMARY KEY,
    cube TEXT NOT NULL,
    user_id TEXT NOT NULL,
    assistant_id TEXT NOT NULL,
    UNIQUE (cube, user_id, assistant_id)
) STRICT;

-- The one id space of everything that can be searched. key also is the order of arrival.
CREATE TABLE memory (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    scope INTEGER NOT NULL REFERENCES scope (key),
    at TEXT NOT NULL,           -- when it happened or became true, UTC
    recorded_at TEXT NOT NULL   -- when it was stored, UTC
) STRICT;

-- A topic. Its heat is computed from visits, its undigested pages and last_visit_at, never stored.
CREATE TABLE segment (
    key INTEGER PRIMARY KEY REFERENCES memory (key) ON DELETE CASCADE,
    scope INTEGER NOT NULL REFERENCES scope (key),
    title TEXT NOT NULL,
    summary TEXT NOT NULL,
    keywords TEXT NOT NULL,     -- JSON array
    visits INTEGER NOT NULL DEFAULT 0,
    last_visit_at TEXT NOT NULL,
    news INTEGER NOT NULL DEFAULT 0,  -- undigested pages state what long-term memory must know
    retired_at TEXT,            -- beyond capacity; its pages stay findable
    made_by TEXT NOT NULL
) STRICT;
CREATE INDEX segment_by_scope ON segment (scope, key) WHERE retired_at IS NULL;

-- A dialogue turn, verbatim. The tier is a column: without a segment it is short-term memory.
CREATE TABLE page (
    key INTEGER PRIMARY KEY REFERENCES memory (key) ON DELETE CASCADE,
    scope INTEGER NOT NULL REFERENCES scope (key),
    user_input TEXT NOT NULL,
    agent_response TEXT NOT NULL,
    meta_data TEXT NOT NULL,    -- JSON object
    segment INTEGER REFERENCES segment (key),
    digested_by TEXT            -- who distilled it into long-term memory; NULL: nobody yet
) STRICT;
CREATE INDEX page_by_scope ON page (scope, key);
CREATE INDEX page_in_window ON page (scope, key) WHERE segment IS NULL;
CREATE INDEX page_by_segment ON page (segment, key) WHERE segment IS NOT NULL;
CREATE INDEX page_undigested ON page (scope, segment)
    WHERE segment IS NOT NULL AND digested_by IS NULL;

-- A statement. Nothing true is overwritten: a newer one supersedes it.
CREATE TABLE fact (
    key INTEGER PRIMARY KEY REFERENCES memory (key) ON DELETE CASCADE,
    scope INTEGER NOT NULL REFERENCES scope (key),
    about TEXT NOT NULL,
    text TEXT NOT NULL,
    normal TEXT NOT NULL,       -- the text as compared with others
    attribute TEXT NOT NULL,
    section TEXT NOT NULL,
    confidence REAL NOT NULL,
    made_by TEXT NOT NULL,
    pinned INTEGER NOT NULL DEFAULT 0,
    uses INTEGER NOT NULL DEFAULT 0,
    last_used_at TEXT NOT NULL,
    superseded_by INTEGER REFERENCES fact (key),
    retired_at TEXT             -- beyond capacity
) STRICT;
CREATE INDEX fact_by_scope ON fact (scope, about, key);
CREATE VIEW current_fact AS
    SELECT * FROM fact WHERE superseded_by IS NULL AND retired_at IS NULL;

CREATE TABLE fact_source (
    fact INTEGER NOT NULL REFERENCES fact (key) ON DELETE CASCADE,
    page INTEGER NOT NULL REFERENCES page (key) ON DELETE CASCADE,
    PRIMARY KEY (fact, page)
) STRICT, WITHOUT ROWID;
CREATE INDEX fact_by_source ON fact_source (page);

CREATE TABLE profile (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    scope INTEGER NOT NULL REFERENCES scope (key),
    version INTEGER NOT NULL,
    lines TEXT NOT NULL,        -- JSON array of statements
    at TEXT NOT NULL,
    made_by TEXT NOT NULL,
    UNIQUE (scope, version)
) STRICT;

-- change grows with every write of a vector: an index catches up by it.
CREATE TABLE vector (
    change INTEGER PRIMARY KEY AUTOINCREMENT,
    item INTEGER NOT NULL REFERENCES memory (key) ON DELETE CASCADE,
    piece INTEGER NOT NULL,     -- long texts have several
    model TEXT NOT NULL,        -- fingerprint; vectors of two models are never compared
    kind TEXT NOT NULL,
    scope INTEGER NOT NULL,
    data BLOB NOT NULL,         -- float32, little endian, unit length
    UNIQUE (item, model, piece)
) STRICT;
CREATE INDEX vector_by_scope ON vector (model, scope, kind, change);

-- Terms of every memory, made by memory_core.text. rowid is memory.key.
CREATE VIRTUAL TABLE words USING fts5 (
    tag, terms, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2'
);

-- Work that failed. Work to be done is a query over the tables above, so that nothing queued is lost.
CREATE TABLE failed_job (
    kind TEXT NOT NULL,
    scope INTEGER NOT NULL REFERENCES scope (key),
    attempts INTEGER NOT NULL,
    last_error TEXT NOT NULL,
    not_before TEXT,            -- NULL: parked until the next start
    PRIMARY KEY (kind, scope)
) STRICT;
