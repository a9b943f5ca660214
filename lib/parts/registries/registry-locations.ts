import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { isRepository } from '../../../formats/oci/reference.ts';
import {
  matches,
  parseRegistriesConf,
  type RegistryEndpoint,
  type RegistryRule,
  rewritten,
} from '../../../formats/oci/registries-conf.ts';
import { codeOf, refused, SolpackError, unreadable } from '../../kernel/events/index.ts';
import { readIfThere } from '../../kernel/files/index.ts';
import type { Locations, PullPlace } from './options.ts';

const hint = 'correct the file; containers-registries.conf(5) describes it';

/**
 * Reads where registries are from the first of `files` that exists, and from the `*.conf` files of `folders`
 * (containers-registries.conf.d(5)), which override it by prefix, later ones earlier ones. Throws `registries-invalid`.
 */
export async function readLocations(files: readonly string[], folders: readonly string[] = []): Promise<Locations> {
  const rules = new Map<string, RegistryRule>();
  const take = (found: readonly RegistryRule[]): void => {
    for (const rule of found) rules.set(rule.prefix, rule);
  };
  for (const path of files) {
    const found = await readRules(path);
    if (!found) continue;
    take(found);
    break;
  }
  for (const folder of folders) {
    for (const name of await confFiles(folder)) take((await readRules(join(folder, name))) ?? []);
  }
  const all = [...rules.values()].sort((a, b) => b.prefix.length - a.prefix.length);
  return { placesOf: ({ registry, repository }) => placesOf(all, registry, repository) };
}

function placesOf(rules: readonly RegistryRule[], registry: string, repository: string): PullPlace[] {
  const name = `${registry}/${repository}`;
  const rule = rules.find((candidate) => matches(candidate, name));
  if (!rule) return [{ registry, repository, insecure: false, pulls: 'all' }];
  if (rule.blocked) {
    throw new SolpackError('registry-denied', name, `registries.conf blocks what begins with ${rule.prefix}`, {
      hint: 'use another registry, or ask the administrator',
    });
  }
  const own = { ...placeOf(rule, rule, name), pulls: 'all' } as const;
  return [...rule.mirrors.map((mirror) => ({ ...placeOf(rule, mirror, name), pulls: mirror.pulls })), own];
}

function placeOf(rule: RegistryRule, endpoint: RegistryEndpoint, name: string): Omit<PullPlace, 'pulls'> {
  const at = rewritten(rule, endpoint, name);
  const slash = at.indexOf('/');
  const place = { registry: at.slice(0, slash), repository: at.slice(slash + 1), insecure: endpoint.insecure };
  if (slash > 0 && isRepository(place.repository)) return place;
  throw new SolpackError('registries-invalid', 'registries.conf', `${name} becomes ${at}, which is not a repository`, {
    hint,
  });
}

async function readRules(path: string): Promise<RegistryRule[] | undefined> {
  const bytes = await readIfThere(path, 4 * 1024 * 1024);
  return bytes && refused('registries-invalid', path, () => parseRegistriesConf(bytes), hint);
}

async function confFiles(folder: string): Promise<string[]> {
  try {
    return (await fs.readdir(folder)).filter((name) => name.endsWith('.conf')).sort();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return [];
    throw unreadable(folder, error);
  }
}
