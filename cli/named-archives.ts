import { referenceNamed } from '../lib/command.ts';
import type { Flow, MediaContext, NamedArchive } from '../lib/index.ts';
import { absolute, usage } from './arguments.ts';
import type { Io } from './io.ts';
import { mediaContext } from './place.ts';
import { type RegistryFlags, registryConnections } from './registry.ts';

/** Returns what a user named for a configuration: files, folders and patterns as paths. Throws `usage-invalid`. */
export async function namedArchives(io: Io, values: readonly string[]): Promise<NamedArchive[]> {
  const named: NamedArchive[] = [];
  for (const given of values) {
    // A variable of a script that is not set; as a path it would be the working directory.
    if (given === '') throw usage('archives', 'one of them has no name', 'write it, or leave it out');
    const isPath = !/^https?:\/\//i.test(given) && (await referenceNamed(given, io.cwd)) === undefined;
    named.push({ given, path: isPath ? absolute(io, given) : undefined });
  }
  return named;
}

/** Finds archives of a configuration, wherever they are, while `work` lasts. */
export async function withMedia<T>(
  io: Io,
  flags: RegistryFlags,
  flow: Flow,
  work: (media: MediaContext) => Promise<T>,
): Promise<T> {
  const registries = registryConnections(io, flags, flow);
  return work(mediaContext(io, undefined, registries.connect)).finally(registries.close);
}
