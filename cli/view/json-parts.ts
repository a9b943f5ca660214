import { z } from 'zod';

/** The version of each result. */
export const version = z.literal(1).describe('of this schema; fields may be added without raising it');

const change = z.object({
  object: z.string().describe('Kind name, or Kind namespace/name'),
  action: z.enum(['created', 'changed', 'replaced', 'unchanged', 'ran', 'removed', 'kept']),
  component: z.string().optional().describe('the component that brings it; absent where none does any longer'),
  reason: z.string().optional().describe('why it was kept; absent of all others'),
});

/** What became of objects. */
export const objects = z.array(change).describe('in the cluster, in the order in which they were applied or removed');
