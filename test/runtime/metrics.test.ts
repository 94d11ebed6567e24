import { describe, expect, it } from 'vitest';
import { createMetrics } from '../../src/runtime/metrics.ts';
import type { StoreNumbers } from '../../src/runtime/scraped-metrics.ts';

const numbers: StoreNumbers = {
  commits: 3,
  commitSeconds: 0.5,
  commands: 7,
  failedCommits: 1,
  longestCommitSeconds: 0.125,
  checkpoints: 2,
  failedCheckpoints: 1,
  checkpointSeconds: 0.25,
  walBytes: 4096,
  fileBytes: 8192,
  queuedWrites: 4,
  queuedReads: 5,
  reads: 11,
  readWaitSeconds: 0.75,
  rejectedReads: 3,
};
const memory = { used: 10, limit: 100 };
const lines = (text: string): string[] => text.split('\n');

describe('the metrics', () => {
  it('show what the endpoints count', async () => {
    const metrics = createMetrics({ storeNumbers: async () => numbers, memory });
    metrics.ingestRequests.inc({ endpoint: 'otlp', door: 'otlp', status: '200' });
    metrics.ingestSpans.inc({ outcome: 'stored' }, 5);
    metrics.ingestSeconds.observe({ endpoint: 'otlp', door: 'otlp' }, 0.02);
    metrics.httpRequests.inc({ method: 'GET', route: '/v0/traces', status: '200' });
    metrics.httpSeconds.observe({ method: 'GET', route: '/v0/traces' }, 0.02);
    metrics.rejected.inc({ reason: 'memory' });
    const text = lines(await metrics.text());
    expect(text).toEqual(
      expect.arrayContaining([
        'touchstone_ingest_requests_total{endpoint="otlp",door="otlp",status="200"} 1',
        'touchstone_ingest_spans_total{outcome="stored"} 5',
        'touchstone_ingest_seconds_bucket{le="0.025",endpoint="otlp",door="otlp"} 1',
        'touchstone_http_requests_total{method="GET",route="/v0/traces",status="200"} 1',
        'touchstone_http_seconds_count{method="GET",route="/v0/traces"} 1',
        'touchstone_rejected_total{reason="memory"} 1',
        'touchstone_memory_budget_bytes{state="used"} 10',
        'touchstone_memory_budget_bytes{state="limit"} 100',
      ]),
    );
  });

  it('ask the store at each scrape', async () => {
    let commits = 3;
    const metrics = createMetrics({ storeNumbers: async () => ({ ...numbers, commits }), memory });
    await metrics.text();
    commits = 4;
    const text = lines(await metrics.text());
    expect(text).toContain('touchstone_store_commits_total 4');
    expect(text).toContain('touchstone_store_wal_bytes 4096');
    expect(text).toContain('touchstone_store_queued_reads 5');
    expect(text).toContain('touchstone_store_up 1');
  });

  it('say so when the store does not answer, and show the rest', async () => {
    const metrics = createMetrics({ storeNumbers: () => Promise.reject(new Error('busy')), memory });
    const text = await metrics.text();
    expect(text).toContain('touchstone_store_up 0');
    expect(text).toMatch(/process_resident_memory_bytes \d{6,}/);
  });

  it('belong to one server each', async () => {
    const one = createMetrics({ storeNumbers: async () => numbers, memory });
    const other = createMetrics({ storeNumbers: async () => numbers, memory });
    one.rejected.inc({ reason: 'memory' });
    expect(await other.text()).not.toContain('reason="memory"');
  });
});
