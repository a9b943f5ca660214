import { dirname, resolve } from 'node:path';
import { parseMapping } from '../../../../formats/manifest/yaml-part.ts';
import { refused } from '../../../kernel/events/index.ts';
import { readFile } from '../../../kernel/files/index.ts';
import { readConfiguration } from '../../../shared/solutions/sets/index.ts';
import type { Collector } from '../collector.ts';

/** Shows the configuration and the values files that it names, as data: comments of theirs may be anything. */
export const configuration: Collector = {
  name: 'the configuration',
  collect: async ({ request: { configuration: path }, bundle }) => {
    if (path === undefined) return bundle.missing('configuration', 'no SolutionsConfiguration was named (-f)');
    await bundle.value('configuration/configuration.json', await mappingIn(path));
    const { sites } = await readConfiguration(path);
    for (const [at, { solution, component, values }] of sites.entries()) {
      for (const [index, { file }] of values.entries()) {
        if (file === undefined) continue;
        const name = `configuration/values/${at + 1}-${solution}-${component}-${index + 1}.json`;
        const own = resolve(dirname(path), file);
        try {
          await bundle.value(name, { file: own, values: await mappingIn(own) });
        } catch (error) {
          bundle.missing(name, error instanceof Error ? error.message : String(error));
        }
      }
    }
  },
};

async function mappingIn(path: string): Promise<unknown> {
  const bytes = await readFile(path);
  return refused('configuration-invalid', path, () => parseMapping(Buffer.from(bytes).toString(), path).value);
}
