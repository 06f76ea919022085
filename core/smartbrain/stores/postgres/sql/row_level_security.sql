-- Row-level security by tenant. Run it as the owner of the tables, once after the tables were made and again after an
-- upgrade that adds some; then let SmartBrain log in as a role that owns nothing, with
-- store.postgres.row_level_security: true in brain.yml, so that it tells the server the tenant of each statement.
--
-- A role in tenant_roles sees that one tenant and no other, whatever it sets: for people who query the tables
-- themselves. Every other role sees the tenant it names in smartbrain.domain, and nothing while it names none.

CREATE TABLE IF NOT EXISTS tenant_roles (
    domain TEXT COLLATE "C" NOT NULL,
    role   NAME NOT NULL PRIMARY KEY
);

-- It runs as its owner, so that no other role need read tenant_roles.
CREATE OR REPLACE FUNCTION smartbrain_tenant(role NAME) RETURNS TEXT
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT
    AS $$ SELECT coalesce((SELECT r.domain FROM tenant_roles r WHERE r.role = $1),
                          current_setting('smartbrain.domain', true)) $$;

-- Partitions, too: a policy of the whole does not hold for a part that is asked directly.
DO $$
DECLARE
    name TEXT;
BEGIN
    FOR name IN
        SELECT c.relname
        FROM pg_class c
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'domain'
        WHERE c.relkind IN ('r', 'p')
            AND c.relnamespace = (SELECT t.relnamespace FROM pg_class t WHERE t.oid = 'tenants'::regclass)
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('DROP POLICY IF EXISTS by_tenant ON %I', name);
        CONTINUE WHEN name = 'tenant_roles';
        EXECUTE format(
            'CREATE POLICY by_tenant ON %I USING (domain = smartbrain_tenant(current_user))'
            ' WITH CHECK (domain = smartbrain_tenant(current_user))', name);
    END LOOP;
END
$$;
