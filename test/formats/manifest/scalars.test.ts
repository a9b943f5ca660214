import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseYaml } from '../../../formats/manifest/yaml.ts';
import { judged, ok, scratch } from '../../support/judges.ts';

const folder = scratch('scalars');
const read = (scalar: string): unknown => (parseYaml(`x: ${scalar}\n`, 'f')[0]!.value as { x: unknown }).x;

const chosen = [
  ...['y', 'Y', 'yes', 'on', 'Off', 'n', 'NO', 'True', 'tRUE', '~', 'null', 'NULL', '"yes"', "'0644'", '!!str 1'],
  ...['0644', '0o644', '0O7', '0x1F', '-0x1f', '0b11', '+0b1', '1_000', '1__0', '_1', '1_', '0_7', '08', '089', '0_8'],
  ...['1e3', '1E3', '+1.5', '.5', '5.', '-.5e3', '.5_0', '._5', '-._5', '.5_', '0.1_0', '1e400', '1e-400', '1e', '0x'],
  ...[
    '1:30',
    '2024-01-02',
    '2024-01-02T03:04:05Z',
    '1.2.3',
    '1.0',
    '1e21',
    '-0',
    '00',
    '0x1p-2',
    '...1',
    '+',
    '.',
    '..',
  ],
  ...['!!int "12"', '!!float 1', '!!bool "yes"', '12e03', '0x_1', '0b2', '1.5e+3', 'null1', '~a', 'nO'],
  ...['9223372036854775000', '-9223372036854775000', '9007199254740992'],
];

describe('plain scalars', () => {
  test('are read as Kubernetes reads them, not as YAML 1.2 does', () => {
    expect(['0644', 'on', '1_000', '1:30', '2024-01-02', '1e3'].map(read)).toEqual([
      420,
      true,
      1000,
      '1:30',
      '2024-01-02',
      1000,
    ]);
  });

  judged('are what kubectl makes of them', ['kubectl'], async () => {
    const drawn = fc.sample(fc.stringMatching(/^[0-9_+.eExXoObBaftnyYN~-]{1,7}$/), { numRuns: 4000, seed: 7 });
    const scalars = [...chosen, ...drawn.filter((one) => !/^-+$|^\.\.\.$/.test(one))];
    const file = join(folder, 'scalars.yaml');
    const list = scalars.map((scalar) => `  - x: ${scalar}\n`).join('');
    writeFileSync(file, `apiVersion: example.com/v1\nkind: Sample\nmetadata: {name: a}\nv:\n${list}`);
    const labelled = await ok('kubectl', ['label', '--local', '-f', file, 'a=b', '-o', 'json']);
    const theirs = (JSON.parse(labelled) as { v: { x: unknown }[] }).v.map(({ x }) => x);
    const differing = scalars.flatMap((scalar, at) => {
      const ours = read(scalar);
      return ours === theirs[at] ? [] : [`${scalar}: ${JSON.stringify(ours)}, not ${JSON.stringify(theirs[at])}`];
    });
    expect(differing).toEqual([]);
  });
});
