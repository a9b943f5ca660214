import { hostname } from 'node:os';
import { openLogFile, ownRun, reasonOf, redact } from '../lib/command.ts';
import type { LogFile } from '../lib/index.ts';
import { jsonLine, type RunLog } from './io.ts';

/**
 * Makes a log that notes nothing until it is opened. Each line is JSON, and in the file once it is noted, so that a run
 * that is killed leaves all but its end. A log that cannot be written any longer does not end the run; `onFailure` is
 * called once.
 */
export function createRunLog(onFailure: (message: string) => void): RunLog {
  let file: LogFile | undefined;
  let path = '';
  const run = ownRun();
  const note = (line: Readonly<Record<string, unknown>>): void => {
    if (file === undefined) return;
    try {
      file.write(jsonLine({ schemaVersion: 1, time: new Date().toISOString(), run, ...line }));
    } catch (error) {
      file = undefined;
      onFailure(`${path}: no longer logging there: ${reasonOf(error)}`);
    }
  };
  return {
    open: async (to, { argv, version }) => {
      path = to;
      // What runs tell may be for their user alone.
      file = await openLogFile(to);
      note({ type: 'begin', argv: withoutSecrets(argv), version, host: hostname() });
    },
    event: (event) => {
      if (event.type !== 'progress') note({ ...event });
    },
    error: (message) => note({ type: 'error', message }),
    end: (exit) => {
      note({ type: 'end', exit });
      void file?.close().catch(() => undefined);
      file = undefined;
    },
  };
}

/** A command that signs, whose arguments may have the PIN of a device. */
const signer = '--signer';

/**
 * Returns the words of a command line without what nobody else may know: logins and queries of addresses, and commands
 * that sign.
 */
function withoutSecrets(argv: readonly string[]): string[] {
  return argv.map((word, at) => {
    if (argv[at - 1] === signer) return '***';
    return word.startsWith(`${signer}=`) ? `${signer}=***` : redact(word);
  });
}
