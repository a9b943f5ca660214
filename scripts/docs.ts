// Writes the generated parts of docs/. With --check, it lists those that are out of date, and ends with 1.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { pageOf } from '../cli/help/page.ts';
import { briefPage, sharedOptionsText } from '../cli/help/shared.ts';
import { helpText } from '../cli/help/text.ts';
import { programOf } from '../cli/program.ts';
import { fileFormats, schemaFile } from '../formats/document/schema-line.ts';
import { fileSchemaText } from '../formats/file-schemas/index.ts';
import { type ExplainedKind, explanations } from '../lib/flows/explain/index.ts';
import { exits } from '../lib/kernel/events/errors.ts';
import { diagrams } from './diagrams/index.ts';
import { readApi } from './package/api.ts';
import { exitWords } from './package/exit-words.ts';
import { apiPage } from './package/page.ts';
import { quietIo } from './package/quiet-io.ts';
import { breachesOf } from './promises/breaches.ts';
import { keptPath, keptPromise, promiseNow, promiseText } from './promises/promise.ts';
import { schemaDocuments } from './promises/schemas.ts';
import { recordings } from './recording/index.ts';

const root = join(import.meta.dirname, '..');

const generated: Record<string, string> = {
  'docs/errors.md': errorsPage(),
  'docs/commands.md': await commandsPage(),
  'docs/api.md': apiPage(readApi()),
  ...Object.fromEntries(
    Object.entries(schemaDocuments()).map(([name, schema]) => [
      `docs/schemas/${name}.json`,
      `${JSON.stringify(schema, null, 2)}\n`,
    ]),
  ),
  ...Object.fromEntries(
    fileFormats.map((format) => [`docs/schemas/files/${schemaFile(format)}`, fileSchemaText(format)]),
  ),
  ...Object.fromEntries(await diagrams()),
  ...Object.fromEntries(recordings()),
  [keptPath]: promiseText(promiseNow()),
};

const broken = existsSync(join(root, keptPath)) ? breachesOf(keptPromise(), promiseNow()) : [];

const stale = Object.entries(generated).filter(
  ([path, content]) => !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== content,
);
if (broken.length > 0) {
  for (const breach of broken) console.error(`a promise to programs is broken: ${breach}`);
  console.error(
    'nothing was written; docs/pipelines.md says what may change, and what needs a new version of a schema',
  );
  process.exitCode = 1;
} else if (process.argv.includes('--check')) {
  for (const [path] of stale) console.error(`${path} is out of step; run "npm run docs"`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const [path, content] of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
    console.log(`wrote ${path}`);
  }
}

function errorsPage(): string {
  const all = explanations();
  const codes = all
    .filter(({ kind }) => kind === 'error')
    .map(({ code, meaning, advice, exit }) => `### \`${code}\`\n\n${meaning}. Exit code ${exit}.\n\n${advice}\n`)
    .join('\n');
  const rows = (wanted: ExplainedKind): string =>
    all
      .filter(({ kind }) => kind === wanted)
      .map(({ code, meaning, advice }) => `| \`${code}\` | ${meaning} | ${advice} |`)
      .join('\n');
  const exitRows = Object.entries(exits).map(
    ([name, code]) => `| ${code} | ${exitWords[name as keyof typeof exits]} |`,
  );
  return `<!-- Made by "npm run docs" from lib/kernel/events/errors.ts, lib/kernel/content/model.ts, lib/shared/rendering/closure/findings.ts, formats/error.ts and lib/flows/explain. -->
# Errors

Every error is one line on stderr: the subject, why it failed, what to do next, and its code in brackets. With \`--json\`, solpack also
prints it on stdout, in the form of [\`schemas/error.json\`](schemas/error.json). \`solpack explain CODE\` prints what this page says about a
code. With \`SOLPACK_DEBUG=1\`, an error also shows where in solpack it arose.

An error at a position in a file begins with \`FILE:LINE:COLUMN\`. Lines and columns count from 1, and columns are UTF-16 code units, as in
most editors. If stderr is a terminal, the line of a definition, a lock, a SolutionsConfiguration, values or a manifest follows, with carets
below the position. Otherwise, for example in a log, an error stays one line:

\`\`\`text
solpack: solution.toml:2:1: version: has to be a SemVer 2.0.0 version, such as 1.2.0 or 2.0.0-rc.1 (no leading "v")
(toml-invalid); correct it; docs/format.md lists every field [definition-invalid]
2 | version = "v1.0"
  | ^^^^^^^^^^^^^^^^
\`\`\`

solpack never shows lines of policies, kubeconfigs, keys and password files, lines of Secrets, and lines that look like a secret.

## Exit codes

| code | meaning |
| --- | --- |
${exitRows.join('\n')}

[Pipelines](pipelines.md#what-stays-as-it-is) promises that these codes, and those below, do not change.

## Findings of \`verify\`

\`verify\` reports everything that it finds. Each finding has a code, a subject and a message.

| code | meaning | what to do |
| --- | --- | --- |
${rows('verify')}

## Findings of \`check\`

\`check\` and \`pack\` report everything that prevents a Solution from being closed: the archive has to hold all images and kinds that its objects need.

| code | meaning | what to do |
| --- | --- | --- |
${rows('check')}

## Error codes

${codes}
## Reasons that formats give

If a file cannot be read, the message ends with one of these in parentheses.

| reason | meaning | what to do |
| --- | --- | --- |
${rows('reason')}
`;
}

async function commandsPage(): Promise<string> {
  const io = quietIo();
  const program = await programOf(io, '', () => undefined);
  return `<!-- Made by "npm run docs" from cli/. -->
# Commands

solpack prints results on stdout, progress and errors on stderr. With \`--json\` the result is JSON. These are the schemas:

- [\`schemas/\`](schemas/): the results of commands
- [\`schemas/error.json\`](schemas/error.json): the result of a command that fails
- [\`schemas/events.json\`](schemas/events.json): each line of \`--progress json\`, and of the file of \`--log-file\`
- [\`schemas/files/\`](schemas/files/): files that users write

[Errors](errors.md) lists exit codes and error codes. [Pipelines](pipelines.md#what-stays-as-it-is) says what programs may rely on.

| command | what it does |
| --- | --- |
${program.commands.map((command) => `| [\`${command.name()}\`](#solpack-${command.name()}) | ${command.summary()} |`).join('\n')}

## \`solpack help options\`

\`\`\`text
${sharedOptionsText(program, 80).trim()}
\`\`\`

${program.commands.map((command) => section(command, program)).join('\n')}`;
}

function section(command: Command, program: Command): string {
  const text = helpText(briefPage(pageOf(command, command.createHelp()), program), 80);
  return `## \`solpack ${command.name()}\`\n\n\`\`\`text\n${text.trim()}\n\`\`\`\n`;
}
