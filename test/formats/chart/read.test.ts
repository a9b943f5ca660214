import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { once } from '../../../formats/bytes.ts';
import { gunzip } from '../../../formats/chart/gunzip.ts';
import { chartLimits } from '../../../formats/chart/limits.ts';
import { readChart } from '../../../formats/chart/read.ts';
import { untar } from '../../../formats/chart/untar.ts';
import { FormatError } from '../../../formats/error.ts';
import { judged, ok, scratch } from '../../support/judges.ts';
import { seal } from '../../support/tar.ts';
import { all, chartYaml, chunked, type Entry, packed, tarOf } from './support.ts';

const folder = scratch('read-chart');
const chart: Entry = { path: 'web/Chart.yaml', content: chartYaml };
const common = 'apiVersion: v2\nname: common\nversion: 2.0.0\ntype: library\n';
const nested = await all(packed([{ path: 'other/Chart.yaml', content: common.replace('common', 'other') }]));
const pax = (record: string): Entry => ({ path: 'PaxHeader', type: 'ExtendedHeader', content: record });

const sized =
  (text: string) =>
  (block: Buffer): void => {
    block.write(text, 124);
    seal(block);
  };

const refusal = async (entries: readonly Entry[]): Promise<string> => {
  const error: unknown = await readChart(packed(entries)).then(
    () => new Error('accepted'),
    (reason: unknown) => reason,
  );
  return error instanceof FormatError ? `${error.code}: ${error.message}` : String(error);
};

describe('readChart', () => {
  test('reads the metadata and what lies in charts, in folders and in archives', async () => {
    const entries: Entry[] = [
      { path: 'web', type: 'Directory' },
      chart,
      { path: 'web/values.yaml', content: 'a: 1\n'.repeat(400) },
      { path: 'web/charts/common/Chart.yaml', content: common },
      { path: 'web/charts/common/templates/Chart.yaml', content: 'not: one' },
      { path: 'web/charts/other-2.0.0.tgz', content: nested },
      { path: 'web/charts/_hidden/Chart.yaml', content: 'not: one' },
      { path: 'web/charts/README.md', content: 'text' },
    ];
    expect(await readChart(packed(entries))).toEqual({
      folder: 'web',
      metadata: { apiVersion: 'v2', name: 'web', version: '1.2.3' },
      dependencies: [],
      vendored: [
        { path: 'charts/common', name: 'common', version: '2.0.0' },
        { path: 'charts/other-2.0.0.tgz', name: 'other', version: '2.0.0' },
      ],
    });
  });

  test('takes the dependencies from where the apiVersion puts them', async () => {
    const inside = `${chartYaml}dependencies: [{name: a}]\n`;
    const beside = { path: 'web/requirements.yaml', content: 'dependencies: [{name: b}]\n' };
    const names = async (content: string): Promise<string[]> =>
      (await readChart(packed([{ ...chart, content }, beside]))).dependencies.map(({ name }) => name);
    expect(await names(inside)).toEqual(['a']);
    expect(await names(inside.replace('v2', 'v1'))).toEqual(['b']);
  });

  test('reads names that pax or GNU headers carry', async () => {
    const long = `web/templates/${'deep/'.repeat(60)}a.yaml`;
    const record = ` path=${long}\n`;
    const length = record.length + 3;
    const gnu: Entry = { path: '././@LongLink', type: 'NextFileHasLongPath', content: `${long}x\0` };
    const { folder } = await readChart(packed([chart, pax(`${length}${record}`), { path: 'x' }, gnu, { path: 'y' }]));
    expect(folder).toBe('web');
  });

  test.each<[string, Entry[], string]>([
    ['nothing', [], 'holds no Chart.yaml'],
    ['no Chart.yaml on top', [{ path: 'web/sub/Chart.yaml', content: chartYaml }], 'holds no Chart.yaml'],
    ['a Chart.yaml without a folder', [{ path: 'Chart.yaml', content: chartYaml }], 'outside of the chart'],
    ['two top folders', [chart, { path: 'other/a' }], 'two top folders, web and other'],
    ['a path that leads out', [chart, { path: 'web/../../etc/passwd' }], 'is not a path within its folder'],
    ['an absolute path', [chart, { path: '/etc/passwd' }], 'is not a path within its folder'],
    ['a path with a backslash', [chart, { path: 'web\\a/b' }], 'is not a path within its folder'],
    ['a path twice', [chart, chart], 'web/Chart.yaml is there twice'],
    ['a symbolic link', [chart, { path: 'web/a', type: 'SymbolicLink', linkpath: '/etc' }], 'not a regular file'],
    ['a hard link', [chart, { path: 'web/a', type: 'Link', linkpath: 'web/b' }], 'not a regular file'],
    ['a pipe', [chart, { path: 'web/a', type: 'FIFO' }], 'not a regular file'],
    ['a file that Helm finds too large', [chart, { path: 'web/a', size: chartLimits.file + 1 }], 'that Helm loads'],
    ['a size beyond all bounds', [chart, { path: 'web/a', size: 2 ** 50 }], 'that Helm loads'],
    ['a file that is cut off', [chart, { path: 'web/a', size: 4096 }], 'in the middle of a file'],
    ['a huge pax header', [{ ...pax(''), size: 2 ** 30 }], 'an extended tar header'],
    ['a pax header without records', [pax('nonsense'), chart], 'a pax header is damaged'],
    ['a pax record that ends too early', [pax('5 path=web/a\n'), chart], 'a pax header is damaged'],
    ['a pax size that is none', [pax('13 size=1e99\n'), chart], 'the size in a pax header is damaged'],
    ['a vendored archive that is none', [chart, { path: 'web/charts/a.tgz', content: 'x' }], 'charts/a.tgz: not gzip'],
    ['a size that is not a number', [chart, { path: 'web/a', edit: sized('zzz') }], 'tar header is damaged'],
    ['a size that ends oddly', [chart, { path: 'web/a', edit: sized('00000000009') }], 'tar header is damaged'],
    [
      'a wrong checksum',
      [{ ...chart, edit: (block) => void block.write('7', 148) }],
      'the checksum of a tar header is wrong',
    ],
    ['bad metadata', [{ ...chart, content: 'name: web' }], 'Chart.yaml:1:1: apiVersion'],
  ])('refuses %s', async (_, entries, message) => {
    expect(await refusal(entries)).toContain(message);
    expect(await refusal(entries)).toMatch(/^chart-invalid: /);
  });

  describe.each([
    ...['v7', 'oldgnu', 'gnu', 'ustar', 'posix'].map((format) => ['tar', format] as const),
    ...['v7tar', 'ustar', 'pax', 'gnutar'].map((format) => ['bsdtar', format] as const),
  ])('packed by %s as %s', (program, format) => {
    judged('is read as Helm reads it', ['helm', program], async () => {
      const place = join(folder, `${program}-${format}`);
      // What is longer than the fields of headers needs another header, where a format has one.
      const deep = format.startsWith('v7') ? 'sub' : `${'d'.repeat(60)}/${'e'.repeat(60)}`;
      const long = format === 'v7' || format.includes('ustar') || format === 'v7tar' ? 'a' : 'größe'.repeat(30);
      const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: deep}\n';
      mkdirSync(join(place, 'web/templates', deep), { recursive: true });
      writeFileSync(join(place, 'web/Chart.yaml'), chartYaml);
      writeFileSync(join(place, 'web/templates', deep, `${long}.yaml`), map);
      writeFileSync(join(place, 'web/empty'), '');
      const packed = join(place, 'web.tgz');
      await ok(program, [`--format=${format}`, '-czf', packed, '-C', place, 'web'], { env: { LC_ALL: 'C.UTF-8' } });
      expect(await ok('helm', ['template', 'x', packed])).toContain('name: deep');
      const read = await readChart(once(readFileSync(packed)));
      expect([read.folder, read.metadata.version]).toEqual(['web', '1.2.3']);
      const files: string[] = [];
      for await (const { path, body } of untar(gunzip(once(readFileSync(packed))))) {
        files.push(path);
        if (path.endsWith(`${long}.yaml`)) expect(Buffer.from(await all(body)).toString()).toBe(map);
      }
      expect(files.sort()).toEqual(['web/Chart.yaml', 'web/empty', `web/templates/${deep}/${long}.yaml`]);
    });
  });

  test('refuses bytes behind the end, and those that are not gzip', async () => {
    const tar = Buffer.concat([tarOf([chart]), Buffer.from('more')]);
    await expect(readChart(once(gzipSync(tar)))).rejects.toThrow('data after the end');
    await expect(readChart(once(tarOf([chart])))).rejects.toThrow('not gzip, or damaged');
    await expect(readChart(once(new Uint8Array()))).rejects.toThrow(FormatError);
  });

  test('stops at a bomb early, also at one within another', async () => {
    let read = 0;
    async function* counted(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
      for await (const chunk of chunked(bytes, 4096)) {
        read += chunk.length;
        yield chunk;
      }
    }
    const zeros = new Uint8Array(4 * 1024 * 1024);
    const files = Array.from({ length: 20 }, (_, at) => ({ path: `web/${at}`, content: zeros }));
    const bomb = gzipSync(tarOf([chart, ...files]));
    await expect(readChart(counted(bomb))).rejects.toThrow('times its size');
    expect(read).toBeLessThan(bomb.length);
    expect(await refusal([chart, { path: 'web/charts/a.tgz', content: bomb }])).toContain('times its size');
  });

  test('passes on the error of a source that fails', async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield (await all(packed([chart]))).subarray(0, 40);
      throw new Error('the disk is gone');
    }
    await expect(readChart(failing())).rejects.toThrow('the disk is gone');
  });

  test('ends in a chart or in a FormatError, whatever bytes are changed', async () => {
    const tar = tarOf([chart, pax('19 path=web/values\n'), { path: 'x', content: 'a: 1' }, { path: 'web/b' }]);
    const zipped = gzipSync(tar);
    const check = async (bytes: Uint8Array): Promise<void> => {
      const outcome: unknown = await readChart(chunked(bytes, 700)).catch((error: unknown) => error);
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(FormatError);
    };
    const changes = fc.asyncProperty(fc.nat(tar.length - 1), fc.nat(255), fc.boolean(), async (at, byte, cut) => {
      const changed = Buffer.from(tar);
      changed[at] = byte;
      await check(gzipSync(cut ? changed.subarray(0, at) : changed));
      const flipped = Buffer.from(zipped);
      flipped[at % zipped.length]! ^= byte;
      await check(cut ? flipped.subarray(0, at % zipped.length) : flipped);
    });
    await fc.assert(changes, { numRuns: 400 });
  });
});
