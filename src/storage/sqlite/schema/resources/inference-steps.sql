-- A step of the customer's app whose settings experiments change; external_id: its name in the app.
CREATE TABLE inference_step (
  id TEXT NOT NULL PRIMARY KEY,
  application INTEGER NOT NULL,
  type TEXT NOT NULL,
  external_id TEXT NOT NULL,
  title TEXT NOT NULL,
  description TEXT,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT;
CREATE INDEX inference_step_by_creation ON inference_step (application, created_at, id);
CREATE INDEX inference_step_by_modification ON inference_step (application, modified_at, id);
CREATE INDEX inference_step_by_title ON inference_step (application, title, id);
CREATE INDEX inference_step_by_type ON inference_step (application, type, id);
CREATE UNIQUE INDEX inference_step_external_id ON inference_step (application, external_id);
CREATE INDEX inference_step_by_external_id ON inference_step (application, external_id, id);
CREATE INDEX inference_step_by_id ON inference_step (application, id);
