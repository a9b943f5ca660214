/** A package URL in its parts, decoded: all that is before the version, the version, and the qualifiers. */
interface PackageUrl {
  readonly name: string;
  readonly version: string | undefined;
  readonly qualifiers: URLSearchParams;
}

/**
 * Returns whether `named` is about the package `found`, both package URLs: type, namespace and name are the same, and
 * so are version and qualifiers as far as `named` has them.
 */
export function isOfPackage(named: string, found: string): boolean {
  const [asked, there] = [parsedPurl(named), parsedPurl(found)];
  if (asked === undefined || there === undefined || asked.name !== there.name) return false;
  if (asked.version !== undefined && asked.version !== there.version) return false;
  return [...asked.qualifiers].every(([name, value]) => there.qualifiers.get(name) === value);
}

/** Returns the digest of the image that a package URL of the type `oci` names. */
export function ociDigestOf(purl: string): string | undefined {
  const parsed = parsedPurl(purl);
  return parsed?.name.startsWith('oci/') ? parsed.version : undefined;
}

function parsedPurl(text: string): PackageUrl | undefined {
  const [whole = ''] = text.split('#', 1);
  const question = whole.indexOf('?');
  const path = question < 0 ? whole : whole.slice(0, question);
  if (!path.startsWith('pkg:')) return undefined;
  const at = path.lastIndexOf('@');
  // The sign before a scope, as in `pkg:npm/@scope/name`, begins no version.
  const isVersion = at > path.lastIndexOf('/');
  try {
    return {
      name: decodeURIComponent((isVersion ? path.slice(0, at) : path).slice('pkg:'.length)),
      version: isVersion ? decodeURIComponent(path.slice(at + 1)) : undefined,
      qualifiers: new URLSearchParams(question < 0 ? '' : whole.slice(question + 1)),
    };
  } catch {
    return undefined;
  }
}
