import { Command } from 'commander';
import { explainCode, explainFile, explanations } from '../../lib/command.ts';
import type { FileExplanation } from '../../lib/index.ts';
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
    .argument('[code]', 'such as registry-denied, with or without brackets, or a file (default: all codes)')
    .addHelpText('after', help)
    .action(async (code: string | undefined, options: CommonOptions) => {
      const session = commandSession(io, options);
      const file = code === undefined ? undefined : await explainFile(code);
      if (file !== undefined) {
        const result = { codes: [], file: printed(file) };
        printResult(session, options, 'explain', result, (_, style) => fileView(file, style));
        return;
      }
      const found = code === undefined ? await explanations() : await explainCode(code);
      printResult(session, options, 'explain', { codes: [...found] }, explainView);
    });
}

function printed({ about, fields, ...file }: FileExplanation) {
  return { ...file, about: [...about], fields: fields.map((field) => ({ ...field, values: [...field.values] })) };
}

const help = `
Examples:
  $ solpack explain registry-denied
  $ solpack explain solution.toml | less
  $ solpack explain --json | jq -r '.codes[].code'`;
