-- Every table that holds what a user said carries scope_id; text stands in one place only: payload columns, staged
-- records, summaries, contexts, and the names in speakers and mentions. Moments are microseconds since 1970-01-01
-- UTC (*_us) beside the minutes east of UTC they were given with (*_offset). Indexes begin with scope_id, as every
-- query does, so there are no foreign keys: those would need indexes that begin with the parent's key.

CREATE TABLE meta (
    name  TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE migrations (
    version INTEGER NOT NULL PRIMARY KEY,
    name    TEXT NOT NULL
);

-- generation, turn_count and next_segment are counters, so that no hot path counts rows.
CREATE TABLE scopes (
    scope_id     INTEGER NOT NULL PRIMARY KEY,
    domain       TEXT    NOT NULL,
    type         TEXT    NOT NULL,
    id           TEXT    NOT NULL,
    generation   INTEGER NOT NULL DEFAULT 0,
    turn_count   INTEGER NOT NULL DEFAULT 0,
    next_segment INTEGER NOT NULL DEFAULT 0,
    UNIQUE (domain, type, id)
);

-- The part of a session that lies in one scope. domain is repeated because sequence numbers run through all scopes
-- of a domain.
CREATE TABLE sessions (
    session_pk INTEGER NOT NULL PRIMARY KEY,
    scope_id   INTEGER NOT NULL,
    session_id TEXT    NOT NULL,
    domain     TEXT    NOT NULL,
    last_seq   INTEGER NOT NULL DEFAULT 0,
    turn_count INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX sessions_by_id ON sessions (scope_id, session_id);
CREATE INDEX sessions_by_domain ON sessions (domain, session_id, last_seq);

-- A row for each revision; superseded_us is NULL in the newest. Messages have the ordinals first_ord and following
-- in the events space. segment and segment_chars say how the last stretch stood after the turn.
CREATE TABLE turns (
    turn_pk           INTEGER NOT NULL PRIMARY KEY,
    scope_id          INTEGER NOT NULL,
    session_pk        INTEGER NOT NULL,
    turn_id           TEXT    NOT NULL,
    revision          INTEGER NOT NULL,
    seq               INTEGER NOT NULL,
    status            TEXT    NOT NULL,
    occurred_us       INTEGER NOT NULL,
    occurred_offset   INTEGER NOT NULL,
    recorded_us       INTEGER NOT NULL,
    recorded_offset   INTEGER NOT NULL,
    superseded_us     INTEGER,
    superseded_offset INTEGER,
    first_ord         INTEGER NOT NULL,
    message_count     INTEGER NOT NULL,
    segment           INTEGER NOT NULL,
    segment_chars     INTEGER NOT NULL,
    has_refs          INTEGER NOT NULL,
    payload           TEXT    NOT NULL
);
CREATE UNIQUE INDEX turns_by_id ON turns (scope_id, turn_id, session_pk, revision);
CREATE INDEX turns_by_seq ON turns (scope_id, session_pk, seq);
CREATE INDEX turns_by_session_time ON turns (scope_id, session_pk, occurred_us, seq);
CREATE INDEX turns_by_time ON turns (scope_id, occurred_us, seq);
CREATE INDEX turns_with_refs ON turns (scope_id, occurred_us, seq) WHERE has_refs = 1;

CREATE TABLE messages (
    message_pk INTEGER NOT NULL PRIMARY KEY,
    scope_id   INTEGER NOT NULL,
    ord        INTEGER NOT NULL,
    turn_pk    INTEGER NOT NULL,
    payload    TEXT    NOT NULL
);
CREATE UNIQUE INDEX messages_by_ord ON messages (scope_id, ord);

CREATE TABLE speakers (
    scope_id INTEGER NOT NULL,
    code     INTEGER NOT NULL,
    name     TEXT    NOT NULL,
    PRIMARY KEY (scope_id, code)
) WITHOUT ROWID;
CREATE UNIQUE INDEX speakers_by_name ON speakers (scope_id, name);

CREATE TABLE open_turns (
    open_pk         INTEGER NOT NULL PRIMARY KEY,
    scope_id        INTEGER NOT NULL,
    session_id      TEXT    NOT NULL,
    turn_id         TEXT    NOT NULL,
    opened_us       INTEGER NOT NULL,
    opened_offset   INTEGER NOT NULL,
    occurred_us     INTEGER NOT NULL,
    occurred_offset INTEGER NOT NULL
);
CREATE UNIQUE INDEX open_turns_by_id ON open_turns (scope_id, session_id, turn_id);

CREATE TABLE staged (
    staged_pk INTEGER NOT NULL PRIMARY KEY,
    scope_id  INTEGER NOT NULL,
    open_pk   INTEGER NOT NULL,
    key       TEXT    NOT NULL,
    kind      TEXT    NOT NULL,
    payload   TEXT    NOT NULL
);
CREATE UNIQUE INDEX staged_by_key ON staged (scope_id, open_pk, key);

-- closed_from_us is from when the item was superseded or retracted, NULL while it is active.
CREATE TABLE items (
    item_pk         INTEGER NOT NULL PRIMARY KEY,
    scope_id        INTEGER NOT NULL,
    ord             INTEGER NOT NULL,
    id              TEXT    NOT NULL,
    type            TEXT    NOT NULL,
    key             TEXT    NOT NULL,
    status          TEXT    NOT NULL,
    occurred_us     INTEGER NOT NULL,
    occurred_offset INTEGER NOT NULL,
    recorded_us     INTEGER NOT NULL,
    recorded_offset INTEGER NOT NULL,
    closed_from_us  INTEGER,
    payload         TEXT    NOT NULL
);
CREATE UNIQUE INDEX items_by_id ON items (id, scope_id);
CREATE UNIQUE INDEX items_by_ord ON items (scope_id, ord);
CREATE INDEX items_by_key ON items (scope_id, type, key);
CREATE INDEX items_by_status ON items (scope_id, status, occurred_us, recorded_us);

CREATE TABLE item_sources (
    source_pk  INTEGER NOT NULL PRIMARY KEY,
    scope_id   INTEGER NOT NULL,
    item_pk    INTEGER NOT NULL,
    session_id TEXT    NOT NULL,
    turn_id    TEXT    NOT NULL,
    message_id TEXT,
    span_start INTEGER,
    span_end   INTEGER,
    payload    TEXT    NOT NULL
);
CREATE INDEX item_sources_by_item ON item_sources (scope_id, item_pk, turn_id);

CREATE TABLE verdicts (
    verdict_pk  INTEGER NOT NULL PRIMARY KEY,
    scope_id    INTEGER NOT NULL,
    item_id     TEXT,
    commit_id   TEXT    NOT NULL,
    session_id  TEXT    NOT NULL,
    turn_id     TEXT    NOT NULL,
    recorded_us INTEGER NOT NULL,
    payload     TEXT    NOT NULL
);
CREATE INDEX verdicts_by_item ON verdicts (scope_id, item_id) WHERE item_id IS NOT NULL;
CREATE INDEX verdicts_by_turn ON verdicts (scope_id, turn_id);

CREATE TABLE mentions (
    mention_pk    INTEGER NOT NULL PRIMARY KEY,
    scope_id      INTEGER NOT NULL,
    turn_pk       INTEGER NOT NULL,
    key           TEXT    NOT NULL,
    surface       TEXT    NOT NULL,
    message_id    TEXT,
    message_index INTEGER,
    occurred_us   INTEGER NOT NULL
);
CREATE INDEX mentions_by_key ON mentions (scope_id, key, occurred_us);
CREATE INDEX mentions_by_turn ON mentions (scope_id, turn_pk, key);

CREATE TABLE summaries (
    scope_id     INTEGER NOT NULL,
    session_id   TEXT    NOT NULL,
    version      INTEGER NOT NULL,
    generated_us INTEGER NOT NULL,
    payload      TEXT    NOT NULL,
    PRIMARY KEY (scope_id, session_id, version)
);

-- domain is repeated because the newest contexts of a whole domain are kept.
CREATE TABLE contexts (
    context_pk     INTEGER NOT NULL PRIMARY KEY,
    scope_id       INTEGER NOT NULL,
    context_id     TEXT    NOT NULL,
    domain         TEXT    NOT NULL,
    session_id     TEXT    NOT NULL,
    created_us     INTEGER NOT NULL,
    created_offset INTEGER NOT NULL,
    payload        TEXT    NOT NULL
);
CREATE UNIQUE INDEX contexts_by_id ON contexts (scope_id, context_id);
CREATE INDEX contexts_by_domain ON contexts (domain, created_us);

-- The lexical index (smartbrain.stores.index). space: 0 events, 1 memory.
CREATE TABLE index_heads (
    scope_id     INTEGER NOT NULL,
    space        INTEGER NOT NULL,
    n_docs       INTEGER NOT NULL,
    n_flushed    INTEGER NOT NULL,
    total_length INTEGER NOT NULL,
    generation   INTEGER NOT NULL,
    parent       INTEGER NOT NULL,
    PRIMARY KEY (scope_id, space)
) WITHOUT ROWID;

CREATE TABLE index_postings (
    scope_id INTEGER NOT NULL,
    space    INTEGER NOT NULL,
    term     TEXT    NOT NULL,
    base     INTEGER NOT NULL,
    block    BLOB    NOT NULL,
    PRIMARY KEY (scope_id, space, term, base)
) WITHOUT ROWID;

CREATE TABLE index_columns (
    scope_id INTEGER NOT NULL,
    space    INTEGER NOT NULL,
    base     INTEGER NOT NULL,
    block    BLOB    NOT NULL,
    PRIMARY KEY (scope_id, space, base)
) WITHOUT ROWID;

CREATE TABLE index_tail (
    scope_id INTEGER NOT NULL,
    space    INTEGER NOT NULL,
    ord      INTEGER NOT NULL,
    block    BLOB    NOT NULL,
    PRIMARY KEY (scope_id, space, ord)
) WITHOUT ROWID;
