import { dirname } from 'node:path';
import type { SolutionMetadata } from '../../../formats/solution/metadata.ts';
import { type Flow, lend } from '../../kernel/events/index.ts';
import { archivesNamed, openMedium } from '../../shared/solutions/media/index.ts';
import { readConfiguration } from '../../shared/solutions/sets/index.ts';
import type { KnownName } from './name.ts';
import { isRegular } from './regular.ts';

/** The Solutions that a configuration names, then those in its archives. */
export async function* solutionsIn(path: string, flow: Flow): AsyncGenerator<KnownName> {
  const configuration = await readConfiguration(path);
  const offered = new Set<string>();
  const groups = configuration.groups.flatMap(({ name }) => (name === undefined ? [] : [name]));
  for (const name of new Set([...groups, ...configuration.active.keys()])) {
    offered.add(name);
    yield { name, about: aboutActive(configuration.active.get(name)) };
  }
  // The grouped form names each Solution itself.
  if (configuration.implicit) return;
  for await (const { name } of held(path, flow)) {
    if (!offered.has(name)) yield { name, about: 'not active' };
    offered.add(name);
  }
}

/** The archives of a configuration, as it writes them. */
export async function* archivesIn(path: string): AsyncGenerator<KnownName> {
  const { groups } = await readConfiguration(path);
  yield* groups.flatMap(({ name, archives }) => archives.map((entry) => ({ name: entry, about: name ?? '' })));
}

/** The environments of a Solution, with the versions that are wanted there. */
export async function* environmentsIn(path: string, solution: string): AsyncGenerator<KnownName> {
  const { environments } = await readConfiguration(path);
  for (const [name, wanted] of environments.get(solution) ?? []) yield { name, about: wanted };
}

/** The versions of a Solution that the archives of a configuration hold. */
export async function* versionsIn(path: string, solution: string, flow: Flow): AsyncGenerator<KnownName> {
  const offered = new Set<string>();
  for await (const { name, version } of held(path, flow)) {
    if (name === solution && !offered.has(version)) yield { name: version, about: '' };
    if (name === solution) offered.add(version);
  }
}

/** The components of the Solutions that the archives of a configuration hold. */
export async function* componentsIn(path: string, flow: Flow): AsyncGenerator<KnownName> {
  const offered = new Set<string>();
  for await (const solution of held(path, flow)) {
    for (const { name, kind } of solution.components) {
      if (!offered.has(name)) yield { name, about: `${kind} of ${solution.name}` };
      offered.add(name);
    }
  }
}

function aboutActive(wanted: string | undefined): string {
  return wanted === undefined ? '' : `active: ${wanted}`;
}

/** What the archives of a configuration hold that are regular files. */
async function* held(path: string, flow: Flow): AsyncGenerator<SolutionMetadata> {
  const { groups } = await readConfiguration(path);
  const base = dirname(path);
  for (const entry of groups.flatMap(({ archives }) => archives)) {
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(entry)) continue;
    const { places } = await archivesNamed(entry, { base }).catch(() => ({ places: [] }));
    for (const place of places) {
      if (flow.signal.aborted) return;
      if (typeof place !== 'string' || !(await isRegular(place))) continue;
      const metadata = await lend(await openMedium(place, flow), async ({ catalog }) => catalog.metadata).catch(
        () => undefined,
      );
      if (metadata) yield metadata;
    }
  }
}
