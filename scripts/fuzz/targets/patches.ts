import { zstdCompressSync } from 'node:zlib';
import { memory } from '../../../formats/bytes.ts';
import { applyPatch } from '../../../formats/layer-patch/apply.ts';
import { encodeStep, patchHead } from '../../../formats/layer-patch/control.ts';
import type { PatchStep } from '../../../formats/layer-patch/layout.ts';
import { parsers } from '../parser.ts';
import { must, refusalOf } from '../violation.ts';

const sources = ['an older layer, '.repeat(3000), 'another one'].map((text) => memory(Buffer.from(text)));
const steps: readonly PatchStep[] = [
  { kind: 'copy', source: 0, offset: 512, length: 30_000 },
  { kind: 'extra', length: 100 },
  { kind: 'add', source: 1, offset: 2, length: 9 },
  { kind: 'copy', source: 0, offset: 4, length: 2 },
];
const control = Buffer.concat(steps.map(encodeStep));
const size = steps.reduce((sum, { length }) => sum + length, 0);

/** A patch with these instructions, and with differences and new bytes for those of the sample. */
function patchWith(instructions: Uint8Array): Buffer {
  const parts = [instructions, Buffer.alloc(9, 1), Buffer.alloc(100, 2)].map((part) => zstdCompressSync(part));
  return Buffer.concat([patchHead(parts.map(({ length }) => length)), ...parts]);
}

/** Patches of layers in deltas, and the instructions in them. */
export const patches = parsers('patches', 20, '', {
  patch: { samples: [patchWith(control)], read },
  instructions: { samples: [control], read: (bytes) => read(patchWith(bytes)) },
});

async function read(bytes: Uint8Array): Promise<string | undefined> {
  const { code } = await refusalOf(async () => {
    let made = 0;
    for await (const chunk of applyPatch(memory(bytes), sources, size)) {
      made += chunk.length;
      must(made <= size, 'a patch makes more than was asked for');
    }
    must(made === size, 'a patch makes less than was asked for');
  });
  return code;
}
