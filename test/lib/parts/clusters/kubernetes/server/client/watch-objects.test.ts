import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ApiError,
  type ObjectChange,
  type Resource,
} from '../../../../../../../lib/parts/clusters/kubernetes/server/api.ts';
import type { ApiSession } from '../../../../../../../lib/parts/clusters/kubernetes/server/client/api-session.ts';
import { watchObjects } from '../../../../../../../lib/parts/clusters/kubernetes/server/client/watch-objects.ts';

const { signal } = new AbortController();
const maps: Resource = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
  verbs: [],
};

/** What a server says that lists at version 7, and then sends these bytes, in chunks of a size. */
function server(text: string, size = 7): { session: Pick<ApiSession, 'send' | 'stream'>; asked: string[] } {
  const asked: string[] = [];
  const json = (): unknown => ({ metadata: { resourceVersion: '7' }, items: [] });
  const session: Pick<ApiSession, 'send' | 'stream'> = {
    send: async ({ verb, query }) => {
      asked.push(`${verb} ${query?.['limit']} ${query?.['labelSelector']}`);
      return { status: 200, etag: undefined, repeated: false, text: () => '', json };
    },
    stream: async function* ({ verb, query }) {
      asked.push(`${verb} ${query?.['resourceVersion']} ${query?.['labelSelector']}`);
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    },
  };
  return { session, asked };
}

async function watched(text: string, size?: number): Promise<string[]> {
  const told: string[] = [];
  const change = ({ isGone, object }: ObjectChange): void => {
    told.push(`${isGone ? 'gone' : 'there'} ${object.kind} ${object.metadata.name}`);
  };
  const on = { begin: () => void told.push('begin'), change };
  await watchObjects(server(text, size).session, maps, { filter: { labels: 'a=b' }, on }, signal);
  return told;
}

const event = (type: string, object: object): string => `${JSON.stringify({ type, object })}\n`;
const map = (name: string): object => ({ metadata: { name } });

describe('a watch', () => {
  test('begins at the version that a list had before anybody looked, and tells what changes', async () => {
    const { session, asked } = server('');
    await watchObjects(
      session,
      maps,
      { filter: { labels: 'a=b' }, on: { begin: () => void asked.push('begin'), change: () => undefined } },
      signal,
    );
    expect(asked).toEqual(['list 1 a=b', 'begin', 'watch 7 a=b']);
    const text =
      event('ADDED', map('a')) + event('BOOKMARK', { metadata: { resourceVersion: '9' } }) + event('DELETED', map('ä'));
    expect(await watched(text)).toEqual(['begin', 'there ConfigMap a', 'gone ConfigMap ä']);
  });

  test('tells the same wherever the chunks end', async () => {
    const text = event('ADDED', map('first')) + event('MODIFIED', map('zweite ☃')) + event('DELETED', map('first'));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: text.length }), async (size) => {
        expect(await watched(text, size)).toEqual([
          'begin',
          'there ConfigMap first',
          'there ConfigMap zweite ☃',
          'gone ConfigMap first',
        ]);
      }),
    );
  });

  test('ends with the words of the server where it says that the version is too old', async () => {
    const status = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' };
    await expect(watched(event('ERROR', status))).rejects.toMatchObject({
      status: 410,
      reason: 'Expired',
      message: 'too old resource version',
    });
  });

  test('ends with an error of the API, whatever bytes come', async () => {
    const lines = fc.array(
      fc.oneof(fc.string(), fc.json(), fc.constant(event('ADDED', { metadata: {} })), fc.constant(event('ERROR', {}))),
    );
    await fc.assert(
      fc.asyncProperty(lines, async (all) => {
        const error = await watched(all.map((line) => `${line}\n`).join('')).catch((thrown: unknown) => thrown);
        expect(Array.isArray(error) || error instanceof ApiError).toBe(true);
      }),
    );
  });
});
