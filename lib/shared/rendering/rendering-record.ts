import { utf8 } from '../../../formats/bytes.ts';
import type { ChartTraits } from '../../../formats/chart/text-traits.ts';
import { exactJson, parseExactJson } from '../../../formats/exact-json.ts';
import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import { z } from '../../../formats/schema.ts';
import type { StatedObject } from '../../parts/components/index.ts';

/** What a component was rendered to, and from what. */
export interface Rendering {
  /** Digest of its files and of how they are rendered. */
  readonly inputs: string;
  /** Digest of what it may have asked of the cluster. */
  readonly facts: string;
  /**
   * Groups and versions, as `group/version`, that the cluster has once this is installed, and that do not count as
   * facts.
   */
  readonly brought: readonly string[];
  /** Whether it was an upgrade of something else. */
  readonly upgrade: boolean;
  readonly traits: ChartTraits;
  readonly objects: readonly StatedObject[];
  /** What was reported when it was rendered. */
  readonly notices: readonly { readonly subject: string; readonly message: string }[];
}

const texts = z.array(z.string());

const object = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), namespace: z.string().optional() }),
});

const rendering = z.object({
  format: z.literal(1),
  inputs: z.string(),
  facts: z.string(),
  brought: texts,
  upgrade: z.boolean(),
  traits: z.object({ asksKinds: z.boolean(), looksUp: z.boolean(), draws: z.boolean(), defines: texts }),
  objects: z.array(z.object({ object, source: z.string().nullable() })),
  notices: z.array(z.object({ subject: z.string(), message: z.string() })),
});

/** Writes a rendering as it is remembered in a cluster. The same rendering gives the same bytes. */
export function formatRendering({ objects, ...rest }: Rendering): Uint8Array {
  const listed = objects.map(({ object: one, source }) => ({ object: one, source: source ?? null }));
  return utf8(exactJson({ format: 1, ...rest, objects: listed }));
}

/** Reads what `formatRendering` wrote; undefined for anything else, also of an earlier or later release. */
export function parseRendering(bytes: Uint8Array): Rendering | undefined {
  const value = parsed(bytes);
  if (!isRendering(value)) return undefined;
  // As they stand there: objects keep the order of their fields.
  const { format: _, objects, ...rest } = value;
  const stated = objects.map(({ object: one, source }) => {
    return { object: one as KubernetesObject, source: source ?? undefined };
  });
  return { ...rest, objects: stated };
}

function isRendering(value: unknown): value is z.infer<typeof rendering> {
  return rendering.safeParse(value).success;
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return parseExactJson(Buffer.from(bytes).toString());
  } catch {
    return undefined;
  }
}
