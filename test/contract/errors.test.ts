import { expect, it } from 'vitest';
import { z } from 'zod';
import { errorBody, issuesOf, validationErrorResponse } from '../../src/contract/errors.ts';
import { several } from '../../src/contract/query.ts';
import { dateTime, traceId, uuid } from '../../src/contract/values.ts';
import { AppError } from '../../src/errors.ts';

const schema = z.object({
  uuid,
  time: dateTime,
  trace: traceId,
  url: z.url(),
  short: z.string().min(3).max(4),
  kind: z.enum(['A', 'B']),
  exact: z.literal('x'),
  count: z.int().min(1).max(5),
  list: z.array(uuid).min(1).max(2),
  either: z.union([z.string(), z.number()]),
  events: z.array(
    z.discriminatedUnion('type', [z.object({ type: z.literal('a') }), z.object({ type: z.literal('b') })]),
  ),
  map: z.record(z.string().regex(/^[a-z]+$/), z.number()),
  filter: several(z.enum(['HIGH', 'LOW'])),
  even: z.number().multipleOf(2),
  refined: z.string().refine((text) => text === 'ok', 'must be ok'),
});

it.each<[field: string, value: unknown, code: string, path: string[]]>([
  ['uuid', 'x', 'invalid_string', ['uuid']],
  ['uuid', 7, 'invalid_type', ['uuid']],
  ['uuid', undefined, 'invalid_type', ['uuid']],
  ['uuid', null, 'invalid_type', ['uuid']],
  ['time', '2026-01-31', 'invalid_string', ['time']],
  ['trace', 'x', 'invalid_string', ['trace']],
  ['url', 'x', 'invalid_string', ['url']],
  ['short', 'a', 'too_small', ['short']],
  ['short', 'aaaaa', 'too_big', ['short']],
  ['kind', 'C', 'invalid_enum_value', ['kind']],
  ['kind', undefined, 'invalid_type', ['kind']],
  ['exact', 'y', 'invalid_enum_value', ['exact']],
  ['count', 0, 'too_small', ['count']],
  ['count', 6, 'too_big', ['count']],
  ['count', 1.5, 'invalid_type', ['count']],
  ['count', '1', 'invalid_type', ['count']],
  ['count', 2 ** 60, 'too_big', ['count']],
  ['list', [], 'too_small', ['list']],
  ['list', ['x'], 'invalid_string', ['list', '0']],
  ['list', {}, 'invalid_type', ['list']],
  ['either', true, 'invalid_union', ['either']],
  ['events', [{ type: 'a' }, { type: 'c' }], 'invalid_union', ['events', '1', 'type']],
  ['map', { A: 1 }, 'invalid_string', ['map', 'A']],
  ['map', { a: 'x' }, 'invalid_type', ['map', 'a']],
  ['filter', 'HIGH,MIDDLE', 'invalid_enum_value', ['filter', '1']],
  ['even', 3, 'custom', ['even']],
  ['refined', 'no', 'custom', ['refined']],
])('reports %s being %j in the words of the interface', (field, value, code, path) => {
  const { error } = schema
    .pick({ [field]: true } as never)
    .safeParse({ [field]: value }, { reportInput: true });
  const issues = issuesOf(error as z.ZodError);
  expect(issues).toMatchObject([{ code, path }]);
  expect(issues[0]?.message).not.toBe('');
  const body = errorBody(new AppError('invalid', 'no', { issues }));
  expect(z.strictObject(validationErrorResponse.shape).parse(body)).toEqual({ message: 'no', issues });
});

it('reports a bounded number of issues', () => {
  const { error } = z.array(z.string()).safeParse(Array.from({ length: 5_000 }, () => 1));
  expect(issuesOf(error as z.ZodError).length).toBeLessThanOrEqual(50);
});

it('reports nothing internal', () => {
  expect(errorBody(new AppError('internal', 'SQLITE_CORRUPT in /secret/path'))).toEqual({
    message: 'Internal server error',
  });
});
