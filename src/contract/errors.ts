import { z } from 'zod';
import { AppError, type Issue } from '../errors.ts';
import { namedObject } from './api-schema.ts';

/** Values of `code` of an issue. */
export const ISSUE_CODES = [
  'invalid_string',
  'invalid_type',
  'invalid_enum_value',
  'too_small',
  'too_big',
  'invalid_union',
  'custom',
] as const;
type IssueCode = (typeof ISSUE_CODES)[number];

export const errorResponse = namedObject(
  'ErrorResponse',
  {
    message: z.string().describe('Description of the error, in plain English.'),
  },
  { isClosed: true },
);
export const validationErrorResponse = namedObject(
  'ValidationErrorResponse',
  {
    message: z.string(),
    issues: z.array(
      z.object({
        code: z.string(),
        message: z.string(),
        path: z.array(z.string()),
        start: z.int().optional().describe('First character of the fault in a filter line.'),
        end: z.int().optional().describe('Character after the fault.'),
        suggestion: z
          .string()
          .nullable()
          .optional()
          .describe('Text that would be right in place of the fault; null if there is no obvious one.'),
      }),
    ),
  },
  { isClosed: true },
);
export type ErrorBody = z.infer<typeof errorResponse> | z.infer<typeof validationErrorResponse>;

/** Most issues that one response lists. */
const MAX_ISSUES = 50;

export const INTERNAL_MESSAGE = 'Internal server error';

/** Returns the body of an error response; that of an unexpected error contains no details. */
export function errorBody(error: AppError): ErrorBody {
  const { code, message } = error;
  if (code === 'internal') return { message: INTERNAL_MESSAGE };
  return code === 'invalid' ? { message, issues: [...error.issues] } : { message };
}

/** Returns the error for a request with invalid values. */
export function invalid(issues: readonly Issue[]): AppError {
  const [first] = issues;
  const where = first && first.path.length > 0 ? `${first.path.join('.')}: ` : '';
  return new AppError('invalid', `Invalid request: ${where}${first?.message ?? 'not valid'}`, { issues });
}

/** Converts zod's errors to issues of the API. Parse with `reportInput`, so that missing values can be recognised. */
export function issuesOf(error: z.ZodError): Issue[] {
  const shown = error.issues.slice(0, MAX_ISSUES);
  return shown.filter((issue) => !isMoreSpecific(issue, shown)).flatMap((issue) => translate(issue));
}

type ZodIssue = z.core.$ZodIssue;

/**
 * Reports whether an issue is more specific than others. An integer outside the safe range also violates a rule of
 * zod that does not state the limit of the field.
 */
const isMoreSpecific = (issue: ZodIssue, all: readonly ZodIssue[]): boolean =>
  'origin' in issue &&
  issue.origin === 'int' &&
  all.some(
    (other) => other !== issue && other.code === issue.code && other.path.join() === issue.path.join(),
  );

const MISSING: ReadonlySet<string> = new Set(['invalid_type', 'invalid_value', 'invalid_union']);

function translate(issue: ZodIssue, parent: readonly string[] = []): Issue[] {
  const path = [...parent, ...issue.path.map(String)];
  if (issue.input === undefined && MISSING.has(issue.code))
    return [{ code: 'invalid_type', message: 'Required', path }];
  if (issue.code === 'invalid_union') {
    const [meant, ...others] = issue.errors.filter((option) => option.every(isWithin));
    if (meant && others.length === 0) return meant.flatMap((one) => translate(one, path));
  }
  return [{ code: codeOf(issue), message: issue.message, path }];
}

/** Reports whether an issue of one option of a union lets the value be of its type. */
const isWithin = ({ code, path }: ZodIssue): boolean => code !== 'invalid_type' || path.length > 0;

function codeOf(issue: ZodIssue): IssueCode {
  switch (issue.code) {
    case 'invalid_format':
      return 'invalid_string';
    case 'invalid_value':
      return 'invalid_enum_value';
    case 'invalid_key':
    case 'invalid_element': {
      const [inner] = issue.issues;
      return inner ? codeOf(inner) : 'custom';
    }
    case 'custom':
      return ISSUE_CODES.find((code) => code === issue.params?.['code']) ?? 'custom';
    case 'invalid_type':
    case 'invalid_union':
    case 'too_big':
    case 'too_small':
      return issue.code;
    default:
      return 'custom';
  }
}
