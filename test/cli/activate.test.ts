import { copyFileSync, linkSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  both,
  configurationIn,
  does,
  file,
  flat,
  head,
  places,
  refusal,
  told,
  two,
} from '../support/configurations.ts';
import { solpackHere } from '../support/here.ts';

const { archives, place } = places('activate');

describe('activate', () => {
  test.each([
    [[], 'latest', '1.1.0'],
    [['1.0.0'], '1.0.0', '1.0.0'],
    [['^1.0'], '^1.0', '1.1.0'],
    [['>=2.0.0-rc.0'], '>=2.0.0-rc.0', '2.0.0-rc.1'],
  ])('writes what %j wants in either form, and what an install takes by that', async (given, wanted, version) => {
    const names = [...both, 'guestbook-2.0.0-rc.1.iso'];
    const list = `[${names.join(', ')}]`;
    for (const text of [
      `solutions:\n  - {name: guestbook, activeVersion: none, archives: ${list}}\n`,
      `archives: ${list} # all\n`,
    ]) {
      const cwd = place(text, ...names);
      expect(await does(cwd, 'activate', 'guestbook', ...given)).toMatchObject({
        changed: true,
        name: 'guestbook',
        wanted,
        version,
        archive: `guestbook-${version}.iso`,
        downgraded: false,
      });
      expect(await does(cwd, 'activate', 'guestbook', ...given)).toMatchObject({ changed: false, from: version });
      const { stdout } = await solpackHere(
        ['install', ...file, '--insecure-skip-verify', '--render', 'out', '--json', '--quiet'],
        { cwd },
      );
      expect(JSON.parse(stdout).solutions).toMatchObject([{ name: 'guestbook', version }]);
    }
  });

  test('refuses what is not available, and names what is', async () => {
    const cwd = place(two, ...both);
    const version = await refusal(cwd, 'activate', 'guestbook', '3.0.0');
    expect(version).toContain('guestbook 3.0.0: is active, but its archives hold 1.0.0, 1.1.0 only; ');
    expect(version).toContain('[version-absent]');
    expect(await refusal(cwd, 'activate', 'guestbook', '^2')).toContain(
      'guestbook ^2: is active, but its archives hold',
    );
    const solution = await refusal(cwd, 'activate', 'gustbook');
    expect(solution).toContain('gustbook latest: is not available; there are guestbook; ');
    expect(solution).toContain('[version-absent]');
    expect(await refusal(cwd, 'activate', 'guestbook', 'v1')).toContain('[usage-invalid]');
    expect(await refusal(place(undefined), 'activate', 'guestbook')).toContain('[file-missing]');
    expect(await refusal(place('solutions: {}\n'), 'activate', 'guestbook')).toContain('[configuration-invalid]');
  });

  test('refuses a version that is gone, since its file was overwritten or deleted', async () => {
    const cwd = place(two, ...both);
    rmSync(join(cwd, both[0]!));
    linkSync(join(archives, 'guestbook-2.0.0-rc.1.iso'), join(cwd, both[0]!));
    const words = await refusal(cwd, 'activate', 'guestbook', '1.0.0');
    expect(words).toContain('its archives hold 1.1.0, 2.0.0-rc.1 only; ');
    expect(words).toContain('a file that was overwritten after its import may hold another one now');
    const pinned = place(two.replace('    archives', '    activeVersion: 1.0.0\n    archives'), ...both);
    rmSync(join(pinned, both[0]!));
    linkSync(join(archives, 'guestbook-2.0.0-rc.1.iso'), join(pinned, both[0]!));
    const installed = await refusal(pinned, 'install', '--insecure-skip-verify', '--render', 'out');
    expect(installed).toContain('guestbook 1.0.0: is active, but its archives hold 1.1.0, 2.0.0-rc.1 only; ');
    expect(installed).toContain('a file that was overwritten after its import may hold another one now');
    rmSync(join(cwd, both[0]!));
    rmSync(join(cwd, both[1]!));
    expect(await refusal(cwd, 'activate', 'guestbook')).toContain('no archive of it can be read');
    linkSync(join(archives, 'other-1.0.0.iso'), join(cwd, both[0]!));
    expect(await refusal(cwd, 'activate', 'guestbook')).toContain('the file was overwritten after the import');
  });

  test('refuses a version that two files have', async () => {
    const cwd = place(flat.replace(both[1]!, 'copy.iso'), both[0]!);
    copyFileSync(join(cwd, both[0]!), join(cwd, 'copy.iso'));
    expect(await refusal(cwd, 'activate', 'guestbook')).toContain('[version-conflict]');
  });

  test('tells of a lower version before it is written', async () => {
    const cwd = place(two, ...both);
    const path = join(cwd, 'solutions.yaml');
    let seen = '';
    const { stderr } = await solpackHere(['activate', 'guestbook', '1.0.0', ...file], {
      cwd,
      onText: (text) => {
        if (text.includes('is a downgrade')) seen = readFileSync(path, 'utf8');
      },
    });
    expect(seen).toBe(head + two);
    expect(stderr).toContain(
      'guestbook: is a downgrade from 1.1.0 to 1.0.0: it has no sequence, so no install refuses the downgrade',
    );
    expect(await does(cwd, 'activate', 'guestbook')).toMatchObject({ from: '1.0.0', downgraded: false });
    expect(await does(cwd, 'activate', 'guestbook', '1.0.0')).toMatchObject({ from: '1.1.0', downgraded: true });
    const counted = ['counted-1.0.0.iso', 'counted-2.0.0.iso'];
    const other = place(`archives: [${counted.join(', ')}]\nactive: {counted: latest}\n`, ...counted);
    expect(await told(other, 'activate', 'counted', '1.0.0')).toContain(
      'refuses the downgrade without --allow-downgrade',
    );
  });
});

describe('deactivate', () => {
  test.each([
    ['grouped', two, two.replace('    archives', '    activeVersion: none\n    archives')],
    ['flat', `${flat}active:\n  guestbook: latest # on\n  other: 1.0.0\n`, `${flat}active:\n  other: 1.0.0\n`],
    ['flat and then empty', `${flat}active: {guestbook: 1.0.0}\n`, `${flat}active: {}\n`],
  ])('says in the %s form that a Solution is not active', async (_, before, after) => {
    const cwd = place(before, ...both);
    expect(await does(cwd, 'deactivate', 'guestbook')).toMatchObject({ changed: true, name: 'guestbook' });
    expect(configurationIn(cwd)).toBe(after);
    expect(await does(cwd, 'deactivate', 'guestbook')).toMatchObject({ changed: false });
    expect(await told(cwd, 'deactivate', 'guestbook')).toContain('guestbook: is not active');
    expect(await does(cwd, 'deactivate', 'never')).toMatchObject({ changed: false });
    expect(configurationIn(cwd)).toBe(after);
  });
});
