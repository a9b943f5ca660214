import { readFileSync } from 'node:fs';
import type { Digest } from '../../formats/digest.ts';
import { sbomsOf } from '../../lib/parts/sbom/index.ts';
import type { Part } from './sbom.ts';

interface Descriptor {
  readonly mediaType: string;
  readonly digest: Digest;
}

/** Returns what solpack's own reader finds in the image of a platform: packages of Debian, and modules of Go. */
export async function imageParts(layout: string, architecture: string): Promise<Part[]> {
  const read = (path: string): Uint8Array => readFileSync(`${layout}/${path}`);
  const blob = (digest: string): Uint8Array => read(`blobs/${digest.replace(':', '/')}`);
  const [top] = parsed(read('index.json')).manifests;
  const platforms: (Descriptor & { platform: { architecture: string } })[] = parsed(blob(top.digest)).manifests;
  const { digest } = platforms.find(({ platform }) => platform.architecture === architecture)!;
  const layers = (parsed(blob(digest)).layers as Descriptor[]).map((layer) => ({
    mediaType: layer.mediaType,
    open: async function* () {
      yield blob(layer.digest);
    },
  }));
  const image = { digest, layers };
  const { bytes } = await sbomsOf([image])(image, new AbortController().signal);
  return parsed(bytes).components;
}

// biome-ignore lint/suspicious/noExplicitAny: of the image that was built just now.
function parsed(bytes: Uint8Array): any {
  return JSON.parse(Buffer.from(bytes).toString('utf8'));
}
