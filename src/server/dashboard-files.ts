import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { z } from 'zod';
import { findAsset, readAssetBytes } from '../runtime/assets.ts';

/** File of the built dashboard. The build writes it plain and compressed, and lists it in `files.json`. */
const fileEntry = z.object({ path: z.string(), type: z.string(), etag: z.string() });
export type DashboardFile = z.infer<typeof fileEntry>;

const PAGE = 'index.html';

/** Suffix of the file that holds each content encoding, the smallest first. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

export interface Encoded {
  bytes: Buffer;
  /** Value of Content-Encoding; null for the plain file. */
  encoding: string | null;
}

/** Files of the dashboard by path. Each is read when it is first requested, and kept. */
export class DashboardFiles {
  private readonly files: ReadonlyMap<string, DashboardFile>;
  private readonly contents = new Map<string, Promise<Buffer>>();

  private readonly publicPath: string;

  private constructor(files: readonly DashboardFile[], publicPath: string) {
    this.publicPath = publicPath;
    const suffix = publicPath.replaceAll(/\W/g, '-');
    this.files = new Map(
      files.map((file) => [file.path, file.path === PAGE ? { ...file, etag: file.etag + suffix } : file]),
    );
  }

  /** Reads the list of files; null if this build has no dashboard. `publicPath` is the path of the public URL. */
  static open(publicPath: string): DashboardFiles | null {
    const list = findAsset('dashboard/files.json');
    return list === null ? null : new DashboardFiles(z.array(fileEntry).parse(JSON.parse(list)), publicPath);
  }

  find(path: string): DashboardFile | undefined {
    return this.files.get(path);
  }

  /** Returns the file in the smallest encoding that `accept`, the Accept-Encoding of the request, allows. */
  async read({ path }: DashboardFile, accept: string): Promise<Encoded> {
    const accepted = accept
      .split(',')
      .filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
      .map((part) => part.split(';', 1).join('').trim().toLowerCase());
    const [encoding, suffix] = ENCODINGS.find(([name]) => accepted.includes(name)) ?? [null, ''];
    return { bytes: await this.bytesOf(path + suffix), encoding };
  }

  private bytesOf(path: string): Promise<Buffer> {
    const known = this.contents.get(path);
    if (known) return known;
    const bytes = path.startsWith(PAGE) ? this.pageBytes(path.slice(PAGE.length)) : readFile(path);
    this.contents.set(path, bytes);
    bytes.catch(() => this.contents.delete(path));
    return bytes;
  }

  /** Returns the page in an encoding, with the path of the public URL in its addresses. */
  private async pageBytes(suffix: string): Promise<Buffer> {
    if (this.publicPath === '') return readFile(PAGE + suffix);
    const path = this.publicPath.replaceAll('&', '&amp;');
    const page = (await readFile(PAGE))
      .toString('utf8')
      .replaceAll('="/assets/', `="${path}/assets/`)
      .replace('name="touchstone-path" content=""', `name="touchstone-path" content="${path}"`);
    if (suffix === '.br') return promisify(brotliCompress)(page);
    return suffix === '.gz' ? promisify(gzip)(page) : Buffer.from(page);
  }
}

const readFile = (path: string): Promise<Buffer> => readAssetBytes(`dashboard/${path}`);
