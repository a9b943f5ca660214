import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { completionScripts } from '../../cli/completion/scripts.ts';
import { type HelpPage, pageOf } from '../../cli/help/page.ts';
import { programOf } from '../../cli/program.ts';
import { explainedFiles } from '../../lib/flows/explain/files.ts';
import { exits } from '../../lib/kernel/events/errors.ts';
import { exitWords } from './exit-words.ts';
import { filePage, manPage, manualName } from './man.ts';
import { quietIo } from './quiet-io.ts';

/** The date of pages of a release that has none, the one that archives have by default. */
const DATE = '1980-01-01';

/** Where each shell looks for what a package brings, below `share/`. */
const completionPaths: Readonly<Record<keyof typeof completionScripts, string>> = {
  bash: 'bash-completion/completions/solpack',
  zsh: 'zsh/site-functions/_solpack',
  fish: 'fish/vendor_completions.d/solpack.fish',
};

/**
 * Returns what a package has below `share/`, by path: man pages of each command and each file that users write, and the scripts of the shells. The same sources
 * and the same date give the same bytes.
 */
export async function sharedFiles(version: string, date: string = DATE): Promise<Readonly<Record<string, string>>> {
  const program = await programOf(quietIo(), version, () => undefined);
  const commands = program.commands.map((command) => pageOf(command, command.createHelp()));
  const top = { ...pageOf(program, program.createHelp()), name: 'solpack', summary: summaryOf(program) };
  const names = commands.map(manualName);
  const codes = Object.entries(exits).map(([name, code]) => {
    return { term: String(code), text: exitWords[name as keyof typeof exits] };
  });
  const page = (one: HelpPage, also: readonly string[]): [string, string] => [
    `share/man/man1/${manualName(one)}.1`,
    manPage(one, { version, date, exits: codes, also }),
  ];
  const scripts = Object.entries(completionScripts).map(([shell, script]): [string, string] => [
    `share/${completionPaths[shell as keyof typeof completionScripts]}`,
    script,
  ]);
  const formats = explainedFiles().map((file): [string, string] => [
    `share/man/man5/${file.name}.5`,
    filePage(file, { version, date, also: ['solpack', 'solpack-explain', 'solpack-schema'] }),
  ]);
  const pages = [page(top, names), ...commands.map((one) => page(one, ['solpack']))];
  return Object.fromEntries([...pages, ...formats, ...scripts]);
}

/** Writes them below a folder. */
export async function writeSharedFiles(folder: string, version: string, date?: string): Promise<void> {
  for (const [path, text] of Object.entries(await sharedFiles(version, date))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function summaryOf(program: Command): string {
  return program
    .description()
    .split(',')[0]!
    .replace(/^Packs/, 'pack');
}
