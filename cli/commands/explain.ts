import { Command } from 'commander';
import { explainCode, explanations } from '../../lib/command.ts';
import type { Io } from '../io.ts';
import { printResult } from '../output.ts';
import { type CommonOptions, commandSession } from '../session.ts';
import { explainView } from '../view/explain.ts';

/** Makes the command `solpack explain`. */
export function explainCommand(io: Io): Command {
  return new Command('explain')
    .summary('explain what a code of an error or a finding means, and what to do')
    .description(
      'Prints what the code at the end of a message means, and what to do about it: an error, a finding of ' +
        '"verify" or "check", or the reason that a format gives. It uses no network. docs/errors.md says the ' +
        'same.',
    )
    .argument('[code]', 'such as registry-denied, with or without brackets (default: all codes)')
    .addHelpText('after', help)
    .action(async (code: string | undefined, options: CommonOptions) => {
      const session = commandSession(io, options);
      const found = code === undefined ? await explanations() : await explainCode(code);
      printResult(session, options, 'explain', { codes: [...found] }, explainView);
    });
}

const help = `
Examples:
  $ solpack explain registry-denied
  $ solpack explain --json | jq -r '.codes[].code'`;
