import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keysOnMedium } from '../../../../lib/flows/setup/medium-keys.ts';
import { succeeds, writeFiles } from '../../../support/cli.ts';
import { testFlow } from '../../../support/flow.ts';
import { ok, scratch } from '../../../support/judges.ts';

const folder = scratch('medium-keys');

test('a key keeps its name if that is a plain one, and is not a key unless it is one', async () => {
  const { keyId } = JSON.parse(await succeeds(['keygen', '-o', 'k', '--json'], { cwd: folder }));
  const strange = 'a\nExecStartPre=x.pub';
  await ok('mkdir', ['-p', join(folder, 'tree/bin/linux-amd64')]);
  await ok('cp', [join(folder, 'k.pub'), join(folder, 'tree/bin/release.pub')]);
  await ok('cp', [join(folder, 'k.pub'), join(folder, 'tree/bin', strange)]);
  const pack = (): Promise<string> => ok('tar', ['-cf', join(folder, 'medium.tar'), '-C', join(folder, 'tree'), '.']);
  await pack();
  const keys = await keysOnMedium(join(folder, 'medium.tar'), testFlow());
  expect(keys.map(({ name }) => name).sort()).toEqual([`${keyId.slice(0, 16)}.pub`, 'release.pub'].sort());
  expect(new Set(keys.map((key) => key.keyId))).toEqual(new Set([keyId]));
  writeFiles(folder, { 'tree/bin/none.pub': 'no key\n' });
  await pack();
  await expect(keysOnMedium(join(folder, 'medium.tar'), testFlow())).rejects.toMatchObject({ code: 'key-invalid' });
});
