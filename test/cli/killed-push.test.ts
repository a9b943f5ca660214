import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { TRANSFERS } from '../../lib/kernel/events/flow.ts';
import { solpack } from '../support/cli.ts';
import { type FaultyRegistry, faulty, type Seen } from '../support/faults.ts';
import { judged, scratch } from '../support/judges.ts';
import { type Content, differences, registryContent } from '../support/killed/content.ts';
import { IMAGES, packHeavy } from '../support/killed/heavy.ts';
import { beginning } from '../support/killed/killing.ts';
import { dockerRegistry } from '../support/registry.ts';
import { isExhaustive, sampled } from '../support/sample.ts';

// An install that fills a registry, and what comes between: it is killed, or the registry is.

const folder = scratch('killed-push');
const cwd = folder;
const registry = dockerRegistry(folder);
const small = dockerRegistry(folder, { room: 4_000_000 });

let undisturbed: Content;
/** Bytes that an undisturbed install sends, and those of the largest blob. */
let total: number;
let largest: number;

const installing = (host: string): readonly string[] => {
  const own = ['--key', 'k.pub', '--trust-state', 'state'];
  return ['install', '-f', 'heavy.yaml', ...own, '--images-only', '--registry', `http://${host}`, '--progress', 'none'];
};

const emptied = async (): Promise<void> => {
  const { data } = await registry();
  rmSync(join(data, 'docker'), { recursive: true, force: true });
};

const content = async (): Promise<Content> => registryContent((await registry()).data);

/** A request that brings a blob. */
const brings = ({ method, url }: Seen): boolean =>
  /\/blobs\/uploads\/./.test(url) && (method === 'PUT' || method === 'PATCH');

/** Puts a proxy before the registry, which calls `meddle` with the number of each request that brings a blob. */
async function through(meddle: (count: number) => void = () => undefined): Promise<FaultyRegistry> {
  let count = 0;
  return faulty((await registry()).host, (seen) => {
    if (!brings(seen)) return undefined;
    count += 1;
    meddle(count);
    return undefined;
  });
}

beforeAll(async () => {
  await packHeavy(folder);
});

describe('an install that sends to a registry', () => {
  judged(
    'sends again what was in flight at most, when it was killed and is run again',
    ['docker-registry'],
    async () => {
      const whole = await through();
      expect(await solpack(installing(whole.host), { cwd })).toMatchObject({ code: 0 });
      undisturbed = await content();
      total = whole.sent(() => true);
      largest = Math.max(...whole.seen.filter(brings).map(({ sent }) => sent));
      const uploads = whole.seen.filter(brings).length;
      expect([uploads > 2 * IMAGES, largest > 500_000]).toEqual([true, true]);
      const moments = Array.from({ length: uploads }, (_, index) => index + 1);
      for (const moment of sampled(moments, 3)) {
        await emptied();
        const first = await through((count) => count === moment && killed.kill());
        const killed = beginning(installing(first.host), cwd);
        expect([moment, (await killed.ended).code]).toEqual([moment, 137]);
        const second = await through();
        expect([moment, await solpack(installing(second.host), { cwd })]).toMatchObject([moment, { code: 0 }]);
        const again = first.sent(() => true) + second.sent(() => true) - total;
        expect([moment, again <= TRANSFERS * largest], `${again} bytes were sent again`).toEqual([moment, true]);
        expect([moment, differences(await content(), undisturbed)]).toEqual([moment, []]);
      }
    },
    isExhaustive ? 600_000 : 180_000,
  );

  judged(
    'is done all the same where the registry is killed meanwhile, and started again',
    ['docker-registry'],
    async () => {
      const own = await registry();
      for (const moment of sampled([1, 2, 4, 6, 9, 12, 16, 20], 2)) {
        await emptied();
        let restarted: Promise<void> | undefined;
        const proxy = await through((count) => {
          if (count === moment) restarted = own.restart();
        });
        const outcome = await solpack(installing(proxy.host), { cwd });
        await restarted;
        expect([moment, outcome]).toMatchObject([moment, { code: 0 }]);
        expect([moment, differences(await content(), undisturbed)]).toEqual([moment, []]);
      }
    },
    isExhaustive ? 600_000 : 180_000,
  );

  judged(
    'is refused in one line where the disk of the registry is full, and goes on where there is room',
    ['docker-registry'],
    async (context) => {
      const namespaces = spawnSync('unshare', ['-rm', 'true']).status === 0;
      if (!namespaces && process.env['SOLPACK_REQUIRE_TOOLS'] !== '1') return context.skip('needs mount namespaces');
      const { host } = await small();
      const { code, stderr, stdout } = await solpack(installing(host), { cwd });
      expect([code, stdout]).toEqual([4, '']);
      expect(stderr).toMatch(/^solpack: [^\n]*status 5\d\d [^\n]*make room there \[registry-error\]\n$/);
      await emptied();
      const whole = await through();
      expect(await solpack(installing(whole.host), { cwd })).toMatchObject({ code: 0 });
      expect(differences(await content(), undisturbed)).toEqual([]);
    },
  );
});
