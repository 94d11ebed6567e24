/** Small apps in both languages that use the packages as they are, each wrong in its own way. */
import { join } from 'node:path';
import type { Program } from './mistakes.ts';

const SOURCE_FOLDER = join(import.meta.dirname, '../../exporters/otel/src');
const SOURCE = join(SOURCE_FOLDER, 'main.ts');

const SECRET = 'the secret of the webhook, 32 b.';

/** Signs a delivery as the server does, by `webhook-signature`, and passes it to the handler. */
const DELIVERY_JS = `
import { createHmac } from 'node:crypto';
const key = Buffer.from(process.env.SIGNED_WITH ?? '${SECRET}');
const body = JSON.stringify({ testId: process.env.TEST_ID, prompt: 'Hello' });
const seconds = Math.floor(Date.now() / 1000);
const signature = createHmac('sha256', key).update('1.' + seconds + '.' + body).digest('base64');
const headers = { 'content-type': 'application/json', 'webhook-id': '1', 'webhook-timestamp': String(seconds),
  'webhook-signature': 'v1,' + signature };
const secret = 'whsec_' + Buffer.from('${SECRET}').toString('base64');
const handler = createWebhookHandler({ secret, touchstone, run: () => {
  if (process.env.APP === 'throws') throw new Error('no such model');
  if (process.env.APP !== 'silent') answer();
} });
await handler(new Request('http://app/', { method: 'POST', headers, body }));
`;

/** An app that has set up OpenTelemetry itself, with a sampler that leaves out everything. */
const SAMPLED_OUT_JS = `
import { context, trace } from '@opentelemetry/api';
import { AlwaysOffSampler, BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { AsyncLocalStorage } from 'node:async_hooks';
import { AsyncContextManager } from '${SOURCE_FOLDER}/context-manager.ts';
import { TouchstoneSpanProcessor, withTest } from '${SOURCE}';
context.setGlobalContextManager(new AsyncContextManager(new AsyncLocalStorage()));
const processor = new TouchstoneSpanProcessor();
trace.setGlobalTracerProvider(new BasicTracerProvider({ sampler: new AlwaysOffSampler(), spanProcessors: [processor] }));
withTest(process.env.TEST_ID, () => trace.getTracer('app').startActiveSpan('answer', (span) => span.end()));
await processor.shutdown();
`;

/** Returns the source of a JavaScript module. `api` is the module of the OpenTelemetry API that the app loads. */
export function javascriptApp(program: Program, api: string): string {
  if (program === 'sampled-out') return SAMPLED_OUT_JS;
  const work = {
    app: 'withTest(process.env.TEST_ID, answer);\nawait touchstone.shutdown();',
    'no-register': 'withTest(process.env.TEST_ID, answer);',
    'two-providers': 'await touchstone.shutdown();',
    'never-flushed': 'withTest(process.env.TEST_ID, answer);\nprocess.exit();',
    'two-apis': 'withTest(process.env.TEST_ID, answer);\nawait touchstone.shutdown();',
    webhook: `${DELIVERY_JS}await touchstone.shutdown();`,
  }[program];
  return `
import { trace } from '${api}';
import { createWebhookHandler, register, withTest } from '${SOURCE}';
${program === 'two-providers' ? OWN_PROVIDER_JS : ''}
${program === 'no-register' ? '' : 'const touchstone = register();'}
const answer = () => trace.getTracer('app').startSpan('answer').end();
${work}
`;
}

const OWN_PROVIDER_JS = `
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
trace.setGlobalTracerProvider(new BasicTracerProvider());
`;

const DELIVERY_PYTHON = `
import base64, hashlib, hmac, json, time
from touchstone_otel.webhook.request import WebhookRequest
key = os.environ.get("SIGNED_WITH", "${SECRET}").encode()
body = json.dumps({"testId": os.environ["TEST_ID"], "prompt": "Hello"}).encode()
seconds = str(int(time.time()))
digest = hmac.digest(key, b"1." + seconds.encode() + b"." + body, "sha256")
headers = {"content-type": "application/json", "webhook-id": "1", "webhook-timestamp": seconds,
    "webhook-signature": "v1," + base64.b64encode(digest).decode()}
def run(test):
    if os.environ.get("APP") == "throws":
        raise ValueError("no such model")
    if os.environ.get("APP") != "silent":
        answer()
secret = "whsec_" + base64.b64encode(b"${SECRET}").decode()
WebhookHandler(secret=secret, touchstone=touchstone, run=run).answer(WebhookRequest(headers, body))
`;

/** Returns the source of a Python program. */
export function pythonApp(program: Program): string {
  const inTest = 'with with_test(os.environ["TEST_ID"]):\n    answer()';
  return `
import os
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.sampling import ALWAYS_OFF
from touchstone_otel import WebhookHandler, register, with_test
${program === 'two-providers' ? 'register()' : ''}
${program === 'sampled-out' ? 'trace.set_tracer_provider(TracerProvider(sampler=ALWAYS_OFF))' : ''}
${program === 'no-register' ? '' : 'touchstone = register()'}
def answer():
    trace.get_tracer("app").start_span("answer").end()
${program === 'webhook' ? DELIVERY_PYTHON : program === 'two-providers' ? '' : inTest}
`;
}
