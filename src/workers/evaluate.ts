import { parentPort } from 'node:worker_threads';
import type { EvaluateMessage, EvaluateRequest } from '../evaluate/evaluate-thread.ts';
import { evaluateRule } from '../evaluate/evaluators/deterministic.ts';

const port = parentPort;
if (!port) throw new Error('started outside a worker thread');
const tell = (message: EvaluateMessage): void => port.postMessage(message, []);

port.on('message', ({ subject, rules }: EvaluateRequest) => {
  tell({ begins: true });
  for (const rule of rules) {
    const since = performance.now();
    const verdict = evaluateRule(subject, rule);
    tell({ verdict, seconds: (performance.now() - since) / 1000 });
  }
});
