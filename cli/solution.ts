import { referenceNamed } from '../lib/command.ts';
import type { ArchivePlace, Reference } from '../lib/index.ts';
import { usage } from './arguments.ts';
import type { CommandSession } from './command-session.ts';
import type { Io } from './io.ts';
import { archivePlace, type PlaceOptions } from './place.ts';
import { type RegistryFlags, registryConnections } from './registry.ts';

/** Options of commands that read a Solution from an archive or a registry. */
export interface SolutionOptions extends PlaceOptions, RegistryFlags {}

/** Where a Solution is; `close` is called after it was read. */
export interface SolutionPlace {
  readonly at: ArchivePlace;
  close(): Promise<void>;
}

/** The options that only concern registries, and how users write them. */
const forRegistries = {
  authfile: '--authfile',
  username: '--username',
  passwordStdin: '--password-stdin',
  certsDir: '--certs-dir',
  plainHttp: '--plain-http',
} as const;

/**
 * Returns where the Solution is that a user named. `oci://` begins a reference, and so does a host before a path with a
 * tag or a digest, unless a file of that name exists. Everything else is read as by `archivePlace`. Throws
 * `usage-invalid`.
 */
export async function solutionPlace(
  { io, flow }: CommandSession,
  value: string,
  options: SolutionOptions,
): Promise<SolutionPlace> {
  const wanted = await referenceIn(io, value, options);
  if (!wanted) return { at: await archivePlace(io, value, options), close: async () => undefined };
  if (options.caFile !== undefined) {
    throw usage(
      '--ca-file',
      'is for archives at https://',
      'put the certificate below --certs-dir, as HOST:PORT/ca.crt',
    );
  }
  const registries = registryConnections(io, options, flow, wanted.registry);
  return { at: { reference: wanted, connect: registries.connect }, close: registries.close };
}

/** Where several Solutions are; `close` is called after they were read. */
export interface SolutionPlaces {
  readonly places: readonly ArchivePlace[];
  close(): Promise<void>;
}

/**
 * Returns where the Solutions are that a user named, in the same order. Options count for those that they are for.
 * Throws as `solutionPlace`.
 */
export async function solutionPlaces(
  session: CommandSession,
  values: readonly string[],
  options: SolutionOptions,
): Promise<SolutionPlaces> {
  const { caFile, tlsVerify: _, ...rest } = options;
  const forFiles = Object.fromEntries(Object.entries(rest).filter(([name]) => !Object.hasOwn(forRegistries, name)));
  const found: SolutionPlace[] = [];
  for (const value of values) {
    const isReference = (await referenceNamed(value, session.io.cwd)) !== undefined;
    const isSecure = /^https:\/\//i.test(value);
    const fitting = isReference ? { ...options, caFile: undefined } : { ...forFiles, ...(isSecure ? { caFile } : {}) };
    found.push(await solutionPlace(session, value, fitting as SolutionOptions));
  }
  return {
    places: found.map(({ at }) => at),
    close: async () => {
      for (const { close } of found) await close();
    },
  };
}

/**
 * Returns the reference that `value` is, by the rules of `solutionPlace`. Undefined where it is none; then options for
 * registries throw.
 */
export async function referenceIn(io: Io, value: string, options: RegistryFlags): Promise<Reference | undefined> {
  const wanted = await referenceNamed(value, io.cwd);
  if (!wanted) requireNone(options);
  return wanted;
}

/** Throws `usage-invalid` where an option is given that only concerns registries. */
function requireNone(options: RegistryFlags): void {
  const given = Object.entries(forRegistries).find(([key]) => options[key as keyof typeof forRegistries] !== undefined);
  const name = given?.[1] ?? (options.tlsVerify === false ? '--no-tls-verify' : undefined);
  if (name !== undefined) throw usage(name, 'is for Solutions in registries', 'leave it out');
}
