/** What a terminal sends for keys (ECMA-48). */
const keys = { interrupt: '\u0003', end: '\u0004', clear: '\u0015' } as const;

/** A terminal on which the user can be asked. */
export interface Terminal {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  /** Called when the user presses Ctrl-C: while a question is asked, the terminal makes no signal of it. */
  interrupt(): void;
  readonly signal: AbortSignal;
}

/** Asks for a line, and shows what is typed only if `shows` says so. Rejects when the command is to end. */
export function askLine(
  { input, output, interrupt, signal }: Terminal,
  question: string,
  shows: boolean,
): Promise<string> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    let typed = '';
    const end = (finish: () => void): void => {
      input.off('data', read);
      input.off('end', ended);
      signal.removeEventListener('abort', aborted);
      input.setRawMode(false);
      input.pause();
      output.write('\n');
      finish();
    };
    const entered = (ahead = ''): void =>
      end(() => {
        // What was typed ahead belongs to the next question.
        if (ahead !== '') input.unshift(ahead, 'utf8');
        resolve(typed);
      });
    const ended = (): void => entered();
    const aborted = (): void => end(() => reject(signal.reason));
    const read = (chunk: string): void => {
      const characters = [...chunk];
      const last = characters.findIndex((key) => key === '\r' || key === '\n' || key === keys.end);
      for (const key of last < 0 ? characters : characters.slice(0, last)) {
        if (key === keys.interrupt) interrupt();
        else if (key === keys.clear) typed = '';
        else if (key === '\u007f' || key === '\b') typed = [...typed].slice(0, -1).join('');
        else if (key >= ' ') {
          typed += key;
          if (shows) output.write(key);
        }
      }
      if (last >= 0 && !signal.aborted) entered(characters.slice(last + 1).join(''));
    };
    signal.addEventListener('abort', aborted);
    input.setEncoding('utf8');
    input.setRawMode(true);
    output.write(question);
    input.on('data', read);
    input.on('end', ended);
    input.resume();
  });
}
