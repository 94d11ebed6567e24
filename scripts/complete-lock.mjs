// Adds to package-lock.json the platform packages that npm omitted. npm drops an optional package from the lock file
// when the registry does not serve it (mirrors often omit other platforms), and then `npm ci` rejects the lock file
// everywhere. Their versions are exact in the package that requires them; only the checksum stays unknown.
import { readFileSync, writeFileSync } from 'node:fs';

const OS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const CPU = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));
const packages = lock.packages;

for (const [path, parent] of Object.entries(packages)) {
  if (path === '') continue;
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    if (packages[`${path}/node_modules/${name}`] || packages[`node_modules/${name}`]) continue;
    const { os, cpu, libc } = platformOf(name);
    // In npm's own order of fields, so that its next run leaves the file as it is.
    packages[`node_modules/${name}`] = {
      version,
      cpu,
      ...(parent.dev && { dev: true }),
      ...(libc && { libc }),
      optional: true,
      ...(os && { os }),
    };
    console.log(`added ${name}@${version}`);
  }
}

lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en')));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);

function platformOf(name) {
  const words = name.split(/[-/]/);
  const starts = (start) => words.some((word) => word.startsWith(start));
  const os = OS.find((one) => words.includes(one));
  const cpu = CPU.find((one) => words.includes(one));
  // WebAssembly runs on any system.
  if (cpu === 'wasm32') return { cpu: [cpu] };
  if (!os || !cpu) throw new Error(`No platform in the name ${name}: add it to the lock file by hand`);
  const libc = starts('musl') ? 'musl' : starts('gnu') ? 'glibc' : undefined;
  return { os: [os], cpu: [cpu], ...(os === 'linux' && libc && { libc: [libc] }) };
}
