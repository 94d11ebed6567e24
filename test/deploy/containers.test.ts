import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { databaseOf } from '../../src/cli/database.ts';
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

it('compose.replicas.yaml starts servers without a folder, whose database, network and proxy are those beside them', () => {
  interface Replicas {
    services: Record<
      'touchstone' | 'postgres' | 'proxy',
      { environment: Record<string, string>; volumes?: string[]; ports?: string[]; depends_on?: object }
    >;
    networks: { default: { ipam: { config: { subnet: string }[] } } };
    volumes: Record<string, null>;
  }
  const { services, networks, volumes } = parse(read('compose.replicas.yaml')) as Replicas;
  const { touchstone, postgres, proxy } = services;
  expect(VARIABLES).toEqual(expect.arrayContaining(Object.keys(touchstone.environment)));
  expect(Object.keys(touchstone.environment)).toEqual(expect.arrayContaining(OPERATORS));
  const chosen = { POSTGRES_PASSWORD: 'abc123', TOUCHSTONE_SECRET_KEY: 'f'.repeat(64) };
  const filled = (env: Record<string, string>): Record<string, string> =>
    withDefaults(
      Object.fromEntries(
        Object.entries(env).map(([name, value]) => [
          name,
          value.replaceAll(/\$\{(\w+):\?\}/g, (_all, key: keyof typeof chosen) => chosen[key]),
        ]),
      ),
    );
  const { config } = readConfig(new Map(), filled(touchstone.environment));
  const { POSTGRES_USER, POSTGRES_DB, POSTGRES_PASSWORD } = filled(postgres.environment);
  expect(databaseOf(config)).toMatchObject({
    hosts: [{ host: 'postgres', port: 5432 }],
    user: POSTGRES_USER,
    database: POSTGRES_DB,
    password: POSTGRES_PASSWORD,
  });
  expect(config.secretKey).toBe(chosen.TOUCHSTONE_SECRET_KEY);
  const [{ subnet } = { subnet: '' }] = networks.default.ipam.config;
  expect(config.trustedProxies).toEqual([withDefaults({ subnet })['subnet']]);
  expect(touchstone).not.toHaveProperty('volumes');
  expect(postgres.volumes).toEqual([`${Object.keys(volumes)[0]}:/var/lib/postgresql`]);
  const bound = [...read('haproxy.cfg').matchAll(/^ {2}bind :(\d+)/gm)].map(([, port]) => port);
  expect(proxy.ports).toEqual(bound.map((port) => `127.0.0.1:${port}:${port}`));
  const asked = [...read('haproxy.cfg').matchAll(/server-template touchstone 10 (\S+)/g)].map(([, to]) => to);
  const { TOUCHSTONE_PORT, TOUCHSTONE_GRPC_PORT } = touchstone.environment;
  expect(asked).toEqual([`touchstone:${TOUCHSTONE_PORT}`, `touchstone:${TOUCHSTONE_GRPC_PORT}`]);
});

it('kubernetes.replicas.yaml has replicas without a volume, whose names, ports, settings and probes fit together', () => {
  const documents = parseAllDocuments(read('kubernetes.replicas.yaml'));
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  const manifests = documents.map((document) => document.toJS() as Manifest);
  const specOf = <T>(kind: string): T => manifests.find((one) => one.kind === kind)?.spec as T;
  const { selector, template } = specOf<{
    selector: { matchLabels: object };
    template: { metadata: { labels: object }; spec: Pod & { terminationGracePeriodSeconds: number } };
  }>('Deployment');
  expect(template.metadata.labels).toEqual(selector.matchLabels);
  expect(specOf('Service')).toMatchObject({ selector: selector.matchLabels });
  expect(specOf('PodDisruptionBudget')).toMatchObject({ selector });
  expect(specOf('HorizontalPodAutoscaler')).toMatchObject({
    scaleTargetRef: {
      kind: 'Deployment',
      name: manifests.find(({ kind }) => kind === 'Deployment')?.metadata.name,
    },
  });
  const [container] = template.spec.containers;
  if (!container) throw new Error('There is no container');
  const values = valuesOf(container.env);
  expect(VARIABLES).toEqual(expect.arrayContaining(Object.keys(values)));
  expect(Object.keys(values)).toEqual(
    expect.arrayContaining([...OPERATORS, 'TOUCHSTONE_DATABASE_URL', 'TOUCHSTONE_SECRET_KEY']),
  );
  const given = { ...values, TOUCHSTONE_DATABASE_URL: 'postgres://a@b/c', TOUCHSTONE_BOOTSTRAP_API_KEY: '' };
  const { config } = readConfig(new Map(), given);
  // Its time to stop is that of its delay and the 30 seconds in which it finishes.
  expect(template.spec.terminationGracePeriodSeconds * 1_000).toBeGreaterThan(
    Number(config.stopDelayMs) + 30_000,
  );
  expect(container.volumeMounts.map(({ name }) => name)).toEqual(
    template.spec.volumes.map(({ name }) => name),
  );
  expect(container.readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'http' });
  expect(container.livenessProbe?.httpGet).toEqual({ path: '/healthz', port: 'http' });
});

it('the Dockerfile has no mistake that a checker knows', () => {
  expect(validate(readFileSync(join(DEPLOY, '../Dockerfile'), 'utf8'))).toEqual([]);
});

it.each(['compose.replicas.yaml', 'kubernetes.replicas.yaml'])(
  '%s says how to make the first key and the first user',
  (file) => {
    const text = read(file);
    expect(text).toMatch(/^# The first key: +\S.* touchstone keys create --scopes admin$/m);
    expect(text).toMatch(/^# The first user: +\S.* touchstone users link$/m);
  },
);

it.each(['compose.yaml', 'kubernetes.yaml', 'systemd/touchstone.service'])(
  '%s says how to read the first key, and how to set the public URL and the networks of webhooks',
  (file) => {
    const text = read(file);
    expect(text).toMatch(/^# The first key, once: +\S.* touchstone keys first/m);
    expect(text).toContain('TOUCHSTONE_PUBLIC_URL');
    expect(text).toContain('TOUCHSTONE_OUTBOUND_ALLOW');
  },
);
