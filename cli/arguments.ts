import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { loadPublicKey } from '../lib/command.ts';
import { type PublicKey, SolpackError } from '../lib/index.ts';
import type { Io } from './io.ts';

/** Resolves `path` relative to the folder in which the command was started. */
export function absolute(io: Io, path: string): string {
  return resolve(io.cwd, path);
}

/** Returns the words of a command line that may be options: those before `--`. */
export function beforeArguments(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end < 0 ? argv : argv.slice(0, end);
}

/**
 * Returns the definition that `path` names: a file, or the `solution.toml` of a folder. Throws `usage-invalid` if it is
 * empty.
 */
export async function definitionPath(io: Io, path: string): Promise<string> {
  if (path === '') throw usage('the name of a definition', 'is empty', 'name a file or a folder; . is this folder');
  const full = absolute(io, path);
  const isFolder = await stat(full).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  return isFolder ? join(full, 'solution.toml') : full;
}

/** Returns SOURCE_DATE_EPOCH in seconds; undefined where it is not set. Throws `usage-invalid`. */
export function sourceDateEpoch(io: Io): number | undefined {
  const value = io.env['SOURCE_DATE_EPOCH'];
  if (value === undefined || value === '') return undefined;
  const seconds = Number(value);
  // ISO 9660 counts years in one byte from 1900 (ECMA-119 §9.1.5).
  if (/^\d{1,10}$/.test(value) && seconds <= 5869583999) return seconds;
  throw new SolpackError('usage-invalid', 'SOURCE_DATE_EPOCH', `${JSON.stringify(value)} is not a date before 2156`, {
    hint: 'set it to whole seconds since 1970, or unset it',
  });
}

/** Splits `HOST:PORT`. Throws `usage-invalid`. */
export function listenAddress(value: string): { host: string; port: number } {
  const match = /^(?:(\[[0-9a-fA-F:]+\]|[^:]*):)?(\d{1,5})$/.exec(value);
  const port = Number(match?.[2]);
  if (!match || port > 65535) {
    throw new SolpackError('usage-invalid', value, 'is not an address to listen on', {
      hint: 'write HOST:PORT, such as 127.0.0.1:5000',
    });
  }
  return { host: match[1]?.replace(/^\[|\]$/g, '') || '127.0.0.1', port };
}

/** Checks the URL of a registry, and returns it. Throws `usage-invalid`. */
export function registryUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url && (url.protocol === 'http:' || url.protocol === 'https:') && !url.search && !url.hash) return value;
  throw new SolpackError('usage-invalid', value, 'is not the URL of a registry', {
    hint: 'write http://HOST:PORT or https://HOST, with a path if all names are to start with one',
  });
}

/** Collects the values of an option that may be repeated. */
export function repeated(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/** Parses settings `NAME=VALUE`, which plugins get as variables. Throws `usage-invalid`. `lib` checks the names. */
export function variableSettings(settings: readonly string[]): Record<string, string> {
  const variables = new Map<string, string>();
  for (const setting of settings) {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(setting) ?? [];
    if (name === undefined || value === undefined) {
      throw usage('--variable', `${JSON.stringify(setting)} is not NAME=VALUE`, 'write it so');
    }
    if (variables.has(name)) throw usage('--variable', `${name} is given twice`, 'join the values by commas');
    variables.set(name, value);
  }
  return Object.fromEntries(variables);
}

/** Makes the error about a command line that cannot be followed: which option, why, and what to write instead. */
export function usage(option: string, message: string, hint: string): SolpackError {
  return new SolpackError('usage-invalid', option, message, { hint });
}

/** Reads the public keys in these files. */
export async function publicKeys(io: Io, paths: readonly string[]): Promise<PublicKey[]> {
  return Promise.all(paths.map((path) => loadPublicKey(absolute(io, path))));
}
