import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { collect, once } from '../../formats/bytes.ts';
import { type Digest, sha256 } from '../../formats/digest.ts';
import { encodeStep, patchHead } from '../../formats/layer-patch/control.ts';
import type { PatchStep } from '../../formats/layer-patch/layout.ts';
import type { LayerRecipes } from '../../formats/solution/selection.ts';
import { sparableContents } from '../../lib/parts/archives/absent-contents.ts';
import { archiveBytes, bundlesIn, carriers, planSigned, withSelection } from '../../lib/parts/archives/index.ts';
import { withArchive } from '../support/packing.ts';
import { wasmModule } from '../support/wasm-module.ts';
import { PATIENCE } from './attack.ts';
import { codeOf, setStage } from './stage.ts';
import { rowOf } from './table.ts';

// Deltas of a trusted root that say how a layer is made, and lie: only what matches its digest is ever handed on.

const stage = setStage('recipes');

/** What makes the first layer of the Solution; its second one is the source. */
interface Lie {
  readonly encoder?: Uint8Array;
  readonly steps?: readonly PatchStep[];
  readonly extra?: Uint8Array;
  readonly tarSize?: number;
  /** Which of the two layers it makes of the other one. */
  readonly makes?: 0 | 1;
}

const packed = (bytes: Uint8Array): Buffer => zstdCompressSync(bytes);

function patchOf(steps: readonly PatchStep[], extra: Uint8Array): Buffer {
  const parts = [Buffer.concat(steps.map(encodeStep)), Buffer.alloc(0), extra].map(packed);
  return Buffer.concat([patchHead(parts.map(({ length }) => length)), ...parts]);
}

/** Writes a sound delta whose recipe is a lie. */
async function writeDelta(name: string, lie: Lie): Promise<void> {
  const { encoder = wasmModule([]), steps = [{ kind: 'extra', length: 1 }], extra = Buffer.alloc(1), makes = 0 } = lie;
  const [module, patch] = [packed(encoder), patchOf(steps, extra)];
  const bytes = await withArchive(join(stage.folder, 'good.tar'), async ({ catalog, source, slots }) => {
    const layers = sparableContents(catalog);
    const [made, from] = [layers[makes]!, layers[1 - makes]!];
    const own = new Map<Digest, Uint8Array>([module, patch].map((one) => [sha256(one), one]));
    const recipes: LayerRecipes = {
      encoders: [{ digest: sha256(module), size: module.length }],
      sources: [{ digest: from.digest, size: from.size, base: 0 }],
      layers: [
        {
          digest: made.digest,
          tarSize: lie.tarSize ?? 1,
          encoder: sha256(module),
          arguments: [],
          patch: { digest: sha256(patch), size: patch.length },
          sources: [from.digest],
        },
      ],
    };
    const bases = [{ name: 'hello', version: '0.9.0', root: sha256('an older release') }];
    const both = lie.makes === undefined ? [] : [{ digest: from.digest, base: 0 }];
    const delta = withSelection(catalog, { bases, absent: both, recipes });
    const filled = { bundles: bundlesIn(await slots()) };
    const planned = planSigned(delta, carriers.tar, filled);
    const open = (blob: Parameters<typeof source.open>[0]) => {
      const one = own.get(blob.digest);
      return one ? once(one) : source.open(blob);
    };
    return collect(archiveBytes(planned, filled, open), 2 ** 26);
  });
  writeFileSync(join(stage.folder, name), bytes);
}

const loop = [0x03, 0x40, 0x0c, 0, 0x0b];
/** Takes one page of memory after the other, and loops for ever when it gets none. */
const grow = [0x03, 0x40, 0x41, 1, 0x40, 0, 0x1a, 0x0c, 0, 0x0b];

test.each<[string, string, Lie]>([
  ['a delta whose encoder makes another layer', 'its encoder wrote another size', {}],
  ['a delta whose encoder loops', 'its encoder failed: it has read and written nothing', { encoder: wasmModule(loop) }],
  [
    'a delta whose encoder takes all memory',
    'its encoder failed: it has read and written nothing',
    { encoder: wasmModule(grow) },
  ],
  [
    'a delta whose encoder wants to reach the network',
    'its encoder failed: WebAssembly',
    { encoder: wasmModule([], { imports: 'sock_send' }) },
  ],
  [
    'a delta whose encoder is no program',
    'the encoder of a layer is no WebAssembly module',
    { encoder: Buffer.from('no module') },
  ],
  [
    'a delta whose encoder is a bomb',
    'decompresses to more than 32.0 MiB',
    { encoder: Buffer.alloc(64 * 1024 * 1024) },
  ],
  [
    'a delta whose patch makes more than it says',
    'the patch of a layer makes more than 1 B',
    { steps: [{ kind: 'copy', source: 0, offset: 0, length: 2 ** 40 }] },
  ],
  [
    'a delta whose patch is a bomb',
    'decompresses to more than 1 B',
    { steps: [{ kind: 'extra', length: 1 }], extra: Buffer.alloc(64 * 1024 * 1024) },
  ],
  [
    'a delta whose patch reads behind the end of a layer',
    'the patch of a layer reads behind',
    { steps: [{ kind: 'copy', source: 0, offset: 2 ** 40, length: 1 }] },
  ],
  ['a delta that names a tar archive of a petabyte', 'its tar archive would be too large', { tarSize: 2 ** 50 }],
])(
  '%s',
  async (name, why, lie) => {
    await writeDelta('attack.tar', lie);
    const merged = await stage.run('merge', 'attack.tar', '-o', `${name.replaceAll(' ', '-')}.tar`);
    expect([merged.code, codeOf(merged)]).toEqual([rowOf(name).exit, rowOf(name).codes[0]]);
    expect(merged.stderr).toContain(`cannot be made of the older layers: ${why}`);
  },
  PATIENCE,
);

test(
  'deltas that make two layers of each other',
  async () => {
    const name = 'deltas that make two layers of each other';
    await writeDelta('one.tar', { makes: 0 });
    await writeDelta('other.tar', { makes: 1 });
    const merged = await stage.run('merge', 'one.tar', 'other.tar', '-o', 'never.tar');
    expect([merged.code, codeOf(merged)]).toEqual([rowOf(name).exit, rowOf(name).codes[0]]);
  },
  PATIENCE,
);
