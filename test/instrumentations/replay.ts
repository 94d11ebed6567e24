/** Sends recordings of applications to a server. */
import type { TestServer } from '../support/server.ts';
import { type AppPicture, pictureOfTenant } from './picture.ts';
import { readRecording } from './recording.ts';

/** Sends what an application sent, as a tenant of its own, and pictures its spans. */
export async function replay(server: TestServer, folder: string, app: string): Promise<AppPicture> {
  const tenant = await server.newTenant();
  for (const { path, type, encoding, body } of readRecording(folder, app).requests) {
    const { status } = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: {
        ...tenant.headers,
        'content-type': type,
        ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
      },
      body: Buffer.from(body, 'base64'),
    });
    if (status !== 200) throw new Error(`${app}: ${path} was answered ${status}`);
  }
  return pictureOfTenant(server, tenant, app);
}
