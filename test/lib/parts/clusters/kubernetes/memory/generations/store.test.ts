import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { GenerationNote } from '../../../../../../../lib/parts/clusters/generation.ts';
import type { ApplyRequest } from '../../../../../../../lib/parts/clusters/kind.ts';
import {
  formatContent,
  parseContent,
} from '../../../../../../../lib/parts/clusters/kubernetes/memory/generations/content.ts';
import {
  formatHeader,
  parseHeader,
} from '../../../../../../../lib/parts/clusters/kubernetes/memory/generations/header.ts';
import {
  INTERRUPTED,
  readConfigurations,
  readContent,
  readGenerations,
} from '../../../../../../../lib/parts/clusters/kubernetes/memory/generations/store.ts';
import { readRecord, storeRecord } from '../../../../../../../lib/parts/clusters/kubernetes/memory/records/record.ts';
import { ApiError, type KubernetesApi } from '../../../../../../../lib/parts/clusters/kubernetes/server/api.ts';
import { applyTo, prompt } from '../../../../../../support/cluster/applying.ts';
import { disturbed } from '../../../../../../support/cluster/faults.ts';
import { type MemoryCluster, memoryCluster } from '../../../../../../support/cluster/index.ts';
import { testFlow } from '../../../../../../support/flow.ts';
import { component, map, solution } from '../../support.ts';

let cluster: MemoryCluster;
beforeEach(() => {
  cluster = memoryCluster();
});

const sessionOver = (api: KubernetesApi) => ({ api, flow: testFlow(), timing: prompt, force: false });
const here = () => sessionOver(cluster.connect());

const shop = (value: string) => solution('shop', component('web', map('default/settings', value)));

function request(value: string, note: Partial<GenerationNote> = {}): ApplyRequest {
  const of = { name: 'shop', version: '1.0.0', root: undefined, site: undefined, signers: [], archive: undefined };
  const generation = {
    cause: 'install',
    configuration: undefined,
    solutions: [{ ...of, images: [] }],
    keep: 10,
    ...note,
  };
  return { configuration: 'edge', solutions: [shop(value)], generation: generation as GenerationNote };
}

const states = async (): Promise<string[]> =>
  (await readGenerations('edge', here())).map(({ number, state }) => `${number} ${state}`);

describe('generations of a configuration', () => {
  test('are none where nothing was recorded', async () => {
    await applyTo(cluster.connect(), { configuration: 'edge', solutions: [shop('1')] });
    expect(await states()).toEqual([]);
    expect(await readConfigurations(here())).toEqual([]);
  });

  test('are one for each apply that changes something, with all that it applied', async () => {
    for (const value of ['1', '1', '2'])
      expect((await applyTo(cluster.connect(), request(value))).error).toBeUndefined();
    expect(await states()).toEqual(['2 ready', '1 ready']);
    expect(await readConfigurations(here())).toEqual(['edge']);
    expect(await readContent('edge', 1, here())).toEqual([
      { ...shop('1'), root: undefined, site: undefined, records: [] },
    ]);
    expect(await readContent('edge', 3, here())).toBeUndefined();
  });

  test('have no content where that is not what their header names', async () => {
    for (const value of ['1', '2']) await applyTo(cluster.connect(), request(value));
    const content = (number: number) => ({ configuration: 'edge', about: `content.${number}` });
    const other = await readRecord(content(2), here());
    await storeRecord(content(1), other!, here());
    expect(await readContent('edge', 1, here())).toBeUndefined();
    expect(await readContent('edge', 2, here())).toBeDefined();
  });

  test('count what somebody else has changed as something to change', async () => {
    await applyTo(cluster.connect(), request('1'));
    const object = { ...map('default/settings', 'other') };
    await cluster.connect().apply(object, { manager: 'somebody', force: true }, new AbortController().signal);
    await applyTo(cluster.connect(), request('1'), { force: true });
    expect(await states()).toEqual(['2 ready', '1 ready']);
  });

  test('of a run that the API server refused say so in words, with the code that the run ended with', async () => {
    const words =
      'configmaps "settings" is forbidden: User "eve" cannot patch resource "configmaps" in API group "" in the namespace "default"';
    const refusal = new ApiError(
      { verb: 'apply', subject: 'ConfigMap default/settings' },
      { status: 403, reason: 'Forbidden' },
      words,
    );
    const refusing = disturbed(cluster.connect(), ({ verb, subject }) =>
      verb === 'apply' && subject === 'ConfigMap default/settings' ? refusal : undefined,
    );
    await applyTo(refusing, request('1')).catch(() => undefined);
    const [newest] = await readGenerations('edge', here());
    expect(newest?.state).toBe('failed');
    expect(newest?.reason).toMatch(/^ConfigMap default\/settings: user "eve" may not patch .* \[cluster-forbidden\]$/);
  });

  test('of a run that ended at any call are the one before or interrupted ones, and the next run ends as if nothing had been', async () => {
    for (let at = 1; at < 80; at += 1) {
      cluster = memoryCluster();
      await applyTo(cluster.connect(), request('1'));
      const broken = disturbed(cluster.connect(), ({ count }) => (count >= at ? 'unanswered' : undefined));
      const { error } = await applyTo(broken, request('2')).catch((reason) => ({ error: reason }));
      if (error === undefined) return;
      cluster.rest();
      for (const one of await readGenerations('edge', here())) {
        if (one.number === 2 && one.state === 'interrupted') expect(one.reason).toBe(INTERRUPTED);
      }
      await applyTo(cluster.connect(), request('2'), { timing: { lease: 20 } });
      const after = await readGenerations('edge', here());
      expect(after[0]?.state).toBe('ready');
      expect(after.filter(({ state }) => state === 'applying')).toEqual([]);
      expect(await readContent('edge', after[0]!.number, here())).toMatchObject([
        { components: [{ objects: [map('default/settings', '2')] }] },
      ]);
    }
    expect.unreachable('the run has more calls than were cut');
  });
});

describe('what is stored of a generation', () => {
  const header = {
    ...{ number: 3, at: '2026-01-02T03:04:05.678Z', by: 'admin', host: 'edge-1', state: 'failed', reason: 'why' },
    ...{ cause: 'rollback', of: 1, configuration: `sha256:${'a'.repeat(64)}`, holder: 'edge-1/1-2/ab' },
    content: `sha256:${'b'.repeat(64)}`,
    solutions: [
      {
        ...{
          name: 'shop',
          version: '1.0.0',
          root: `sha256:${'c'.repeat(64)}`,
          site: undefined,
          archive: '/media/shop.iso',
        },
        signers: ['ab'],
        images: [{ reference: 'a.example/b:1', digest: `sha256:${'d'.repeat(64)}` }],
        release: {
          ...{ sequence: 4, created: 1_700_000_000, predicates: ['https://slsa.dev/provenance/v1'] },
          ...{ components: [{ name: 'web', kind: 'helm' }], otherImages: ['a.example/c:1'] },
        },
      },
    ],
  } as Parameters<typeof formatHeader>[0];

  test('is read as it was written', () => {
    expect(parseHeader(formatHeader(header))).toEqual(header);
    const stored = {
      ...shop('1'),
      root: undefined,
      site: 'x',
      records: [{ about: 'a.b', bytes: Buffer.from([1, 2, 255]), replaces: undefined }],
    };
    expect(parseContent(formatContent([stored]))).toEqual([stored]);
  });

  test('is there all the same where what a policy judges it by was written in another form, or not at all', () => {
    const [solution] = header.solutions;
    for (const release of [
      undefined,
      { made: 'later' },
      { ...solution!.release, components: [{ name: 'web', kind: 'new' }] },
    ]) {
      const bytes = Buffer.from(JSON.stringify({ ...header, solutions: [{ ...solution, release }] }));
      const { release: _, ...rest } = solution!;
      expect(parseHeader(bytes)?.solutions).toEqual([rest]);
    }
  });

  test('that somebody has changed is read as what it is, or counts as none; it never throws', () => {
    const [head, content] = [formatHeader(header), formatContent([shop('1')])];
    const mutation = fc.record({ at: fc.nat(), byte: fc.integer({ min: 0, max: 255 }), cut: fc.boolean() });
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 4 }), (mutations) => {
        for (const [bytes, parse] of [
          [head, parseHeader],
          [content, parseContent],
        ] as const) {
          const changed = Buffer.from(bytes);
          for (const { at, byte } of mutations) changed[at % changed.length] = byte;
          const end = mutations[0]!.cut ? mutations[0]!.at % changed.length : changed.length;
          parse(changed.subarray(0, end));
        }
      }),
    );
    for (const bad of ['', 'null', '[]', '{}', '{"number":0}', '{"solutions":[{}]}']) {
      expect(parseHeader(Buffer.from(bad))).toBeUndefined();
      expect(parseContent(Buffer.from(bad))).toBeUndefined();
    }
  });
});
