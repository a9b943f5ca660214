import { type Archive, openArchive } from '../archives/index.ts';
import type { Flow } from '../flow.ts';
import { type RunningRegistry, startRegistry } from '../registries/index.ts';
import { servedContent } from './content.ts';
import { registryEvents } from './events.ts';

export { servedContent } from './content.ts';
export { registryEvents } from './events.ts';

/** What to serve, and where. Paths are absolute. */
export interface ServeRequest {
  readonly archives: readonly string[];
  readonly listen: { readonly host: string; readonly port: number };
}

/** A registry that serves archives until it is closed. */
export interface Serving extends AsyncDisposable {
  readonly url: string;
  /** References that it answers for. */
  readonly images: readonly string[];
}

/**
 * Serves the images of archives as a read-only OCI registry, straight from the archives' bytes; nothing is copied.
 * Throws `archive-invalid`, `image-conflict`, `listen-failed`.
 */
export async function serve(request: ServeRequest, flow: Flow): Promise<Serving> {
  const archives: Archive[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(archives.map((archive) => archive[Symbol.asyncDispose]()));
  };
  try {
    for (const path of request.archives) archives.push(await openArchive(path, flow.signal));
    const registry: RunningRegistry = await startRegistry(archives.map(servedContent), {
      ...request.listen,
      ...registryEvents(flow),
    });
    return {
      url: registry.url,
      images: archives.flatMap(({ catalog }) => catalog.images.map(({ reference }) => reference)),
      [Symbol.asyncDispose]: async () => {
        await registry.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
