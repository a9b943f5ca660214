import { sectionOf } from './table.ts';

/** A row of the table of what clients of `serve` try. */
export interface Answer {
  readonly attack: string;
  /** The status of the answer; undefined where the connection is cut. */
  readonly status: number | undefined;
  /** The code of the distribution specification; undefined where the answer is no error. */
  readonly code: string | undefined;
}

/** The rows of that table, in their order. */
export const answers: readonly Answer[] = [
  ...sectionOf('A client of `serve`').matchAll(/^\| (.+?) \| (?:([2-5]\d\d)(?: `([A-Z_]+)`)?|cut)(?:, .+)? \|$/gm),
].map(([, attack = '', status, code]) => ({ attack, status: status === undefined ? undefined : Number(status), code }));

/** The row of an attack. */
export function answerTo(attack: string): Answer {
  const answer = answers.find((candidate) => candidate.attack === attack);
  if (!answer) throw new Error(`docs/attacks.md does not list the attack "${attack}"`);
  return answer;
}
