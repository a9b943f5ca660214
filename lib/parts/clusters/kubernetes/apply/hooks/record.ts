import { utf8 } from '../../../../../../formats/bytes.ts';
import { sha256 } from '../../../../../../formats/digest.ts';
import { exactJson, parseExactJson } from '../../../../../../formats/exact-json.ts';
import type { KubernetesObject } from '../../../../../../formats/manifest/object.ts';
import { z } from '../../../../../../formats/schema.ts';
import type { PlannedComponent } from '../../desired/index.ts';

const stated = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
});

const shape = z.object({
  configuration: z.string(),
  revision: z.number(),
  done: z.string().optional(),
  begun: z.boolean(),
  running: z
    .object({
      event: z.enum(['install', 'upgrade', 'rollback', 'delete']),
      target: z.string(),
      ended: z.array(z.string()),
    })
    .optional(),
  removal: z.array(stated),
  timeout: z.number(),
});

/** What the cluster remembers of the hooks of one component. */
export interface HookRecord {
  readonly configuration: string;
  /** Counts what happened to the component, from 1. What a hook makes bears it, so that each run knows its own. */
  readonly revision: number;
  /**
   * The digest of what the component was when the last installation, upgrade or rollback of it had ended; undefined
   * until then.
   */
  readonly done?: string | undefined;
  /** Whether the objects of the component may be there, so that its removal has something to remove. */
  readonly begun: boolean;
  /** What has begun and not ended. */
  readonly running?: Running | undefined;
  /** Hooks of `pre-delete` and `post-delete`, as they will be applied: when they run, the archive may be gone. */
  readonly removal: readonly KubernetesObject[];
  /** Milliseconds that each of these may take. */
  readonly timeout: number;
}

/** An installation, upgrade, rollback or removal of a component that has begun and not ended. */
export interface Running {
  readonly event: 'install' | 'upgrade' | 'rollback' | 'delete';
  /** The digest of what the component becomes. */
  readonly target: string;
  /** The hooks that have ended well, by `hookId`. */
  readonly ended: readonly string[];
}

/** Reads a record; undefined where it is none. */
export function parseHookRecord(bytes: Uint8Array): HookRecord | undefined {
  try {
    return shape.safeParse(parseExactJson(Buffer.from(bytes).toString())).data as HookRecord | undefined;
  } catch {
    return undefined;
  }
}

/** Writes a record; the same one as the same bytes. */
export function formatHookRecord(record: HookRecord): Uint8Array {
  const { configuration, revision, done, begun, running, removal, timeout } = record;
  return utf8(exactJson({ configuration, revision, done, begun, running, removal, timeout }));
}

/** Returns the digest of what an installation or an upgrade makes of a component, hooks among it. */
export function componentDigest({ objects, hooks }: PlannedComponent): string {
  const runs = hooks.filter(({ hook }) => hook.events.some((event) => /-(?:install|upgrade)$/.test(event)));
  const all = [...objects, ...runs].map(({ object }) => object);
  return sha256(utf8(exactJson(all)));
}
