import { z } from 'zod';
import { version } from './json-parts.ts';

const moment = z.iso.datetime().describe('in UTC');

const components = z.array(
  z.object({
    solution: z.string(),
    version: z.string(),
    component: z.string(),
    state: z.enum(['pending', 'applying', 'waiting', 'ready', 'failed']),
    reason: z.string().optional().describe('what it waits for, or why it failed'),
    since: moment,
  }),
);

const progress = z.object({
  state: z.enum(['running', 'ready', 'failed', 'interrupted']),
  since: moment,
  renewed: moment,
  runner: z.string().describe('the run: a Pod, or a process of a host'),
  attempt: z.number().int().positive().describe('runs that ended before they were ready, and this one'),
  step: z.string().optional().describe('what it does, or did last'),
  code: z.string().optional().describe('the code of the error that it ended with'),
  reason: z.string().optional().describe('why it ended, or how the run before it did'),
  components,
});

/** The shapes of what is reported the progress of installs. */
export const progressSchemas = {
  boot: z.object({
    schemaVersion: version,
    namespace: z.string(),
    job: z.string().describe('the Job that has installed'),
    attempt: z.number().int().positive().describe('how many of its Pods have begun an install'),
    components,
    schedule: z.string().optional().describe('when the repair begins; absent where there is none'),
  }),
  settle: z.object({
    schemaVersion: version,
    wasSilent: z.boolean().describe('whether the run had ended without a report, so that its end was written now'),
    progress: progress.describe('as the ConfigMap has it in `progress.json`, beside its own `schemaVersion`'),
  }),
} as const;
