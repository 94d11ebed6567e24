import { isUtf8 } from 'node:buffer';
import type { Masker } from '../masking/masker.ts';
import type { FinishedDelivery } from './delivery-record.ts';

/** Stand for the parts of responses of webhooks in rules and in the report. */
const BODY = 'webhook.response.body';
const HEADER = 'http.response.header.';

/** Masks the stored parts of a response to a delivery. */
export function maskAnswer(delivery: FinishedDelivery, masker: Masker): FinishedDelivery {
  const { responseBody, responseHeaders, message } = delivery;
  return {
    ...delivery,
    message: message && masker.text(message, 'webhook.message'),
    responseBody: responseBody && maskBytes(responseBody, masker),
    responseHeaders:
      responseHeaders &&
      Object.fromEntries(
        Object.entries(responseHeaders).flatMap(([name, value]) => {
          const attribute = HEADER + name;
          const fate = masker.attributes.fateOfField(attribute);
          if (fate === 'remove') masker.tally.add('removed', attribute);
          if (fate === 'remove') return [];
          return [[name, fate === 'exempt' ? value : masker.text(value, attribute)]];
        }),
      ),
  };
}

function maskBytes(body: Uint8Array, masker: Masker): Uint8Array {
  if (masker.attributes.fateOfField(BODY) === 'exempt') return body;
  const encoding = isUtf8(body) ? 'utf8' : 'latin1';
  const text = Buffer.from(body).toString(encoding);
  const masked = masker.text(text, BODY);
  return masked === text ? body : Buffer.from(masked, encoding);
}
