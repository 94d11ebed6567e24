import { z } from 'zod';
import { assertion, yesOrNo } from './assertion.ts';
import { bounded, isWithin, rangeFields, rangeText } from './values.ts';

export const latency = assertion({
  passes: 'the time from the start of the first span to the end of the last is at most `threshold`',
  score: null,
  example: { threshold: 2000 },
  fields: { threshold: z.number().min(0).describe('milliseconds') },
  reads: ['latencyMs'],
  check: ({ latencyMs }, { threshold }) =>
    latencyMs === null
      ? { lacks: 'no span reports times' }
      : yesOrNo(latencyMs <= threshold, `it took ${latencyMs} ms`),
});

export const cost = assertion({
  passes: 'it costs at most `threshold`',
  score: null,
  example: { threshold: 0.01 },
  fields: { threshold: z.number().min(0).describe('US dollars') },
  reads: ['cost'],
  check: (subject, { threshold }) =>
    subject.cost === null
      ? { lacks: 'no span reports a cost' }
      : yesOrNo(subject.cost <= threshold, `it cost $${subject.cost}`),
});

export const tokens = assertion({
  passes: 'the sum of input and output tokens is within the bounds',
  score: null,
  example: { value: { max: 2000 } },
  fields: { value: bounded(z.strictObject(rangeFields)).describe('`{ min, max }`, one or both') },
  reads: ['usage'],
  check: ({ usage: { totalTokens } }, { value }) =>
    totalTokens === 0
      ? { lacks: 'no span reports tokens' }
      : yesOrNo(isWithin(totalTokens, value), `it took ${totalTokens} tokens; expected: ${rangeText(value)}`),
});
