import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TestNode } from '../node.ts';

/** A request of a node's containerd for content, from its log. */
export interface Pull {
  /** `HOST:PORT` of the server. */
  readonly server: string;
  readonly digest: string;
  /** Whether it asked for all of it, from the first byte on. */
  readonly whole: boolean;
}

/** The blobs that a node's containerd has asked for so far. */
export function blobPulls(node: TestNode): Pull[] {
  return node
    .logs('containerd')
    .split('\n')
    .filter((line) => line.includes('msg="do request"') && line.includes('request.method=GET'))
    .flatMap((line) => {
      const [, server, digest] = /url="https?:\/\/([^/"]+)\/v2\/[^"]*\/blobs\/(sha256:[0-9a-f]+)/.exec(line) ?? [];
      if (server === undefined || digest === undefined) return [];
      return [{ server, digest, whole: !/request\.header\.range="?bytes=[1-9]/.test(line) }];
    });
}

/** The bytes that a node has of the largest blob that is on its way to it. */
export function arriving({ state }: TestNode): number {
  const ingests = join(state, 'data/containerd/io.containerd.content.v1.content/ingest');
  const size = (name: string): number => statSync(join(ingests, name, 'data'), { throwIfNoEntry: false })?.size ?? 0;
  return Math.max(0, ...readdirSync(ingests).map(size));
}

/** Counts what comes to a node from a port of others: call `begin` before, and `bytes` after. */
export function incoming(node: TestNode, port: number) {
  const rule = ['INPUT', '-p', 'tcp', '--sport', String(port)];
  return {
    begin: async (): Promise<void> => void (await node.ok('iptables', ['-I', ...rule])),
    bytes: async (): Promise<number> => {
      const listed = await node.ok('iptables', ['-L', 'INPUT', '-v', '-x', '-n']);
      const line = listed.split('\n').find((one) => one.includes(`spt:${port}`));
      return Number(line?.trim().split(/\s+/)[1]);
    },
  };
}
