import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { mergeValues, type Values, valuesAt } from '../../../formats/chart/merge-values.ts';
import { unwritable } from '../../kernel/events/index.ts';
import type { SiteInputs } from '../solutions/sites/index.ts';

/** Merges all values that a site sets for a component, its secrets too. */
export function valuesOfSite({ values, secrets }: SiteInputs): Record<string, unknown> {
  return mergeValues(layersOf({ values, secrets }));
}

/** Where values of the site are, below the folder of a component. */
const FOLDER = 'site-values';

/**
 * Writes what a site sets as values files below the folder of a component, for nobody else to read, and returns their
 * paths there. Throws `output-unwritable`.
 */
export async function writeSiteValues(site: SiteInputs | undefined, folder: string): Promise<string[]> {
  const layers = site === undefined ? [] : layersOf(site);
  const paths = layers.map((_, index) => `${FOLDER}/${index}.yaml`);
  if (layers.length === 0) return paths;
  try {
    await fs.mkdir(join(folder, FOLDER), { recursive: true, mode: 0o700 });
    for (const [index, path] of paths.entries()) {
      // JSON is YAML: Helm reads what was checked, however the site has written it.
      await fs.writeFile(join(folder, path), JSON.stringify(layers[index]), { mode: 0o600, flag: 'wx' });
    }
  } catch (error) {
    throw unwritable(folder, error);
  }
  return paths;
}

function layersOf({ values, secrets }: Pick<SiteInputs, 'values' | 'secrets'>): Values[] {
  return [...values.map((one) => one.values), ...secrets.map(({ path, value }) => valuesAt(path, value))];
}
