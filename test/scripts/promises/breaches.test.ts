import { expect, test } from 'vitest';
import { breachesOf } from '../../../scripts/promises/breaches.ts';
import { keptPromise, type Promised, promiseNow, promiseText } from '../../../scripts/promises/promise.ts';

const id = 'urn:solpack:schema:verify:1';
const plan = 'urn:solpack:schema:install-plan:1';

/** The kept promise after a change of one of its schemas. */
function changed(change: (schema: never) => void, of = id): Promised {
  const promise = structuredClone(keptPromise());
  change(promise.schemas[of] as never);
  return promise;
}

interface Loose {
  properties: Record<string, Loose>;
  required: string[];
  items: Loose;
  enum: string[];
  type: unknown;
  oneOf: Loose[];
  anyOf: Loose[];
  const: unknown;
  maximum?: number;
  pattern?: string;
}

test('outputs, exit codes and codes of errors and findings are as they were promised', () => {
  expect(breachesOf(keptPromise(), promiseNow())).toEqual([]);
  expect(promiseText(keptPromise()), 'an addition is promised by "npm run docs"').toBe(promiseText(promiseNow()));
});

test('every output has a schema of a version, and says which', () => {
  const { schemas } = promiseNow();
  expect(Object.keys(schemas).length).toBeGreaterThan(35);
  for (const [name, schema] of Object.entries(schemas) as unknown as [string, Loose][]) {
    expect(name).toMatch(/^urn:solpack:schema:[a-z-]+:1$/);
    for (const form of schema.anyOf ?? schema.oneOf ?? [schema]) {
      expect([name, form.required.includes('schemaVersion')]).toEqual([name, true]);
    }
  }
});

test.each<[string, string, (schema: Loose) => void, string?]>([
  ['a field that is gone', 'verify.trusted: is gone', (all) => delete all.properties['trusted']],
  ['one of an inner object', 'verify.findings[].code: is gone', (all) => delete findingOf(all).properties['code']],
  [
    'a field that may be absent',
    'verify.ok: may be absent',
    (all) => all.required.splice(all.required.indexOf('ok'), 1),
  ],
  [
    'a type that is wider',
    'verify.name: type was "string" and is ["string","null"]',
    (all) => Object.assign(all.properties['name']!, { type: ['string', 'null'] }),
  ],
  [
    'a type that is narrower',
    'status.reason: type was ["string","null"] and is "string"',
    (all) => Object.assign(all.properties['reason']!, { type: 'string' }),
    'urn:solpack:schema:status:1',
  ],
  ['another bound', 'verify.size: maximum was', (all) => Object.assign(all.properties['size']!, { maximum: 9 })],
  ['another pattern', 'verify.root: pattern was', (all) => delete all.properties['root']!.pattern],
  [
    'another version under the same name',
    'verify.schemaVersion: const was 1 and is 2',
    (all) => Object.assign(all.properties['schemaVersion']!, { const: 2 }),
  ],
  [
    'a word that never comes',
    'ls.type: is never "symlink" any longer',
    (all) => all.properties['type']!.enum.splice(2, 1),
    'urn:solpack:schema:ls:1',
  ],
  [
    'a list that is one thing now',
    'verify.signers: type was "array" and is "string"',
    (all) => Object.assign(all.properties, { signers: { type: 'string' } }),
  ],
  ['a form that is gone', 'serve.config: is gone', (all) => all.anyOf.pop(), 'urn:solpack:schema:serve:1'],
  [
    'a form that nothing tells from the others',
    'serve: has another form',
    (all) => all.anyOf.push(structuredClone(all.anyOf[0]!)),
    'urn:solpack:schema:serve:1',
  ],
  [
    'a type of event that is gone',
    'events.type: const was "notice"',
    (all) =>
      all.oneOf.splice(
        all.oneOf.findIndex(({ properties }) => properties['type']?.const === 'notice'),
        1,
      ),
    'urn:solpack:schema:events:1',
  ],
  [
    'a field that input has to have',
    'install-plan.more: has to be there',
    (all) => {
      all.properties['more'] = all.properties['seal']!;
      all.required.push('more');
    },
    plan,
  ],
])('%s is found', (_, breach, change, of) => {
  const found = breachesOf(keptPromise(), changed(change as never, of));
  expect(found.join('\n')).toContain(breach);
});

test.each<[string, (promise: { -readonly [Part in keyof Promised]: Promised[Part] }) => void, string]>([
  [
    'an exit code that is another',
    (all) => Object.assign(all.exits, { registry: 5 }),
    'exit code registry: was 4 and is 5',
  ],
  ['an error that ends otherwise', (all) => Object.assign(all.errors, { 'not-trusted': 1 }), 'was 3 and is 1'],
  ['an error that is gone', (all) => delete (all.errors as Record<string, number>)['not-trusted'], 'was 3 and is gone'],
  ['a finding that is gone', (all) => (all.findings = all.findings.slice(1)), 'is gone'],
  ['a schema that is gone', (all) => delete (all.schemas as Record<string, object>)[id], `${id}: is gone`],
])('%s is found', (_, change, breach) => {
  const promise = structuredClone(promiseNow());
  change(promise);
  expect(breachesOf(keptPromise(), promise).join('\n')).toContain(breach);
});

test('what is only added breaks nothing, nor does a schema of the next version', () => {
  const more = changed((all: Loose) => {
    Object.assign(all.properties, { more: { type: 'string' } });
    all.required.push('more');
  });
  Object.assign(more.exits, { more: 7 });
  Object.assign(more.errors, { 'more-errors': 2 });
  const ls = more.schemas['urn:solpack:schema:ls:1'] as unknown as Loose;
  ls.properties['type']!.enum.push('device');
  const events = more.schemas['urn:solpack:schema:events:1'] as unknown as Loose;
  events.oneOf.push(structuredClone(events.oneOf[0]!));
  expect(breachesOf(keptPromise(), { ...more, findings: [...more.findings, 'check more'] })).toEqual([]);
  const { [id]: old, ...others } = keptPromise().schemas;
  const next = { ...others, 'urn:solpack:schema:verify:2': { type: 'object' } };
  expect(old).toBeDefined();
  expect(breachesOf(keptPromise(), { ...keptPromise(), schemas: next })).toEqual([]);
});

function findingOf(schema: Loose): Loose {
  return schema.properties['findings']!.items;
}
