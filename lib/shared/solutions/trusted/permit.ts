import { type Digest, isDigest } from '../../../../formats/digest.ts';
import { scopesOf } from '../../../../formats/manifest/namespace.ts';
import { instanceParts } from '../../../../formats/solution/environments.ts';
import type { ClusterFacts, Finding } from '../../../kernel/content/index.ts';
import { type Flow, SolpackError } from '../../../kernel/events/index.ts';
import type {
  ClusterTarget,
  Generation,
  GenerationSolution,
  Permit,
  RenderedSolution,
} from '../../../parts/clusters/index.ts';
import { judgeRecorded, type RecordedTime, ruleFor, type Trust } from '../../../parts/trust/index.ts';
import { askedServices, breachesOfRendered } from './object-bounds.ts';
import { unsignedCodes } from './untrusted.ts';

/** Whom a command trusts that restores what was installed before. */
export interface ReturnTrust {
  readonly basis: Trust;
  /** Roots that need no signature, whatever else the policy asks. Left out: none. */
  readonly allowUnsigned?: readonly Digest[];
}

/**
 * Makes what decides whether a generation may come back: by what was recorded of its Solutions, and by its objects, for
 * which the cluster is asked where their kinds live. Where `time` stands still, it does not matter what has expired.
 */
export async function permitBy(
  trust: ReturnTrust,
  time: RecordedTime,
  cluster: Pick<ClusterTarget, 'facts'>,
  flow: Flow,
): Promise<Permit> {
  const isPlaced = trust.basis.policy.rules.some(({ allow }) => allow?.namespaces ?? allow?.clusterScoped);
  const facts = isPlaced ? await cluster.facts(flow) : undefined;
  return (configuration, generation, content) => {
    const definitions = scopesOf(content.flatMap(objectsOf));
    const refusals = content.flatMap((solution) => {
      const recorded = generation.solutions.find(({ name }) => name === solution.name);
      const found = [
        ...recordedAgainst(recorded, trust, time),
        ...breachesOf(solution, definitions, facts, trust.basis),
      ];
      return found.map((finding) => wordsOf(solution, finding));
    });
    if (refusals.length > 0) throw refusedReturn(configuration, generation, refusals);
    if (time === 'passes') tellUnrecorded(generation, flow);
  };
}

/**
 * Returns whether a generation may not come back, and an older solpack recorded too little of it: the same install once
 * more records it.
 */
export function isShortOfRecords({ solutions }: Pick<Generation, 'solutions'>, trust: ReturnTrust): boolean {
  return solutions.some((one) => one.release === undefined && recordedAgainst(one, trust, 'stands').length > 0);
}

/** Tells that nobody was asked whether what is restored is still trusted. */
export function tellUnasked(subject: string, flow: Flow): void {
  const message = 'trust was not checked: --policy or --key says whose signatures count';
  flow.onEvent({ type: 'notice', subject, message });
}

function recordedAgainst(
  recorded: GenerationSolution | undefined,
  { basis, allowUnsigned = [] }: ReturnTrust,
  time: RecordedTime,
): readonly Finding[] {
  const root = recorded?.root;
  if (recorded === undefined || root === undefined || !isDigest(root)) {
    const message = 'its archive was not recorded';
    return [{ code: 'signature-untrusted', subject: '', message }];
  }
  const { signers, release } = recorded;
  const images = [...recorded.images.map(({ reference }) => reference), ...(release?.otherImages ?? [])];
  const { name } = instanceParts(recorded.name);
  const found = judgeRecorded({ name, root, signers, images, record: release }, basis, time);
  return allowUnsigned.includes(root) ? found.filter(({ code }) => !unsignedCodes.has(code)) : found;
}

/** How objects go beyond the bounds of their Solution by where they are. */
function breachesOf(
  solution: RenderedSolution,
  definitions: ReturnType<typeof scopesOf>,
  facts: ClusterFacts | undefined,
  { policy }: Trust,
): Finding[] {
  const bounds = ruleFor(policy, instanceParts(solution.name).name)?.allow;
  if (bounds === undefined) return [];
  const asked = solution.components.flatMap(({ ready }) => askedServices(ready));
  return [...objectsOf(solution), ...asked].flatMap((object) => breachesOfRendered(object, definitions, facts, bounds));
}

function objectsOf({ components }: RenderedSolution): RenderedSolution['components'][number]['objects'] {
  return components.flatMap(({ objects }) => objects);
}

function wordsOf({ name, version }: RenderedSolution, { code, subject, message }: Finding): string {
  const what = subject === '' || subject === instanceParts(name).name ? '' : `, ${subject}`;
  return `${name} ${version}${what}: ${message} (${code})`;
}

function refusedReturn(
  configuration: string,
  { number, solutions }: Pick<Generation, 'number' | 'solutions'>,
  refusals: readonly string[],
): SolpackError {
  const again = solutions.some(({ release }) => release === undefined)
    ? '; installing the same release again records what an older solpack did not'
    : '';
  const hint = `install a release that is trusted, from its archive${again}. "solpack history" lists other generations`;
  const message = `is not restored, because it is not trusted: ${[...new Set(refusals)].join('; ')}`;
  return new SolpackError('not-trusted', `generation ${number} of ${configuration}`, message, { hint });
}

/** Tells once of which Solutions it is not known how old they are. */
function tellUnrecorded({ number, solutions }: Pick<Generation, 'number' | 'solutions'>, { onEvent }: Flow): void {
  const unknown = solutions
    .filter(({ release }) => release === undefined)
    .map(({ name, version }) => `${name} ${version}`);
  if (unknown.length === 0) return;
  const message = `an older solpack recorded neither the age of ${unknown.join(', ')} nor when it expires: neither is checked`;
  onEvent({ type: 'notice', subject: `generation ${number}`, message });
}
