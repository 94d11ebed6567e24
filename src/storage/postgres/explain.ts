import { StartupError } from '../../errors.ts';
import { PostgresFault, postgresFaultCode } from './fault.ts';
import { type DatabaseTarget, describeTarget } from './target.ts';

/** Advice about faults, by the beginning of their codes. `%` stands for the database. */
const ADVICE: readonly (readonly [codes: RegExp, text: string])[] = [
  [/^28P01$/, '% rejects the user or the password (28P01); correct the address of the database.'],
  [
    /^28/,
    '% does not let this user in from here (28000); correct the user, the sslmode, or pg_hba.conf of the server.',
  ],
  [
    /^3D000$/,
    `% does not exist; create it with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0, or correct the address.`,
  ],
  [/^53300$/, '% accepts no more connections (53300); raise max_connections of the server, or end some.'],
  [/^53100$/, 'The disk of % is full (53100); free some space.'],
  [/^57P03$/, '% is starting or stopping (57P03); retry in a moment.'],
  [/^57014$|^55P03$/, '% is busy; retry later.'],
  [
    /^25006$/,
    '% takes no writes; use the address of the primary, or add target_session_attrs=read-write with all hosts.',
  ],
  [/^42501$/, '% does not permit this user what is needed (42501); make the user the owner of the database.'],
  [
    /CERT_ALTNAME/,
    'The certificate of % is not for this host name; correct the host, or use sslmode=verify-ca.',
  ],
  [/CERT_HAS_EXPIRED/, 'The certificate of % has expired; renew it.'],
  [
    /CERT|UNABLE_TO|SELF_SIGNED|ISSUER/,
    'The certificate of % is of an unknown authority; set sslrootcert to the file of its certificate.',
  ],
];

/** Describes in one sentence why a database cannot be used; returns errors that are none of its faults unchanged. */
export function explainFault(error: unknown, target: DatabaseTarget): unknown {
  if (!(error instanceof PostgresFault)) return error;
  const { code, message } = error;
  const place = describeTarget(target);
  const sentence = (text: string): StartupError => new StartupError(capitalized(text.replace('%', place)));
  if (/does not support SSL/.test(message))
    return sentence('% does not support TLS; enable it on the server, or use sslmode=disable.');
  if (/password must be a (?:non-empty )?string/.test(message))
    return sentence('% requires a password; add it to the address, or set TOUCHSTONE_DATABASE_URL_FILE.');
  if (/file of \w+ cannot be read/.test(message)) return sentence(`For %, ${message}; correct the path.`);
  const advice = ADVICE.find(([codes]) => codes.test(code))?.[1];
  if (advice !== undefined) return sentence(advice);
  return postgresFaultCode(error) === null
    ? error
    : sentence(`% cannot be reached (${code}); check host and port, and that PostgreSQL runs there.`);
}

/** Returns a text that begins with a capital letter. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
