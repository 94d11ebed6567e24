ALTER TABLE figure ADD COLUMN examples INTEGER NOT NULL DEFAULT 0;
ALTER TABLE figure ADD COLUMN pass_rate_low REAL;
ALTER TABLE figure ADD COLUMN pass_rate_high REAL;
UPDATE figure SET due_at = 0, version = version + 1;
