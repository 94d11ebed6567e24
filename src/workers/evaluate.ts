import { setFlagsFromString } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import type { AppliedDefinition } from '../evaluate/evaluator.ts';
import type { EvaluateMessage, EvaluateRequest } from '../evaluate/evaluate-thread.ts';
import { evaluateDefinition } from '../evaluate/evaluators/deterministic.ts';
import { loadLanguageDetector } from '../evaluate/load-language-detector.ts';
import { checksLanguage } from '../evaluate/evaluators/assert.ts';
import type { Subject } from '../evaluate/subject.ts';

// A pattern that backtracks too often continues in an engine with linear time (ADR 8).
setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');

const port = parentPort;
if (!port) throw new Error('started outside a worker thread');
const tell = (message: EvaluateMessage): void => port.postMessage(message, []);
let kept: Subject | null = null;
let keptDefinitions: readonly AppliedDefinition[] = [];

port.on('message', (request: EvaluateRequest) => void judge(request));

async function judge({ subject, definitions, sliceMs }: EvaluateRequest): Promise<void> {
  kept = subject ?? kept;
  keptDefinitions = definitions ?? keptDefinitions;
  if (!kept) throw new Error('the first request must have a subject');
  // Before the turn begins, so that no definition is charged for it.
  if (keptDefinitions.some(checksLanguage)) await loadLanguageDetector();
  tell({ begins: true });
  const begunAt = performance.now();
  for (const definition of keptDefinitions) {
    const since = performance.now();
    if (since - begunAt >= sliceMs) break;
    const verdict = evaluateDefinition(kept, definition, () => tell({ examples: true }));
    tell({ verdict, seconds: (performance.now() - since) / 1000 });
  }
  tell({ ends: true });
}
