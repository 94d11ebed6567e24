import * as api from '@opentelemetry/api';
import * as otel from 'touchstone-otel';
import { main } from './scenario.cjs';

const sdk = await import('@opentelemetry/sdk-trace-base').catch(() => import('@opentelemetry/sdk-trace'));

await main({ otel, api, sdk });
