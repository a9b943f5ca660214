import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { WasmReport } from '../../../../lib/kernel/workers/wasm-job.ts';
import { runWasm } from '../../../../lib/kernel/workers/wasm-program.ts';
import { scratch } from '../../../support/judges.ts';
import { wasmModule } from '../../../support/wasm-module.ts';

const folder = scratch('wasm-program');

async function run(module: Uint8Array, patience = 600): Promise<WasmReport> {
  const [from, to] = [join(folder, 'from'), join(folder, 'to')];
  writeFileSync(from, 'input');
  const [input, output] = [openSync(from, 'r'), openSync(to, 'w')];
  try {
    const job = { module, arguments: [], input, output, compares: false, limit: 100 };
    return await runWasm(job, { signal: new AbortController().signal, size: 0, patience });
  } finally {
    closeSync(input);
    closeSync(output);
  }
}

describe('a WebAssembly program', () => {
  test('that does nothing writes nothing', async () => {
    expect(await run(wasmModule([]))).toEqual({ kind: 'done', written: 0 });
    expect(readFileSync(join(folder, 'to'), 'utf8')).toBe('');
  });

  test('that loops is ended', async () => {
    const report = await run(wasmModule([0x03, 0x40, 0x0c, 0, 0x0b]), 1);
    expect(report).toEqual({ kind: 'failed', message: 'it has read and written nothing for 1 s' });
  });

  test('gets no more memory than it may have', async () => {
    // It takes 16 pages after the other, and traps as soon as it gets none.
    const grow = [0x03, 0x40, 0x41, 16, 0x40, 0, 0x41, 0x7f, 0x46, 0x04, 0x40, 0, 0x0b, 0x0c, 0, 0x0b];
    expect(await run(wasmModule(grow))).toMatchObject({ kind: 'failed', message: 'unreachable' });
    await expect(run(wasmModule([], { pages: 5000 }))).rejects.toThrow('needs more memory than it may have');
  });

  test('that wants anything else than files does not start', async () => {
    expect(await run(wasmModule([], { imports: 'connect' }))).toMatchObject({ kind: 'failed' });
    await expect(run(Buffer.from('no module'))).rejects.toThrow('is no WebAssembly module');
  });
});
