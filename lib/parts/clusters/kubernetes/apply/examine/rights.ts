import { pool, SolpackError } from '../../../../../kernel/events/index.ts';
import { ApiError, type ApplySession, ifReadable, type ObjectName } from '../../server/index.ts';
import { type NeededRight, rightWords } from './needed-rights.ts';

/** How many reviews are asked for at once, and for how many objects one by one, where all of a kind are not allowed. */
const limits = { parallel: 16, single: 20 } as const;

/** Decides whether a user may do everything: then nothing else has to be asked. */
export async function mayDoAll({ api, flow: { signal } }: ApplySession): Promise<boolean> {
  return api.allows({ verb: '*', group: '*', resource: '*' }, signal);
}

/**
 * Finds the rights that the user of a session lacks (authorization.k8s.io/v1, SelfSubjectAccessReview). Throws
 * `ApiError` where the server answers no reviews.
 */
export async function examineRights(
  rights: readonly NeededRight[],
  session: ApplySession,
): Promise<readonly SolpackError[]> {
  const lacking = new Set<NeededRight>();
  await pool(rights, { limit: limits.parallel, signal: session.flow.signal }, async (right) => {
    if (await isLacking(right, session)) lacking.add(right);
  });
  if (lacking.size === 0) return [];
  const user = await session.api.whoAmI(session.flow.signal);
  const who = user === undefined ? 'the user' : `user "${user}"`;
  const hint = `let an administrator allow it to ${user ?? 'the user'}, or use a kubeconfig of somebody with that right`;
  return rights
    .filter((right) => lacking.has(right))
    .map((right) => {
      const message = `${who} may not ${rightWords(right)}`;
      return new SolpackError('cluster-forbidden', session.api.server, message, { hint });
    });
}

async function isLacking(right: NeededRight, session: ApplySession): Promise<boolean> {
  const { api, flow } = session;
  const { names, ...place } = right;
  if (await api.allows(place, flow.signal)) return false;
  if (right.verb === 'create') return isCreating(right, session);
  if (names.length === 0 || names.length > limits.single) return true;
  // A rule may name the objects that it is for.
  for (const { name } of names) if (!(await api.allows({ ...place, name }, flow.signal))) return true;
  return false;
}

/**
 * To apply an object that is there makes none; what solpack keeps is made anew in any case. Where objects may not be
 * read, the user needs another right anyway, and is reported both.
 */
async function isCreating({ names }: NeededRight, { api, flow }: ApplySession): Promise<boolean> {
  if (names.length === 0) return true;
  const unseen = new Set<ObjectName>();
  await pool(names, { limit: limits.parallel, signal: flow.signal }, async (name, signal) => {
    const found = await ifReadable(signal, undefined, () => api.read(name, signal));
    if (found === undefined) unseen.add(name);
  });
  return unseen.size > 0;
}

/** Tells that rights could not be looked at, which is no reason to end. */
export function tellUnreviewed(error: unknown, { api, flow }: ApplySession): readonly SolpackError[] {
  if (!(error instanceof ApiError) || error.status === 0 || error.status === 401) throw error;
  const message = `rights are not checked before the install: ${error.message}`;
  flow.onEvent({ type: 'notice', subject: api.server, message });
  return [];
}
