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

/** Returns whether `value` is a repository name (distribution-spec "Pulling manifests", `<name>`). */
export function isRepository(value: string): boolean {
  return value.length <= 255 && repositoryGrammar.test(value);
}

/** Returns whether `value` is a tag (distribution-spec "Pulling manifests", `<reference>` as a tag). */
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
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(value)?.[0];
  if (scheme !== undefined) throw bad(`it has a scheme; leave ${scheme} out`);
  if (/\s/.test(value)) throw bad('it has a space, or the end of a line');
  const at = value.indexOf('@');
  const digest = at < 0 ? undefined : value.slice(at + 1);
  if (digest !== undefined && !isDigest(digest)) {
    throw bad('what follows @ is not a digest, such as sha256: and 64 characters of 0-9 and a-f');
  }
  let rest = at < 0 ? value : value.slice(0, at);
  const colon = rest.lastIndexOf(':');
  let tag: string | undefined;
  if (colon > rest.lastIndexOf('/')) {
    tag = rest.slice(colon + 1);
    rest = rest.slice(0, colon);
    if (!isTag(tag)) throw bad(tagFault(tag));
  }
  const slash = rest.indexOf('/');
  const first = slash < 0 ? '' : rest.slice(0, slash);
  const named = first !== '' && (/[.:[]/.test(first) || first === 'localhost' || first !== first.toLowerCase());
  const registry = named ? canonicalHost(first) : 'docker.io';
  if (!hostGrammar.test(registry)) throw bad('the registry is not a host');
  const written = named ? rest.slice(slash + 1) : rest;
  let repository = written;
  if (registry === 'docker.io' && !repository.includes('/')) repository = `library/${repository}`;
  if (!isRepository(repository)) {
    if (!isRepository(repository.toLowerCase())) throw bad('the repository has to be lower-case names between /');
    const before = value.slice(0, rest.length - written.length);
    const lower = `${before}${written.toLowerCase()}${value.slice(rest.length)}`;
    throw bad(`the repository has upper-case letters, which no registry accepts; did you mean ${lower}?`);
  }
  return { registry, repository, ...(tag === undefined ? {} : { tag }), ...(digest === undefined ? {} : { digest }) };
}

function tagFault(tag: string): string {
  if (tag === '') return 'nothing follows the last :';
  if (!isTag(tag.replaceAll('+', '_'))) return 'what follows the last : is not a tag';
  return `a tag cannot have a +; look up what the registry has instead, often ${tag.replaceAll('+', '_')} or ${tag.replaceAll('+', '-')}`;
}

function canonicalHost(host: string): string {
  return host === 'index.docker.io' || host === 'registry-1.docker.io' ? 'docker.io' : host;
}

/** Formats a reference with its registry spelled out, and with `latest` if it has neither tag nor digest. */
export function formatReference(value: Reference): string {
  const tag = value.tag ?? (value.digest === undefined ? 'latest' : undefined);
  return `${value.registry}/${value.repository}${tag ? `:${tag}` : ''}${value.digest ? `@${value.digest}` : ''}`;
}

/** Returns why a text is not an image reference, in the words of `parseReference`; undefined for one that is. */
export function referenceFault(text: string): string | undefined {
  try {
    parseReference(text);
    return undefined;
  } catch (error) {
    if (error instanceof FormatError) return error.message;
    throw error;
  }
}

/** Reads a reference as `parseReference` does; undefined for what is none. */
export function readReference(text: string): Reference | undefined {
  try {
    return parseReference(text);
  } catch {
    return undefined;
  }
}
