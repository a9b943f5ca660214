import { decodeUniqueJson } from '../json.ts';
import type { InstallRight } from '../manifest/install-rights.ts';
import type { SubjectRights } from '../manifest/powers.ts';
import { z } from '../schema.ts';
import type { OutsideNeed } from './outside-need.ts';

const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/, 'has to be a digest: sha256: and 64 hexadecimal digits');
const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

const change = z.looseObject({ path: z.string(), from: z.json().optional(), to: z.json().optional() });

const step = z.looseObject({
  kind: z.string().min(1),
  subject: z.string(),
  action: z.enum(['create', 'change', 'replace', 'remove', 'keep', 'run', 'send', 'tag', 'remember', 'none']),
  changes: z.array(change),
  step: digest,
  reason: z.string().optional(),
  solution: z.string().optional(),
  component: z.string().optional(),
  event: z.string().optional(),
  restarts: count.optional(),
  bytes: count.optional(),
  uid: z.string().optional(),
});

const room = z.looseObject({ place: z.string(), needed: count, free: count.optional() });

const outsideNeed = z.looseObject({
  kind: z.enum(['requires', 'any-of', 'recommends']),
  name: z.string(),
  range: z.string(),
  version: z.string(),
  by: z.string(),
});

const choice = z.looseObject({
  name: z.string(),
  version: z.string(),
  reason: z.string(),
  passedOver: z.array(z.string()),
  outside: z.array(outsideNeed).optional(),
});

const variable = z.looseObject({ name: z.string(), value: z.string(), from: z.string() });

const brought = z.looseObject({
  name: z.string(),
  version: z.string(),
  installed: z.string().optional(),
  images: count,
  bytes: count,
});

const removal = z.looseObject({
  solution: z.string(),
  kind: z.enum(['solution', 'data', 'downgrade']),
  version: z.string().optional(),
  to: z.string().optional(),
  objects: z.array(z.string()),
});

const draw = z.looseObject({
  solution: z.string(),
  component: z.string(),
  object: z.string(),
  fields: z.array(z.string()),
  readers: z.array(z.string()),
});

const keptDraw = draw.omit({ readers: true });

const plan = z.looseObject({
  configuration: z.string(),
  choices: z.array(choice),
  variables: z.array(variable).optional(),
  steps: z.array(step),
  bytes: count,
  unchanged: count,
  room: z.array(room),
  solutions: z.array(brought).optional(),
  removals: z.array(removal).optional(),
  drawn: z.array(draw).optional(),
  keptDraws: z.array(keptDraw).optional(),
  lasted: count.optional(),
  seal: z.string().regex(/^[0-9a-f]{32}:[0-9a-f]{64}$/, 'is not a seal of a plan'),
});

/** A field that an install will change. Its values are missing if they may be secret. */
export interface PlannedChange {
  readonly path: string;
  readonly from?: unknown;
  readonly to?: unknown;
}

/** One thing that an install will do. */
export interface PlannedAction {
  /** The kind of the step that does it. */
  readonly kind: string;
  readonly subject: string;
  readonly action: 'create' | 'change' | 'replace' | 'remove' | 'keep' | 'run' | 'send' | 'tag' | 'remember' | 'none';
  readonly changes: readonly PlannedChange[];
  /** The name of the step that does it. */
  readonly step: string;
  readonly reason?: string | undefined;
  readonly solution?: string | undefined;
  readonly component?: string | undefined;
  readonly event?: string | undefined;
  readonly restarts?: number | undefined;
  readonly bytes?: number | undefined;
  readonly uid?: string | undefined;
}

/** A Solution that an install brings, or an environment of one. */
export interface IncomingSolution {
  readonly name: string;
  readonly version: string;
  /** The version that is there now; left out where none is. */
  readonly installed?: string | undefined;
  /** How many images its archive holds, and how many bytes these have. */
  readonly images: number;
  readonly bytes: number;
}

/** What an install removes for good, or reverts: somebody has to name the Solution for that. */
export interface PlannedRemoval {
  /** Its name; of an environment, with the namespace: `guestbook.team-a`. */
  readonly solution: string;
  /**
   * `solution`: all of it goes. `data`: objects that hold data go, and the rest stays. `downgrade`: an older release
   * comes.
   */
  readonly kind: 'solution' | 'data' | 'downgrade';
  /** The version that is there now; left out where none is. */
  readonly version?: string | undefined;
  /** The version that comes; left out where none does. */
  readonly to?: string | undefined;
  /** The objects that go and hold data, as `Kind/namespace/name` or `Kind/name`. */
  readonly objects: readonly string[];
}

/** An object whose values a chart draws again, such as a password, although somebody may want to keep them. */
export interface PlannedDraw {
  readonly solution: string;
  readonly component: string;
  /** `Kind/namespace/name` or `Kind/name`, as the chart has it. */
  readonly object: string;
  /** Names between dots. */
  readonly fields: readonly string[];
  /** The objects whose Pods read it, named likewise. */
  readonly readers: readonly string[];
}

/** An object in which values stay that its chart has drawn, though the chart or its values are others now. */
export type KeptDraw = Omit<PlannedDraw, 'readers'>;

/** What an install will do, as it is printed, kept in a file and confirmed. */
export interface InstallPlan {
  /** Name of the configuration. */
  readonly configuration: string;
  readonly choices: readonly {
    readonly name: string;
    readonly version: string;
    readonly reason: string;
    readonly passedOver: readonly string[];
    /** What it requires and other programs have installed; absent if nothing is. */
    readonly outside?: readonly OutsideNeed[] | undefined;
  }[];
  /** The variables of the node that plugins get, and who says so; absent where none is asked. */
  readonly variables?: readonly { readonly name: string; readonly value: string; readonly from: string }[] | undefined;
  /** In the order in which they are done. */
  readonly steps: readonly PlannedAction[];
  /** Bytes of all contents that are sent. */
  readonly bytes: number;
  /** How many things stay as they are. */
  readonly unchanged: number;
  readonly room: readonly { readonly place: string; readonly needed: number; readonly free?: number | undefined }[];
  /** What it brings; left out by releases of solpack that did not tell. */
  readonly solutions?: readonly IncomingSolution[] | undefined;
  /** What somebody has to name; left out where that is nothing. */
  readonly removals?: readonly PlannedRemoval[] | undefined;
  /** What charts draw anew; left out where that is nothing. */
  readonly drawn?: readonly PlannedDraw[] | undefined;
  /** What they have drawn and keep, because `keep-drawn` says so; left out where that is nothing. */
  readonly keptDraws?: readonly KeptDraw[] | undefined;
  /** How many seconds the last install of this configuration took that went well; left out if it is unknown. */
  readonly lasted?: number | undefined;
  /**
   * Who may do what by the Solutions' roles and bindings, and what the install needs; absent where nothing is applied.
   */
  readonly rights?:
    | { readonly subjects: readonly SubjectRights[]; readonly needed: readonly InstallRight[] }
    | undefined;
  /** Proves what the plan does not show: `SALT:DIGEST`. */
  readonly seal: string;
}

/**
 * Reads a plan that `install --plan --json` printed. Fields that are not known are passed over. Throws `FormatError`.
 */
export function parseInstallPlan(bytes: Uint8Array): InstallPlan {
  return decodeUniqueJson(bytes, plan, 'json-invalid', 'the plan');
}
