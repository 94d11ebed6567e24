import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

/**
 * Breaks the connection of a response whose stream closes before its end. Once the last bytes of a stream are passed on, Node does
 * not report that it was destroyed, and the response would neither end nor break.
 */
export function breakUnended(stream: Readable, response: ServerResponse): Readable {
  return stream.once('close', () => {
    if (!stream.readableEnded) response.destroy();
  });
}
