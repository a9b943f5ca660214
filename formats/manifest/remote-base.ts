import { FormatError } from '../error.ts';
import { trimmed } from '../trim.ts';

/** A folder of a git repository, as a kustomization refers to it. */
export interface GitFolder {
  readonly kind: 'git';
  /** What git is given: a URL, or `git@HOST:PATH`. */
  readonly repository: string;
  /** Host and path of the repository, without what logs in: `github.com/org/repo`. */
  readonly name: string;
  /** The folder in the repository; '' is its top. */
  readonly path: string;
  /** What `ref` says: a commit, a branch or a tag; undefined where it says nothing. */
  readonly ref: string | undefined;
}

/** A file of objects at an address. */
export interface RemoteFile {
  readonly kind: 'file';
  readonly url: URL;
}

const scheme = /^(?:git::)?(https?|ssh):\/\//i;
const scpLike = /^(?:git::)?((?:[A-Za-z0-9_.-]+@)[A-Za-z0-9.-]+):(?!\/\/)(.+)$/;
const known = /^(?:git::)?(github\.com|gitlab\.com|bitbucket\.org)[/:](.+)$/i;
const manifest = /\.(?:ya?ml|json)$/i;

/**
 * Reads a reference to what is remote as kustomize does (kustomize, "remote targets"): a git repository, with its
 * folder behind `//`, behind `.git/`, or behind two names, and `?ref=` or `?version=`; or a file at an `https://`
 * address. An address is a file if it has none of these and ends in `.yaml`, `.yml` or `.json`, or is not on a host of
 * git repositories. Throws `FormatError` `address-invalid`.
 */
export function parseRemoteBase(reference: string): GitFolder | RemoteFile {
  const scp = scpLike.exec(reference);
  if (scp) return gitFolder(scp[1]!, ':', scp[2]!);
  const bare = known.exec(reference);
  if (bare) return gitFolder(`https://${bare[1]!.toLowerCase()}`, '/', bare[2]!);
  if (!scheme.test(reference)) throw invalid(reference, 'is of a kind that is not fetched');
  const address = reference.replace(/^git::/i, '');
  if (!URL.canParse(address)) throw invalid(reference, 'is not a URL');
  const url = new URL(address);
  if (url.password !== '' || (url.username !== '' && url.protocol !== 'ssh:')) {
    throw invalid(`${url.protocol}//${url.host}`, 'includes a login; leave it to the credentials of git');
  }
  const isGit = reference.startsWith('git::') || url.protocol === 'ssh:' || looksLikeGit(url);
  if (!isGit) return { kind: 'file', url };
  const rest = address.slice(address.indexOf('://') + 3);
  const slash = rest.indexOf('/');
  if (slash < 0) throw invalid(reference, 'names no repository');
  return gitFolder(`${url.protocol}//${rest.slice(0, slash)}`, '/', rest.slice(slash + 1));
}

function looksLikeGit({ hostname, pathname, searchParams }: URL): boolean {
  if (searchParams.has('ref') || searchParams.has('version')) return true;
  if (pathname.includes('//') || /\.git(?:\/|$)/.test(pathname) || pathname.includes('/_git/')) return true;
  return /^(?:www\.)?(?:github\.com|gitlab\.com|bitbucket\.org)$/i.test(hostname) && !manifest.test(pathname);
}

function gitFolder(host: string, separator: ':' | '/', rest: string): GitFolder {
  const question = rest.indexOf('?');
  const whole = question < 0 ? rest : rest.slice(0, question);
  const query = new URLSearchParams(question < 0 ? '' : rest.slice(question + 1));
  const { repository, path } = splitRepository(whole);
  const folder = trimmed(path, '/');
  const isPlain = (names: string): boolean => names.split('/').every((name) => !/^\.{0,2}$/.test(name));
  const plainHost = host.replace(/^[a-z]+:\/\//i, '').replace(/^[^@]*@/, '');
  const own = repository.replace(/\.git$/, '');
  if (
    !isPlain(plainHost) ||
    !isPlain(repository) ||
    !isPlain(own) ||
    repository.startsWith('-') ||
    /^-|@-|\/\/-/.test(host)
  ) {
    throw invalid(`${host}${separator}${rest}`, 'names no repository');
  }
  if (folder !== '' && !isPlain(folder)) throw invalid(`${host}${separator}${rest}`, 'has a path that leads outside');
  return {
    kind: 'git',
    repository: `${host}${separator}${repository}`,
    name: `${plainHost}/${own}`,
    path: folder,
    ref: query.get('ref') ?? query.get('version') ?? undefined,
  };
}

/** Splits what follows the host into the repository and the folder in it. */
function splitRepository(whole: string): { repository: string; path: string } {
  const double = whole.indexOf('//');
  if (double >= 0) return { repository: whole.slice(0, double), path: whole.slice(double + 2) };
  const suffix = /\.git(?=\/|$)/.exec(whole);
  if (suffix) return { repository: whole.slice(0, suffix.index + 4), path: whole.slice(suffix.index + 4) };
  const azure = whole.indexOf('_git/');
  const names = whole.split('/');
  const count = azure < 0 ? 2 : whole.slice(0, azure).split('/').length + 1;
  return { repository: names.slice(0, count).join('/'), path: names.slice(count).join('/') };
}

/** Whether `ref` is a commit, spelled in full: 40 hexadecimal digits, or 64 where a repository has SHA-256. */
export function isCommit(ref: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(ref);
}

function invalid(reference: string, why: string): FormatError {
  return new FormatError('address-invalid', `${reference} ${why}`);
}
