import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../../lib/kernel/files/temporary.ts';
import { ownRun } from '../../../../lib/kernel/machine/runs.ts';
import { run, scratch } from '../../../support/judges.ts';

const root = scratch('temporary');

function host(name: string): { path: string[]; temp: string } {
  const temp = join(root, name);
  mkdirSync(temp);
  return { path: [], temp };
}

/** The name of a folder of a run whose process has the number of this one, but was started before it. */
function left(suffix: string): string {
  const [pid, start, place] = ownRun().split('-');
  return `solpack-${pid}-${Number(start) - 1}-${place}-${suffix}`;
}

test('a temporary folder is gone once it is released', async () => {
  const place = host('released');
  const one = await temporaryFolder(place);
  const two = await temporaryFolder(place);
  expect(readdirSync(place.temp)).toHaveLength(2);
  writeFileSync(join(one.path, 'file'), '');
  await one[Symbol.asyncDispose]();
  expect([existsSync(one.path), existsSync(two.path)]).toEqual([false, true]);
  await two[Symbol.asyncDispose]();
  expect(readdirSync(place.temp)).toEqual([]);
});

test('what a run left that was killed goes with the next one', async () => {
  const place = host('killed');
  const module = new URL('../../../../lib/kernel/files/temporary.ts', import.meta.url).href;
  const script = `const { temporaryFolder } = await import(${JSON.stringify(module)});
    const { path } = await temporaryFolder(${JSON.stringify(place)});
    (await import('node:fs')).writeFileSync(path + '/file', '');
    process.kill(process.pid, 'SIGKILL');`;
  expect((await run(process.execPath, ['--input-type=module', '-e', script])).code).not.toBe(0);
  expect(readdirSync(place.temp)).toHaveLength(1);
  const next = await temporaryFolder(place);
  expect(readdirSync(place.temp).map((name) => join(place.temp, name))).toEqual([next.path]);
});

test('what others put beside it stays', async () => {
  const place = host('others');
  const elsewhere = join(root, 'elsewhere');
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, 'file'), '');
  const names = ['solpack-abcdef', 'solpack-1-1-00000000-abcdef', 'solpack-node-1-1', `${left('abcdef')}g`];
  for (const name of names) mkdirSync(join(place.temp, name));
  symlinkSync(elsewhere, join(place.temp, left('linked')));
  writeFileSync(join(place.temp, left('afile1')), '');
  mkdirSync(join(place.temp, left('folder')));
  await (await temporaryFolder(place))[Symbol.asyncDispose]();
  expect(readdirSync(place.temp).sort()).toEqual([...names, left('linked'), left('afile1')].sort());
  expect(readdirSync(elsewhere)).toEqual(['file']);
});

test('a temporary folder that cannot be made is reported', async () => {
  await expect(temporaryFolder({ path: [], temp: join(root, 'absent') })).rejects.toMatchObject({
    code: 'output-unwritable',
    subject: join(root, 'absent'),
  });
});
