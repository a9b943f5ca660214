import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { PreviousVersion } from '../../../../lib/kernel/content/previous-version.ts';
import { collectComponent, migrations } from '../../../../lib/parts/components/index.ts';
import { scratch } from '../../../support/judges.ts';
import { flowIn, plant, specOf, unpacked } from './support.ts';

const folder = scratch('plugin-upgrade');
let count = 0;

const gadget = (name: string, more: object = {}) => ({
  apiVersion: 'example.com/v1alpha1',
  kind: 'Gadget',
  metadata: { name, namespace: 'n', uid: `uid-${name}`, generation: 4 },
  ...more,
});
const former: PreviousVersion = {
  version: '1.0.0',
  objects: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'own', namespace: 'n' } }],
  customResources: [gadget('a'), gadget('b')],
};

/** Asks a plugin that says this version, and does this when it is asked to upgrade. */
async function asked(version: string, upgrade: string, before: PreviousVersion | undefined = former) {
  const home = join(folder, String(++count));
  const script = `#!/bin/sh\ncase $1 in api-version) echo ${version} ;; run) ;; upgrade)\n${upgrade}\n;; esac\n`;
  const root = plant(home, { 'component/plugin': { program: script } });
  const component = await unpacked(await collectComponent(specOf('plugin', root, 'component')), join(home, 'unpacked'));
  const flow = flowIn(join(home, 'temp'));
  const changes = await migrations('plugin', component, async () => before, flow);
  return { changes, events: flow.events };
}

const print = (text: string): string => `cat <<'END'\n${text}\nEND`;

describe('the second version of the convention', () => {
  test('hands the version and the objects before, and takes custom resources in a newer form', async () => {
    const answer = JSON.stringify({ ...gadget('a'), apiVersion: 'example.com/v1', spec: { replicas: 3 } });
    const { changes, events } = await asked('v2', `echo "$2 $(grep -c '^kind:')" >&2\n${print(answer)}`);
    expect(changes).toMatchObject([
      { apiVersion: 'example.com/v1', metadata: { uid: 'uid-a', generation: 4 }, spec: { replicas: 3 } },
    ]);
    expect(events).toContainEqual(expect.objectContaining({ message: '[web] 1.0.0 3' }));
  });

  test('is not asked of a plugin of the first version, nor where nothing is there', async () => {
    expect((await asked('v1', 'exit 9')).changes).toEqual([]);
    expect((await asked('v2', 'true')).changes).toEqual([]);
    const home = join(folder, 'nothing');
    const root = plant(home, {
      'component/plugin': { program: '#!/bin/sh\n[ $1 = api-version ] && echo v2 || exit 9\n' },
    });
    const component = await unpacked(
      await collectComponent(specOf('plugin', root, 'component')),
      join(home, 'unpacked'),
    );
    expect(await migrations('plugin', component, async () => undefined, flowIn(join(home, 'temp')))).toEqual([]);
  });

  test.each([
    [
      'an object of the Solution',
      print('{apiVersion: v1, kind: ConfigMap, metadata: {name: own, namespace: n}}'),
      'plugin-failed',
    ],
    [
      'one that is not there',
      print('{apiVersion: example.com/v1, kind: Gadget, metadata: {name: c, namespace: n}}'),
      'plugin-failed',
    ],
    [
      'one of another namespace',
      print('{apiVersion: example.com/v1, kind: Gadget, metadata: {name: a}}'),
      'plugin-failed',
    ],
    ['what is no object', print('nothing'), 'plugin-failed'],
    ['nothing, with code 1', 'exit 1', 'plugin-unmet'],
    ['nothing, with code 2', 'exit 2', 'plugin-misconfigured'],
    ['nothing, with code 3', 'exit 3', 'plugin-failed'],
  ])('refuses %s', async (_, upgrade, code) => {
    await expect(asked('v2', upgrade)).rejects.toMatchObject({ code });
  });
});
