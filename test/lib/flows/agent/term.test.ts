import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sha256 } from '../../../../formats/digest.ts';
import { leadTerm } from '../../../../lib/flows/agent/term.ts';
import type { AgentCluster, AgentNews, FollowedDocument } from '../../../../lib/parts/clusters/agent-cluster.ts';
import { testFlow } from '../../../support/flow.ts';

const document: FollowedDocument = {
  bytes: Buffer.from('{}'),
  digest: sha256('{}'),
  uid: 'one',
  generation: 1,
  status: undefined,
};

// A real API server cannot be made to delete within the quarter of a second between being told of an object and looking
// at it.
test('a configuration that is gone before it was looked at is told of as gone', async () => {
  const told: AgentNews[] = [];
  const term = new AbortController();
  const never = async (): Promise<never> => {
    // Clock: a question that nobody answers.
    await sleep(60_000, undefined, { signal: term.signal });
    throw new Error('nothing ended the term');
  };
  const cluster: AgentCluster = {
    connect: async () => undefined,
    lead: never,
    follow: (_source, _flow, onDocument) => {
      onDocument(document);
      onDocument(undefined);
      return never();
    },
    followDecision: never,
    watch: never,
    tellStatus: async () => undefined,
    tellOperator: async () => undefined,
    tellNews: async (_source, uid, news) => {
      expect(uid).toBe('one');
      told.push(news);
      term.abort(new Error('the term has ended'));
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
  const request = {
    source: { kind: 'custom-resource', name: 'edge' },
    lease: { namespace: 'solpack-agent', name: 'solpack-agent' },
    folder: '',
    cluster,
    target: never,
    install: never,
    trust: never,
    every: 60_000,
    probes: undefined,
  } as const;
  const vitals = { isLeader: true, isConnected: true, isReady: true, installs: 0, repaired: 0, failures: 0 };
  // Clock: a limit, for a failure that would have no end.
  const end = setTimeout(() => term.abort(new Error('nothing was reported')), 60_000);
  await expect(leadTerm(request, vitals, { ...testFlow(), signal: term.signal })).rejects.toThrow('the term has ended');
  clearTimeout(end);
  expect(told).toMatchObject([{ type: 'Warning', reason: 'Gone' }]);
  expect(vitals.isReady).toBe(false);
});
