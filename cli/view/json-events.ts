import { z } from 'zod';
import type { Fixed } from './json.ts';
import { version } from './json-parts.ts';

const stamped = {
  schemaVersion: version,
  time: z.iso.datetime().optional().describe('in UTC; only in the file of --log-file'),
  run: z.string().optional().describe('the name of the run, which no other one has; only in the file of --log-file'),
};

const subject = z.string().optional().describe('what it is about');

/** A line of `--progress json`, and of the file of `--log-file`; more types and fields may be added. */
export const eventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('step').describe('a stage begins, or its next subject'),
    step: z.string(),
    subject,
    number: z.number().int().positive().optional().describe('which of its subjects it is, where they were counted'),
    of: z.number().int().positive().optional().describe('how many subjects there are'),
    ...stamped,
  }),
  z.object({
    schemaVersion: version,
    type: z.literal('progress').describe('bytes were moved or checked; not in the file of --log-file'),
    step: z.string(),
    done: z.number().int().nonnegative().describe('bytes of this stage so far'),
    total: z.number().int().nonnegative().describe('bytes'),
  }),
  z.object({
    type: z.literal('component').describe('a component that is applied has come further'),
    solution: z.string(),
    version: z.string(),
    component: z.string(),
    state: z.enum(['pending', 'applying', 'waiting', 'ready', 'failed']),
    reason: z.string().optional().describe('what it waits for, or why it failed'),
    after: z
      .array(z.string())
      .optional()
      .describe('components of the same Solution that have to be ready before it is applied'),
    ...stamped,
  }),
  z.object({
    type: z.literal('left').describe('what a run that was interrupted has left'),
    message: z.string(),
    ...stamped,
  }),
  z.object({
    type: z.literal('notice').describe('worth knowing, but not an error'),
    message: z.string(),
    subject,
    ...stamped,
  }),
  z.object({
    type: z.literal('begin').describe('a run begins; only in the file of --log-file'),
    argv: z.array(z.string()).describe('the command with its arguments'),
    version: z.string().describe('of solpack'),
    host: z.string(),
    ...stamped,
  }),
  z.object({
    type: z.literal('error').describe('the run has failed; only in the file of --log-file'),
    message: z.string().describe('a line as on stderr, with its code in brackets at the end'),
    ...stamped,
  }),
  z.object({
    type: z.literal('end').describe('a run has ended; absent where it was killed; only in the file of --log-file'),
    exit: z.number().int().describe('its exit code'),
    ...stamped,
  }),
]);

/** A line as the schema has it: whoever writes one is held to that. */
export type EventLine = Fixed<z.infer<typeof eventSchema>>;
