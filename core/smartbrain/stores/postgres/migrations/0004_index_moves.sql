-- The beginning of a space's tail that is on its way into the blocks, a few terms with each document that comes: what is
-- still to move, in the order of the terms, and in the head how far it has come (smartbrain.stores.index.rows).
-- mark: tells a tail from every other one.
ALTER TABLE index_heads ADD COLUMN moving BIGINT NOT NULL DEFAULT 0;
ALTER TABLE index_heads ADD COLUMN moved TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE index_heads ADD COLUMN coming BIGINT NOT NULL DEFAULT 0;
ALTER TABLE index_heads ADD COLUMN mark BIGINT NOT NULL DEFAULT 0;

CREATE TABLE index_moves (
    domain   TEXT COLLATE "C" NOT NULL,
    scope_id BIGINT NOT NULL,
    space    BIGINT NOT NULL,
    piece    BIGINT NOT NULL,
    block    BYTEA NOT NULL,
    PRIMARY KEY (domain, scope_id, space, piece)
);
