import type { UpdatedInput, UpdateResult } from '../../lib/index.ts';
import { plain } from '../io.ts';
import { diffView } from './diff.ts';
import { type Style, table } from './style.ts';

/** Describes for a person what is newer than a definition and its lock, and what that changes. */
export function updateView({ definition, same, inputs, written, diff }: UpdateResult, style: Style): string[] {
  const changed = inputs.filter(({ change }) => change !== 'none');
  const rest = inputs.filter((one) => one.change === 'none' && noteOf(one) !== '');
  return [
    ...table([...changed, ...rest].map((one) => [verbOf(one), ...wordsOf(one)])),
    ...(same ? [`${style.good('nothing is newer')} than what ${plain(definition)} and its lock name`] : []),
    ...written.map((path) => `${style.good('written')} ${style.bold(plain(path))}`),
    ...(!same && written.length === 0 ? ['nothing was written'] : []),
    ...(diff === undefined ? [] : diffView(diff, style)),
  ];
}

/** A component that the lock has not named is in the definition all the same: its version was chosen. */
function verbOf({ kind, change }: UpdatedInput): string {
  if (change === 'none') return 'stays';
  return change === 'added' && kind === 'component' ? 'chosen' : change;
}

function wordsOf(one: UpdatedInput): string[] {
  return [plain(one.name), plain(changeWords(one)), plain(noteOf(one))];
}

function changeWords({ change, from, to, fromDigest, toDigest }: UpdatedInput): string {
  if (change === 'raised' || change === 'replaced') return `${from} -> ${to}`;
  if (change === 'moved') return `${to ?? ''} ${short(fromDigest)} -> ${short(toDigest)}`.trim();
  return change === 'added' ? `${to ?? ''} ${short(toDigest)}`.trim() : (from ?? '');
}

/** What else there is to know: a newer version that is kept out, and why. */
function noteOf({ beyond, reason }: UpdatedInput): string {
  return [reason, beyond === undefined ? undefined : `${beyond} is there`]
    .filter((one) => one !== undefined)
    .join('; ');
}

/** The first digits of a digest, by which a person can tell it. */
function short(digest: string | undefined): string {
  return (digest ?? '').slice(0, 'sha256:'.length + 12);
}
