import { textOf } from '../../subject.ts';
import { assertion, NO_OUTPUT, textAssertion, yesOrNo } from './assertion.ts';
import { findJson, jsonIn } from './find-json.ts';
import { jsonSchema, schemaMismatch } from './json-schema.ts';

const schema = jsonSchema
  .optional()
  .describe(
    'none, or a JSON Schema: draft 2020-12, or draft-07 when its `$schema` says so; `format` is not checked',
  );
const example = { value: { type: 'object', required: ['city'] } };

export const isJson = assertion({
  passes: 'the complete output is JSON and, with `value`, matches that schema',
  score: null,
  example,
  fields: { value: schema },
  reads: ['output'],
  check: ({ output }, { value }) => {
    const text = textOf(output);
    if (text === null) return NO_OUTPUT;
    const json = typeof output === 'string' ? jsonIn(output) : output;
    if (json === undefined) return yesOrNo(false, 'the output is not JSON');
    const mismatch = value === undefined ? null : schemaMismatch(value, json);
    return yesOrNo(
      mismatch === null,
      mismatch === null ? 'the output is as expected' : `in the output ${mismatch}`,
    );
  },
});

export const containsJson = textAssertion({
  passes: 'the output contains a JSON object or array that, with `value`, matches that schema',
  score: null,
  example,
  fields: { value: schema },
  check: (output, { value }) => {
    let reason = 'the output contains no JSON object or array';
    for (const json of findJson(output)) {
      const mismatch = value === undefined ? null : schemaMismatch(value, json);
      if (mismatch === null) return yesOrNo(true, 'the output contains JSON as expected');
      reason = `in the JSON of the output ${mismatch}`;
    }
    return yesOrNo(false, reason);
  },
});
