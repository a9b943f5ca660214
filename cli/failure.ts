import { CommanderError } from 'commander';
import { exits, SolpackError } from '../lib/errors.ts';
import { codeOf, reasonOf } from '../lib/system-errors.ts';
import { type Io, PipeClosed, plain } from './io.ts';

/**
 * Tells of an error on stderr, in one line that ends with its code, and returns the exit code. On a terminal the line of a
 * file that it is about is shown below.
 */
export async function fail(io: Io, error: unknown): Promise<number> {
  if (io.signal.reason instanceof PipeClosed) return exits.ok;
  if (io.signal.reason instanceof SolpackError) return printError(io, io.signal.reason);
  if (io.signal.aborted) {
    io.stderr.write('solpack: interrupted; nothing half-written is in its place\n');
    return exits.interrupted;
  }
  if (error instanceof CommanderError) return usage(io, error);
  if (error instanceof SolpackError) return printError(io, error);
  const code = codeOf(error);
  io.stderr.write(
    `solpack: internal error: ${plain(code ? reasonOf(error) : String(error))}; please report it, with what you ran [bug]\n`,
  );
  if (io.env['SOLPACK_DEBUG'] && error instanceof Error) io.stderr.write(`${error.stack}\n${causes(error)}`);
  return exits.bug;
}

async function printError(io: Io, error: SolpackError): Promise<number> {
  for (const { code, subject, message } of error.findings) {
    io.stderr.write(`solpack: ${plain(`${subject}: ${message}`)} [${code}]\n`);
  }
  const side = error.side === undefined ? '' : ` (at the ${error.side})`;
  const hint = error.hint === undefined ? '' : `; ${error.hint}`;
  io.stderr.write(`solpack: ${plain(`${error.summary}${side}${hint}`)} [${error.code}]\n`);
  await showLine(io, error);
  if (io.env['SOLPACK_DEBUG']) io.stderr.write(`${error.stack}\n${causes(error)}`);
  return error.exit;
}

async function showLine({ stderr, env }: Io, { position, lineText }: SolpackError): Promise<void> {
  if (!stderr.isTTY || !position || lineText === undefined) return;
  const [{ excerpt }, { styleFor }] = await Promise.all([import('./view/excerpt.ts'), import('./view/style.ts')]);
  for (const shown of excerpt(lineText, position, stderr.columns, styleFor(stderr, env))) stderr.write(`${shown}\n`);
}

function usage(io: Io, error: CommanderError): number {
  if (error.exitCode === 0) return exits.ok;
  const message = error.message.replace(/^error: /, '').replace(/\s+/g, ' ');
  io.stderr.write(
    `solpack: ${plain(message)}; "solpack --help" lists the commands and their options [usage-invalid]\n`,
  );
  return exits.usage;
}

function causes(error: Error): string {
  return error.cause instanceof Error ? `caused by ${error.cause.stack}\n${causes(error.cause)}` : '';
}
