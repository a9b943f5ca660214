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
import { unpackedEncoder } from '../../../../parts/archives/index.ts';
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
    const smaller = patch.size < layer.size * 0.9;
    const applied = measure(
      applyPatch(
        patch,
        sources.map((source) => source.tar),
        tar.size,
      ),
    );
    const same = smaller && (await applied).digest === (await measure(slice(tar, 0, tar.size))).digest;
    if (!same) {
      await patch.close();
      return smaller ? 'its patch does not make it again' : 'it resembles no older layer';
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

/** Finds the encoder that makes a layer of its tar archive: each is ended at the first byte that differs. */
async function encoderOf(packed: OpenFile, tar: OpenFile, signal: AbortSignal): Promise<EncoderCandidate | undefined> {
  const head = await packed.read(0, Math.min(16, packed.size));
  for (const candidate of candidatesFor(layerCompression(head), head)) {
    const module = await unpackedEncoder((await loadEncoder(candidate.name)).packed);
    const files = { input: tar.descriptor!, output: packed.descriptor!, compares: true, limit: packed.size };
    const report = await runWasm({ module, arguments: candidate.arguments, ...files }, { signal, size: tar.size });
    if (report.kind === 'done' && report.written === packed.size) return candidate;
  }
  return undefined;
}
