import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chartLimits } from '../../../formats/chart/limits.ts';
import { readChart } from '../../../formats/chart/read.ts';
import { packChart } from '../../../formats/chart/write.ts';
import { sha256 } from '../../../formats/digest.ts';
import { judged, ok, scratch } from '../../support/judges.ts';
import { all, chartYaml, fileOf } from './support.ts';

const folder = scratch('chart-write');
const long = `templates/${'a-long-folder-name/'.repeat(14)}${'f'.repeat(120)}.yaml`;
const files = [
  fileOf('values.yaml', 'greeting: hello\n'),
  fileOf(
    'templates/map.yaml',
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {a: {{ .Values.greeting }}}\n',
  ),
  fileOf('Chart.yaml', chartYaml),
  fileOf('files/größe.txt', 'ü'),
  fileOf(long, '# nothing\n'),
  fileOf('.helmignore', ''),
];

describe('packChart', () => {
  test('makes the same bytes from any order of files', async () => {
    const bytes = await all(packChart('web', files));
    expect(Buffer.compare(await all(packChart('web', [...files].reverse())), bytes)).toBe(0);
    expect(sha256(bytes)).toBe('sha256:c3d6d96a6f616a50bfd3fc23e0299154f0424e758f3c64ce371caa9cbb3b315b');
    expect((await readChart(packChart('web', files))).metadata.version).toBe('1.2.3');
  });

  test.each([
    ['no Chart.yaml', files.slice(0, 2), 'Chart.yaml is missing'],
    ['a path twice', [...files, files[0]!], 'values.yaml is there twice'],
    ['a path that leads out', [...files, fileOf('../a', '')], 'is not a path within its folder'],
    ['a file that Helm refuses to load', [...files, { ...fileOf('a', ''), size: chartLimits.file + 1 }], 'at most'],
    [
      'more than Helm loads',
      [...files, ...Array.from({ length: 21 }, (_, at) => ({ ...fileOf(`${at}`, ''), size: chartLimits.file }))],
      'at most',
    ],
  ])('refuses %s', (_, given, message) => {
    expect(() => packChart('web', given)).toThrow(message);
  });

  test.each([3, 10_000])('fails where a file has %i bytes instead of what it had', async (size) => {
    await expect(all(packChart('web', [...files, { ...fileOf('a', 'four'), size }]))).rejects.toThrow('no longer');
  });

  judged('writes what tar, bsdtar and helm read', ['helm', 'tar'], async () => {
    const path = join(folder, 'web-1.2.3.tgz');
    writeFileSync(path, await all(packChart('web', files)));
    const names = ['Chart.yaml', '.helmignore', 'files/größe.txt', long, 'templates/map.yaml', 'values.yaml'];
    const listed = await ok('tar', ['--quoting-style=literal', '-tzf', path], { env: { LC_ALL: 'C.UTF-8' } });
    expect(listed.trim().split('\n')).toEqual(names.map((name) => `web/${name}`));
    expect(await ok('helm', ['show', 'chart', path])).toContain('version: 1.2.3');
    expect(await ok('helm', ['template', 'x', path])).toContain('data: {a: hello}');
  });
});
