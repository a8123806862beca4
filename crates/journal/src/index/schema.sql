-- The tables of the index. All of it is derived from the logs: a change here is a new SCHEMA in `file.rs`, and no
-- migration.

CREATE TABLE sessions (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    -- Which log it was made of, up to which record, and how long that was then; the lengths where they are known.
    identity TEXT NOT NULL,
    seq INTEGER NOT NULL,
    log_bytes INTEGER,
    packed_bytes INTEGER,
    title TEXT,
    title_lower TEXT,
    cwd TEXT,
    model TEXT,
    mode TEXT,
    version TEXT,
    created_at INTEGER NOT NULL,
    active_at INTEGER NOT NULL,
    phase TEXT NOT NULL,
    words TEXT NOT NULL,
    since INTEGER NOT NULL,
    asks INTEGER NOT NULL,
    unconfirmed INTEGER NOT NULL,
    cost_usd REAL NOT NULL,
    inherited_usd REAL NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER,
    cache_creation_tokens INTEGER,
    turns INTEGER NOT NULL,
    last_turn_seq INTEGER NOT NULL,
    failed TEXT,
    first_prompt TEXT,
    imported_from TEXT,
    forked_from TEXT
) STRICT;
CREATE INDEX sessions_active ON sessions (active_at, id);

CREATE TABLE agent_sessions (
    session INTEGER NOT NULL,
    number INTEGER NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (session, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX agent_sessions_id ON agent_sessions (id);

CREATE TABLE turns (
    session INTEGER NOT NULL,
    number INTEGER NOT NULL,
    from_seq INTEGER NOT NULL,
    to_seq INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    duration_ms REAL,
    cost_usd REAL NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER,
    cache_creation_tokens INTEGER,
    model TEXT,
    cwd TEXT,
    outcome TEXT NOT NULL,
    stop_reason TEXT,
    terminal_reason TEXT,
    prompt TEXT,
    inherited INTEGER NOT NULL,
    PRIMARY KEY (session, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX turns_ended ON turns (ended_at);

CREATE TABLE turn_models (
    session INTEGER NOT NULL,
    number INTEGER NOT NULL,
    model TEXT NOT NULL,
    cost_usd REAL NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER,
    cache_creation_tokens INTEGER,
    PRIMARY KEY (session, number, model)
) STRICT, WITHOUT ROWID;

CREATE TABLE tool_calls (
    session INTEGER NOT NULL,
    id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    place INTEGER NOT NULL,
    turn INTEGER,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    parent TEXT,
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    status TEXT NOT NULL,
    about TEXT NOT NULL,
    PRIMARY KEY (session, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX tool_calls_seq ON tool_calls (session, seq, place);

-- Words to search. The words stand here once; the search has only what it needs to find them.
CREATE TABLE texts (
    key INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,
    kind TEXT NOT NULL,
    item TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (session, kind, item)
) STRICT;

CREATE VIRTUAL TABLE texts_search USING fts5 (
    text, content = 'texts', content_rowid = 'key', tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TRIGGER texts_come AFTER INSERT ON texts BEGIN
    INSERT INTO texts_search (rowid, text) VALUES (new.key, new.text);
END;
CREATE TRIGGER texts_go AFTER DELETE ON texts BEGIN
    INSERT INTO texts_search (texts_search, rowid, text) VALUES ('delete', old.key, old.text);
END;
CREATE TRIGGER texts_change AFTER UPDATE OF text ON texts WHEN old.text <> new.text BEGIN
    INSERT INTO texts_search (texts_search, rowid, text) VALUES ('delete', old.key, old.text);
    INSERT INTO texts_search (rowid, text) VALUES (new.key, new.text);
END;
