import { describe, expect, test } from 'vitest';
import { both, configurationIn, does, places, refusal, told } from '../support/configurations.ts';

const { place } = places('environment-edits');

const list = `[${both.join(', ')}]`;
const grouped = `solutions:\n  - name: guestbook\n    archives: ${list}\n`;
const flat = `archives: ${list}\n`;
const into = (environment: string): string[] => ['--environment', environment];

describe.each([
  ['grouped', grouped],
  ['flat', flat],
])('environments in the %s form', (_, text) => {
  test('are added, changed and removed by the commands that do so for a Solution', async () => {
    const cwd = place(text, ...both);
    expect(await does(cwd, 'activate', 'guestbook', '1.0.0', ...into('team-a'))).toMatchObject({
      changed: true,
      environment: 'team-a',
      version: '1.0.0',
      archive: both[0],
      downgraded: false,
    });
    expect(await does(cwd, 'activate', 'guestbook', ...into('team-b'))).toMatchObject({ version: '1.1.0' });
    expect(await does(cwd, 'activate', 'guestbook', '1.1.0', ...into('team-a'))).toMatchObject({ from: '1.0.0' });
    expect(await does(cwd, 'activate', 'guestbook', '1.1.0', ...into('team-a'))).toMatchObject({ changed: false });
    expect(await does(cwd, 'activate', 'guestbook', '1.0.0', ...into('team-a'))).toMatchObject({ downgraded: true });
    expect(await does(cwd, 'deactivate', 'guestbook', ...into('team-b'))).toMatchObject({ from: '1.1.0' });
    expect(await does(cwd, 'deactivate', 'guestbook', ...into('team-b'))).toMatchObject({ changed: false });
    expect(configurationIn(cwd)).toContain('team-a: "1.0.0"');
    expect(configurationIn(cwd)).not.toContain('team-b');
  });

  test('keep the archives of their versions', async () => {
    const cwd = place(text, ...both);
    await does(cwd, 'activate', 'guestbook', '1.0.0', ...into('team-a'));
    const words = await refusal(cwd, 'unimport', both[0]!);
    expect(words).toContain('holds guestbook 1.0.0, which is active in team-a; ');
    expect(words).toContain('"solpack activate guestbook 1.1.0 --environment team-a -f');
    expect(words).toContain('"solpack deactivate guestbook --environment team-a -f');
    await does(cwd, 'unimport', both[1]!);
    expect(configurationIn(cwd)).not.toContain(both[1]);
  });

  test('go with their Solution, and are refused what is not a namespace, or is not available', async () => {
    const cwd = place(text, ...both);
    await does(cwd, 'activate', 'guestbook', '1.0.0', ...into('team-a'));
    expect(await refusal(cwd, 'activate', 'guestbook', '3.0.0', ...into('team-a'))).toContain('[version-absent]');
    expect(await refusal(cwd, 'activate', 'guestbook', ...into('kube-system'))).toContain('[usage-invalid]');
    expect(await refusal(cwd, 'activate', 'guestbook', ...into('No.Label'))).toContain('[usage-invalid]');
    expect(await does(cwd, 'deactivate', 'guestbook')).toMatchObject({ changed: true });
    await does(cwd, 'unimport', both[0]!);
  });
});

test('an environment of a Solution that is not to be active at all is refused', async () => {
  const cwd = place(grouped.replace('    archives', '    activeVersion: none\n    archives'), ...both);
  expect(await refusal(cwd, 'activate', 'guestbook', ...into('team-a'))).toContain('"solpack activate guestbook -f');
});

test('the first environment of a Solution tells that it runs nowhere else from then on', async () => {
  const cwd = place(grouped, ...both);
  const words = await told(cwd, 'activate', 'guestbook', '1.0.0', ...into('team-a'));
  expect(words).toContain('runs only in its environments');
  expect(await told(cwd, 'activate', 'guestbook', '1.1.0')).toContain('has environments, which do not change');
});
