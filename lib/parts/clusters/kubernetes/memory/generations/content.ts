import { utf8 } from '../../../../../../formats/bytes.ts';
import { exactJson, parseExactJson } from '../../../../../../formats/exact-json.ts';
import type { KubernetesObject } from '../../../../../../formats/manifest/object.ts';
import { z } from '../../../../../../formats/schema.ts';
import { readyProbeSchema } from '../../../../../../formats/solution/ready-probe-schema.ts';
import { keptRelations, relationsOf } from '../../../../../../formats/solution/relations.ts';
import type { KeptRecord, RenderedSolution } from '../../../kind.ts';

const object = z.custom<KubernetesObject>(
  (value) =>
    z
      .looseObject({
        apiVersion: z.string(),
        kind: z.string(),
        metadata: z.looseObject({ name: z.string(), namespace: z.string().optional() }),
      })
      .safeParse(value).success,
);

const component = z.object({
  name: z.string(),
  objects: z.array(object),
  after: z.array(z.string()),
  timeout: z.number().nonnegative(),
  ready: z.array(readyProbeSchema).optional(),
});

const record = z
  .object({ about: z.string(), base64: z.string() })
  .transform(({ about, base64 }): KeptRecord => ({ about, bytes: Buffer.from(base64, 'base64'), replaces: undefined }));

const solution = z
  .object({
    name: z.string(),
    version: z.string(),
    root: z.string().optional(),
    site: z.string().optional(),
    relations: z.object(keptRelations).transform(relationsOf).optional(),
    components: z.array(component),
    records: z.array(record),
  })
  .transform(
    ({ root, site, relations, ...rest }): RenderedSolution => ({
      ...rest,
      root,
      site,
      ...(relations && { relations }),
    }),
  );

const content = z.object({ solutions: z.array(solution) });

/** Writes what a generation applies as bytes. The same Solutions give the same bytes. */
export function formatContent(solutions: readonly RenderedSolution[]): Uint8Array {
  const stored = solutions.map(({ name, version, root, site, relations, components, records = [] }) => ({
    ...{ name, version, root, site, relations },
    components: components.map(({ name: component, objects, after, timeout, ready }) => {
      return { name: component, objects, after, timeout, ready };
    }),
    records: records.map(({ about, bytes }) => ({ about, base64: Buffer.from(bytes).toString('base64') })),
  }));
  return utf8(exactJson({ solutions: stored }));
}

/** Reads what a generation applied, with its hooks; undefined where the bytes are none. */
export function parseContent(bytes: Uint8Array): readonly RenderedSolution[] | undefined {
  try {
    return content.safeParse(parseExactJson(Buffer.from(bytes).toString())).data?.solutions;
  } catch {
    return undefined;
  }
}
