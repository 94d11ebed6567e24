import { request } from 'node:http';
import { it } from 'vitest';
import { startServer } from '../support/server.ts';
it('x', async () => {
  const s = await startServer({ config: { maxBodyBytes: 1 << 20, memoryBudgetBytes: 2 << 20 } });
  const out: Record<string, number> = {};
  const add = (k: string) => { out[k] = (out[k] ?? 0) + 1; };
  for (let i = 0; i < 60; i++) for (const size of [1.1, 3, 20, 80]) for (const len of [true, false]) {
    const body = Buffer.alloc(size * 1048576, 32);
    await new Promise<void>((resolve) => {
      const r = request(s.url + '/v1/traces', { method: 'POST', headers: { ...s.headers, 'content-type': 'application/json', ...(len ? { 'content-length': body.length } : {}) } }, (res) => { add(`http ${size} ${len} ${res.statusCode}`); res.resume(); res.on('end', () => {resolve(); r.destroy(); }); });
      r.on('error', (e) => { add(`http ${size} ${len} ${(e as any).code}`); resolve(); });
      r.end(body);
    });
  }
  console.log(out);
  await s.close();
}, 120000);
