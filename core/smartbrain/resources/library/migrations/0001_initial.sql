-- A library of documents. Every table carries scope_id, and every query filters by it. Moments are microseconds since
-- 1970-01-01 UTC. What is found stands in entries; the index and the vectors are derived and can be made anew.

CREATE TABLE meta (
    name  TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE migrations (
    version INTEGER NOT NULL PRIMARY KEY,
    name    TEXT NOT NULL
);

-- generation grows with each write to a scope; next_segment is the number of the next stretch of text.
CREATE TABLE scopes (
    scope_id     INTEGER NOT NULL PRIMARY KEY,
    domain       TEXT    NOT NULL,
    type         TEXT    NOT NULL,
    id           TEXT    NOT NULL,
    generation   INTEGER NOT NULL DEFAULT 0,
    next_segment INTEGER NOT NULL DEFAULT 0,
    UNIQUE (domain, type, id)
);

-- folded: the path without letter case. root: the folder it was added with, empty for a text that is no file.
-- digest: of the bytes, of what was said about them and of the way they are read. body: the text, deflated.
CREATE TABLE documents (
    document_pk INTEGER NOT NULL PRIMARY KEY,
    scope_id    INTEGER NOT NULL,
    document_id TEXT    NOT NULL,
    path        TEXT    NOT NULL,
    folded      TEXT    NOT NULL,
    root        TEXT    NOT NULL,
    uri         TEXT    NOT NULL,
    title       TEXT    NOT NULL,
    abstract    TEXT    NOT NULL,
    format      TEXT    NOT NULL,
    language    TEXT    NOT NULL,
    digest      TEXT    NOT NULL,
    modified_us INTEGER NOT NULL,
    added_us    INTEGER NOT NULL,
    chars       INTEGER NOT NULL,
    metadata    TEXT    NOT NULL,
    labels      TEXT    NOT NULL,
    body        BLOB    NOT NULL
);
CREATE UNIQUE INDEX documents_by_path ON documents (scope_id, path);
CREATE UNIQUE INDEX documents_by_id ON documents (scope_id, document_id);
CREATE INDEX documents_by_folded ON documents (scope_id, folded);

-- The entries of one document in one layer have the ordinals first_ord and following in the layer's space.
CREATE TABLE places (
    scope_id    INTEGER NOT NULL,
    layer       INTEGER NOT NULL,
    document_pk INTEGER NOT NULL,
    first_ord   INTEGER NOT NULL,
    count       INTEGER NOT NULL,
    PRIMARY KEY (scope_id, layer, document_pk)
) WITHOUT ROWID;

-- layer: the digit of its name (0 chunks … 5 relations). start and end are characters of the document's text.
CREATE TABLE entries (
    entry_pk    INTEGER NOT NULL PRIMARY KEY,
    scope_id    INTEGER NOT NULL,
    layer       INTEGER NOT NULL,
    ord         INTEGER NOT NULL,
    document_pk INTEGER NOT NULL,
    name        TEXT    NOT NULL,
    heading     TEXT    NOT NULL,
    start       INTEGER NOT NULL,
    end         INTEGER NOT NULL,
    line        INTEGER NOT NULL,
    last_line   INTEGER NOT NULL,
    language    TEXT    NOT NULL,
    metadata    TEXT    NOT NULL,
    text        TEXT    NOT NULL
);
CREATE UNIQUE INDEX entries_by_ord ON entries (scope_id, layer, ord);

-- The lexical index (smartbrain.stores.index). space: the layer.
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

-- Vectors (smartbrain.stores.vectors), as in a store of memory. space: the layer.
CREATE TABLE vector_spaces (
    scope_id  INTEGER NOT NULL,
    space     INTEGER NOT NULL,
    model     TEXT    NOT NULL,
    dimension INTEGER NOT NULL,
    number    INTEGER NOT NULL,
    last_seq  INTEGER NOT NULL,
    done_to   INTEGER NOT NULL,
    epoch     INTEGER NOT NULL,
    PRIMARY KEY (scope_id, space, model, dimension)
) WITHOUT ROWID;

CREATE TABLE vectors (
    scope_id INTEGER NOT NULL,
    space    INTEGER NOT NULL,
    number   INTEGER NOT NULL,
    seq      INTEGER NOT NULL,
    ord      INTEGER NOT NULL,
    language INTEGER NOT NULL,
    nonce    INTEGER NOT NULL,
    block    BLOB    NOT NULL,
    PRIMARY KEY (scope_id, space, number, seq)
) WITHOUT ROWID;
CREATE UNIQUE INDEX vectors_by_ord ON vectors (scope_id, space, number, ord);
