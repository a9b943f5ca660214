import { chmod, mkdir, writeFile as write } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findTool, pathFolders } from '../../lib/host.ts';
import { scratch } from '../support/judges.ts';

const folder = scratch('host');
const path = (name: string): string => join(folder, name);

describe('a program', () => {
  test('is found in the first folder that has it as something to run', async () => {
    for (const name of ['one', 'two', 'three']) await mkdir(path(name));
    await mkdir(path('one/tool'));
    await write(path('two/tool'), '');
    await write(path('three/tool'), '');
    await chmod(path('three/tool'), 0o755);
    const host = { path: [path('zero'), path('one'), path('two'), path('three')], temp: folder };
    expect(await findTool(host, 'tool', '')).toBe(path('three/tool'));
    await expect(findTool(host, 'other', 'install it')).rejects.toMatchObject({
      code: 'tool-missing',
      subject: 'other',
      hint: 'install it',
    });
    expect(pathFolders('/a::/b')).toEqual(['/a', '/b']);
    expect(pathFolders(undefined)).toEqual([]);
  });
});
