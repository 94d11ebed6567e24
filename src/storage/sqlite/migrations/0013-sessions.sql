-- When the first and the last trace of each session began, so that lists of sessions need not look at every trace.
CREATE TABLE session (
  application INTEGER NOT NULL,
  id TEXT NOT NULL,
  first_ns INTEGER NOT NULL,
  last_ns INTEGER NOT NULL,
  PRIMARY KEY (application, id)
) STRICT, WITHOUT ROWID;
INSERT INTO session
  SELECT application, session_id, min(start_ns), max(start_ns) FROM trace WHERE session_id IS NOT NULL GROUP BY 1, 2;
CREATE INDEX session_by_first ON session (application, first_ns, id, last_ns);
CREATE INDEX session_by_last ON session (application, last_ns, id, first_ns);

CREATE TRIGGER trace_joins_session AFTER INSERT ON trace WHEN NEW.session_id IS NOT NULL
BEGIN
  INSERT INTO session VALUES (NEW.application, NEW.session_id, NEW.start_ns, NEW.start_ns)
  ON CONFLICT DO UPDATE SET first_ns = min(first_ns, NEW.start_ns), last_ns = max(last_ns, NEW.start_ns)
  WHERE NEW.start_ns < first_ns OR NEW.start_ns > last_ns;
END;

CREATE TRIGGER trace_moves_session AFTER UPDATE OF start_ns, session_id ON trace
WHEN OLD.session_id IS NOT NEW.session_id OR (OLD.start_ns <> NEW.start_ns AND NEW.session_id IS NOT NULL)
BEGIN
  DELETE FROM session WHERE application = OLD.application AND id IN (OLD.session_id, NEW.session_id);
  INSERT INTO session
    SELECT OLD.application, moved.id,
      (SELECT min(start_ns) FROM trace WHERE application = OLD.application AND session_id = moved.id) AS first,
      (SELECT max(start_ns) FROM trace WHERE application = OLD.application AND session_id = moved.id)
    FROM (SELECT OLD.session_id AS id UNION SELECT NEW.session_id) AS moved WHERE first IS NOT NULL;
END;

CREATE TRIGGER trace_leaves_session AFTER DELETE ON trace WHEN OLD.session_id IS NOT NULL
BEGIN
  DELETE FROM session WHERE application = OLD.application AND id = OLD.session_id;
  INSERT INTO session
    SELECT OLD.application, OLD.session_id,
      (SELECT min(start_ns) FROM trace WHERE application = OLD.application AND session_id = OLD.session_id) AS first,
      (SELECT max(start_ns) FROM trace WHERE application = OLD.application AND session_id = OLD.session_id)
    WHERE first IS NOT NULL;
END;

-- Holds what the sessions of a user are found by.
DROP INDEX trace_by_user;
CREATE INDEX trace_by_user ON trace (application, user_id, start_ns, trace_id, session_id) WHERE user_id IS NOT NULL;
