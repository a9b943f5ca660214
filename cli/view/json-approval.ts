import { z } from 'zod';
import { natural, version } from './json-parts.ts';
import { plannedInstall } from './json-plan.ts';

const state = z
  .enum(['Waiting', 'Approved', 'Denied'])
  .describe('Waiting: nobody has decided about this plan; Approved: the agent carries it out; Denied: it does not');

/** The shapes of what is reported about the plans of agents. */
export const approvalSchemas = {
  approval: z.object({
    schemaVersion: version,
    configuration: z.string(),
    state,
    reason: z.string().optional().describe('of the decision, for people; absent where nobody gave one'),
    plan: plannedInstall
      .omit({ schemaVersion: true })
      .describe('what the agent would do; its seal is what is approved'),
  }),
  'approval-status': z.object({
    schemaVersion: version,
    configurations: z.array(
      z.object({
        configuration: z.string(),
        ready: z.string().describe('the condition Ready: True, False or Unknown'),
        reason: z.string().describe('of this condition, in CamelCase'),
        message: z.string(),
        generation: natural.optional().describe('the number of the present generation; absent if it is unknown'),
        plan: z
          .object({ state, seal: z.string() })
          .optional()
          .describe('absent where no plan is to be decided about or carried out'),
      }),
    ),
  }),
} as const;
