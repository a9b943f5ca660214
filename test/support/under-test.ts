import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { executableName, platforms } from '../../scripts/executable/platforms.ts';
import { executables, packageFolder, root } from '../../scripts/home.ts';

/** What runs solpack: a program, and the words before its arguments. */
export type Words = readonly [program: string, ...words: string[]];

/** The forms in which solpack is run; each is built by `npm run build` or `npm run build:bin`. */
const forms: Readonly<Record<string, () => Words>> = {
  source: () => [process.execPath, join(root, 'cli/bin.js')],
  package: () => [process.execPath, join(packageFolder, 'bin/bin.js')],
  bin: () => [
    join(executables, executableName(platforms.find(({ name }) => name === `${process.platform}-${process.arch}`)!)),
  ],
};

/** What runs solpack in the form that is tested: the sources, unless SOLPACK_UNDER_TEST says `package` or `bin`. */
export const solpackWords: Words = wordsOf(process.env['SOLPACK_UNDER_TEST'] ?? 'source');

/** The same for Node.js with options of its own, which the executable takes none of: there, these are the sources. */
export function solpackWith(...options: readonly string[]): Words {
  const [program, ...words] = solpackWords.length > 1 ? solpackWords : wordsOf('source');
  return [program, ...options, ...words];
}

/** The same as a shell reads it. */
export const solpackQuoted: string = solpackWords.map((word) => `'${word}'`).join(' ');

function wordsOf(form: string): Words {
  const words = forms[form]?.();
  if (words === undefined)
    throw new Error(`SOLPACK_UNDER_TEST is ${form}, and has to be ${Object.keys(forms).join(', ')}`);
  if (existsSync(words.at(-1)!)) return words;
  throw new Error(`${words.at(-1)} is missing; run "npm run build" or "npm run build:bin"`);
}
