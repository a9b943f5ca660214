import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runWasm } from '../../lib/kernel/workers/wasm-program.ts';
import { unpackedEncoder } from '../../lib/parts/archives/index.ts';
import { type EncoderCandidate, loadEncoder } from '../../lib/shared/solutions/deltas/below/encoders.ts';

/** Compresses bytes as an encoder does with these arguments. */
export async function encodedBy({ name, arguments: words }: EncoderCandidate, bytes: Uint8Array): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'encoded-'));
  const [from, to] = [join(folder, 'from'), join(folder, 'to')];
  writeFileSync(from, bytes);
  const [input, output] = [openSync(from, 'r'), openSync(to, 'w')];
  try {
    const module = await unpackedEncoder((await loadEncoder(name)).packed);
    const job = { module, arguments: words, input, output, compares: false, limit: 2 ** 30 };
    const report = await runWasm(job, { signal: new AbortController().signal, size: bytes.length });
    if (report.kind !== 'done') throw new Error(`the encoder ended as ${JSON.stringify(report)}`);
    return readFileSync(to);
  } finally {
    closeSync(input);
    closeSync(output);
    rmSync(folder, { recursive: true });
  }
}
