import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar';

/** An image that was pulled and unpacked. */
interface Pulled {
  readonly digest: string;
  /** Bytes of its layers. */
  readonly bytes: number;
  readonly entrypoint: readonly string[];
}

/** Pulls `image` (`repository:tag`) for one architecture from a registry, and unpacks its layers into `folder`. */
export async function pullImage(
  registry: string,
  image: string,
  architecture: string,
  folder: string,
): Promise<Pulled> {
  const [repository, tag] = image.split(':');
  const base = `${registry}/v2/${repository}`;
  const index = await json(`${base}/manifests/${tag}`);
  const entry = index.manifests.find(
    (one: { platform: { architecture: string } }) => one.platform.architecture === architecture,
  );
  const manifest = await json(`${base}/manifests/${entry.digest}`);
  const config = await json(`${base}/blobs/${manifest.config.digest}`);
  mkdirSync(folder, { recursive: true });
  let bytes = 0;
  for (const layer of manifest.layers) {
    const answer = await get(`${base}/blobs/${layer.digest}`);
    const hash = createHash('sha256');
    const body = Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]);
    body.on('data', (chunk) => hash.update(chunk));
    await pipeline(body, extract({ cwd: folder }));
    if (`sha256:${hash.digest('hex')}` !== layer.digest) throw new Error(`${layer.digest} arrived damaged`);
    bytes += layer.size;
  }
  return { digest: entry.digest, bytes, entrypoint: config.config.Entrypoint };
}

async function get(url: string): Promise<Response> {
  const answer = await fetch(url);
  if (!answer.ok || !answer.body) throw new Error(`${url} answered ${answer.status}`);
  return answer;
}

// biome-ignore lint/suspicious/noExplicitAny: what a registry answers is read here by its fields alone
async function json(url: string): Promise<any> {
  return (await get(url)).json();
}
