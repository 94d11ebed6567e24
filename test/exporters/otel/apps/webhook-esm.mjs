import * as api from '@opentelemetry/api';
import * as otel from 'touchstone-otel';
import { main } from './webhook.cjs';

await main({ otel, api });
