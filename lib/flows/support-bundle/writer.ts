import { createGzip, type Gzip } from 'node:zlib';
import { exactJson } from '../../../formats/exact-json.ts';
import { sizeWords } from '../../../formats/size-words.ts';
import { BLOCK } from '../../../formats/tar/block.ts';
import { encodeHeader } from '../../../formats/tar/encode.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import { createFile } from '../../kernel/files/index.ts';
import type { Blanking } from './blanking/index.ts';
import type { BundleFile, MissingPart, SupportBundle } from './request.ts';

/** Most bytes of one file of a bundle, and of all of them. */
interface BundleLimits {
  readonly file: number;
  readonly total: number;
}

const bundleLimits: BundleLimits = { file: 8 * 1024 * 1024, total: 128 * 1024 * 1024 };

/** The folder that all files of a bundle lie in. */
export const BUNDLE_FOLDER = 'solpack-support-bundle';

/** Takes what goes into a bundle. Secrets are blanked here, so that nothing gets past it. */
export interface BundleWriter {
  /** Adds a text. Of one that is too long the end is kept, from the beginning of a line on. */
  text(path: string, text: string): Promise<void>;
  /** Adds a value as JSON. */
  value(path: string, value: unknown): Promise<void>;
  /** Adds values as a list in JSON, one a line. What is too much at the end is left out, which is reported. */
  items(path: string, items: readonly unknown[]): Promise<void>;
  /** Notes that something could not be had. */
  missing(what: string, reason: string): void;
  readonly files: readonly BundleFile[];
  readonly lacks: readonly MissingPart[];
}

/**
 * Writes a bundle: a tar archive (POSIX.1-2017 ustar) in gzip, of what `work` gives, all of the same date and owner. It
 * has its name once it is whole, and only its owner may read it. Throws `output-unwritable`, `disk-full`, and what
 * `work` throws.
 */
export async function writeBundle(
  output: string,
  time: number,
  blanking: Blanking,
  work: (writer: BundleWriter) => Promise<void>,
  limits: BundleLimits = bundleLimits,
): Promise<SupportBundle> {
  const file = await createFile(output, 0o600);
  const gzip = createGzip();
  let size = 0;
  const drained = (async () => {
    for await (const chunk of gzip as AsyncIterable<Uint8Array>) {
      await file.write(chunk, size);
      size += chunk.length;
    }
  })();
  // It is awaited at the end, and by everybody who writes.
  drained.catch(() => undefined);
  const files: BundleFile[] = [];
  const lacks: MissingPart[] = [];
  try {
    await work(writerTo({ gzip, drained, blanking, modified: Math.floor(time / 1000), files, lacks, limits }));
    gzip.end(Buffer.alloc(2 * BLOCK));
    await drained;
    await file.commit();
    return { path: output, size, files, missing: lacks };
  } finally {
    gzip.destroy();
    await file.discard();
  }
}

interface Writing {
  readonly gzip: Gzip;
  readonly drained: Promise<void>;
  readonly blanking: Blanking;
  readonly modified: number;
  readonly files: BundleFile[];
  readonly lacks: MissingPart[];
  readonly limits: BundleLimits;
}

function writerTo(writing: Writing): BundleWriter {
  const { blanking, files, lacks, limits } = writing;
  const missing = (what: string, reason: string): void => {
    lacks.push({ what: blanking.text(what), reason: blanking.text(reason) });
  };
  let total = 0;
  const add = async (path: string, content: string): Promise<void> => {
    const bytes = Buffer.from(content);
    if (total + bytes.length > limits.total) {
      return missing(path, `the bundle has reached its limit of ${sizeWords(limits.total)}`);
    }
    total += bytes.length;
    await addFile(writing, path, bytes);
    files.push({ path, size: bytes.length });
  };
  return {
    files,
    lacks,
    missing,
    text: (path, text) => add(path, endOf(blanking.text(text), limits.file)),
    value: async (path, value) => {
      const content = `${exactJson(blanking.data(value ?? null), 2)}\n`;
      if (Buffer.byteLength(content) <= limits.file) await add(path, content);
      else missing(path, `it has more than ${sizeWords(limits.file)}`);
    },
    items: async (path, items) => {
      const lines: string[] = [];
      let size = 0;
      for (const item of items) {
        const line = exactJson(blanking.data(item));
        size += Buffer.byteLength(line) + 2;
        if (size > limits.file) break;
        lines.push(line);
      }
      if (lines.length < items.length) missing(path, `${items.length - lines.length} of ${items.length} are left out`);
      await add(path, `[\n${lines.join(',\n')}\n]\n`);
    },
  };
}

async function addFile({ gzip, drained, modified }: Writing, path: string, bytes: Buffer): Promise<void> {
  const header = encodeHeader(
    { path: `${BUNDLE_FOLDER}/${path}`, mode: 0o600, size: bytes.length, modified },
    `${BUNDLE_FOLDER}/.header`,
  );
  const whole = Buffer.concat([header, bytes, new Uint8Array(-bytes.length & (BLOCK - 1))]);
  if (gzip.write(whole)) return;
  await Promise.race([new Promise<void>((resolve) => gzip.once('drain', resolve)), drained]);
  if (gzip.destroyed) throw new SolpackError('output-unwritable', path, 'the bundle ended early');
}

/** Returns the end of a text, from the beginning of a line on, where it is too long for one file. */
function endOf(text: string, limit: number): string {
  if (Buffer.byteLength(text) <= limit) return text;
  const end = Buffer.from(text).subarray(-limit).toString();
  return end.slice(end.indexOf('\n') + 1);
}
