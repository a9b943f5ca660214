import type { Event } from '../lib/index.ts';
import { usage } from './arguments.ts';
import { commandFlow } from './command-flow.ts';
import { type CommandSession, type CommonOptions, progressChoices } from './command-session.ts';
import { noteChange } from './interrupted.ts';
import type { Io } from './io.ts';
import { type ProgressStyle, progressOf } from './progress/index.ts';

export type { CommandSession, CommonOptions } from './command-session.ts';

/** Prepares a flow with what the environment says. */
export function commandSession(io: Io, options: CommonOptions): CommandSession {
  const progress = progressOf(progressStyle(io, options), io.stderr, io.env);
  const { run } = io;
  run?.ended.addEventListener('abort', progress.stop);
  const onEvent = (event: Event): void => {
    io.log.event(event);
    if (run) noteChange(run, event, io.argv);
    progress.onEvent(event);
  };
  return { io, progress, flow: commandFlow(io, onEvent) };
}

/**
 * Returns how progress is shown: by the flags, otherwise by SOLPACK_PROGRESS, otherwise by a line that rewrites itself,
 * where a terminal can do that, and by lines elsewhere. Throws `usage-invalid`.
 */
function progressStyle({ env, stderr }: Io, { quiet, progress }: CommonOptions): ProgressStyle {
  if (quiet || progress === false) return 'none';
  const wanted = progress ?? (env['SOLPACK_PROGRESS'] || 'auto');
  if (wanted === 'auto') return stderr.isTTY && env['TERM'] !== 'dumb' ? 'bar' : 'lines';
  const known = progressChoices.find((style) => style === wanted);
  if (known && known !== 'auto') return known;
  throw usage(
    'SOLPACK_PROGRESS',
    `${JSON.stringify(wanted)} is not a style`,
    `set it to one of ${progressChoices.join(', ')}`,
  );
}
