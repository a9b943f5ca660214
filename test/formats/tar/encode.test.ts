import fc from 'fast-check';
import { Header } from 'tar/header';
import { Pax } from 'tar/pax';
import { expect, test } from 'vitest';
import { encodeHeader, type HeaderFields } from '../../../formats/tar/encode.ts';

/** The same by the `tar` package. */
function byTar({ path, mode, size, modified }: HeaderFields): Uint8Array {
  const common = { uid: 0, gid: 0, uname: '', gname: '', linkpath: '', mtime: new Date(1000 * modified) };
  const header = new Header({ ...common, path, mode, size, type: 'File' });
  if (!header.encode()) return header.block!;
  const records = new Pax({ path, ...(size > 0o77777777777 ? { size } : {}) }).encodeBody();
  const body = Buffer.alloc(Math.ceil(Buffer.byteLength(records) / 512) * 512);
  const length = body.write(records);
  const pax = new Header({ ...common, path: 'PaxHeaders', mode: 0o644, size: length, type: 'ExtendedHeader' });
  pax.encode();
  return Buffer.concat([pax.block!, body, header.block!]);
}

const part = (length: number): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.string({ unit: fc.constantFrom('a', 'b', '.'), minLength: 1, maxLength: length }) },
    {
      weight: 1,
      arbitrary: fc.string({ unit: fc.constantFrom('ä', '文', '😀', 'x'), minLength: 1, maxLength: length }),
    },
  );
const path = fc
  .oneof(
    fc.array(part(160), { minLength: 1, maxLength: 3 }),
    fc.array(part(20), { minLength: 1, maxLength: 16 }),
    fc.tuple(fc.integer({ min: 95, max: 105 }).map((length) => 'n'.repeat(length))),
    fc.tuple(
      fc.constant('p'),
      fc.integer({ min: 95, max: 105 }).map((length) => 'n'.repeat(length)),
    ),
    fc.tuple(
      fc.integer({ min: 125, max: 160 }).map((length) => 'p'.repeat(length)),
      fc.constant('n'),
    ),
  )
  .map((parts) => parts.map((name) => (/^\.+$/.test(name) ? 'dots' : name)).join('/'));
const limit = 0o77777777777;
const size = fc.oneof(fc.nat(), fc.constantFrom(0, limit - 1, limit, limit + 1, 2 ** 40, Number.MAX_SAFE_INTEGER));

test('headers are those that the tar package writes', () => {
  const fields = fc.record({ path, size, mode: fc.nat(0o7777), modified: fc.nat() });
  const same = fc.property(fields, (file) => {
    expect(Buffer.from(encodeHeader(file, 'PaxHeaders')).equals(byTar(file))).toBe(true);
  });
  fc.assert(same, { numRuns: 2000 });
});
