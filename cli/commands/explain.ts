import { readFile, stat } from 'node:fs/promises';
import { Command } from 'commander';
import { explainCode, explainFile, explainText, explanations } from '../../lib/command.ts';
import type { FileExplanation } from '../../lib/index.ts';
import { absolute } from '../arguments.ts';
import type { Io } from '../io.ts';
import { printResult } from '../output.ts';
import { type CommonOptions, commandSession } from '../session.ts';
import { explainView } from '../view/explain.ts';
import { fileView } from '../view/explain-file.ts';

/** Makes the command `solpack explain`. */
export function explainCommand(io: Io): Command {
  return new Command('explain')
    .summary('explain a code, or the fields of a file')
    .description(
      'Prints what the code at the end of a message means, and what to do about it: an error, a finding of ' +
        '"verify" or "check", or the reason that a format gives. "solpack docs errors" says the same. Of a file that ' +
        'people write, it prints all fields: solution.toml, solutions.yaml, trust.toml and profile.toml. It ' +
        'uses no network.',
    )
    .argument('[code]', 'such as registry-denied, with or without brackets, or a file of any name (default: all codes)')
    .addHelpText('after', help)
    .action(async (code: string | undefined, options: CommonOptions) => {
      const session = commandSession(io, options);
      const file =
        code === undefined ? undefined : ((await explainFile(code)) ?? (await explainedAt(absolute(io, code))));
      if (file !== undefined) {
        const result = { codes: [], file: printed(file) };
        printResult(session, options, 'explain', result, (_, style) => fileView(file, style));
        return;
      }
      const found = code === undefined ? await explanations() : await explainCode(code);
      printResult(session, options, 'explain', { codes: [...found] }, explainView);
    });
}

/** The most bytes of a file that is looked at for what it is. */
const LIMIT = 1024 * 1024;

/**
 * Explains a file of this machine by what it holds; undefined where there is none, or nothing that solpack explains.
 */
async function explainedAt(path: string): Promise<FileExplanation | undefined> {
  const stats = await stat(path).catch(() => undefined);
  return stats?.isFile() && stats.size <= LIMIT ? explainText(await readFile(path, 'utf8')) : undefined;
}

function printed({ about, fields, ...file }: FileExplanation) {
  return { ...file, about: [...about], fields: fields.map((field) => ({ ...field, values: [...field.values] })) };
}

const help = `
Examples:
  $ solpack explain registry-denied
  $ solpack explain solution.toml | less
  $ solpack explain --json | jq -r '.codes[].code'`;
