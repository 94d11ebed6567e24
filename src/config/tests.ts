import { setting, wholeNumber } from './setting.ts';

/** Settings of webhooks, and of when a test is complete. */
export const TEST_SETTINGS = {
  webhookTimeoutMs: setting({
    meaning: 'Default time limit for the response of a webhook, in milliseconds.',
    default: '120000',
    example: '300000',
    allowed: 'a whole number from 1000 to 900000',
    parse: wholeNumber(1_000, 900_000),
  }),
  webhookToleranceMs: setting({
    meaning: 'Largest deviation of the timestamp when a webhook is validated, in milliseconds.',
    default: '300000',
    example: '60000',
    allowed: 'a whole number from 1000 to 86400000',
    parse: wholeNumber(1_000, 86_400_000),
  }),
  quietMs: setting({
    meaning:
      'Idle timeout of a test, in milliseconds: it is complete when its webhook has responded and no span has arrived for this long.',
    default: '2000',
    example: '500',
    allowed: 'a whole number from 50 to 600000',
    parse: wholeNumber(50, 600_000),
  }),
  orphanQuietMs: setting({
    meaning: 'Idle timeout of a test whose root span has not arrived, in milliseconds.',
    default: '15000',
    example: '5000',
    allowed: 'a whole number from 50 to 600000',
    parse: wholeNumber(50, 600_000),
  }),
  traceDeadlineMs: setting({
    meaning: 'Time limit for the first span of a test after the response of its webhook, in milliseconds.',
    default: '600000',
    example: '60000',
    allowed: 'a whole number from 1000 to 86400000',
    parse: wholeNumber(1_000, 86_400_000),
  }),
} as const;
