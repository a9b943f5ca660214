import { join } from 'node:path';
import { expect, test } from 'vitest';
import { collect } from '../../formats/bytes.ts';
import { sha256 } from '../../formats/digest.ts';
import { encodeSelection } from '../../formats/solution/selection.ts';
import {
  archiveBytes,
  bundlesIn,
  type Catalog,
  carriers,
  planSigned,
  sparableContents,
  withSelection,
} from '../../lib/parts/archives/index.ts';
import { withArchive } from '../support/packing.ts';
import { writePolicy } from '../support/policies.ts';
import { attack, both, PATIENCE } from './attack.ts';
import { codeOf, type Format, installs, type Stage, setStage, verdictOf } from './stage.ts';
import { rowOf } from './table.ts';

// Deltas whose list of what they lack is another one than it was made with, and deltas of releases that nobody may install.

const stage = setStage('deltas');

/** Changes the list of a delta, without changing its size. */
type Lie = (list: string, catalog: Catalog) => string;

/** A sound delta of the good archive, signed as that is, with another list in the place of its own. */
function deltaOf({ folder }: Stage, format: Format, lie: Lie): Promise<Buffer> {
  return withArchive(join(folder, `good.${format}`), async ({ catalog, source, slots }) => {
    const [first, second] = sparableContents(catalog).map(({ digest }) => ({ digest, base: 0 }));
    const bases = [{ name: 'hello', version: '0.9.0', root: sha256('an older release') }];
    const delta = withSelection(catalog, { bases, absent: [first!, second!] });
    const filled = { bundles: bundlesIn(await slots()) };
    const planned = planSigned(delta, carriers[format], filled);
    const bytes = Buffer.from(
      await collect(
        archiveBytes(planned, filled, (blob) => source.open(blob)),
        2 ** 26,
      ),
    );
    const list = Buffer.from(encodeSelection(delta.selection));
    const lied = lie(list.toString(), catalog);
    if (lied.length !== list.length) throw new Error('the list has another size');
    bytes.write(lied, bytes.indexOf(list));
    return bytes;
  });
}

function lying(name: string, lie: Lie): void {
  attack(
    stage,
    name,
    both((_, format) => deltaOf(stage, format, lie)),
  );
}

const digests = /sha256:[0-9a-f]{64}(?=","base")/g;

/** The list with other digests, in the order that it has to have. */
function naming(list: string, named: readonly string[]): string {
  const sorted = named.toSorted();
  return list.replace(digests, () => sorted.shift()!);
}

const listed = (list: string): string[] => [...list.matchAll(digests)].map(([digest]) => digest);

lying('a list that names a content which is there', (list, catalog) => {
  const [kept] = listed(list);
  const other = sparableContents(catalog).find(({ digest }) => !listed(list).includes(digest));
  return naming(list, [kept!, other!.digest]);
});
lying('a list that names a content twice', (list) => {
  const [kept] = listed(list);
  return naming(list, [kept!, kept!]);
});
lying('a list that names a manifest', (list, { manifests }) =>
  naming(list, [listed(list)[0]!, manifests[0]!.descriptor.digest]),
);
lying('a list that names a file of the Solution', (list, { files }) =>
  naming(list, [listed(list)[0]!, files[0]!.descriptor.digest]),
);
lying('a list with a base that it does not have', (list) => list.replace('"base":0', '"base":1'));

const byKey = ['--key', 'release.pub'];

test(
  'a delta of an older release than the one that is installed',
  async () => {
    const name = 'a delta of an older release than the one that is installed';
    await stage.pack('newer.iso', 'sequence = 3');
    await stage.pack('layers.iso', '', 'layers');
    expect((await stage.run('delta', 'layers.iso', 'good.iso', '-o', 'older.delta.iso')).code).toBe(0);
    expect((await installs(stage, 'newer.iso', ...byKey)).code).toBe(0);
    const { codes, exit } = await verdictOf(stage, 'older.delta.iso', ...byKey, '--trust-state', 'state');
    expect([exit, codes]).toEqual([rowOf(name).exit, rowOf(name).codes]);
    const installed = await installs(stage, 'older.delta.iso, layers.iso', ...byKey);
    expect([installed.code, codeOf(installed)]).toEqual([rowOf(name).exit, 'not-trusted']);
    expect(installed.stderr).toContain(`(${rowOf(name).codes[0]})`);
  },
  PATIENCE,
);

test(
  'a delta of a release by a revoked key',
  async () => {
    const name = 'a delta of a release by a revoked key';
    await stage.pack('layers.iso', '', 'layers');
    expect((await stage.run('delta', 'layers.iso', 'good.iso', '-o', 'revoked.delta.iso')).code).toBe(0);
    const { id, pem } = stage.keys.release;
    writePolicy(join(stage.folder, 'trust.json'), [stage.keys.release], { keys: [{ id, pem, status: 'revoked' }] });
    const policy = ['--policy', 'trust.json'];
    const { codes, exit } = await verdictOf(stage, 'revoked.delta.iso', ...policy);
    expect([exit, codes]).toEqual([rowOf(name).exit, expect.arrayContaining([...rowOf(name).codes])]);
    const installed = await installs(stage, 'revoked.delta.iso, layers.iso', ...policy);
    expect([installed.code, codeOf(installed)]).toEqual([rowOf(name).exit, 'not-trusted']);
    expect(installed.stderr).toContain(`(${rowOf(name).codes[0]})`);
  },
  PATIENCE,
);
