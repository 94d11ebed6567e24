-- Rules by which an application masks what it receives, as JSON.
CREATE TABLE masking (
  application INTEGER PRIMARY KEY,
  rules TEXT NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT;

-- Masked values by the day of their request (days since 1970-01-01, UTC).
CREATE TABLE masked_value (
  application INTEGER NOT NULL,
  day INTEGER NOT NULL,
  detector TEXT NOT NULL,
  attribute TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (application, day, detector, attribute)
) STRICT, WITHOUT ROWID;
