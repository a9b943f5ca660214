import { basename } from 'node:path';
import { sha256 } from '../../../formats/digest.ts';
import type { ComponentProof } from '../../../formats/solution/component-proof.ts';
import { probeLines } from '../../../formats/solution/definition.ts';
import type { Lock } from '../../../formats/solution/lock.ts';
import type { ComponentMetadata } from '../../../formats/solution/metadata.ts';
import { type Flow, SolpackError } from '../../kernel/events/index.ts';
import { readFile } from '../../kernel/files/index.ts';
import {
  type Brought,
  type ClosureFinding,
  type DrawnObject,
  declaredApis,
  drawnObjects,
  type Examination,
  examine,
  examinedFetches,
  examinedImages,
  finderOf,
  findingWords,
  isExternal,
  isRenderable,
  judgeClosure,
  kindsOfOthers,
  type PlaceOfProbe,
  probeFindings,
  probesNeedProven,
  proofsOf,
  provableVersions,
  provenKinds,
  referenceReader,
  requireLikely,
  tellAsked,
  tellDormant,
  tellDrawn,
  tellFetches,
  tellOperators,
  tellUnused,
  type UsedImage,
  unusedCandidates,
  unusedFindings,
  unusedImages,
  withApis,
} from '../../shared/rendering/index.ts';
import { attestationsOf } from './collect-attestations.ts';
import type { Content } from './content.ts';
import { inputDigests, provenIn } from './earlier-proofs.ts';
import { lockInputs, withProofs, withRoot } from './lock.ts';
import { metalk8sInputs } from './metalk8s.ts';
import type { InputsRequest, PreparedInputs } from './prepare.ts';
import { renderableInputs } from './renderable.ts';
import { buildRoot, type Inputs } from './root.ts';

/** What is proved to be closed. */
export interface ClosureInputs {
  /** Path of the definition. */
  readonly definition: string;
  readonly inputs: Inputs;
  readonly content: Content;
  /** The lock, with what was proved before. */
  readonly before: Lock | undefined;
  /** Whether what only seems to be an image has to be held too. */
  readonly strict: boolean;
  /** What else clusters serve, as `group/version` and `group/version/Kind`. */
  readonly apis?: readonly string[] | undefined;
  /** Whether components are rendered that the lock proves too, because their objects are asked for. */
  readonly whole?: boolean;
}

/** What the components of a definition become, and all that keeps its Solution from being closed. */
export interface ProvedClosure {
  readonly findings: readonly ClosureFinding[];
  readonly examination: Examination;
  /** The images that objects name, wherever they do so. */
  readonly used: readonly UsedImage[];
  /** Of each component that `pack` renders; empty where something was found. */
  readonly proofs: ReadonlyMap<string, ComponentProof>;
  /** The Kubernetes versions that components were rendered for; empty where that is Helm's own. */
  readonly kubernetes: readonly string[];
  /** Components that only the node can render, of which nothing is proved. */
  readonly unproved: readonly string[];
  /** The objects that have drawn values. */
  readonly drawn: readonly DrawnObject[];
  /** The images that no component names and the definition does not say to keep. */
  readonly unused: readonly string[];
}

/**
 * Renders components as nodes will, for each Kubernetes version that the definition supports, and looks for everything
 * that would keep an install from working. Components that the lock proves unchanged are not rendered, unless something
 * was found of them or all is asked for. Throws what rendering throws that says nothing about the components, such as
 * `tool-missing`.
 */
export async function proveClosed(request: ClosureInputs, flow: Flow): Promise<ProvedClosure> {
  const { definition, inputs, content, before } = request;
  const solution = renderableInputs(definition, inputs, content);
  const { closure, components } = solution.metadata;
  const { apis: asked = [] } = request;
  const clusters = {
    versions: provableVersions(solution.metadata),
    apis: [...declaredApis(solution.metadata), ...asked],
  };
  const digests = inputDigests(inputs, clusters);
  const find = finderOf(solution.images);
  const isHeld = (reference: string): boolean => find(reference) !== undefined;
  const brought: Brought = {
    metadata: withApis(solution.metadata, asked),
    isHeld,
    references: referenceReader(isHeld),
    isExternal: (reference) => isExternal(inputs.definition.externalImages, reference),
    strict: request.strict,
  };
  const candidates = unusedCandidates(inputs.definition, components);
  const finders = new Map(solution.images.map((image) => [image.reference, finderOf([image])]));
  const isOf = (image: string, name: string): boolean => finders.get(image)?.(name) !== undefined;
  let examination = await examine(solution, clusters, request.whole ? new Map() : provenIn(before, digests), flow);
  let findings = judgeClosure(examination, brought);
  let unused = unusedImages(candidates, examination, isOf);
  const isExamined = findings.every(({ component }) => !examination.proven.has(component));
  const seemsUnused = unused.length > 0 && examination.proven.size > 0;
  if (!isExamined || seemsUnused || probesNeedProven(examination, components)) {
    // Only what is rendered says which template it is from, what its definitions define, and all that it names.
    examination = await examine(solution, clusters, new Map(), flow);
    findings = judgeClosure(examination, brought);
    unused = unusedImages(candidates, examination, isOf);
  }
  if (request.strict) findings.push(...unusedFindings(unused));
  else tellUnused(unused, flow);
  findings.push(...(await probeFindings(examination, components, await placesOf(request, components))));
  for (const { component, message } of kindsOfOthers(examination.versions, examination.proven, brought.metadata)) {
    flow.onEvent({ type: 'notice', subject: component, message });
  }
  if (!request.strict) tellFetches(examinedFetches(examination), flow);
  tellAsked(examination, clusters.apis, flow);
  tellDormant(examination, solution.metadata.provides, flow);
  // Bundles of operators list the images that these start.
  const bundles = new Set(components.flatMap(({ kind, name }) => (kind === 'registry+v1' ? [name] : [])));
  tellOperators(examination.versions, bundles, flow);
  const drawn = drawnObjects(examination);
  tellDrawn(drawn, (name) => components.some((one) => one.name === name && one.keepDrawn === true), flow);
  return {
    findings,
    examination,
    used: examinedImages(examination, brought, definition),
    proofs: findings.length > 0 ? new Map() : proofsOf(examination, digests, brought.references),
    kubernetes: closure?.kubernetes ?? [],
    unproved: components.filter((component) => !isRenderable(component)).map(({ name }) => name),
    drawn,
    unused,
  };
}

/** Makes what says where the definition states probes. */
async function placesOf(
  { definition }: ClosureInputs,
  components: readonly ComponentMetadata[],
): Promise<PlaceOfProbe> {
  if (components.every(({ ready = [] }) => ready.length === 0)) return () => undefined;
  const lineOf = probeLines(await readFile(definition));
  return (...probe) => `${basename(definition)}:${lineOf(...probe)}`;
}

/** Throws `solution-open` with everything that was found; does nothing where that is nothing. */
export function requireClosed(path: string, { findings }: ProvedClosure): void {
  if (findings.length === 0) return;
  const count = findings.length === 1 ? 'one finding' : `${findings.length} findings`;
  throw new SolpackError('solution-open', path, `the Solution is not closed: ${count}`, {
    hint: `fix what is listed above; ${mendingWords(findings)}`,
    findings: findings.map((finding) => ({
      code: finding.code,
      subject: finding.unused ?? `component ${finding.component}`,
      message: findingWords(finding),
    })),
  });
}

function mendingWords(findings: ProvedClosure['findings']): string {
  const adds = findings.some(({ image }) => image !== undefined);
  return adds
    ? '"solpack images --write" adds images, and "solpack check" reports the same and packs nothing'
    : '"solpack check" reports the same and packs nothing';
}

/** What the inputs of a definition become. */
export interface MadeRoot {
  readonly closure: ProvedClosure;
  readonly rootBytes: Uint8Array;
  readonly lock: Lock;
}

/** Proves that inputs are closed, and makes the root and the lock of them. Throws `solution-open`. */
export async function rootOf(
  { inputs, digest, content, before }: Omit<PreparedInputs, keyof AsyncDisposable>,
  request: Pick<InputsRequest, 'definition' | 'metalk8s' | 'apiVersions' | 'strict'>,
  flow: Flow,
): Promise<MadeRoot> {
  const { definition: path, metalk8s = false, apiVersions: apis } = request;
  const strict = request.strict === true;
  const asked = { definition: path, inputs, content, before, strict, apis, whole: metalk8s };
  const closure = await proveClosed(asked, flow);
  requireClosed(path, closure);
  requireLikely(closure.used, false, flow);
  const attestations = await attestationsOf(inputs, digest, content, flow);
  const { examination } = closure;
  const view = metalk8s ? await metalk8sInputs({ ...inputs, examination }, path, content, flow) : undefined;
  const parts = { ...inputs, kinds: provenKinds(examination), attestations, view };
  const rootBytes = await buildRoot(parts, content, flow.signal);
  const lock = withProofs(withRoot(lockInputs(inputs), sha256(rootBytes)), closure.proofs);
  return { closure, rootBytes, lock };
}
