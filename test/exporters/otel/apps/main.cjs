const { main } = require('./scenario.cjs');

const sdk = () => {
  try {
    return require('@opentelemetry/sdk-trace-base');
  } catch {
    return require('@opentelemetry/sdk-trace');
  }
};

void main({ otel: require('touchstone-otel'), api: require('@opentelemetry/api'), sdk: sdk() });
