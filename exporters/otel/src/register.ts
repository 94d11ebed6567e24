import { NODE } from './node-platform.ts';
import { type RegisterOptions, registerOn, type Touchstone } from './registration.ts';

/**
 * Sets up OpenTelemetry for an app that has none: tracer provider, context manager, propagators. What is set already
 * stays as it is. Never throws; what went wrong is said by `diag`.
 */
export const register = (options: RegisterOptions = {}): Touchstone => registerOn(NODE, options);
