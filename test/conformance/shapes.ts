import { type Answers, filled } from './answers.ts';

/** What an answer must be like: values as they are, patterns, and objects of which the named fields count. */
export type Shape =
  | string
  | number
  | boolean
  | null
  | RegExp
  | Matcher
  | readonly Shape[]
  | { readonly [field: string]: Shape };

/** Says what is wrong with a value at a path, each thing in a sentence. */
type Check = (value: unknown, path: string, answers: Answers) => string[];

export class Matcher {
  readonly check: Check;
  /** The fields that it requests. */
  readonly fields: readonly string[];

  constructor(check: Check, fields: readonly string[] = []) {
    this.check = check;
    this.fields = fields;
  }
}

const that = (kind: string, isRight: (value: unknown) => boolean): Matcher =>
  new Matcher((value, path) => (isRight(value) ? [] : [`${path} is ${shown(value)}, not ${kind}`]));

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
export const TEXT = that('text', (value) => typeof value === 'string');
export const INTEGER = that('a whole number', Number.isInteger);
export const NUMBER = that('a number', (value) => typeof value === 'number');
export const BOOLEAN = that('true or false', (value) => typeof value === 'boolean');
export const OBJECT = that(
  'an object',
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);
export const ANY = that('present', (value) => value !== undefined);
export const ABSENT = that('absent', (value) => value === undefined);

export const orNull = (shape: Shape): Matcher =>
  new Matcher(
    (value, path, answers) => (value === null ? [] : mismatches(value, shape, answers, path)),
    fieldsOf(shape),
  );

/** May be absent, also within `only`. */
export const optional = (shape: Shape): Matcher =>
  new Matcher(
    (value, path, answers) => (value === undefined ? [] : mismatches(value, shape, answers, path)),
    fieldsOf(shape),
  );

/** An object with these fields and no others. */
export const only = (fields: { readonly [field: string]: Shape }): Matcher =>
  new Matcher(
    (value, path, answers) => [
      ...mismatches(value, fields, answers, path),
      ...Object.keys(value ?? {})
        .filter((key) => !Object.hasOwn(fields, key))
        .map((key) => `${path}.${key} is not of the record`),
    ],
    fieldsOf(fields),
  );

/** A list of any length with elements like this; it must have one, or nothing would be proved. */
export const listOf = (shape: Shape): Matcher =>
  new Matcher(
    (value, path, answers) =>
      Array.isArray(value) && value.length > 0
        ? value.flatMap((element, i) => mismatches(element, shape, answers, `${path}.${i}`))
        : [`${path} is ${shown(value)}, not a list with elements`],
    fieldsOf(shape),
  );

/** A list of these elements in any order. */
export const inAnyOrder = (...shapes: readonly Shape[]): Matcher =>
  new Matcher((value, path, answers) => {
    if (!Array.isArray(value) || value.length !== shapes.length)
      return [`${path} is ${shown(value)}, not a list of ${shapes.length}`];
    return shapes.flatMap((shape, i) =>
      value.some((element) => mismatches(element, shape, answers).length === 0)
        ? []
        : [`${path} has nothing like its shape ${i}: ${shown(value)}`],
    );
  }, shapes.flatMap(fieldsOf));

export const isOneOf = (...values: readonly unknown[]): Matcher =>
  that(`one of ${values.join(', ')}`, (value) => values.includes(value));

/** What differs between a value and its shape; the texts of the shape may name earlier answers. */
export function mismatches(value: unknown, shape: Shape, answers: Answers, path = 'answer'): string[] {
  if (shape instanceof Matcher) return shape.check(value, path, answers);
  if (shape instanceof RegExp)
    return typeof value === 'string' && shape.test(value) ? [] : [`${path} is ${shown(value)}, not ${shape}`];
  if (Array.isArray(shape)) {
    if (!Array.isArray(value) || value.length !== shape.length)
      return [`${path} is ${shown(value)}, not a list of ${shape.length}`];
    return shape.flatMap((element: Shape, i) => mismatches(value[i], element, answers, `${path}.${i}`));
  }
  if (typeof shape === 'object' && shape !== null) {
    if (typeof value !== 'object' || value === null) return [`${path} is ${shown(value)}, not an object`];
    return Object.entries(shape).flatMap(([key, field]) =>
      mismatches((value as Record<string, unknown>)[key], field, answers, `${path}.${key}`),
    );
  }
  const wanted = typeof shape === 'string' ? filled(shape, answers) : shape;
  return Object.is(value, wanted) ? [] : [`${path} is ${shown(value)}, not ${shown(wanted)}`];
}

/** The names of all fields that a shape requests, at any depth. */
export function fieldsOf(shape: Shape): string[] {
  if (shape instanceof Matcher) return [...shape.fields];
  if (shape === null || typeof shape !== 'object' || shape instanceof RegExp) return [];
  if (Array.isArray(shape)) return shape.flatMap((element: Shape) => fieldsOf(element));
  return Object.entries(shape).flatMap(([key, field]) => [key, ...fieldsOf(field)]);
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'absent').slice(0, 300);
