import { SolpackError } from '../../../kernel/events/index.ts';
import { loadPolicy, loadPublicKey } from '../../../parts/trust/index.ts';
import { failing, type HealthCheck } from '../check.ts';
import type { HealthFinding } from '../request.ts';

/** Looks whether the keys or the policy of the profile can be used. */
export const trustCheck: HealthCheck = {
  code: 'trust',
  purposes: ['serve', 'install'],
  look: async ({ profile, purposes, said: { keys, policy } }) => {
    if (profile === undefined) return [];
    if (policy !== undefined) return [await tried(policy, 'is a policy', () => loadPolicy(policy))];
    const found: HealthFinding[] = [];
    for (const key of keys) found.push(await tried(key, 'is a public key', () => loadPublicKey(key)));
    if (found.length > 0 || !purposes.has('install')) return found;
    const message = 'names neither keys nor a policy: an install needs --key or --policy';
    const hint = 'name the public key of the release: solpack profile set keys FILE';
    return [{ state: 'fails', subject: profile.path, message, hint }];
  },
};

async function tried(subject: string, message: string, work: () => Promise<unknown>): Promise<HealthFinding> {
  try {
    await work();
    return { state: 'ok', subject, message };
  } catch (error) {
    if (error instanceof SolpackError) return failing(error, subject);
    throw error;
  }
}
