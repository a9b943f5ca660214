import { referencesIn } from '../../../../formats/manifest/references.ts';
import { parseReference } from '../../../../formats/oci/reference.ts';
import type { ComponentMetadata } from '../../../../formats/solution/metadata.ts';
import type { Flow } from '../../../kernel/events/index.ts';
import { isRenderable } from '../provable.ts';
import type { Examination } from './examine.ts';
import type { ClosureFinding } from './findings.ts';

/** An image that a definition lists. */
export interface ListedImage {
  /** With its registry spelled out. */
  readonly reference: string;
  /** Whether the author says that it is needed, whatever names it. */
  readonly keep: boolean;
}

const way =
  'is listed, but no component names it: "solpack images --prune" removes it; if a site, an operator or a plugin needs it, write keep = true in its entry';

/** Returns the images that some component may turn out not to name; none where nobody can know that. */
export function unusedCandidates(
  { images, operator }: { readonly images: readonly ListedImage[]; readonly operator: string | undefined },
  components: readonly ComponentMetadata[],
): string[] {
  // MetalK8s has one program that starts everything; and archives may be there for their images alone.
  if (operator !== undefined || components.length === 0 || !components.every(isRenderable)) return [];
  return images.filter(({ keep }) => !keep).map(({ reference }) => reference);
}

/**
 * Returns those of some images that no object names: neither as one that nodes pull, nor by its name in any text, nor
 * by its repository alone. `isOf` says whether a name is that of an image. Where a component could not be rendered,
 * none is returned.
 */
export function unusedImages(
  candidates: readonly string[],
  { versions, proven }: Examination,
  isOf: (image: string, name: string) => boolean,
): string[] {
  if (candidates.length === 0 || versions.some(({ refusals }) => refusals.length > 0)) return [];
  const known = new Map<string, boolean>();
  const isHeld = (name: string): boolean => {
    const held = known.get(name) ?? candidates.some((image) => isOf(image, name));
    known.set(name, held);
    return held;
  };
  const statements = [...new Map(versions.flatMap((one) => one.statements).map((one) => [one.object, one])).values()];
  const names = new Set([
    ...[...proven.values()].flatMap(({ references }) => references.map(([name]) => name)),
    ...statements.flatMap(({ object, images = [] }) => [...referencesIn(object, isHeld), ...images]).map(nameOf),
  ]);
  const left = candidates.filter((image) => ![...names].some((name) => isOf(image, name)));
  if (left.length === 0) return [];
  const texts = statements.map(({ object }) => JSON.stringify(object));
  return left.filter((image) => !texts.some((text) => mentions(text, image)));
}

function nameOf({ reference }: { readonly reference: string }): string {
  return reference;
}

/**
 * Decides whether a text has the name of an image, or that of its repository without a tag: then somebody else puts the
 * tag there.
 */
function mentions(text: string, image: string): boolean {
  const { registry, repository, tag } = parseReference(image);
  const short = registry === 'docker.io' ? repository.replace(/^library\//, '') : `${registry}/${repository}`;
  for (let at = text.indexOf(short); at >= 0; at = text.indexOf(short, at + 1)) {
    if (/[\w.-]/.test(text[at - 1] ?? '')) continue;
    const rest = text.slice(at + short.length, at + short.length + 130);
    if (tag !== undefined && rest.startsWith(`:${tag}`) && !/^[\w.-]/.test(rest.slice(tag.length + 1))) return true;
    // A single word may be anything.
    if (short.includes('/') && !/^[\w.\-:@/]/.test(rest)) return true;
  }
  return false;
}

/** Makes the findings about images that no component names. */
export function unusedFindings(unused: readonly string[]): ClosureFinding[] {
  const nowhere = { component: '', source: undefined, object: undefined, path: undefined, kubernetes: [] };
  return unused.map((image) => ({ code: 'image-unused', ...nowhere, message: `${image} ${way}`, unused: image }));
}

/** Reports images that no component names. */
export function tellUnused(unused: readonly string[], flow: Flow): void {
  for (const subject of unused) flow.onEvent({ type: 'notice', subject, message: way });
}
