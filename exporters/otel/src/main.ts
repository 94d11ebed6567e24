/** All that the package offers in Node. */
export * from './everywhere.ts';
export { TouchstoneSpanExporter } from './exporter.ts';
export { TouchstoneSpanProcessor } from './processor.ts';
export { register } from './register.ts';
export { type FastifyScope, toFastifyPlugin } from './webhook-fastify.ts';
export { type NodeListener, toNodeListener } from './webhook-node.ts';
