CREATE TABLE document_tag (
  application INTEGER NOT NULL,
  document_id TEXT NOT NULL,
  tag_id TEXT NOT NULL,
  PRIMARY KEY (application, document_id, tag_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX document_tag_by_tag ON document_tag (application, tag_id, document_id);
ALTER TABLE topic ADD COLUMN is_in_scope INTEGER NOT NULL DEFAULT 1;
ALTER TABLE topic ADD COLUMN description TEXT;
-- The baseline was a text of any kind; now it is a number.
UPDATE topic SET description = baseline, baseline = NULL WHERE baseline GLOB '*[^0-9.]*';
