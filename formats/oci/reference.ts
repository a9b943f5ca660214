import { type Digest, isDigest } from '../digest.ts';
import { FormatError } from '../error.ts';

/** The parts of an image reference, normalised as container runtimes do it: `nginx` is `docker.io/library/nginx`. */
export interface Reference {
  /** Host and port of the registry. */
  readonly registry: string;
  /** The repository, without the host. */
  readonly repository: string;
  readonly tag?: string;
  readonly digest?: Digest;
}

const hostGrammar = /^(?:\[[0-9a-fA-F:]+\]|[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?)(?::[0-9]{1,5})?$/;
const repositoryGrammar = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/;
const tagGrammar = /^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}$/;

/** Tells whether `value` is a repository name (distribution-spec "Pulling manifests", `<name>`). */
export function isRepository(value: string): boolean {
  return value.length <= 255 && repositoryGrammar.test(value);
}

/** Tells whether `value` is a tag (distribution-spec "Pulling manifests", `<reference>` as a tag). */
export function isTag(value: string): boolean {
  return tagGrammar.test(value);
}

/**
 * Parses `[registry/]repository[:tag][@digest]`. The first part is a registry if it has a dot or a colon, or is
 * `localhost`. Else the registry is `docker.io`, and names of one part get `library/`. Throws `FormatError`
 * `reference-invalid`.
 */
export function parseReference(value: string): Reference {
  const bad = (why: string): FormatError =>
    new FormatError('reference-invalid', `${JSON.stringify(value)} is not an image reference: ${why}`);
  const at = value.indexOf('@');
  const digest = at < 0 ? undefined : value.slice(at + 1);
  if (digest !== undefined && !isDigest(digest)) throw bad('what follows @ is not a digest');
  let rest = at < 0 ? value : value.slice(0, at);
  const colon = rest.lastIndexOf(':');
  let tag: string | undefined;
  if (colon > rest.lastIndexOf('/')) {
    tag = rest.slice(colon + 1);
    rest = rest.slice(0, colon);
    if (!isTag(tag)) throw bad('what follows the last : is not a tag');
  }
  const slash = rest.indexOf('/');
  const first = slash < 0 ? '' : rest.slice(0, slash);
  const named = first !== '' && (/[.:[]/.test(first) || first === 'localhost' || first !== first.toLowerCase());
  const registry = named ? canonicalHost(first) : 'docker.io';
  if (!hostGrammar.test(registry)) throw bad('the registry is not a host');
  let repository = named ? rest.slice(slash + 1) : rest;
  if (registry === 'docker.io' && !repository.includes('/')) repository = `library/${repository}`;
  if (!isRepository(repository)) throw bad('the repository has to be lower-case names between /');
  return { registry, repository, ...(tag === undefined ? {} : { tag }), ...(digest === undefined ? {} : { digest }) };
}

function canonicalHost(host: string): string {
  return host === 'index.docker.io' || host === 'registry-1.docker.io' ? 'docker.io' : host;
}

/** Formats a reference with its registry spelled out, and with `latest` if it has neither tag nor digest. */
export function formatReference(value: Reference): string {
  const tag = value.tag ?? (value.digest === undefined ? 'latest' : undefined);
  return `${value.registry}/${value.repository}${tag ? `:${tag}` : ''}${value.digest ? `@${value.digest}` : ''}`;
}

/** Reads a reference as `parseReference` does; undefined for what is none. */
export function readReference(text: string): Reference | undefined {
  try {
    return parseReference(text);
  } catch {
    return undefined;
  }
}
