import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeVariables, plugin } from '../../../lib/components/plugin.ts';
import { judged, scratch } from '../../support/judges.ts';
import { configMap, flowIn, type Planted, plant, specOf, unpacked } from './support.ts';

const folder = scratch('components-plugin');
let count = 0;

const script = (run: string, version = 'echo v1'): Planted => ({
  program: `#!/bin/sh\nif [ "$#" = 1 ] && [ "$1" = api-version ]; then\n${version}\nexit\nfi\n[ "$1" = run ] || exit 99\n${run}\n`,
});

/** Packs a plugin, unpacks it and renders it. */
async function rendered(files: Readonly<Record<string, Planted>>) {
  const root = plant(join(folder, `${++count}`), files);
  const component = await unpacked(await plugin.collect(specOf('plugin', root, 'p')), join(root, 'out'));
  const flow = flowIn(join(root, 'temp'));
  const outcome = await plugin.render(component, flow).then(
    (objects) => ({ objects }),
    (error: unknown) => ({ error }),
  );
  expect(readdirSync(join(root, 'temp'))).toEqual([]);
  return { ...outcome, events: flow.events, component, root };
}

const failure = (message: string) => ({
  error: expect.objectContaining({
    code: 'plugin-failed',
    subject: 'web',
    message: expect.stringContaining(message),
  }) as unknown,
});

describe('collect', () => {
  test('takes a folder or one file, and runs nothing', async () => {
    const root = plant(join(folder, 'collect'), {
      'p/plugin': { program: `#!/bin/sh\ntouch ${join(folder, 'was-run')}\n` },
      'p/data.yaml': 'a: 1\r\n',
    });
    const whole = await plugin.collect(specOf('plugin', root, 'p'));
    expect(whole.files.map(({ path, mode }) => [path, mode])).toEqual([
      ['data.yaml', 0o644],
      ['plugin', 0o755],
    ]);
    const single = await plugin.collect(specOf('plugin', root, 'p/plugin'));
    expect(single.files.map(({ path }) => path)).toEqual(['plugin']);
    expect(existsSync(join(folder, 'was-run'))).toBe(false);
  });

  test.each<[string, Record<string, Planted>, string]>([
    ['a folder without a plugin', { 'p/other': { program: 'x' } }, 'holds no file named plugin'],
    ['a plugin that is not executable', { 'p/plugin': 'x' }, 'is not executable'],
    ['a file that is not executable', { p: 'x' }, 'is not executable'],
    ['a plugin that is a folder', { 'p/plugin/a': 'x' }, 'holds no file named plugin'],
    ['a plugin that is elsewhere', { 'p/plugin': { link: '/bin/sh' } }, 'leads out'],
  ])('refuses %s', async (name, files, message) => {
    const root = plant(join(folder, `refused ${name}`), files);
    await expect(plugin.collect(specOf('plugin', root, 'p'))).rejects.toMatchObject({
      code: 'component-invalid',
      message: expect.stringContaining(message),
    });
  });
});

describe('render', () => {
  test('asks for the version, then runs the plugin in its folder and parses what it prints', async () => {
    const result = await rendered({ 'p/plugin': script('cat objects.yaml'), 'p/objects.yaml': configMap('a') });
    expect(result).toMatchObject({ objects: [{ metadata: { name: 'a' } }] });
  });

  test('gives it the variables of the convention and nothing of its own environment', async () => {
    const printed =
      'printf "apiVersion: v1\\nkind: ConfigMap\\nmetadata: {name: env}\\ndata:\\n  env: |\\n"; env | sed "s/^/    /"';
    const { objects } = (await rendered({ 'p/plugin': script(printed) })) as unknown as {
      objects: { data: { env: string } }[];
    };
    const variables = Object.fromEntries(
      objects[0]!.data.env
        .trim()
        .split('\n')
        .map((line) => line.split('=')),
    );
    // The shell's own.
    for (const name of ['PWD', 'SHLVL', '_', 'OLDPWD']) delete variables[name];
    expect(variables).toEqual({
      PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
      LANG: 'C.UTF-8',
      HOME: '/',
      ...Object.fromEntries(nodeVariables.map((name) => [name, ''])),
      SOLUTION_NAME: 'guestbook',
      SOLUTION_VERSION: '1.1.0',
      SOLUTION_COMPONENT: 'web',
      SOLUTION_NAMESPACE: 'guestbook',
    });
  });

  test('tells what it writes to stderr line by line, without control characters', async () => {
    const { events } = await rendered({ 'p/plugin': script('printf "one\\n\\033[31mtwo\\n\\nthree" >&2') });
    expect(events.map((event) => event.type === 'notice' && event.message)).toEqual([
      '[web] one',
      '[web] [31mtwo',
      '[web] three',
    ]);
  });

  test('takes no output for nothing to apply', async () => {
    expect(await rendered({ 'p/plugin': script('true') })).toMatchObject({ objects: [] });
  });

  test.each([
    ['ends with 1', 'exit 1', 'precondition of this machine unmet'],
    ['ends with 2', 'exit 2', 'its configuration invalid'],
    ['ends with 7', 'exit 7', 'internal error (code 7)'],
    ['kills itself', 'kill -9 $$', 'was ended by SIGKILL'],
    ['prints no objects', 'echo text', 'output of run:1: not a Kubernetes object'],
    ['prints a NUL', `printf '%s\\000' '${JSON.stringify({ apiVersion: 'v1', kind: 'A' })}'`, 'NUL'],
    ['prints what is not UTF-8', "printf 'a: \\377'", 'not valid UTF-8'],
    ['prints too much', 'head -c 17000000 /dev/zero', 'printed more than 16777216 bytes'],
    ['prints without an end', 'exec yes', 'printed more than 16777216 bytes'],
    [
      'prints a Kustomization beside other documents',
      `printf 'kind: Kustomization\\n---\\n%s' '${JSON.stringify({ apiVersion: 'v1', kind: 'A', metadata: { name: 'a' } })}'`,
      'beside other documents',
    ],
  ])('fails where it %s, and takes nothing that it printed', async (_, run, message) => {
    const { error, objects } = (await rendered({ 'p/plugin': script(`echo '{}' > /dev/null\n${run}`) })) as {
      error?: unknown;
      objects?: unknown;
    };
    expect({ error }).toEqual(failure(message));
    expect(objects).toBeUndefined();
  });

  test.each([
    ['another version', 'echo v2', 'api-version printed "v2"'],
    ['two lines', 'echo v1; echo v1', 'api-version printed "v1\\nv1"'],
    ['nothing', 'true', 'api-version printed ""'],
    ['an error', 'echo v1; exit 1', 'api-version ended with an internal error (code 1)'],
    ['too much', 'exec yes', 'api-version printed more than 1024 bytes'],
  ])('refuses a plugin whose api-version answers with %s before it is run', async (_, version, message) => {
    const { error, root } = (await rendered({ 'p/plugin': script('touch ran', version) })) as {
      error: unknown;
      root: string;
    };
    expect({ error }).toEqual(failure(message));
    expect(existsSync(join(root, 'out/ran'))).toBe(false);
  });

  test('ends a plugin that hangs, and all that it started', async () => {
    const { error } = (await rendered({ 'p/plugin': script('true', 'sleep 1000 & sleep 1000') })) as { error: unknown };
    expect({ error }).toEqual(failure('api-version did not end within 5 s'));
  });

  test('does not wait for what a plugin leaves behind', async () => {
    const result = await rendered({ 'p/plugin': script('sleep 1000 &\ncat o.yaml'), 'p/o.yaml': configMap('a') });
    expect(result).toMatchObject({ objects: [{ metadata: { name: 'a' } }] });
  });

  test('stops at once when it is told to', async () => {
    const root = plant(join(folder, 'stopped'), { 'p/plugin': script('true', 'sleep 1000') });
    const component = await unpacked(await plugin.collect(specOf('plugin', root, 'p')), join(root, 'out'));
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('stop')), 100);
    const flow = { ...flowIn(join(root, 'temp')), signal: stop.signal };
    await expect(plugin.render(component, flow)).rejects.toThrow('stop');
  });

  test('says so where the file cannot be run', async () => {
    expect(await rendered({ 'p/plugin': { program: '#!/nowhere/at/all\n' } })).toMatchObject(failure('cannot be run'));
    const { component, root } = await rendered({ 'p/plugin': script('true') });
    chmodSync(join(component.folder, 'plugin'), 0o644);
    await expect(plugin.render(component, flowIn(join(root, 'temp')))).rejects.toMatchObject({ code: 'plugin-failed' });
  });

  judged('builds a Kustomization that it prints with the files of its folder', ['kubectl'], async () => {
    const { objects, component } = (await rendered({
      'p/plugin': script("printf 'kind: Kustomization\\nnamePrefix: my-\\nresources: [a.yaml]\\n'"),
      'p/a.yaml': configMap('a'),
      'p/kustomization.yml': 'not: used\n',
    })) as unknown as { objects: unknown; component: { folder: string } };
    expect(objects).toMatchObject([{ metadata: { name: 'my-a' } }]);
    expect(readdirSync(component.folder).sort()).toEqual(['a.yaml', 'kustomization.yml', 'plugin']);
  });

  test('refuses a Kustomization that needs a network, or files of others', async () => {
    const printing = (reference: string): Planted =>
      script(`printf 'kind: Kustomization\\nresources: ["${reference}"]\\n'`);
    for (const [reference, code] of [
      ['https://example.com/a.yaml', 'component-invalid'],
      ['../../secret', 'path-escapes'],
    ] as const) {
      expect(await rendered({ 'p/plugin': printing(reference) })).toMatchObject({ error: { code } });
    }
  });
});
