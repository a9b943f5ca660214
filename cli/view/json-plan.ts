import { z } from 'zod';
import { natural, outsideNeeds, variableList } from './json-parts.ts';
import { rightsFields } from './json-rights.ts';

/** The shape of what `install --plan` prints with `--json`. */
export const plannedInstall = z.object({
  schemaVersion: z.literal(1).describe('of this schema; fields may be added without raising it'),
  configuration: z.string(),
  choices: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      reason: z.string(),
      passedOver: z.array(z.string()).describe('other versions that there are archives of, the highest first'),
      outside: outsideNeeds
        .optional()
        .describe('what it requires and other programs have installed; absent if nothing is'),
    }),
  ),
  variables: variableList.optional().describe('the variables that plugins get; absent if there is no plugin'),
  steps: z
    .array(
      z.object({
        kind: z.string().describe('of the step of the install that does it'),
        subject: z.string().describe('an object as Kind/namespace/name or Kind/name; a path, a reference, an address'),
        action: z
          .enum(['create', 'change', 'replace', 'remove', 'keep', 'run', 'send', 'tag', 'remember', 'none'])
          .describe(
            'replace: deleted and created again; keep: no longer wanted, but stays; run: a hook; none: no change',
          ),
        changes: z.array(
          z.object({
            path: z.string().describe('names between dots'),
            from: z.unknown().optional().describe('absent where the field is not there, or may be secret'),
            to: z.unknown().optional(),
          }),
        ),
        step: z.string().describe('digest of everything that decides what the step does'),
        reason: z.string().optional(),
        solution: z.string().optional(),
        component: z.string().optional(),
        event: z.string().optional().describe('of a hook'),
        restarts: natural.optional().describe('how many Pods start again; absent where none has to'),
        bytes: natural.optional(),
        uid: z.string().optional().describe('of the object that is there'),
      }),
    )
    .describe('in the order in which they are done'),
  bytes: natural.describe('of all contents that are sent to a registry'),
  unchanged: natural.describe('objects, contents and files that stay as they are'),
  room: z
    .array(z.object({ place: z.string(), needed: natural, free: natural.optional() }))
    .describe('bytes by folder or registry; free is absent if it is unknown'),
  solutions: z
    .array(
      z.object({
        name: z.string(),
        version: z.string(),
        installed: z.string().optional().describe('the version that is there now; absent where none is'),
        images: natural.describe('that its archive holds'),
        bytes: natural.describe('of these'),
      }),
    )
    .optional()
    .describe('what is brought'),
  removals: z
    .array(
      z.object({
        solution: z.string(),
        kind: z
          .enum(['solution', 'data', 'downgrade'])
          .describe(
            'solution: all of it is removed; data: objects that hold data are removed; downgrade: an older release is installed',
          ),
        version: z.string().optional().describe('that is there now'),
        to: z.string().optional().describe('the version that comes'),
        objects: z.array(z.string()).describe('those that go and hold data'),
      }),
    )
    .optional()
    .describe('what a person, or --allow-removal, has to name; absent if there is nothing'),
  drawn: z
    .array(
      z.object({
        solution: z.string(),
        component: z.string(),
        object: z.string().describe('Kind/namespace/name or Kind/name'),
        fields: z.array(z.string()).describe('names between dots'),
        readers: z.array(z.string()).describe('objects whose Pods read it'),
      }),
    )
    .optional()
    .describe('values that charts generate again, such as passwords, although they exist; absent if there are none'),
  keptDraws: z
    .array(
      z.object({
        solution: z.string(),
        component: z.string(),
        object: z.string().describe('Kind/namespace/name or Kind/name'),
        fields: z.array(z.string()).describe('names between dots'),
      }),
    )
    .optional()
    .describe('values that charts drew and that stay, because keep-drawn says so; absent where that is nothing'),
  lasted: natural.optional().describe('seconds that the last install of this configuration took'),
  rights: z
    .object(rightsFields)
    .optional()
    .describe('the rights that the Solutions grant, and those that are needed; absent if nothing is applied'),
  seal: z.string().describe('proves what the plan does not show: SALT:DIGEST'),
});
