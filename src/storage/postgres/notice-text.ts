import { isObject } from '../../contract/is-object.ts';
import type { Notice } from './io-messages.ts';

/** Notice with the id of the process that published it. */
interface SentNotice extends Notice {
  from: string;
}

export const noticeText = (notice: SentNotice): string => JSON.stringify(notice);

/** Reads the text of a notice; null for any other text: whoever may connect to the database can publish on its channels. */
export function readNotice(payload: string): SentNotice | null {
  let value: unknown;
  try {
    value = JSON.parse(payload);
  } catch {
    return null;
  }
  if (!isObject(value)) return null;
  const isSent = [value['from'], value['topic'], value['text']].every((one) => typeof one === 'string');
  return isSent ? (value as unknown as SentNotice) : null;
}
