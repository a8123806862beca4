-- Version 1 of the desk. Released: never changed, only followed by another step.

CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    title TEXT,
    archived_at INTEGER,
    -- The last record that the user has seen.
    seen_seq INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

-- What was typed and not sent. The session is empty for one that is not begun yet.
CREATE TABLE drafts (
    session TEXT PRIMARY KEY,
    text TEXT NOT NULL,
    changed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE keybindings (
    action TEXT PRIMARY KEY,
    keys TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE presets (
    name TEXT PRIMARY KEY,
    options TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE budgets (
    name TEXT PRIMARY KEY,
    usd REAL NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE roots (
    path TEXT PRIMARY KEY,
    allowed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Of a token only the digest is kept.
CREATE TABLE devices (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    digest BLOB NOT NULL UNIQUE,
    added_at INTEGER NOT NULL,
    seen_at INTEGER
) STRICT, WITHOUT ROWID;
