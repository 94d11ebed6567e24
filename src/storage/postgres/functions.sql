-- NULL if one of both is, as in SQLite; least and greatest leave out NULL.
CREATE FUNCTION lesser(a anycompatible, b anycompatible) RETURNS anycompatible LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$ SELECT least(a, b) $$;
CREATE FUNCTION greater(a anycompatible, b anycompatible) RETURNS anycompatible LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$ SELECT greatest(a, b) $$;

-- Conditions are 0 or 1 in SQLite, so that they can be added and compared.
CREATE FUNCTION count_true(number int8, condition boolean) RETURNS int8 LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT CASE WHEN condition IS NULL THEN number ELSE coalesce(number, 0) + condition::int4 END $$;
CREATE AGGREGATE sum(boolean) (sfunc = count_true, stype = int8);
CREATE AGGREGATE max(boolean) (sfunc = boolor_statefunc, stype = boolean);
CREATE AGGREGATE min(boolean) (sfunc = booland_statefunc, stype = boolean);

-- What SQLite gets as functions of the process. Texts fold case by the rules of Unicode, whatever the collation of the database is.
CREATE FUNCTION fold_case(one text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$ SELECT normalize(upper(lower(one COLLATE "und-x-icu") COLLATE "und-x-icu"), NFC) COLLATE "C" $$;

CREATE FUNCTION contains_text(part text, VARIADIC texts text[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT EXISTS (
  SELECT 1 FROM unnest(texts) AS one WHERE strpos(fold_case(one), fold_case(part)) > 0) $$;

-- The source is a translated one, which says what the flags do (src/storage/dialect/postgres-pattern.ts).
CREATE FUNCTION matches_text(source text, flags text, VARIADIC texts text[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT EXISTS (
  SELECT 1 FROM unnest(texts) AS one
  WHERE regexp_like(one, source)) $$;

-- Leases expire by the clock of the server, whatever the clocks of its clients say.
CREATE FUNCTION lease_clock(now_of_client int8) RETURNS int8 LANGUAGE sql VOLATILE AS $$ SELECT (extract(epoch FROM clock_timestamp()) * 1000)::int8 $$;

-- Keys of traces contain their day, so they are chosen by the store; the sequence remembers the highest. The lock is held for a
-- moment only, because a sequence belongs to no transaction.
CREATE FUNCTION take_keys(sequence text, first int8, number int8) RETURNS int8 LANGUAGE plpgsql AS
$$ DECLARE taken int8; BEGIN
  PERFORM pg_advisory_lock(21603, -4);
  EXECUTE format('SELECT greatest($1, CASE WHEN is_called THEN last_value + 1 ELSE last_value END) FROM %I', sequence) INTO taken USING first;
  PERFORM setval(sequence::regclass, taken + number - 1);
  PERFORM pg_advisory_unlock(21603, -4);
  RETURN taken;
END $$;

-- Commands of a leader that another one has replaced change nothing.
CREATE FUNCTION check_term(wanted int8) RETURNS void LANGUAGE plpgsql AS
$$ BEGIN IF NOT EXISTS (SELECT 1 FROM touchstone_store WHERE term = wanted) THEN
  RAISE EXCEPTION 'another process leads' USING ERRCODE = '55T01'; END IF; END $$;
