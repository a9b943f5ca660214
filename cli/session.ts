import { tmpdir } from 'node:os';
import { type Event, type Flow, pathFolders } from '../lib/index.ts';
import { absolute } from './arguments.ts';
import type { Io } from './io.ts';
import { type ProgressStyle, type ProgressView, progressOf } from './progress.ts';

/** Options that every command has. */
export interface CommonOptions {
  readonly json?: boolean;
  readonly progress?: ProgressStyle | 'auto';
  readonly quiet?: boolean;
  readonly logFile?: string;
}

/** What the action of a command works with. `progress` has to end before the result is printed. */
export interface CommandSession {
  readonly io: Io;
  readonly flow: Flow;
  readonly progress: ProgressView;
}

/** Prepares a flow with what the environment says. */
export function commandSession(io: Io, options: CommonOptions): CommandSession {
  const wanted = options.quiet ? 'none' : (options.progress ?? 'auto');
  const style = wanted === 'auto' ? (io.stderr.isTTY ? 'bar' : 'lines') : wanted;
  const progress = progressOf(style, io.stderr);
  const path = pathFolders(io.env['PATH']).map((folder) => absolute(io, folder));
  const host = { path, temp: io.env['TMPDIR'] || tmpdir() };
  const onEvent = (event: Event): void => {
    io.log.event(event);
    progress.onEvent(event);
  };
  return { io, progress, flow: { signal: io.signal, onEvent, host } };
}
