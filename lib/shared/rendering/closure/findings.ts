/** What keeps a Solution from being closed; each has a title in `docs/errors.md`. */
export const closureFindings = {
  'not-rendered': 'helm or kubectl refuse a component, or its content does not match its kind',
  'image-unheld':
    'An object runs an image that neither the archive nor, as far as the definition says, a site provides',
  'image-likely': 'An object seems to name an image that the archive does not hold, and `--strict` was given',
  'image-unused': 'The definition lists an image that no component names, and `--strict` was given',
  'object-twice': 'Two objects have one name',
  'object-invalid': 'Kubernetes would refuse an object by its shape',
  'namespace-absent': 'An object is in a namespace that the Solution does not create',
  'kind-absent': 'An object is of a kind that neither Kubernetes nor the Solution defines',
  'address-fetched': 'A container seems to fetch from an address, and `--strict` was given',
  'probe-field-absent': 'A probe looks at a field that objects of its kind never have',
} as const;

/** A code of a finding about the closure. */
export type ClosureFindingCode = keyof typeof closureFindings;

/** Something that prevents a Solution from being closed: data, and all of them are reported. */
export interface ClosureFinding {
  readonly code: ClosureFindingCode;
  /** Empty where it is about none. */
  readonly component: string;
  /** A template of a chart, or `FILE:LINE` of a manifest; undefined where that is not known. */
  readonly source: string | undefined;
  /**
   * `Kind/namespace/name`; the middle is empty outside of namespaces. Undefined where it is about all of a component.
   */
  readonly object: string | undefined;
  /** Where in the object, such as `spec.template.spec.containers.0.image`. */
  readonly path: string | undefined;
  readonly message: string;
  /**
   * The image that is lacking, as the object names it; absent of what is about something else, or about a name that no
   * image can have.
   */
  readonly image?: string;
  /** The image that no component names; absent of other findings. */
  readonly unused?: string;
  /** The Kubernetes versions for which it is so; empty where it is so for all. */
  readonly kubernetes: readonly string[];
}

/**
 * Makes one finding of those that differ only in the version for which they are; `all` are the versions that were
 * tried.
 */
export function mergedFindings(
  found: readonly { readonly version: string | undefined; readonly finding: Omit<ClosureFinding, 'kubernetes'> }[],
  all: number,
): ClosureFinding[] {
  const merged = new Map<string, { finding: Omit<ClosureFinding, 'kubernetes'>; versions: Set<string | undefined> }>();
  for (const { version, finding } of found) {
    const key = JSON.stringify(finding);
    const known = merged.get(key) ?? { finding, versions: new Set() };
    known.versions.add(version);
    merged.set(key, known);
  }
  return [...merged.values()].map(({ finding, versions }) => ({
    ...finding,
    kubernetes: versions.size === all ? [] : [...versions].filter((version) => version !== undefined),
  }));
}

/** Describes a finding in one line, without its component. */
export function findingWords({ source, object, path, message, kubernetes }: ClosureFinding): string {
  const place = [source, object, path].filter((part) => part !== undefined).join(', ');
  const versions = kubernetes.length === 0 ? '' : ` (for Kubernetes ${kubernetes.join(', ')})`;
  return `${place === '' ? '' : `${place}: `}${message}${versions}`;
}
