import { codeOf, reasonOf } from '../lib/command.ts';
import { exits, SolpackError } from '../lib/index.ts';
import { Unanswered } from './ask-first.ts';
import { CommandLineError } from './command-line-error.ts';
import { usageWords } from './habits.ts';
import { interruptedWords, UNTOUCHED } from './interrupted.ts';
import { type Io, PipeClosed, plain } from './io.ts';
import { type Failure, tellPrograms } from './json-failure.ts';
import { printLines, readable } from './lines.ts';
import { originInProfile } from './profile.ts';
import { ChoiceError } from './suggest.ts';
import { styleFor } from './view/style.ts';

/** What each line about a failure begins with; on a terminal, in colour. */
const PREFIX = 'solpack: ';

/**
 * Reports an error on stderr, in one line that ends with its code, and returns the exit code. On a terminal the line of
 * a file that it is about is shown below. With `--json`, it is reported as JSON too, where the result would be.
 */
export async function fail(io: Io, error: unknown): Promise<number> {
  if (io.signal.reason instanceof PipeClosed) return exits.ok;
  if (io.signal.reason instanceof SolpackError) return printError(io, io.signal.reason);
  if (io.signal.aborted) {
    const words = error instanceof Unanswered ? UNTOUCHED : interruptedWords(io.argv, io.run);
    tell(io, words);
    tellPrograms(io, { code: 'interrupted', message: words });
    return exits.interrupted;
  }
  if (error instanceof CommandLineError) return usage(io, error);
  if (error instanceof SolpackError) return printError(io, error);
  if (error instanceof ChoiceError) return printError(io, await error.asSolpackError());
  const message = `internal error: ${codeOf(error) ? reasonOf(error) : String(error)}`;
  const hint = 'please report it, with what you ran';
  tell(io, `${message}; ${hint} [bug]`);
  tellPrograms(io, { code: 'bug', message, hint });
  if (io.env['SOLPACK_DEBUG'] && error instanceof Error) io.stderr.write(`${error.stack}\n${causes(error)}`);
  return exits.bug;
}

/** Reports a failure on stderr and in the log, in one line; a terminal breaks it between words. */
function tell(io: Io, line: string): void {
  io.log.error(line);
  const [first = '', ...rest] = readable([`${PREFIX}${plain(line)}`], io.stderr);
  const { bad } = styleFor(io.stderr, io.env);
  printLines(io.stderr, [`${bad(PREFIX.trimEnd())} ${first.slice(PREFIX.length)}`, ...rest]);
}

async function printError(io: Io, error: SolpackError): Promise<number> {
  for (const { code, subject, message } of error.findings) {
    tell(io, `${subject}: ${message} [${code}]`);
  }
  const side = error.side === undefined ? '' : ` (at the ${error.side})`;
  const origin = originInProfile(io, error.subject);
  const words = [
    ...(origin === undefined ? [] : [`${origin} names it`]),
    ...(error.hint === undefined ? [] : [error.hint]),
  ];
  const hint = words.map((one) => `; ${one}`).join('');
  tell(io, `${error.summary}${side}${hint} [${error.code}]`);
  await showLine(io, error);
  tellPrograms(io, failureOf(error, `${error.summary}${side}`, words.join('; ')));
  if (io.env['SOLPACK_DEBUG']) io.stderr.write(`${error.stack}\n${causes(error)}`);
  return error.exit;
}

function failureOf({ code, position, findings }: SolpackError, message: string, hint: string): Failure {
  return {
    code,
    message,
    ...(hint === '' ? {} : { hint }),
    ...(position === undefined ? {} : { position }),
    ...(findings.length === 0 ? {} : { findings }),
  };
}

async function showLine({ stderr, env }: Io, { position, lineText }: SolpackError): Promise<void> {
  if (!stderr.isTTY || !position || lineText === undefined) return;
  const { excerpt } = await import('./view/excerpt.ts');
  for (const shown of excerpt(lineText, position, stderr.columns, styleFor(stderr, env))) stderr.write(`${shown}\n`);
}

async function usage(io: Io, error: CommandLineError): Promise<number> {
  if (error.exitCode === 0) return exits.ok;
  const { message, hint } = await usageWords(error, io.argv);
  tell(io, `${message}; ${hint} [usage-invalid]`);
  tellPrograms(io, { code: 'usage-invalid', message, hint });
  return exits.usage;
}

function causes(error: Error): string {
  return error.cause instanceof Error ? `caused by ${error.cause.stack}\n${causes(error.cause)}` : '';
}
