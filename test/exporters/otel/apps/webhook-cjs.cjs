const { main } = require('./webhook.cjs');

void main({ otel: require('touchstone-otel'), api: require('@opentelemetry/api') });
