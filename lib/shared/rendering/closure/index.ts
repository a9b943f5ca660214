/** Whether a Solution is closed: all images, kinds and rights that its objects need are there. */

export {
  /** Reports kinds that only what `pack` cannot look into can bring. */
  kindsOfOthers,
  /** What a Solution says of who brings what, where somebody else says too what clusters serve. */
  withApis,
} from './absent-kinds.ts';
export {
  /** Lists the kinds that a definition says its cluster has, as charts ask for them. */
  declaredApis,
} from './asked-apis.ts';
export type {
  /** What a Solution brings, by which its objects are judged. */
  Brought,
} from './brought.ts';
export {
  /** An object with values that are drawn at random, or by the clock, when its component is rendered. */
  type DrawnObject,
  /** Lists the objects that are drawn: of what was rendered, and of what is known of the rest. */
  drawnObjects,
  /** Reports the objects that are drawn, in one notice for each component; some `keep` what they drew. */
  tellDrawn,
} from './drawn-objects.ts';
export {
  /** Names an object whose name is drawn. */
  unnamed,
} from './drawn-values.ts';
export {
  /** What a Solution becomes, for all versions that were asked for. */
  type Examination,
  /** What a Solution is rendered for. */
  type ExaminedFor,
  /** What a Solution becomes for one Kubernetes version. */
  type ExaminedVersion,
  /** Renders the components of a Solution for each version, except those that are proven. */
  examine,
} from './examine.ts';
export {
  /** Lists the addresses that containers seem to fetch from, of what was rendered and of what is proven. */
  examinedFetches,
  /** Reports addresses that containers seem to fetch from. */
  tellFetches,
} from './fetches.ts';
export {
  /** Something that prevents a Solution from being closed: data, and all of them are reported. */
  type ClosureFinding,
  /** A code of a finding about the closure. */
  type ClosureFindingCode,
  /** What keeps a Solution from being closed; each has a title in `docs/errors.md`. */
  closureFindings,
  /** Describes a finding in one line, without its component. */
  findingWords,
} from './findings.ts';
export {
  /** Lists the images that the objects of an examination name, of what was rendered and of what is proven. */
  examinedImages,
} from './images.ts';
export {
  /** Finds all that keeps a Solution from being closed, of what was rendered and of what is proven. */
  judgeClosure,
} from './judge.ts';
export {
  /** Tells, of each component that looks like an operator, that images within its program are not found. */
  tellOperators,
} from './operators.ts';
export {
  /** Returns where a definition states a probe: `FILE:LINE`. */
  type PlaceOfProbe,
  /** Finds probes that look at fields which objects of their kinds never have. */
  probeFindings,
  /** Whether probes look at kinds that only proofs report: their definitions have to be rendered to be read. */
  probesNeedProven,
} from './probe-fields.ts';
export {
  /** Makes the proofs of an examination that found nothing wrong. */
  proofsOf,
} from './proofs.ts';
export {
  /** Lists the kinds that the components of a Solution were found to define, as `group/version/Kind` in order. */
  provenKinds,
} from './proven-kinds.ts';
export {
  /** Makes a reader of references that looks through each object once, however often it is asked. */
  referenceReader,
} from './references.ts';
export {
  /** Names an object for people and programs. */
  objectName,
  /** An object of a component, as it will be in a cluster. */
  type PlacedStatement,
  /** Gives the objects of components the namespaces that they will have. */
  placeStatements,
} from './statements.ts';
export {
  /** Tells, in one notice for each component, what its templates ask for in vain. */
  tellAsked,
  /** Tells, in one notice for each component, which kinds it defines with other values alone. */
  tellDormant,
} from './tell-asked.ts';
export {
  /** Reports images that no component names. */
  tellUnused,
  /** Returns the images that some component may turn out not to name; none where nobody can know that. */
  unusedCandidates,
  /** Makes the findings about images that no component names. */
  unusedFindings,
  /** Returns those of some images that no object names. */
  unusedImages,
} from './unused-images.ts';
