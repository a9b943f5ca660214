import { z } from 'zod';
import { usedImages } from './json-images.ts';
import { digest, keyId, natural, objects, size, variableList, version } from './json-parts.ts';
import { plannedInstall } from './json-plan.ts';

const siteChange = z.object({
  object: z.string().describe('Kind name, or Kind namespace/name'),
  change: z.enum(['added', 'removed', 'changed']),
  fields: z.array(z.string()).describe('of an object that was changed, with dots between names'),
});

const siteComponent = z.object({
  component: z.string(),
  values: z.array(z.string()).describe('the values that are set, with dots between names'),
  secrets: z.array(z.string()).describe('those of them that come from the environment or from files of their own'),
  patches: natural.describe('how many there are'),
  keepDrawn: z
    .boolean()
    .optional()
    .describe('whether upgrades keep what was drawn; absent where the site does not say it'),
  objects: z
    .array(siteChange)
    .optional()
    .describe('what the site changes; absent where nothing is rendered without it'),
});

const site = z.object({
  digest: digest.describe('of values, patches and keepDrawn, and of where secrets come from; not of the secrets'),
  components: z.array(siteComponent).describe('what was rendered with it'),
});

/** What `install`, its plan and `load` print. */
export const installSchemas = {
  install: z.object({
    schemaVersion: version,
    trust: z
      .enum(['policy', 'keys', 'skipped'])
      .describe('by what the archives are trusted; skipped: --insecure-skip-verify'),
    registry: z.string(),
    solutions: z.array(
      z.object({
        name: z.string(),
        version: z.string(),
        archive: z.string(),
        root: digest,
        signers: z.array(keyId),
        downgraded: z
          .boolean()
          .describe(
            'whether a higher sequence was installed before; or, without one, the cluster had a higher version',
          ),
        applied: z.array(z.string()).describe('files that were rendered, in order'),
        images: usedImages,
        objects,
        site: site.optional().describe('what the site sets for it; absent where that is nothing'),
      }),
    ),
    removed: z
      .array(z.object({ name: z.string(), version: z.string(), objects }))
      .describe('Solutions that the configuration brought to the cluster earlier, and no longer activates'),
    images: z.array(
      z.object({
        reference: z.string(),
        target: z.string().describe('the name by which nodes pull it, with its digest'),
      }),
    ),
    variables: variableList.optional().describe('the variables that plugins got; empty if there is no plugin'),
    mirrors: z
      .array(z.string())
      .describe('hosts.toml files that were written; those that were already right are not listed'),
    tests: z
      .array(
        z.object({
          solution: z.string(),
          component: z.string(),
          object: z.string().describe('Kind namespace/name'),
          log: z.array(z.string()).describe('the last lines that it printed'),
        }),
      )
      .optional()
      .describe('tests of charts that have passed; only with --test'),
    generation: natural.optional().describe('the number of the generation that is in the cluster now'),
    exposed: z
      .array(
        z.object({
          object: z.string().describe('Kind namespace/name'),
          addresses: z
            .array(z.string())
            .describe('URLs, or HOST:PORT; ADDRESS and NODE stand for what is not known yet'),
        }),
      )
      .optional()
      .describe('what answers from outside of the cluster: Ingresses, Gateways, node ports and load balancers'),
    moved: z.number().int(),
    movedBytes: size,
    present: z.number().int(),
    movedTags: z
      .array(z.object({ tag: z.string().describe('HOST[:PORT]/REPOSITORY:TAG'), from: digest, to: digest }))
      .describe('tags of the registry that pointed to something else before'),
  }),
  'install-plan': plannedInstall,
} as const;
