import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { cache, replaceFolder } from '../home.ts';
import { execute, type Judge, present } from './shell.ts';

/**
 * The folder of what Tekton Pipelines makes known to an API server: definitions of its kinds, with all of their fields.
 */
export const tektonKinds: string = join(cache, 'tekton');

const module = 'github.com/tektoncd/pipeline@v1.6.0';

/** Brings these definitions, which are files of a Go module; Go checks it by the public checksum database. */
export const tektonJudge: Judge = {
  here: () => existsSync(tektonKinds),
  ways: [
    async () => {
      if (!present('go')) throw new Error('needs Go');
      const { Dir } = JSON.parse(await execute('go', ['mod', 'download', '-json', module])) as { Dir: string };
      await replaceFolder(tektonKinds, async (fresh) => {
        for (const kind of ['task', 'taskrun']) {
          cpSync(join(Dir, 'config/300-crds', `300-${kind}.yaml`), join(fresh, `${kind}.yaml`));
        }
      });
    },
  ],
};
