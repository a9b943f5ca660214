import { text } from '../bytes.ts';
import { FormatError } from '../error.ts';
import { type Problem, problemsOf } from '../solution/problems.ts';
import { locateProblems, parseToml, placeProblems } from '../solution/toml.ts';
import { locateJson } from './json-positions.ts';
import { type PolicyDocument, policyFields, policySchema } from './policy.ts';

/** Reads a policy, TOML or JSON. Throws `FormatError` `policy-invalid` with line, column and field of all that is wrong. */
export function parsePolicy(bytes: Uint8Array): PolicyDocument {
  const source = text(bytes, 'policy-invalid');
  const { value, place } = /^\s*\{/.test(source) ? readJson(source) : readToml(source);
  const parsed = policySchema.safeParse(value, { reportInput: true });
  if (!parsed.success) {
    throw invalid(place(problemsOf(parsed.error, (path) => policyFields[path.split('.')[0] ?? ''] ?? [])));
  }
  const problems = [...wrongKeys(parsed.data), ...wrongRules(parsed.data)];
  if (problems.length > 0) throw invalid(place(problems));
  return parsed.data;
}

interface Source {
  readonly value: unknown;
  readonly place: (problems: readonly Problem[]) => string[];
}

function readToml(source: string): Source {
  const value = parseToml(source, (problem) => invalid([problem]));
  return { value, place: (problems) => locateProblems(source, problems) };
}

function readJson(source: string): Source {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (cause) {
    const offset = /position (\d+)/.exec(String(cause))?.[1];
    const before = source.slice(0, offset === undefined ? source.length : Number(offset)).split('\n');
    throw invalid([`${before.length}:${before.at(-1)!.length + 1}: is not JSON from here on`], cause);
  }
  const { keys, repeated } = locateJson(source);
  const place = (problems: readonly Problem[]): string[] => placeProblems(keys, problems);
  if (repeated.length > 0) throw invalid(place(repeated.map((path) => ({ path, message: 'is there twice' }))));
  return { value, place };
}

function invalid(problems: readonly string[], cause?: unknown): FormatError {
  return new FormatError('policy-invalid', problems.join('; '), { cause });
}

function wrongKeys({ keys }: PolicyDocument): Problem[] {
  return keys.flatMap(({ id, pem, file, status, notBefore, notAfter }, index) => {
    const at = (field: string, message: string): Problem => ({ path: `keys.${index}.${field}`, message });
    const problems: Problem[] = [];
    if (keys.findIndex((other) => other.id === id) < index) problems.push(at('id', 'is there twice'));
    if ((pem === undefined) === (file === undefined)) problems.push(at('id', 'needs either "pem" or "file"'));
    if (notBefore !== undefined && notAfter !== undefined && notBefore > notAfter) {
      problems.push(at('notAfter', 'is before its notBefore'));
    }
    if (status === 'retired' && notAfter === undefined) {
      problems.push(at('status', 'needs a notAfter: a retired key counts for what was made until then'));
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
        ? [{ path: `policies.${index}.match`, message: 'is there twice: the first one that matches decides' }]
        : []),
      ...quorum(`policies.${index}`, ids, threshold),
    ]),
    ...(rotation ? quorum('rotation', rotation.keys, rotation.threshold) : []),
  ];
}
