import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Io, Sink } from '../../cli/io.ts';
import { main } from '../../cli/main.ts';
import { smallSolution } from '../support/cli.ts';
import { scratch } from '../support/judges.ts';

const folder = scratch('begin');
const archive = join(folder, 'small.iso');

/** Runs a command in this process until it has printed its result; tells how it ended, and how often it was told to begin. */
async function begun(...argv: string[]): Promise<{ code: number; times: number }> {
  const ended = new AbortController();
  let times = 0;
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
    begin: () => {
      times += 1;
    },
  };
  return { code: await main(io), times };
}

beforeAll(async () => {
  await smallSolution(folder);
  expect(await begun('pack', '-o', archive, '.')).toEqual({ code: 0, times: 1 });
  expect(await begun('keygen', '-o', 'release')).toMatchObject({ code: 0 });
});

test.each([
  ['inspect', archive],
  ['inspect', archive, '--provenance'],
  ['ls', archive],
  ['extract', archive, '-C', 'out'],
  ['verify', archive],
  ['sign', archive, '--key', 'release.key'],
  ['unsign', archive],
  ['serve', archive, '--listen', '127.0.0.1:0'],
])('a command that reads an archive says once that it begins: %s', async (...argv) => {
  expect(await begun(...argv)).toEqual({ code: 0, times: 1 });
});
