import { text } from '../../../../formats/bytes.ts';
import { FormatError } from '../../../../formats/error.ts';
import { type Flow, refused, SolpackError } from '../../../kernel/events/index.ts';
import { type ProgramEnd, runProgram } from '../../../kernel/machine/index.ts';
import type { UnpackedComponent } from '../kind.ts';
import { reasonOfEnd } from './exit.ts';
import { interpreterOf, labelOf, pluginProgram, whyNotStarted } from './program.ts';
import { environmentOf } from './variables.ts';

/** The arguments for a plugin, with the milliseconds and the bytes of standard output that its answer may take. */
export const questions = {
  'api-version': { time: 5_000, bytes: 1024 },
  run: { time: 60_000, bytes: 16 * 1024 * 1024 },
  upgrade: { time: 60_000, bytes: 16 * 1024 * 1024 },
} as const;

/** An argument of the convention. */
export type Question = keyof typeof questions;

/**
 * Runs a plugin in its folder with an argument, and what belongs to it, and returns what it printed, if it ended well.
 * Its standard error is reported line by line. Throws `plugin-unmet` and `plugin-misconfigured` where `run` or
 * `upgrade` says so, `plugin-failed` and `path-escapes` where the plugin is broken, `usage-invalid` for variables that
 * it must not be given.
 */
export async function callPlugin(
  component: UnpackedComponent,
  question: Question,
  flow: Flow,
  more: { readonly args?: readonly string[]; readonly input?: Uint8Array } = {},
): Promise<string> {
  const label = labelOf(component);
  const env = environmentOf(component);
  const { program, folder } = await pluginProgram(component);
  const { time, bytes } = questions[question];
  let ended: ProgramEnd;
  try {
    ended = await runProgram(program, [question, ...(more.args ?? [])], {
      ...(more.input ? { input: more.input } : {}),
      cwd: folder,
      env,
      timeout: time,
      limit: bytes,
      signal: flow.signal,
      onLine: (line) => flow.onEvent({ type: 'notice', message: `[${label}] ${line}` }),
    });
  } catch (cause) {
    flow.signal.throwIfAborted();
    const { message, hint } = await whyNotStarted(program, cause);
    throw new SolpackError('plugin-failed', label, `${question} cannot be run: ${message}`, { hint, cause });
  }
  const reason = reasonOfEnd(ended, question !== 'api-version', { time, bytes });
  if (reason) {
    const { code, message } = reason;
    // The C library gives a file that the system cannot execute to a shell, which fails at its first line.
    const isShells = question === 'api-version' && (await interpreterOf(program)) === undefined;
    const hint = isShells ? 'it does not begin with #!: is it a program for this machine?' : reason.hint;
    throw new SolpackError(code, label, `${question} ${message}${lastWords(ended.last)}`, { hint });
  }
  return refused('plugin-failed', label, () => {
    const content = text(ended.stdout, 'yaml-invalid');
    if (content.includes('\0')) throw new FormatError('yaml-invalid', `there is a NUL in the output of ${question}`);
    return content;
  });
}

/** Joins the last lines of a program, where it usually says why it failed. */
function lastWords(lines: readonly string[]): string {
  const words = lines.join(' / ').replace(/\s+/g, ' ').trim();
  if (words === '') return '';
  return `: ${words.length > 400 ? `...${words.slice(-400)}` : words}`;
}
