import { dirname, resolve } from 'node:path';
import { parseMapping } from '../../../formats/manifest/yaml-part.ts';
import { trimmed } from '../../../formats/trim.ts';
import { readFile } from '../../kernel/files/index.ts';
import { readConfiguration } from '../../shared/solutions/sets/index.ts';
import { namedSecrets } from './blanking/index.ts';
import type { SupportBundleRequest } from './request.ts';

/**
 * Reads what a site keeps secret, so that it can be blanked: what the `secrets` of a configuration name, and what its
 * values have below names of secrets. What cannot be read is none.
 */
export async function siteSecretTexts({
  configuration: path,
  environment,
}: Pick<SupportBundleRequest, 'configuration' | 'environment'>): Promise<string[]> {
  if (path === undefined) return [];
  const secrets: string[] = await namedIn(path);
  const sites = await readConfiguration(path).then(
    (found) => found.sites,
    () => [],
  );
  for (const { values, secrets: own } of sites) {
    for (const { file } of values)
      if (file !== undefined) secrets.push(...(await namedIn(resolve(dirname(path), file))));
    for (const { env, file } of own) {
      if (env !== undefined) secrets.push(environment[env] ?? '');
      if (file !== undefined) secrets.push(trimmed(await textIn(resolve(dirname(path), file)), '\r\n'));
    }
  }
  return secrets.filter((one) => one !== '');
}

async function namedIn(path: string): Promise<string[]> {
  try {
    return namedSecrets(parseMapping(await textIn(path), path).value);
  } catch {
    return [];
  }
}

async function textIn(path: string): Promise<string> {
  return readFile(path).then(
    (bytes) => Buffer.from(bytes).toString(),
    () => '',
  );
}
