import { positionOf } from '../storage/dialect.ts';

/** Begins the quote of what an app responded, at the end of a message. */
const QUOTE = ': “';

/** Returns a message that ends with a quote of what an app responded, or with a full stop where there is nothing to quote. */
export const withQuote = (message: string, quote: string | null): string =>
  quote === null ? `${message}.` : `${message}${QUOTE}${quote}”`;

/** Returns a message without its quote. */
export const unquoted = (message: string): string => {
  const begin = message.indexOf(QUOTE);
  return begin === -1 ? message : `${message.slice(0, begin)}.`;
};

/** SQL condition for messages with a quote; `text` is an SQL expression. */
export const hasQuote = (text: string): string => `${positionOf(text, `'${QUOTE}'`)} > 0`;

/** SQL expression of a message without its quote, which repeats texts of the app; `text` is an SQL expression. */
export const withoutQuote = (text: string): string =>
  `CASE WHEN ${hasQuote(text)} THEN substr(${text}, 1, ${positionOf(text, `'${QUOTE}'`)} - 1) || '.' ELSE ${text} END`;
