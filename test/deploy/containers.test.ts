import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig, settingTexts } from '../../src/config.ts';
import { startServer } from '../support/server.ts';

const DEPLOY = join(import.meta.dirname, '../../deploy');
const read = (file: string): string => readFileSync(join(DEPLOY, file), 'utf8');
const VARIABLES = settingTexts().map(({ variable }) => variable);

interface Compose {
  services: Record<
    string,
    { build: string; ports: string[]; environment: Record<string, string>; volumes: string[] }
  >;
  volumes: Record<string, null>;
}

interface Manifest {
  kind: string;
  metadata: { name: string };
  spec: Record<string, unknown>;
}

interface Pod {
  containers: {
    ports: { name: string; containerPort: number }[];
    env: { name: string; value?: string }[];
    volumeMounts: { name: string; mountPath: string }[];
    [probe: `${string}Probe`]: { httpGet: { path: string; port: string } };
  }[];
  volumes: { name: string; persistentVolumeClaim?: { claimName: string } }[];
}

const valuesOf = (env: readonly { name: string; value?: string }[]): Record<string, string> =>
  Object.fromEntries(env.map(({ name, value = '' }) => [name, value]));

/** What an operator sets in every installation. */
const OPERATORS = ['TOUCHSTONE_PUBLIC_URL', 'TOUCHSTONE_OUTBOUND_ALLOW', 'TOUCHSTONE_BOOTSTRAP_API_KEY'];

/** Replaces `${NAME:-default}` by its default, as Compose does without variables. */
const withDefaults = (env: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, value.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')]),
  );

it('compose.yaml sets settings that exist, keeps the data in its volume, and publishes the ports on loopback', () => {
  const { services, volumes } = parse(read('compose.yaml')) as Compose;
  const { touchstone } = services;
  if (!touchstone) throw new Error('There is no service touchstone');
  const { build, ports, environment, volumes: mounted } = touchstone;
  expect(build).toBe('..');
  expect(VARIABLES).toEqual(expect.arrayContaining(Object.keys(environment)));
  expect(environment).toMatchObject({ TOUCHSTONE_HOST: '0.0.0.0' });
  expect(Object.keys(environment)).toEqual(expect.arrayContaining(OPERATORS));
  expect(readConfig(new Map(), withDefaults(environment)).config).toMatchObject({
    publicUrl: 'http://127.0.0.1:4318',
    outboundAllow: [],
    bootstrapApiKey: null,
  });
  expect(ports).toEqual([
    `127.0.0.1:4318:${environment['TOUCHSTONE_PORT']}`,
    `127.0.0.1:4317:${environment['TOUCHSTONE_GRPC_PORT']}`,
  ]);
  expect(mounted).toEqual([`${Object.keys(volumes)[0]}:${environment['TOUCHSTONE_DATA_DIR']}`]);
});

it('kubernetes.yaml has one process over one volume, whose names, ports, settings and probes fit together', async () => {
  const documents = parseAllDocuments(read('kubernetes.yaml'));
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  const manifests = documents.map((document) => document.toJS() as Manifest);
  const specOf = <T>(kind: string): T => manifests.find((one) => one.kind === kind)?.spec as T;
  const deployment = specOf<{
    replicas: number;
    strategy: { type: string };
    selector: { matchLabels: object };
    template: { metadata: { labels: object }; spec: Pod };
  }>('Deployment');
  expect([deployment.replicas, deployment.strategy.type]).toEqual([1, 'Recreate']);
  const { metadata, spec } = deployment.template;
  expect(metadata.labels).toEqual(deployment.selector.matchLabels);
  const service = specOf<{ selector: object; ports: { targetPort: string }[] }>('Service');
  expect(service.selector).toEqual(metadata.labels);

  const [container] = spec.containers;
  if (!container) throw new Error('There is no container');
  const values = valuesOf(container.env);
  expect(VARIABLES).toEqual(expect.arrayContaining(Object.keys(values)));
  expect(Object.keys(values)).toEqual(expect.arrayContaining(OPERATORS));
  expect(readConfig(new Map(), values).config.publicUrl).toBe('https://touchstone.example.com');
  expect(container.ports).toEqual([
    { name: 'http', containerPort: Number(values['TOUCHSTONE_PORT']) },
    { name: 'grpc', containerPort: Number(values['TOUCHSTONE_GRPC_PORT']) },
  ]);
  expect(service.ports.map(({ targetPort }) => targetPort)).toEqual(['http', 'grpc']);
  const mounts = Object.fromEntries(container.volumeMounts.map(({ mountPath, name }) => [mountPath, name]));
  const claim = manifests.find(({ kind }) => kind === 'PersistentVolumeClaim')?.metadata.name;
  expect(spec.volumes.find(({ name }) => name === mounts[String(values['TOUCHSTONE_DATA_DIR'])])).toEqual({
    name: 'data',
    persistentVolumeClaim: { claimName: claim },
  });

  const server = await startServer();
  try {
    for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'] as const) {
      const { path, port } = container[probe]?.httpGet ?? {};
      expect(port).toBe('http');
      expect((await fetch(`${server.url}${path}`)).status, path).toBe(200);
    }
  } finally {
    await server.close();
  }
});

it('the Dockerfile has no mistake that a checker knows', () => {
  expect(validate(readFileSync(join(DEPLOY, '../Dockerfile'), 'utf8'))).toEqual([]);
});

it.each(['compose.yaml', 'kubernetes.yaml', 'systemd/touchstone.service'])(
  '%s says how to read the first key, and how to set the public URL and the networks of webhooks',
  (file) => {
    const text = read(file);
    expect(text).toMatch(/^# The first key, once: +\S.* touchstone keys first/m);
    expect(text).toContain('TOUCHSTONE_PUBLIC_URL');
    expect(text).toContain('TOUCHSTONE_OUTBOUND_ALLOW');
  },
);
