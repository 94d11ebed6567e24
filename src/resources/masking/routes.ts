import { z } from 'zod';
import { type Route, route } from '../../contract/route.ts';
import { isoTime } from '../../contract/values.ts';
import { compileRules, Masker } from '../../masking/masker.ts';
import type { MaskingRules } from '../../masking/rules.ts';
import type { SuspendedPattern } from '../../masking/suspensions.ts';
import { betweenEvents } from '../../runtime/steps.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { getMasking, maskedValues as maskedValuesQuery, setMasking } from './calls.ts';
import {
  type Masking,
  maskedValues,
  masking,
  MAX_DAYS,
  MAX_REPORT_ROWS,
  previewBody,
  previewResult,
  reportQuery,
  setMaskingBody,
} from './contract.ts';
import { exampleMasking } from './example.ts';

export interface MaskingDeps extends StoreCalls {
  /** Returns the secret from which the pseudonyms of an application are computed. */
  maskingKey: (application: number) => Uint8Array;
  /** Returns the suspended patterns of an application. */
  suspendedPatterns: (application: number) => SuspendedPattern[];
  /** Called after the rules of an application were changed. */
  onMaskingChanged: (application: number) => void;
}

const DAY_MS = 86_400_000;
/** Longest time that a preview may take: it runs in the thread that serves all requests. */
const MAX_PREVIEW_MS = 1_000;
const one = z.object({ data: masking });

export const maskingRoutes = (deps: MaskingDeps): Route[] => [
  getMaskingRoute(deps),
  setMaskingRoute(deps),
  previewMaskingRoute(deps),
  maskingReportRoute(deps),
];

const getMaskingRoute = ({ read, suspendedPatterns }: MaskingDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/masking',
    operationId: 'getMasking',
    group: 'Masking',
    summary: 'Get the rules by which received data is masked',
    scope: 'read',
    response: one,
    example: { response: { data: exampleMasking } },
    handler: async ({ principal: { application } }) => ({
      data: recordOf(await read(getMasking, { application }), suspendedPatterns(application)),
    }),
  });

const setMaskingRoute = ({ write, now, onMaskingChanged }: MaskingDeps): Route =>
  route({
    method: 'PUT',
    path: '/v0/masking',
    operationId: 'setMasking',
    group: 'Masking',
    summary: 'Set the rules by which received data is masked',
    description:
      'Absent fields keep their values. The rules apply to every request that arrives after the response; stored data stays as it is. Ends the suspension of slow patterns.',
    scope: 'admin',
    body: setMaskingBody,
    readOnlyFields: ['suspended'],
    response: one,
    example: { body: { detectors: exampleMasking.detectors }, response: { data: exampleMasking } },
    handler: async ({ principal: { application }, body }) => {
      const data = await write(setMasking, { application, rules: given(body), at: now() });
      onMaskingChanged(application);
      return { data: recordOf(data, []) };
    },
  });

const previewMaskingRoute = ({ read, maskingKey, suspendedPatterns }: MaskingDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/masking/preview',
    operationId: 'previewMasking',
    group: 'Masking',
    summary: 'Try masking rules on a text',
    description:
      'Stores nothing. The tokens are those that stored data has, so they can be searched for. Without `rules`, suspended patterns are applied as suspended. Rejected with 413 when it takes more than a second.',
    scope: 'admin',
    body: previewBody,
    response: z.object({ data: previewResult }),
    example: {
      body: { text: 'Write to anna@example.com.', rules: { detectors: ['email'] } },
      response: {
        data: { text: 'Write to <email:3f9a1c20b7de>.', masked: [{ detector: 'email', count: 1 }] },
      },
    },
    status: 200,
    handler: async ({ principal: { application }, body: { text, attribute = 'text', rules } }) => {
      const stored = await read(getMasking, { application });
      const all = { ...stored, ...given(rules ?? {}) };
      // Saving rules ends every suspension.
      const suspended = rules ? [] : suspendedPatterns(application).map(({ name }) => name);
      return {
        data: await preview({ rules: all, key: maskingKey(application), suspended }, text, attribute),
      };
    },
  });

const maskingReportRoute = ({ read, now }: MaskingDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/masking/report',
    operationId: 'getMaskingReport',
    group: 'Masking',
    summary: 'Count what was masked',
    description: `Values by day, detector and attribute, never the values themselves. Kept for ${MAX_DAYS} days. At most ${MAX_REPORT_ROWS} rows, the newest and largest first.`,
    scope: 'read',
    query: reportQuery,
    response: z.object({ data: z.array(maskedValues) }),
    example: {
      response: {
        data: [{ day: '2026-11-23', detector: 'email', attribute: 'gen_ai.input.messages', count: 214 }],
      },
    },
    handler: async ({ principal: { application }, query: { days } }) => {
      const from = Math.floor(now() / DAY_MS) - days + 1;
      const rows = await read(maskedValuesQuery, { application, from });
      return { data: rows.map((row) => ({ ...row, day: isoTime(row.day * DAY_MS).slice(0, 10) })) };
    },
  });

async function preview(
  applied: { rules: MaskingRules; key: Uint8Array; suspended: readonly string[] },
  text: string,
  attribute: string,
): Promise<z.infer<typeof previewResult>> {
  const masker = new Masker(compileRules(applied), MAX_PREVIEW_MS);
  const fate = masker.attributes.fateOf(attribute);
  if (fate === 'remove') return { text: null, masked: [{ detector: 'removed', count: 1 }] };
  const shown = fate === 'exempt' ? text : await betweenEvents(masker.run(masker.textSteps(text, attribute)));
  return { text: shown, masked: masker.tally.list().map(({ detector, count }) => ({ detector, count })) };
}

const recordOf = (
  { detectors, patterns, removeAttributes, keepAttributes, exemptAttributes }: MaskingRules,
  suspended: readonly SuspendedPattern[],
): Masking => ({
  detectors: [...detectors],
  patterns: [...patterns],
  removeAttributes: [...removeAttributes],
  keepAttributes: keepAttributes && [...keepAttributes],
  exemptAttributes: [...exemptAttributes],
  suspended: suspended.map(({ until, ...pattern }) => ({ ...pattern, until: isoTime(until) })),
});

const given = (fields: z.infer<typeof setMaskingBody>): Partial<MaskingRules> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
