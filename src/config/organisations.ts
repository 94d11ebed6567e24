import { z } from 'zod';
import { byteSize, MIB, oneOf, setting, wholeNumber } from './setting.ts';

/** Limits of each organisation, beyond its fair share. */
export const ORGANISATION_SETTINGS = {
  newOrganisations: setting({
    meaning:
      'Whether admin keys may create applications in a new organisation by `POST /v0/applications`. `touchstone applications create --new-organisation` always may. Every organisation has a fair share of its own.',
    default: 'no',
    example: 'yes',
    allowed: 'one of yes, no',
    parse: oneOf('yes', 'no'),
  }),
  operatorOrganisation: setting<string | null>({
    meaning:
      'Id of the organisation of the operators, whose admins see what all organisations use in Health and by `GET /v0/system`. Default: each organisation sees itself only; `/metrics` without a key has all.',
    default: null,
    example: 'org-1',
    allowed: 'from 1 to 200 characters',
    parse: z.string().min(1).max(200),
  }),
  organisationApplications: setting({
    meaning: 'Most applications of an organisation that the API creates.',
    default: '1000',
    example: '20',
    allowed: 'a whole number from 1 to 1000000',
    parse: wholeNumber(1, 1_000_000),
  }),
  organisationStreams: setting<number | null>({
    meaning: 'Most open streams of each kind of an organisation. Default: half of those of the server.',
    default: null,
    example: '10',
    allowed: 'a whole number from 1 to 100',
    parse: wholeNumber(1, 100),
  }),
  organisationUploads: setting<number | null>({
    meaning:
      'Most uploads of an organisation at once, of which one application may use three quarters, rounded down, but at least one. Default: half of those of the server, which are 12.',
    default: null,
    example: '2',
    allowed: 'a whole number from 1 to 6',
    parse: wholeNumber(1, 6),
  }),
  organisationDecodingSeconds: setting<number | null>({
    meaning:
      'Most seconds per hour for which requests of an organisation may occupy the threads that decode them; further ones are rejected with 429 and a `Retry-After` of 3 seconds until the hour is over. Default: no limit.',
    default: null,
    example: '1200',
    allowed: 'a whole number from 1 to 7200',
    parse: wholeNumber(1, 7_200),
  }),
  organisationStoredBytes: setting<number | null>({
    meaning:
      'Most bytes of traces of an organisation, estimated with their indexes; further ones are rejected with 403 until some are deleted. Default: no limit.',
    default: null,
    example: '20GiB',
    allowed: 'a number of bytes from 1MiB, for example 20GiB',
    parse: byteSize(MIB, Number.MAX_SAFE_INTEGER),
  }),
  organisationJudgeDollarsPerDay: setting<number | null>({
    meaning:
      'Most US dollars per day (UTC) that the judges of an organisation may cost, where a price is known. Default: no limit.',
    default: null,
    example: '5',
    allowed: 'a whole number from 1 to 1000000',
    parse: wholeNumber(1, 1_000_000),
  }),
  organisationJudgeDollarsPerMonth: setting<number | null>({
    meaning: 'The same per calendar month.',
    default: null,
    example: '100',
    allowed: 'a whole number from 1 to 1000000',
    parse: wholeNumber(1, 1_000_000),
  }),
} as const;
