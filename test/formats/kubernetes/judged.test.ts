import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { minorOf } from '../../../formats/kubernetes/minors.ts';
import { servedByDefault } from '../../../formats/kubernetes/served.ts';
import { type ApiShape, type FieldShape, typeNamed, typeOfKind } from '../../../formats/kubernetes/types.ts';
import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import type { KubernetesApi } from '../../../lib/parts/clusters/kubernetes/server/api.ts';
import { connect } from '../../../lib/parts/clusters/kubernetes/server/client/index.ts';
import { factsOf } from '../../../lib/parts/clusters/kubernetes/server/cluster-facts.ts';
import { controlPlaneTest, sharedControlPlane } from '../../support/control-plane.ts';
import { testFlow } from '../../support/flow.ts';
import { changed, faults, sound, soundOne } from './support.ts';

// A real API server judges the facts about it, and every object of these tests.

const plane = sharedControlPlane();
const { signal } = new AbortController();

/** Connects for the time of `work`, once the server knows the custom kind of the sound objects. */
async function connected<T>(work: (api: KubernetesApi) => Promise<T>): Promise<T> {
  const api = await connect(plane().kubeconfig, testFlow());
  try {
    await api.apply(sound.find(({ kind }) => kind === 'CustomResourceDefinition')!, { force: true }, signal);
    for (;;) {
      const discovery = await api.discover(signal, true);
      if (discovery.find('sound.example.com/v1', 'Gadget')) break;
      // Clock: between two tries.
      await sleep(50);
    }
    return await work(api);
  } finally {
    await api.close();
  }
}

/** What the server says against an object; undefined if it takes it. */
async function refusalOf(api: KubernetesApi, object: KubernetesObject): Promise<string | undefined> {
  try {
    await api.apply(object, { dryRun: true, force: true }, signal);
    return undefined;
  } catch (error) {
    if (error instanceof Error) return error.message;
    throw error;
  }
}

describe('a real API server', () => {
  controlPlaneTest('serves exactly what is known of its minor', async () => {
    const api = await connect(plane().kubeconfig, testFlow());
    const facts = factsOf(await api.discover(signal));
    await api.close();
    expect(servedByDefault(minorOf(facts.version ?? '')!)).toEqual(facts.apiVersions);
  });

  controlPlaneTest('takes every sound object', async () => {
    await connected(async (api) => {
      const refused = new Map<string, string>();
      for (const object of sound) {
        const refusal = await refusalOf(api, object);
        if (refusal !== undefined) refused.set(`${object.kind}/${object.metadata.name}`, refusal);
      }
      expect(Object.fromEntries(refused)).toEqual({});
    });
  });

  controlPlaneTest('refuses all that is refused here', async () => {
    await connected(async (api) => {
      const taken: string[] = [];
      for (const { of, at, value } of faults) {
        if ((await refusalOf(api, changed(soundOne(of), at, value))) === undefined) taken.push(`${of} ${at.join('.')}`);
      }
      expect(taken).toEqual([]);
    });
  });

  controlPlaneTest('refuses objects without a field that is called required, each of which is tried', async () => {
    const tried = new Set<string>();
    await connected(async (api) => {
      const taken: string[] = [];
      for (const object of sound) {
        for (const { name, path } of requiredIn(object)) {
          if (tried.has(name)) continue;
          tried.add(name);
          if ((await refusalOf(api, changed(object, path, undefined))) === undefined) taken.push(name);
        }
      }
      expect(taken).toEqual([]);
    });
    expect(tried.size).toBeGreaterThan(130);
  });
});

type Place = readonly (string | number)[];

/** The required fields of an object's type, and of those in it, with where they are. */
function requiredIn(object: KubernetesObject): { name: string; path: Place }[] {
  const found: { name: string; path: Place }[] = [];
  const ofFields = (fields: ReadonlyMap<string, FieldShape>, type: string, value: object, path: Place): void => {
    for (const [name, { isRequired, shape }] of fields) {
      const inner = (value as Record<string, unknown>)[name];
      if (inner === undefined) continue;
      if (isRequired) found.push({ name: `${type}.${name}`, path: [...path, name] });
      ofShape(shape, inner, [...path, name]);
    }
  };
  const ofShape = (shape: ApiShape, value: unknown, path: Place): void => {
    if (typeof value !== 'object' || value === null) return;
    if (shape.is === 'list' || shape.is === 'map') {
      const isList = Array.isArray(value);
      for (const [key, inner] of Object.entries(value)) ofShape(shape.of, inner, [...path, isList ? Number(key) : key]);
    }
    const type = shape.is === 'type' ? typeNamed(shape.name) : undefined;
    if (shape.is === 'type' && type && 'fields' in type) ofFields(type.fields, shape.name, value, path);
  };
  const type = typeOfKind(object.apiVersion, object.kind);
  if (type && 'fields' in type) ofFields(type.fields, `${object.apiVersion} ${object.kind}`, object, []);
  return found;
}
