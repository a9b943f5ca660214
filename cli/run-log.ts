import { closeSync, openSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { ownRun, reasonOf, unwritable } from '../lib/index.ts';
import { jsonLine, type RunLog } from './io.ts';

/**
 * Makes a log that notes nothing until it is opened. Each line is JSON, and in the file once it is noted, so that a run that is
 * killed leaves all but its end. A log that cannot be written any longer does not end the run; `onFailure` is told once.
 */
export function createRunLog(onFailure: (message: string) => void): RunLog {
  let file: number | undefined;
  let path = '';
  const run = ownRun();
  const note = (line: Readonly<Record<string, unknown>>): void => {
    if (file === undefined) return;
    try {
      writeSync(file, jsonLine({ schemaVersion: 1, time: new Date().toISOString(), run, ...line }));
    } catch (error) {
      file = undefined;
      onFailure(`${path}: nothing is logged there any longer: ${reasonOf(error)}`);
    }
  };
  return {
    open: (to, { argv, version }) => {
      path = to;
      try {
        // What runs tell may be for their user alone.
        file = openSync(to, 'a', 0o600);
      } catch (error) {
        throw unwritable(to, error);
      }
      note({ type: 'begin', argv, version, host: hostname() });
    },
    event: (event) => {
      if (event.type !== 'progress') note({ ...event });
    },
    error: (message) => note({ type: 'error', message }),
    end: (exit) => {
      note({ type: 'end', exit });
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}
