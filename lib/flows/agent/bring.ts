import { join } from 'node:path';
import type { InstallPlan } from '../../../formats/solution/install-plan.ts';
import type { Flow } from '../../kernel/events/index.ts';
import type {
  ClusterTarget,
  ConfigurationStatus,
  FollowedDocument,
  Generation,
  Repair,
  SolutionStatus,
} from '../../parts/clusters/index.ts';
import { isShortOfRecords, permitBy } from '../../shared/solutions/trusted/index.ts';
import type { AgentInstall, AgentRequest } from './request.ts';

/** A document that an agent is done with, and the generation that was there then. */
export interface SettledDocument {
  readonly digest: string;
  readonly generation: number;
  /** Why what it says is not there: an install has gone back. Undefined where it is. */
  readonly refusal: string | undefined;
}

/** Decides whether what a document says has been installed, and nothing has come since. */
export function isSettled(
  { digest }: FollowedDocument,
  newest: Generation | undefined,
  settled: SettledDocument | undefined,
): boolean {
  if (newest?.state !== 'ready') return false;
  if (settled?.digest === digest && settled.generation === newest.number) return true;
  return newest.cause === 'install' && newest.configuration === digest;
}

/**
 * Returns what a document has come to that another leader has tried in vain: where its install failed, and what was
 * before it is back, the same again would fail again, and stop for a moment what runs. Undefined where that is not so.
 */
export function refusedBefore(
  { digest }: FollowedDocument,
  [newest, tried]: readonly Generation[],
): SettledDocument | undefined {
  if (newest?.state !== 'ready' || newest.cause !== 'rollback') return undefined;
  if (tried?.state !== 'failed' || tried.configuration !== digest) return undefined;
  const refusal = `generation ${tried.number} has failed, so that generation ${newest.of} is back: ${tried.reason}`;
  return { digest, generation: newest.number, refusal };
}

/**
 * Decides whether what a document says has to be installed once more, although it is there: the policy asks for
 * something that an older solpack did not record of it, so that it could not be put back.
 */
export async function isToRecord(
  newest: Generation | undefined,
  { trust }: Pick<AgentRequest, 'trust'>,
): Promise<boolean> {
  if (newest?.cause !== 'install' || newest.solutions.every(({ release }) => release !== undefined)) return false;
  const asked = await trust();
  return asked !== 'skip' && isShortOfRecords(newest, asked);
}

/** Installs what a document says, as `solpack install` does. */
export function bringDocument(
  document: FollowedDocument,
  name: string,
  { folder, install }: AgentRequest,
  flow: Flow,
  confirmed?: InstallPlan,
): Promise<void> {
  return install({ ...installOf(document, name, { folder }), ...(confirmed && { confirmed }) }, flow);
}

/** Says what is to be installed of a document. */
export function installOf(
  { bytes: document }: FollowedDocument,
  name: string,
  { folder }: Pick<AgentRequest, 'folder'>,
): AgentInstall {
  return { configuration: join(folder, `SolutionsConfiguration ${name}`), document };
}

/** Looks at what is there, and puts back what has drifted, if it is still trusted. Throws `not-trusted`. */
export async function heal(
  configuration: string,
  target: ClusterTarget,
  { trust }: Pick<AgentRequest, 'trust'>,
  flow: Flow,
): Promise<{ readonly status: ConfigurationStatus | undefined; readonly repair: Repair | undefined }> {
  const seen = await target.status(configuration, flow);
  if (seen === undefined || seen.generation.state !== 'ready' || !seen.solutions.some(hasDrifted)) {
    return { status: seen, repair: undefined };
  }
  const asked = await trust();
  const permit = asked === 'skip' ? undefined : await permitBy(asked, 'stands', target, flow);
  const repair = await target.repair(configuration, undefined, flow, permit);
  return { status: await target.status(configuration, flow), repair };
}

function hasDrifted({ objects }: SolutionStatus): boolean {
  return objects.some(({ state, drift }) => state === 'drifted' || drift.length > 0);
}
