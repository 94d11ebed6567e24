import { isUtf8 } from 'node:buffer';
import type { Masker } from '../masking/masker.ts';
import type { Steps } from '../runtime/steps.ts';
import type { FinishedDelivery } from './delivery-record.ts';

/** Stand for the parts of responses of webhooks in rules and in the report. */
const BODY = 'webhook.response.body';
const HEADER = 'http.response.header.';

/** Masks the stored parts of a response to a delivery, in steps. */
export const maskAnswer = (delivery: FinishedDelivery, masker: Masker): Steps<FinishedDelivery> =>
  masker.run(maskParts(delivery, masker));

function* maskParts(delivery: FinishedDelivery, masker: Masker): Steps<FinishedDelivery> {
  const { responseBody, responseHeaders, message } = delivery;
  return {
    ...delivery,
    message: message && (yield* masker.textSteps(message, 'webhook.message')),
    responseBody: responseBody && (yield* maskBytes(responseBody, masker)),
    responseHeaders: responseHeaders && (yield* maskHeaders(responseHeaders, masker)),
  };
}

function* maskHeaders(
  headers: NonNullable<FinishedDelivery['responseHeaders']>,
  masker: Masker,
): Steps<NonNullable<FinishedDelivery['responseHeaders']>> {
  const masked: [string, string][] = [];
  for (const [name, value] of Object.entries(headers)) {
    const attribute = HEADER + name;
    const fate = masker.attributes.fateOfField(attribute);
    if (fate === 'remove') masker.tally.add('removed', attribute);
    else masked.push([name, fate === 'exempt' ? value : yield* masker.textSteps(value, attribute)]);
  }
  return Object.fromEntries(masked);
}

function* maskBytes(body: Uint8Array, masker: Masker): Steps<Uint8Array> {
  if (masker.attributes.fateOfField(BODY) === 'exempt') return body;
  const encoding = isUtf8(body) ? 'utf8' : 'latin1';
  const text = Buffer.from(body).toString(encoding);
  const masked = yield* masker.textSteps(text, BODY);
  return masked === text ? body : Buffer.from(masked, encoding);
}
