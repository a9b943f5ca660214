import { readMemory } from '../../../parts/trust/index.ts';
import type { Collector } from '../collector.ts';

/** Returns what this machine remembers of earlier installs. */
export const trustMemory: Collector = {
  name: 'what this machine remembers of earlier installs',
  collect: async ({ request: { trustState }, bundle }) => {
    const { solutions, mends } = await readMemory(trustState);
    await bundle.value('trust.json', { folder: trustState, solutions: Object.fromEntries(solutions), mends });
  },
};
