import { describe, expect, test } from 'vitest';
import { jolietIdentifiers } from '../../../formats/iso9660/joliet-names.ts';
import type { Node } from '../../../formats/iso9660/nodes.ts';
import { plainIdentifiers } from '../../../formats/iso9660/plain-names.ts';

const file = (name: string): Node => ({ path: name, size: 0, mode: 0o644, key: '' });
const directory = (name: string): Node => ({ path: name, parent: undefined, children: [], subdirectories: 0 });
const plain = (...names: string[]) => plainIdentifiers(names.map(file));
const joliet = (...names: string[]) => jolietIdentifiers(names.map(file));

describe('identifiers of the primary tree', () => {
  test('are upper case, with _ for all that is no letter, digit or _', () => {
    expect(plain('manifest.yaml', 'a-b.tar.gz', 'é🚀')).toEqual(['MANIFEST.YAML', 'A_B_TAR.GZ', '__.']);
  });

  test('take a dot at either end for no extension', () => {
    expect(plain('.solpack', 'x.')).toEqual(['_SOLPACK.', 'X_.']);
  });

  test('have at most 30 characters beside the dot, 31 for directories', () => {
    expect(plain('n'.repeat(40))).toEqual([`${'N'.repeat(30)}.`]);
    expect(plain(`${'n'.repeat(40)}.extension`)).toEqual([`${'N'.repeat(22)}.EXTENSIO`]);
    expect(plainIdentifiers([directory('n.'.repeat(20))])).toEqual(['N_'.repeat(16).slice(0, 31)]);
  });

  test('are numbered where they would be equal, also but for a dot at the end', () => {
    expect(plain('A.txt', 'a.txt', 'a.TXT')).toEqual(['A.TXT', 'A1.TXT', 'A2.TXT']);
    expect(plainIdentifiers([directory('A'), file('a')])).toEqual(['A', 'A1.']);
    expect(plain('N'.repeat(31), 'n'.repeat(31))).toEqual([`${'N'.repeat(30)}.`, `${'N'.repeat(23)}1.`]);
  });

  test('never take a number that another name has', () => {
    expect(plain('A', 'A1', 'a', 'a1')).toEqual(['A.', 'A1.', 'A2.', 'A11.']);
  });
});

describe('identifiers of the Joliet tree', () => {
  test('are the names themselves, 64 hexadecimal digits among them', () => {
    const names = ['index.json', 'f'.repeat(64), 'déjà 日本 🚀', 'a'.repeat(103)];
    expect(joliet(...names)).toEqual(names);
  });

  test('have _ for what Joliet forbids and for a dot at the end', () => {
    expect(joliet('a*b:c;d?e\\f\n', 'dot.', '...')).toEqual(['a_b_c_d_e_f_', 'dot_', '.._']);
  });

  test('have at most 103 units, keep a short extension, and never half a character', () => {
    expect(joliet(`${'a'.repeat(200)}.yaml`)).toEqual([`${'a'.repeat(98)}.yaml`]);
    expect(joliet(`a.${'b'.repeat(200)}`)).toEqual([`a.${'b'.repeat(101)}`]);
    expect(joliet('🚀'.repeat(60))).toEqual(['🚀'.repeat(51)]);
    expect(joliet(`${'a'.repeat(102)}.bbbb${'c'.repeat(20)}`)).toEqual([`${'a'.repeat(102)}_`]);
  });

  test('are numbered where they differ in case alone', () => {
    expect(joliet('README.md', 'Readme.md', 'readme.md')).toEqual(['README.md', 'Readme~1.md', 'readme~2.md']);
    expect(joliet('ÉTÉ', 'été', 'ΣΑΣ', 'σας', 'ЖУК', 'жук')).toEqual(['ÉTÉ', 'été~1', 'ΣΑΣ', 'σας~1', 'ЖУК', 'жук~1']);
    expect(joliet('a', 'A~1', 'A')).toEqual(['a', 'A~1', 'A~2']);
  });

  test('are numbered where they differ in a dot at the end, or in forbidden characters alone', () => {
    expect(joliet('dot.', 'dot_', 'DOT.')).toEqual(['dot_', 'dot_~1', 'DOT_~2']);
    expect(joliet('a*b', 'a:b', 'a?b')).toEqual(['a_b', 'a_b~1', 'a_b~2']);
  });
});

test('a hundred thousand names that all clash are told apart without trying each number for each', () => {
  const clashing = Array.from({ length: 100_000 }, (_, at) => file(`${'n'.repeat(120)}${at}`));
  expect(new Set(plainIdentifiers(clashing)).size).toBe(100_000);
  expect(new Set(jolietIdentifiers(clashing)).size).toBe(100_000);
});
