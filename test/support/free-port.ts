import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** First port that needs no rights and belongs to few well-known services, and the number of ports. */
const [LOWEST, COUNT] = [10_000, 65_536];
/** Ports that Linux gives to outgoing connections unless it is set otherwise, also while a server of a test restarts. */
const USUAL_OUTGOING: readonly [lowest: number, highest: number] = [32_768, 60_999];

/**
 * Returns a port of the loopback address that nothing listens on, and that neither an outgoing connection nor another test gets
 * while this process lives.
 */
export async function freePort(): Promise<number> {
  const [lowest, beyond] = portsForServers(outgoingPorts());
  for (;;) {
    const port = randomInt(lowest, beyond);
    if ((await reserve(port)) && (await canListen(port))) return port;
  }
}

/** Returns the larger range of ports beside those of outgoing connections; all if these are almost all. */
function portsForServers([lowest, highest]: readonly [number, number]): [lowest: number, beyond: number] {
  const below: [number, number] = [LOWEST, Math.max(LOWEST, lowest)];
  const above: [number, number] = [Math.min(COUNT, highest + 1), COUNT];
  const larger = below[1] - below[0] >= above[1] - above[0] ? below : above;
  return larger[1] - larger[0] >= 1_000 ? larger : [LOWEST, COUNT];
}

function outgoingPorts(): readonly [number, number] {
  try {
    const [lowest, highest] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8')
      .trim()
      .split(/\s+/);
    return [Number(lowest), Number(highest)];
  } catch {
    return USUAL_OUTGOING;
  }
}

/** Holds the UDP port of the same number, which no server of these tests uses, so that all test processes choose different ports. */
async function reserve(port: number): Promise<boolean> {
  const socket = createSocket('udp4');
  try {
    socket.bind({ port, address: '127.0.0.1', exclusive: true });
    await once(socket, 'listening');
    socket.unref();
    return true;
  } catch (error) {
    return isInUse(error);
  }
}

async function canListen(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch (error) {
    return isInUse(error);
  }
  probe.close();
  await once(probe, 'close');
  return true;
}

/** Returns false for a port in use. Throws every other error. */
function isInUse(error: unknown): false {
  if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
  throw error;
}
