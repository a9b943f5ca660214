import { formedText, z } from '../schema.ts';
import { endpointSchemes, isObjectProbe, type ReadyProbe } from './ready-probe.ts';

const ofObjects = ['apiVersion', 'kind', 'name', 'selector', 'cel', 'condition'] as const;

// No percent sign in the path: what it stands for may lead out of the path of the proxy.
const HTTP =
  /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?\/[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?(?:\/[-A-Za-z0-9._~!$&'()*+,;=:@/]{0,500})?(?:\?[-A-Za-z0-9._~!$&'()*+,;=:@%/?]{0,500})?$/;
const TCP = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?\/[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;

const httpWords = 'has to be SERVICE/PORT/PATH, such as web/8080/healthz';
const endpointText = formedText(HTTP, httpWords, isSoundEndpoint);

const name = z.string().regex(/^[^/\s%]{1,253}$/, 'is not a name of an object');
const label = z
  .string()
  .regex(/^(?:[A-Za-z0-9][-A-Za-z0-9_.]{0,61}[A-Za-z0-9]|[A-Za-z0-9])?$/, 'is not a value of a label');

const fields = z.strictObject({
  apiVersion: z
    .string()
    .regex(/^(?:[a-z0-9][-a-z0-9.]{0,252}\/)?[a-z0-9]{1,63}$/, 'has to be an apiVersion such as example.com/v1')
    .optional()
    .describe('The apiVersion of the object.'),
  kind: z
    .string()
    .regex(/^[A-Z][A-Za-z0-9]{0,62}$/, 'has to be a kind such as Database')
    .optional()
    .describe('The kind of the object.'),
  name: name.optional().describe('The one object.'),
  selector: z
    .record(z.string().regex(/^[-A-Za-z0-9_./]{1,317}$/, 'is not a key of a label'), label)
    .refine((labels) => Object.keys(labels).length > 0, 'names no label')
    .meta({ minProperties: 1 })
    .optional()
    .describe('All objects with these labels; at least one has to exist.'),
  namespace: name
    .optional()
    .describe(
      'The namespace of the object or of the Service; left out: that of the component, or "default". None for kinds outside of namespaces.',
    ),
  cel: z
    .string()
    .min(1)
    .max(2048)
    .optional()
    .describe('What has to be true of each, as a CEL expression over the object, "self".'),
  condition: z
    .string()
    .regex(/^[A-Za-z0-9][-A-Za-z0-9_./]{0,315}(?:=(?:True|False|Unknown))?$/, 'has to be Type, or Type=Status')
    .optional()
    .describe('A condition of its status that each has to have: Type, or Type=Status.'),
  http: endpointText
    .optional()
    .describe('Instead of an object: SERVICE/PORT/PATH, which has to answer by HTTP with a status from 200 to 399.'),
  https: endpointText.optional().describe('The same by HTTPS. Nobody checks the certificate.'),
  tcp: formedText(TCP, 'has to be SERVICE/PORT, such as database/5432', isSoundEndpoint)
    .optional()
    .describe('Instead of an object: SERVICE/PORT, which has to accept a connection.'),
});

const required = (...names: readonly string[]): object => ({ required: names });
const either = (first: string, second: string): object => ({ oneOf: [required(first), required(second)] });
const none = (names: readonly string[]): object => ({ not: { anyOf: names.map((one) => required(one)) } });

/** What `solution.toml` and the metadata of an archive may say of a probe. */
export const readyProbeSchema: typeof fields = fields
  .superRefine((probe, context) => {
    for (const message of problemsOf(probe)) context.addIssue({ code: 'custom', message });
  })
  .meta({
    oneOf: [
      {
        ...required('apiVersion', 'kind'),
        ...none(endpointSchemes),
        allOf: [either('name', 'selector'), either('cel', 'condition')],
      },
      ...endpointSchemes.map((scheme) => ({
        ...required(scheme),
        ...none([...ofObjects, ...endpointSchemes.filter((other) => other !== scheme)]),
      })),
    ],
  });

function problemsOf(probe: ReadyProbe): string[] {
  const asked = endpointSchemes.filter((scheme) => probe[scheme] !== undefined);
  if (asked.length > 1) return ['has to have only one of http, https and tcp'];
  if (asked.length === 1) {
    const more = ofObjects.filter((field) => probe[field] !== undefined);
    return more.length === 0 ? [] : [`asks ${asked[0]}, and has to have no ${more.join(' and no ')}`];
  }
  if (!isObjectProbe(probe)) return ['has to have apiVersion and kind, or one of http, https and tcp'];
  return [
    ...((probe.name === undefined) === (probe.selector === undefined) ? ['has to have either name or selector'] : []),
    ...((probe.cel === undefined) === (probe.condition === undefined) ? ['has to have either cel or condition'] : []),
  ];
}

/** Whether nothing in it leads to another path than that of the Service, and its port is one. */
function isSoundEndpoint(value: string): boolean {
  const [place = ''] = value.split('?');
  const [, port = '', ...segments] = place.split('/');
  if (/^[0-9]+$/.test(port) && !(Number(port) >= 1 && Number(port) <= 65_535)) return false;
  return segments.every((segment) => segment !== '.' && segment !== '..');
}

/** The most probes of one component. */
export const MOST_PROBES = 32;
