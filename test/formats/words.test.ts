import { parse, stringify as toml } from '@iarna/toml';
import { describe, expect, test } from 'vitest';
import { stringify as yaml } from 'yaml';
import { readOperatorBundle } from '../../formats/bundle/read.ts';
import { utf8 } from '../../formats/bytes.ts';
import { parseChartLock } from '../../formats/chart/lock.ts';
import { parseChartMetadata, parseRequirements } from '../../formats/chart/metadata.ts';
import { FormatError, PositionedError } from '../../formats/error.ts';
import { parseStatement } from '../../formats/in-toto/statement.ts';
import { parseKustomization } from '../../formats/manifest/kustomization.ts';
import { parseRegistriesConf } from '../../formats/oci/registries-conf.ts';
import { parseProfile } from '../../formats/profile/profile.ts';
import { parseConfiguration } from '../../formats/solution/configuration.ts';
import { parseDefinition } from '../../formats/solution/definition.ts';
import { definitionFields, definitionSchema } from '../../formats/solution/definition-schema.ts';
import { parseInstallPlan } from '../../formats/solution/install-plan.ts';
import { parseLock } from '../../formats/solution/lock.ts';
import { parseMend } from '../../formats/trust/mend.ts';
import { parsePolicy } from '../../formats/trust/parse-policy.ts';
import { policyFields } from '../../formats/trust/policy.ts';
import { wholeDocuments } from '../support/whole-documents.ts';

/** What a validator or a parser says, and no document of ours. */
const foreign =
  /expected|received|invalid input|\binvalid\b|unrecognized|too (?:big|small)|must match|pattern|\bstring\b|\barray\b|\bboolean\b|union|undefined|\bNaN\b|\[object|zod/i;

const { definition, policy, version, annotations } = wholeDocuments;

const bundle = (text: string): unknown =>
  readOperatorBundle([
    { path: 'metadata/annotations.yaml', bytes: utf8(yaml(annotations)) },
    { path: 'manifests/csv.yaml', bytes: utf8(text) },
  ]);
const bundleAnnotations = (text: string): unknown =>
  readOperatorBundle([
    { path: 'metadata/annotations.yaml', bytes: utf8(text) },
    { path: 'manifests/csv.yaml', bytes: utf8(yaml(version)) },
  ]);

type Sample = [
  name: string,
  value: object,
  write: (value: never) => string,
  read: (text: string) => unknown,
  isPositioned: boolean,
];

const inToml = (value: object): string => toml(value as Parameters<typeof toml>[0]);
const inYaml = (value: object): string => yaml(value);
const inJson = (value: object): string => JSON.stringify(value);
const formats: Sample[] = [
  ['a definition', parse(definition), inToml, (text) => parseDefinition(utf8(text)), true],
  ['a lock', wholeDocuments.lock, inToml, (text) => parseLock(utf8(text)), true],
  ['a configuration in groups', wholeDocuments.grouped, inYaml, (text) => parseConfiguration(utf8(text)), true],
  ['a flat configuration', wholeDocuments.flat, inYaml, (text) => parseConfiguration(utf8(text)), true],
  ['a policy in TOML', policy, inToml, (text) => parsePolicy(utf8(text)), true],
  ['a policy in JSON', policy, inJson, (text) => parsePolicy(utf8(text)), true],
  ['a mend', wholeDocuments.mend, inToml, (text) => parseMend(utf8(text)), true],
  ['a profile', wholeDocuments.profile, inToml, (text) => parseProfile(utf8(text)), true],
  ['a registries.conf', wholeDocuments.registries, inToml, (text) => parseRegistriesConf(utf8(text)), true],
  [
    'a kustomization',
    wholeDocuments.kustomization,
    inYaml,
    (text) => parseKustomization(text, 'kustomization.yaml'),
    true,
  ],
  ['a Chart.yaml', wholeDocuments.chart, inYaml, (text) => parseChartMetadata(utf8(text)), true],
  ['a requirements.yaml', wholeDocuments.requirements, inYaml, (text) => parseRequirements(utf8(text)), true],
  ['a Chart.lock', wholeDocuments.chartLock, inYaml, (text) => parseChartLock(utf8(text)), true],
  ['annotations of a bundle', annotations, inYaml, bundleAnnotations, false],
  ['a ClusterServiceVersion', version, inYaml, bundle, false],
  ['a statement', wholeDocuments.statement, inJson, (text) => parseStatement(utf8(text)), false],
  ['a plan of an install', wholeDocuments.plan, inJson, (text) => parseInstallPlan(utf8(text)), false],
];

/** What may stand where something else has to. */
const others: readonly unknown[] = ['', 'no such word', -1.5, true, [], ['x', {}], { other: 1 }, null];

type Path = readonly (string | number)[];

/** The paths of all fields and entries of a value. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null || value instanceof Date) return [path];
  const steps = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return [path, ...steps.flatMap((step) => pathsOf((value as never)[step], [...path, step]))];
}

/** A copy in which what `path` leads to is another value; `undefined` takes it away. */
function changed(value: unknown, [step, ...rest]: Path, other: unknown): unknown {
  if (step === undefined) return other;
  if (Array.isArray(value)) return value.map((one, at) => (at === step ? changed(one, rest, other) : one));
  const fields = Object.entries(value as object).map(([name, one]) => [
    name,
    name === step ? changed(one, rest, other) : one,
  ]);
  return Object.fromEntries(fields.filter(([, one]) => one !== undefined));
}

/** Writes a value, in a language that has no null without it. */
function written(write: Sample[2], value: unknown): string | undefined {
  try {
    return write(value as never);
  } catch {
    return undefined;
  }
}

describe.each(formats)('%s', (_, value, write, read, isPositioned) => {
  test('is sound', () => {
    expect(() => read(write(value as never))).not.toThrow();
  });

  test('says in words of its own what is wrong, wherever that is', () => {
    const told = new Set<string>();
    for (const path of pathsOf(value)) {
      for (const other of [...others, undefined]) {
        const text = written(write, changed(value, path, other));
        if (text === undefined) continue;
        try {
          read(text);
        } catch (error) {
          expect(error).toBeInstanceOf(FormatError);
          // What is not there cannot be pointed at.
          if (isPositioned && !/is empty|has neither/.test((error as Error).message)) {
            expect(error, text).toBeInstanceOf(PositionedError);
          }
          told.add((error as Error).message);
        }
      }
    }
    expect(told.size).toBeGreaterThan(5);
    expect([...told].filter((message) => foreign.test(message.replace(/"(?:[^"\\]|\\.)*"/g, '')))).toEqual([]);
  });
});

test('the samples have every field that these documents may have', () => {
  const whole = parse(definition) as { images: object[]; components: object[] };
  expect(Object.keys(whole).sort()).toEqual(Object.keys(definitionSchema.shape).sort());
  for (const list of ['images', 'components'] as const) {
    expect([...new Set(whole[list].flatMap(Object.keys))].sort()).toEqual([...definitionFields(list)].sort());
  }
  expect(Object.keys(policy).sort()).toEqual([...policyFields['']!].sort());
  expect(Object.keys(policy.policies[0]!).sort()).toEqual([...policyFields['policies']!].sort());
});
