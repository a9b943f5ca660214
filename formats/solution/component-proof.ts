import { digestSchema } from '../oci/descriptor.ts';
import { z } from '../schema.ts';

const proof = z.strictObject({
  /** Digest over everything that decides what the component becomes. */
  inputs: digestSchema,
  /** What its CustomResourceDefinitions define: `group/version` and `group/version/Kind`. */
  kinds: z.array(z.string()),
  /**
   * The kinds of its objects that are none of Kubernetes itself, as `group/version/Kind`; left out where there are
   * none.
   */
  uses: z.array(z.string()).optional(),
  /** Its objects, as `Kind.group/namespace/name`. */
  objects: z.array(z.string()),
  /** The images that its objects name: what, in which object, where in it, and how sure that is. */
  references: z.array(z.tuple([z.string(), z.string(), z.string(), z.enum(['certain', 'likely'])])),
  /**
   * The addresses that its containers seem to fetch from: what, in which object, where in it; left out where there are
   * none.
   */
  fetches: z.array(z.tuple([z.string(), z.string(), z.string()])).optional(),
  /** What its templates ask a cluster for: the API, and where; left out where there is none. */
  asks: z.array(z.tuple([z.string(), z.string()])).optional(),
  /**
   * The kinds that its templates define with other values alone, as `group/Kind`, also of a group that values tell
   * (`*`); left out where there are none.
   */
  dormant: z.array(z.string()).optional(),
  /** The values that it draws each time that it is rendered: in which object, and where in it. */
  drawn: z.array(z.tuple([z.string(), z.string()])),
});

/**
 * What was found out when a component was rendered and nothing was wrong with it: all that has to be known of it to
 * prove once more that its Solution is closed, without rendering it.
 */
export type ComponentProof = z.infer<typeof proof>;

/** Writes a proof in one line, its lists in order. */
export function encodeProof({
  inputs,
  kinds,
  uses = [],
  objects,
  references,
  fetches = [],
  asks = [],
  dormant = [],
  drawn,
}: ComponentProof): string {
  return JSON.stringify({
    inputs,
    kinds: [...new Set(kinds)].sort(),
    ...(uses.length === 0 ? {} : { uses: [...new Set(uses)].sort() }),
    objects: [...new Set(objects)].sort(),
    references: inOrder(references),
    ...(fetches.length === 0 ? {} : { fetches: inOrder(fetches) }),
    ...(asks.length === 0 ? {} : { asks: inOrder(asks) }),
    ...(dormant.length === 0 ? {} : { dormant: [...new Set(dormant)].sort() }),
    drawn: inOrder(drawn),
  });
}

function inOrder(tuples: readonly unknown[]): unknown[] {
  const texts = tuples.map((one) => JSON.stringify(one)).sort();
  return [...new Set(texts)].map((text) => JSON.parse(text) as unknown);
}

/** Reads a proof. Undefined for what is none: it is made anew then, whatever was there. */
export function parseProof(text: string): ComponentProof | undefined {
  try {
    return proof.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
