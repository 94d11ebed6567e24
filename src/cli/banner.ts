/** Information that a user needs to send the first spans. */
export interface Welcome {
  version: string;
  url: string;
  /** Port of OTLP over gRPC; null if it is off. */
  grpcPort: number | null;
  applicationId: string;
  /** Key that this start created; null on later starts. */
  key: ShownKey | null;
  /** Instructions for the first sign-in; null if there are users, or if it must not be shown. */
  setup: FirstUser | null;
  /** Path of the file with the first key, while it exists. */
  keyFile: string | null;
  /** Command line of this program, up to its arguments. */
  program: string;
}

/** A link, or a file with one. */
export type FirstUser = { link: string } | { file: string };
export type ShownKey = { text: string } | { file: string } | { preset: true };

export function welcome(information: Welcome): string {
  const { version, url, grpcPort, applicationId, setup, key, keyFile, program } = information;
  const grpc = grpcPort === null ? '' : `, and for OTLP over gRPC on port ${grpcPort}`;
  const lines = [`Touchstone ${version} listens on ${url}${grpc}`, ''];
  if (setup !== null) lines.push(`  first user   ${setupLine(setup)}`);
  lines.push(`  application  ${applicationId}`);
  if (key === null) {
    lines.push(
      keyFile === null
        ? `  new API key  ${program} keys create --application-id ${applicationId}`
        : `  API key      in ${keyFile}`,
    );
    return `${lines.join('\n')}\n\n`;
  }
  lines.push(
    `  API key      ${keyLine(key)}`,
    '',
    'Set these variables in your shell:',
    `  export TOUCHSTONE_URL=${url}`,
    `  export TOUCHSTONE_API_KEY="${keyInShell(key)}"`,
    `  export TOUCHSTONE_APPLICATION_ID=${applicationId}`,
    '',
    'List the stored traces:',
    '  curl -H "x-api-key: $TOUCHSTONE_API_KEY" -H "x-application-id: $TOUCHSTONE_APPLICATION_ID" $TOUCHSTONE_URL/v0/traces',
    '',
    'Send spans from any OpenTelemetry SDK:',
    '  export OTEL_EXPORTER_OTLP_ENDPOINT=$TOUCHSTONE_URL',
    '  export OTEL_EXPORTER_OTLP_HEADERS="x-api-key=$TOUCHSTONE_API_KEY,x-application-id=$TOUCHSTONE_APPLICATION_ID"',
    '  export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
    '',
    `All calls, with examples: ${url}/docs`,
  );
  return `${lines.join('\n')}\n\n`;
}

const setupLine = (setup: FirstUser): string =>
  'link' in setup
    ? `${setup.link}  (once, within 15 minutes)`
    : `link in ${setup.file}  (once, within 15 minutes)`;

function keyLine(key: ShownKey): string {
  if ('text' in key) return `${key.text}  (shown only now)`;
  return 'file' in key ? `in ${key.file}  (delete the file once you have copied the key)` : 'as preset';
}

function keyInShell(key: ShownKey): string {
  if ('text' in key) return key.text;
  return 'file' in key
    ? `$(cat '${key.file.replaceAll("'", String.raw`'\''`)}')`
    : '$TOUCHSTONE_BOOTSTRAP_API_KEY';
}
