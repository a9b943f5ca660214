import { relative } from 'node:path';
import { shellWord } from '../../lib/command.ts';
import { type Overview, type Profile, SolpackError } from '../../lib/index.ts';
import { plain } from '../io.ts';
import { type Style, table } from './style.ts';
import { cutTo, wrapLine } from './wrap.ts';

/** What `solpack` alone tells. */
export interface ShownOverview {
  readonly found: Overview;
  /** The profile, or why it is refused; undefined where there is none. */
  readonly profile: Profile | SolpackError | undefined;
  readonly folder: string;
  /** The commands of every day, with what each does. */
  readonly commands: readonly (readonly [string, string])[];
}

/** How many archives and Solutions are named. */
const NAMED = 2;

/** Columns of titles, and lines on a terminal. */
const TITLE = 10;
const MOST = 12;

/** Describes for a person what there is, and what to do next, in twelve lines at most. */
export function overviewView(shown: ShownOverview, style: Style): string[] {
  const { found, profile, commands } = shown;
  const rows = [
    ...(found.archives.length === 0 ? [] : [['archives', archiveWords(shown)]]),
    ...(found.definition === undefined ? [] : [['definition', definitionWords(found.definition)]]),
    ['profile', profileWords(profile)],
    ...installedRows(found),
    ...(found.unfinished.length === 0
      ? []
      : [['unfinished', few(found.unfinished.map(({ path }) => near(path, shown)))]]),
  ];
  const titled = (title: string, words: string): string[] => [style.dim(title.padEnd(TITLE)), words];
  const lines = [
    // A command is there to be copied, and all else to be seen at a glance.
    ...table([
      ...rows.map(([title = '', words = '']) => titled(title, cutTo(words, style.width - TITLE - 2))),
      titled('next', style.bold(nextCommand(shown))),
    ]),
    ...table(commands.map(([name, summary]) => [`  solpack ${name}`, summary])),
  ];
  const shownLines = lines.flatMap((line) => wrapLine(line, style.width));
  return [...lines, ...(shownLines.length < MOST ? ['"solpack help" lists all commands'] : [])];
}

function archiveWords(shown: ShownOverview): string {
  const { archives } = shown.found;
  return few(archives.map(({ name, version, path }) => `${name} ${version} in ${near(path, shown)}`));
}

function definitionWords({ name, version }: NonNullable<Overview['definition']>): string {
  return name === undefined
    ? 'solution.toml, which cannot be read'
    : `${plain(name)} ${plain(version!)} in solution.toml`;
}

function profileWords(profile: ShownOverview['profile']): string {
  if (profile === undefined) return 'none; "solpack setup" writes one';
  return profile instanceof SolpackError ? plain(`refused: ${profile.summary}`) : plain(profile.path);
}

function installedRows({ installed, interrupted, silent }: Overview): string[][] {
  if (silent !== undefined) return [['cluster', plain(silent.error?.summary ?? 'did not answer within 3 s')]];
  if (installed === undefined) return [];
  const removal =
    interrupted?.by === 'uninstall' ? [`a removal from ${plain(interrupted.configuration)} was interrupted`] : [];
  return [['installed', few([...removal, ...installed.map(stateWords)]) || 'nothing']];
}

function stateWords({ name, version, state }: NonNullable<Overview['installed']>[number]): string {
  const words = { failed: 'has failed', interrupted: 'was interrupted' } as const;
  return plain(`${name} ${version} ${state === 'failed' || state === 'interrupted' ? words[state] : `is ${state}`}`);
}

function few(words: readonly string[]): string {
  const more = words.length > NAMED ? `, and ${words.length - NAMED} more` : '';
  return `${words.slice(0, NAMED).join(', ')}${more}`;
}

/** Returns the command line that continues. */
export function nextCommand(shown: ShownOverview): string {
  const { found, profile } = shown;
  const { archives, definition, unfinished, installed, interrupted, silent, kubernetes } = found;
  const [begun] = unfinished;
  if (begun?.by === 'pack')
    return `solpack pack ${definition ? '.' : 'DEFINITION'} -o ${near(begun.path, shown)} --resume`;
  if (begun?.by === 'pull') return `solpack pull REFERENCE -o ${near(begun.path, shown)}`;
  if (profile instanceof SolpackError || silent !== undefined) return 'solpack doctor';
  if (interrupted !== undefined) return sameCommand(interrupted);
  const fresh = archives.find(({ isNew }) => isNew);
  const medium = fresh === undefined ? '' : ` ${near(fresh.path, shown)}`;
  if (installed !== undefined) return fresh === undefined ? 'solpack status' : `solpack install${medium}`;
  if (kubernetes !== 'none') return `solpack setup${medium}`;
  if (definition !== undefined) return definitionCommand(definition, archives);
  return fresh === undefined ? 'solpack docs tutorial' : `solpack inspect${medium}`;
}

/** Returns the command that continues a run in the cluster. */
function sameCommand({ by, of, configuration, hasOthers }: NonNullable<Overview['interrupted']>): string {
  const named = hasOthers ? ` --name ${shellWord(plain(configuration))}` : '';
  switch (by) {
    case 'install':
      return 'solpack install';
    case 'load':
      return 'solpack load FOLDER';
    case 'rollback':
      return `solpack rollback${of === undefined ? '' : ` ${of}`}${named}`;
    case 'uninstall':
      return 'solpack uninstall SOLUTION';
  }
}

function definitionCommand(
  { name, version }: NonNullable<Overview['definition']>,
  archives: Overview['archives'],
): string {
  if (name === undefined) return 'solpack check';
  const isPacked = archives.some((one) => one.name === name && one.version === version);
  return isPacked ? 'solpack check' : `solpack pack . -o ${name}-${version}.iso`;
}

/** A path as a shell takes it, from the folder that the user is in. */
function near(path: string, { folder }: Pick<ShownOverview, 'folder'>): string {
  const short = relative(folder, path);
  const name = short.startsWith('..') || short === '' ? path : short;
  // A name must not be taken for an option.
  const shown = name.startsWith('-') ? `./${name}` : name;
  return shellWord(plain(shown));
}
