-- Style of an application's answers. content: JSON array of { heading, content, approved }.
CREATE TABLE style_guide (
  id TEXT NOT NULL PRIMARY KEY,
  application INTEGER NOT NULL,
  quickstart_id TEXT,
  content TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT;
CREATE INDEX style_guide_by_application ON style_guide (application, created_at, id);
CREATE INDEX style_guide_by_modification ON style_guide (application, modified_at, id);
CREATE INDEX style_guide_by_id ON style_guide (application, id);
CREATE INDEX style_guide_by_quickstart ON style_guide (application, quickstart_id, id) WHERE quickstart_id IS NOT NULL;
