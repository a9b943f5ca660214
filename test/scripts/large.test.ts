import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { carry } from '../../scripts/bench/carry.ts';
import { makeMany } from '../../scripts/bench/many.ts';
import { makeSparse } from '../../scripts/bench/sparse.ts';
import { find, judged, scratch } from '../support/judges.ts';

// The same code as `npm run large`, on less.

const folder = scratch('large');
const MIB = 1024 * 1024;
const how = {
  program: (name: string) => find(name) ?? name,
  solpack: (...args: string[]) =>
    [process.execPath, join(import.meta.dirname, '../../cli/bin.js'), ...args, '-q'] as const,
};

describe('a Solution that is larger than usual', () => {
  judged(
    'gets to an S3 store in spite of a cut and a kill, and nothing of it twice but what was in flight',
    ['registry', 'versitygw'],
    async () => {
      const input = join(folder, 'many');
      await makeMany(input, 6, 300);
      const load = { ...how, title: 'many', input, bytes: 300 * 1024, output: join(folder, 'many-output') };
      const [first, second, third] = await carry({ ...load, store: 's3' });
      expect(first).toMatchObject({ moved: undefined });
      // Manifests, configs, the root and the provenance come to it.
      expect([second!.moved! > 0, second!.present! > 20, second!.moved! + second!.present! >= 300 + 2 * 6]).toEqual([
        true,
        true,
        true,
      ]);
      expect(third).toMatchObject({ moved: 0, present: second!.moved! + second!.present! });
    },
  );

  judged('takes no more memory where its layers are larger', ['registry'], async () => {
    const peaks: number[] = [];
    for (const size of [64, 512]) {
      const input = join(folder, `sparse-${size}`);
      await makeSparse(input, size * MIB);
      const load = { ...how, title: 'sparse', input, bytes: size * MIB, output: join(folder, `output-${size}`) };
      const legs = await carry({ ...load, store: 'disk' });
      expect(legs.at(-1)).toMatchObject({ moved: 0 });
      // Sent again is what was in flight when it was cut, and when it was killed.
      expect(legs.reduce((sum, { sent }) => sum + sent, 0)).toBeLessThan(3.1 * size * MIB);
      peaks.push(Math.max(...legs.map(({ memory }) => memory)));
    }
    expect(peaks[1]).toBeLessThan(peaks[0]! + 64 * MIB);
  });
});
