import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inspect } from '../../../../lib/flows/inspect/index.ts';
import { carriers, openArchive, planArchive } from '../../../../lib/parts/archives/index.ts';
import { smallSolution } from '../../../support/cli.ts';
import { packHere, testFlow } from '../../../support/flow.ts';
import { scratch } from '../../../support/judges.ts';

const folder = scratch('open');

test('a directory that is damaged where only the signatures are read is the archive’s fault, not a bug', async () => {
  await smallSolution(folder);
  const path = join(folder, 'a.iso');
  await packHere(join(folder, 'solution.toml'), path);
  await using archive = await openArchive(path);
  const segments = [...planArchive(archive.catalog, carriers.iso).layout.segments];
  const directory = segments.find((segment) => segment.kind === 'meta' && /signatures.*Rock Ridge/.test(segment.name));
  const bytes = readFileSync(path);
  bytes[directory!.offset] = 7;
  writeFileSync(path, bytes);
  await expect(inspect(path, testFlow())).rejects.toMatchObject({ code: 'archive-damaged', subject: path });
});
