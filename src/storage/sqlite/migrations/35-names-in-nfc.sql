-- Names and keys by which records are found are stored in Unicode NFC. Where two records differ in nothing else, the second keeps its own.
UPDATE OR IGNORE example SET key = nfc(key) WHERE key IS NOT NULL AND key <> nfc(key);
UPDATE OR IGNORE inference_step SET external_id = nfc(external_id) WHERE external_id <> nfc(external_id);
UPDATE OR IGNORE saved_view SET name = nfc(name) WHERE name <> nfc(name);
