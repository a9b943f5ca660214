import { isRecord } from '../record.ts';
import type { KubernetesObject } from './object.ts';
import type { FieldPath } from './yaml-fields.ts';

/** An address that a container fetches from, as it seems, and where its command says so. */
export interface Fetch {
  readonly address: string;
  readonly path: FieldPath;
}

/** Programs that fetch what an address among their arguments names. */
const programs: ReadonlySet<string> = new Set([
  ...['curl', 'wget', 'aria2c', 'http', 'fetch'],
  ...['kubectl', 'oc', 'helm', 'kustomize', 'istioctl', 'clusterctl'],
  ...['git', 'svn', 'hg', 'go', 'pip', 'pip3', 'npm', 'yarn', 'gem', 'cargo', 'apk', 'apt', 'apt-get', 'yum', 'dnf'],
  ...['skopeo', 'crane', 'oras', 'docker', 'podman', 'aws', 'gsutil', 'mc', 'rclone'],
]);

const lists: readonly string[] = ['containers', 'initContainers', 'ephemeralContainers'];

/**
 * Finds addresses outside of the cluster that commands of containers seem to fetch from: `https://…` behind a program
 * such as `kubectl` or `curl`, in commands, arguments, hooks of the life cycle and probes. An address that a variable
 * makes is not known, and private ones are the site's own.
 */
export function fetchesIn(object: KubernetesObject): Fetch[] {
  const found: Fetch[] = [];
  const { metadata: _, status: __, ...fields } = object;
  if (object.kind !== 'CustomResourceDefinition') look(fields, [], found);
  return found;
}

function look(value: unknown, path: FieldPath, found: Fetch[]): void {
  if (Array.isArray(value)) for (const [at, one] of value.entries()) look(one, [...path, at], found);
  if (!isRecord(value)) return;
  for (const [name, one] of Object.entries(value)) {
    const at = [...path, name];
    if (lists.includes(name) && Array.isArray(one)) {
      for (const [index, item] of one.entries()) if (isRecord(item)) container(item, [...at, index], found);
    } else look(one, at, found);
  }
}

/** Looks at what a container runs (Kubernetes API, `Container`, `ExecAction`). */
function container(value: Readonly<Record<string, unknown>>, path: FieldPath, found: Fetch[]): void {
  const words = [...wordsIn(value, path, 'command'), ...wordsIn(value, path, 'args')];
  fetched(words, found);
  const { lifecycle } = value;
  const actions: [unknown, FieldPath][] = [
    ...['postStart', 'preStop'].map((one): [unknown, FieldPath] => [
      isRecord(lifecycle) ? lifecycle[one] : undefined,
      [...path, 'lifecycle', one],
    ]),
    ...['livenessProbe', 'readinessProbe', 'startupProbe'].map((one): [unknown, FieldPath] => [
      value[one],
      [...path, one],
    ]),
  ];
  for (const [action, at] of actions) {
    const exec = isRecord(action) ? action['exec'] : undefined;
    if (isRecord(exec)) fetched(wordsIn(exec, [...at, 'exec'], 'command'), found);
  }
}

/** A word of a command; undefined ends a command of a script. */
interface Word {
  readonly text: string | undefined;
  readonly path: FieldPath;
}

function wordsIn(value: Readonly<Record<string, unknown>>, path: FieldPath, field: string): Word[] {
  const entries: readonly unknown[] = Array.isArray(value[field]) ? value[field] : [];
  return entries.flatMap((entry, index): Word[] => {
    if (typeof entry !== 'string') return [];
    const at = [...path, field, index];
    const isScript = /\s/.test(entry);
    // Lines that continue are one command.
    const commands = entry.replace(/\\\r?\n/g, ' ').split(/\n|;|&&|\|\|?/);
    return commands.flatMap((command, number): Word[] => {
      const words = command.replace(/(?:^|\s)#[\s\S]*/, '').split(/[\s"'`()]+/);
      const texts = words.flatMap((text): Word[] => (text === '' ? [] : [{ text, path: at }]));
      return number === 0 || !isScript ? texts : [{ text: undefined, path: at }, ...texts];
    });
  });
}

function fetched(words: readonly Word[], found: Fetch[]): void {
  let fetches = false;
  for (const { text, path } of words) {
    if (text === undefined) fetches = false;
    else if (programs.has(text.slice(text.lastIndexOf('/') + 1))) fetches = true;
    if (text === undefined || !fetches) continue;
    const address = /(?:https?|ftp|git|ssh|oci|docker|s3|gs):\/\/\S+/.exec(text)?.[0];
    if (address !== undefined && isElsewhere(address)) found.push({ address, path });
  }
}

/**
 * Whether the host of an address has a name or a number that is none of the cluster, of this machine, or of a private
 * network.
 */
function isElsewhere(address: string): boolean {
  const [, host] = /^[a-z0-9]+:\/\/(?:[^@/\s]*@)?(\[[^\]/]*\]|[^:/?#\s]*)/.exec(address) ?? [];
  // Global unicast (RFC 4291, 2.4; IANA gives out 2000::/3 alone).
  if (host?.startsWith('[')) return /^\[[23][0-9a-f]{3}:/i.test(host);
  if (host === undefined || !/^[a-z0-9.-]+$/i.test(host) || !host.includes('.')) return false;
  const [a = NaN, b = NaN, c, d] = host.split('.').map(Number);
  const isNumber = [a, b, c, d].every((part) => part !== undefined && Number.isInteger(part));
  if (isNumber)
    return !(
      a === 127 ||
      a === 10 ||
      a === 0 ||
      (a === 192 && b === 168) ||
      (a === 172 && b >= 16 && b < 32) ||
      (a === 100 && b >= 64 && b < 128) ||
      (a === 169 && b === 254)
    );
  return !/\.(?:svc|local|localhost|internal|cluster\.local)$/i.test(host) && !/\.svc\./i.test(host);
}
