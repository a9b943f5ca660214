import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { WasmReport } from '../../../../lib/kernel/workers/wasm-job.ts';
import { runWasm } from '../../../../lib/kernel/workers/wasm-program.ts';
import { scratch } from '../../../support/judges.ts';

const folder = scratch('wasm-program');

const leb = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...leb(value >> 7)]);
const section = (id: number, body: readonly number[]): number[] => [id, ...leb(body.length), ...body];
const text = (value: string): number[] => [value.length, ...Buffer.from(value)];

/** A module whose `_start` has these instructions; it imports `name` if one is given. */
function moduleOf(code: readonly number[], { imports, pages = 1 }: { imports?: string; pages?: number } = {}): Buffer {
  const start = imports === undefined ? 0 : 1;
  const body = [0, ...code, 0x0b];
  return Buffer.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 0, 0]),
    ...(imports === undefined ? [] : section(2, [1, ...text('env'), ...text(imports), 0, 0])),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, ...leb(pages)]),
    ...section(7, [2, ...text('_start'), 0, start, ...text('memory'), 2, 0]),
    ...section(10, [1, ...leb(body.length), ...body]),
  ]);
}

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
    expect(await run(moduleOf([]))).toEqual({ kind: 'done', written: 0 });
    expect(readFileSync(join(folder, 'to'), 'utf8')).toBe('');
  });

  test('that loops is ended', async () => {
    const report = await run(moduleOf([0x03, 0x40, 0x0c, 0, 0x0b]), 1);
    expect(report).toEqual({ kind: 'failed', message: 'it has read and written nothing for 1 s' });
  });

  test('gets no more memory than it may have', async () => {
    // It takes 16 pages after the other, and traps as soon as it gets none.
    const grow = [0x03, 0x40, 0x41, 16, 0x40, 0, 0x41, 0x7f, 0x46, 0x04, 0x40, 0, 0x0b, 0x0c, 0, 0x0b];
    expect(await run(moduleOf(grow))).toMatchObject({ kind: 'failed', message: 'unreachable' });
    await expect(run(moduleOf([], { pages: 5000 }))).rejects.toThrow('needs more memory than it may have');
  });

  test('that wants anything else than files does not start', async () => {
    expect(await run(moduleOf([], { imports: 'connect' }))).toMatchObject({ kind: 'failed' });
    await expect(run(Buffer.from('no module'))).rejects.toThrow('is no WebAssembly module');
  });
});
