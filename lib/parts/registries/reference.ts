import { parseReference, type Reference } from '../../../formats/oci/reference.ts';
import { firstOf, type NamedSource, type PassOver } from '../../kernel/content/index.ts';
import { refused, SolpackError } from '../../kernel/events/index.ts';
import { isLoopback } from '../../kernel/http/index.ts';
import type { RegistryOptions } from './options.ts';
import type { Registries } from './repository-kind.ts';
import type { RepositoryTarget } from './repository-target.ts';

/** Returns the place of a Solution in a registry that a user names; `oci://` may precede it. Throws `usage-invalid`. */
export async function solutionReference(value: string): Promise<Reference> {
  const hint = 'write HOST/REPOSITORY:TAG, such as registry.example.com/solutions/guestbook:1.1.0';
  return refused('usage-invalid', value, () => parseReference(value.replace(/^oci:\/\//, '')), hint);
}

/**
 * Opens the repository of a reference to pull from: its mirrors, if `options.locations` has some, then its own place,
 * which must be outside of this machine if the server `sentBy` has named it. Throws `registry-denied` if that is
 * blocked.
 */
export async function openReference(
  registries: Registries,
  reference: Reference,
  options: RegistryOptions = {},
  sentBy?: URL,
): Promise<NamedSource> {
  const places = options.locations?.placesOf(reference) ?? [{ ...reference, insecure: false, pulls: 'all' as const }];
  const name = `${reference.registry}/${reference.repository}`;
  const sources = places.map((place) => ({
    pulls: place.pulls,
    open: async () => registries.open(await targetOf(registries, place, options, namer(place, reference, sentBy))),
  }));
  return firstOf(name, sources, mirrorFailures(options.onWarning));
}

/**
 * Lists the tags of the repository of a reference, from its mirrors if these are asked for tags, otherwise from its own
 * place; an empty list if it has none. Throws as `openReference`.
 */
export async function listReferenceTags(
  registries: Registries,
  reference: Reference,
  options: RegistryOptions,
  sentBy?: URL,
): Promise<readonly string[]> {
  const places = options.locations?.placesOf(reference) ?? [{ ...reference, insecure: false, pulls: 'all' as const }];
  const passOver = mirrorFailures(options.onWarning);
  for (const place of places) {
    const isLast = place === places.at(-1);
    if (!isLast && place.pulls === 'digest-only') continue;
    try {
      const target = await targetOf(registries, place, options, namer(place, reference, sentBy));
      const tags = await registries.open(target).tags(options.signal);
      if (tags.length > 0 || isLast) return tags;
    } catch (error) {
      if (isLast || passOver(error) === undefined) throw error;
    }
  }
  return [];
}

/** Passes over mirrors that fail, of which `onWarning` hears; one that cannot be reached is not asked again. */
function mirrorFailures(onWarning: RegistryOptions['onWarning']): PassOver {
  return (error) => {
    if (!(error instanceof SolpackError) || !error.code.startsWith('registry-')) return undefined;
    onWarning?.(`${error.subject}: ${error.message}`);
    return error.code === 'registry-unreachable' ? 'always' : 'once';
  };
}

/** Returns where the repository of a reference is pushed to: its own place, and no mirror. Throws `registry-denied`. */
export async function writableTarget(
  registries: Registries,
  reference: Reference,
  options: RegistryOptions,
): Promise<RepositoryTarget> {
  const own = options.locations?.placesOf(reference).at(-1);
  return targetOf(registries, own ?? { ...reference, insecure: false }, options);
}

/** Who has named a place: nobody but the user where it is another one, which the user has set up. */
function namer(place: Pick<Reference, 'registry'>, reference: Reference, sentBy: URL | undefined): URL | undefined {
  return place.registry === reference.registry ? sentBy : undefined;
}

async function targetOf(
  registries: Registries,
  { registry, repository, insecure }: Pick<Reference, 'registry' | 'repository'> & { readonly insecure: boolean },
  options: RegistryOptions,
  sentBy?: URL,
): Promise<RepositoryTarget> {
  const { host, hostname } = new URL(`http://${registry}`);
  const { ca = [], certificate } = (await options.certificates?.(host)) ?? {};
  // Nobody sets certificates up for a registry that speaks plain HTTP.
  const loopback = isLoopback(hostname) && ca.length === 0 && certificate === undefined;
  if (options.plainHttp || (loopback && !options.insecure)) return { scheme: 'http', registry, repository, sentBy };
  if (!insecure && !loopback) return { scheme: 'https', registry, repository, sentBy };
  const scheme = await registries.schemeOf(registry, sentBy);
  return { scheme, registry, repository, insecure: true, sentBy };
}
