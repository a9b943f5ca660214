import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Bytes, slice } from '../../../../../formats/bytes.ts';
import { measure } from '../../../../../formats/digest.ts';
import { FormatError } from '../../../../../formats/error.ts';
import { applyPatch } from '../../../../../formats/layer-patch/apply.ts';
import type { Descriptor } from '../../../../../formats/oci/descriptor.ts';
import { layerCompression, mostPlainBytes, plainLayer } from '../../../../../formats/plain-layer.ts';
import type { LayerRecipe } from '../../../../../formats/solution/selection.ts';
import { type OpenFile, spoolFile } from '../../../../kernel/files/index.ts';
import { runWasm } from '../../../../kernel/workers/index.ts';
import { candidatesFor, type EncoderCandidate, loadEncoder } from './encoders.ts';
import type { OldLayer, OldLayers } from './old-layers.ts';
import { PatchFile } from './patch-file.ts';
import { writeTarPatch } from './tar-patch.ts';

/** A recipe that was tried: it makes the layer. */
export interface TriedRecipe {
  readonly recipe: LayerRecipe;
  readonly encoder: EncoderCandidate['name'];
  readonly sources: readonly OldLayer[];
  readonly patch: OpenFile;
}

/** How a layer is to be made. */
interface Task {
  readonly layer: Descriptor;
  readonly bytes: Bytes;
  readonly old: OldLayers;
  /** An empty folder of its own; of what is in it, only the patch stays. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Finds a recipe for a layer. Returns the reason where there is none. */
export async function recipeFor({ layer, bytes, old, folder, signal }: Task): Promise<TriedRecipe | string> {
  const open: OpenFile[] = [];
  const work = join(folder, 'work');
  await mkdir(work);
  try {
    const packed = await spoolFile(join(work, 'layer'), bytes, signal);
    open.push(packed);
    const tar = await spoolFile(join(work, 'tar'), plainLayer(slice(packed, 0, packed.size), packed.size), signal);
    open.push(tar);
    if (tar.size > mostPlainBytes(layer.size)) return 'it is compressed too much';
    const found = await encoderOf(packed, tar, signal);
    if (!found) return 'no encoder makes it again';
    const patchFile = new PatchFile(folder, signal);
    const sources = await writeTarPatch(tar, old, patchFile, signal);
    const patch = await patchFile.finish();
    const trouble = await whyUseless(patch, sources, tar, layer);
    if (trouble !== undefined) {
      await patch.close();
      return trouble;
    }
    const { digest } = await measure(slice(patch, 0, patch.size));
    const recipe = {
      digest: layer.digest,
      tarSize: tar.size,
      encoder: (await loadEncoder(found.name)).digest,
      arguments: found.arguments,
      patch: { digest, size: patch.size },
      sources: sources.map(({ descriptor }) => descriptor.digest),
    };
    return { recipe, encoder: found.name, sources, patch };
  } catch (error) {
    if (error instanceof FormatError) return error.message;
    throw error;
  } finally {
    await Promise.all(open.map((file) => file.close()));
    await rm(work, { recursive: true });
  }
}

/** Returns why a patch of a layer is of no use; undefined if it is smaller and makes the tar archive again. */
async function whyUseless(
  patch: OpenFile,
  sources: readonly OldLayer[],
  tar: OpenFile,
  layer: Descriptor,
): Promise<string | undefined> {
  if (patch.size >= layer.size * 0.9) return 'it resembles no older layer';
  const old = sources.map((source) => source.tar);
  const made = await measure(applyPatch(patch, old, tar.size));
  const wanted = await measure(slice(tar, 0, tar.size));
  return made.digest === wanted.digest ? undefined : 'its patch does not make it again';
}

/** Finds the encoder that makes a layer of its tar archive: each is ended at the first byte that differs. */
async function encoderOf(packed: OpenFile, tar: OpenFile, signal: AbortSignal): Promise<EncoderCandidate | undefined> {
  const head = await packed.read(0, Math.min(16, packed.size));
  for (const candidate of candidatesFor(layerCompression(head), head)) {
    const { module } = await loadEncoder(candidate.name);
    const files = { input: tar.descriptor!, output: packed.descriptor!, compares: true, limit: packed.size };
    const report = await runWasm({ module, arguments: candidate.arguments, ...files }, { signal, size: tar.size });
    if (report.kind === 'done' && report.written === packed.size) return candidate;
  }
  return undefined;
}
