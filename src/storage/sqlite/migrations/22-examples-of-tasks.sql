-- Makes examples of the input examples in `task_before`, and says of each test which example it sent.
CREATE TEMP VIEW new_id AS
  SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-a'
    || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))) AS id;

INSERT INTO example (id, application, task_id, position, prompt, created_at, modified_at)
SELECT (SELECT id FROM new_id WHERE task.id <> '' AND prompt.id >= 0), application, task.id, "key", value, created_at, created_at
FROM task_before AS task, json_each(input_examples) AS prompt;

-- Tests name an example by its place in the task. Where its prompt has changed since, it becomes an archived example.
INSERT INTO example (id, application, task_id, position, prompt, status, created_at, modified_at)
SELECT (SELECT id FROM new_id WHERE test.prompt <> ''), application, task_id, example_index, prompt, 'ARCHIVED',
  min(created_at), min(created_at)
FROM test
WHERE example_index IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM example WHERE example.application = test.application AND example.task_id = test.task_id
    AND example.prompt = test.prompt)
GROUP BY application, task_id, prompt;

UPDATE test SET example_id = (
  SELECT id FROM example WHERE example.application = test.application AND example.task_id = test.task_id
    AND example.prompt = test.prompt
  ORDER BY example.position <> test.example_index, example.id LIMIT 1)
WHERE example_index IS NOT NULL;

DROP VIEW new_id;
DROP VIEW task_before;
