import type { Problem } from '../document/problems.ts';
import { readDocument } from './document.ts';
import { keyPlaces, type PolicyDocument, policyFields, policySchema } from './policy.ts';

/**
 * Reads a policy in TOML or JSON. Throws `PositionedError` `policy-invalid` with position and field of all that is
 * wrong.
 */
export function parsePolicy(bytes: Uint8Array): PolicyDocument {
  const problems = (policy: PolicyDocument): Problem[] => [...wrongKeys(policy), ...wrongRules(policy)];
  return readDocument(bytes, { code: 'policy-invalid', schema: policySchema, fields: policyFields, problems });
}

function wrongKeys({ keys }: PolicyDocument): Problem[] {
  return keys.flatMap(({ id, status, notBefore, notAfter, ...key }, index) => {
    const at = (field: string, message: string): Problem => ({ path: `keys.${index}.${field}`, message });
    const problems: Problem[] = [];
    if (keys.findIndex((other) => other.id === id) < index) problems.push(at('id', 'is there twice'));
    if (keyPlaces.filter((place) => key[place] !== undefined).length !== 1) {
      problems.push(at('id', 'needs either "pem" or "file"'));
    }
    if (notBefore !== undefined && notAfter !== undefined && notBefore > notAfter) {
      problems.push(at('notAfter', 'is before its notBefore'));
    }
    if (status === 'retired' && notAfter === undefined) {
      problems.push(at('status', 'needs a notAfter: a retired key is valid for Solutions made until then'));
    }
    return problems;
  });
}

function wrongRules({ keys, policies, rotation }: PolicyDocument): Problem[] {
  const known = new Set(keys.map(({ id }) => id));
  const quorum = (path: string, ids: readonly string[], threshold: number): Problem[] => [
    ...ids.flatMap((id, index) => {
      const field = `${path}.keys.${index}`;
      if (ids.indexOf(id) < index) return [{ path: field, message: 'is there twice' }];
      return known.has(id) ? [] : [{ path: field, message: 'is the id of none of the [[keys]]' }];
    }),
    ...(threshold > ids.length
      ? [{ path: `${path}.threshold`, message: `is ${threshold}, but there are ${ids.length} keys` }]
      : []),
  ];
  return [
    ...policies.flatMap(({ match, keys: ids, threshold }, index) => [
      ...(policies.findIndex((other) => other.match === match) < index
        ? [{ path: `policies.${index}.match`, message: 'is duplicated: the first one that matches decides' }]
        : []),
      ...quorum(`policies.${index}`, ids, threshold),
    ]),
    ...(rotation ? quorum('rotation', rotation.keys, rotation.threshold) : []),
  ];
}
