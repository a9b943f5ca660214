import type { SolutionsConfiguration } from '../../../formats/solution/configuration.ts';
import { instanceName } from '../../../formats/solution/environments.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import { readIfThere } from '../../kernel/files/index.ts';
import { type Candidate, choose, configurationOf, wantedOf } from '../../shared/solutions/sets/index.ts';
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
  const { active, environments } = configuration;
  const names = new Set([...active.keys(), ...candidates.map(({ name }) => name)]);
  const wanted = [...names].flatMap((name): [string, string, string | undefined][] => {
    const own = [...(environments.get(name) ?? [])].map(([space, version]): [string, string, string] => {
      return [name, version, space];
    });
    const whole = wantedOf(configuration, name);
    return whole === undefined ? own : [[name, whole, undefined], ...own];
  });
  return new Map(
    wanted.flatMap(([name, version, space]) => {
      const chosen = chosenOf(configuration, name, version, candidates);
      return chosen === undefined ? [] : [[instanceName(name, space), chosen]];
    }),
  );
}

/** Returns the version that a Solution had by what was wanted of it; undefined where no archive is that. */
function chosenOf(
  configuration: SolutionsConfiguration,
  name: string,
  wanted: string,
  candidates: readonly Candidate[],
): string | undefined {
  const own = candidates.filter((one) => one.name === name);
  try {
    return choose({ ...configuration, active: new Map([[name, wanted]]), implicit: false }, own)[0]?.version;
  } catch (error) {
    if (error instanceof SolpackError) return undefined;
    throw error;
  }
}
