/** Renders Solutions: components to objects, names of images, changes of sites, and what they need. */

export {
  /** What is assumed of a cluster that nobody can ask. */
  assumedCluster,
} from './assumed-cluster.ts';
export {
  /** Returns why no program of an archive is run that a policy bounds; undefined where it is. */
  mayRunPrograms,
  /** Returns the programs of an archive, which are not run where there is a `refusal`. */
  programsOf,
} from './carried-programs.ts';
export {
  /** What a Solution brings, by which its objects are judged. */
  type Brought,
  /** Something that prevents a Solution from being closed: data, and all of them are reported. */
  type ClosureFinding,
  /** A code of a finding about the closure. */
  type ClosureFindingCode,
  /** What keeps a Solution from being closed; each has a title in `docs/errors.md`. */
  closureFindings,
  /** An object with values that are drawn at random, or by the clock, when its component is rendered. */
  type DrawnObject,
  /** Lists the kinds that a definition says its cluster has, as charts ask for them. */
  declaredApis,
  /** Lists the objects that are drawn: of what was rendered, and of what is known of the rest. */
  drawnObjects,
  /** What a Solution becomes, for all versions that were asked for. */
  type Examination,
  /** What a Solution is rendered for. */
  type ExaminedFor,
  /** What a Solution becomes for one Kubernetes version. */
  type ExaminedVersion,
  /** Renders the components of a Solution for each version, except those that are proven. */
  examine,
  /** Lists the addresses that containers seem to fetch from, of what was rendered and of what is proven. */
  examinedFetches,
  /** Lists the images that the objects of an examination name, of what was rendered and of what is proven. */
  examinedImages,
  /** Describes a finding in one line, without its component. */
  findingWords,
  /** Finds all that keeps a Solution from being closed, of what was rendered and of what is proven. */
  judgeClosure,
  /** Reports kinds that only what `pack` cannot look into can bring. */
  kindsOfOthers,
  /** Names an object for people and programs. */
  objectName,
  /** An object of a component, as it will be in a cluster. */
  type PlacedStatement,
  /** Returns where a definition states a probe: `FILE:LINE`. */
  type PlaceOfProbe,
  /** Finds probes that look at fields which objects of their kinds never have. */
  probeFindings,
  /** Whether probes look at kinds that only proofs report: their definitions have to be rendered to be read. */
  probesNeedProven,
  /** Makes the proofs of an examination that found nothing wrong. */
  proofsOf,
  /** Lists the kinds that the components of a Solution were found to define, as `group/version/Kind` in order. */
  provenKinds,
  /** Makes a reader of references that looks through each object once, however often it is asked. */
  referenceReader,
  /** Tells, in one notice for each component, what its templates ask for in vain. */
  tellAsked,
  /** Tells, in one notice for each component, which kinds it defines with other values alone. */
  tellDormant,
  /** Reports the objects that are drawn, in one notice for each component; some `keep` what they drew. */
  tellDrawn,
  /** Reports addresses that containers seem to fetch from. */
  tellFetches,
  /** Tells, of each component that looks like an operator, that images within its program are not found. */
  tellOperators,
  /** Reports images that no component names. */
  tellUnused,
  /** Names an object whose name is drawn. */
  unnamed,
  /** Returns the images that some component may turn out not to name; none where nobody can know that. */
  unusedCandidates,
  /** Makes the findings about images that no component names. */
  unusedFindings,
  /** Returns those of some images that no object names. */
  unusedImages,
  /** What a Solution says of who brings what, where somebody else says too what clusters serve. */
  withApis,
} from './closure/index.ts';
export {
  /** What `facts` will be with further `group/version` and `group/version/Kind`. */
  withKinds,
} from './defined-kinds.ts';
export {
  /** Leaves out objects that are stated again with the same content, as a cluster does that has each once. */
  distinctObjects,
  /** Names an object for people: `Kind name`, or `Kind namespace/name`. */
  objectWords,
} from './distinct.ts';
export {
  /** Decides whether a definition's `external-images` say that sites bring an image. */
  isExternal,
} from './external-images.ts';
export {
  /** Finds the order of an install by the kinds that Solutions define and use. */
  foreseeOrder,
} from './foreseen-order.ts';
export {
  /** Finds images among those that an archive holds. */
  finderOf,
  /** Names an image as nodes pull it: by its reference in the archive, and the digest that is wanted of it. */
  type PullName,
} from './image-names.ts';
export {
  /** Chooses the Kubernetes version that Solutions are rendered for where no cluster is asked. */
  renderedVersion,
} from './kubernetes-version.ts';
export {
  /** Tells once of each image that objects seem to name outside of containers and volumes, and that nobody brings. */
  requireLikely,
  /** Reports images that objects seem to name outside of containers and volumes. */
  tellRenamed,
} from './likely-images.ts';
export {
  /** Looks at patches that are for one environment alone. */
  requireEffective,
} from './lost-patches.ts';
export {
  /** Asks the plugins of Solutions that are left how custom resources have to change for the versions … */
  withMigrationsBack,
} from './migrations-back.ts';
export {
  /** The names that images have anyway, before it is known where nodes pull them from. */
  ownName,
  /** Names the images of rendered Solutions as nodes pull them. */
  withPullNames,
} from './named-images.ts';
export {
  /** An archive, and what of it is brought where. */
  type PlacedArchive,
  /** Finds the archive of each placement. */
  placedArchives,
  /** Makes a placed archive something to render. */
  placedRenderable,
  /** Puts together what `toRender` was rendered to: one Solution for each placement, in their order. */
  placedSolutions,
  /** Returns what has to be rendered. */
  toRender,
} from './placed.ts';
export {
  /** Whether rendering a component runs plugins: it is one, or a folder that has one. */
  asksPlugins,
  /** Whether `pack` can find out what a component becomes: what plugins print is known on the node alone. */
  isRenderable,
  /** Lists the Kubernetes versions that a Solution is proved for; undefined is the one that Helm takes by itself. */
  provableVersions,
} from './provable.ts';
export {
  /** Renders charts as the cluster has them: what was rendered from the same inputs is taken from there. */
  rememberedRenderings,
} from './remembered.ts';
export {
  /** An image that a component uses and that is not taken from its archive. */
  type ForeignImage,
  /** What archives are as objects. */
  type Rendered,
  /** Renders all components of Solutions. */
  renderAll,
} from './render.ts';
export type {
  /** A Solution whose components can be rendered, whether an archive has it already or not. */
  Renderable,
} from './renderable.ts';
export {
  /** Makes an open archive something to render. */
  renderableArchive,
} from './renderable-archive.ts';
export {
  /** Where an image is named. */
  type ImagePlace,
  /** An image, and all places where it is named. */
  type ReportedImage,
  /** Groups the places of images by the names that are written there, in the order in which these were found. */
  reportImages,
} from './reported-images.ts';
export type {
  /** An object that differs because of what a site sets. */
  SiteChange,
  /** What a site sets for a component, and what that changes. */
  SiteChanges,
} from './site-changes.ts';
export {
  /** Makes sure that a site sets what its Solutions let it set. */
  checkSites,
} from './site-check.ts';
export {
  /** Puts Solutions into the order in which they are applied. */
  inApplyOrder,
} from './solution-order.ts';
export type {
  /** An image that an object names, where it does so, and what becomes of that. */
  UsedImage,
} from './used-images.ts';
