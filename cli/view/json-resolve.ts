import { z } from 'zod';
import { outsideNeeds, version } from './json-parts.ts';

const ask = { name: z.string().describe('of a Solution or a capability'), range: z.string() };

const decided = {
  name: z.string(),
  version: z.string(),
  why: z.enum(['wanted', 'required', 'recommended']),
  reason: z.string().describe('why it is there in this version'),
  passedOver: z.array(z.string()).describe('other versions that there are archives of, the highest first'),
  needs: z.array(
    z.object({
      kind: z.enum(['requires', 'any-of', 'recommends']),
      ...ask,
      by: z.string().describe('the Solution that meets it'),
    }),
  ),
  outside: outsideNeeds.optional().describe('what it requires and other programs have installed; absent if nothing is'),
};

const around = {
  installed: z
    .array(z.object({ name: z.string(), version: z.string(), configuration: z.string() }))
    .describe('what other configurations have installed in the cluster'),
  unmet: z.array(z.object({ of: z.string(), ...ask })).describe('recommendations that are not met'),
  replaced: z
    .array(
      z.object({
        name: z.string().describe('of a Solution that the configuration wants'),
        by: z.string().describe('the Solution that takes its place: of the set, or installed by another configuration'),
      }),
    )
    .describe('what is wanted and not in the set, because another Solution replaces it'),
};

/** What `resolve` and `history --why` print with `--json`. */
export const resolveSchemas = {
  'history-why': z.object({
    schemaVersion: version,
    configuration: z.string().describe('its name'),
    generation: z.number().int().positive(),
    cause: z
      .enum(['install', 'rollback', 'uninstall'])
      .describe('of a rollback: its reasons are those of the generation that it went back to'),
    solutions: z.array(z.object(decided)).describe('in the order in which they were installed'),
    ...around,
    heldBack: z
      .array(z.object({ name: z.string(), version: z.string(), reason: z.string() }))
      .describe('versions that may not be installed over what the cluster had'),
  }),
  resolve: z.object({
    schemaVersion: version,
    configuration: z.string().describe('its name'),
    resolved: z.boolean().describe('whether there is a set'),
    solutions: z
      .array(z.object({ ...decided, archive: z.string() }))
      .describe('in the order in which they are installed; empty where there is no set'),
    order: z
      .object({
        by: z
          .enum(['kinds', 'relations'])
          .describe(
            'kinds: as an install orders them, by what they define, use and ask for; relations: by what they ask for alone',
          ),
        without: z.array(z.string()).describe('what was not rendered for that, and why'),
      })
      .describe('what the order of the Solutions rests on'),
    ...around,
    heldBack: z
      .array(
        z.object({
          name: z.string(),
          version: z.string().describe('the highest version that may not be installed over the one in the cluster'),
          barrier: z.object({
            of: z.string().describe('the Solution or capability whose versions it is about'),
            over: z.string().describe('over which versions of it this may be installed'),
            present: z.string().describe('the version that the cluster has'),
          }),
          way: z
            .object({
              versions: z.array(z.string()).describe('from the one in the cluster on'),
              missing: z.string().optional().describe('the range of a version that there is no archive of'),
            })
            .optional()
            .describe('how to get there; left out where no way is known'),
          reason: z.string().describe('all of it in words'),
        }),
      )
      .describe('what a later version is installed over step by step'),
    explanation: z.array(z.string()).describe('why there is no set, in sentences; empty where there is one'),
    help: z.array(z.string()).describe('what would help, each by itself'),
  }),
} as const;
