/** What a program printed at a time, in seconds after its start. */
export interface Output {
  readonly at: number;
  readonly text: string;
}

/** A recording of a terminal, which asciinema can play too: the form is asciicast v2. */
export interface Cast {
  readonly title: string;
  /** In columns and rows. */
  readonly width: number;
  readonly height: number;
  readonly outputs: readonly Output[];
}

/** Writes a recording as asciicast v2: a header, then a line of JSON for each output. */
export function castText({ title, width, height, outputs }: Cast): string {
  const lines = [{ version: 2, width, height, title }, ...outputs.map(({ at, text }) => [at, 'o', text])];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Reads what `castText` wrote. Throws `Error` if it is something else. */
export function parseCast(text: string): Cast {
  const [header, ...events] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  if (header?.version !== 2) throw new Error('the recording is not asciicast v2');
  const { title, width, height } = header;
  return { title, width, height, outputs: events.map(([at, , output]) => ({ at, text: output })) };
}
