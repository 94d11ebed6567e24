// An app in ESM, a part of which is CommonJS: the package is loaded twice.
import { createRequire } from 'node:module';
import * as otel from 'touchstone-otel';
import { main } from './scenario.cjs';

const require = createRequire(import.meta.url);
const { withTest } = require('touchstone-otel');

await main({ otel: { ...otel, withTest }, api: require('@opentelemetry/api'), sdk: null });
