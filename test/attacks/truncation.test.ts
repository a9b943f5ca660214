import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { carriers, planArchive } from '../../lib/parts/archives/index.ts';
import { withArchive } from '../support/packing.ts';
import { PATIENCE } from './attack.ts';
import { codeOf, formats, setStage, verdictOf } from './stage.ts';
import { rowOf } from './table.ts';

const stage = setStage('truncation');
/** Bytes by which a file is known as one of its format: of what is shorter nothing is left to verify. */
const known = { iso: 17 * 2048, tar: 512 };
const name = 'an end that is missing';

test.each(formats)(
  `${name}: a %s is refused at every boundary of its structures`,
  async (format) => {
    const bytes = stage.bytes(format);
    const path = join(stage.folder, `cut.${format}`);
    writeFileSync(path, bytes);
    const offsets = await withArchive(path, ({ catalog }) =>
      [...planArchive(catalog, carriers[format]).layout.segments].map(({ offset }) => offset),
    );
    // From the end to the begin, so that one file is cut further and further.
    for (const kept of [...new Set(offsets)].reverse().filter((offset) => offset >= known[format])) {
      truncateSync(path, kept);
      const { codes, exit } = await verdictOf(stage, `cut.${format}`, '--key', 'release.pub');
      expect([kept, exit]).toEqual([kept, rowOf(name).exit]);
      expect(
        codes.some((code) => rowOf(name).codes.includes(code)),
        `${kept} bytes kept: ${codes}`,
      ).toBe(true);
    }
  },
  PATIENCE,
);

test('what is left of an archive without its first structures is none, exit status 2', async () => {
  for (const format of formats) {
    for (const kept of [0, 1, 300]) {
      writeFileSync(join(stage.folder, `none.${format}`), stage.bytes(format).subarray(0, kept));
      const outcome = await stage.run('verify', `none.${format}`, '--key', 'release.pub');
      expect([outcome.code, codeOf(outcome)]).toEqual([2, 'archive-invalid']);
    }
  }
});
