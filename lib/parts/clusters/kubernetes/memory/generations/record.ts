import { hostname } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import { sha256 } from '../../../../../../formats/digest.ts';
import { shellWord } from '../../../../../../formats/shell-word.ts';
import { SolpackError } from '../../../../../kernel/events/index.ts';
import type { GenerationNote, GenerationSolution } from '../../../generation.ts';
import type { ApplyRequest } from '../../../kind.ts';
import { type ApplySession, clusterError, nameOf, wordsOf } from '../../server/index.ts';
import { inTurn } from '../lease.ts';
import { formatContent } from './content.ts';
import type { GenerationHeader } from './header.ts';
import { requireTogether } from './others.ts';
import { forgetOthers, interrupted, readHeaders, storeGeneration, storeHeader } from './store.ts';

/** How long it may take to record that a run was ended, in milliseconds. */
const LAST_WORDS = 2_000;

/** What a generation is recorded with. */
export interface Recording {
  readonly request: Pick<ApplyRequest, 'configuration' | 'solutions' | 'generation' | 'takeOver'>;
  /** Whether something will change, or may. */
  readonly changes: boolean;
  /** The holder of the Lease. */
  readonly holder: string;
  /** The custom resources that have been migrated so far, in words. */
  readonly migrated: ReadonlySet<string>;
  /** Throws what would end it at once, before it is recorded that it has begun. */
  prove(): Promise<void>;
}

/**
 * Does `work` as a generation of its configuration: it is recorded before anything changes, and again with how that
 * ended. Where all is as the previous generation left it, there is no new one. Returns also the number of the
 * generation; undefined where the request has none recorded. The Lease is held meanwhile. Throws `configuration-busy`
 * where there is a newer generation than the one that the request comes after, and `set-impossible` where by now
 * another configuration requires otherwise.
 */
export async function inGeneration<T>(
  recording: Recording,
  session: ApplySession,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly generation: number | undefined }> {
  const { configuration, generation: note } = recording.request;
  if (note === undefined) return { result: await work(), generation: undefined };
  const known = await readHeaders(configuration, session);
  for (const one of known) {
    // Whoever began it does not hold the Lease any longer.
    if (one.state === 'applying') await storeHeader(configuration, interrupted(one), session);
  }
  const content = formatContent(recording.request.solutions);
  const last = known[0];
  if (note.after !== undefined && last !== undefined && last.number > note.after) throw overtaken(configuration, last);
  await recording.prove();
  const isSame = last?.state === 'ready' && last.content === sha256(content) && isAlike(last.solutions, note.solutions);
  if (isSame && !recording.changes) return { result: await work(), generation: last.number };
  const header = await begun(recording, note, { number: (last?.number ?? 0) + 1, content: sha256(content) }, session);
  // What another configuration begins meanwhile sees this one begun, or is seen by it.
  await inTurn(session, async (own) => {
    await requireTogether(recording.request, own);
    await storeGeneration(configuration, header, content, own);
  });
  let result: T;
  try {
    result = await work();
  } catch (error) {
    await recordFailure(configuration, asMigrated(header, recording), note, error, session);
    tellFailure(configuration, header, known, session);
    throw error;
  }
  const ended = new Date().toISOString();
  await storeHeader(configuration, { ...asMigrated(header, recording), state: 'ready', ended }, session);
  await forgetOthers(configuration, keptOf([{ ...header, state: 'ready' }, ...known], note.keep), session);
  return { result, generation: header.number };
}

function overtaken(configuration: string, { number, host, cause }: GenerationHeader): SolpackError {
  const message = `generation ${number} (${cause}, from ${host}) was recorded after this run decided what to do`;
  return new SolpackError('configuration-busy', `configuration ${configuration}`, message, {
    hint: '"solpack history" shows what it installed; run the same command again, if it is still wanted',
  });
}

async function begun(
  { holder, request }: Recording,
  { cause, of, configuration, solutions, resolution }: GenerationNote,
  { number, content }: Pick<GenerationHeader, 'number' | 'content'>,
  { api, flow: { signal } }: ApplySession,
): Promise<GenerationHeader> {
  const by = (await api.whoAmI(signal)) ?? 'unknown';
  return {
    ...{ number, at: new Date().toISOString(), by, host: hostname(), state: 'applying', reason: undefined },
    ...{ cause, of, configuration, content, holder, ...(resolution && { resolution }) },
    solutions: solutions.map((one) => {
      const planned = request.solutions.find(({ name }) => name === one.name)?.components ?? [];
      const migrated = planned.flatMap(({ migrations = [] }) => migrations.map((object) => wordsOf(nameOf(object))));
      return migrated.length === 0 ? one : { ...one, migrated };
    }),
  };
}

/** What is recorded once a run has ended: what it has migrated, of what it was to. */
function asMigrated(header: GenerationHeader, { migrated: done }: Recording): GenerationHeader {
  const solutions = header.solutions.map(({ migrated = [], ...one }) => {
    const own = migrated.filter((name) => done.has(name));
    return own.length === 0 ? one : { ...one, migrated: own };
  });
  return { ...header, solutions };
}

/** Decides whether Solutions are the same, by the same signers, and their images where they were. */
function isAlike(before: readonly GenerationSolution[], now: readonly GenerationSolution[]): boolean {
  // As they are stored: what is undefined is not there.
  const compared = (all: readonly GenerationSolution[]): unknown =>
    JSON.parse(JSON.stringify(all.map(({ archive: _, migrated: __, ...rest }) => rest)));
  return isDeepStrictEqual(compared(before), compared(now));
}

/**
 * Records why a generation has failed, also where the run is being ended. What cannot be recorded shows in the Lease.
 */
async function recordFailure(
  configuration: string,
  header: GenerationHeader,
  { redact = (text) => text }: GenerationNote,
  error: unknown,
  session: ApplySession,
): Promise<void> {
  // The run that has the Lease now has recorded that this one was interrupted.
  if (error instanceof SolpackError && error.code === 'configuration-busy') return;
  const { flow } = session;
  const isEnded = flow.signal.aborted;
  const failure = clusterError(error, session.api.server);
  const words = failure instanceof SolpackError ? `${failure.summary} [${failure.code}]` : String(failure);
  const ended = new Date().toISOString();
  const failed: GenerationHeader = isEnded
    ? { ...header, ended, state: 'interrupted', reason: 'it was interrupted before it was done' }
    : { ...header, ended, state: 'failed', reason: redact(words) };
  const own = isEnded ? { ...session, flow: { ...flow, signal: AbortSignal.timeout(LAST_WORDS) } } : session;
  await storeHeader(configuration, failed, own).catch(() => undefined);
}

/** Reports what is there after a failure, and how to get out of it. */
function tellFailure(
  configuration: string,
  { number, solutions, cause, of }: GenerationHeader,
  known: readonly GenerationHeader[],
  { flow }: ApplySession,
): void {
  const before = known.find(({ state }) => state === 'ready');
  const versions = (all: readonly GenerationSolution[]): string =>
    all.map(({ name, version }) => `${name} ${version}`).join(', ') || 'nothing';
  const back = before && `"solpack rollback ${before.number}" goes back to ${versions(before.solutions)}`;
  const there = `generation ${number} (${versions(solutions)}) is installed in part`;
  if (flow.signal.aborted) {
    const other = back ?? `"solpack uninstall ${shellWord(configuration)}" removes it`;
    // A rollback may be part of an install, which would bring again what it goes back from.
    const rest = cause === 'rollback' && of !== undefined ? `"solpack rollback ${of}"` : 'the same command';
    flow.onEvent({ type: 'left', message: `${there}; ${rest} does the rest, and ${other}` });
    return;
  }
  const message = `${there}: run the same command again, or ${back ?? 'there is no generation to go back to'}`;
  flow.onEvent({ type: 'notice', subject: `configuration ${configuration}`, message });
}

/** Returns the numbers of the generations that stay: the newest ones, and the newest of those that all went well in. */
function keptOf(newestFirst: readonly GenerationHeader[], keep: number): ReadonlySet<number> {
  const newest = newestFirst.slice(0, Math.max(1, keep));
  const ready = newestFirst.find(({ state }) => state === 'ready');
  return new Set([...newest, ...(ready ? [ready] : [])].map(({ number }) => number));
}
