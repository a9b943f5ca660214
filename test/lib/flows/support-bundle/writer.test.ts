import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { blankingOf } from '../../../../lib/flows/support-bundle/blanking/index.ts';
import type { SupportBundle } from '../../../../lib/flows/support-bundle/request.ts';
import { type BundleWriter, writeBundle } from '../../../../lib/flows/support-bundle/writer.ts';
import { ok, scratch } from '../../../support/judges.ts';

const folder = scratch('bundle-writer');
const at = (name: string): string => join(folder, name);
const time = Date.UTC(2026, 0, 5, 9, 30);
const blanking = blankingOf(['hunter22']);
const bundleLimits = { file: 64 * 1024, total: 1024 * 1024 };

const bundle = (name: string, work: (writer: BundleWriter) => Promise<void>): Promise<SupportBundle> =>
  writeBundle(at(name), time, blanking, work, bundleLimits);
/** A file of a bundle, as tar reads it. */
const told = (name: string, path: string): Promise<string> =>
  ok('tar', ['-xzOf', at(name), `solpack-support-bundle/${path}`]);

describe('a bundle', () => {
  test('is a tar archive of one date and one owner, which only its user may read, and the same for the same', async () => {
    const work = async (writer: BundleWriter): Promise<void> => {
      await writer.text(`${'long/'.repeat(40)}a.txt`, 'first hunter22\n');
      await writer.value('b.json', { b: ['hunter22', 1] });
      writer.missing('https://ada:hunter22@r.example/x', 'was not hunter22');
    };
    const made = await bundle('a.tar.gz', work);
    await bundle('b.tar.gz', work);
    expect(readFileSync(at('a.tar.gz'))).toEqual(readFileSync(at('b.tar.gz')));
    expect(statSync(at('a.tar.gz')).mode & 0o777).toBe(0o600);
    expect(made).toMatchObject({ path: at('a.tar.gz'), size: statSync(at('a.tar.gz')).size });
    expect(made.missing).toEqual([{ what: 'https://***@r.example/x', reason: 'was not ***' }]);
    const listed = await ok('tar', ['--utc', '--full-time', '-tvzf', at('a.tar.gz')]);
    for (const line of listed.trim().split('\n')) expect(line).toMatch(/^-rw------- 0\/0 +\d+ 2026-01-05 09:30:00 /);
    expect(await told('a.tar.gz', `${'long/'.repeat(40)}a.txt`)).toBe('first ***\n');
    expect(JSON.parse(await told('a.tar.gz', 'b.json'))).toEqual({ b: ['***', 1] });
  });

  test('keeps the end of a long text, the beginning of a long list, and no value that is too long', async () => {
    const line = `${'x y '.repeat(256)}\n`;
    const lines = Math.ceil(bundleLimits.file / line.length) + 10;
    const { missing, files } = await bundle('long.tar.gz', async (writer) => {
      await writer.text('long.log', `first\n${line.repeat(lines)}last\n`);
      await writer.items(
        'long.json',
        Array.from({ length: lines }, (_, number) => ({ number, line })),
      );
      await writer.value('value.json', { line: line.repeat(lines) });
    });
    expect(files.map(({ path }) => path)).toEqual(['long.log', 'long.json']);
    for (const { size } of files) expect(size).toBeLessThanOrEqual(bundleLimits.file + 8);
    const log = await told('long.tar.gz', 'long.log');
    expect(log.startsWith('x y ')).toBe(true);
    expect(log.endsWith('\nlast\n')).toBe(true);
    const items = JSON.parse(await told('long.tar.gz', 'long.json'));
    expect(items[0].number).toBe(0);
    expect(missing).toEqual([
      { what: 'long.json', reason: `${lines - items.length} of ${lines} are left out` },
      { what: 'value.json', reason: 'it has more than 64.0 KiB' },
    ]);
  });

  test('ends at a size that nothing goes beyond, and says what is left out', async () => {
    const text = 'word '.repeat(Math.floor(bundleLimits.file / 5));
    const { files, missing } = await bundle('whole.tar.gz', async (writer) => {
      for (let number = 0; number < 18; number += 1) await writer.text(`${number}.txt`, text);
      await writer.text('small.txt', 'small');
    });
    const total = files.reduce((sum, { size }) => sum + size, 0);
    expect(total).toBeLessThanOrEqual(bundleLimits.total);
    expect(missing.map(({ what }) => what)).toEqual(['16.txt', '17.txt']);
    expect(gunzipSync(readFileSync(at('whole.tar.gz'))).length % 512).toBe(0);
  });

  test('leaves nothing behind where its maker fails', async () => {
    const failing = bundle('failed.tar.gz', async (writer) => {
      await writer.text('a.txt', 'a');
      throw new Error('no more');
    });
    await expect(failing).rejects.toThrow('no more');
    expect([existsSync(at('failed.tar.gz')), existsSync(at('failed.tar.gz.partial'))]).toEqual([false, false]);
  });
});
