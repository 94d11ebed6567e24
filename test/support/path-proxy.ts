/** A reverse proxy that serves a server below a path of its host, and nothing else. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PathProxy {
  /** Address below which clients reach the server, without a slash at the end. */
  url: string;
  /** Sets where requests go. */
  sendTo: (target: string) => void;
  close: () => Promise<void>;
}

/** Starts a proxy on a free port. It removes its path from requests, or keeps it. */
export async function startPathProxy(path: string, style: 'keeps' | 'removes'): Promise<PathProxy> {
  let target = '';
  const server = createServer((incoming, outgoing) => {
    const { url = '/', method, headers } = incoming;
    if (url !== path && !url.startsWith(`${path}/`)) {
      outgoing.writeHead(404).end('This belongs to another service of the host.');
      return;
    }
    const forwarded = style === 'keeps' ? url : url.slice(path.length).replace(/^(?!\/)/, '/');
    const sent = request(target + forwarded, { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    sent.on('error', () => outgoing.destroy());
    outgoing.on('close', () => sent.destroy());
    incoming.pipe(sent);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${path}`,
    sendTo: (url) => (target = url),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
