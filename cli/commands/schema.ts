import { Argument, Command } from 'commander';
import { fileFormats, fileSchema } from '../../lib/command.ts';
import type { FileFormat } from '../../lib/index.ts';
import type { Io } from '../io.ts';
import { printResult } from '../output.ts';
import { type CommonOptions, commandSession } from '../session.ts';

/** Makes the command `solpack schema`. */
export function schemaCommand(io: Io): Command {
  return new Command('schema')
    .summary('print the schema of a file, for editors')
    .description(
      'Prints the JSON Schema of a file format, by which editors complete, explain and check the file. It is ' +
        'made of the code with which solpack reads such files: definition is solution.toml, configuration a ' +
        'SolutionsConfiguration, policy the file of --policy, and profile that of this machine. "init" and ' +
        '"import" write it beside the files that they make.',
    )
    .addArgument(new Argument('<format>', 'the format').choices(fileFormats))
    .addHelpText('after', help)
    .action(async (format: FileFormat, options: CommonOptions) => {
      const session = commandSession(io, options);
      const schema = await fileSchema(format);
      printResult(session, options, 'schema', { format, schema }, () => [JSON.stringify(schema, null, 2)]);
    });
}

const help = `
Examples:
  $ solpack schema definition
  $ solpack schema policy > policy.schema.json      # in the policy, as its first line: #:schema policy.schema.json`;
