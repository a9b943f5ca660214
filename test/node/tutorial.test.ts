import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect } from 'vitest';
import type { Running } from '../support/cli.ts';
import { scratch, toolFolder } from '../support/judges.ts';
import { nodeTest, sharedNode } from '../support/node.ts';
import { follow, stepsOf } from '../support/tutorial.ts';
import { binIn, ranAs, readerHere } from '../support/tutorial-reader.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/tutorial.md'), 'utf8');
const folder = scratch('node-tutorial');
const node = sharedNode();

nodeTest('the tutorial goes as its page says, line by line, also on a node that nothing leads out of', async () => {
  {
    await using author = await readerHere(folder);
    expect(await follow(stepsOf(page, undefined, 'On the node'), author)).toEqual([]);
  }
  const path = [binIn(folder), toolFolder, process.env['PATH']].join(delimiter);
  const held: Running[] = [];
  const operator = {
    folder: join(folder, 'notes'),
    words: new Map([
      ['admin.conf', node().kubeconfig],
      ['/etc/containerd/certs.d', node().hostsDir],
    ]),
    run: async (command: string, cwd: string, env: Readonly<Record<string, string>>) =>
      ranAs(await node().run('bash', ['-o', 'pipefail', '-c', command], { cwd, env: { ...env, PATH: path } })),
    start: async (command: string, cwd: string, env: Readonly<Record<string, string>>) => {
      const started = await node().start('bash', ['-c', `exec ${command}`], { cwd, env: { ...env, PATH: path } });
      held.push(started);
      return { code: 0, lines: [started.first] };
    },
  };
  try {
    expect(await follow(stepsOf(page, 'On the node'), operator)).toEqual([]);
  } finally {
    for (const one of held) await one.stop();
  }
});
