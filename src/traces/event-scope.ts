import { WireWriter } from './wire/writer.ts';

/** Name of the scope under which native events are stored. */
export const EVENT_SCOPE_NAME = 'touchstone.events';

const encoded = ((): Buffer => {
  const writer = new WireWriter(64);
  const scope = writer.begin(1);
  writer.stringField(1, EVENT_SCOPE_NAME);
  writer.end(scope);
  return writer.toBuffer();
})();

/** Reports whether a ScopeSpans message without its spans is that of native events. */
export const isEventScope = (scope: Buffer): boolean => encoded.equals(scope);
