import { shortKey, sizeWords } from '../../lib/command.ts';
import type { Inspection } from '../../lib/index.ts';
import { count, plain } from '../io.ts';
import { type Style, table } from './style.ts';

type Attestation = Inspection['attestations'][number];

/**
 * Returns how many attestations there are, of which kinds, and who signed them; with `lists`, each of them on a line.
 */
export function attestationsView(attestations: readonly Attestation[], style: Style, lists: boolean): string[] {
  const title = style.bold(count(attestations.length, 'attestation'));
  if (attestations.length === 0) return [title];
  const summary = [kindsOf(attestations), signersOf(attestations)].filter(Boolean).join('; ');
  if (!lists) return [`${title}  ${summary}; --all lists ${attestations.length === 1 ? 'it' : 'them'}`];
  return [`${title}  ${summary}`, ...table(attestations.map(rowOf), [2])];
}

function rowOf({ name, predicateType, size, reference, signed, keyId }: Attestation): string[] {
  const who = keyId === undefined ? (signed === false ? 'not signed' : '') : `key ${shortKey(keyId)}`;
  return [`  ${name}`, predicateType, sizeWords(size), `about ${reference ?? 'the Solution'}`, who].map(plain);
}

/** In-toto predicate types of SBOMs and of provenance begin so, in each of their versions. */
const kinds: readonly { readonly begin: readonly string[]; readonly noun: readonly [string, string] }[] = [
  { begin: ['https://cyclonedx.org/bom', 'https://spdx.dev/Document'], noun: ['SBOM', 'SBOMs'] },
  { begin: ['https://slsa.dev/provenance'], noun: ['provenance', 'provenances'] },
  { begin: [''], noun: ['of another kind', 'of other kinds'] },
];

function kindsOf(attestations: readonly Attestation[]): string {
  const numbers = kinds.map(() => 0);
  for (const { predicateType } of attestations) {
    numbers[kinds.findIndex(({ begin }) => begin.some((one) => predicateType.startsWith(one)))]! += 1;
  }
  return kinds.flatMap(({ noun }, at) => (numbers[at] === 0 ? [] : [count(numbers[at]!, ...noun)])).join(', ');
}

function signersOf(attestations: readonly Attestation[]): string {
  const keys = [...new Set(attestations.flatMap(({ keyId }) => (keyId === undefined ? [] : [shortKey(keyId)])))];
  const bare = attestations.filter(({ keyId }) => keyId === undefined).length;
  if (keys.length === 0) return attestations.every(({ signed }) => signed === false) ? 'not signed' : '';
  return `by key ${keys.join(', ')}${bare === 0 ? '' : `, except ${bare}`}`;
}
