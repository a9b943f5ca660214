import { join } from 'node:path';
import { expect, test } from 'vitest';
import { starts } from '../../../support/cli.ts';
import { faulty } from '../../../support/faults.ts';
import { judged, scratch } from '../../../support/judges.ts';
import { openRepository } from '../../../support/open-repository.ts';
import { dockerRegistry } from '../../../support/registry.ts';

const folder = scratch('probe');
const second = dockerRegistry(folder);
const third = dockerRegistry(folder, { program: 'registry' });

/**
 * Asks whether a repository can be pushed to. The upload is cancelled, the registry says so, and does not know it any
 * longer.
 */
async function leavesNothing(host: string): Promise<void> {
  const proxy = await faulty(host, () => undefined);
  const repository = await openRepository({ scheme: 'http', registry: proxy.host, repository: 'team/web' });
  await repository.requireWritable();
  expect(proxy.seen.map(({ method, status }) => `${method} ${status}`)).toEqual(['POST 202', 'DELETE 204']);
  expect((await fetch(`http://${host}${proxy.seen[1]!.url}`)).status).toBe(404);
  await repository.close();
}

judged(
  'Whether a repository can be pushed to is found out without an upload being left open',
  ['docker-registry'],
  async () => {
    await leavesNothing((await second()).host);
  },
);

judged('So it is with Distribution 3', ['registry'], async () => leavesNothing((await third()).host));

test('So it is with serve --store', async () => {
  const store = ['serve', '--store', join(folder, 'store'), '--open-push', '--listen', '127.0.0.1:0'];
  await using serving = await starts(store);
  await leavesNothing(new URL(serving.first).host);
});
