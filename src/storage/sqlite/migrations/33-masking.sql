CREATE TABLE masking (
  application INTEGER PRIMARY KEY,
  rules TEXT NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT;

CREATE TABLE masked_value (
  application INTEGER NOT NULL,
  day INTEGER NOT NULL,
  detector TEXT NOT NULL,
  attribute TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (application, day, detector, attribute)
) STRICT, WITHOUT ROWID;
