import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Bytes, collect, type ReadAt, slice } from '../../../../formats/bytes.ts';
import { decompress } from '../../../../formats/decompress.ts';
import { type Digest, sha256, verified } from '../../../../formats/digest.ts';
import { FormatError } from '../../../../formats/error.ts';
import { applyPatch } from '../../../../formats/layer-patch/apply.ts';
import type { Descriptor } from '../../../../formats/oci/descriptor.ts';
import { mostPlainBytes, plainLayer } from '../../../../formats/plain-layer.ts';
import type { LayerRecipe } from '../../../../formats/solution/selection.ts';
import { type Flow, SolpackError } from '../../../kernel/events/index.ts';
import {
  type OpenFile,
  openFile,
  spoolFile,
  type TemporaryFolder,
  temporaryFolder,
} from '../../../kernel/files/index.ts';
import { runWasm } from '../../../kernel/workers/index.ts';

/** What a layer is made of. */
export interface LayerInputs {
  readonly recipe: LayerRecipe;
  /** Bytes of the layer. */
  readonly size: number;
  readonly patch: ReadAt;
  /** The encoder, as the delta has it. */
  readonly encoder: ReadAt;
  readonly sources: readonly { readonly descriptor: Descriptor; open(): Bytes }[];
}

/** Bytes that an encoder may have. */
const MODULE_LIMIT = 32 * 1024 * 1024;

/**
 * Makes a layer in a temporary folder, and removes all else that it wrote there; the folder goes when the layer is
 * closed. Throws `content-mismatch` where the recipe makes another one or none, and what reading and writing throw.
 */
export async function rebuildLayer(inputs: LayerInputs, flow: Pick<Flow, 'host' | 'signal'>): Promise<OpenFile> {
  const folder = await temporaryFolder(flow.host);
  try {
    return await rebuildIn(folder, inputs, flow.signal);
  } catch (error) {
    await folder[Symbol.asyncDispose]();
    if (!(error instanceof FormatError)) throw error;
    throw unmade(inputs.recipe.digest, error.message, error);
  }
}

async function rebuildIn(folder: TemporaryFolder, inputs: LayerInputs, signal: AbortSignal): Promise<OpenFile> {
  const { recipe, size, patch, encoder, sources } = inputs;
  const { digest, tarSize } = recipe;
  if (tarSize > mostPlainBytes(size)) throw unmade(digest, 'its tar archive would be too large');
  const module = await moduleOf(encoder, recipe.encoder);
  const opened: OpenFile[] = [];
  const layerPath = join(folder.path, 'layer');
  const layer = await open(layerPath, 'wx+', 0o600);
  try {
    const inner = join(folder.path, 'inner');
    for (const [at, source] of sources.entries()) {
      const bytes = verified(source.open(), source.descriptor);
      opened.push(await spoolFile(`${inner}-${at}`, plainLayer(bytes, source.descriptor.size), signal));
    }
    const tar = await spoolFile(inner, applyPatch(patch, opened, tarSize), signal);
    opened.push(tar);
    const job = {
      module,
      arguments: recipe.arguments,
      input: tar.descriptor!,
      output: layer.fd,
      compares: false,
      limit: size,
    };
    const report = await runWasm(job, { signal, size: tarSize });
    if (report.kind === 'failed') throw unmade(digest, `its encoder failed: ${report.message}`);
    if (report.kind === 'differs' || report.written !== size) throw unmade(digest, 'its encoder wrote another size');
    return await checkedFile(layerPath, digest, size, folder, signal);
  } finally {
    await layer.close();
    await Promise.all(opened.map((file) => file.close()));
    await Promise.all(opened.map(({ path }) => rm(path, { force: true })));
  }
}

async function checkedFile(
  path: string,
  digest: Digest,
  size: number,
  folder: TemporaryFolder,
  signal: AbortSignal,
): Promise<OpenFile> {
  const file = await openFile(path);
  try {
    for await (const _ of verified(slice(file, 0, file.size), { digest, size })) signal.throwIfAborted();
  } catch (error) {
    await file.close();
    throw error;
  }
  const close = async (): Promise<void> => {
    await file.close();
    await folder[Symbol.asyncDispose]();
  };
  return { ...file, close, [Symbol.asyncDispose]: close };
}

/** Decompresses an encoder, checked. */
async function moduleOf(encoder: ReadAt, digest: Digest): Promise<Uint8Array> {
  if (encoder.size > MODULE_LIMIT) throw new FormatError('encoder-invalid', 'the encoder of a layer is too large');
  const packed = await encoder.read(0, encoder.size);
  if (sha256(packed) !== digest) throw new FormatError('digest-mismatch', `the encoder is not ${digest}`);
  return unpackedEncoder(packed);
}

/** Decompresses an encoder. Throws `FormatError` `encoder-invalid`. */
export async function unpackedEncoder(packed: Uint8Array): Promise<Uint8Array> {
  const budget = { left: MODULE_LIMIT };
  const how = {
    algorithm: 'zstd',
    code: 'encoder-invalid',
    ratio: 1,
    free: MODULE_LIMIT,
    budget,
    total: MODULE_LIMIT,
  } as const;
  async function* bytes(): Bytes {
    yield packed;
  }
  return collect(decompress(bytes(), how), MODULE_LIMIT);
}

function unmade(digest: Digest, why: string, cause?: unknown): SolpackError {
  return new SolpackError('content-mismatch', digest, `cannot be made of the older layers: ${why}`, {
    side: 'source',
    ...(cause === undefined ? {} : { cause }),
    hint: 'the delta is damaged or wrong: fetch it again, or use the whole archive',
  });
}
