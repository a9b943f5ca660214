import { type Flow, SolpackError } from '../../../kernel/events/index.ts';
import type {
  AppliedSolution,
  ApplyRequest,
  ClusterTarget,
  Generation,
  KeptRecord,
  Permit,
  RenderedSolution,
} from '../../../parts/clusters/index.ts';

/**
 * Returns the configuration that a user means: the one of that name, or the only one that the cluster remembers. Throws
 * `generation-absent`, `usage-invalid` where there are several; `command` is how the user names one of them on the
 * command line: the words before the name.
 */
export async function configurationNamed(
  cluster: Pick<ClusterTarget, 'name' | 'configurations'>,
  wanted: string | undefined,
  command: string,
  flow: Flow,
): Promise<string> {
  const known = await cluster.configurations(flow);
  if (wanted !== undefined && known.includes(wanted)) return wanted;
  const [only, ...others] = known;
  if (only === undefined) throw nothingRemembered(cluster.name);
  if (wanted !== undefined) {
    throw new SolpackError(
      'generation-absent',
      `configuration ${wanted}`,
      `the cluster only remembers ${known.join(', ')}`,
      {
        hint: 'name one of these: the name of a configuration is its metadata.name',
      },
    );
  }
  if (others.length === 0) return only;
  throw severalConfigurations(cluster.name, known, command);
}

/**
 * Returns the error about a cluster with several configurations, of which the user named none; `command` stands before
 * the name.
 */
export function severalConfigurations(cluster: string, names: readonly string[], command: string): SolpackError {
  const commands = names.map((name) => `${command} ${name}`);
  return new SolpackError('usage-invalid', cluster, `has several configurations: ${names.join(', ')}`, {
    hint: `name one of them: ${commands.join(', or ')}`,
  });
}

/** Returns the error about a cluster in which solpack has installed nothing. */
export function nothingRemembered(cluster: string): SolpackError {
  return new SolpackError('generation-absent', cluster, 'remembers no generation of any configuration', {
    hint: 'install something first, with this version of solpack',
  });
}

/**
 * Returns the generation to go back to: the one of that number, or the newest one before the present that went well.
 * `all` has the newest first. Where the present is a return itself that did not end well, it is the one that this was
 * to go back to: the same command again completes it. Throws `generation-absent`.
 */
export function generationToReturnTo(
  configuration: string,
  all: readonly Generation[],
  number: number | undefined,
): Generation {
  const present = all[0];
  const begun = present?.cause === 'rollback' && present.state !== 'ready' ? present.of : undefined;
  const ready = all.filter(({ state }) => state === 'ready');
  const found =
    number === undefined
      ? (ready.find((one) => one.number === begun) ?? ready.find((one) => one !== present))
      : all.find((generation) => generation.number === number);
  if (found !== undefined && (number === undefined || found.state === 'ready')) return found;
  const numbers = ready.map((one) => one.number);
  const there = numbers.length === 0 ? 'none that succeeded' : `those that succeeded: ${numbers.join(', ')}`;
  const why =
    number === undefined
      ? `there is no generation before ${present?.number ?? 1} to go back to`
      : `${found === undefined ? 'is not remembered' : `is ${found.state}, so it is unknown whether it ever worked`}; there are ${there}`;
  throw new SolpackError(
    'generation-absent',
    `generation${number === undefined ? 's' : ` ${number}`} of ${configuration}`,
    why,
    {
      hint: '"solpack history" lists what is remembered',
    },
  );
}

/** What a request to go back is made of. */
export interface Return {
  readonly configuration: string;
  readonly generation: Generation;
  /** Decides whether it may come back. Left out: nobody decides. */
  readonly permit?: Permit | undefined;
  /**
   * The number of the newest generation, where going back from any other one would be something else; otherwise
   * undefined.
   */
  readonly after?: number | undefined;
  /** How many generations are kept. */
  readonly keep: number;
}

/**
 * Makes the request that brings a generation back, as a new one: the objects as they were applied then, with what was
 * remembered of them. Throws `generation-absent` where these are not there any longer, and `not-trusted`.
 */
export async function returnRequest(
  { configuration, generation, permit, after, keep }: Return,
  cluster: ClusterTarget,
  flow: Flow,
): Promise<ApplyRequest> {
  const { number, configuration: digest, solutions, resolution } = generation;
  const content = await contentToApply(configuration, number, cluster, flow);
  permit?.(configuration, generation, content);
  return {
    configuration,
    solutions: content,
    isReturn: true,
    generation: {
      cause: 'rollback',
      of: number,
      after,
      configuration: digest as `sha256:${string}` | undefined,
      solutions,
      resolution,
      keep,
    },
  };
}

/**
 * Returns what a generation applied, to be applied once more. Throws `generation-absent` where that is not remembered
 * any longer.
 */
export async function contentToApply(
  configuration: string,
  number: number,
  cluster: ClusterTarget,
  flow: Flow,
): Promise<readonly RenderedSolution[]> {
  const content = await contentOf(configuration, number, cluster, flow);
  const brought: RenderedSolution[] = [];
  for (const solution of content) {
    const records: KeptRecord[] = [];
    for (const record of solution.records ?? []) {
      records.push({ ...record, replaces: await cluster.recorded(solution.name, record.about, flow) });
    }
    brought.push({ ...solution, records });
  }
  return brought;
}

/** Returns what a generation applied. Throws `generation-absent` where that is not remembered any longer. */
export async function contentOf(
  configuration: string,
  number: number,
  cluster: Pick<ClusterTarget, 'generationContent'>,
  flow: Flow,
): Promise<readonly RenderedSolution[]> {
  const content = await cluster.generationContent(configuration, number, flow);
  if (content !== undefined) return content;
  throw new SolpackError(
    'generation-absent',
    `generation ${number} of ${configuration}`,
    'its record is missing or damaged',
    { hint: 'go back to another one, or install the wanted version from its archive' },
  );
}

/**
 * Returns the generation of that number, or the newest one where it is undefined. `all` has the newest first. Throws
 * `generation-absent`.
 */
export function generationNumbered(
  configuration: string,
  all: readonly Generation[],
  number: number | undefined,
): Generation {
  const found = number === undefined ? all[0] : all.find((one) => one.number === number);
  if (found !== undefined) return found;
  const numbers = all.map((one) => one.number).join(', ') || 'none';
  throw new SolpackError(
    'generation-absent',
    `generation ${number ?? 'newest'} of ${configuration}`,
    `is not remembered; there are ${numbers}`,
    { hint: '"solpack history" lists what is remembered' },
  );
}

/** Names the Solutions of a generation with their versions: `shop 1.0.0, web 2.1.0`. */
export function solutionsOf({ solutions }: Pick<Generation, 'solutions'>): string {
  return solutions.map(({ name, version }) => `${name} ${version}`).join(', ') || 'no Solution';
}

/** The result of an install for a Solution in a cluster. */
export type BroughtSolution = Pick<AppliedSolution, 'name' | 'version' | 'objects'>;

/** Reports a Solution what became of it in a cluster, and nothing else. */
export function broughtOf({ name, version, objects }: AppliedSolution): BroughtSolution {
  return { name, version, objects };
}
