import type { Io, Sink } from '../../cli/io.ts';
import { main } from '../../cli/main.ts';
import { createRunLog } from '../../cli/run-log.ts';
import { type Outcome, toolFolder } from './judges.ts';

/** How a command line is run in this process. */
export interface HereOptions {
  readonly cwd: string;
  readonly signal?: AbortSignal;
  /** Variables that differ from those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Answers questions, as a person at a terminal does; absent where there is none. */
  readonly ask?: (question: string) => Promise<string>;
  /** Called with each text that the command writes on stdout or stderr, before the command goes on. */
  readonly onText?: (text: string) => void;
}

/**
 * Runs a command line of solpack in this process: what a user runs, without the start of another Node.js. The command
 * waits for nobody while `onText` looks at what it said, so that something can happen at that very moment.
 */
export async function solpackHere(args: readonly string[], options: HereOptions): Promise<Outcome> {
  const { cwd, signal = new AbortController().signal, onText = () => undefined } = options;
  const texts = { stdout: '', stderr: '' };
  const sink = (name: 'stdout' | 'stderr'): Sink => ({
    isTTY: false,
    isAscii: false,
    columns: 80,
    rows: 24,
    write: (text) => {
      texts[name] += text;
      onText(text);
    },
    status: () => undefined,
    send: async () => undefined,
    flush: async () => undefined,
  });
  const env = { ...process.env, PATH: `${toolFolder}:${process.env['PATH']}`, ...options.env };
  const log = createRunLog((message) => onText(message));
  const { ask } = options;
  const sinks = { stdout: sink('stdout'), stderr: sink('stderr') };
  const io: Io = { argv: args, env, cwd, ...sinks, signal, log, ...(ask ? { ask } : {}) };
  return { code: await main(io), ...texts };
}
