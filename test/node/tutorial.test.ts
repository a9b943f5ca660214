import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect } from 'vitest';
import { scratch, toolFolder } from '../support/judges.ts';
import { nodeTest, sharedNode } from '../support/node.ts';
import { kubeadm, withOwnSystem } from '../support/own-system.ts';
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
  const machine = await node().start('unshare', withOwnSystem(kubeadm(node()), 'echo $$; exec sleep infinity'));
  const operator = {
    folder: join(folder, 'notes'),
    words: new Map<string, string>(),
    run: async (command: string, cwd: string, env: Readonly<Record<string, string>>) => {
      const words = ['-m', '-t', machine.first, '--', 'bash', '-o', 'pipefail', '-c', `cd '${cwd}'\n${command}`];
      return ranAs(await node().run('nsenter', words, { env: { ...env, PATH: path } }));
    },
    start: async () => Promise.reject(new Error('nothing of this part goes on')),
  };
  try {
    expect(await follow(stepsOf(page, 'On the node'), operator)).toEqual([]);
  } finally {
    await machine.stop();
  }
});
