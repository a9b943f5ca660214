import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { variablesFor } from '../../../../../lib/shared/solutions/node-variables/index.ts';
import { readMicroshiftVariables } from '../../../../../lib/shared/solutions/node-variables/microshift.ts';
import { testFlow } from '../../../../support/flow.ts';
import { scratch } from '../../../../support/judges.ts';

/** Makes a folder as MicroShift has one. */
function microshift(files: Readonly<Record<string, string>>): string {
  const folder = scratch('microshift');
  mkdirSync(join(folder, 'config.d'), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

describe('what plugins are sourced of a node of MicroShift', () => {
  test('is in its files, drop-ins over that in the order of their names, before what else tells it', async () => {
    const folder = microshift({
      'config.yaml': 'dns: {baseDomain: a.example.com}\nnetwork: {serviceNodePortRange: 30000-30100}\n',
      'config.d/20.yaml': 'dns: {baseDomain: c.example.com}\n',
      'config.d/10.yaml': 'dns: {baseDomain: b.example.com}\n',
      'config.d/README': 'no drop-in: [',
    });
    const given = { MICROSHIFT_NODENAME: 'edge-9' };
    const all = await variablesFor(given, undefined, testFlow(), { microshift: folder });
    const sourced = Object.fromEntries(
      all.map(({ name, value, from }) => [name.slice('MICROSHIFT_'.length), [value, from]]),
    );
    expect(sourced).toMatchObject({
      BASEDOMAIN: ['c.example.com', `${join(folder, 'config.d/20.yaml')}, dns.baseDomain`],
      CLUSTER_SERVICENODEPORTRANGE: ['30000-30100', `${join(folder, 'config.yaml')}, network.serviceNodePortRange`],
      LOGVLEVEL: ['Normal', 'default of MicroShift'],
      NODENAME: ['edge-9', 'given'],
      SUBJECTALTNAMES: ['', 'nobody'],
    });
    const elsewhere = await variablesFor({}, undefined, testFlow(), { isNode: false, microshift: folder });
    expect(new Set(elsewhere.map(({ from }) => from))).toEqual(new Set(['nobody', 'default']));
  });

  test('is what MicroShift takes by default, where it has files that do not say', async () => {
    const { said, defaults } = await readMicroshiftVariables(testFlow(), microshift({ 'config.yaml': '' }));
    expect(said).toEqual({});
    expect(defaults).toMatchObject({
      BASEDOMAIN: { value: 'example.com', from: 'default of MicroShift' },
      CLUSTER_SERVICENODEPORTRANGE: { value: '30000-32767' },
    });
    expect(await readMicroshiftVariables(testFlow(), microshift({}))).toEqual({ said: {}, defaults: {} });
    expect(await readMicroshiftVariables(testFlow(), join(scratch('none'), 'absent'))).toEqual({
      said: {},
      defaults: {},
    });
  });

  test('is refused where a file is wrong, with its name, line and column', async () => {
    const folder = microshift({ 'config.d/10.yaml': 'dns:\n  baseDomain: [a]\n' });
    await expect(readMicroshiftVariables(testFlow(), folder)).rejects.toMatchObject({
      code: 'configuration-invalid',
      subject: join(folder, 'config.d/10.yaml'),
      message: expect.stringContaining('2:3: dns.baseDomain: has to be a text'),
    });
  });

  test('leaves out a file that cannot be read, and tells of it', async () => {
    const folder = microshift({});
    mkdirSync(join(folder, 'config.yaml'));
    chmodSync(join(folder, 'config.yaml'), 0o700);
    const flow = testFlow();
    expect(await readMicroshiftVariables(flow, folder)).toEqual({ said: {}, defaults: {} });
    expect(flow.events).toMatchObject([{ type: 'notice', subject: join(folder, 'config.yaml') }]);
  });
});
