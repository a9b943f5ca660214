/** The parts of its process that `cli` uses. */
export interface Io {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The file that solpack is, where it is one program; absent where Node.js runs it. */
  readonly executable?: string;
  /** The file that Node.js runs as solpack; absent where solpack is one program. */
  readonly script?: string;
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** Aborted when the user ends the command. */
  readonly signal: AbortSignal;
  /** What is known of this run of a command; absent until one runs. */
  readonly run?: CommandRun;
  /** Who may take Ctrl-C; absent where there is no terminal to ask on. */
  readonly interrupts?: Interrupts;
  /** What `--log-file` keeps of this run. */
  readonly log: RunLog;
  /**
   * Asks the user for a line, a secret unless `shows` says that it may be seen; absent where there is no terminal to
   * ask on.
   */
  readonly ask?: (question: string, shows?: boolean) => Promise<string>;
  /** Reads standard input to its end, at most `limit` bytes; absent where there is none. */
  readonly input?: (limit: number) => Promise<Uint8Array>;
}

/** What is known of a run of a command, for who says how it ended. */
export interface CommandRun {
  /**
   * Aborted once the command has ended, and before its failure is reported: nothing is shown any longer of what it
   * does.
   */
  readonly ended: AbortSignal;
  /** Whether it has begun to change something, as far as what it reported says. */
  hasChanged: boolean;
  /** Whether it has begun to change something in a cluster. */
  hasApplied: boolean;
  /** What it has left, in the words of who was interrupted. */
  left?: string;
}

/** Who may take Ctrl-C. */
export interface Interrupts {
  /**
   * Calls `work` in place of ending the command, when Ctrl-C is pressed for the first time. Returns what takes that
   * back.
   */
  take(work: () => void): () => void;
  /** Ends the command, as Ctrl-C does where nobody has taken it. */
  end(): void;
}

/** What a run leaves in the file of `--log-file`: what it did, and how it ended. */
export interface RunLog {
  /** Begins to write to the file, behind what is there. Throws `output-unwritable`, `disk-full`. */
  open(path: string, run: { readonly argv: readonly string[]; readonly version: string }): Promise<void>;
  /** Notes what was reported meanwhile, an `Event`; how far a transfer is, is not noted. */
  event(event: { readonly type: string }): void;
  /** Notes what is reported a failure. */
  error(line: string): void;
  end(exit: number): void;
}

/** Returns the environment of programs that solpack starts. */
export function ownEnvironment({ env }: Pick<Io, 'env'>): Record<string, string> {
  const named = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return Object.fromEntries(named);
}

/** A stream of text for a person or a program. */
export interface Sink {
  readonly isTTY: boolean;
  /** Whether the reader's locale has no characters but those of ASCII. */
  readonly isAscii: boolean;
  readonly columns: number;
  /** Lines of a terminal. */
  readonly rows: number;
  write(text: string): void;
  /** Shows lines on a terminal until the next ones, or until something is written. None removes them. */
  status(lines: readonly string[]): void;
  /** Writes bytes that are no text. Resolves once they were taken; rejects after the reader has left. */
  send(bytes: Uint8Array): Promise<void>;
  /** Resolves once everything written has been taken. */
  flush(): Promise<void>;
}

/** The reason for aborting a command whose reader has seen enough (`| head`): no error. */
export class PipeClosed extends Error {}

/** Replaces control characters by escapes, so that a terminal does not obey them. */
export function plain(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (character) => {
    const code = character.codePointAt(0)!.toString(16).padStart(4, '0');
    return `\\u${code}`;
  });
}

/** Writes a value as one line of JSON without control characters: in JSON, an escape stands for the same character. */
export function jsonLine(value: unknown, write: (value: unknown) => string = JSON.stringify): string {
  return `${plain(write(value))}\n`;
}

/** Whether a person has said yes; whatever else they say is no. */
export function isYes(answer: string): boolean {
  return /^y(?:es)?$/i.test(answer.trim());
}

/** Formats a count with its noun: `3 images`, `1 image`. */
export function count(number: number, noun: string, nouns: string = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : nouns}`;
}

/** Writes all digits of a key's id in groups of four, so that people can compare them. */
export function grouped(keyId: string): string {
  return keyId.replaceAll(/(.{4})(?=.)/g, '$1 ');
}
