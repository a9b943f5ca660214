/**
 * What decides that a component is ready, in addition to its objects: an object, or several, and what has to hold of
 * each (`ObjectProbe`); or an endpoint of a Service, and that it answers.
 */
export interface ReadyProbe {
  /** Undefined where it asks an endpoint. */
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  /** The one object; undefined where `selector` says which ones. */
  readonly name?: string | undefined;
  /** Labels that objects have; there has to be one at least. */
  readonly selector?: Readonly<Record<string, string>> | undefined;
  readonly namespace?: string | undefined;
  /** An expression of CEL over the object, as `self`. */
  readonly cel?: string | undefined;
  /** A condition of its status, `Type` or `Type=Status`. */
  readonly condition?: string | undefined;
  /** `SERVICE/PORT/PATH`, which has to answer by HTTP. */
  readonly http?: string | undefined;
  /** The same by HTTPS, whose certificate nobody checks. */
  readonly https?: string | undefined;
  /** `SERVICE/PORT`, which has to accept a connection. */
  readonly tcp?: string | undefined;
}

/** A probe that asks about objects. */
export type ObjectProbe = ReadyProbe & { readonly apiVersion: string; readonly kind: string };

/** A port of a Service, and what is asked there. */
export interface Endpoint {
  readonly scheme: (typeof endpointSchemes)[number];
  readonly service: string;
  /** Its number or its name. */
  readonly port: string;
  /** Begins with a slash; it may have a query. */
  readonly path: string;
}

/** Ways to ask an endpoint. */
export const endpointSchemes = ['http', 'https', 'tcp'] as const;

/** Decides whether a probe asks about objects; otherwise it asks an endpoint. */
export function isObjectProbe(probe: ReadyProbe): probe is ObjectProbe {
  return probe.apiVersion !== undefined && probe.kind !== undefined;
}

/** Returns the endpoint that a probe asks; undefined where it asks about objects. */
export function askedEndpoint(probe: ReadyProbe): Endpoint | undefined {
  const scheme = endpointSchemes.find((one) => probe[one] !== undefined);
  if (scheme === undefined) return undefined;
  const value = probe[scheme]!;
  const [place = ''] = value.split('?');
  const [service = '', port = '', ...segments] = place.split('/');
  return { scheme, service, port, path: `/${segments.join('/')}${value.slice(place.length)}` };
}

/** What a probe asks, as messages quote it. */
export function probeQuestion(probe: ReadyProbe): string {
  const scheme = endpointSchemes.find((one) => probe[one] !== undefined);
  if (scheme !== undefined) return `${scheme} ${probe[scheme]}`;
  return probe.cel ?? `condition ${probe.condition}`;
}

/** What a probe asks about: `Kind namespace/name`, or `Kind namespace/(label=value)`. */
export function probeSubject(probe: ReadyProbe): string {
  const { kind, name: one, selector = {}, namespace } = probe;
  const within = namespace === undefined ? '' : `${namespace}/`;
  const endpoint = askedEndpoint(probe);
  if (endpoint !== undefined) return `Service ${within}${endpoint.service}`;
  const labels = Object.entries(selector).map(([key, value]) => `${key}=${value}`);
  return `${kind} ${within}${one ?? `(${labels.join(',')})`}`;
}
