/** Registers by the settings of the environment: `node --import touchstone-otel/auto app.js`. */
import { register } from './register.ts';

register();
