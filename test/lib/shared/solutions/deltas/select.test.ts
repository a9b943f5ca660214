import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../../../formats/digest.ts';
import { selectionLimits } from '../../../../../formats/solution/selection.ts';
import type { Catalog } from '../../../../../lib/parts/archives/index.ts';
import { withoutBases } from '../../../../../lib/shared/solutions/deltas/select.ts';

/** As much of a catalog as decides what may lack: layers of these names and sizes. */
function catalogOf(version: string, layers: Readonly<Record<string, number>>): Catalog {
  const contents = Object.entries(layers).map(([name, size]) => ({ mediaType: 'layer', digest: sha256(name), size }));
  const root = { mediaType: 'index', digest: sha256(`root of ${version}`), size: 1 };
  return {
    metadata: { name: 'shop', version },
    root,
    contents,
    imageBlobs: contents,
    manifests: [],
  } as unknown as Catalog;
}

const bytes = 10_000;

describe('what a delta leaves out', () => {
  test('is what one of the older archives has, but not what is small', () => {
    const now = catalogOf('1.1.0', { a: bytes, b: bytes, small: 100 });
    const { selection } = withoutBases(now, [catalogOf('1.0.0', { a: bytes, small: 100, c: bytes })]);
    expect(selection?.absent).toEqual([{ digest: sha256('a'), base: 0 }]);
    expect(selection?.bases).toEqual([{ name: 'shop', version: '1.0.0', root: sha256('root of 1.0.0') }]);
  });

  test('is nothing where they share nothing', () => {
    const now = catalogOf('1.1.0', { a: bytes });
    expect(withoutBases(now, [catalogOf('1.0.0', { b: bytes })])).not.toHaveProperty('selection');
    expect(withoutBases(now, [])).not.toHaveProperty('selection');
  });

  test('names the fewest releases that have all of it', () => {
    const now = catalogOf('1.3.0', { a: bytes, b: bytes, c: bytes });
    const older = [
      catalogOf('1.0.0', { a: bytes }),
      catalogOf('1.1.0', { a: bytes, b: bytes }),
      catalogOf('1.2.0', { c: bytes }),
    ];
    const versions = withoutBases(now, older).selection?.bases.map(({ version }) => version);
    expect(versions?.toSorted()).toEqual(['1.1.0', '1.2.0']);
    expect(withoutBases(now, older.toReversed())).toEqual(withoutBases(now, older));
  });

  test('is the largest of what there is, if that is more than a selection may name', () => {
    const layers = Object.fromEntries(
      Array.from({ length: selectionLimits.absent + 2 }, (_, at) => [`layer ${at}`, bytes + at]),
    );
    const { selection } = withoutBases(catalogOf('1.1.0', layers), [catalogOf('1.0.0', layers)]);
    expect(selection?.absent).toHaveLength(selectionLimits.absent);
    const named = new Set(selection?.absent.map(({ digest }) => digest));
    expect([named.has(sha256('layer 0')), named.has(sha256('layer 1')), named.has(sha256('layer 2'))]).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('is refused of more archives than a selection may name', () => {
    const older = Array.from({ length: selectionLimits.bases + 1 }, (_, at) => catalogOf(`1.0.${at}`, { a: bytes }));
    expect(() => withoutBases(catalogOf('2.0.0', { a: bytes }), older)).toThrow(
      expect.objectContaining({ code: 'usage-invalid' }),
    );
  });
});
