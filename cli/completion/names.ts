import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { knownNames } from '../../lib/command.ts';
import type { KnownName, WantedNames } from '../../lib/index.ts';
import { absolute, definitionPath } from '../arguments.ts';
import { commandFlow } from '../command-flow.ts';
import { homeFolder } from '../home.ts';
import { type Io, plain } from '../io.ts';
import { type Completion, type Completions, candidates, paths } from './answer.ts';
import type { Typing } from './line.ts';

/** Most names that are offered: nobody reads more. */
const MOST = 2_000;
/** Most files of a folder that are looked into for a SolutionsConfiguration. */
const LOOKED_INTO = 32;

/** Files and folders in the archive that is named first. */
export async function archivedFiles({ io, line, word }: Typing): Promise<Completions> {
  const archive = line.given[0];
  if (archive === undefined) return candidates([]);
  const names = await namesOf(io, { of: 'files', archive: path(io, archive), prefix: word });
  return candidates(names.filter((one) => line.onlyArguments || !one.word.startsWith('-')));
}

/** Images or components of the archive or the definition that is named first. */
export async function definedNames({ io, line }: Typing, ...of: ('images' | 'components')[]): Promise<Completions> {
  const solution = await definitionPath(io, path(io, line.given[0] ?? '.'));
  const names = await Promise.all(of.map((one) => namesOf(io, { of: one, solution })));
  return candidates(names.flat());
}

/** Solutions of the SolutionsConfiguration that is named, or of those in the working folder. */
export async function solutionNames(typing: Typing): Promise<Completions> {
  return candidates(once(await configured(typing, { of: 'solutions' })));
}

/** Components of the Solutions that the SolutionsConfiguration's archives hold. */
export async function heldComponents(typing: Typing): Promise<Completions> {
  return candidates(once(await configured(typing, { of: 'components' })));
}

/** What the version of a Solution can be. */
export async function versionNames(typing: Typing): Promise<Completions> {
  const held = await configured(typing, { of: 'versions', solution: typing.line.given[0] ?? '' });
  return candidates([{ word: 'latest', about: 'the highest version' }, ...held]);
}

/** The environments of the Solution that is named first. */
export async function environmentNames(typing: Typing): Promise<Completions> {
  return candidates(await configured(typing, { of: 'environments', solution: typing.line.given[0] ?? '' }));
}

/** The archives of the SolutionsConfiguration that is named; any file where it lists none. */
export async function listedArchives(typing: Typing): Promise<Completions> {
  const listed = await configured(typing, { of: 'archives' });
  return listed.length > 0 ? candidates(listed) : paths('files');
}

/** What is wanted of one SolutionsConfiguration. */
type WantedOfOne<Wanted = WantedNames> = Wanted extends { readonly configuration: string }
  ? Omit<Wanted, 'configuration'>
  : never;

/** Collects names of each SolutionsConfiguration. */
async function configured(typing: Typing, wanted: WantedOfOne): Promise<Completion[]> {
  const found: Completion[] = [];
  for (const configuration of await configurations(typing)) {
    found.push(...(await namesOf(typing.io, { ...wanted, configuration })));
  }
  return found;
}

/** Keeps each word where it came first, as it was reported last. */
function once(names: readonly Completion[]): Completion[] {
  return [...new Map(names.map((one) => [one.word, one])).values()];
}

/** The SolutionsConfiguration of `-f`, or else what may be one in the working folder. */
async function configurations({ io, line }: Typing): Promise<string[]> {
  const given = line.values.get('configuration')?.at(-1);
  if (given !== undefined) return [path(io, given)];
  const names = await readdir(io.cwd).catch(() => []);
  const likely = names.filter((name) => /\.(?:ya?ml|json)$/.test(name)).sort();
  return likely.slice(0, LOOKED_INTO).map((name) => join(io.cwd, name));
}

/** An absolute path, of one that a user types: a shell knows `~/` and has not yet replaced it. */
function path(io: Io, typed: string): string {
  const home = typed.startsWith('~/') ? homeFolder(io) : undefined;
  return home === undefined ? absolute(io, typed) : join(home, typed.slice(2));
}

/** Collects names; those that a terminal would obey, or that no line can hold, are left out: nobody could type them. */
async function namesOf(io: Io, wanted: WantedNames): Promise<Completion[]> {
  const found: Completion[] = [];
  const flow = commandFlow(io, () => undefined);
  for await (const { name, about } of knownNames(wanted, flow)) {
    if (isTypable({ name, about })) found.push({ word: name, about });
    if (found.length >= MOST) break;
  }
  return found;
}

function isTypable({ name, about }: KnownName): boolean {
  return name !== '' && plain(name) === name && plain(about) === about && !name.includes('\ufffd');
}
