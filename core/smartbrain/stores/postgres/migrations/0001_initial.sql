-- The tables of the embedded store (sqlite/migrations, where columns are explained), each led by its tenant: the
-- domain is the first column of every table and index, so that they can be partitioned and distributed by it. There
-- are no sequences and no foreign keys; a tenant's rows are numbered by its own row in tenants, which its writers
-- hold one after the other. Texts are compared byte by byte, as SQLite does. meta and migrations belong to the
-- installation.

CREATE TABLE meta (
    name  TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);

CREATE TABLE migrations (
    version INTEGER NOT NULL PRIMARY KEY,
    name    TEXT COLLATE "C" NOT NULL
);

CREATE TABLE tenants (
    domain   TEXT COLLATE "C" NOT NULL,
    next_key BIGINT NOT NULL DEFAULT 1,
    PRIMARY KEY (domain)
);

-- generation, turn_count and next_segment are counters, so that no hot path counts rows.
CREATE TABLE scopes (
    domain       TEXT COLLATE "C" NOT NULL,
    scope_id     BIGINT NOT NULL,
    type         TEXT COLLATE "C" NOT NULL,
    id           TEXT COLLATE "C" NOT NULL,
    generation   BIGINT NOT NULL DEFAULT 0,
    turn_count   BIGINT NOT NULL DEFAULT 0,
    next_segment BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (domain, scope_id),
    UNIQUE (domain, type, id)
);

-- The part of a session that lies in one scope.
CREATE TABLE sessions (
    domain     TEXT COLLATE "C" NOT NULL,
    scope_id   BIGINT NOT NULL,
    session_pk BIGINT NOT NULL,
    session_id TEXT COLLATE "C" NOT NULL,
    last_seq   BIGINT NOT NULL DEFAULT 0,
    turn_count BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (domain, scope_id, session_pk)
);
CREATE UNIQUE INDEX sessions_by_id ON sessions (domain, scope_id, session_id);
CREATE INDEX sessions_by_domain ON sessions (domain, session_id, last_seq);

-- A row for each revision; superseded_us is NULL in the newest. Messages have the ordinals first_ord and following
-- in the events space. segment and segment_chars say how the last stretch stood after the turn.
CREATE TABLE turns (
    domain            TEXT COLLATE "C" NOT NULL,
    scope_id          BIGINT NOT NULL,
    turn_pk           BIGINT NOT NULL,
    session_pk        BIGINT NOT NULL,
    turn_id           TEXT COLLATE "C" NOT NULL,
    revision          BIGINT NOT NULL,
    seq               BIGINT NOT NULL,
    status            TEXT COLLATE "C" NOT NULL,
    occurred_us       BIGINT NOT NULL,
    occurred_offset   BIGINT NOT NULL,
    recorded_us       BIGINT NOT NULL,
    recorded_offset   BIGINT NOT NULL,
    superseded_us     BIGINT,
    superseded_offset BIGINT,
    first_ord         BIGINT NOT NULL,
    message_count     BIGINT NOT NULL,
    segment           BIGINT NOT NULL,
    segment_chars     BIGINT NOT NULL,
    has_refs          BIGINT NOT NULL,
    payload           TEXT NOT NULL,
    PRIMARY KEY (domain, scope_id, turn_pk)
);
CREATE UNIQUE INDEX turns_by_id ON turns (domain, scope_id, turn_id, session_pk, revision);
CREATE INDEX turns_by_seq ON turns (domain, scope_id, session_pk, seq);
CREATE INDEX turns_by_session_time ON turns (domain, scope_id, session_pk, occurred_us, seq);
CREATE INDEX turns_by_time ON turns (domain, scope_id, occurred_us, seq);
CREATE INDEX turns_with_refs ON turns (domain, scope_id, occurred_us, seq) WHERE has_refs = 1;

CREATE TABLE messages (
    domain   TEXT COLLATE "C" NOT NULL,
    scope_id BIGINT NOT NULL,
    ord      BIGINT NOT NULL,
    turn_pk  BIGINT NOT NULL,
    payload  TEXT NOT NULL,
    PRIMARY KEY (domain, scope_id, ord)
);

CREATE TABLE speakers (
    domain   TEXT COLLATE "C" NOT NULL,
    scope_id BIGINT NOT NULL,
    code     BIGINT NOT NULL,
    name     TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (domain, scope_id, code)
);
CREATE UNIQUE INDEX speakers_by_name ON speakers (domain, scope_id, name);

CREATE TABLE open_turns (
    domain          TEXT COLLATE "C" NOT NULL,
    scope_id        BIGINT NOT NULL,
    open_pk         BIGINT NOT NULL,
    session_id      TEXT COLLATE "C" NOT NULL,
    turn_id         TEXT COLLATE "C" NOT NULL,
    opened_us       BIGINT NOT NULL,
    opened_offset   BIGINT NOT NULL,
    occurred_us     BIGINT NOT NULL,
    occurred_offset BIGINT NOT NULL,
    PRIMARY KEY (domain, scope_id, open_pk)
);
CREATE UNIQUE INDEX open_turns_by_id ON open_turns (domain, scope_id, session_id, turn_id);

CREATE TABLE staged (
    domain    TEXT COLLATE "C" NOT NULL,
    scope_id  BIGINT NOT NULL,
    staged_pk BIGINT NOT NULL,
    open_pk   BIGINT NOT NULL,
    key       TEXT COLLATE "C" NOT NULL,
    kind      TEXT COLLATE "C" NOT NULL,
    payload   TEXT NOT NULL,
    PRIMARY KEY (domain, scope_id, staged_pk)
);
CREATE UNIQUE INDEX staged_by_key ON staged (domain, scope_id, open_pk, key);

-- closed_from_us is from when the item was superseded or retracted, NULL while it is active.
CREATE TABLE items (
    domain          TEXT COLLATE "C" NOT NULL,
    scope_id        BIGINT NOT NULL,
    item_pk         BIGINT NOT NULL,
    ord             BIGINT NOT NULL,
    id              TEXT COLLATE "C" NOT NULL,
    type            TEXT COLLATE "C" NOT NULL,
    key             TEXT COLLATE "C" NOT NULL,
    status          TEXT COLLATE "C" NOT NULL,
    occurred_us     BIGINT NOT NULL,
    occurred_offset BIGINT NOT NULL,
    recorded_us     BIGINT NOT NULL,
    recorded_offset BIGINT NOT NULL,
    closed_from_us  BIGINT,
    payload         TEXT NOT NULL,
    PRIMARY KEY (domain, scope_id, item_pk)
);
CREATE UNIQUE INDEX items_by_id ON items (domain, id, scope_id);
CREATE UNIQUE INDEX items_by_ord ON items (domain, scope_id, ord);
CREATE INDEX items_by_key ON items (domain, scope_id, type, key);
CREATE INDEX items_by_status ON items (domain, scope_id, status, occurred_us, recorded_us);

CREATE TABLE item_sources (
    domain     TEXT COLLATE "C" NOT NULL,
    scope_id   BIGINT NOT NULL,
    source_pk  BIGINT NOT NULL,
    item_pk    BIGINT NOT NULL,
    session_id TEXT COLLATE "C" NOT NULL,
    turn_id    TEXT COLLATE "C" NOT NULL,
    message_id TEXT COLLATE "C",
    span_start BIGINT,
    span_end   BIGINT,
    payload    TEXT NOT NULL,
    PRIMARY KEY (domain, scope_id, source_pk)
);
CREATE INDEX item_sources_by_item ON item_sources (domain, scope_id, item_pk, turn_id);

CREATE TABLE verdicts (
    domain      TEXT COLLATE "C" NOT NULL,
    scope_id    BIGINT NOT NULL,
    verdict_pk  BIGINT NOT NULL,
    item_id     TEXT COLLATE "C",
    commit_id   TEXT COLLATE "C" NOT NULL,
    session_id  TEXT COLLATE "C" NOT NULL,
    turn_id     TEXT COLLATE "C" NOT NULL,
    recorded_us BIGINT NOT NULL,
    payload     TEXT NOT NULL,
    PRIMARY KEY (domain, scope_id, verdict_pk)
);
CREATE INDEX verdicts_by_item ON verdicts (domain, scope_id, item_id) WHERE item_id IS NOT NULL;
CREATE INDEX verdicts_by_turn ON verdicts (domain, scope_id, turn_id);

CREATE TABLE mentions (
    domain        TEXT COLLATE "C" NOT NULL,
    scope_id      BIGINT NOT NULL,
    mention_pk    BIGINT NOT NULL,
    turn_pk       BIGINT NOT NULL,
    key           TEXT COLLATE "C" NOT NULL,
    surface       TEXT COLLATE "C" NOT NULL,
    message_id    TEXT COLLATE "C",
    message_index BIGINT,
    occurred_us   BIGINT NOT NULL,
    PRIMARY KEY (domain, scope_id, mention_pk)
);
CREATE INDEX mentions_by_key ON mentions (domain, scope_id, key, occurred_us);
CREATE INDEX mentions_by_turn ON mentions (domain, scope_id, turn_pk, key);

CREATE TABLE summaries (
    domain       TEXT COLLATE "C" NOT NULL,
    scope_id     BIGINT NOT NULL,
    session_id   TEXT COLLATE "C" NOT NULL,
    version      BIGINT NOT NULL,
    generated_us BIGINT NOT NULL,
    payload      TEXT NOT NULL,
    PRIMARY KEY (domain, scope_id, session_id, version)
);

CREATE TABLE contexts (
    domain         TEXT COLLATE "C" NOT NULL,
    scope_id       BIGINT NOT NULL,
    context_pk     BIGINT NOT NULL,
    context_id     TEXT COLLATE "C" NOT NULL,
    session_id     TEXT COLLATE "C" NOT NULL,
    created_us     BIGINT NOT NULL,
    created_offset BIGINT NOT NULL,
    payload        TEXT NOT NULL,
    PRIMARY KEY (domain, scope_id, context_pk)
);
CREATE UNIQUE INDEX contexts_by_id ON contexts (domain, scope_id, context_id);
CREATE INDEX contexts_by_domain ON contexts (domain, created_us);

-- The lexical index (smartbrain.stores.index). space: 0 events, 1 memory.
CREATE TABLE index_heads (
    domain       TEXT COLLATE "C" NOT NULL,
    scope_id     BIGINT NOT NULL,
    space        BIGINT NOT NULL,
    n_docs       BIGINT NOT NULL,
    n_flushed    BIGINT NOT NULL,
    total_length BIGINT NOT NULL,
    generation   BIGINT NOT NULL,
    parent       BIGINT NOT NULL,
    PRIMARY KEY (domain, scope_id, space)
);

CREATE TABLE index_postings (
    domain   TEXT COLLATE "C" NOT NULL,
    scope_id BIGINT NOT NULL,
    space    BIGINT NOT NULL,
    term     TEXT COLLATE "C" NOT NULL,
    base     BIGINT NOT NULL,
    block    BYTEA NOT NULL,
    PRIMARY KEY (domain, scope_id, space, term, base)
);

CREATE TABLE index_columns (
    domain   TEXT COLLATE "C" NOT NULL,
    scope_id BIGINT NOT NULL,
    space    BIGINT NOT NULL,
    base     BIGINT NOT NULL,
    block    BYTEA NOT NULL,
    PRIMARY KEY (domain, scope_id, space, base)
);

CREATE TABLE index_tail (
    domain   TEXT COLLATE "C" NOT NULL,
    scope_id BIGINT NOT NULL,
    space    BIGINT NOT NULL,
    ord      BIGINT NOT NULL,
    block    BYTEA NOT NULL,
    PRIMARY KEY (domain, scope_id, space, ord)
);
