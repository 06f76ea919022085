-- How an item stood before a change that its own times do not tell: what it said, how sure it was, whether it was in
-- force. It stood so until until_us, under the ordinal ord; of several, the first one that was still true at a moment
-- counts.
CREATE TABLE item_states (
    domain         TEXT COLLATE "C" NOT NULL,
    state_pk       BIGINT NOT NULL,
    scope_id       BIGINT NOT NULL,
    item_pk        BIGINT NOT NULL,
    until_us       BIGINT NOT NULL,
    ord            BIGINT NOT NULL,
    status         TEXT COLLATE "C" NOT NULL,
    closed_from_us BIGINT,
    payload        TEXT NOT NULL,
    PRIMARY KEY (domain, scope_id, state_pk)
);
CREATE INDEX item_states_by_item ON item_states (domain, scope_id, item_pk);
CREATE INDEX item_states_by_time ON item_states (domain, scope_id, until_us);

-- What a past moment did not know yet, or knew in other words.
CREATE INDEX turns_revised ON turns (domain, scope_id, recorded_us) WHERE revision > 1;
CREATE INDEX turns_superseded ON turns (domain, scope_id, superseded_us) WHERE superseded_us IS NOT NULL;

-- Since when what a turn did to memory is taken back; NULL while it holds.
ALTER TABLE turns ADD COLUMN undone_us BIGINT;
