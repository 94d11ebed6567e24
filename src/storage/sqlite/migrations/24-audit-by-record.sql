CREATE INDEX audit_entry_by_record ON audit_entry (application, resource_id, id) WHERE resource_id IS NOT NULL;
