import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Event } from '../../../../lib/kernel/events/events.ts';
import { plugin } from '../../../../lib/parts/components/plugin.ts';
import { scratch } from '../../../support/judges.ts';
import { eventually } from '../../../support/until.ts';
import { configMap, flowIn, objectsBy, type Planted, plant, plugin as script, specOf, unpacked } from './support.ts';

const folder = scratch('components-plugin-ends');
let count = 0;

async function prepared(files: Readonly<Record<string, Planted>>) {
  const root = plant(join(folder, `${++count}`), files);
  const component = await unpacked(await plugin.collect(specOf('plugin', root, 'p')), join(root, 'out'));
  return { component, root, flow: flowIn(join(root, 'temp')), program: join(component.folder, 'plugin') };
}

/** What a plugin fails with, which never is an answer. */
async function failure(program: Planted): Promise<unknown> {
  const { component, flow } = await prepared({ 'p/plugin': program, 'p/o.yaml': configMap('partial') });
  return objectsBy(plugin, component, flow).then(
    (objects) => ({ objects }),
    (error: unknown) => error,
  );
}

const object = JSON.stringify({ apiVersion: 'v1', kind: 'A', metadata: { name: 'a' } });

afterEach(() => {
  vi.useRealTimers();
});

describe('run', () => {
  test.each([
    [1, 'plugin-unmet', 'reports that this machine does not meet a precondition (code 1)'],
    [2, 'plugin-misconfigured', 'found its configuration invalid (code 2)'],
    [3, 'plugin-failed', 'ended with an internal error (code 3)'],
    [125, 'plugin-failed', 'ended with an internal error (code 125)'],
    [126, 'plugin-failed', 'is not runnable (code 126)'],
    [127, 'plugin-failed', 'is not runnable (code 127)'],
    [139, 'plugin-failed', 'crashed (code 139, SIGSEGV)'],
    [255, 'plugin-failed', 'crashed (code 255)'],
  ])('that ends with %i fails, and what it printed is not taken', async (status, code, message) => {
    expect(await failure(script(`cat o.yaml; exit ${status}`))).toMatchObject({
      code,
      subject: 'web',
      message: `run ${message}`,
      hint: expect.any(String),
      exit: 2,
    });
  });

  test.each([
    ['kills itself', 'kill -SEGV $$', 'run crashed: SIGSEGV ended it'],
    ['calls what is not there', 'exec /nowhere/at/all', 'run is not runnable (code 127)'],
    ['prints no objects', 'echo text', 'output of run:2:1: not a Kubernetes object'],
    ['prints what is no YAML', 'echo "a: [1"', 'output of run:'],
    ['prints a NUL', `printf '%s\\000' '${object}'`, 'there is a NUL in the output of run'],
    ['prints what is not UTF-8', "printf 'a: \\377'", 'not valid UTF-8'],
    ['prints 17 MiB', 'head -c 17825792 /dev/zero', 'run printed more than 16.0 MiB'],
    ['prints without an end', 'exec yes', 'run printed more than 16.0 MiB'],
    [
      'prints objects after a Kustomization',
      `printf 'kind: Kustomization\\n---\\n%s' '${object}'`,
      'a Kustomization beside other documents',
    ],
    [
      'prints a Kustomization after objects',
      `printf '%s\\n---\\nkind: Kustomization\\n' '${object}'`,
      'a Kustomization beside other documents',
    ],
  ])('that %s fails', async (_, run, message) => {
    expect(await failure(script(`echo '# partial'\n${run}`))).toMatchObject({
      code: 'plugin-failed',
      message: expect.stringContaining(message),
    });
  });

  test('says in its error what the plugin said last', async () => {
    const error = await failure(script('for i in 1 2 3 4 5; do echo "line $i" >&2; done; exit 1'));
    expect(error).toMatchObject({ message: expect.stringMatching(/\(code 1\): line 3 \/ line 4 \/ line 5$/) });
    const long = (await failure(
      script('head -c 3000 /dev/zero | tr "\\0" x >&2; echo >&2; echo why >&2; exit 2'),
    )) as Error;
    expect(long.message).toMatch(/\(code 2\): \.\.\.x+ \/ why$/);
    expect(long.message.length).toBeLessThan(500);
  });

  test('has 60 s, and five more where it does not listen', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { component, flow } = await prepared({
      'p/plugin': script("trap 'echo asked >&2' TERM; echo begun >&2; while :; do sleep 0.1; done"),
    });
    const limits = new Map([
      ['[web] begun', 60_000],
      ['[web] asked', 5_000],
    ]);
    const waited: [string, number][] = [];
    const ended = objectsBy(plugin, component, {
      ...flow,
      onEvent: (event) => {
        const message = event.type === 'notice' ? event.message : '';
        const limit = limits.get(message);
        if (limit === undefined) return;
        limits.delete(message);
        vi.advanceTimersByTime(limit - 1);
        waited.push([message, vi.getTimerCount()]);
        vi.advanceTimersByTime(1);
      },
    });
    await expect(ended).rejects.toMatchObject({
      code: 'plugin-failed',
      message: expect.stringContaining('run did not end within 60 s: '),
    });
    expect(waited).toEqual([
      ['[web] begun', 1],
      ['[web] asked', 1],
    ]);
  });
});

describe('api-version', () => {
  test.each([
    ['v3', 'echo v3', 'follows version v3 of the convention; this solpack knows v1, v2'],
    ['v3', 'echo v3', 'follows version v3 of the convention; this solpack knows v1'],
    ['two lines', 'echo v1; echo v1', 'api-version printed "v1\\nv1", which is not one line with a version'],
    ['an empty line after it', 'echo v1; echo', 'api-version printed "v1\\n"'],
    ['a blank', 'echo "v1 "', 'api-version printed "v1 "'],
    ['the end of a line of Windows', 'printf "v1\\r\\n"', 'api-version printed "v1\\r"'],
    ['a number', 'echo 1', 'api-version printed "1"'],
    ['nothing', 'true', 'api-version printed ""'],
    ['code 1', 'echo v1; exit 1', 'api-version ended with an internal error (code 1)'],
    ['code 2', 'echo v1; exit 2', 'api-version ended with an internal error (code 2)'],
    ['too much', 'exec yes', 'api-version printed more than 1.0 KiB'],
  ])('that answers with %s is refused by what it says, and run is not called', async (_, version, message) => {
    const { component, flow } = await prepared({ 'p/plugin': script('touch ran', version) });
    for (const ask of [plugin.probe!, plugin.render]) {
      await expect(ask(component, flow)).rejects.toMatchObject({
        code: 'plugin-failed',
        message: expect.stringContaining(message),
      });
    }
    expect(existsSync(join(component.folder, 'ran'))).toBe(false);
  });

  test('may leave out the end of its line', async () => {
    const { component, flow } = await prepared({
      'p/plugin': script('cat o.yaml', 'printf v1'),
      'p/o.yaml': configMap('a'),
    });
    expect(await objectsBy(plugin, component, flow)).toHaveLength(1);
  });

  test('is asked once in a run, and again in the next', async () => {
    const { component, flow, root } = await prepared({ 'p/plugin': script('true', 'echo >>asked; echo v1') });
    await plugin.probe!(component, flow);
    await objectsBy(plugin, { ...component }, flow);
    const asked = join(component.folder, 'asked');
    expect(readFileSync(asked, 'utf8')).toBe('\n');
    await objectsBy(plugin, component, flowIn(join(root, 'temp')));
    expect(readFileSync(asked, 'utf8')).toBe('\n\n');
  });

  test('has 5 s, and takes all with it that it started', async () => {
    const { component, flow } = await prepared({
      'p/plugin': script('true', 'sleep 1000 & echo $! >&2; sleep 1000'),
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let child = 0;
    const onEvent = (event: Event): void => {
      if (event.type === 'notice') child = Number(event.message.replace('[web] ', ''));
      vi.advanceTimersByTime(5_000);
    };
    const error = await plugin.probe!(component, { ...flow, onEvent }).catch((reason: unknown) => reason);
    expect(child).toBeGreaterThan(0);
    expect(error).toMatchObject({
      code: 'plugin-failed',
      message: `api-version did not end within 5 s: ${child}`,
    });
    vi.useRealTimers();
    await eventually(() => stateOf(child)).toBe('gone');
  });
});

/** Whether a process still runs (proc(5)); one that nobody waited for yet has ended all the same. */
function stateOf(id: number): string {
  const path = `/proc/${id}/stat`;
  return existsSync(path) && !/\) [ZX] /.test(readFileSync(path, 'utf8')) ? 'running' : 'gone';
}

/** A shell whose ELF header names a dynamic loader that there is not. */
function unloadable(): Buffer {
  const shell = readFileSync('/bin/sh');
  shell.write('/xd-linux', shell.indexOf('/ld-linux'));
  return shell;
}

describe('a plugin that cannot be run', () => {
  test.each<[string, string | Buffer, string, string]>([
    ['an interpreter that is not there', '#!/nowhere/sh -e\n', 'its interpreter "/nowhere/sh" is not on', 'install it'],
    ['the line ends of Windows', '#!/bin/sh\r\necho v1\r\n', 'its interpreter "/bin/sh\\r" is not on', 'Windows'],
    ['an interpreter that is not a program', '#!/etc/passwd\n', 'permission denied', 'noexec'],
    ['a loader that is not there', unloadable(), 'the dynamic loader that it names', 'statically'],
  ])('because it has %s is refused with that reason', async (_, program, message, hint) => {
    expect(await failure({ program })).toMatchObject({
      code: 'plugin-failed',
      message: expect.stringContaining(`api-version cannot be run: ${message}`),
      hint: expect.stringContaining(hint),
    });
  });

  test('because it was built for another machine is refused with that suspicion', async () => {
    expect(await failure({ program: '\u007fELF for another machine' })).toMatchObject({
      code: 'plugin-failed',
      message: expect.stringContaining('api-version is not runnable (code 127)'),
      hint: 'it does not begin with #!: is it a program for this machine?',
    });
  });

  test('because it is not executable, not there, a folder or elsewhere, is refused', async () => {
    const { component, flow, program, root } = await prepared({ 'p/plugin': script('true') });
    const refuses = (code: string, message: string): Promise<void> =>
      expect(plugin.probe!(component, flow)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
    chmodSync(program, 0o644);
    await refuses('plugin-failed', 'its plugin is not executable');
    rmSync(program);
    await refuses('plugin-failed', 'its plugin cannot be found: no such file or folder');
    plant(component.folder, { 'plugin/a': '' });
    await refuses('plugin-failed', 'its plugin is not a file');
    rmSync(program, { recursive: true });
    symlinkSync(join(root, 'p/plugin'), program);
    await refuses('path-escapes', 'a symbolic link out of its folder');
    rmSync(program);
    plant(component.folder, { real: script('true') });
    symlinkSync('real', program);
    await plugin.probe!(component, flow);
  });
});
