import { beforeArguments } from './arguments.ts';
import { sendsArchive } from './interrupted.ts';
import type { Io, Sink } from './io.ts';
import { hasJsonResult, jsonResult } from './output.ts';
import type { JsonResults } from './view/json.ts';

/** What a command that fails prints with `--json`. */
export type Failure = JsonResults['error']['error'];

/** Reports a failure as JSON, where the command line asks for that, and no result reports it. */
export function tellPrograms(io: Io, error: Failure): void {
  if (!hasJsonResult(io)) failureSink(io)?.write(jsonResult('error', { error }));
}

/** Says that nothing was done, because the person who was asked did not agree. */
export function tellDeclined(io: Io): void {
  const message = 'nothing was changed';
  io.stderr.write(`${message}\n`);
  tellPrograms(io, { code: 'declined', message });
}

/**
 * Returns where a failure is reported as JSON: where the result of the command would be printed. Undefined where the
 * command line asks for no JSON. It is asked as it was written, because it may be what is wrong.
 */
function failureSink({ argv, stdout, stderr }: Io): Sink | undefined {
  if (argv[0] === '__complete' || !beforeArguments(argv).includes('--json')) return undefined;
  return sendsArchive(argv) ? stderr : stdout;
}
