-- Distributes the tables over the nodes of a Citus cluster by tenant. Run it once on the coordinator, after SmartBrain
-- made the tables (without store.postgres.partitions) and before they hold much; an upgrade that adds tables adds them
-- here. All rows of a tenant stay on one node, so every transaction of SmartBrain runs on one.

SELECT create_reference_table('meta');
SELECT create_reference_table('migrations');
SELECT create_distributed_table('tenants', 'domain');
SELECT create_distributed_table('scopes', 'domain', colocate_with => 'tenants');
SELECT create_distributed_table('sessions', 'domain', colocate_with => 'tenants');
SELECT create_distributed_table('turns', 'domain', colocate_with => 'tenants');
SELECT create_distributed_table('messages', 'domain', colocate_with => 'tenants');
SELECT create_distributed_table('speakers', 'domain', colocate_with => 'tenants');
SELECT create_distributed_table('open_turns', 'domain', colocate_with => 'tenants');
SELECT create_distributed_table('staged', 'domain', colocate_with => 'tenants');
SELECT create_distributed_table('items', 'domain', colocate_with => 'tenants');
SELECT create_distributed_table('item_sources', 'domain', colocate_with => 'tenants');
SELECT create_distributed_table('item_states', 'domain', colocate_with => 'tenants');
SELECT create_distributed_table('verdicts', 'domain', colocate_with => 'tenants');
SELECT create_distributed_table('mentions', 'domain', colocate_with => 'tenants');
SELECT create_distributed_table('summaries', 'domain', colocate_with => 'tenants');
SELECT create_distributed_table('contexts', 'domain', colocate_with => 'tenants');
SELECT create_distributed_table('index_heads', 'domain', colocate_with => 'tenants');
SELECT create_distributed_table('index_postings', 'domain', colocate_with => 'tenants');
SELECT create_distributed_table('index_columns', 'domain', colocate_with => 'tenants');
SELECT create_distributed_table('index_tail', 'domain', colocate_with => 'tenants');
SELECT create_distributed_table('index_moves', 'domain', colocate_with => 'tenants');
SELECT create_distributed_table('vector_spaces', 'domain', colocate_with => 'tenants');
SELECT create_distributed_table('vectors', 'domain', colocate_with => 'tenants');
