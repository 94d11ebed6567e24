ALTER TABLE task DROP COLUMN input_examples;
