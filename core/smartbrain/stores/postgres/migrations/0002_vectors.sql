-- Vectors of messages and items (smartbrain.stores.vectors), derived like the index and made anew at any time.
-- space: 0 events, 1 memory. A model has a number in each space. last_seq: of its newest row. done_to: every current
-- document below it has its vectors. epoch: another one after any row was taken out.
CREATE TABLE vector_spaces (
    domain    TEXT COLLATE "C" NOT NULL,
    scope_id  BIGINT NOT NULL,
    space     BIGINT NOT NULL,
    model     TEXT COLLATE "C" NOT NULL,
    dimension BIGINT NOT NULL,
    number    BIGINT NOT NULL,
    last_seq  BIGINT NOT NULL,
    done_to   BIGINT NOT NULL,
    epoch     BIGINT NOT NULL,
    PRIMARY KEY (domain, scope_id, space, model, dimension)
);

-- A row for each document: its windows one after the other, dimension float16 (little endian) each. nonce is one
-- for each transaction, so that a cache knows a row again.
CREATE TABLE vectors (
    domain   TEXT COLLATE "C" NOT NULL,
    scope_id BIGINT NOT NULL,
    space    BIGINT NOT NULL,
    number   BIGINT NOT NULL,
    seq      BIGINT NOT NULL,
    ord      BIGINT NOT NULL,
    language BIGINT NOT NULL,
    nonce    BIGINT NOT NULL,
    block    BYTEA NOT NULL,
    PRIMARY KEY (domain, scope_id, space, number, seq)
);
CREATE UNIQUE INDEX vectors_by_ord ON vectors (domain, scope_id, space, number, ord);
