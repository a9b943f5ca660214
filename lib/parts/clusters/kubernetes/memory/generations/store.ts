import { sha256 } from '../../../../../../formats/digest.ts';
import type { Generation } from '../../../generation.ts';
import type { RenderedSolution } from '../../../kind.ts';
import type { ApplySession } from '../../server/index.ts';
import { currentHolder } from '../lease.ts';
import { listRecords, type RecordName, readRecord, removeRecords, storeRecord } from '../records/index.ts';
import { parseContent } from './content.ts';
import { formatHeader, type GenerationHeader, parseHeader } from './header.ts';

/** What records of generations are named by, before their numbers: of headers, and of what was applied. */
const HEADER = 'generation';
const CONTENT = 'content';

/** Why a generation counts as interrupted. */
export const INTERRUPTED = 'its run ended before it was done';

/**
 * Reads the generations of a configuration as they are stored, the newest first; those that cannot be read are left
 * out.
 */
export async function readHeaders(configuration: string, session: ApplySession): Promise<readonly GenerationHeader[]> {
  const found = await listRecords(HEADER, session, { configuration });
  const headers = found.flatMap(({ bytes }) => parseHeader(bytes) ?? []);
  return headers.sort((a, b) => b.number - a.number);
}

/**
 * Reads the generations of a configuration, the newest first. One whose run is gone is interrupted, whatever it says.
 */
export async function readGenerations(configuration: string, session: ApplySession): Promise<readonly Generation[]> {
  const headers = await readHeaders(configuration, session);
  if (!headers.some(({ state }) => state === 'applying')) return headers.map(withoutContent);
  const holder = await currentHolder(configuration, session);
  return headers.map((one) =>
    withoutContent(one.state === 'applying' && one.holder !== holder ? interrupted(one) : one),
  );
}

/**
 * Returns what a configuration will have whose newest generation a run is bringing about now; of each of these
 * configurations.
 */
export async function readUnderWay(
  session: ApplySession,
): Promise<readonly { readonly configuration: string; readonly solutions: readonly RenderedSolution[] }[]> {
  const newest = new Map<string, GenerationHeader>();
  for (const { owner, bytes } of await listRecords(HEADER, session)) {
    const header = 'configuration' in owner ? parseHeader(bytes) : undefined;
    if (header === undefined || !('configuration' in owner)) continue;
    const { configuration } = owner;
    if (header.number > (newest.get(configuration)?.number ?? 0)) newest.set(configuration, header);
  }
  const found: { configuration: string; solutions: readonly RenderedSolution[] }[] = [];
  for (const [configuration, { state, holder, number }] of newest) {
    if (state !== 'applying' || holder !== (await currentHolder(configuration, session))) continue;
    found.push({ configuration, solutions: (await readContent(configuration, number, session)) ?? [] });
  }
  return found;
}

/** Names all configurations that a cluster remembers generations of, in order. */
export async function readConfigurations(session: ApplySession): Promise<readonly string[]> {
  const found = await listRecords(HEADER, session);
  const names = found.flatMap(({ owner }) => ('configuration' in owner ? [owner.configuration] : []));
  return [...new Set(names)].sort();
}

/**
 * Reads what a generation applied; undefined where that is not there, is damaged, or is not what its header names: a
 * policy judges the header.
 */
export async function readContent(
  configuration: string,
  number: number,
  session: ApplySession,
): Promise<readonly RenderedSolution[] | undefined> {
  const [bytes, header] = await Promise.all([
    readRecord(contentName(configuration, number), session),
    readRecord(headerName(configuration, number), session),
  ]);
  if (bytes === undefined || header === undefined) return undefined;
  return parseHeader(header)?.content === sha256(bytes) ? parseContent(bytes) : undefined;
}

/** Stores a generation that begins: what it applies, and then its header, without which it does not count. */
export async function storeGeneration(
  configuration: string,
  header: GenerationHeader,
  content: Uint8Array,
  session: ApplySession,
): Promise<void> {
  if (sha256(content) !== header.content) throw new Error('a header has to have the digest of its content');
  await storeRecord(contentName(configuration, header.number), content, session);
  await storeHeader(configuration, header, session);
}

/** Stores how far a generation is. */
export async function storeHeader(
  configuration: string,
  header: GenerationHeader,
  session: ApplySession,
): Promise<void> {
  await storeRecord(headerName(configuration, header.number), formatHeader(header), session);
}

/** Forgets the generations of a configuration whose numbers are not among those that are kept. */
export async function forgetOthers(
  configuration: string,
  kept: ReadonlySet<number>,
  session: ApplySession,
): Promise<void> {
  await removeRecords({ configuration }, session, (about) => {
    const [kind, number] = about.split('.');
    return (kind !== HEADER && kind !== CONTENT) || kept.has(Number(number));
  });
}

/** Returns a generation whose run is gone as what it is. */
export function interrupted<T extends Generation>(generation: T): T {
  return { ...generation, state: 'interrupted', reason: INTERRUPTED };
}

function withoutContent({ content: _, holder: __, ...generation }: GenerationHeader): Generation {
  return generation;
}

function headerName(configuration: string, number: number): RecordName {
  return { configuration, about: `${HEADER}.${number}` };
}

function contentName(configuration: string, number: number): RecordName {
  return { configuration, about: `${CONTENT}.${number}` };
}
