import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { both, configurationIn, does, file, flat, places, refusal, told, two } from '../support/configurations.ts';
import { solpackHere } from '../support/here.ts';

const { place } = places('unimport');

describe('unimport', () => {
  test('removes an archive that is not active, and leaves its file', async () => {
    const cwd = place(two, ...both);
    expect(await does(cwd, 'unimport', join(cwd, both[0]!))).toEqual({
      schemaVersion: 1,
      configuration: join(cwd, 'solutions.yaml'),
      form: 'grouped',
      changed: true,
      archives: [{ archive: both[0], name: 'guestbook', version: '1.0.0', action: 'removed' }],
    });
    expect(configurationIn(cwd)).toBe(two.replace('      - guestbook-1.0.0.iso\n', ''));
    expect(existsSync(join(cwd, both[0]!))).toBe(true);
  });

  test.each([
    ['that is the highest', two, both[1]!, 'activate guestbook 1.0.0 -f'],
    [
      'that is pinned',
      two.replace('    archives', '    activeVersion: 1.0.0\n    archives'),
      both[0]!,
      'guestbook 1.1.0',
    ],
    [
      'that is the highest in the range',
      `${flat}active: {guestbook: "<1.1"}\n`,
      both[0]!,
      'activate guestbook 1.1.0 -f',
    ],
    ['that latest means', `${flat}active: {guestbook: latest}\n`, both[1]!, 'deactivate guestbook -f'],
  ])('refuses an archive %s, and names what to do', async (_, text, path, said) => {
    const cwd = place(text, ...both);
    const words = await refusal(cwd, 'unimport', path);
    expect(words).toContain('which is active; ');
    expect(words).toContain(said);
    expect(words).toContain('[version-active]');
  });

  test('removes an archive whose version another one has as well', async () => {
    const cwd = place(two.replace('guestbook-1.0.0.iso', 'copy.iso'), both[1]!);
    copyFileSync(join(cwd, both[1]!), join(cwd, 'copy.iso'));
    await does(cwd, 'unimport', 'copy.iso');
    expect(configurationIn(cwd)).toBe(two.replace('      - guestbook-1.0.0.iso\n', ''));
  });

  test('removes an archive whose file is gone, and tells of what no archive has then', async () => {
    const cwd = place(`${flat}active: {guestbook: 1.0.0}\n`, both[1]!);
    const words = await told(cwd, 'unimport', both[0]!);
    expect(words).toContain(`${join(cwd, both[0]!)}: is skipped: no such file or folder`);
    expect(words).toContain('guestbook 1.0.0: is active, but no readable archive has it');
    expect(configurationIn(cwd)).toBe('archives: [guestbook-1.1.0.iso]\nactive: {guestbook: 1.0.0}\n');
  });

  test('tells what is not listed, and ends well', async () => {
    const cwd = place(two, ...both);
    expect(await does(cwd, 'unimport', 'never.iso')).toMatchObject({
      changed: false,
      archives: [{ archive: 'never.iso', action: 'absent' }],
    });
    expect(await told(cwd, 'unimport', 'never.iso')).toContain('never.iso: is not in the configuration');
    expect(configurationIn(cwd)).toBe(two);
  });

  test('keeps the group of a Solution that has no archive left, and what an install makes of it', async () => {
    const cwd = place(two.replace('      - guestbook-1.1.0.iso # new\n', ''), both[0]!);
    await does(cwd, 'deactivate', 'guestbook');
    await does(cwd, 'unimport', both[0]!);
    expect(configurationIn(cwd)).toBe(
      'solutions:\n  - name: guestbook   # ours\n    activeVersion: none\n    archives: []\n',
    );
    const { code, stdout } = await solpackHere(
      ['install', ...file, '--render', 'out', '--insecure-skip-verify', '--quiet'],
      { cwd },
    );
    expect([code, stdout]).toEqual([0, 'no Solution is active: nothing was installed\n']);
  });
});
