import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeVariables } from '../../../../lib/parts/components/plugin/variables.ts';
import { plugin } from '../../../../lib/parts/components/plugin.ts';
import { judged, scratch } from '../../../support/judges.ts';
import { configMap, flowIn, objectsBy, type Planted, plant, plugin as script, specOf, unpacked } from './support.ts';

const folder = scratch('components-plugin');
let count = 0;

/** Packs a plugin, unpacks it and renders it. */
async function rendered(files: Readonly<Record<string, Planted>>, variables: Readonly<Record<string, string>> = {}) {
  const root = plant(join(folder, `${++count}`), files);
  const collected = await plugin.collect(specOf('plugin', root, 'p'));
  const component = { ...(await unpacked(collected, join(root, 'out'))), variables };
  const flow = flowIn(join(root, 'temp'));
  const outcome = await objectsBy(plugin, component, flow).then(
    (objects) => ({ objects }),
    (error: unknown) => ({ error }),
  );
  expect(readdirSync(join(root, 'temp'))).toEqual([]);
  return { ...outcome, events: flow.events, component, root };
}

/** A plugin whose only object holds its environment. */
const telling = script(
  'printf "apiVersion: v1\\nkind: ConfigMap\\nmetadata: {name: env}\\ndata:\\n  env: |\\n"; env | sed "s/^/    /"',
);

/** What a plugin finds in its environment, without what the shell itself puts there. */
async function environment(variables: Readonly<Record<string, string>> = {}): Promise<Record<string, string>> {
  const { objects } = (await rendered({ 'p/plugin': telling }, variables)) as unknown as {
    objects: { data: { env: string } }[];
  };
  const lines = objects[0]!.data.env.trim().split('\n');
  const found = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.replace(/^.*?=/, '')]));
  for (const name of ['PWD', 'SHLVL', '_', 'OLDPWD']) delete found[name];
  return found;
}

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
    const result = await rendered({
      'p/plugin': script('echo run >>asked; cat objects.yaml', 'echo version >>asked; echo v1'),
      'p/objects.yaml': `${configMap('a')}---\n---\n${configMap('b')}`,
    });
    expect(result).toMatchObject({ objects: [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }] });
    expect(existsSync(join(result.component.folder, 'asked'))).toBe(true);
  });

  test('gives it the variables of the convention, empty where nothing is known, and nothing else', async () => {
    expect(await environment()).toEqual({
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

  test('tells it of the node what it was given', async () => {
    const variables = {
      MICROSHIFT_NODENAME: 'edge-1',
      MICROSHIFT_SUBJECTALTNAMES: 'edge-1,edge-1.example.com',
      MICROSHIFT_LOGVLEVEL: 'TraceAll',
      MICROSHIFT_CLUSTER_URL: 'https://edge-1:6443/?a=b',
    };
    expect(await environment(variables)).toMatchObject({ ...variables, MICROSHIFT_NODEIP: '' });
  });

  test.each([
    ['a variable of another name', { PATH: '/tmp' }, 'PATH', 'MICROSHIFT_NODEIP'],
    ['a variable written small', { microshift_nodeip: '' }, 'microshift_nodeip', 'MICROSHIFT_NODEIP'],
    ['a log level that there is not', { MICROSHIFT_LOGVLEVEL: 'debug' }, 'MICROSHIFT_LOGVLEVEL', 'TraceAll'],
    ['a value with a NUL', { MICROSHIFT_NODEIP: '1\0' }, 'MICROSHIFT_NODEIP', 'remove it'],
  ])('refuses %s, and names what there is', async (_, variables, subject, hint) => {
    const { error, component } = (await rendered({ 'p/plugin': script('', 'touch asked') }, variables)) as {
      error: unknown;
      component: { folder: string };
    };
    expect(error).toMatchObject({ code: 'usage-invalid', subject, hint: expect.stringContaining(hint) });
    expect(existsSync(join(component.folder, 'asked'))).toBe(false);
  });

  test('tells what it writes to stderr line by line, without control characters', async () => {
    const { events } = await rendered({ 'p/plugin': script('printf "one\\n\\033[31mtwo\\n\\nthree" >&2') });
    expect(events).toEqual(['one', '[31mtwo', 'three'].map((line) => ({ type: 'notice', message: `[web] ${line}` })));
  });

  test('takes no output for nothing to apply', async () => {
    expect(await rendered({ 'p/plugin': script('true') })).toMatchObject({ objects: [] });
    expect(await rendered({ 'p/plugin': script('echo "# nothing"; echo ---') })).toMatchObject({ objects: [] });
  });

  test('does not wait for what a plugin leaves behind', async () => {
    const result = await rendered({ 'p/plugin': script('sleep 1000 &\ncat o.yaml'), 'p/o.yaml': configMap('a') });
    expect(result).toMatchObject({ objects: [{ metadata: { name: 'a' } }] });
  });

  test('stops at once when it is told to', async () => {
    const root = plant(join(folder, 'stopped'), { 'p/plugin': script('true', 'echo here >&2; sleep 1000') });
    const component = await unpacked(await plugin.collect(specOf('plugin', root, 'p')), join(root, 'out'));
    const stop = new AbortController();
    const flow = {
      ...flowIn(join(root, 'temp')),
      signal: stop.signal,
      onEvent: () => stop.abort(new Error('stop')),
    };
    await expect(objectsBy(plugin, component, flow)).rejects.toThrow('stop');
  });

  judged('builds a Kustomization that it prints with the files of its folder', ['kubectl'], async () => {
    const { objects, component } = (await rendered({
      'p/plugin': script("printf 'kind: Kustomization\\nnamePrefix: my-\\nresources: [a.yaml, more]\\n'"),
      'p/a.yaml': configMap('a'),
      'p/more/kustomization.yaml': 'resources: [b.yaml]\n',
      'p/more/b.yaml': configMap('b'),
      'p/kustomization.yml': 'not: used\n',
    })) as unknown as { objects: unknown; component: { folder: string } };
    expect(objects).toMatchObject([{ metadata: { name: 'my-a' } }, { metadata: { name: 'my-b' } }]);
    expect(readdirSync(component.folder).sort()).toEqual(['a.yaml', 'kustomization.yml', 'more', 'plugin']);
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
