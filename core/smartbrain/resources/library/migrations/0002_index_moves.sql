-- In a library, as in a store of turns:
-- The beginning of a space's tail that is on its way into the blocks, a few terms with each document that comes: what is
-- still to move, in the order of the terms, and in the head how far it has come (smartbrain.stores.index.rows).
-- mark: tells a tail from every other one.
ALTER TABLE index_heads ADD COLUMN moving INTEGER NOT NULL DEFAULT 0;
ALTER TABLE index_heads ADD COLUMN moved TEXT NOT NULL DEFAULT '';
ALTER TABLE index_heads ADD COLUMN coming INTEGER NOT NULL DEFAULT 0;
ALTER TABLE index_heads ADD COLUMN mark INTEGER NOT NULL DEFAULT 0;

CREATE TABLE index_moves (
    scope_id INTEGER NOT NULL,
    space    INTEGER NOT NULL,
    piece    INTEGER NOT NULL,
    block    BLOB    NOT NULL,
    PRIMARY KEY (scope_id, space, piece)
) WITHOUT ROWID;
