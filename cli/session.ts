import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { type Event, type Flow, pathFolders } from '../lib/index.ts';
import { absolute, usage } from './arguments.ts';
import type { Io } from './io.ts';
import { type ProgressStyle, type ProgressView, progressOf } from './progress.ts';

/** What `--progress` takes. */
export const progressChoices = ['auto', 'bar', 'lines', 'json', 'none'] as const;

/** Options that every command has. */
export interface CommonOptions {
  readonly json?: boolean;
  /** `false` is what `--no-progress` gives. */
  readonly progress?: (typeof progressChoices)[number] | false;
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
  const progress = progressOf(progressStyle(io, options), io.stderr);
  const path = pathFolders(io.env['PATH']).map((folder) => absolute(io, folder));
  const beside = io.executable === undefined ? {} : { beside: dirname(io.executable) };
  const host = { path, temp: io.env['TMPDIR'] || tmpdir(), ...beside };
  const onEvent = (event: Event): void => {
    io.log.event(event);
    progress.onEvent(event);
  };
  return { io, progress, flow: { signal: io.signal, onEvent, host } };
}

/**
 * Returns how progress is shown: by the flags, else by SOLPACK_PROGRESS, else by a line that rewrites itself, where a terminal can
 * do that, and by lines elsewhere. Throws `usage-invalid`.
 */
function progressStyle({ env, stderr }: Io, { quiet, progress }: CommonOptions): ProgressStyle {
  if (quiet || progress === false) return 'none';
  const wanted = progress ?? (env['SOLPACK_PROGRESS'] || 'auto');
  if (wanted === 'auto') return stderr.isTTY && env['TERM'] !== 'dumb' ? 'bar' : 'lines';
  const known = progressChoices.find((style) => style === wanted);
  if (known && known !== 'auto') return known;
  throw usage(
    'SOLPACK_PROGRESS',
    `${JSON.stringify(wanted)} is no style`,
    `set it to one of ${progressChoices.join(', ')}`,
  );
}
