import { instanceName } from '../../../formats/solution/environments.ts';
import { readIfThere } from '../../kernel/files/index.ts';
import { activeArchive, type Candidate, configurationOf, wantedVersions } from '../../shared/solutions/sets/index.ts';
import type { InstallRequest } from './request.ts';

/**
 * Returns which versions a configuration activates as its file is, by the names that a cluster has Solutions by, where
 * an install goes by another text: what the file becomes once archives are added. Undefined where nobody has to agree,
 * or there is no file. `candidates` are the archives that it has then. Throws `configuration-invalid`.
 */
export async function wantedBefore(
  { configuration: path, document, agreement }: Pick<InstallRequest, 'configuration' | 'document' | 'agreement'>,
  candidates: readonly Candidate[],
): Promise<ReadonlyMap<string, string> | undefined> {
  if (document === undefined || agreement === undefined) return undefined;
  const bytes = await readIfThere(path);
  if (bytes === undefined) return undefined;
  const configuration = await configurationOf(path, bytes);
  const names = new Set([
    ...configuration.active.keys(),
    ...configuration.environments.keys(),
    ...candidates.map(({ name }) => name),
  ]);
  return new Map(
    [...names].flatMap((name) =>
      wantedVersions(configuration, name).flatMap(({ environment, wanted }): [string, string][] => {
        const chosen = activeArchive(configuration, candidates, name, wanted);
        return chosen === undefined ? [] : [[instanceName(name, environment), chosen.version]];
      }),
    ),
  );
}
