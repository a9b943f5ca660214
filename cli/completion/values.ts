import type { Argument, Command, Option } from 'commander';
import { explainedFiles, explanations } from '../../lib/command.ts';
import { docPages } from '../docs.ts';
import { type Completions, candidates, paths } from './answer.ts';
import type { Typing } from './line.ts';
import {
  archivedFiles,
  definedNames,
  environmentNames,
  heldComponents,
  listedArchives,
  solutionNames,
  versionNames,
} from './names.ts';

type Source = (typing: Typing) => Promise<Completions>;

/** What stands for files and folders in flags and arguments, between brackets. */
const files = [
  'archive',
  'archives',
  'bundle',
  'definition',
  'file',
  'image',
  'key',
  'new',
  'old',
  'pem',
  'pub',
  'solution',
];
const folders = ['dir'];

/** Values that solpack knows itself, by the command, `*` being any, and by what stands for them. */
const known: Readonly<Record<string, Source>> = {
  '* --sbom': (typing) => definedNames(typing, 'images'),
  'update --only': (typing) => definedNames(typing, 'images', 'components'),
  '* --update': (typing) => definedNames(typing, 'images', 'components'),
  '* --values': componentFile,
  'docs topic': async () => {
    const { docFiles } = await import('../doc-files.ts');
    return candidates(docPages(await docFiles()).map(({ name, title }) => ({ word: name, about: title })));
  },
  'explain code': async () => {
    const files = (await explainedFiles()).map(({ name, summary }) => ({ word: name, about: summary }));
    const codes = (await explanations()).map(({ code, meaning }) => ({ word: code, about: meaning }));
    return candidates([...files, ...codes]);
  },
  'extract paths': archivedFiles,
  'ls path': archivedFiles,
  'activate name': solutionNames,
  'activate version': versionNames,
  '* --environment': environmentNames,
  'deactivate name': solutionNames,
  'repair name': solutionNames,
  'status name': solutionNames,
  'support-bundle name': solutionNames,
  'unimport archives': listedArchives,
  'uninstall name': solutionNames,
};

/** Returns what a flag's value can be. */
export function flagValues(option: Option, typing: Typing): Promise<Completions> {
  const name = option.flags.slice(option.flags.lastIndexOf(' ') + 1).replace(/^[<[]|[\]>]$/g, '');
  return valuesOf(option.long ?? '', name, option.argChoices, typing);
}

/** Returns what an argument can be. */
export function argumentValues(argument: Argument, typing: Typing): Promise<Completions> {
  return valuesOf(argument.name(), argument.name(), argument.argChoices, typing);
}

/** Returns the argument at which the word is that is typed; undefined where there may be none. */
export function argumentAt(command: Command, at: number): Argument | undefined {
  const last = command.registeredArguments.at(-1);
  return command.registeredArguments[at] ?? (last?.variadic ? last : undefined);
}

async function valuesOf(
  key: string,
  name: string,
  choices: readonly string[] | undefined,
  typing: Typing,
): Promise<Completions> {
  if (choices !== undefined) return candidates(choices.map((word) => ({ word, about: '' })));
  const source = known[`${typing.command} ${key}`] ?? known[`* ${key}`];
  if (source) return source(typing);
  if (files.includes(name)) return paths('files');
  return folders.includes(name) ? paths('folders') : candidates([]);
}

/** COMPONENT=FILE: components first, then files. */
async function componentFile(typing: Typing): Promise<Completions> {
  const at = typing.word.indexOf('=');
  if (at >= 0) return paths('files', typing.word.slice(0, at + 1));
  const named = typing.command === 'install' ? heldComponents : definedNames;
  const components = await named(typing, 'components');
  return candidates(components.candidates.map(({ word, about }) => ({ word: `${word}=`, about })));
}
