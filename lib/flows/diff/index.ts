import type { DefinitionBreak } from '../../../formats/kubernetes/definition-breaks.ts';
import { addedRights, type Right, rightsOf } from '../../../formats/manifest/rights.ts';
import { type Flow, lend } from '../../kernel/events/index.ts';
import { type Renderable, renderedVersion } from '../../shared/rendering/index.ts';
import { openInput, renderAlone, type SolutionInput } from '../render/index.ts';
import { compareDefinitions } from './definitions.ts';
import { compareImages, compareLayers, type ImageChanges, type LayerBytes } from './images.ts';
import { compareInstallers, type InstallerChanges } from './installer.ts';
import { compareObjects, type ObjectChanges, placed } from './objects.ts';

export type {
  /** Images by reference. */
  ImageChanges,
  /** Bytes of layers and configs, each digest once. */
  LayerBytes,
} from './images.ts';
export type {
  /** Differences between the programs and keys in two archives, by their paths. */
  InstallerChanges,
} from './installer.ts';
export type {
  /** An object that both Solutions have, and that differs. */
  ChangedObject,
  /** An object that only one of two Solutions has. */
  NamedObject,
  /** The changes of objects. */
  ObjectChanges,
} from './objects.ts';

/** Two Solutions to compare. */
export interface DiffRequest {
  readonly from: SolutionInput;
  readonly to: SolutionInput;
  /** The Kubernetes version; undefined is the newest for which both are proved to be closed, otherwise Helm's own. */
  readonly kubernetes?: string | undefined;
}

/** One of two Solutions. */
export interface DiffSide {
  /** Path of the definition or the archive. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
}

/** A CustomResourceDefinition that breaks stored objects. */
export interface BrokenDefinition extends DefinitionBreak {
  readonly definition: string;
}

/** What differs. */
export interface DiffResult {
  /** Whether nothing is. */
  readonly same: boolean;
  readonly from: DiffSide;
  readonly to: DiffSide;
  /** Left out where it is Helm's own. */
  readonly kubernetes?: string;
  readonly images: ImageChanges;
  readonly layers: LayerBytes;
  /** Nothing is in it where one of the two is a definition. */
  readonly installer: InstallerChanges;
  readonly objects: ObjectChanges;
  readonly definitions: readonly BrokenDefinition[];
  /** Rights that are asked for in addition. */
  readonly rights: readonly Right[];
  /** Components that only the node can render, of which objects and rights are not compared. */
  readonly unproved: readonly string[];
}

/**
 * Compares two Solutions: their versions, images, layers, objects to the field, definitions and rights, rendered for
 * one Kubernetes version. Fields that charts draw at random do not count. Throws what opening and rendering throw.
 */
export async function diff(request: DiffRequest, flow: Flow): Promise<DiffResult> {
  return lend(await openInput(request.from, flow), ({ solution: from }) =>
    openInput(request.to, flow).then((opened) =>
      lend(opened, ({ solution: to }) => compareSolutions(from, to, request.kubernetes, flow)),
    ),
  );
}

/** Compares two Solutions that are open. Throws what rendering throws. */
export async function compareSolutions(
  from: Renderable,
  to: Renderable,
  asked: string | undefined,
  flow: Flow,
): Promise<DiffResult> {
  const kubernetes = renderedVersion([from, to], asked);
  const before = await renderAlone(from, { kubernetes }, flow);
  const after = await renderAlone(to, { kubernetes }, flow);
  const again = await renderAlone(to, { kubernetes }, { ...flow, onEvent: () => undefined });
  const [old, now] = [placed(before.rendered), placed(after.rendered)];
  const images = compareImages(from, to);
  const objects = compareObjects(old, now, placed(again.rendered));
  const definitions = compareDefinitions(old, now);
  const rights = addedRights(rightsOf(old.map(({ object }) => object)), rightsOf(now.map(({ object }) => object)));
  const installer = compareInstallers(from, to);
  const counts = [images, objects, installer].flatMap(({ added, removed, changed }) => [added, removed, changed]);
  const [a, b] = [sideOf(from), sideOf(to)];
  return {
    same: a.name === b.name && a.version === b.version && counts.every(({ length }) => length === 0),
    from: a,
    to: b,
    ...(kubernetes === undefined ? {} : { kubernetes }),
    images,
    layers: compareLayers(from, to),
    installer,
    objects,
    definitions,
    rights,
    unproved: [...new Set([...before.unproved, ...after.unproved])],
  };
}

function sideOf({ path, metadata: { name, version } }: Renderable): DiffSide {
  return { path, name, version };
}
