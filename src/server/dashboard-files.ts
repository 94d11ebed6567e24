import { z } from 'zod';
import { findAsset, readAssetBytes } from '../runtime/assets.ts';

/** File of the built dashboard. The build writes it plain and compressed, and lists it in `files.json`. */
const fileEntry = z.object({ path: z.string(), type: z.string(), etag: z.string() });
export type DashboardFile = z.infer<typeof fileEntry>;

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

  private constructor(files: readonly DashboardFile[]) {
    this.files = new Map(files.map((file) => [file.path, file]));
  }

  /** Reads the list of files; null if this build has no dashboard. */
  static open(): DashboardFiles | null {
    const list = findAsset('dashboard/files.json');
    return list === null ? null : new DashboardFiles(z.array(fileEntry).parse(JSON.parse(list)));
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
    const bytes = readAssetBytes(`dashboard/${path}`);
    this.contents.set(path, bytes);
    bytes.catch(() => this.contents.delete(path));
    return bytes;
  }
}
