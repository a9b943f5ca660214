import { chmod, mkdir, writeFile as write } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findTool, pathFolders } from '../../../../lib/kernel/events/host.ts';
import { scratch } from '../../../support/judges.ts';

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

  test('that travels with solpack is taken from beside it, unless others may write there or PATH has it; what else lies there is not', async () => {
    for (const name of ['beside', 'installed']) await mkdir(path(name));
    for (const name of ['beside/helm', 'beside/git', 'beside/kubectl', 'installed/helm'])
      await write(path(name), '', { mode: 0o755 });
    await chmod(path('beside'), 0o755);
    const host = { path: [path('installed')], temp: folder, beside: path('beside') };
    const bare = { ...host, path: [] };
    expect(await findTool(host, 'helm', '')).toBe(path('installed/helm'));
    expect(await findTool(bare, 'helm', '')).toBe(path('beside/helm'));
    const refusal = (message: string) => ({ code: 'tool-missing', message });
    await expect(findTool(bare, 'git', '')).rejects.toMatchObject(refusal('not found on PATH'));
    const words = `not found on PATH, nor in ${path('beside')}`;
    for (const mode of [0o775, 0o757, 0o1777]) {
      await chmod(path('beside'), mode);
      await expect(findTool(bare, 'kubectl', '')).rejects.toMatchObject(refusal(words));
    }
    const gone = { ...bare, beside: path('gone') };
    await expect(findTool(gone, 'helm', '')).rejects.toMatchObject({ code: 'tool-missing' });
  });

  test('that is nowhere on the machine is asked for elsewhere, and one that is here is not', async () => {
    const asked: string[] = [];
    const carried = async (name: string): Promise<string | undefined> => {
      asked.push(name);
      return name === 'kubectl' ? '/carried/kubectl' : undefined;
    };
    const host = { path: [path('installed')], temp: folder, carried };
    expect(await findTool(host, 'helm', '')).toBe(path('installed/helm'));
    expect(await findTool(host, 'kubectl', '')).toBe('/carried/kubectl');
    await expect(findTool(host, 'git', '')).rejects.toMatchObject({ code: 'tool-missing' });
    expect(asked).toEqual(['kubectl', 'git']);
  });
});
