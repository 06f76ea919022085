-- Vectors of messages and items (smartbrain.stores.vectors), derived like the index and made anew at any time.
-- space: 0 events, 1 memory. A model has a number in each space. last_seq: of its newest row. done_to: every current
-- document below it has its vectors. epoch: another one after any row was taken out.
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

-- A row for each document: its windows one after the other, dimension float16 (little endian) each. nonce is one
-- for each transaction, so that a cache knows a row again.
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
