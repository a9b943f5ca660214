import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { solpackHere } from '../support/here.ts';
import { judged, run, scratch } from '../support/judges.ts';
import { makeBad } from '../support/vectors/bad.ts';
import { makeGood } from '../support/vectors/good.ts';
import { writeVectorKeys } from '../support/vectors/keys.ts';
import type { Vector } from '../support/vectors/vector.ts';

// The format by its test vectors: solpack and a second reader, which was written from docs/archive-format.md, say the
// same of each. SOLPACK_WRITE_VECTORS=1 writes them anew where the format has changed.

const fixtures = join(import.meta.dirname, '../../fixtures');
const published = join(fixtures, 'vectors');
const reader = join(fixtures, 'second-reader/reader.py');
const folder = scratch('vectors');
let vectors: readonly Vector[];

beforeAll(async () => {
  writeVectorKeys(folder);
  vectors = [...(await makeGood(folder)), ...makeBad(folder)];
  if (process.env['SOLPACK_WRITE_VECTORS'] === '1') publish();
});

function publish(): void {
  rmSync(published, { recursive: true, force: true });
  mkdirSync(published);
  writeFileSync(join(published, 'vectors.json'), `${JSON.stringify({ vectors }, null, 2)}\n`);
  for (const { file } of vectors) {
    writeFileSync(join(published, `${file}.gz`), gzipSync(readFileSync(join(folder, file)), { level: 9 }));
  }
  for (const key of ['p256.pub', 'ed25519.pub']) {
    writeFileSync(join(published, key), readFileSync(join(folder, key)));
  }
}

/** Every vector, two at a time: where a verdict is another one, it is reported beside the name of the vector. */
async function verdicts(judge: (vector: Vector) => Promise<unknown>): Promise<Record<string, unknown>> {
  const told: Record<string, unknown> = {};
  const waiting = [...vectors];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) told[next.file] = await judge(next);
  };
  await Promise.all([worker(), worker()]);
  return told;
}

function expected(of: (vector: Vector) => unknown): Record<string, unknown> {
  return Object.fromEntries(vectors.map((vector) => [vector.file, of(vector)]));
}

const keyWords = ({ keys }: Vector): string[] => keys.flatMap((key) => ['--key', join(folder, key)]);

test('the published vectors are what pack, sign and the faults make today, byte for byte', () => {
  expect(JSON.parse(readFileSync(join(published, 'vectors.json'), 'utf8'))).toEqual({ vectors });
  const names = vectors.map(({ file }) => `${file}.gz`);
  expect(readdirSync(published).sort()).toEqual([...names, 'ed25519.pub', 'p256.pub', 'vectors.json'].sort());
  const other = vectors.filter(({ file }) => {
    return !gunzipSync(readFileSync(join(published, `${file}.gz`))).equals(readFileSync(join(folder, file)));
  });
  expect(other).toEqual([]);
  for (const key of ['p256.pub', 'ed25519.pub']) {
    expect(readFileSync(join(folder, key), 'utf8')).toBe(readFileSync(join(published, key), 'utf8'));
  }
});

test('solpack takes every good vector and refuses every bad one', async () => {
  const codes = await verdicts(async (vector) => {
    const { code } = await solpackHere(['verify', join(folder, vector.file), '--quiet', ...keyWords(vector)], {
      cwd: folder,
    });
    return code === 0;
  });
  expect(codes).toEqual(expected(({ holds }) => holds !== undefined));
});

test('the second reader has at most 300 lines', () => {
  expect(readFileSync(reader, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(300);
});

judged(
  'the second reader takes every good vector and refuses every bad one, in one line',
  ['python3', 'openssl'],
  async () => {
    const told = await verdicts(async (vector) => {
      const args = ['-B', reader, 'verify', join(folder, vector.file), ...keyWords(vector)];
      const { code, stdout, stderr } = await run('python3', args);
      if (code === 0) return JSON.parse(stdout);
      return [code, stderr.trimEnd().split('\n').length, stderr.startsWith('reader.py: '), stdout];
    });
    expect(told).toEqual(expected(({ holds }) => holds ?? [1, 1, true, '']));
  },
);

judged('the second reader lists every good vector', ['python3'], async () => {
  const good = new Set(vectors.filter(({ holds }) => holds !== undefined));
  const told = await verdicts(async (vector) => {
    if (!good.has(vector)) return undefined;
    return JSON.parse((await run('python3', ['-B', reader, 'list', join(folder, vector.file)])).stdout);
  });
  expect(told).toEqual(expected(({ holds }) => holds && { ...holds, signers: [] }));
});
