import { describe, expect, test } from 'vitest';
import { imageOf } from './image.ts';

const names = ['b', 'a', 'a-b', 'a.b', 'A', 'aa', 'ü', 'z'.repeat(103), '0'];
const image = imageOf(
  names.flatMap((name) => [
    { path: `${name}/inner/leaf`, content: name },
    { path: `${name}/another/leaf`, content: name },
  ]),
);

interface Row {
  identifier: Buffer;
  block: number;
  parent: number;
}

function table(descriptor: number, type: 'L' | 'M'): Row[] {
  const at = descriptor * 2048;
  const size = image.readUInt32LE(at + 132);
  const start = 2048 * (type === 'L' ? image.readUInt32LE(at + 140) : image.readUInt32BE(at + 148));
  const rows: Row[] = [];
  for (let row = start; row < start + size; ) {
    const length = image[row]!;
    const block = type === 'L' ? image.readUInt32LE(row + 2) : image.readUInt32BE(row + 2);
    const parent = type === 'L' ? image.readUInt16LE(row + 6) : image.readUInt16BE(row + 6);
    rows.push({ identifier: image.subarray(row + 8, row + 8 + length), block, parent });
    row += 8 + length + (length % 2);
  }
  return rows;
}

describe.each([
  ['Rock Ridge', 16],
  ['Joliet', 17],
])('the path tables of the %s tree', (_, descriptor) => {
  const rows = table(descriptor, 'L');

  test('list every directory once, the top first', () => {
    expect(rows).toHaveLength(1 + 3 * names.length);
    expect(rows[0]).toMatchObject({ identifier: Buffer.of(0), parent: 1 });
    expect(new Set(rows.map(({ block }) => block)).size).toBe(rows.length);
  });

  test('say the same in both byte orders', () => {
    expect(table(descriptor, 'M')).toEqual(rows);
  });

  test('are in the order of parents, then of identifiers', () => {
    for (const [at, row] of rows.entries()) {
      const before = rows[at - 1];
      if (!before || at === 1) continue;
      expect(row.parent).toBeGreaterThanOrEqual(before.parent);
      if (row.parent === before.parent) expect(Buffer.compare(before.identifier, row.identifier)).toBe(-1);
    }
  });

  test('point at directories whose own records, and those of their parents, agree', () => {
    for (const { block, parent } of rows) {
      const self = block * 2048;
      expect(image.readUInt32LE(self + 2)).toBe(block);
      const up = self + image[self]!;
      expect(image[up + 33]).toBe(1);
      expect(image.readUInt32LE(up + 2)).toBe(rows[parent - 1]!.block);
    }
  });
});

test('records within a directory are in the order of their identifiers without versions', () => {
  const bytes = imageOf(['A.B', 'A.B0', 'A', 'A0', 'AB', 'A_B'].map((path) => ({ path })));
  const found: string[] = [];
  let at = bytes.readUInt32LE(16 * 2048 + 158) * 2048;
  for (; bytes[at] !== 0; at += bytes[at]!) found.push(bytes.toString('latin1', at + 33, at + 33 + bytes[at + 32]!));
  expect(found).toEqual(['\0', '\x01', 'A.;1', 'A.B;1', 'A.B0;1', 'A0.;1', 'AB.;1', 'A_B.;1']);
});
