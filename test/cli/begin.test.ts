import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Io, Sink } from '../../cli/io.ts';
import { main } from '../../cli/main.ts';
import { smallSolution } from '../support/cli.ts';
import { scratch } from '../support/judges.ts';

const folder = scratch('begin');
const archive = join(folder, 'small.iso');

/** Runs a command in this process until it has printed its result; tells how it ended, and how often it was told to begin, with threads or without. */
async function begun(...argv: string[]): Promise<{ code: number; begun: boolean[] }> {
  const ended = new AbortController();
  const begun: boolean[] = [];
  const sink = (written: () => void): Sink => ({
    isTTY: false,
    columns: 80,
    write: written,
    status: () => undefined,
    send: async () => undefined,
    flush: async () => undefined,
  });
  const io: Io = {
    argv,
    env: { ...process.env },
    cwd: folder,
    // What serves until it is told to end has printed its address by then.
    stdout: sink(() => setImmediate(() => ended.abort())),
    stderr: sink(() => undefined),
    signal: ended.signal,
    begin: (threads) => {
      begun.push(threads);
    },
  };
  return { code: await main(io), begun };
}

beforeAll(async () => {
  await smallSolution(folder);
  expect(await begun('pack', '-o', archive, '.')).toEqual({ code: 0, begun: [false] });
  expect(await begun('keygen', '-o', 'release')).toMatchObject({ code: 0 });
});

test.each([
  ['inspect', archive],
  ['inspect', archive, '--provenance'],
  ['ls', archive],
  ['extract', archive, '-C', 'out'],
  ['sign', archive, '--key', 'release.key'],
  ['unsign', archive],
  ['serve', archive, '--listen', '127.0.0.1:0'],
])('a command that reads an archive says once that it begins: %s', async (...argv) => {
  expect(await begun(...argv)).toEqual({ code: 0, begun: [false] });
});

test('verify says that its threads have as much to do as it has', async () => {
  expect(await begun('verify', archive)).toEqual({ code: 0, begun: [true] });
});
