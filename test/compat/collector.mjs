// Sends spans through a Collector, which runs until the input ends: node collector.mjs COLLECTOR EXPORTER COMPRESSION
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const [collector = '', exporter = '', compression = ''] = process.argv.slice(2);
const probe = createServer().listen(0, '127.0.0.1');
await once(probe, 'listening');
const port = String(probe.address()?.port);
probe.close();

const headers = Object.fromEntries(
  String(process.env['OTEL_EXPORTER_OTLP_HEADERS'])
    .split(',')
    .map((pair) => pair.split('=')),
);
const running = spawn(collector, ['--config', join(import.meta.dirname, 'collector.yaml')], {
  env: {
    ...process.env,
    RECEIVER_PORT: port,
    EXPORTER: exporter,
    COMPRESSION: compression,
    API_KEY: headers['x-api-key'],
    APPLICATION_ID: headers['x-application-id'],
  },
  stdio: 'inherit',
});
const url = `http://127.0.0.1:${port}`;
for (let tries = 0; ; tries++) {
  const isUp = await fetch(url).then(
    () => true,
    () => false,
  );
  if (isUp) break;
  if (tries > 100) throw new Error('the Collector does not listen');
  await sleep(100);
}
const sender = join(import.meta.dirname, '../transport/senders/sender.mjs');
const sending = spawn(process.execPath, [sender, 'http/protobuf'], {
  env: { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_HEADERS: '' },
  stdio: ['ignore', 'inherit', 'inherit'],
});
await once(sending, 'exit');
process.stdin.resume();
await once(process.stdin, 'end');
running.kill('SIGTERM');
await once(running, 'exit');
